"""The tournament screen."""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.coordinate import Coordinate
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import DataTable, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.parameters import Parameters
from arcade.engines.players import PERFECT, RUNGS
from arcade.engines.reference_methods import HISTORY
from arcade.engines.registry import AnyGame, get_game, installed_games, is_listed
from arcade.engines.seats import player_kinds
from arcade.engines.verdict import Value
from arcade.engines.wording import matches, moves
from arcade.engines.workers import LocalPool
from arcade.play.jobs import Job
from arcade.play.keymap import default_key
from arcade.play.match import Match
from arcade.screens.base import SLIM, ArcadeScreen, already_running, open_screen, report, reporting
from arcade.screens.dialogs import Form, GameFields
from arcade.screens.navigation import OpenMatch
from arcade.services import TOURNAMENT_MATCH
from arcade.store.queries import player_name
from arcade.store.record import MatchRecord
from arcade.study.tournament import ROUNDS, Pairing, Standing, Tournament, points_text
from arcade.widgets.forms import Choice, NumberField, Row
from arcade.widgets.glyphs import glyphs_of
from arcade.widgets.keys import Shortcut, Shortcuts, TitleBar

COLUMN = 5


class CrossTable(DataTable[Text]):
    """The results of each pair of players, best players first. The cursor selects a pair."""

    DEFAULT_CSS = """
    CrossTable { height: auto; max-height: 50%; width: 1fr; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l,d", "cursor_right", show=False),
        Binding("h,a", "cursor_left", show=False),
        Binding("j,s", "cursor_down", show=False),
        Binding("k,w", "cursor_up", show=False),
    ]

    def __init__(self) -> None:
        super().__init__(cell_padding=0)
        self._tournament: Tournament | None = None
        self._order: list[int] = []
        self._heads = 0

    def show(self, tournament: Tournament, standings: Sequence[Standing]) -> None:
        order = [tournament.players.index(standing.player) for standing in standings]
        rows = self._rows(tournament, standings, order)
        if tournament is not self._tournament or len(self._kept) != self._heads:
            self._lay_out(tournament, rows)
            self._tournament, self._order = tournament, order
            return
        pair = self.pair
        self._order = order
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                shown = self.get_cell_at(Coordinate(at, column))
                if (shown.plain, shown.style) != (text.plain, text.style):
                    self.update_cell_at(Coordinate(at, column), text)
        if pair is not None:
            one, other = pair
            column = self.cursor_column if other is None else self._heads + order.index(other)
            self.move_cursor(row=order.index(one), column=column, scroll=False)

    def _lay_out(self, tournament: Tournament, rows: list[list[Text]]) -> None:
        self.clear(columns=True)
        name = max(len(player) for player in ("player", *tournament.players)) + 3
        heads = (("#", 3), ("  player", name), ("rank", 5), ("rating", 7), ("95% CI ", 8), ("points", 9))
        for title, width in map(heads.__getitem__, self._kept):
            self.add_column(Text(title, justify="left" if "player" in title else "right"), width=width)
        self._heads = len(self._kept)
        for number in range(1, len(rows) + 1):
            self.add_column(Text(str(number), justify="right"), width=COLUMN)
        for row in rows:
            self.add_row(*row)
        # On a narrow screen only the results of the pairs scroll.
        self.fixed_columns = self._heads if self.app.size.width < SLIM else 2
        self.move_cursor(row=0, column=self._heads + 1, scroll=False)

    @property
    def _kept(self) -> Sequence[int]:
        return (0, 1, 5) if self.app.size.width < SLIM else range(6)

    def _rows(
        self, tournament: Tournament, standings: Sequence[Standing], order: Sequence[int]
    ) -> list[list[Text]]:
        cross, colours = tournament.cross(), self.app.theme_variables
        rows = []
        for number, (standing, one) in enumerate(zip(standings, order, strict=True), 1):
            reach = f"±{round(standing.high - standing.rating)} "
            cells = [
                Text(f"{number}", colours["faint"], justify="right"),
                Text(f"  {player_name(standing.player)}", f"bold {colours['primary']}"),
                Text(standing.rank if standing.played else "", justify="right"),
                Text(f"{round(standing.rating):+}" if standing.played else "", justify="right"),
                Text(reach if standing.played else "", colours["faint"], justify="right"),
                Text(f"{standing.score:g}/{standing.played}", justify="right"),
            ]
            cells = [cells[at] for at in self._kept]
            for other in order:
                made, lost = cross[one][other], cross[other][one]
                if one == other:
                    cells.append(Text(glyphs_of(self.app).dot, colours["faint"], justify="right"))
                elif made is None or lost is None:
                    cells.append(Text(""))
                else:
                    name = "win" if made > lost else "loss" if made < lost else "tie"
                    cells.append(Text(points_text(made), colours[name], justify="right"))
            rows.append(cells)
        return rows

    @property
    def pair(self) -> tuple[int, int | None] | None:
        """The player in the cursor's row and, if different, the player in its column."""
        if not self._order or self.cursor_row >= len(self._order):
            return None
        one = self._order[self.cursor_row]
        column = self.cursor_column - self._heads
        other = self._order[column] if 0 <= column < len(self._order) else one
        return one, None if other == one else other


class RatingChart(Widget):
    DEFAULT_CSS = """
    RatingChart { width: 1fr; height: auto; }
    """

    standings: Sequence[Standing] = ()

    def show(self, standings: Sequence[Standing]) -> None:
        grown = len(standings) != len(self.standings)
        self.standings = standings
        self.refresh(layout=grown)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.standings) * self._pitch(container.height) + 2

    def _pitch(self, room: int) -> int:
        return 2 if 2 * len(self.standings) + 2 <= room else 1

    def render(self) -> Content:
        shown = [standing for standing in self.standings if standing.played]
        if not shown:
            return Content.styled("No matches played yet.", "$faint")
        glyphs = glyphs_of(self.app)
        name = min(max(len(standing.player) for standing in shown), 14)
        width = max(self.content_size.width - name - 2, 8)
        low, high = min(standing.low for standing in shown), max(standing.high for standing in shown)

        def column(rating: float) -> int:
            return round((rating - low) / ((high - low) or 1) * (width - 1))

        caption = "95% confidence intervals (CI)"[:width].center(width)
        lines = [Content.styled(" " * (name + 2) + caption, "$faint")]
        zero, pitch = column(0.0), self._pitch(self.container_size.height)
        for standing in shown:
            start, point, end = map(column, (standing.low, standing.rating, standing.high))
            cells = [" "] * width
            cells[zero] = glyphs.dot
            cells[start : end + 1] = glyphs.dash * (end - start + 1)
            lines += [Content("")] * (pitch - 1)
            before, after = "".join(cells[:point]), "".join(cells[point + 1 :])
            lines.append(
                Content.assemble(
                    (f"{player_name(standing.player)[:name]:>{name}}  ", "$foreground"),
                    (before, "$faint"),
                    (glyphs.played, "bold $primary"),
                    (after, "$faint"),
                )
            )
        left, right = f"{round(low):+}", f"{round(high):+}"
        scale = [" "] * width
        scale[: len(left)] = left
        scale[width - len(right) :] = right
        if len(left) < zero < width - len(right) - 1:
            scale[zero] = "0"
        lines.append(Content.styled(" " * (name + 2) + "".join(scale), "$faint"))
        return Content("\n").join(lines)


ALL, NEIGHBOURS = "all", "neighbours"


class PlayerChoice(OptionList):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "select", show=False),
    ]

    def __init__(self, players: dict[str, str], chosen: set[str]) -> None:
        super().__init__(markup=False)
        self.players = players
        self.chosen = chosen

    def on_mount(self) -> None:
        self._write()

    @on(OptionList.OptionSelected)
    def turned(self, event: OptionList.OptionSelected) -> None:
        self.chosen ^= {str(event.option.id)}
        self._write()

    def offer(self, players: dict[str, str]) -> None:
        if players != self.players:
            self.players = players
            self._write()

    def _write(self) -> None:
        at = self.highlighted
        history = [name for name, summary in self.players.items() if summary.startswith(HISTORY)]
        options = []
        for name in self.players:
            if name in history[:1]:
                options.append(Option("Historical methods", disabled=True))
            options.append(Option(f"{'[x]' if name in self.chosen else '[ ]'} {name}", id=name))
        self.set_options(options)
        self.highlighted = at or 0


class NewTournamentDialog(Form[Tournament]):
    heading = "Tournament"
    ACCEPT = "Start"

    def __init__(self, game: AnyGame, like: Tournament | None = None) -> None:
        super().__init__()
        self.game = game
        self.like = like if like is not None and like.start.game is game else None

    def fields(self) -> ComposeResult:
        like, game = self.like, self.game
        shown = [each for each in installed_games() if is_listed(each.name) or each is game]
        games = [(each.title, each.name) for each in shown]
        values = like.start.parameters if like is not None else game.parameters.parse("")
        ladder = like is not None and like.ladder
        rounds, seed = (like.rounds, like.seed) if like is not None else (ROUNDS, 1)
        players = self._players(values)
        chosen = like.players if like is not None else [*RUNGS, PERFECT.name]
        others = [who for who in chosen if who not in players] if like is not None else []
        with Horizontal(id="choices"):
            with VerticalScroll(classes="fields", can_focus=False):
                yield Row("Game", Choice(games, game.name, id="game"))
                yield GameFields(game, values, seeded=False)
                meeting = [("all pairs", ALL), ("neighbours only", NEIGHBOURS)]
                yield Row("Pairing", Choice(meeting, NEIGHBOURS if ladder else ALL, id="meeting"))
                yield Row("Rounds", NumberField(rounds, id="rounds"))
                yield Row("Seed", NumberField(seed, id="tournament-seed"))
                yield Static("", id="count", markup=False)
            with Vertical(id="who"):
                yield Label("Players (Space to select)")
                yield PlayerChoice(players, players.keys() & {*chosen})
                yield Static("", id="about", markup=False)
                yield Label("Others, such as depth:3")
                yield Input(", ".join(others), compact=True, id="others")

    def _players(self, values: Parameters) -> dict[str, str]:
        players: dict[str, str] = {}
        history: dict[str, str] = {}
        for kind in player_kinds(self.game):
            name = kind.name if kind.argument is None else f"{kind.name}:{kind.argument.default}"
            (history if kind.summary.startswith(HISTORY) else players)[name] = kind.summary
        machines = self.services.machines
        with suppress(InputError):
            for seat in range(2):
                for name in machines.names(self.game, seat):
                    with suppress(InputError):
                        machines.check(name, self.game, values, seat)
                        players.setdefault(name, "A matchbox machine.")
        return players | history

    @on(Input.Changed, "GameFields Input")
    @on(Select.Changed, "GameFields Select")
    def board_changed(self) -> None:
        for choice in self.query(PlayerChoice):
            with suppress(InputError):
                choice.offer(self._players(self.query_one(GameFields).read()))

    def on_mount(self) -> None:
        self.query_one("#ok").focus()

    @on(Select.Changed, "#game")
    async def game_chosen(self, event: Select.Changed) -> None:
        if event.value != self.game.name:
            self.game, self.like = get_game(str(event.value)), None
            await self.recompose()
            self.query_one("#game").focus()

    @on(OptionList.OptionHighlighted)
    def player_pointed(self, event: OptionList.OptionHighlighted) -> None:
        players = self.query_one(PlayerChoice).players
        self.query_one("#about", Static).update(players.get(str(event.option.id), ""))

    @on(Input.Changed)
    @on(Select.Changed)
    @on(OptionList.OptionSelected)
    def count_matches(self) -> None:
        words = ""
        with suppress(InputError):
            rounds = self._rounds()
            words = f"{matches(rounds * len(self._planned(1).schedule))} to play"
        self.query_one("#count", Static).update(words)

    def read(self) -> Tournament:
        tournament = self._planned(self._rounds())
        tournament.restore(self.services.store)
        return tournament

    def _rounds(self) -> int:
        rounds = self.query_one("#rounds", NumberField).read("Rounds")
        if rounds < 1:
            raise InputError("A tournament needs at least 1 round.")
        return rounds

    def _planned(self, rounds: int) -> Tournament:
        choice = self.query_one(PlayerChoice)
        named = [who for who in choice.players if who in choice.chosen]
        typed = [who.strip() for who in self.query_one("#others", Input).value.split(",")]
        start = self.query_one(GameFields).start()
        return Tournament(
            start,
            [*named, *filter(None, typed)],
            rounds,
            self.query_one("#tournament-seed", NumberField).read("Seed"),
            self.query_one("#meeting", Select).value == NEIGHBOURS,
            self.services.machines,
        )


PROGRESS_INTERVAL = 0.25

MAX_LISTED = 200
"""Maximum number of matches in the list, which shows the latest matches."""

RESULTS = {Value.WIN: "1-0", Value.LOSS: "0-1", Value.TIE: "tie"}


class TournamentScreen(ArcadeScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(default_key("pause"), "play", "Play", tooltip="Play the remaining matches", id="pause"),
        Binding("space", "play", "Play", show=False),
        Binding(default_key("stop"), "stop", "Stop", tooltip="Stop; finished matches are saved", id="stop"),
        Binding("enter", "review", "Review", show=False, tooltip="Review the selected match"),
        Binding(
            default_key("replay"),
            "watch",
            "Watch",
            show=False,
            tooltip="Watch the match from its first move",
            id="replay",
        ),
        Binding(default_key("new"), "new", "New", tooltip="Set up another tournament", id="new"),
        Binding(default_key("copy"), "copy", "Copy", tooltip="Copy the table as text", id="copy"),
    ]

    HELP = "Tournaments"
    ASKED: ClassVar[Mapping[str, str]] = {"tournament": "The tournament"}

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self.game = game
        self.tournament: Tournament | None = None
        self.control: Control | None = None
        self._listed: list[Pairing] = []

    def body(self) -> ComposeResult:
        with Vertical(id="tournament"):
            yield CrossTable()
            yield Static("", id="equal", markup=False)
            with Horizontal(id="below"):
                with VerticalScroll(id="chart", can_focus=False):
                    yield RatingChart()
                with Vertical(id="bouts"):
                    yield Static("", id="pair", markup=False)
                    yield OptionList(markup=False)
                    yield Shortcuts(id="actions")

    def on_mount(self) -> None:
        services = self.services
        with reporting(self.app):
            self.tournament = Tournament.latest(services.store, self.game, services.machines)
        self.query_one("#actions", Shortcuts).show(
            Shortcut("Enter", "review", "review"),
            Shortcut(self.keys.label("replay") or self.keys.label("commands"), "watch", "watch"),
        )
        if self.tournament is None:
            self.call_after_refresh(self.action_new)

    def on_unmount(self) -> None:
        self.action_stop()

    def on_screen_resume(self) -> None:
        self.show()

    def show_title(self) -> None:
        tournament = self.tournament
        if tournament is None:
            self.query_one(TitleBar).show("Tournament", "")
            return
        state = "finished" if tournament.finished else "playing" if self.control is not None else "stopped"
        name = f"Tournament  {tournament.start}, {tournament.kind}, seed {tournament.seed}"
        busy = self.services.compiler.status if self.control is not None else ""
        played = f"{len(tournament.records):,} of {len(tournament.schedule):,}"
        self.query_one(TitleBar).show(name, f"{played} matches, {state}", busy)

    def show(self) -> None:
        if self.tournament is None or not self.is_active:
            return
        standings = self.tournament.standings()
        self.show_title()
        self.query_one(CrossTable).show(self.tournament, standings)
        self.query_one("#equal", Static).update(" ".join(self.tournament.equal_ranks(standings)))
        self.query_one(RatingChart).show(standings)
        self.list_matches()
        self.refresh_bindings()

    @on(DataTable.CellHighlighted)
    def list_matches(self) -> None:
        tournament, pair = self.tournament, self.query_one(CrossTable).pair
        if tournament is None or pair is None:
            return
        wanted = [player for player in pair if player is not None]
        pairings = [
            pairing
            for pairing in tournament.schedule
            if {*wanted} <= {pairing.first, pairing.second} and pairing.number in tournament.records
        ]
        who = " v ".join(player_name(tournament.players[player]) for player in wanted)
        last = f", the last {MAX_LISTED}" if len(pairings) > MAX_LISTED else ""
        self.query_one("#pair", Static).update(f"{who}: {matches(len(pairings))} by round{last}")
        pairings = pairings[-MAX_LISTED:]
        lines = self.query_one(OptionList)
        known = len(self._listed)
        at, chosen = lines.highlighted, None
        if pairings[:known] != self._listed or not known:
            chosen = self._listed[at] if at is not None and at < known else None
            lines.clear_options()
            known = 0
        lines.add_options(Option(self._line(tournament, pairing)) for pairing in pairings[known:])
        self._listed = pairings
        if pairings and lines.highlighted is None:
            lines.highlighted = pairings.index(chosen) if chosen in pairings else 0

    @staticmethod
    def _line(tournament: Tournament, pairing: Pairing) -> str:
        record = tournament.records[pairing.number]
        who = " - ".join(map(player_name, pairing.seats))
        ended = RESULTS[record.result] if record.result is not None else ""
        return f"{pairing.round + 1:>2}. {who} {ended}, {moves(len(record.moves))}"

    def _open(self, watch: bool) -> None:
        at = self.query_one(OptionList).highlighted
        if at is None or at >= len(self._listed) or self.tournament is None:
            self.notify("No matches yet.", severity="warning")
            return
        record = self.tournament.records[self._listed[at].number]
        match = Match.from_record(record, self.services.machines)
        self.post_message(OpenMatch(match, TOURNAMENT_MATCH, watch))

    @on(OptionList.OptionSelected)
    def action_review(self) -> None:
        self._open(False)

    def action_watch(self) -> None:
        self._open(True)

    @on(DataTable.CellSelected)
    def to_matches(self) -> None:
        self.query_one(OptionList).focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "stop":
            return self.control is not None
        if action == "play":
            return self.control is None and self.tournament is not None and not self.tournament.finished
        return self.tournament is not None if action in ("review", "watch", "copy") else True

    def action_play(self) -> None:
        tournament = self.tournament
        if tournament is None or self.control is not None or tournament.finished:
            return
        control = self.control = Control()
        records: dict[int, MatchRecord] = {}
        told = 0.0

        def finished(number: int, record: MatchRecord) -> None:
            nonlocal told, records
            records[number] = record
            if time.monotonic() - told >= PROGRESS_INTERVAL:
                told = time.monotonic()
                self.deliver(partial(self._take_in, tournament, records))
                records = {}

        def play(job: Job) -> None:
            # With its own control, a stopped tournament still reports its matches.
            try:
                if self.services.compiler.wait(tournament.start.game.name, control):
                    with self.own_store(lambda: control.stopped) as store:
                        tournament.play(control, LocalPool(), store, finished)
            finally:
                job.tell(self._take_in, tournament, records)
            job.tell(self._ended)

        self.jobs.start("tournament", play)
        self.show()

    def failed(self, error: BaseException) -> None:
        report(self.app, error, "The tournament failed: ")
        self._ended()

    def _take_in(self, tournament: Tournament, records: dict[int, MatchRecord]) -> None:
        tournament.records |= records
        self.show()

    def _ended(self) -> None:
        self.jobs.drop("tournament")
        self.control = None
        self.show()

    def action_stop(self) -> None:
        if self.control is not None:
            self.control.cancel()

    def action_new(self) -> None:
        if self.control is not None:
            self.notify(already_running("tournament", self.keys), severity="warning")
            return

        def chosen(tournament: Tournament) -> None:
            self.tournament, self.game = tournament, tournament.start.game
            self.show()
            self.action_play()

        otherwise = self.action_leave if self.tournament is None else self.show
        open_screen(self.app, NewTournamentDialog(self.game, self.tournament), chosen, otherwise)

    def action_copy(self) -> None:
        if self.tournament is not None:
            self.copy("\n".join(self.tournament.lines()), "Table copied as text.")

"""The match screen of every game: the boards on the left, everything about the match on the right."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget

from arcade.engines.game import Kind
from arcade.engines.verdict import MoveVerdict, Value
from arcade.match import files as match_file
from arcade.match.match import HUMAN, Match
from arcade.screens import rooms
from arcade.screens.base import ArcadeScreen
from arcade.screens.open_box import OpenBoxPanel
from arcade.services import Services
from arcade.session.actions import ACTIONS, FOOTER, end_card
from arcade.session.engine import SPEEDS
from arcade.session.jobs import Changed, Event, Judged, Learned, Moved, Notice, Refused
from arcade.session.mistakes import turning_point
from arcade.session.modes import NOT_YOUR_TURN, Offers
from arcade.session.session import Session
from arcade.store.store import SavedAs
from arcade.widgets.board import Board, BoardView, ListBoard
from arcade.widgets.keys import KeyFooter, KeyWord, KeyWords, TitleBar, key_word, key_words
from arcade.widgets.panels import HintPanel, MoveList, PlyRows, SeatsPanel, ValueGraph, VerdictPanel
from arcade.widgets.tables import RaceTable, RaceVerdict, ScoreGraph, Table

SHARED_LINES = 24
"""Least lines of a terminal for both the box of a machine and what a newcomer is told."""

ROOMS = (("boxes", "all boxes"), ("laboratory", "laboratory"))
WALK = (("back", "back"), ("forward", "on"))


class MatchScreen(ArcadeScreen):
    """A match of any game; a game's own screen says which board it is played on, and adds its panels."""

    BOARD: ClassVar[type[Board]] = ListBoard

    HAND: ClassVar[type[Widget] | None] = None

    TEACHES: ClassVar[bool] = False
    """Whether boxes and laboratory are offered even when no machine plays, as the game is about them."""

    TRAINS: ClassVar[bool] = False
    """Whether the laboratory is offered even when no machine plays."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                action.keys,
                action.name,
                action.word,
                show=action.name in FOOTER,
                key_display=action.key,
                tooltip=action.help,
            )
            for action in ACTIONS.values()
            if action.keys
        ),
        Binding("o", "app.open_id", "Open", show=False, tooltip="Open a game ID, a position, a match"),
    ]

    def __init__(self, services: Services, match: Match, saved: SavedAs | None = None) -> None:
        super().__init__()
        self.session = Session(match, services, self, self.on_session, saved)
        self.replays = False
        """Whether the match, which is finished, is shown from its first move when the screen opens."""
        self.source_shown = False
        self._pointed: Any = None
        self._clock: Timer | None = None

    @property
    def match(self) -> Match:
        return self.session.match

    @property
    def race(self) -> bool:
        return self.match.game.kind is Kind.RACE

    def compose(self) -> ComposeResult:
        self.set_class(self.race, "-race")
        yield TitleBar()
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield (RaceTable if self.race else Table)(self.BOARD, self.session, self.view)
                yield from self.under_boards()
                yield KeyWords(id="rooms")
                yield KeyWords(id="status")
            with Vertical(id="side"):
                yield SeatsPanel(id="seats", classes="panel")
                yield (RaceVerdict if self.race else VerdictPanel)(id="verdict", classes="panel")
                yield OpenBoxPanel(self.session)
                yield from self.extra_panels()
                with VerticalScroll(id="hint-scroll", classes="panel", can_focus=False):
                    yield HintPanel(id="hint")
                yield MoveList(id="moves")
                yield (ScoreGraph if self.race else ValueGraph)(id="graph")
        yield KeyFooter()

    def under_boards(self) -> Iterable[Widget]:
        """What lies between the boards and the line under them; `show_extra` fills it."""
        return ()

    def extra_panels(self) -> Iterable[Widget]:
        """Panels of one game's own, between the verdict and the moves; `show_extra` fills them."""
        return ()

    def show_extra(self) -> None:
        """Bring the panels of one game's own up to date."""

    def on_mount(self) -> None:
        self.board.focus()
        self.call_after_refresh(self._open)

    def _open(self) -> None:
        """Show the match; solvers come when it has been painted, because loading them takes its time."""
        self.session.open()
        self.call_after_refresh(self._painted)

    def _painted(self) -> None:
        if self in self.app.screen_stack:
            self.set_to_work()
            if self.replays:
                self.session.do("replay")
            elif self.match.watched and not self.match.plies and self.services.settings.animated:
                # Whoever opens a match of engines wants to watch it.
                self.session.do("pause")

    def set_to_work(self) -> None:
        self.session.set_to_work()
        self.box.load()
        self._watch_the_clock()

    def on_unmount(self) -> None:
        self.session.stop()

    @property
    def table(self) -> Table:
        return self.query_one(Table)

    @property
    def board(self) -> Board:
        return self.table.board

    @property
    def box(self) -> OpenBoxPanel:
        return self.query_one(OpenBoxPanel)

    def help_rules(self) -> str:
        return f"# {self.match.game.title}\n\n{self.match.game.rules}"

    def on_session(self, event: Event) -> None:
        match event:
            case Notice(text, severity, seconds):
                self.notify(text, severity=severity, timeout=seconds)
            case _ if not self.is_mounted:
                return
            case Moved():
                self._pointed = None
                self.box.moved()
                self.show()
                self.box.load()
            case Changed():
                self.show()
            case Judged():
                self.show_verdict()
            case Learned(rewards):
                self.box.learned(rewards)
            case Refused(machine):
                self.box.offer_fresh(machine)
        self._watch_the_clock()

    def _watch_the_clock(self) -> None:
        if self.session.busy and self._clock is None:
            pace = self.services.settings.pace(0.5 if self.race else 1.0)
            self._clock = self.set_interval(pace, self._tick)

    def _tick(self) -> None:
        if not self.session.busy and self._clock is not None:
            self._clock.stop()
            self._clock = None
        self.show_verdict()

    def view(self, seat: int) -> BoardView:
        session, match = self.session, self.match
        current = not self.race or seat == match.turn
        mode, hints = session.mode, session.hints
        position = mode.position if current else match.position_of(seat)
        values: tuple[MoveVerdict[Any], ...] = ()
        if session.values_shown and mode.question is None:
            values = tuple(match.analysis(position) or ())
        hint = hints.hint if current else None
        hinted = hint.move if hint and hints.step >= 2 and not mode.walked else None
        squares: frozenset[tuple[int, int]] = frozenset()
        if mode.walked and hint:
            last = hint.line[mode.walked - 1]
            if mode.walked == hint.reason:
                squares = frozenset(hint.squares)
        else:
            own = [ply.move for ply in match.plies if not self.race or ply.seat == seat]
            last = own[-1] if own else None
        # A person may try moves out while others think.
        seated = [match.seats[seat]] if self.race else match.seats
        trying = HUMAN in seated and match.result is None and not mode.walked
        playable = current and mode.move_refusal is None
        review = match.finished and mode.question is None and not mode.tried
        return BoardView(position, match.first, playable, values, hinted, last, trying, review, squares)

    def show(self) -> None:
        if not self.is_mounted:
            return
        match, glyphs = self.match, self.glyphs
        self.table.show()
        self.query_one(SeatsPanel).show(match, glyphs)
        self.show_verdict()
        self.show_hint()
        session = self.session
        for rows in self.query(PlyRows):
            rows.show(match, glyphs, self.services.settings.marks, session.mode.revealed)
        rooms = self.query_one("#rooms", KeyWords)
        rooms.display = self.refusal("boxes") is None
        if rooms.display:
            rooms.show(*self._words(ROOMS))
        # On a low screen there is no room for both the box and a hint.
        self.box.show_match(self.has_class("-hinting") and self.has_class("-low") and not self.crowded)
        self.show_extra()
        self.show_status()
        self.show_title()

    @property
    def newcomer(self) -> bool:
        """Whether a person is to play here who has made no move of this game yet."""
        match = self.match
        return HUMAN in match.seats and not match.finished and not self.services.knows(match.game.name)

    @property
    def crowded(self) -> bool:
        """Whether what a newcomer is told has to be short, beside the box of a machine or a hand."""
        if not self.newcomer or self.session.hints.hint is not None or not self.has_class("-low"):
            return False
        roomy = self.size.height >= SHARED_LINES
        return bool(self.box.seated) if roomy else self.HAND is not None

    def show_hint(self) -> None:
        hints, panel = self.session.hints, self.query_one(HintPanel)
        self.set_class(self.crowded, "-crowded")
        if hints.hint is None and self.newcomer:
            game = self.match.game
            panel.welcome(game.goal, "" if self.crowded else game.picture, self.board.HOW)
        else:
            walk = self._words(WALK)
            panel.show(hints.hint, hints.step, self.session.mode.walked, walk)
        hinting = hints.hint is not None or self.newcomer
        self.query_one("#hint-scroll").display = hinting
        self.set_class(hinting, "-hinting")

    def show_verdict(self) -> None:
        session, match = self.session, self.match
        panel = self.query_one(VerdictPanel)
        ended = bool(match.result) and not session.mode.tried
        self.set_class(ended, "-ended")
        self.refresh_bindings()
        if session.mode.question is not None:
            panel.ask_for_better(match, session.mode.question)
        elif not session.mode.revealed:
            panel.coach(match, self.services.settings.coach, session.fault)
        elif ended:
            start = session.judge.verdicts.get(match.first)
            panel.end(match, start, turning_point(match), self._words(end_card(session)))
        else:
            panel.show(session, self.glyphs, self.source_shown)

    @property
    def heading(self) -> str:
        match = self.match
        parameters = match.game.parameters_text(match.parameters)
        name = f"{match.game.title} {parameters}".rstrip()
        if match.game.chance and match.start.position is None:
            name += f" #{match.start.seed or 0}"
        return name

    def result_text(self) -> str:
        """What is copied instead of the match, to show around; empty where that is the match itself."""
        return ""

    def show_title(self) -> None:
        match = self.match
        state = f"move {len(match.plies)}"
        if match.undone:
            state += f" of {len(match.line)}"
        if match.watched and not match.result:
            state += ", paused" if self.session.mode.paused else f", {SPEEDS[self.session.speed]:g} s a move"
        self.query_one(TitleBar).show(self.heading, state, self.services.warmer.status)

    def show_status(self) -> None:
        session, match, table = self.session, self.match, self.table
        playable = session.mode.move_refusal is None
        if session.hints.sought:
            words: tuple[KeyWord, ...] = ()
        elif isinstance(table, RaceTable) and playable and session.main_seat != match.turn:
            words = (table.to_board(match.turn),)
        else:
            words = self._words(session.mode.offers)
        told = [key_words(*words)] if words else []
        if not words or (self._pointed is not None and playable):
            told.insert(0, Content(self.status()))
        # Where there is one line only, what a person points at goes first.
        self.query_one("#status", KeyWords).update(Content("\n").join(told), layout=False)

    def _words(self, offers: Offers) -> tuple[KeyWord, ...]:
        return tuple(key_word(name, word) for name, word in offers if self.refusal(name) is None)

    def status(self) -> str:
        match, mode = self.match, self.session.mode
        if self.session.hints.sought:
            return "Looking for a hint."
        if match.to_move not in (HUMAN, None) and mode.move_refusal is not None:
            return f"{match.game.sides[match.turn]} is thinking."
        if self._pointed is None:
            return self.board.advice()
        words = [f"{self._pointed}", self.board.describe(self._pointed)]
        if self.session.values_shown:
            analysis = match.analysis(self.session.judged) or []
            for verdict in (known.verdict for known in analysis if known.move == self._pointed):
                words.append(self.glyphs.verdict(verdict))
                after = mode.branch.play(self._pointed)
                if verdict.value is not None and after.outcome() is None:
                    rule = match.game.reasons.applying(after, verdict.value.reversed)
                    gives = "leaves" if verdict.value is Value.WIN else "gives them"
                    words += [f"{gives} {rule[0].shape}"] if rule else []
        return "  ".join(filter(None, words))

    def redraw(self) -> None:
        self.session.heed_coach()
        self.show()
        self.box.redraw()

    def on_board_play(self, message: Board.Play) -> None:
        mode = self.session.mode
        if self.box.skip() or message.position != message.board.view.position:
            return
        if mode.walked:
            mode.escape()
        elif mode.move_refusal is not None or not message.board.view.playable:
            self.notify(mode.move_refusal or NOT_YOUR_TURN)
        elif message.move is not None:
            self.services.has_played(self.match.game.name)
            self.session.play(message.move)

    def on_board_pointed(self, message: Board.Pointed) -> None:
        if message.board is self.board:
            self._pointed = message.move
            self.show_status()
            self.pointed()

    def pointed(self) -> None:
        """Another move is pointed at on the main board; for the panels of one game's own."""

    def on_ply_rows_jump(self, message: PlyRows.Jump) -> None:
        self.session.go_to(message.plies)
        self.board.focus()

    def refusal(self, action: str, *parameters: object) -> str | None:
        if action == "graph" and self.has_class("-tall"):
            return ""
        if (self.TEACHES and action in ("boxes", "laboratory")) or (self.TRAINS and action == "laboratory"):
            return None
        if action == "put_away" and (self.newcomer or self.box.revealing):
            return None
        if action == "write" and self.app.is_web:
            return None
        return ACTIONS[action].refusal(self.session) if action in ACTIONS else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        refusal = self.refusal(action, *parameters) if self.is_mounted else None
        # What is only a matter of waiting stays in the footer.
        return None if refusal == NOT_YOUR_TURN else refusal is None

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        if self.is_mounted and self.query(VerdictPanel):
            self.refresh_bindings()
            self.show()

    def action_leave(self) -> None:
        self.session.stop()
        self.services.remember(in_play="")
        super().action_leave()

    def commands(self) -> Iterable[SystemCommand]:
        yield from super().commands()
        for action in ACTIONS.values():
            if not action.keys and self.refusal(action.name) is None:
                yield SystemCommand(action.word, action.help, lambda name=action.name: self.run_later(name))


# What the screen itself does of the actions of a match: dialogs, panels, files.


def _values(screen: MatchScreen) -> None:
    session, match = screen.session, screen.match
    session.show_values()
    screen.show()
    if session.values_shown and not match.result and match.analysis(session.judged) is None:
        screen.notify("The values are shown when they are found.")


def _seats(screen: MatchScreen) -> None:
    from arcade.screens.dialogs import SeatsDialog

    def seated(seats: list[str] | None) -> None:
        if seats is not None:
            screen.session.sit(seats)

    screen.open(SeatsDialog(screen.match, screen.services.machines), seated)


def _coach(screen: MatchScreen) -> None:
    coach = screen.services.settings.coach.next
    screen.arcade.change("coach", coach.value)
    screen.notify(f"The coach {coach.summary}.")


def _review(screen: MatchScreen) -> None:
    screen.session.do("review")
    screen.board.focus()


def _source(screen: MatchScreen) -> None:
    screen.source_shown = not screen.source_shown
    screen.show_verdict()


def _other_board(screen: MatchScreen) -> None:
    assert isinstance(screen.table, RaceTable)
    screen.table.look_at_other()


def _type(screen: MatchScreen) -> None:
    from arcade.screens.dialogs import Prompt

    game, session, position = screen.match.game, screen.session, screen.session.mode.branch

    def check(text: str) -> None:
        position.play(game.parse_move(text, position))

    def typed(text: str | None) -> None:
        # Engines may have moved meanwhile.
        if text and session.mode.branch == position:
            screen.post_message(Board.Play(screen.board, game.parse_move(text, position)))

    moves = position.moves()
    screen.open(Prompt("Your move", f"for example {moves[len(moves) // 2]}", check), typed)


def _copy(screen: MatchScreen) -> None:
    result = screen.result_text()
    if result:
        screen.app.copy_to_clipboard(result)
        screen.notify("Your result is copied, with the map in coloured squares.")
        return
    drawing = str(screen.board.view.position).replace("}", ")")
    screen.app.copy_to_clipboard(f"{match_file.write(screen.match.record())}\n{{\n{drawing}\n}}\n")
    screen.notify("The match is copied as text; o opens it again.")


def _write(screen: MatchScreen) -> None:
    from arcade.screens.dialogs import Prompt

    def write(text: str) -> None:
        written = match_file.write(screen.match.record())
        screen.notify(screen.hand_over("the match", written, match_file.with_ending(text)))

    screen.open(Prompt("Write the match to a file", "for example mine.match", write))


def _resign(screen: MatchScreen) -> None:
    from arcade.screens.dialogs import confirm

    confirm(screen, "Resign this match?", lambda: screen.session.do("resign"))


def _put_away(screen: MatchScreen) -> None:
    if screen.box.skip():
        return
    if screen.session.mode.can_escape:
        screen.session.do("put_away")
    else:
        # Whoever puts the welcome away knows how to play.
        screen.services.has_played(screen.match.game.name)
        screen.show()


def _prove(screen: MatchScreen) -> None:
    from arcade.session.proof import SECONDS, prove

    screen.notify(f"The verdict is being proved again. This takes at most {SECONDS:.0f} seconds.")
    prove(screen.session, lambda text: screen.notify(text))


DONE_HERE: dict[str, Callable[[MatchScreen], object]] = {
    "new": lambda screen: rooms.choose_match(screen.app, screen.match.game, screen.match),
    "values": _values,
    "graph": lambda screen: screen.toggle_class("-graph"),
    "seats": _seats,
    "coach": _coach,
    "review": _review,
    "source": _source,
    "other_board": _other_board,
    "boxes": lambda screen: screen.box.open_boxes(),
    "laboratory": lambda screen: screen.box.open_laboratory(),
    "type": _type,
    "copy": _copy,
    "write": _write,
    "resign": _resign,
    "put_away": _put_away,
    "prove": _prove,
}


def _done_by_session(name: str) -> Callable[[MatchScreen], object]:
    return lambda screen: screen.session.do(name)


for name in ACTIONS:
    # Textual finds what a key does by the name of a method.
    setattr(MatchScreen, f"action_{name}", DONE_HERE.get(name) or _done_by_session(name))

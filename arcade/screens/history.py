"""The match history and the player's records."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import ClassVar

from rich.segment import Segment
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from arcade.engines.files import InputError, read_text
from arcade.engines.registry import game_names, get_game, installed_games, is_listed
from arcade.engines.wording import capitalize, matches, quantity
from arcade.play.exchange import export_matches, import_matches
from arcade.play.jobs import Job
from arcade.play.keymap import default_key
from arcade.play.path import LADDER
from arcade.screens.base import ArcadeScreen, report, reporting
from arcade.screens.dialogs import Prompt, confirm
from arcade.screens.navigation import OpenPuzzles, OpenSaved
from arcade.store.queries import Ending, Filter, MatchSummary, damaged_sentence, game_title
from arcade.store.record import HUMAN
from arcade.store.store import MAX_BYTES
from arcade.study.puzzles import PRACTICE, PuzzleChoice
from arcade.study.review import Level, catch_up
from arcade.study.statistics import GameStatistics, Section, level_sentence, sections, statistics
from arcade.widgets.forms import next_of
from arcade.widgets.glyphs import Glyphs, glyphs_of
from arcade.widgets.keys import Shortcut, Shortcuts, TitleBar, shortcut

PAGE = 100

UNREAD = "This match cannot be read."

Lines = Callable[[int, int], Sequence[MatchSummary | None]]
"""Function that reads matches, newest first. Its arguments are how many to skip and how many to read."""


def columns(match: MatchSummary, now: float) -> tuple[str, str, str, str]:
    alone = HUMAN not in match.seats or match.result is None
    how = "" if alone or match.unaided else "with help"
    return match.headline, match.opponents, how, match.saved_when(now)


class MatchRows(ScrollView, can_focus=True):
    DEFAULT_CSS = """
    MatchRows { height: 1fr; overflow-x: hidden; overflow-y: auto; background: $background; padding: 0 1; }
    MatchRows > .match-rows--cursor { background: $panel; }
    MatchRows:focus > .match-rows--cursor { background: $primary 30%; text-style: bold; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "go(-1)", "Up", show=False),
        Binding("down,j", "go(1)", "Down", show=False),
        Binding("pageup", "go_page(-1)", "Page up", show=False),
        Binding("pagedown", "go_page(1)", "Page down", show=False),
        Binding("home", "go_end(0)", "Newest", show=False),
        Binding("end", "go_end(1)", "Oldest", show=False),
        Binding("enter,space", "open", "Open", key_display="Enter", tooltip="Open the match to review it"),
    ]

    COMPONENT_CLASSES: ClassVar[set[str]] = {"match-rows--cursor"}

    class Opened(Message):
        pass

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.cursor = 0
        self._empty = ""
        self.missing = UNREAD
        self._page: Callable[[int], Sequence[MatchSummary | None]] = lambda page: ()

    def show(self, count: int, lines: Lines, empty: str) -> None:
        """Show `count` matches, which `lines` reads page by page."""
        self.count, self._empty, self.missing = count, empty, UNREAD
        self._page = cache(lambda page: lines(page * PAGE, PAGE))
        self.cursor = min(self.cursor, max(count - 1, 0))
        self.virtual_size = Size(self.scrollable_content_region.width, count)
        self._keep_in_sight()
        self.refresh()

    def on_resize(self) -> None:
        self.virtual_size = Size(self.scrollable_content_region.width, self.count)
        self._keep_in_sight()

    def match_at(self, line: int) -> MatchSummary | None:
        """Return the match on a line; None if the match is damaged or missing."""
        page, at = divmod(line, PAGE)
        matches = self._page(page) if 0 <= line < self.count else ()
        return matches[at] if at < len(matches) else None

    @property
    def chosen(self) -> MatchSummary | None:
        return self.match_at(self.cursor)

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        line = round(self.scroll_offset.y) + y
        base = self.rich_style
        if line >= self.count:
            return Strip([Segment(self._empty if line == 0 else "", base)]).adjust_cell_length(width, base)
        match = self.match_at(line)
        here = line == self.cursor
        style = self.get_component_rich_style("match-rows--cursor") if here else base
        pointer = glyphs_of(self.app).turn if here else " "
        told = self.missing
        if match is not None:
            first, second, third, last = columns(match, time.time())
            wide = max(width - 2 - 1 - 10 - 11, 20)
            left, right = wide * 3 // 5, wide - wide * 3 // 5
            told = f"{first:{left}.{left}} {second:{right}.{right}} {third:9.9} {last:>10}"
        return Strip([Segment(f"{pointer} {told}"[:width], style)]).adjust_cell_length(width, style)

    def _move(self, line: int) -> None:
        self.cursor = min(max(line, 0), max(self.count - 1, 0))
        self._keep_in_sight()
        self.refresh()

    def _keep_in_sight(self) -> None:
        self.scroll_to_region(Region(0, self.cursor, 1, 1), animate=False, force=True)

    def action_go(self, by: int) -> None:
        self._move(self.cursor + by)

    def action_go_page(self, by: int) -> None:
        self._move(self.cursor + by * max(self.size.height - 1, 1))

    def action_go_end(self, last: int) -> None:
        self._move(last * self.count)

    def action_open(self) -> None:
        if self.count:
            self.post_message(self.Opened())

    def on_click(self, event: events.Click) -> None:
        line = round(self.scroll_offset.y) + event.y
        if line >= self.count:
            return
        if line == self.cursor and self.has_focus:
            self.action_open()
        else:
            self._move(line)


class HistoryScreen(ArcadeScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(default_key("delete"), "delete", "Delete", tooltip="Delete the match", id="delete"),
        Binding(default_key("undo"), "restore", "Restore", tooltip="Restore a deleted match", id="undo"),
        Binding(
            default_key("export"),
            "export",
            "Export",
            tooltip="Write the listed matches to a file",
            id="export",
        ),
        Binding(default_key("open"), "import", "Import", tooltip="Read matches from a file", id="open"),
        Binding(
            default_key("only_game"),
            "game",
            "Game",
            show=False,
            tooltip="Only matches of one game",
            id="only_game",
        ),
        Binding(
            default_key("only_result"),
            "ended",
            "Result",
            show=False,
            tooltip="Only matches with one result",
            id="only_result",
        ),
        Binding(
            default_key("only_unaided"),
            "unaided",
            "Without help",
            show=False,
            tooltip="Only matches without help",
            id="only_unaided",
        ),
        Binding(
            default_key("search"),
            "search",
            "Search",
            show=False,
            tooltip="Find matches by words",
            id="search",
        ),
        Binding("escape", "all", "All", show=False, tooltip="Show all matches again, or go back"),
    ]

    AUTO_FOCUS = "MatchRows"
    ASKED: ClassVar[Mapping[str, str]] = {"file": "The import or export"}

    def __init__(self, wanted: Filter | None = None) -> None:
        super().__init__()
        self.wanted = wanted or Filter()

    def body(self) -> ComposeResult:
        yield Shortcuts(id="filters")
        yield Input(placeholder="words: game, size, players", compact=True, id="search")
        yield MatchRows()

    def on_screen_resume(self) -> None:
        self.read()

    @property
    def rows(self) -> MatchRows:
        return self.query_one(MatchRows)

    def read(self) -> None:
        if not self.alive:
            return
        wanted, store = self.wanted, self.services.store

        def lines(offset: int, limit: int) -> Sequence[MatchSummary | None]:
            try:
                return store.listed(wanted, limit, offset)
            except InputError as error:
                report(self.app, error)
                self.rows.missing = str(error)
                return ()

        chosen = wanted != Filter()
        count, empty = 0, "No match found. Press Esc to show all." if chosen else "No matches saved yet."
        try:
            count = store.count(wanted)
        except InputError as error:
            report(self.app, error)
            empty = str(error)
        self.rows.show(count, lines, empty)
        self._show_title()
        keys = self.keys
        self.query_one("#filters", Shortcuts).show(
            shortcut(keys, "only_game", f"game: {game_title(wanted.game) if wanted.game else 'any'}", "game"),
            shortcut(keys, "only_result", f"result: {wanted.ended or 'any'}", "ended"),
            shortcut(keys, "only_unaided", f"help: {'none' if wanted.unaided else 'any'}", "unaided"),
            shortcut(keys, "search", f"search: {wanted.text}" if wanted.text else "search"),
            *([Shortcut("Esc", "all", "all")] if chosen else []),
        )

    def _show_title(self, busy: str = "") -> None:
        self.query_one(TitleBar).show("Match history", matches(self.rows.count), busy)

    def _choose(self, wanted: Filter) -> None:
        self.wanted = wanted
        self.rows.cursor = 0
        self.read()

    def action_game(self) -> None:
        self._choose(replace(self.wanted, game=next_of(["", *game_names()], self.wanted.game, 1)))

    def action_ended(self) -> None:
        self._choose(replace(self.wanted, ended=next_of([None, *Ending], self.wanted.ended, 1)))

    def action_unaided(self) -> None:
        self._choose(replace(self.wanted, unaided=not self.wanted.unaided))

    def action_search(self) -> None:
        self.add_class("-searching")
        self.query_one("#search", Input).focus()

    @on(Input.Changed, "#search")
    def searched(self, event: Input.Changed) -> None:
        self._choose(replace(self.wanted, text=event.value.strip()))

    @on(Input.Submitted, "#search")
    def search_ended(self) -> None:
        self.rows.focus()

    def action_all(self) -> None:
        if self.wanted == Filter() and not self.has_class("-searching"):
            self.action_leave()
            return
        self.query_one("#search", Input).value = ""
        self.remove_class("-searching")
        self.rows.focus()
        self._choose(Filter())

    @on(MatchRows.Opened)
    def opened(self) -> None:
        listed = self.rows.chosen
        if listed is None:
            self.notify(f"The match cannot be opened. {self.rows.missing}", severity="warning")
            return
        with reporting(self.app):
            self.post_message(OpenSaved(self.services.store.match(listed.id)))

    def action_delete(self) -> None:
        listed = self.rows.chosen
        if listed is None:
            self.notify("There is no match to delete.", severity="warning")
            return

        def delete() -> None:
            with reporting(self.app):
                self.services.store.delete_matches([listed.id])
                self.notify(f"Match deleted. Press {self.keys.named('undo')} to restore it.")
            self.read()

        confirm(self, f"Delete {listed.headline} ({listed.opponents})?", delete)

    def action_restore(self) -> None:
        count = self.services.store.restore_matches()
        self.notify(f"Restored {matches(count)}." if count else "No deleted matches to restore.")
        self.read()

    def _ask(self, question: str, example: str, work: Callable[[Job, str], str]) -> None:
        if "file" in self.jobs.controls:
            self.notify("Another file is being read or written. Try again later.", severity="warning")
            return

        def typed(file: str) -> None:
            self._show_title("working")
            self.jobs.start("file", lambda job: job.tell(self._done, work(job, file)))

        self.open(Prompt(question, example), typed)

    def _done(self, told: str) -> None:
        self.jobs.drop("file")
        self.notify(told)
        self.read()

    def failed(self, error: BaseException) -> None:
        super().failed(error)
        self.read()

    def action_export(self) -> None:
        wanted = self.wanted
        if not self.rows.count:
            self.notify("No matches to export.", severity="warning")
            return

        def export(job: Job, file: str) -> str:
            with self.own_store(lambda: job.control.cancelled) as store:
                exported = store.matches(-1, wanted)
            if job.control.cancelled:
                return ""
            told = self.save_or_download(matches(len(exported)), export_matches(reversed(exported)), file)
            return f"{told} {damaged_sentence(exported.unreadable)}" if exported.unreadable else told

        self._ask(f"Write {matches(self.rows.count)} to which file?", "e.g. mine.match", export)

    def action_import(self) -> None:
        services = self.services

        def take(job: Job, file: str) -> str:
            text = read_text(file, "match file", MAX_BYTES)
            with self.own_store(lambda: job.control.cancelled) as store:
                new, known = import_matches(store, text, services.machines, lambda: job.control.cancelled)
            return f"Imported {matches(new)}{f'; {matches(known)} already saved' if known else ''}."

        self._ask("Read matches from which file?", "an exported file", take)


LINES_OF_RUNG = 2

BETWEEN = 10


def course(level: Level, width: int, mark: str) -> list[str]:
    axis = max(map(len, LADDER)) + 1
    rungs = [round(rung * LINES_OF_RUNG) for _, rung in level.course][-max(width - axis, 1) :]
    if len(rungs) < 2:
        return []
    lines = []
    for line in range(max(rungs), min(rungs) - 1, -1):
        name = "" if line % LINES_OF_RUNG else capitalize(LADDER[line // LINES_OF_RUNG])
        dots = "".join(mark if line == rung else " " for rung in rungs)
        lines.append(f"{name:{axis}}{dots}".rstrip())
    return lines


def between(level: Level, glyphs: Glyphs) -> str:
    low = min(int(level.rung), len(LADDER) - 2)
    at = round((level.rung - low) * BETWEEN)
    bar = glyphs.dot * at + glyphs.played + glyphs.dot * (BETWEEN - at)
    return f"{capitalize(LADDER[low])} {bar} {capitalize(LADDER[low + 1])}"


def table(section: Section, room: int) -> Content:
    columns, widths = section.columns
    while len(widths) > 2 and sum(widths) + 2 * len(widths) - 2 > room:
        widths.pop()
    drawn = []
    for number, (first, *rest) in enumerate(zip(*columns[: len(widths)], strict=True)):
        cells = "  ".join(f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True))
        named, told = ("", "") if number else ("bold", "$faint")
        drawn.append(Content.assemble((f"{first:{widths[0]}}", named), ("  " + cells, told)))
    return Content("\n").join(drawn)


def _in_short(records: GameStatistics) -> str:
    scores = [score.highest for score in records.every.scores.values() if score.highest is not None]
    if scores and not records.every.all.total:
        return quantity(max(scores), "point")
    return quantity(records.every.all.won, "win")


class RecordsScreen(ArcadeScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(default_key("search"), "matches", "History", tooltip="The matches of this game", id="search"),
        Binding(
            default_key("review"),
            "practise",
            "Practise",
            tooltip="Practise the rule of thumb that you miss most",
            id="review",
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.games: Sequence[GameStatistics] = ()

    def body(self) -> ComposeResult:
        with Horizontal():
            yield OptionList(id="games", markup=False)
            with VerticalScroll(id="told", can_focus=True):
                yield Static(markup=False)

    def on_screen_resume(self) -> None:
        self.show_title("reading your matches")
        self.jobs.start("records", self._read)

    def on_screen_suspend(self) -> None:
        self.jobs.stop()

    def _read(self, job: Job) -> None:
        services = self.services
        job.tell(self.list_games, statistics(services.store))
        with self.own_store(lambda: job.control.cancelled) as store:
            for game in installed_games():
                job.tell(self.show_title, f"looking at your latest matches of {game.title}")
                ready = partial(services.compiler.wait, game.name, job.control)
                if catch_up(store, game, services.machines, job.control, ready):
                    job.tell(self.list_games, statistics(store))
                if job.control.cancelled:
                    return
        job.tell(self._done)

    def _done(self) -> None:
        self.jobs.drop("records")
        self.show_title()

    def failed(self, error: BaseException) -> None:
        super().failed(error)
        self.show_title()

    def show_title(self, busy: str = "") -> None:
        count = sum(game.every.all.total for game in self.games)
        self.query_one(TitleBar).show("Your records", f"{matches(count)} against engines", busy)

    def list_games(self, games: Sequence[GameStatistics]) -> None:
        self.games = [game for game in games if is_listed(game.game) or not game.empty]
        lines = self.query_one("#games", OptionList)
        at = lines.highlighted
        lines.set_options(Option(f"{game.title}\n {_in_short(game)}", id=game.game) for game in self.games)
        if at is None:
            at = next((number for number, game in enumerate(self.games) if not game.empty), 0)
        lines.highlighted = at
        self.show()
        self.show_title()

    @property
    def chosen(self) -> GameStatistics | None:
        at = self.query_one("#games", OptionList).highlighted
        return self.games[at] if at is not None and at < len(self.games) else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return action != "practise" or bool(self.chosen and self.chosen.missed.rules)

    def action_practise(self) -> None:
        if self.chosen is not None and self.chosen.missed.rules:
            rule, _ = self.chosen.missed.rules[0]
            choice = PuzzleChoice(get_game(self.chosen.game), PRACTICE, rule=rule.id)
            self.post_message(OpenPuzzles(choice))

    @on(OptionList.OptionHighlighted, "#games")
    def show(self) -> None:
        chosen = self.chosen
        self.refresh_bindings()
        if chosen is None:
            return
        parts = [Content.styled(chosen.title, "bold $primary")]
        room = self.query_one("#told").scrollable_content_region.width
        if chosen.level is not None:
            said = [level_sentence(chosen.level), between(chosen.level, self.glyphs)]
            parts.append(Content("\n".join(said)))
            drawn = course(chosen.level, room, self.glyphs.played)
            if drawn:
                parts.append(Content("\n".join(["Level after each match:", *drawn])))
        parts.extend(table(section, room) for section in sections(chosen))
        if chosen.empty:
            parts.append(Content("No finished match of this game counts towards your level yet."))
        self.query_one("#told Static", Static).update(Content("\n\n").join(parts))

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self.show)

    @on(OptionList.OptionSelected, "#games")
    def action_matches(self) -> None:
        if self.chosen is not None:
            self.open(HistoryScreen(Filter(game=self.chosen.game)))

"""A list of any number of saved matches, of which only the lines in sight are read."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from rich.segment import Segment
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Input

from arcade.engines.files import InputError, read_text
from arcade.engines.registry import game_names
from arcade.engines.wording import matches
from arcade.match.record import HUMAN
from arcade.screens.base import ArcadeScreen
from arcade.screens.dialogs import Prompt, Question
from arcade.screens.requests import OpenSaved
from arcade.session.jobs import Job, Jobs
from arcade.store.exchange import MOST_BYTES, import_matches, write
from arcade.store.queries import Ending, Filter, MatchSummary, game_title, players, what, when
from arcade.widgets.glyphs import glyphs_of
from arcade.widgets.keys import KeyFooter, KeyWord, KeyWords, TitleBar

PAGE = 100
"""How many lines are read at once."""

Lines = Callable[[int, int], list[MatchSummary | None]]
"""Reads so many matches, after leaving out a number of the newest."""


def columns(match: MatchSummary, now: float) -> tuple[str, str, str, str]:
    """A match in four cells: what was played, against whom, how, and when."""
    sight = "" if match.sees is None else f"saw {match.sees}"
    alone = HUMAN not in match.seats or match.result is None
    how = "" if alone else sight if match.unaided else "with help"
    return what(match), players(match), how, when(match, now)


class MatchRows(ScrollView, can_focus=True):
    """The list, with a cursor."""

    DEFAULT_CSS = """
    MatchRows { height: 1fr; overflow-x: hidden; overflow-y: auto; background: $background; padding: 0 1; }
    MatchRows > .match-rows--cursor { background: $panel; }
    MatchRows:focus > .match-rows--cursor { background: $primary 30%; text-style: bold; }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"match-rows--cursor"}

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "go(-1)", "Up", show=False),
        Binding("down,j", "go(1)", "Down", show=False),
        Binding("pageup", "go_page(-1)", "Page up", show=False),
        Binding("pagedown", "go_page(1)", "Page down", show=False),
        Binding("home", "go_end(0)", "Newest", show=False),
        Binding("end", "go_end(1)", "Oldest", show=False),
        Binding("enter,space", "open", "Open", key_display="Enter", tooltip="Open the match to review it"),
    ]

    class Opened(Message):
        """A person wants to see the match under the cursor."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.count = 0
        self.cursor = 0
        """The line of the cursor, counted from the newest match."""
        self._empty = ""
        self._read: Lines | None = None
        self._pages: dict[int, list[MatchSummary | None]] = {}

    def show(self, count: int, lines: Lines, empty: str) -> None:
        """Show matches.

        Args:
            count: how many there are.
            lines: reads some of them.
            empty: what is said where there is none.
        """
        self.count, self._read, self._empty = count, lines, empty
        self._pages.clear()
        self.cursor = min(self.cursor, max(count - 1, 0))
        self.virtual_size = Size(self.scrollable_content_region.width, count)
        self._keep_in_sight()
        self.refresh()

    def on_resize(self) -> None:
        self.virtual_size = Size(self.scrollable_content_region.width, self.count)
        self._keep_in_sight()

    def match_at(self, line: int) -> MatchSummary | None:
        """The match of a line; None where it is damaged or there is none."""
        if self._read is None or not 0 <= line < self.count:
            return None
        page, at = divmod(line, PAGE)
        if page not in self._pages:
            self._pages[page] = self._read(page * PAGE, PAGE)
        found = self._pages[page]
        return found[at] if at < len(found) else None

    @property
    def chosen(self) -> MatchSummary | None:
        """The match under the cursor."""
        return self.match_at(self.cursor)

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        line = round(self.scroll_offset.y) + y
        base = self.rich_style
        if line >= self.count:
            return Strip([Segment(self._empty if line == 0 else "", base)]).adjust_cell_length(width, base)
        match = self.match_at(line)
        cells = ("This match is damaged.", "", "", "") if match is None else columns(match, time.time())
        here = line == self.cursor
        style = self.get_component_rich_style("match-rows--cursor") if here else base
        first, second, third, last = cells
        pointer = glyphs_of(self.app).turn if here else " "
        wide = max(width - 2 - 1 - 10 - 11, 20)
        left, right = wide * 3 // 5, wide - wide * 3 // 5
        text = f"{pointer} {first:{left}.{left}} {second:{right}.{right}} {third:9.9} {last:>10}"
        return Strip([Segment(text[:width], style)]).adjust_cell_length(width, style)

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
    """The list of all matches.

    Args:
        wanted: which matches to begin with.
    """

    CSS: ClassVar[str] = """
    HistoryScreen #search { margin: 0 1; background: $panel; display: none; }
    HistoryScreen #filters { padding: 0 1; }
    HistoryScreen.-searching #search { display: block; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d,delete", "delete", "Delete", key_display="d", tooltip="Delete the match"),
        Binding("u", "restore", "Undo", tooltip="Bring back what was deleted last"),
        Binding("e", "export", "Export", tooltip="Write the listed matches to a file"),
        Binding("i", "import", "Import", tooltip="Read matches from a file"),
        Binding("g", "game", "Game", show=False, tooltip="Only matches of one game"),
        Binding("r", "ended", "Result", show=False, tooltip="Only matches that ended so"),
        Binding("w", "unaided", "Without help", show=False, tooltip="Only matches without help"),
        Binding("slash", "search", "Search", show=False, key_display="/", tooltip="Find matches by words"),
        Binding("escape", "all", "All", show=False, tooltip="Show all matches again, or leave"),
    ]

    def __init__(self, wanted: Filter | None = None) -> None:
        super().__init__()
        self.wanted = wanted or Filter()
        self.jobs = Jobs(self, self._failed)

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield KeyWords(id="filters")
        yield Input(placeholder="words: game, size, players", compact=True, id="search")
        yield MatchRows()
        yield KeyFooter()

    def on_mount(self) -> None:
        self.rows.focus()

    def on_screen_resume(self) -> None:
        self.read()

    def redraw(self) -> None:
        self.rows.refresh()

    @property
    def rows(self) -> MatchRows:
        """The list."""
        return self.query_one(MatchRows)

    def read(self) -> None:
        """Read the list from the store."""
        if not self.is_mounted:
            return
        wanted, store = self.wanted, self.services.store
        count = 0

        def lines(offset: int, limit: int) -> list[MatchSummary | None]:
            found: list[MatchSummary | None] = []
            self._try(lambda: found.extend(store.listed(wanted, limit, offset)))
            return found

        def ask() -> None:
            nonlocal count
            count = store.count(wanted)

        self._try(ask)
        chosen = wanted != Filter()
        self.rows.show(count, lines, "There is no such match." if chosen else "No match is saved yet.")
        self._show_title()
        self.query_one("#filters", KeyWords).show(
            KeyWord("g", f"game: {game_title(wanted.game) if wanted.game else 'any'}", "game"),
            KeyWord("r", f"result: {wanted.ended or 'any'}", "ended"),
            KeyWord("w", f"help: {'none' if wanted.unaided else 'any'}", "unaided"),
            KeyWord("/", f"search: {wanted.text}" if wanted.text else "search", "search"),
            *([KeyWord("Esc", "all", "all")] if chosen else []),
        )

    def _show_title(self, busy: str = "") -> None:
        self.query_one(TitleBar).show("Your matches", matches(self.rows.count), busy)

    def _try(self, work: Callable[[], None]) -> bool:
        try:
            work()
        except InputError as error:
            self.notify(str(error), severity="error", timeout=10)
            return False
        return True

    def _choose(self, wanted: Filter) -> None:
        self.wanted = wanted
        self.rows.cursor = 0
        self.read()

    # Which matches.

    def action_game(self) -> None:
        names = ["", *game_names()]
        at = names.index(self.wanted.game) if self.wanted.game in names else 0
        self._choose(replace(self.wanted, game=names[(at + 1) % len(names)]))

    def action_ended(self) -> None:
        results = [None, *Ending]
        at = results.index(self.wanted.ended)
        self._choose(replace(self.wanted, ended=results[(at + 1) % len(results)]))

    def action_unaided(self) -> None:
        self._choose(replace(self.wanted, unaided=not self.wanted.unaided))

    def action_search(self) -> None:
        self.add_class("-searching")
        self.query_one("#search", Input).focus()

    @on(Input.Changed, "#search")
    def searched(self, event: Input.Changed) -> None:
        """The list follows what is typed."""
        self._choose(replace(self.wanted, text=event.value.strip()))

    @on(Input.Submitted, "#search")
    def found(self) -> None:
        """The keys go to the list again."""
        self.rows.focus()

    def action_all(self) -> None:
        if self.wanted == Filter() and not self.has_class("-searching"):
            self.action_leave()
            return
        self.query_one("#search", Input).value = ""
        self.remove_class("-searching")
        self.rows.focus()
        self._choose(Filter())

    # What can be done with them.

    @on(MatchRows.Opened)
    def opened(self) -> None:
        """Open the match under the cursor; a finished one to review it."""
        listed = self.rows.chosen
        if listed is None:
            self.notify("This match is damaged and cannot be opened.", severity="warning")
            return
        id = listed.id
        self._try(lambda: self._open(id))

    def _open(self, id: int) -> None:
        self.post_message(OpenSaved(self.services.store.match(id)))

    def action_delete(self) -> None:
        listed = self.rows.chosen
        if listed is None:
            self.notify("There is no match here that can be deleted.")
            return
        id = listed.id

        def answered(yes: bool | None) -> None:
            if yes and self._try(lambda: self.services.store.delete_matches([id])):
                self.notify("The match is deleted. u brings it back.")
            self.read()

        self.open(Question(f"Delete {what(listed)} ({players(listed)})?"), answered)

    def action_restore(self) -> None:
        def restore() -> None:
            count = self.services.store.restore_matches()
            back = "is" if count == 1 else "are"
            self.notify(f"{matches(count)} {back} back." if count else "Nothing is left to bring back.")

        self._try(restore)
        self.read()

    def _ask(self, question: str, example: str, work: Callable[[Job, str], str]) -> None:
        """Ask for a file, and do something with it in a job that ends with a sentence."""

        def typed(file: str | None) -> None:
            if file:
                self._show_title("working")
                self.jobs.start("file", lambda job: job.tell(self._done, work(job, file)))

        self.open(Prompt(question, example), typed)

    def _done(self, told: str) -> None:
        self.jobs.drop("file")
        self.notify(told)
        self.read()

    def _failed(self, error: BaseException) -> None:
        self.notify(
            str(error) if isinstance(error, InputError) else f"{error!r}", severity="error", timeout=10
        )
        self.read()

    def on_unmount(self) -> None:
        self.jobs.stop()

    def action_export(self) -> None:
        services, wanted = self.services, self.wanted

        def export(job: Job, file: str) -> str:
            with services.own_store() as store:
                found = store.matches(-1, wanted)
            return self.hand_over(matches(len(found)), write(found), file)

        self._ask(f"Write {matches(self.rows.count)} to which file?", "e.g. mine.match", export)

    def action_import(self) -> None:
        services = self.services

        def take(job: Job, file: str) -> str:
            text = read_text(os.path.expanduser(file), "file of matches", MOST_BYTES)
            with services.own_store() as store:
                new, known = import_matches(store, text, services.machines, lambda: job.control.cancelled)
            return f"Imported {matches(new)}{f', {known} were there already' if known else ''}."

        self._ask("Read matches from which file?", "an exported file", take)

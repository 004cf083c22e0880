"""A list of any number of saved matches, of which only the lines in sight are read."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from arcade.listing import Listed, players, what, when
from arcade.record import HUMAN
from arcade.widgets.glyphs import glyphs_of

PAGE = 100
"""How many lines are read at once."""

Lines = Callable[[int, int], list[Listed | None]]
"""Reads so many matches, after leaving out a number of the newest."""


def columns(match: Listed, now: float) -> tuple[str, str, str, str]:
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
        self._pages: dict[int, list[Listed | None]] = {}

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
        """The width decides how much of a match is shown."""
        self.virtual_size = Size(self.scrollable_content_region.width, self.count)
        self._keep_in_sight()

    def match_at(self, line: int) -> Listed | None:
        """The match of a line; None where it is damaged or there is none."""
        if self._read is None or not 0 <= line < self.count:
            return None
        page, at = divmod(line, PAGE)
        if page not in self._pages:
            self._pages[page] = self._read(page * PAGE, PAGE)
        found = self._pages[page]
        return found[at] if at < len(found) else None

    @property
    def chosen(self) -> Listed | None:
        """The match under the cursor."""
        return self.match_at(self.cursor)

    def render_line(self, y: int) -> Strip:
        """One line of the list."""
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
        """Move the cursor by some lines."""
        self._move(self.cursor + by)

    def action_go_page(self, by: int) -> None:
        """Move the cursor by a page."""
        self._move(self.cursor + by * max(self.size.height - 1, 1))

    def action_go_end(self, last: int) -> None:
        """Move the cursor to the newest or the oldest match."""
        self._move(last * self.count)

    def action_open(self) -> None:
        """Open the match under the cursor."""
        if self.count:
            self.post_message(self.Opened())

    def on_click(self, event: events.Click) -> None:
        """A click chooses a match; a click on the chosen one opens it."""
        line = round(self.scroll_offset.y) + event.y
        if line >= self.count:
            return
        if line == self.cursor and self.has_focus:
            self.action_open()
        else:
            self._move(line)

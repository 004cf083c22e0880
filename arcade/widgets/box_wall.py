"""The wall of boxes: every box of a machine as a small board with its beads, drawn line by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from arcade.engines.menace.rules import MARKS, TicTacToe
from arcade.engines.wording import amount
from arcade.matchbox import box as beads
from arcade.matchbox.box import Box
from arcade.matchbox.machine import AnyMachine
from arcade.widgets.beads import (
    bead_colour,
    bead_ground,
    dots,
    error_glyph,
    error_ground,
    error_percent,
)
from arcade.widgets.board import Drawn, arrows, ink

AnyBox = Box[Any, Any]

CELL = 4
"""Columns of a cell of a small tic-tac-toe board: a number of beads and a sign."""


@dataclass(frozen=True)
class _Row:
    """A row of the wall: the heading of a stage, or boxes side by side."""

    heading: str
    boxes: tuple[int, ...]
    """Indices into the list of the shown boxes."""


class BoxWall(Drawn, ScrollView, can_focus=True):
    """Boxes by stage; the cursor goes from box to box."""

    DEFAULT_CSS = "BoxWall { height: 1fr; overflow-x: hidden; overflow-y: auto; background: $background; }"

    BINDINGS: ClassVar[list[BindingType]] = [
        *arrows("go_row({})", "go({})"),
        Binding("pageup", "go_page(-1)", "Page up", show=False),
        Binding("pagedown", "go_page(1)", "Page down", show=False),
        Binding("home", "go_end(-1)", "First box", show=False),
        Binding("end", "go_end(1)", "Last box", show=False),
        Binding("enter,space", "open", "Open", key_display="Enter", tooltip="Open the box"),
    ]

    class Moved(Message):
        """Another box is under the cursor."""

    class Opened(Message):
        """A person wants to open the box under the cursor."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.machine: AnyMachine | None = None
        self.boxes: Sequence[AnyBox] = ()
        self.cursor = 0
        """The index of the chosen box in `boxes`."""
        self._in_play: int | None = None
        self._rows: list[_Row] = []
        self._lines: list[tuple[int, int]] = []
        """For every line of the wall, its row and its line within the row."""
        self._tops: list[int] = []
        """The first line of each row."""
        self._row_of: dict[int, int] = {}
        self._drawn: dict[int, list[list[Segment]]] = {}
        self._longest = 0

    @property
    def chosen(self) -> AnyBox | None:
        return self.boxes[self.cursor] if self.cursor < len(self.boxes) else None

    def show(
        self, machine: AnyMachine, boxes: Sequence[AnyBox], chosen: int | None, in_play: int | None
    ) -> None:
        """Show boxes of a machine, which come by stage; two of them are named by their index in the machine.

        The cursor goes to `chosen`, if it is among them; `in_play` is open in a match and gets a mark.
        """
        self.machine, self.boxes, self._in_play = machine, boxes, in_play
        self._longest = max(
            (len(str(move)) for box in machine.boxes.boxes for move in box.moves.values()), default=0
        )
        self.cursor = next((at for at, box in enumerate(boxes) if box.index == chosen), 0)
        self._lay_out()

    def redraw(self) -> None:
        self._lay_out()

    # Where things are.

    def _sizes(self) -> tuple[int, int]:
        """Columns and lines of a box on the wall, including gaps."""
        assert self.machine is not None
        if self._is_grid:
            return 3 * CELL + 1, 5
        boards = [self._board(box) for box in self.boxes] or [[""]]
        moves = max((len(box.moves) for box in self.boxes), default=0)
        columns = max(len(line) for board in boards for line in board) + self._longest + 9
        return max(columns, 15), max(len(boards[0]), moves) + 2

    @property
    def _is_grid(self) -> bool:
        assert self.machine is not None
        return isinstance(self.machine.boxes.boxes[0].position, TicTacToe)

    @staticmethod
    def _board(box: AnyBox) -> list[str]:
        """The board of another game, drawn from its notation row by row."""
        text: str = box.position.text()
        return text.partition(":")[0].split("/")

    def _lay_out(self) -> None:
        self._drawn.clear()
        self._rows, self._lines, self._tops, self._row_of = [], [], [], {}
        if self.machine is None or not self.size.width:
            return
        width, height = self._sizes()
        across = max((self.size.width - 1) // width, 1)
        stages: dict[int, list[int]] = {}
        for at, box in enumerate(self.boxes):
            stages.setdefault(box.stage, []).append(at)
        for stage, places in stages.items():
            self._add(_Row(f"Stage {stage}: {amount(len(places), 'box', 'boxes')}", ()), 1)
            for start in range(0, len(places), across):
                self._add(_Row("", tuple(places[start : start + across])), height)
        self.virtual_size = Size(self.size.width, len(self._lines))
        self._look_at_cursor()
        self.refresh()

    def _add(self, row: _Row, height: int) -> None:
        self._tops.append(len(self._lines))
        self._lines.extend((len(self._rows), line) for line in range(height))
        for at in row.boxes:
            self._row_of[at] = len(self._rows)
        self._rows.append(row)

    def on_resize(self) -> None:
        self._lay_out()

    def _look_at_cursor(self) -> None:
        if self.cursor not in self._row_of:
            return
        row = self._row_of[self.cursor]
        top = self._tops[row]
        if row and not self._rows[row - 1].boxes:
            # Include the heading above.
            top -= 1
        bottom = self._tops[row] + self._sizes()[1] - 1
        # Forced, because the scrollbar for newly listed boxes does not exist yet.
        if top < self.scroll_offset.y:
            self.scroll_to(y=top, animate=False, force=True)
        elif bottom > self.scroll_offset.y + self.size.height:
            self.scroll_to(y=bottom - self.size.height, animate=False, force=True)

    def _refresh_head(self, place: int) -> None:
        """Redraw a box's line of text; a scroll redraws everything by itself."""
        if place not in self._row_of:
            return
        row, width = self._row_of[place], self._sizes()[0]
        column = self._rows[row].boxes.index(place)
        self.refresh(Region(1 + column * width, self._tops[row] - self.scroll_offset.y, width, 1))

    # Drawing.

    def render_line(self, y: int) -> Strip:
        base = self.rich_style
        at = y + self.scroll_offset.y
        if at >= len(self._lines):
            text = "No box passes the filter." if not self._lines and y == 1 and self.machine else ""
            return self.filled([Segment(f" {text}", base)])
        row, line = self._lines[at]
        if not self._rows[row].boxes:
            heading = ink(self.colour("primary"), base.bgcolor, True)
            return self.filled([Segment(f" {self._rows[row].heading}", heading)])
        segments = [Segment(" ", base)]
        for place in self._rows[row].boxes:
            tile = self._drawn.get(place)
            if tile is None:
                tile = self._drawn[place] = self._draw(place)
            segments.extend(tile[line])
        return self.filled(segments)

    def _draw(self, place: int) -> list[list[Segment]]:
        """A box: a line of words, its board, and gaps to the right and below."""
        machine, box = self.machine, self.boxes[place]
        assert machine is not None
        base = self.rich_style.bgcolor
        word = machine.beads[box.index]
        error = machine.boxes.error(box, word)
        width, height = self._sizes()
        chosen = place == self.cursor
        glyphs = self.glyphs
        number = f"{box.index + 1}".rjust(len(str(len(machine.boxes.boxes))))
        pointer = glyphs.turn if chosen else glyphs.played if box.index == self._in_play else " "
        shade = error_ground(error, self.colour("win"), self.colour("loss"), self.colour("background"))
        words = f"{pointer}{number}"
        sign = f" {error_glyph(error, glyphs)}{error_percent(error)} "
        body = width - 1
        front = self.colour("foreground")
        head = [
            Segment(
                words.ljust(body - len(sign)),
                ink(self.colour("background"), self.colour("primary"), True)
                if chosen
                else ink(self.colour("faint"), base),
            ),
            Segment(sign, ink(front, shade, True)),
            Segment(" ", ink(None, base)),
        ]
        keeping = machine.boxes.graph.keeping(box.position)
        if self._is_grid:
            lines = self._grid(box, word, keeping)
        else:
            lines = self._listed(box, word, keeping, body, height - 2)
        gap = [Segment(" ", ink(None, base))]
        return [head, *([*line, *gap] for line in lines), [Segment(" " * width, ink(None, base))]]

    def _grid(self, box: AnyBox, word: int, keeping: set[Any]) -> list[list[Segment]]:
        position = box.position
        assert isinstance(position, TicTacToe)
        total = beads.total(word) or 1
        panel, dark = self.colour("panel"), self.dark
        lines = []
        for row in range(3):
            line = []
            for column in range(3):
                at = 3 * row + column
                mark = position.board >> 2 * at & 3
                if mark:
                    colour = self.colour("primary" if mark == 1 else "secondary")
                    line.append(Segment(f"  {MARKS[mark]} ", ink(colour, panel, True)))
                elif at not in box.moves:
                    line.append(Segment(f"  {self.glyphs.dot} ", ink(self.colour("faint"), panel)))
                else:
                    count = beads.count(word, at)
                    sign = " " if box.moves[at] in keeping or not count else self.glyphs.threw
                    ground = bead_ground(count / total, bead_colour(at, dark), panel)
                    front = self.colour("foreground" if count else "faint")
                    line.append(Segment(f"{count:>3}", ink(front, ground, count > 0)))
                    line.append(Segment(sign, ink(self.colour("foreground"), ground, True)))
            lines.append(line)
        return lines

    def _listed(
        self, box: AnyBox, word: int, keeping: set[Any], width: int, height: int
    ) -> list[list[Segment]]:
        board = self._board(box)
        total = beads.total(word) or 1
        panel, dark = self.colour("panel"), self.dark
        moves = list(box.moves.items())
        wide = max(len(line) for line in board)
        lines = []
        for at in range(height):
            text = board[at] if at < len(board) else ""
            line = [Segment(f"{text:<{wide}} ", ink(self.colour("foreground"), panel, True))]
            left = width - wide - 1
            if at < len(moves):
                slot, move = moves[at]
                count = beads.count(word, slot)
                sign = " " if move in keeping or not count else self.glyphs.threw
                ground = bead_ground(count / total, bead_colour(slot, dark), panel)
                words = f"{move!s:<{self._longest}} {count:>3}{sign}"
                line.append(Segment(dots(1, self.glyphs), ink(bead_colour(slot, dark), panel, True)))
                line.append(Segment(words.rjust(left - 1), ink(self.colour("foreground"), ground)))
            else:
                line.append(Segment(" " * left, ink(None, panel)))
            lines.append(line)
        return lines

    # A person's hands.

    def choose(self, place: int) -> None:
        if not self.boxes:
            return
        old, self.cursor = self.cursor, min(max(place, 0), len(self.boxes) - 1)
        for changed in (old, self.cursor):
            self._drawn.pop(changed, None)
            self._refresh_head(changed)
        self._look_at_cursor()
        self.post_message(self.Moved())

    def action_go(self, by: int) -> None:
        self.choose(self.cursor + by)

    def action_go_row(self, by: int) -> None:
        if self.cursor not in self._row_of:
            return
        row = self._row_of[self.cursor]
        column = self._rows[row].boxes.index(self.cursor)
        row += by
        while 0 <= row < len(self._rows) and not self._rows[row].boxes:
            row += by
        if 0 <= row < len(self._rows):
            boxes = self._rows[row].boxes
            self.choose(boxes[min(column, len(boxes) - 1)])

    def action_go_page(self, by: int) -> None:
        if self.machine is not None:
            for _ in range(max(self.size.height // self._sizes()[1], 1)):
                self.action_go_row(by)

    def action_go_end(self, by: int) -> None:
        self.choose(0 if by < 0 else len(self.boxes) - 1)

    def action_open(self) -> None:
        if self.chosen is not None:
            self.post_message(self.Opened())

    def on_click(self, event: events.Click) -> None:
        at = event.y + self.scroll_offset.y
        if self.machine is None or at >= len(self._lines):
            return
        boxes = self._rows[self._lines[at][0]].boxes
        column = (event.x - 1) // self._sizes()[0]
        if event.x < 1 or column >= len(boxes):
            return
        if boxes[column] == self.cursor:
            self.action_open()
        else:
            self.choose(boxes[column])

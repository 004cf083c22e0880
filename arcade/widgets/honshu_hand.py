"""Honshu's hand: the tiles that are still to be placed; a click takes one, a second click turns it."""

from __future__ import annotations

from rich.segment import Segment
from textual import events
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from arcade.engines.honshu.tiles import COLUMNS, ROWS
from arcade.widgets.board import ink
from arcade.widgets.honshu_map import HonshuMap, held_face, resting_face
from arcade.widgets.terrain import draw_face


class Hand(Widget):
    """The tiles in rows, each under its number, as large as the lines allow that the screen grants.

    A tile keeps its place when others are laid.
    """

    CELL_SIZES = ((6, 3), (4, 2), (2, 1), (1, 1))
    """Columns and lines of a cell of a tile, the largest first."""

    DEFAULT_CSS = """
    Hand { width: 1fr; height: auto; }
    """

    _board: HonshuMap | None = None

    def __init__(self, lines: int = 9, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines = lines
        self._cell = self.CELL_SIZES[-1]

    def show(self, board: HonshuMap, lines: int | None = None) -> None:
        """Show the hand of a board, in at most so many lines if that can be."""
        self._board = board
        self._lines = lines or self._lines
        before = self._cell, self.size.height
        if self._height(self.size.width) != before[1] or self._cell != before[0]:
            self.refresh(layout=True)
        else:
            self.refresh()

    @property
    def count(self) -> int:
        """How many tiles there is room for: as many as were dealt, so that the height stays."""
        return len(self._board.position.tiles) if self._board else 0

    # Where things are.

    @staticmethod
    def _slot(cell: tuple[int, int]) -> tuple[int, int]:
        """Columns and lines of a tile with the gap beside it and the number above it."""
        return COLUMNS * cell[0] + (1 if cell[0] < 4 else 2), ROWS * cell[1] + 1

    def _per_row(self, cell: tuple[int, int], width: int) -> int:
        """Tiles in a row: as few as the rows that they take allow, so that none stands alone below."""
        most = max(1, (width + 1) // self._slot(cell)[0])
        rows = max(1, -(-self.count // most))
        return max(1, -(-self.count // rows))

    def height_with(self, cell: tuple[int, int], width: int) -> int:
        """The lines that the hand takes with cells of that size."""
        rows = -(-self.count // self._per_row(cell, width))
        return rows * self._slot(cell)[1]

    def _height(self, width: int) -> int:
        fitting = (cell for cell in self.CELL_SIZES if self.height_with(cell, width) <= self._lines)
        self._cell = next(fitting, self.CELL_SIZES[-1])
        return self.height_with(self._cell, width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the tiles take."""
        return self._height(width)

    def index_at(self, x: int, y: int) -> int | None:
        """The index in the hand of the tile at a place; None where there is none."""
        width, height = self._slot(self._cell)
        per_row = self._per_row(self._cell, self.size.width)
        column = x // width
        return self._held(y // height * per_row + column) if column < per_row else None

    def _held(self, slot: int) -> int | None:
        """The index in the hand of the tile that was dealt in this place; None once it is laid."""
        held = self._board.position.held if self._board else ()
        return sum(held[:slot]) if 0 <= slot < len(held) and held[slot] else None

    # Drawing.

    def render_line(self, y: int) -> Strip:
        """One line of the widget."""
        segments: list[Segment] = []
        if self._board is not None:
            width, height = self._slot(self._cell)
            per_row = self._per_row(self._cell, self.size.width)
            row, line = divmod(y, height)
            for slot in range(row * per_row, (row + 1) * per_row):
                index = self._held(slot)
                drawn = 0 if index is None else COLUMNS * self._cell[0]
                if index is not None:
                    segments.extend(self._tile(self._board, index, line))
                segments.append(Segment(" " * (width - drawn), self.rich_style))
        return Strip(segments).adjust_cell_length(self.size.width, self.rich_style)

    def _tile(self, board: HonshuMap, index: int, line: int) -> list[Segment]:
        tile = board.position.hand[index]
        held = index == board.index
        columns, lines = self._cell
        if line == 0:
            label = f"{board.glyphs.turn if held else ''}{tile.id}"
            # In the narrowest slots the number matters more than the pointer.
            label = label if len(label) <= COLUMNS * columns else f"{tile.id}"
            colour = board.colour("primary" if held else "faint")
            return [
                Segment(
                    label.ljust(COLUMNS * columns)[: COLUMNS * columns],
                    ink(colour, self.rich_style.bgcolor, held, held),
                )
            ]
        row, part = divmod(line - 1, lines)
        segments: list[Segment] = []
        for letter in tile.rotated(0)[row]:
            face = held_face(letter) if held else resting_face(letter)
            segments.extend(draw_face(face, columns, lines, board.glyphs)[part])
        return segments

    # A person's hands.

    def on_click(self, event: events.Click) -> None:
        """A click takes a tile; on the one that is held, and with the right button, it turns it."""
        index = self.index_at(event.x, event.y)
        if self._board is not None and index is not None:
            if event.button == 3 or index == self._board.index:
                self._board.action_rotate(1)
            else:
                self._board.take(index)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel turns the tile that is held."""
        event.stop()
        self._turn()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel turns the tile that is held."""
        event.stop()
        self._turn()

    def _turn(self) -> None:
        if self._board is not None:
            self._board.action_rotate(1)

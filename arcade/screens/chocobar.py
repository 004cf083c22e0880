"""Chocobar's board: a bar of chocolate."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.segment import Segment

from arcade.engines.chocobar.rules import Bar, Bite
from arcade.engines.verdict import MoveVerdict, Value
from arcade.screens.match import MatchScreen
from arcade.widgets.board import BoardView, Cell, CellLines, GridBoard, ink
from arcade.widgets.glyphs import ASCII

# A square is lit from the top left: a bright upper edge, a dark groove at its right.
LIGHT, BODY, SHADE, GROOVE = "#86542e", "#7a4a27", "#6c4021", "#46290f"
POISON_LIGHT, POISON_BODY, POISON_SHADE = "#6f8a3d", "#587030", "#475b26"
BITTEN_LIGHT, BITTEN_BODY, BITTEN_SHADE = "#c9a27e", "#b58b66", "#a27a57"
CREAM = "#fff3df"
DARK = "#1a0e05"

VALUE_GROUND = {Value.WIN: "#2f7d3b"}
"""What a square's sign stands on in the overlay; a losing bite keeps the chocolate."""
BEST_GROUND = "#45a855"
HINT_GROUND = "#e3a857"


class ChocobarBoard(GridBoard):
    """The bar; the squares that the bite under the cursor would eat are shown bitten."""

    CELL_SIZES: ClassVar[tuple[tuple[int, int], ...]] = ((8, 4), (6, 3), (4, 2), (3, 1), (2, 1))

    def __init__(self, view: BoardView, *, id: str | None = None, small: bool = False) -> None:
        super().__init__(view, id=id, small=small)
        self._values: dict[Cell, MoveVerdict[Any]] = {}
        self._bitten_from: Cell | None = None

    @property
    def _bar(self) -> Bar:
        assert isinstance(self.view.position, Bar)
        return self.view.position

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the bar that the match began with."""
        first = self.view.first
        assert isinstance(first, Bar)
        return len(first.rows), first.rows[0]

    def _left(self, row: int, column: int) -> bool:
        return row < len(self._bar.rows) and column < self._bar.rows[row]

    def move_at(self, cell: Cell) -> Bite | None:
        """The bite at a square, if there is chocolate and it is not the poison."""
        return Bite(cell[0] + 1, cell[1] + 1) if cell != (0, 0) and self._left(*cell) else None

    def chosen(self, cell: Cell) -> None:
        """Bite."""
        move = self.move_at(cell)
        if move is not None:
            self.post_message(self.Play(self, move))
        elif cell == (0, 0):
            self.app.notify("That square is poisoned.")

    def describe(self, move: Any) -> str:
        """How much the bite eats and leaves."""
        after = sum(self._bar.play(move).rows)
        return f"eats {sum(self._bar.rows) - after}, leaves {after}"

    def update(self) -> None:
        """Draw what has changed."""
        self._values = {(each.move.row - 1, each.move.column - 1): each for each in self.view.values}
        pointed = self.view.playable and self.has_focus and self.move_at(self.cursor) is not None
        self._bitten_from = self.cursor if pointed else None
        super().update()

    def draw(self, row: int, column: int, width: int, height: int) -> CellLines:
        """A square: chocolate, poison, about to be bitten, or gone."""
        if not self._left(row, column):
            crumb = ink(self.colour("panel"), self.rich_style.bgcolor)
            dot = self.glyphs.dot.center(width)
            return [
                [Segment(dot if line == (height - 1) // 2 else " " * width, crumb)] for line in range(height)
            ]
        bite_from = self._bitten_from
        bitten = bite_from is not None and row >= bite_from[0] and column >= bite_from[1]
        hinted = self.view.hinted == Bite(row + 1, column + 1)
        tones = self._tones(row, column, height, bitten)
        texts = self._texts(row, column, width, height, bitten, hinted)
        value = self._values.get((row, column))
        face = width - 1 if height > 1 else width
        lines = []
        for line in range(height):
            text, bold = texts.get(line, ("", False))
            ground, colour = tones[line], DARK if bitten else CREAM
            if hinted:
                ground, colour = HINT_GROUND, DARK
            elif value is not None and value.verdict.value in VALUE_GROUND and text:
                ground = BEST_GROUND if value.best else VALUE_GROUND[value.verdict.value]
                colour = DARK if value.best else CREAM
            # The underline is the groove below a square; only an empty line can show it.
            groove = line == height - 1 and height > 1 and not text
            shown = ink(GROOVE if groove else colour, ground, bold, groove)
            segments = [Segment(text.center(face)[:face], shown)]
            if face < width:
                segments.append(Segment(" " * (width - face), ink(None, GROOVE)))
            lines.append(segments)
        return lines

    @staticmethod
    def _tones(row: int, column: int, height: int, bitten: bool) -> list[str]:
        if (row, column) == (0, 0):
            light, body, shade = POISON_LIGHT, POISON_BODY, POISON_SHADE
        elif bitten:
            light, body, shade = BITTEN_LIGHT, BITTEN_BODY, BITTEN_SHADE
        else:
            light, body, shade = LIGHT, BODY, SHADE
        if height == 1:
            # Too small for edges: neighbouring squares differ in shade instead.
            return [light if (row + column) % 2 else body]
        return [light, *[body] * (height - 2), shade]

    def _texts(
        self, row: int, column: int, width: int, height: int, bitten: bool, hinted: bool
    ) -> dict[int, tuple[str, bool]]:
        """What is written on a square: for a line its text and whether it is bold."""
        middle = (height - 1) // 2
        if (row, column) == (0, 0):
            if height == 1:
                return {0: ("XX", True)}
            upper, lower = ("\\/", "/\\") if self.glyphs is ASCII else ("▚▞", "▞▚")
            return {middle: (upper, True), middle + 1: (lower, True)}
        value = self._values.get((row, column))
        if value is not None:
            text = self.glyphs.verdict(value.verdict)
            if len(text) > (width if height == 1 else width - 1):
                text = self.glyphs.value(value.verdict.value)
            return {middle: (text, value.best)}
        if hinted:
            return {middle: (self.glyphs.turn, True)}
        if (row, column) == self._bitten_from:
            return {middle: (self.glyphs.threw, True)}
        if bitten:
            return {middle: (self.glyphs.hatch * max(width - 3, 1), False)}
        return {}

    def picture(self) -> str:
        """The bar as text: X the poison, # chocolate, . eaten."""
        rows, columns = self.shape
        lines = []
        for row in range(rows):
            squares = ["#" if self._left(row, column) else "." for column in range(columns)]
            if row == 0:
                squares[0] = "X"
            lines.append(" ".join(squares))
        return "\n".join(lines)


class ChocobarScreen(MatchScreen):
    """A match of Chocobar."""

    BOARD = ChocobarBoard

"""The board of tic-tac-toe, with marks made of quarter blocks."""

import math
from functools import lru_cache
from typing import Any

from rich.color import Color
from rich.segment import Segment
from textual.reactive import reactive

from arcade.engines.menace.rules import MARKS, O, TicTacToe, X, mark_at
from arcade.engines.menace.rules import Cell as Move
from arcade.play.scene import Cell
from arcade.widgets.board import (
    MISSED,
    MISTAKE,
    CellLines,
    EndFrame,
    GridBoard,
    bead_colour,
    ink,
    joined,
    mixed,
    worded,
)
from arcade.widgets.glyphs import ASCII, dots, value_colour

FULL = "#"


def _thickness(size: int) -> int:
    return size // 3 if size >= 6 else 0


@lru_cache
def cross(size: int, plain: bool) -> tuple[str, ...]:
    if size == 1:
        return ("X",)
    inner = FULL * _thickness(size)
    falling, rising = (f"\\\\{inner}", f"{inner}//") if plain else (f"▜{inner}▙", f"▟{inner}▛")
    lines = []
    for line in range(size):
        row = [" "] * (2 * size + len(inner))
        for start, stroke in ((2 * line, falling), (2 * (size - 1 - line), rising)):
            for column, piece in enumerate(stroke, start):
                row[column] = piece if row[column] == " " else FULL
        lines.append("".join(row))
    return tuple(line.replace(FULL, "X") if plain else line for line in lines)


def _half_width(height: float, tall: float, wide: float) -> int:
    return round(wide * math.sqrt(1 - (height / tall) ** 2)) if abs(height) < tall else 0


@lru_cache
def nought(size: int, plain: bool) -> tuple[str, ...]:
    if size == 1:
        return ("O",)
    thick = _thickness(size)
    width, side = 2 * size + thick, 2 + thick // 2
    lines = []
    for line in range(size):
        # A ring between two ellipses: lines are two units high, columns one wide.
        height = 2 * line + 1 - size
        outer = _half_width(height, size, width / 2)
        hole = min(_half_width(height, size - 2 - bool(thick) / 2, width / 2 - side), outer - 1)
        wall = FULL * (outer - max(hole, 0) - 1)
        left, right = ("▟", "▙") if height < 0 else ("▜", "▛")
        if 0 < line < size - 1 and 2 * outer == width:
            left = right = FULL
        elif plain:
            left = right = " "
        ring = f"{left}{wall}{'  ' * max(hole, 0)}{wall}{right}"
        lines.append(ring.center(width))
    return tuple(line.replace(FULL, "O") if plain else line for line in lines)


LITTLE = {True: {X: ("\\/", "/\\"), O: ("/\\", "\\/")}, False: {X: ("▚▞", "▞▚"), O: ("▞▚", "▚▞")}}

PLACED = {12: 8, 11: 8, 10: 6, 9: 6, 8: 6, 7: 4, 6: 4, 5: 3, 4: 2, 3: 3}


def mark_lines(mark: int, width: int, height: int, plain: bool) -> list[str]:
    if height == 1 or width < 3:
        drawn: tuple[str, ...] = (MARKS[mark],)
    elif height == 2 or (height == 3 and width < 8):
        drawn = LITTLE[plain][mark]
    else:
        drawn = (cross if mark == X else nought)(PLACED.get(height, height // 3 * 2), plain)
    above = (height - len(drawn)) // 2
    left = (width - len(drawn[0])) // 2
    lines = [" " * width] * height
    for number, text in enumerate(drawn):
        lines[above + number] = (" " * left + text).ljust(width)
    return lines


def paint(text: str, colour: Color | None, ground: Color | None, bold: bool = False) -> list[Segment]:
    full, drawn = ink(None, colour), ink(colour, ground, bold)
    return joined((" ", full) if character == FULL else (character, drawn) for character in text)


class TicTacToeBoard(GridBoard[TicTacToe]):
    CELL_SIZES = ((12, 6), (10, 5), (8, 4), (6, 3), (6, 2), (4, 2), (3, 1))
    RIM_BELOW = True

    cursor: reactive[Cell] = reactive((1, 1), repaint=False)

    @property
    def shape(self) -> tuple[int, int]:
        return 3, 3

    def row_label(self, row: int) -> str:
        return str(3 - row)

    def column_label(self, column: int) -> str:
        return "abc"[column]

    def move_at(self, cell: Cell) -> Move | None:
        at = 3 * cell[0] + cell[1]
        return None if mark_at(self.position.board, at) or self.position.outcome() else Move(at)

    def preview_move(self, move: Any) -> None:
        self.cursor = divmod(move.index, 3)

    def chosen(self, cell: Cell) -> None:
        move = self.move_at(cell)
        if move is None and self.position.outcome() is None:
            self.app.notify("This cell is taken. Choose another.", severity="warning")
        else:
            self.post_message(self.Play(self, move))

    def describe(self, move: Any) -> str:
        return "completes a line" if self.position.play(move).line() is not None else ""

    def end_frames(self) -> list[EndFrame]:
        line = [divmod(at, 3) for at in self.position.line() or ()]
        return [EndFrame(frozenset(line[:count])) for count in range(1, len(line) + 1)]

    def draw(self, row: int, column: int, width: int, height: int) -> CellLines:
        at = 3 * row + column
        plain = self.glyphs is ASCII
        mark = mark_at(self.position.board, at)
        ground = self.colour("panel" if (row + column) % 2 == 0 else "surface")
        lit = self.view.squares
        line = [each for each in self.position.line() or () if not lit or divmod(each, 3) in lit]
        pointed = self.cursor == (row, column) and self.cursor_shown and self.view.playable
        if mark:
            colour = self.colour("primary" if mark == X else "secondary")
            if at in line:
                ground, colour = colour, self.colour("background")
            elif self.view.last == Move(at) and self.view.mistake:
                ground, colour = Color.parse(MISTAKE), self.colour("background")
            elif self.view.last == Move(at) and not self.small:
                ground = self.colour("panel-lighten-1" if self.dark else "panel-darken-1")
            texts = mark_lines(mark, width, height, plain)
            wrong = self.view.mistake and self.view.last == Move(at)
            if (at in line or wrong) and height > 2 and texts[0][0] == " ":
                # A sign marks these cells even without colours.
                texts[0] = (self.glyphs.threw if wrong else self.glyphs.turn) + texts[0][1:]
            return [paint(text, colour, ground, True) for text in texts]
        if self.view.hinted == Move(at):
            if self.view.missed:
                style, sign = ink("#10240f", MISSED, True), self.glyphs.only
            else:
                ground = mixed(self.colour("primary"), ground, 0.6)
                style, sign = ink(self.colour("foreground"), ground, True), self.glyphs.turn
            return worded(f"{sign} {Move(at)}"[:width], style, width, height)
        value = self.view.verdicts.get(Move(at))
        if pointed:
            ground = self.colour("panel-lighten-2" if self.dark else "panel-darken-2")
        if value is not None:
            text = self.value_text(value) + "*" * value.best
            text = f"[{text}]" if pointed and len(text) + 2 <= width else text
            colour = self.colour(value_colour(value.verdict.value))
            return worded(text[:width], ink(colour, ground, True), width, height)
        if pointed and self.move_at((row, column)) is not None:
            texts = mark_lines((O, X)[self.position.turn == 0], width, height, plain)
            texts[(height - 1) // 2] = f"[{texts[(height - 1) // 2][1:-1]}]"
            return [paint(text, self.colour("faint"), ground) for text in texts]
        if self.small:
            return worded(dots(1, self.glyphs), ink(bead_colour(at, self.dark), ground, True), width, height)
        dot = self.glyphs.dot if pointed else " "
        return worded(dot, ink(self.colour("faint"), ground, True), width, height)

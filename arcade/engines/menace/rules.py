"""The rules of tic-tac-toe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arcade.engines.position import Outcome, Position

# A board is one integer of 18 bits, two for each cell:  00 empty, 01 X, 10 O.
#
#      0 | 1 | 2         a3 | b3 | c3
#     ---+---+---       ----+----+----          bit  17 16 | 15 14 | ... | 3 2 | 1 0
#      3 | 4 | 5         a2 | b2 | c2           cell   8   |   7   | ... |  1  |  0
#     ---+---+---       ----+----+----
#      6 | 7 | 8         a1 | b1 | c1

CELLS = 9
EMPTY, X, O = 0, 1, 2  # noqa: E741 - the mark is called O
MARKS = ".XO"

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

_X_LINES = tuple((sum(X << 2 * cell for cell in line), line) for line in LINES)
_O_LINES = tuple((sum(O << 2 * cell for cell in line), line) for line in LINES)
_THREATS = {
    mark: tuple(
        (
            sum(3 << 2 * cell for cell in line),
            {sum(mark << 2 * cell for cell in line if cell != free): free for free in line},
        )
        for line in LINES
    )
    for mark in (X, O)
}
"""For each mark and line: the line's bits, and the free cell for each pattern of two marks on the line."""
_ROWS = tuple("".join(MARKS[min(row >> 2 * cell & 3, O)] for cell in range(3)) for row in range(64))
_X_BITS = sum(X << 2 * cell for cell in range(CELLS))

SYMMETRIES: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("as it is", (0, 1, 2, 3, 4, 5, 6, 7, 8)),
    ("turned right", (2, 5, 8, 1, 4, 7, 0, 3, 6)),
    ("turned upside down", (8, 7, 6, 5, 4, 3, 2, 1, 0)),
    ("turned left", (6, 3, 0, 7, 4, 1, 8, 5, 2)),
    ("mirrored left to right", (2, 1, 0, 5, 4, 3, 8, 7, 6)),
    ("mirrored top to bottom", (6, 7, 8, 3, 4, 5, 0, 1, 2)),
    ("mirrored on a3-c1", (0, 3, 6, 1, 4, 7, 2, 5, 8)),
    ("mirrored on a1-c3", (8, 5, 2, 7, 4, 1, 6, 3, 0)),
)


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """A cell, numbered 0 to 8 from the top left."""

    index: int

    def __str__(self) -> str:
        return "abc"[self.index % 3] + "321"[self.index // 3]


_CELLS = tuple(Cell(index) for index in range(CELLS))
CELL_OF = {str(cell): cell for cell in _CELLS}


def mark_at(board: int, cell: int) -> int:
    """Return the mark in a cell (0 to 8): `EMPTY`, `X` or `O`."""
    return board >> 2 * cell & 3


@dataclass(frozen=True, slots=True)
class TicTacToe(Position[Cell]):
    """A board and the side to move, which follows from the board."""

    board: int
    turn: int

    def moves(self) -> Sequence[Cell]:
        if self.line() is not None:
            return ()
        return [cell for cell in _CELLS if not mark_at(self.board, cell.index)]

    def play(self, move: Cell) -> TicTacToe:
        if not 0 <= move.index < CELLS:
            raise ValueError("The cell is not on the board, which has the cells a1 to c3.")
        if mark_at(self.board, move.index):
            raise ValueError(f"The cell {move} is taken.")
        if self.line() is not None:
            raise ValueError("The game is over: one side has three in a row.")
        return TicTacToe(self.board | (X, O)[self.turn] << 2 * move.index, 1 - self.turn)

    def line(self) -> tuple[int, ...] | None:
        for bits, cells in _X_LINES if self.turn else _O_LINES:
            if self.board & bits == bits:
                return cells
        return None

    def outcome(self) -> Outcome | None:
        if self.line() is not None:
            winner = 1 - self.turn
            return Outcome(
                winner, f"{'XO'[winner]} has three in a row", addressed=(winner, "you have three in a row")
            )
        full = (self.board | self.board >> 1) & _X_BITS == _X_BITS
        return Outcome(None, "the board is full") if full else None

    def __str__(self) -> str:
        text = self.text()
        return "\n".join(" ".join(text[at : at + 3]) for at in (0, 3, 6))

    def describe(self) -> list[str]:
        marks = {".": "empty", "X": "X", "O": "O"}
        told = [f"{cell} {marks[mark]}" for cell, mark in zip(_CELLS, self.text(), strict=True)]
        return [f"Row {3 - row}: {', '.join(told[3 * row : 3 * row + 3])}." for row in range(3)]

    def text(self) -> str:
        return _ROWS[self.board & 63] + _ROWS[self.board >> 6 & 63] + _ROWS[self.board >> 12]


def position(board: int) -> TicTacToe:
    """Return the position of a board on which X has as many marks as O or one more."""
    return TicTacToe(board, (board & (X | O) * _X_BITS).bit_count() & 1)


def image(board: int, cells: Sequence[int]) -> int:
    seen = 0
    for cell in cells:
        seen |= (board & 3) << 2 * cell
        board >>= 2
    return seen


def threats(board: int, mark: int) -> list[int]:
    found = (free.get(board & line) for line, free in _THREATS[mark])
    return sorted({cell for cell in found if cell is not None})

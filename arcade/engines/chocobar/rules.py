"""The rules of Chocobar."""

from __future__ import annotations

import math
from dataclasses import dataclass

from arcade.engines.files import InputError
from arcade.engines.position import Outcome, Position
from arcade.engines.wording import places, spelled_quantity

SIDES = ("First", "Second")
MAX_SIDE = 18


@dataclass(frozen=True, slots=True, order=True)
class Bite:
    row: int
    """Number of the row. The top row, with the poison, is row 1."""
    column: int
    """Number of the column. The left column, with the poison, is column 1."""

    def __str__(self) -> str:
        return f"({self.row},{self.column})"


def bars_in(rows: int, columns: int) -> int:
    """Count the bars that fit into a box of this size, including the empty bar."""
    return math.comb(rows + columns, rows)


@dataclass(frozen=True, slots=True)
class Bar(Position[Bite]):
    rows: tuple[int, ...]
    """Number of squares in each row, never 0 or more than in the row above. The poison alone is `(1,)`."""
    turn: int = 0
    """The player to move: 0 for First, 1 for Second."""

    @classmethod
    def full(cls, rows: int, columns: int) -> Bar:
        return cls((columns,) * rows)

    def moves(self) -> list[Bite]:
        bites = [Bite(row, at) for row, length in enumerate(self.rows, 1) for at in range(1, length + 1)]
        return bites[1:]

    def play(self, move: Bite) -> Bar:
        row, column = move.row, move.column
        if not 1 <= row <= len(self.rows):
            raise ValueError(
                f"The bite {move} is not on the bar, which has {spelled_quantity(len(self.rows), 'row')}."
            )
        if not 1 <= column <= self.rows[row - 1]:
            left = spelled_quantity(self.rows[row - 1], "square")
            raise ValueError(f"The bite {move} is not on the bar: row {row} has {left} left.")
        if row == column == 1:
            raise ValueError("You cannot bite (1,1), the poison. The game ends when only the poison is left.")
        below = (min(length, column - 1) for length in self.rows[row - 1 :]) if column > 1 else ()
        return Bar((*self.rows[: row - 1], *below), 1 - self.turn)

    def outcome(self) -> Outcome | None:
        if self.rows != (1,):
            return None
        left = "nothing left but the poison"
        return Outcome(
            1 - self.turn, f"{SIDES[self.turn]} has {left}", addressed=(self.turn, f"you have {left}")
        )

    def __str__(self) -> str:
        rows = (" ".join("#" * length) for length in self.rows)
        return "\n".join(rows).replace("#", "X", 1)

    def describe(self) -> list[str]:
        if self.rows == (1,):
            return ["Only the poison is left."]
        poison = "; the first is the poison"
        return [
            f"The bar has {spelled_quantity(len(self.rows), 'row')}.",
            *(
                f"Row {row} has {spelled_quantity(length, 'square')} left{poison * (row == 1)}."
                for row, length in enumerate(self.rows, 1)
            ),
        ]

    def describe_moves(self) -> list[str]:
        squares = [(row, range(int(row == 1), length)) for row, length in enumerate(self.rows, 1)]
        return [f"Row {row}, {places('column', columns)}." for row, columns in squares if columns]

    def text(self) -> str:
        return ".".join(map(str, self.rows)) + (":2" if self.turn else "")

    def transposed(self) -> Bar:
        return Bar(transpose(self.rows), self.turn)


def transpose(rows: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sum(length > column for length in rows) for column in range(rows[0] if rows else 0))


def parse_bar(text: str) -> Bar:
    """Read a bar such as `10.10.8:2`: its row lengths from the top, and the player to move.

    The last lengths may be 0. Raises InputError if the text is malformed.
    """
    lengths, colon, player = text.partition(":")
    if colon and player not in ("1", "2"):
        raise InputError(f"The player to move in the bar {text!r} must be 1 or 2, not {player!r}.")
    rows: list[int] = []
    for number, word in enumerate(lengths.split("."), 1):
        if not (word.isascii() and word.isdecimal()) or len(word) > 3 or int(word) > MAX_SIDE:
            raise InputError(
                f"Row {number} of the bar {text!r} must be a whole number from 0 to {MAX_SIDE}, not {word!r}."
                " Write a bar as its row lengths from the top, like 10.10.8."
            )
        length = int(word)
        if rows and length > rows[-1]:
            raise InputError(
                f"Row {number} of {text!r} has {length} squares, but the row above has only {rows[-1]}."
            )
        rows.append(length)
    while rows and not rows[-1]:
        rows.pop()
    if not rows:
        raise InputError(f"The bar {text!r} has no poison: its first row must have at least 1 square.")
    if len(rows) > MAX_SIDE:
        raise InputError(f"The bar {text!r} has {len(rows)} rows. A bar has at most {MAX_SIDE}.")
    return Bar(tuple(rows), 1 if player == "2" else 0)

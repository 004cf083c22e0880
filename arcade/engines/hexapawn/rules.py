"""The rules of Hexapawn and their notation.

A square is one bit. White's pawns move up, by `columns` bits:

    row 3 (Black's)    8  9 10 11
    row 2              4  5  6  7
    row 1 (White's)    0  1  2  3
                       a  b  c  d
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from arcade.engines.files import InputError
from arcade.engines.position import Outcome, Position
from arcade.engines.wording import join_words, quantity, spelled_quantity

WHITE, BLACK = 0, 1
SIDES = ("White", "Black")

MAX_SQUARES = 64
MIN_ROWS = 2
MAX_PLIES = 254
"""Maximum length of a game in plies. It lets the solver store a score in one byte."""

_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@cache
def column_name(column: int) -> str:
    """Return the name of a column: a to z, then aa to af."""
    return _LETTERS[column] if column < 26 else "a" + _LETTERS[column - 26]


def square_name(row: int, column: int) -> str:
    return f"{column_name(column)}{row + 1}"


@dataclass(frozen=True, slots=True)
class PawnMove:
    """A move of a pawn. Columns and rows count from 0. The side to move determines the row of origin."""

    column: int
    to_column: int
    to_row: int

    @property
    def captures(self) -> bool:
        return self.column != self.to_column

    def __str__(self) -> str:
        to = square_name(self.to_row, self.to_column)
        return f"{column_name(self.column)}x{to}" if self.captures else to


@dataclass(frozen=True, slots=True)
class PawnPosition(Position[PawnMove]):
    """A position, with each side's pawns as a bit set of squares. Call `flaw` to validate it."""

    rows: int
    columns: int
    white: int
    black: int
    turn: int = WHITE
    misere: bool = False
    capture: bool = False

    @classmethod
    def full(cls, rows: int, columns: int, misere: bool = False, capture: bool = False) -> PawnPosition:
        row = (1 << columns) - 1
        return cls(rows, columns, row, row << (rows - 1) * columns, WHITE, misere, capture)

    @property
    def size(self) -> str:
        return f"{self.rows}x{self.columns}"

    def square(self, row: int, column: int) -> str:
        bit = 1 << row * self.columns + column
        return "P" if self.white & bit else "p" if self.black & bit else "."

    def pawns(self, side: int) -> Iterator[tuple[int, int]]:
        bits = self.black if side else self.white
        first = first_column(self.rows, self.columns)
        for column in range(self.columns):
            squares = bits & first << column
            while squares:
                square = squares & -squares
                squares ^= square
                yield (square.bit_length() - 1) // self.columns, column

    def lines(self) -> list[str]:
        return [
            "".join(self.square(row, column) for column in range(self.columns))
            for row in reversed(range(self.rows))
        ]

    def reached(self) -> int | None:
        if self.white >> (self.rows - 1) * self.columns:
            return WHITE
        return BLACK if self.black & (1 << self.columns) - 1 else None

    def steps(self) -> Iterator[PawnMove]:
        """Yield all moves, including those that a variant forbids."""
        forward = -1 if self.turn else 1
        enemy, both, columns = self.white if self.turn else self.black, self.white | self.black, self.columns
        for row, column in self.pawns(self.turn):
            ahead = row + forward
            if not 0 <= ahead < self.rows:
                continue
            if not both >> ahead * columns + column & 1:
                yield PawnMove(column, column, ahead)
            for beside in (column - 1, column + 1):
                if 0 <= beside < columns and enemy >> ahead * columns + beside & 1:
                    yield PawnMove(column, beside, ahead)

    def moves(self) -> tuple[PawnMove, ...]:
        if self.reached() is not None:
            return ()
        steps = tuple(self.steps())
        captures = tuple(step for step in steps if step.captures)
        return captures if self.capture and captures else steps

    def play(self, move: PawnMove) -> PawnPosition:
        if move not in self.moves():
            raise ValueError(self._refusal(move))
        return self.moved(move)

    def moved(self, move: PawnMove) -> PawnPosition:
        """Return the position after a move, without checking that the move is legal."""
        to = 1 << move.to_row * self.columns + move.to_column
        back = 1 if self.turn else -1
        origin = 1 << (move.to_row + back) * self.columns + move.column
        if self.turn == WHITE:
            white, black = self.white ^ origin ^ to, self.black & ~to
        else:
            white, black = self.white & ~to, self.black ^ origin ^ to
        return self._with(white, black, 1 - self.turn)

    def _with(self, white: int, black: int, turn: int) -> PawnPosition:
        """Return a copy with the given pawns and turn. This is six times as fast as `dataclasses.replace`."""
        return PawnPosition(self.rows, self.columns, white, black, turn, self.misere, self.capture)

    def _refusal(self, move: PawnMove) -> str:
        side = SIDES[self.turn]
        if self.outcome() is not None:
            return f"The game is over, so {move} cannot be played."
        if self.capture and move in self.steps():
            return f"{side} must capture here, so {move} cannot be played."
        return f"{side} has no pawn that can play {move} here."

    def outcome(self) -> Outcome | None:
        winner = self.reached()
        if winner is not None:
            reason = f"{SIDES[winner]}'s pawn got across"
            addressed = (winner, "your pawn got across")
        elif next(self.steps(), None) is None:
            winner = 1 - self.turn
            reason = f"{SIDES[self.turn]} has no legal move"
            addressed = (self.turn, "you have no legal move")
        else:
            return None
        return Outcome(1 - winner if self.misere else winner, reason, addressed=addressed)

    def __str__(self) -> str:
        margin = len(str(self.rows))
        lines = [
            " ".join([f"{row:>{margin}}", *line])
            for row, line in zip(range(self.rows, 0, -1), self.lines(), strict=True)
        ]
        letters = (column_name(column)[-1] for column in range(self.columns))
        return "\n".join([*lines, " ".join([" " * margin, *letters])])

    def describe(self) -> list[str]:
        rows = zip(range(self.rows, 0, -1), self.lines(), strict=True)
        return [f"Row {row}: {_in_words(line)}." for row, line in rows]

    def describe_moves(self) -> list[str]:
        sentences = []
        for move in self.moves():
            row = move.to_row + (1 if self.turn else -1)
            does = "takes on" if move.captures else "goes to"
            to = square_name(move.to_row, move.to_column)
            sentences.append(f"{move}: the pawn on {square_name(row, move.column)} {does} {to}.")
        return sentences

    def text(self) -> str:
        """Return the rows from the top, the side to move and the variants: "ppp/.../PPP:b,misere,capture"."""
        return ",".join(["/".join(self.lines()) + (":b" if self.turn else ":w"), *self.variants()])

    def variants(self) -> list[str]:
        return [name for name in ("misere", "capture") if getattr(self, name)]

    def mirrored(self) -> PawnPosition:
        rows, columns = self.rows, self.columns
        white, black = (
            half_turn(upside_down(pawns, rows, columns), rows * columns) for pawns in (self.white, self.black)
        )
        return self._with(white, black, self.turn)

    def turned(self) -> PawnPosition:
        """Return an equivalent position: upside down, with the colours and the turn swapped."""
        white, black = (upside_down(each, self.rows, self.columns) for each in (self.black, self.white))
        return self._with(white, black, 1 - self.turn)

    def max_plies(self) -> int:
        """Return an upper bound of the remaining plies: the sum of the rows ahead of each pawn."""
        ahead = sum(self.rows - 1 - row for row, _ in self.pawns(WHITE))
        return ahead + sum(row for row, _ in self.pawns(BLACK))

    def flaw(self) -> str | None:
        """Return a sentence that says why this position is not allowed, or None if it is allowed."""
        size = size_flaw(self.rows, self.columns)
        if size is not None:
            return size
        mover, goal = SIDES[self.turn], 0 if self.turn else self.rows - 1
        for row, column in self.pawns(self.turn):
            if row == goal:
                return (
                    f"{mover} has a pawn on its last row ({square_name(row, column)}), so the game is over. "
                    f"It cannot be {mover}'s turn."
                )
        if self.max_plies() > MAX_PLIES:
            return (
                f"A game from here could last {quantity(self.max_plies(), 'move')}. The limit is {MAX_PLIES}."
            )
        return None


def _in_words(line: str) -> str:
    parts = []
    for side, letter in zip(SIDES, "Pp", strict=True):
        columns = [column_name(column) for column, other in enumerate(line) if other == letter]
        if columns:
            parts.append(f"{spelled_quantity(len(columns), f'{side.lower()} pawn')} on {join_words(columns)}")
    return "; ".join(parts) or "empty"


def pawns_in(lines: Sequence[str], columns: int, letter: str) -> int:
    return sum(
        1 << (len(lines) - number) * columns + column
        for number, line in enumerate(lines, 1)
        for column, shown in enumerate(line[:columns])
        if shown == letter
    )


@cache
def first_column(rows: int, columns: int) -> int:
    return sum(1 << row * columns for row in range(rows))


def upside_down(bits: int, rows: int, columns: int) -> int:
    turned, row = 0, (1 << columns) - 1
    for _ in range(rows):
        turned = turned << columns | bits & row
        bits >>= columns
    return turned


def half_turn(bits: int, squares: int) -> int:
    reversed_bytes = bits.to_bytes(8, "little").translate(_REVERSED)
    return int.from_bytes(reversed_bytes, "big") >> MAX_SQUARES - squares


def size_flaw(rows: int, columns: int) -> str | None:
    if rows < MIN_ROWS or columns < 1:
        return f"A board has at least {MIN_ROWS} rows and 1 column, not {rows}x{columns}."
    if rows * columns > MAX_SQUARES:
        return f"A board has at most {MAX_SQUARES} squares, and {rows}x{columns} has {rows * columns}."
    return None


_COLUMN = "[a-z]|a[a-f]"
_MOVE = re.compile(
    rf"(?P<column>{_COLUMN})(?=[\dx-])(?P<row>[1-9]\d?)?(?P<sign>[-x])?"
    rf"(?P<to_column>{_COLUMN})(?P<to_row>[1-9]\d?)"
    rf"|(?P<only_column>{_COLUMN})(?P<only_row>[1-9]\d?)"
)


def parse_step(text: str, forward: int = 0) -> PawnMove:
    """Read a move such as `b2`, `axb2`, `b1b2`, `b1-b2` or `a1xb2`. Raises InputError if the text is invalid.

    `forward` is 1 for a move by White, -1 for a move by Black, and 0 if either side may move.
    """
    match = _MOVE.fullmatch(text.strip().rstrip("+#!?").lower())
    if match is None:
        raise InputError(f"The move {text!r} must be a square like b2, or a capture like axb2.")
    if match["only_column"]:
        column = _column(match["only_column"])
        return PawnMove(column, column, int(match["only_row"]) - 1)
    move = PawnMove(_column(match["column"]), _column(match["to_column"]), int(match["to_row"]) - 1)
    aside = abs(move.to_column - move.column)
    if aside > 1 or (match["sign"] == "x" and not aside):
        raise InputError(
            f"The move {text!r} goes from column {match['column']} to {match['to_column']}: a pawn "
            "captures one column to the side."
        )
    if match["row"] and move.to_row - int(match["row"]) + 1 not in ((forward,) if forward else (1, -1)):
        raise InputError(
            f"The move {text!r} goes from row {match['row']} to {match['to_row']}: a pawn moves "
            "one row forward."
        )
    return move


def _column(name: str) -> int:
    return _LETTERS.index(name) if len(name) == 1 else 26 + _LETTERS.index(name[1])


def parse_board(text: str) -> PawnPosition:
    """Read a position in the format of `PawnPosition.text`. If the text names no side, White is to move.

    Raises InputError if the text is invalid.
    """
    place = f"the position {text!r}"
    pawns, colon, rest = text.partition(":")
    side, *words = rest.split(",") if colon else ["w"]
    if side not in ("w", "b"):
        raise InputError(f"The side to move in {place} must be w or b, not {side!r}.")
    for word in words:
        if word not in ("misere", "misère", "capture"):
            raise InputError(f"Unknown variant {word!r} in {place}. Choose from misere, capture.")
    variants = [word.replace("è", "e") for word in words]
    if len(set(variants)) < len(variants):
        raise InputError(f"The variant {variants[-1]!r} is given twice in {place}.")
    rows = pawns.split("/")
    for number, squares in enumerate(rows, 1):
        strange = squares.strip(".pP")[:1]
        if strange:
            raise InputError(
                f"Row {number} from the top of {place} may contain only 'P', 'p' and '.', not {strange!r}."
            )
    columns = len(rows[0])
    flaw = size_flaw(len(rows), columns)
    if flaw is not None:
        raise InputError(f"{flaw[:-1]}, as in {place}.")
    for number, squares in enumerate(rows, 1):
        if len(squares) != columns:
            raise InputError(f"Row {number} from the top of {place} must have {columns} squares.")
    white, black = (pawns_in(rows, columns, letter) for letter in "Pp")
    turn = BLACK if side == "b" else WHITE
    board = PawnPosition(len(rows), columns, white, black, turn, "misere" in variants, "capture" in variants)
    flaw = board.flaw()
    if flaw is not None:
        raise InputError(flaw)
    return board

"""The rules of Tetromino: positions and what may be laid in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from arcade.engines.game import InputError, Outcome, Position, Termination
from arcade.engines.tetromino.board import Board, Placement, board, cell_name
from arcade.engines.tetromino.pieces import (
    FULL_HAND,
    ORIENTATIONS,
    PIECES,
    hands_text,
    parse_hands,
    pieces_in,
)

SIDES = ("First", "Second")


@dataclass(frozen=True, slots=True)
class Tetrominoes(Position[Placement]):
    """A position: what is covered, what each player still holds, and who lays next.

    Who laid which piece plays no part in the rules, so `laid` is left out of comparisons.
    """

    width: int
    height: int
    occupied: int = 0
    """The set of covered cells; bit `rank * width + file`, see `board`."""
    hands: tuple[int, int] = (FULL_HAND, FULL_HAND)
    """What the first and the second player hold, as 5-bit masks over `PIECES`."""
    turn: int = 0
    laid: tuple[Placement, ...] = field(default=(), compare=False)
    """The placements that led here, the latest last, as far as known: for drawing the pieces. Cells that
    were covered from the start are in none of them. The latest was laid by player 1 - `turn`."""

    @property
    def board(self) -> Board:
        """The empty board under the pieces."""
        return board(self.width, self.height)

    def placements(self, player: int) -> list[Placement]:
        """Every placement that a player could lay here if it were that player's turn."""
        return [
            placement
            for number, placements in enumerate(self.board.by_piece)
            if self.hands[player] >> number & 1
            for placement, mask in placements
            if not mask & self.occupied
        ]

    def moves(self) -> Sequence[Placement]:
        """Every placement of a piece in the mover's hand on free cells; by piece, orientation, cell."""
        return self.placements(self.turn)

    def fits(self, placement: Placement) -> bool:
        """Whether a placement lies on the board with all its cells free, whoever holds the piece."""
        mask = self.board.placements.get(placement)
        return mask is not None and not mask & self.occupied

    def play(self, move: Placement) -> Self:
        """The position after `move`.

        Raises:
            ValueError: the piece is not in the mover's hand, sticks out or covers a covered cell.
        """
        bit = 1 << PIECES.index(move.piece)
        if not self.hands[self.turn] & bit:
            held = ", ".join(pieces_in(self.hands[self.turn])) or "nothing"
            raise ValueError(f"{SIDES[self.turn]} does not hold {move.piece} but {held}.")
        mask = self.board.placements.get(move)
        if mask is None:
            raise ValueError(f"{move} sticks out of the {self.width}x{self.height} board.")
        if mask & self.occupied:
            covered = next(
                cell_name(file, rank)
                for file, rank in move.cells
                if self.occupied >> rank * self.width + file & 1
            )
            raise ValueError(f"{move} does not fit: {covered} is covered already.")
        first, second = self.hands
        hands = (first & ~bit, second) if self.turn == 0 else (first, second & ~bit)
        return type(self)(
            self.width, self.height, self.occupied | mask, hands, 1 - self.turn, (*self.laid, move)
        )

    def outcome(self) -> Outcome | None:
        """A tie when both hands are empty; else who cannot lay has lost."""
        if self.hands == (0, 0):
            return Outcome(None, Termination.ALL_LAID)
        hand = self.hands[self.turn]
        for number, placements in enumerate(self.board.by_piece):
            if hand >> number & 1 and any(not mask & self.occupied for _, mask in placements):
                return None
        return Outcome(1 - self.turn, Termination.NO_MOVE)

    def dead_cells(self) -> int:
        """The set of free cells that no piece still in a hand can cover any more."""
        reached = 0
        for number, placements in enumerate(self.board.by_piece):
            if (self.hands[0] | self.hands[1]) >> number & 1:
                for _, mask in placements:
                    if not mask & self.occupied:
                        reached |= mask
        everything = (1 << self.width * self.height) - 1
        return everything & ~self.occupied & ~reached

    def text(self) -> str:
        """Ranks from the top with `#` covered and `.` free, hands, and who lays: `.../.##/##.:IL-LT:1`."""
        ranks = [
            "".join(
                "#" if self.occupied >> rank * self.width + file & 1 else "." for file in range(self.width)
            )
            for rank in reversed(range(self.height))
        ]
        return f"{'/'.join(ranks)}:{hands_text(self.hands)}:{self.turn + 1}"


def parse_ranks(text: str) -> tuple[int, int, int]:
    """Width, height and the covered cells of ranks like `.../.##/##.`.

    Raises:
        InputError: a rank is of another length than the first, or a sign is neither # nor a full stop.
    """
    ranks = text.split("/")
    width, occupied = len(ranks[0]), 0
    for number, rank in enumerate(ranks):
        name = len(ranks) - number
        if len(rank) != width:
            raise InputError(
                f"Rank {name} of the position, {rank!r}, must have {width} cells like the first."
            )
        for file, sign in enumerate(rank):
            if sign not in "#.":
                raise InputError(f"Rank {name} of the position, {rank!r}, must be of # and . only.")
            if sign == "#":
                occupied |= 1 << (name - 1) * width + file
    return width, len(ranks), occupied


def parse_turn(text: str) -> int:
    """0 for "1", the first player; 1 for "2", the second.

    Raises:
        InputError: the text is neither.
    """
    if text not in ("1", "2"):
        raise InputError(f"The turn {text!r} must be 1 or 2.")
    return int(text) - 1


_PLACEMENT = re.compile(r"([ILOST])([1-9]?)(?:@?([A-Z])([1-9][0-9]?))?")
_LOOKS_LIKE = "a piece, its orientation and the cell of its pivot, like T2@c5"


def parse_placement(text: str, position: Tetrominoes | None = None) -> Placement:
    """Read `T2@c5`, also as `t2c5`; with a position, orientation or cell may be left out if one fits.

    Raises:
        InputError: the text names no placement, or more than one.
    """
    match = _PLACEMENT.fullmatch(text.strip().upper())
    if match is None:
        raise InputError(f"The move {text!r} must be {_LOOKS_LIKE}.")
    piece, orientation, file, rank = match.groups()
    many = len(ORIENTATIONS[piece])
    if orientation and int(orientation) > many:
        limits = "only orientation 1" if many == 1 else f"orientations 1 to {many}"
        raise InputError(f"The move {text!r} names orientation {orientation}, but {piece} has {limits}.")
    if file and (orientation or many == 1):
        return Placement(piece, int(orientation or 1), ord(file) - ord("A"), int(rank) - 1)
    if position is None:
        raise InputError(f"The move {text!r} must be {_LOOKS_LIKE}.")
    meant = [
        move
        for move in position.moves()
        if move.piece == piece
        and (not orientation or move.orientation == int(orientation))
        and (not file or (move.file, move.rank) == (ord(file) - ord("A"), int(rank) - 1))
    ]
    if len(meant) != 1:
        count = f"{len(meant)} legal moves" if meant else "no legal move"
        raise InputError(f"The move {text!r} is short for {count}; it must be {_LOOKS_LIKE}.")
    return meant[0]


def parse_position(text: str) -> tuple[tuple[int, int, int], tuple[int, int] | None, int | None]:
    """Ranks, hands and turn of a position's text; None for each of the last two that is left out.

    Raises:
        InputError: which part is bad and what was expected.
    """
    parts = text.split(":")
    if len(parts) > 3:
        raise InputError(f"The position {text!r} must be ranks:hands:turn, like .../.##/##.:IL-LT:1.")
    ranks = parse_ranks(parts[0])
    hands = parse_hands(parts[1]) if len(parts) > 1 else None
    turn = parse_turn(parts[2]) if len(parts) > 2 else None
    return ranks, hands, turn

"""The rules of Tetromino."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Self

from arcade.engines.files import InputError
from arcade.engines.position import Outcome, Position
from arcade.engines.tetromino.board import (
    FULL_HAND,
    PIECES,
    Placement,
    TetrominoGrid,
    board,
    cell_name,
    cells_of,
    hands_text,
    pieces_in,
    shape_words,
)
from arcade.engines.wording import join_words, quantity, ranges

SIDES = ("First", "Second")


@dataclass(frozen=True, slots=True)
class Tetrominoes(Position[Placement]):
    """A board and two hands. Comparisons ignore which player placed which piece."""

    width: int
    height: int
    occupied: int = 0
    """Covered cells as bits `rank * width + file`."""
    hands: tuple[int, int] = (FULL_HAND, FULL_HAND)
    """The players' hands as 5-bit masks over `PIECES`."""
    turn: int = 0
    laid: tuple[Placement, ...] = field(default=(), compare=False)
    """Placements from first to latest. Cells that were covered from the start belong to no placement."""

    @property
    def board(self) -> TetrominoGrid:
        return board(self.width, self.height)

    def placements(self, player: int) -> list[Placement]:
        return [
            placement
            for number, placements in enumerate(self.board.by_piece)
            if self.hands[player] >> number & 1
            for placement, mask in placements
            if not mask & self.occupied
        ]

    def moves(self) -> Sequence[Placement]:
        return self.placements(self.turn)

    def fits(self, placement: Placement) -> bool:
        mask = self.board.placements.get(placement)
        return mask is not None and not mask & self.occupied

    def covered_cell(self, placement: Placement) -> str | None:
        """Return a placement's first covered cell, or None if none is covered or the placement sticks out."""
        if placement not in self.board.placements:
            return None
        covered = (
            cell_name(file, rank)
            for file, rank in placement.cells
            if self.occupied >> rank * self.width + file & 1
        )
        return next(covered, None)

    def play(self, move: Placement) -> Self:
        bit = 1 << PIECES.index(move.piece)
        if not self.hands[self.turn] & bit:
            held = ", ".join(pieces_in(self.hands[self.turn])) or "empty"
            raise ValueError(f"{SIDES[self.turn]} does not hold {move.piece}. The hand is {held}.")
        mask = self.board.placements.get(move)
        if mask is None:
            raise ValueError(f"{move} sticks out of the {self.width}x{self.height} board.")
        if mask & self.occupied:
            raise ValueError(f"{move} does not fit: {self.covered_cell(move)} is already covered.")
        first, second = self.hands
        hands = (first & ~bit, second) if self.turn == 0 else (first, second & ~bit)
        return type(self)(
            self.width, self.height, self.occupied | mask, hands, 1 - self.turn, (*self.laid, move)
        )

    def outcome(self) -> Outcome | None:
        if self.hands == (0, 0):
            return Outcome(None, "all pieces are placed")
        hand = self.hands[self.turn]
        for number, placements in enumerate(self.board.by_piece):
            if hand >> number & 1 and any(not mask & self.occupied for _, mask in placements):
                return None
        loser, fitting = self.turn, "no piece that fits" if hand else "no piece left"
        return Outcome(1 - loser, f"{SIDES[loser]} has {fitting}", addressed=(loser, f"you have {fitting}"))

    def dead_cells(self) -> int:
        reached = 0
        for placement in (*self.placements(0), *self.placements(1)):
            reached |= self.board.placements[placement]
        return (1 << self.board.cells) - 1 & ~self.occupied & ~reached

    def player_of(self, index: int) -> int:
        """Return the player who placed `laid[index]`. The player not to move placed the latest."""
        return (self.turn + len(self.laid) - index) % 2

    def pieces_at(self) -> dict[int, int]:
        masks = self.board.placements
        return {cell: index for index, laid in enumerate(self.laid) for cell in cells_of(masks[laid])}

    def __str__(self) -> str:
        pieces = self.pieces_at()

        def sign(cell: int) -> str:
            index = pieces.get(cell)
            if index is None:
                return "#" if self.occupied >> cell & 1 else "."
            piece = self.laid[index].piece
            return piece.lower() if self.player_of(index) else piece

        lines = [
            f"{rank + 1:>2} " + " ".join(map(sign, range(rank * self.width, (rank + 1) * self.width)))
            for rank in reversed(range(self.height))
        ]
        return "\n".join([*lines, "   " + " ".join(cell_name(file, 0)[0] for file in range(self.width))])

    def describe(self) -> list[str]:
        told = []
        for rank in reversed(range(self.height)):
            free = [file for file in range(self.width) if not self.occupied >> rank * self.width + file & 1]
            cells = ranges(free, partial(cell_name, rank=rank))
            told.append(f"Row {rank + 1}: {join_words(cells) + ' free' if cells else 'full'}.")
        return [*told, *self.describe_hands()]

    def describe_hands(self) -> list[str]:
        return [
            f"{side} holds {join_words(pieces_in(hand)) or 'nothing'}."
            for side, hand in zip(SIDES, self.hands, strict=True)
        ]

    def describe_moves(self) -> list[str]:
        pivots: dict[tuple[str, int], dict[int, list[int]]] = {}
        for move in self.moves():
            pivots.setdefault((move.piece, move.orientation), {}).setdefault(move.file, []).append(move.rank)
        told = []
        for (piece, orientation), files in pivots.items():
            cells = [
                cell
                for file, ranks in sorted(files.items())
                for cell in ranges(sorted(ranks), partial(cell_name, file))
            ]
            told.append(
                f"{piece}{orientation}, the pivot and the cells {shape_words(piece, orientation)}: "
                f"the pivot may be {join_words(cells, 'or')}."
            )
        return told

    def text(self) -> str:
        ranks = [
            "".join(".#"[self.occupied >> rank * self.width + file & 1] for file in range(self.width))
            for rank in reversed(range(self.height))
        ]
        return f"{'/'.join(ranks)}:{hands_text(self.hands)}:{self.turn + 1}"


def places_left(position: Tetrominoes) -> Callable[[Placement], int]:
    placements = position.board.placements
    theirs = [placements[each] for each in position.placements(1 - position.turn)]
    return lambda move: sum(not placements[move] & each for each in theirs)


def parse_ranks(text: str) -> tuple[int, int, int]:
    """Return width, height and covered cells of ranks like `.../.##/##.`.

    Raises InputError if the ranks are malformed.
    """
    ranks = text.split("/")
    width, occupied = len(ranks[0]), 0
    for number, rank in enumerate(ranks):
        name = len(ranks) - number
        if len(rank) != width:
            raise InputError(
                f"Row {name} of the position, {rank!r}, must have {quantity(width, 'cell')} like the first."
            )
        for file, sign in enumerate(rank):
            if sign not in "#.":
                raise InputError(f"Row {name} of the position, {rank!r}, may contain only '#' and '.'.")
            if sign == "#":
                occupied |= 1 << (name - 1) * width + file
    return width, len(ranks), occupied

"""The kernels' view of a position: the set of placements that are still free.

A position's future depends only on the free placements of the pieces still held. So that set, with the
hands, is the state of the search: unreachable cells make no difference, and placing a piece
is one AND with the set of placements that share no cell with it.

The cells that the free placements cover together are the live cells. With the hands they say the same as the
set: a placement of a piece held is free if and only if all its cells are live. So they are what a position is
recognised by, see `kernel`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from arcade.engines.tetromino.board import Placement, TetrominoGrid, board
from arcade.engines.tetromino.pieces import FULL_HAND, ORIENTATIONS, PIECES
from arcade.engines.tetromino.rules import Tetrominoes

Words = NDArray[np.uint64]

_SHAPES = [(piece, number) for piece in PIECES for number in range(1, len(ORIENTATIONS[piece]) + 1)]
"""Every orientation of every piece."""


@dataclass(frozen=True)
class SearchNode:
    """A position in the form the kernels take, for the player to move."""

    free: Words
    """The free placements of the pieces still held by either, shape (words,)."""
    live: int
    """The cells that these cover together."""
    mover: int
    """Hand of the player to move, as a 5-bit mask, without pieces that no longer fit."""
    other: int
    """Hand of the other player, in the same form."""
    tie: bool
    """Whether the game can still be a tie: all pieces still fit, the hands can run out together, and there
    are enough free cells for all pieces."""


@dataclass(frozen=True)
class Layout:
    """The tables that the kernels need for one size of board. Made by `layout`, one per size."""

    board: TetrominoGrid

    @cached_property
    def _placements(self) -> list[tuple[Placement, int]]:
        """The meaning of each bit; by pivot, so that each word is about one part of the board."""
        return sorted(self.board.placements.items(), key=lambda each: (each[0].rank, each[0].file))

    @cached_property
    def cells(self) -> Words:
        """The cells that each bit's placement covers, shape (64 * words,); 0 for a bit without one."""
        masks = [mask for _, mask in self._placements]
        return np.array(masks + [0] * (-len(masks) % 64), np.uint64)

    @cached_property
    def piece(self) -> NDArray[np.int64]:
        """The number of each bit's piece, shape (64 * words,); 0 for a bit without one."""
        pieces = [PIECES.index(each.piece) for each, _ in self._placements]
        return np.array(pieces + [0] * (-len(pieces) % 64), np.int64)

    @cached_property
    def beside(self) -> Words:
        """For each bit the placements that share no cell with its own, shape (64 * words, words)."""
        shares = (self.cells[:, None] & self.cells[None, :]) != 0
        real = self.cells != 0
        return _packed(~shares & real[:, None] & real[None, :])

    @cached_property
    def of_hand(self) -> Words:
        """The placements of the pieces of each of the 32 hands, shape (32, words)."""
        return _packed(self._hand_flags)

    @cached_property
    def _hand_flags(self) -> NDArray[np.bool_]:
        """Like `of_hand`, with one flag for each bit, shape (32, 64 * words)."""
        hands = np.arange(FULL_HAND + 1)[:, None]
        return (self.cells != 0) & (hands >> self.piece & 1 == 1)

    @cached_property
    def steps(self) -> Words:
        """From the lowest cell of each of `_SHAPES` to its other three, shape (19, 3)."""
        found = []
        for piece, orientation in _SHAPES:
            least, *more = sorted(y * self.board.width + x for x, y in ORIENTATIONS[piece][orientation - 1])
            found.append([cell - least for cell in more])
        return np.array(found, np.uint64)

    @cached_property
    def lowest(self) -> Words:
        """The lowest cells of the placements of each hand by `_SHAPES`, shape (32, 19)."""
        found = np.zeros((FULL_HAND + 1, len(_SHAPES)), np.uint64)
        for each, mask in self._placements:
            holding = np.arange(FULL_HAND + 1) >> PIECES.index(each.piece) & 1 == 1
            found[holding, _SHAPES.index((each.piece, each.orientation))] |= np.uint64(mask & -mask)
        return found

    @cached_property
    def images(self) -> Words:
        """Images of sets of cells under each symmetry but the first: by the set's bytes, lowest first.

        Shape (symmetries - 1, bytes, 256).
        """
        image = np.zeros((len(self.board.symmetries) - 1, -(-self.board.cells // 8) * 8), np.uint64)
        image[:, : self.board.cells] = np.uint64(1) << np.array(self.board.symmetries[1:], np.uint64)
        sets = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
        return np.bitwise_or.reduce(sets * image.reshape(len(image), -1, 1, 8), axis=-1)

    def node(self, position: Tetrominoes) -> SearchNode:
        """A position in the form the kernels take."""
        mover, other = position.hands[position.turn], position.hands[1 - position.turn]
        free = self._hand_flags[mover | other] & (self.cells & np.uint64(position.occupied) == 0)
        fits = int(np.bitwise_or.reduce(1 << self.piece[free], initial=0))
        live = int(np.bitwise_or.reduce(self.cells[free], initial=0))
        held, against = mover.bit_count(), other.bit_count()
        even = held - against in (0, 1)
        tie = even and not (mover | other) & ~fits and live.bit_count() >= 4 * (held + against)
        return SearchNode(_packed(free), live, mover & fits, other & fits, tie)


def _packed(flags: NDArray[np.bool_]) -> Words:
    """Flags along the last axis as bits of words, the first flag in the lowest bit of the first word."""
    return np.ascontiguousarray(np.packbits(flags, axis=-1, bitorder="little")).view("<u8").astype(np.uint64)


@lru_cache(maxsize=8)
def layout(width: int, height: int) -> Layout:
    """The tables for a size of board."""
    return Layout(board(width, height))

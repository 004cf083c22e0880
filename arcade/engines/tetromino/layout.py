r"""The kernels' view of a position: the set of placements that are still free.

A position's future depends only on the free placements of the pieces still held. So that set, with the
hands, is the state of the search: unreachable cells make no difference, and placing a piece
is one AND with the set of placements that share no cell with it.

The set is laid out so that a symmetry of the board moves whole blocks of bits. The symmetries (4, on a square
8) carry every placement to its images, its orbit. Take one placement of each orbit and number the orbits;
block g holds, at bit o, the image of orbit o's placement under symmetry number g:

    block 0, untouched     block 1, left-right    block 2, up-down       block 3, half a turn
    |word 0 |word 1 |      |word 2 |word 3 |      |word 4 |word 5 |      |word 6 |word 7 |
     ^bit o: I1@b1          ^bit o: I1@c1          ^bit o: I1@b8          ^bit o: I1@c8       (5x8)

So a symmetry only changes the order of the blocks, and a canonical form costs a few comparisons instead of
moving bits. A placement that is its own image under some symmetry has several bits, which are always
set together; `unique` holds one bit of each, for enumeration. The 429
placements of 5x8 make 115 orbits, so 2 words a block and 8 words a set; no board needs more than 16.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from arcade.engines.tetromino.board import Placement, TetrominoGrid, board, image_of
from arcade.engines.tetromino.pieces import FULL_HAND, PIECES
from arcade.engines.tetromino.rules import Tetrominoes

Words = NDArray[np.uint64]


@dataclass(frozen=True)
class SearchNode:
    """A position in the form the kernels take, for the player to move."""

    free: Words
    """The free placements of the pieces still held by either, shape (words,)."""
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
    def _bits(self) -> tuple[tuple[tuple[Placement, int] | None, ...], int]:
        """The meaning of each bit of a set, and the words per block."""
        placements = self.board.placements
        by_mask = {mask: placement for placement, mask in placements.items()}
        orbits: list[list[int]] = []
        seen: set[int] = set()
        for mask in placements.values():
            if mask not in seen:
                orbit = [image_of(mask, symmetry) for symmetry in self.board.symmetries]
                seen.update(orbit)
                orbits.append(orbit)
        per_block = max(1, -(-len(orbits) // 64))
        bits: list[tuple[Placement, int] | None] = []
        for block in range(len(self.board.symmetries)):
            bits += [(by_mask[orbit[block]], orbit[block]) for orbit in orbits]
            bits += [None] * (64 * per_block - len(orbits))
        return tuple(bits), per_block

    @cached_property
    def cells(self) -> Words:
        """The cells that each bit's placement covers, shape (64 * words,); 0 for a bit without one."""
        return np.array([each[1] if each else 0 for each in self._bits[0]], np.uint64)

    @cached_property
    def piece(self) -> NDArray[np.int64]:
        """The number of each bit's piece, shape (64 * words,); 0 for a bit without one."""
        return np.array([PIECES.index(each[0].piece) if each else 0 for each in self._bits[0]], np.int64)

    @cached_property
    def bit_of(self) -> dict[Placement, int]:
        """The bit of each placement, or the lowest of several."""
        found: dict[Placement, int] = {}
        for bit, each in enumerate(self._bits[0]):
            if each:
                found.setdefault(each[0], bit)
        return found

    @cached_property
    def unique(self) -> Words:
        """One bit for each placement, shape (words,)."""
        flags = np.zeros(len(self.cells), np.bool_)
        flags[list(self.bit_of.values())] = True
        return _packed(flags)

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
    def block_order(self) -> NDArray[np.int64]:
        """Row b: the order of blocks of the symmetric position that has block b first; (blocks, blocks)."""
        symmetries = self.board.symmetries
        number = {symmetry: index for index, symmetry in enumerate(symmetries)}
        order = np.zeros((len(symmetries), len(symmetries)), np.int64)
        for turn in symmetries:
            # Turning a position by `turn` moves what is in block g to the block of "g, then turn".
            moved = [number[tuple(turn[cell] for cell in each)] for each in symmetries]
            first = moved.index(0)
            for block, target in enumerate(moved):
                order[first, target] = block
        return order

    @cached_property
    def _hand_flags(self) -> NDArray[np.bool_]:
        """Like `of_hand`, with one flag for each bit, shape (32, 64 * words)."""
        hands = np.arange(FULL_HAND + 1)[:, None]
        return (self.cells != 0) & (hands >> self.piece & 1 == 1)

    def node(self, position: Tetrominoes) -> SearchNode:
        """A position in the form the kernels take."""
        mover, other = position.hands[position.turn], position.hands[1 - position.turn]
        free = self._hand_flags[mover | other] & (self.cells & np.uint64(position.occupied) == 0)
        fits = int(np.bitwise_or.reduce(1 << self.piece[free], initial=0))
        area = int(np.bitwise_or.reduce(self.cells[free], initial=0)).bit_count()
        held, against = mover.bit_count(), other.bit_count()
        tie = not (mover | other) & ~fits and held - against in (0, 1) and area >= 4 * (held + against)
        return SearchNode(_packed(free), mover & fits, other & fits, tie)


def _packed(flags: NDArray[np.bool_]) -> Words:
    """Flags along the last axis as bits of words, the first flag in the lowest bit of the first word."""
    return np.ascontiguousarray(np.packbits(flags, axis=-1, bitorder="little")).view("<u8").astype(np.uint64)


@lru_cache(maxsize=8)
def layout(width: int, height: int) -> Layout:
    """The tables for a size of board."""
    return Layout(board(width, height))

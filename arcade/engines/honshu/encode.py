"""Turn positions into the arrays of the kernels, and layouts into moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arcade.engines.honshu import annealer, prover
from arcade.engines.honshu.rules import HonshuPosition, Move, shape, start_corner
from arcade.engines.honshu.scoring import VARIANTS
from arcade.engines.honshu.tiles import COLUMNS, ROWS, TERRAINS

Ints = NDArray[np.int64]

MIX = (60, 90, 140, 170, 215, 250)
"""How often each kind of change is tried, see `annealer.SHIFT`; measured, see docs/honshu.md."""

TERRAIN_CODE = {letter: code for code, letter in enumerate(TERRAINS, 1)}


def table(position: HonshuPosition) -> Ints:
    """The constants of a search: the array `t` of the kernels."""
    t = np.zeros(annealer.TABLE, np.int64)
    width = position.size + 2
    t[: len(VARIANTS)] = [name in position.variants for name in VARIANTS]
    t[annealer.SIZE], t[annealer.WIDTH] = position.size, width
    t[annealer.BASE], t[annealer.HAND] = len(position.map.layers), len(position.hand)
    t[annealer.START] = (start_corner(position.size) + 1) * (width + 1)
    t[annealer.SHIFT : annealer.SHIFT + len(MIX)] = MIX
    upright = [row * width + column for row in range(ROWS) for column in range(COLUMNS)]
    lying = [row * width + column for row in range(COLUMNS) for column in range(ROWS)]
    t[annealer.OFFSETS : annealer.OFFSETS + 12] = upright + lying
    codes = [
        TERRAIN_CODE[letter]
        for tile in position.hand
        for rotation in range(4)
        for row in tile.rotated(rotation)
        for letter in row
    ]
    t[annealer.TERRAIN_OF : annealer.TERRAIN_OF + len(codes)] = codes
    return t


def state(position: HonshuPosition) -> Ints:
    """The map before any tile of the hand: the array `s` of the kernels."""
    s = np.zeros(annealer.STATE, np.int64)
    s[annealer.CHANGED : annealer.CHANGED + 7] = 1
    for row in range(position.size):
        for column in range(position.size):
            rank = position.layer_at(row, column)
            if rank is None:
                continue
            cell = (row + 1) * (position.size + 2) + column + 1
            code = TERRAIN_CODE[position.terrain_at(row, column)]
            s[annealer.COLUMN + cell] = 1 << rank
            s[annealer.LAYER + annealer.GRID * rank + cell] = code
            s[annealer.TOP + cell] = code
            s[annealer.VISIBLE + rank] += 1
            place = s[annealer.COUNTS + code]
            s[annealer.WHERE + cell] = place
            s[annealer.LISTS + annealer.GRID * code + place] = cell
            s[annealer.COUNTS + code] += 1
    base = len(position.map.layers)
    # A tile of the map needs nothing under it, so its count can never come near 6.
    s[annealer.BARE : annealer.BARE + base] = -1000
    s[annealer.RANKS] = (1 << base) - 1
    return s


@dataclass
class ProofData:
    """The arrays of a resumable exhaustive search."""

    s: Ints
    t: Ints
    q: Ints
    rest: Ints
    used: Ints
    twins: Ints
    halves: Ints
    depth: int = 0

    def go_on(self, target: int, nodes: int, cells: Ints) -> int:
        """Look for a layout that scores more than `target`, within a number of nodes; see `prover.search`.

        Returns:
            `prover.FOUND`, `prover.PROVED` that there is none, or `prover.RUNNING`.
        """
        outcome, self.depth = prover.search(
            self.s,
            self.t,
            self.q,
            self.rest,
            self.used,
            self.twins,
            self.halves,
            target,
            self.depth,
            nodes,
            cells,
        )
        return int(outcome)


def proof(position: HonshuPosition) -> ProofData:
    """A new search."""
    hand = position.hand
    q = np.full((len(hand) + 1, prover.ROW), -1, np.int64)
    rest = np.zeros(7, np.int64)
    for tile in hand:
        for letter in tile.terrains:
            rest[TERRAIN_CODE[letter]] += 1
    shown = [tile.terrains for tile in hand]
    twins = np.array([shown.index(each) for each in shown], np.int64)
    halves = np.array([each == each[::-1] for each in shown], np.int64)
    used = np.zeros(len(hand), np.int64)
    return ProofData(state(position), table(position), q, rest, used, twins, halves)


def found(position: HonshuPosition, search: ProofData) -> list[Move]:
    """The moves of a successful search."""
    return [
        _move(position, row[prover.TILE], row[prover.ROTATION], row[prover.PLACE] >> 1)
        for row in search.q[: search.depth]
    ]


def moves(position: HonshuPosition, placed: Ints) -> list[Move]:
    """Turn a layout into moves, in the order of its ranks.

    Args:
        position: the position that the layout starts from.
        placed: rank, rotation and corner of each tile of the hand, shape (hand, 3).
    """
    order = sorted((int(rank), tile) for tile, rank in enumerate(placed[:, 0]) if rank != annealer.UNLAID)
    return [_move(position, tile, placed[tile, 1], placed[tile, 2]) for _, tile in order]


def _move(position: HonshuPosition, tile: int, rotation: int, corner: int) -> Move:
    row, column = divmod(int(corner), position.size + 2)
    return Move(position.hand[tile].id, int(rotation), row - 1, column - 1)


def first_moves(position: HonshuPosition, layout: list[Move]) -> list[int]:
    """Indices in `layout` of the moves that could come first, with all others after them in order."""
    first = []
    for index, move in enumerate(layout):
        if all(not overlap(move, below) for below in layout[:index]):
            first.append(index)
    return [index for index in first if position.placement_error(layout[index]) is None]


def overlap(one: Move, other: Move) -> bool:
    """Whether two placements have a cell in common."""
    rows, columns = shape(one.rotation)
    other_rows, other_columns = shape(other.rotation)
    return (
        one.row < other.row + other_rows
        and other.row < one.row + rows
        and one.column < other.column + other_columns
        and other.column < one.column + columns
    )

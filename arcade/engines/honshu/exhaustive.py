"""Turn positions into the arrays of the kernels, and layouts into moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from arcade.engines.control import Control
from arcade.engines.honshu import annealer, prover
from arcade.engines.honshu.rules import VARIANTS, HonshuPosition, Move, shape, start_corner
from arcade.engines.honshu.tiles import COLUMNS, ROWS, TERRAINS, Tile
from arcade.engines.verdict import MoveVerdict, Proof, ScoreVerdict, mark_best

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


SLICE = 1 << 20
"""Nodes between two looks at the control."""


def best_first(position: HonshuPosition, control: Control) -> tuple[int, frozenset[Move]] | None:
    """The highest final score, and every placement that can come first on the way to it.

    The search goes on behind each layout that it finds. It leaves out what only repeats a layout: another
    order of placements that do not overlap, a tile that equals another, and the half turn of a tile that is
    its own half turn; `_alike` puts them back.

    Returns:
        None when stopped by the control.
    """
    search, most = proof(position), int(annealer.NONE)
    first: set[Move] = set()
    while not control.stopped:
        outcome = search.go_on(most - 1, SLICE, control.cells)
        if outcome == prover.PROVED:
            return most, frozenset(first)
        if outcome == prover.FOUND:
            score = int(annealer.score(search.s, search.t, annealer.NONE))
            if score > most:
                most = score
                first.clear()
            layout = found(position, search)
            first.update(_alike(position, (layout[index] for index in first_moves(position, layout))))
    return None


def _alike(position: HonshuPosition, moves: Iterable[Move]) -> Iterator[Move]:
    """Placements with the same effect as these, themselves included."""
    for move in moves:
        shown = position.tile_of[move.tile].terrains
        turns = (0, 2) if shown == shown[::-1] else (0,)
        for tile in {each.id for each in position.hand if each.terrains == shown}:
            for turn in turns:
                yield replace(move, tile=tile, rotation=(move.rotation + turn) % 4)


def values(position: HonshuPosition, control: Control) -> list[MoveVerdict[Move]]:
    """Every placement: the best ones with the highest final score, each other one proved to reach less.

    Args:
        position: a position that is not over.
        control: stops the search; then nothing is known.
    """
    return _judged(position, best_first(position, control))


def look_ahead(position: HonshuPosition, tiles: int, control: Control) -> list[MoveVerdict[Move]]:
    """As `values`, for somebody who only counts the score after so many more tiles.

    Args:
        position: a position that is not over.
        tiles: how many, at least 1; for one the score of every placement is exact.
        control: stops the search; then nothing is known.
    """
    if tiles == 1:
        scores = [
            (move, position.score.total + position.score_change(move).total) for move in position.moves()
        ]
        return mark_best((move, ScoreVerdict(Proof.EXACT, best=each, bound=each)) for move, each in scores)
    most, first = int(annealer.NONE), frozenset[Move]()
    for hand in combinations(position.hand, min(tiles, len(position.hand))):
        found = best_first(_holding(position, hand), control)
        if found is None:
            return _judged(position, None)
        if found[0] >= most:
            first = found[1] | (first if found[0] == most else frozenset())
            most = found[0]
    return _judged(position, (most, first))


def _judged(position: HonshuPosition, found: tuple[int, frozenset[Move]] | None) -> list[MoveVerdict[Move]]:
    if found is None:
        return [MoveVerdict(move, ScoreVerdict()) for move in position.moves()]
    best = ScoreVerdict(Proof.EXACT, best=found[0], bound=found[0])
    less = ScoreVerdict(Proof.BOUND, bound=found[0] - 1)
    return [
        MoveVerdict(move, best if move in found[1] else less, move in found[1]) for move in position.moves()
    ]


def _holding(position: HonshuPosition, hand: Sequence[Tile]) -> HonshuPosition:
    laid = [position.tile_of[move.tile] for move in position.laid]
    return replace(position, tiles=(*laid, *hand))

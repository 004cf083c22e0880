"""Positions as the arrays of the kernels, their layouts as moves, and exhaustive search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from arcade.engines.control import Control
from arcade.engines.honshu import kernel
from arcade.engines.honshu.kernel import Ints, ProofSearch
from arcade.engines.honshu.rules import VARIANTS, HonshuPosition, Move, shape, start_corner
from arcade.engines.honshu.tiles import COLUMNS, ROWS, TERRAINS
from arcade.engines.verdict import MoveVerdict, Proof, ScoreVerdict, mark_best

MIX = (60, 90, 140, 170, 215, 250)
"""How often each kind of change is tried, see `kernel.SHIFT`; measured, see docs/honshu.md."""

TERRAIN_CODE = {letter: code for code, letter in enumerate(TERRAINS, 1)}

SLICE = 1 << 20


def table(position: HonshuPosition) -> Ints:
    t = np.zeros(kernel.TABLE, np.int64)
    width = position.size + 2
    t[: len(VARIANTS)] = [name in position.variants for name in VARIANTS]
    t[kernel.SIZE], t[kernel.WIDTH] = position.size, width
    t[kernel.BASE], t[kernel.HAND] = len(position.map.layers), len(position.hand)
    t[kernel.START] = (start_corner(position.size) + 1) * (width + 1)
    t[kernel.SHIFT : kernel.SHIFT + len(MIX)] = MIX
    upright = [row * width + column for row in range(ROWS) for column in range(COLUMNS)]
    lying = [row * width + column for row in range(COLUMNS) for column in range(ROWS)]
    t[kernel.OFFSETS : kernel.OFFSETS + 12] = upright + lying
    codes = [
        TERRAIN_CODE[letter]
        for tile in position.hand
        for rotation in range(4)
        for row in tile.rotated(rotation)
        for letter in row
    ]
    t[kernel.TERRAIN_OF : kernel.TERRAIN_OF + len(codes)] = codes
    return t


def state(position: HonshuPosition) -> Ints:
    """The map before any tile of the hand: the array `s` of the kernels."""
    s = np.zeros(kernel.STATE, np.int64)
    s[kernel.CHANGED : kernel.CHANGED + 7] = 1
    for row in range(position.size):
        for column in range(position.size):
            rank = position.layer_at(row, column)
            if rank is None:
                continue
            cell = (row + 1) * (position.size + 2) + column + 1
            code = TERRAIN_CODE[position.terrain_at(row, column)]
            s[kernel.COLUMN + cell] = 1 << rank
            s[kernel.LAYER + kernel.GRID * rank + cell] = code
            s[kernel.TOP + cell] = code
            s[kernel.VISIBLE + rank] += 1
            place = s[kernel.COUNTS + code]
            s[kernel.WHERE + cell] = place
            s[kernel.LISTS + kernel.GRID * code + place] = cell
            s[kernel.COUNTS + code] += 1
    base = len(position.map.layers)
    # A tile of the map needs nothing under it, so its count can never come near 6.
    s[kernel.BARE : kernel.BARE + base] = -1000
    s[kernel.RANKS] = (1 << base) - 1
    return s


def moves_of(position: HonshuPosition, placed: Ints) -> list[Move]:
    """Turn a layout into moves, in the order of its ranks; `placed` is as in `kernel.Chain`."""
    order = sorted((int(rank), tile) for tile, rank in enumerate(placed[:, 0]) if rank != kernel.UNLAID)
    return [_move(position, tile, placed[tile, 1], placed[tile, 2]) for _, tile in order]


def _move(position: HonshuPosition, tile: int, rotation: int, corner: int) -> Move:
    row, column = divmod(int(corner), position.size + 2)
    return Move(position.hand[tile].id, int(rotation), row - 1, column - 1)


def first_moves(position: HonshuPosition, layout: Sequence[Move]) -> list[int]:
    """Indices in `layout` of the moves that could come first, with all others after them in order."""
    return [
        index
        for index, move in enumerate(layout)
        if not any(overlap(move, below) for below in layout[:index])
        and position.placement_error(move) is None
    ]


def overlap(one: Move, other: Move) -> bool:
    rows, columns = shape(one.rotation)
    other_rows, other_columns = shape(other.rotation)
    return (
        one.row < other.row + other_rows
        and other.row < one.row + rows
        and one.column < other.column + other_columns
        and other.column < one.column + columns
    )


def proof_search(position: HonshuPosition) -> ProofSearch:
    shown = [tile.terrains for tile in position.hand]
    rest = np.zeros(7, np.int64)
    for letter in "".join(shown):
        rest[TERRAIN_CODE[letter]] += 1
    return ProofSearch(
        state(position),
        table(position),
        np.full((len(shown) + 1, kernel.ROW), -1, np.int64),
        depth=np.zeros(1, np.int64),
        rest=rest,
        used=np.zeros(len(shown), np.int64),
        twins=np.array([shown.index(terrains) for terrains in shown], np.int64),
        halves=np.array([tile.is_half_turn for tile in position.hand], np.int64),
    )


def moves_found(position: HonshuPosition, search: ProofSearch) -> list[Move]:
    return [
        _move(position, row[kernel.TILE], row[kernel.ROTATION], row[kernel.PLACE] >> 1)
        for row in search.q[: search.depth[0]]
    ]


def best_first(position: HonshuPosition, control: Control) -> tuple[int, frozenset[Move]] | None:
    """The highest final score, and every placement that can come first on the way; None when stopped.

    The search goes on behind each layout that it finds. It leaves out what only repeats a layout: another
    order of placements that do not overlap, a tile that equals another, and the half turn of a tile that is
    its own half turn; `_alike` puts them back.
    """
    search, most = proof_search(position), kernel.NONE
    first: set[Move] = set()
    while not control.stopped:
        outcome = kernel.search(search, most - 1, SLICE, control.cells)
        if outcome == kernel.PROVED:
            return most, frozenset(first)
        if outcome == kernel.FOUND:
            score = int(kernel.score(search.s, search.t, kernel.NONE))
            if score > most:
                most = score
                first.clear()
            layout = moves_found(position, search)
            first.update(_alike(position, (layout[index] for index in first_moves(position, layout))))
    return None


def _alike(position: HonshuPosition, moves: Iterable[Move]) -> Iterator[Move]:
    """Placements with the same effect as these, themselves included."""
    for move in moves:
        shown = position.tile_of[move.tile]
        for tile in {tile.id for tile in position.hand if tile.terrains == shown.terrains}:
            for turn in (0, 2) if shown.is_half_turn else (0,):
                yield replace(move, tile=tile, rotation=(move.rotation + turn) % 4)


def values(position: HonshuPosition, control: Control) -> list[MoveVerdict[Move]]:
    """Every placement: the best ones with the highest final score, each other one proved to reach less.

    The position is not over. When the control stops the search, nothing is known.
    """
    return _judged(position, best_first(position, control))


def look_ahead(position: HonshuPosition, tiles: int, control: Control) -> list[MoveVerdict[Move]]:
    """As `values`, for somebody who only counts the score after so many more tiles, at least 1.

    For one tile the score of every placement is exact.
    """
    if tiles == 1:
        scores = [
            (move, position.score.total + position.score_change(move).total) for move in position.moves()
        ]
        return mark_best((move, ScoreVerdict(Proof.EXACT, best=score, bound=score)) for move, score in scores)
    most, first = kernel.NONE, frozenset[Move]()
    laid = [position.tile_of[move.tile] for move in position.laid]
    for hand in combinations(position.hand, min(tiles, len(position.hand))):
        best = best_first(replace(position, tiles=(*laid, *hand)), control)
        if best is None:
            return _judged(position, None)
        if best[0] >= most:
            first = best[1] | (first if best[0] == most else frozenset())
            most = best[0]
    return _judged(position, (most, first))


def _judged(position: HonshuPosition, best: tuple[int, frozenset[Move]] | None) -> list[MoveVerdict[Move]]:
    if best is None:
        return [MoveVerdict(move, ScoreVerdict()) for move in position.moves()]
    most, first = best
    reaching = ScoreVerdict(Proof.EXACT, best=most, bound=most)
    less = ScoreVerdict(Proof.BOUND, bound=most - 1)
    return [
        MoveVerdict(move, reaching if move in first else less, move in first) for move in position.moves()
    ]

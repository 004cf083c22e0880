"""Search exhaustively, and convert positions to kernel arrays."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise, product
from math import exp

import numpy as np

from arcade.engines.control import Control
from arcade.engines.honshu import kernel
from arcade.engines.honshu.kernel import Ints, ProofSearch
from arcade.engines.honshu.rules import VARIANTS, HonshuPosition, Move, shape, start_corner
from arcade.engines.honshu.tiles import Tile
from arcade.engines.verdict import MoveVerdict, Proof, ScoreVerdict, mark_best

_FAR, _HERE, _NEXT = range(25), range(25, 26), range(26, 30)
MIX = (
    (60, 0, _NEXT),
    (30, kernel.RAISED, _HERE),
    (25, kernel.SWAP, _HERE),
    (25, kernel.SWAP | kernel.TURNED, _HERE),
    (30, kernel.TURNED, _HERE),
    (35, kernel.RELOCATE, _FAR),
    (45, kernel.RELOCATE | kernel.RAISED, _FAR),
    (6, kernel.RELOCATE | kernel.RAISED | kernel.DROPPED, _FAR),
)
"""Kinds of change in replica exchange: tries out of 256, flags and range of steps. See `kernel.KINDS`."""

_RANGES = {"squares": (1.6, 0.6), "forests5": (1.2, 0.4)}
"""Highest and lowest temperature in points, by variant. With both variants, the first entry applies."""

SLICE = 1 << 20


def _table(position: HonshuPosition) -> Ints:
    t = np.zeros(kernel.CONSTANTS_LENGTH, np.int64)
    size, width = position.size, position.size + 2
    t[: len(VARIANTS)] = [name in position.variants for name in VARIANTS]
    base, hand = len(position.map.layers), len(position.hand)
    t[kernel.SIZE], t[kernel.BASE], t[kernel.HAND] = size, base, hand
    t[kernel.FIELDS] = sum(1 << 3 * tile for tile in range(base + hand))
    far = [row * width + column for row in range(-2, 3) for column in range(-2, 3)]
    t[kernel.STEPS : kernel.STEPS + 30] = [*far, 0, 1, -1, width, -width]
    kinds = [flags | len(steps) << 8 | steps.start << 16 for many, flags, steps in MIX for _ in range(many)]
    t[kernel.KINDS : kernel.KINDS + 256] = kinds
    t[kernel.UNIT + 1 : kernel.UNIT + 7] = [1 << 10 * place for place in range(6)]
    line = size + 1
    rows = min(size, 64 // line)
    t[kernel.WORDS], t[kernel.LINE], t[kernel.JUMP] = -(-size // rows), line, line * (rows - 1)
    for row, column in product(range(size), repeat=2):
        cell = cell_of(position, row, column)
        t[kernel.WORD + cell], t[kernel.BIT + cell] = row // rows, 1 << row % rows * line + column
    for rotation in range(2):
        height, breadth = shape(rotation)
        cells = [row * width + column for row in range(height) for column in range(breadth)]
        t[kernel.OFFSETS + 6 * rotation : kernel.OFFSETS + 6 * rotation + 6] = cells
        for place, cell in enumerate(cells):
            t[kernel.CORNERS + kernel.LYING * rotation + cell] = 3 * place
        for row, column in product(range(size - height + 1), range(size - breadth + 1)):
            t[kernel.FITS + cell_of(position, row, column)] |= 1 << rotation
    for tile, each in enumerate(position.hand):
        for rotation in range(4):
            t[kernel.TERRAINS_OF + 4 * tile + rotation] = _codes(each, rotation)
    for level, temperature in enumerate(_temperatures(position)):
        row = kernel.CHANCES + 64 * level
        t[row : row + 63] = [2**23 * exp(-points / 2 / temperature) for points in range(1, 64)]
    return t


def _temperatures(position: HonshuPosition) -> list[float]:
    """Return temperatures in points: of the replicas, then of the exchanges between neighbouring replicas."""
    hot, cold = next((_RANGES[name] for name in _RANGES if name in position.variants), (0.66, 0.33))
    levels = [hot * (cold / hot) ** (level / (kernel.LEVELS - 1)) for level in range(kernel.LEVELS)]
    return [*levels, *(1 / (1 / colder - 1 / hotter) for hotter, colder in pairwise(levels))]


def cell_of(position: HonshuPosition, row: int, column: int) -> int:
    return (row + 2) * (position.size + 2) + column + 2


def _codes(tile: Tile, rotation: int) -> int:
    letters = "".join(tile.rotated(rotation))
    return sum(kernel.CODES[letter] << 3 * place for place, letter in enumerate(letters))


def state(position: HonshuPosition, replicas: int = 0) -> Ints:
    """Return the array `s` for the kernels, with space for `replicas` and no tile of the hand laid."""
    at = kernel.REPLICAS_START + replicas * kernel.REPLICA
    s = np.zeros(at + kernel.REPLICA * (2 if replicas else 1), np.int64)
    s[: kernel.CONSTANTS_LENGTH] = t = _table(position)
    hand, base = len(position.hand), len(position.map.layers)
    s[kernel.BEST] = kernel.NONE
    s[kernel.CHANGES_END] = kernel.CHANGES
    counts = shown = 0
    for row, column in product(range(position.size), repeat=2):
        cell = cell_of(position, row, column)
        s[at + cell] = kernel.GROUND
        layer = position.layer_at(row, column)
        if layer is None:
            continue
        code = kernel.CODES[position.terrain_at(row, column)]
        s[at + cell] |= 2 << layer
        counts += 1 << 10 * (code - 1)
        shown += 1 << 3 * (hand + layer)
        board = at + kernel.REPLICA_OFFSET + kernel.BOARDS + t[kernel.WORDS] * code + t[kernel.WORD + cell]
        s[board] |= t[kernel.BIT + cell]
    s[at + kernel.REPLICA_OFFSET + kernel.COUNTS] = counts
    s[at + kernel.REPLICA_OFFSET + kernel.SHOWN] = shown + sum(1 << 3 * tile for tile in range(hand))
    middle = start_corner(position.size)
    laid = [Move(position.start.id, 0, middle, middle), *position.laid]
    tiles = [position.start, *(position.tile_of[move.tile] for move in position.laid)]
    s[at + kernel.LAYOUT : at + kernel.LAYOUT + hand] = kernel.UNLAID
    s[at + kernel.RECORD] = kernel.FITS << 24 | 63 << 18
    for layer, (tile, move) in enumerate(zip(tiles, laid, strict=True)):
        corner = cell_of(position, move.row, move.column)
        s[at + kernel.LAYOUT + hand + layer :: kernel.TILES][:3] = layer + 1, move.rotation, corner
        origin = kernel.CORNERS + kernel.LYING * (move.rotation & 1) - corner
        record = origin << 24 | 3 * (hand + layer) << 18 | _codes(tile, move.rotation)
        s[at + kernel.RECORD + layer + 1] = record
    s[at + kernel.RANKS] = (2 << base) - 1
    return s


def layout(position: HonshuPosition, s: Ints, place: int = kernel.BEST_LAYOUT) -> list[Move]:
    ranks, rotations, corners = s[place : place + 3 * kernel.TILES].reshape(3, kernel.TILES)
    hand = range(len(position.hand))
    order = sorted((int(ranks[tile]), tile) for tile in hand if ranks[tile] != kernel.UNLAID)
    return [_move(position, tile, rotations[tile], corners[tile]) for _, tile in order]


def _move(position: HonshuPosition, tile: int, rotation: int, corner: int) -> Move:
    row, column = divmod(int(corner), position.size + 2)
    return Move(position.hand[tile].id, int(rotation), row - 2, column - 2)


def first_moves(position: HonshuPosition, layout: Sequence[Move]) -> list[int]:
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
    rest = sum(1 << 10 * (kernel.CODES[letter] - 1) for letter in "".join(shown))
    return ProofSearch(
        state(position),
        np.full((len(shown) + 1, kernel.ROW), -1, np.int64),
        depth=np.zeros(1, np.int64),
        rest=np.array([rest], np.int64),
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
    """Return the highest final score and all first moves that can lead to it, or None if stopped."""
    search, most = proof_search(position), kernel.NONE
    first: set[Move] = set()
    while not control.stopped:
        outcome = kernel.search(search, most - 1, SLICE, control.cells, control=control)
        if outcome == kernel.PROVED:
            return most, frozenset(first)
        if outcome == kernel.FOUND:
            score = int(search.s[kernel.TOTAL])
            if score > most:
                most = score
                first.clear()
            layout = moves_found(position, search)
            first.update(_alike(position, (layout[index] for index in first_moves(position, layout))))
    return None


def _alike(position: HonshuPosition, moves: Iterable[Move]) -> Iterator[Move]:
    for move in moves:
        shown = position.tile_of[move.tile]
        for tile in {tile.id for tile in position.hand if tile.terrains == shown.terrains}:
            for turn in (0, 2) if shown.is_half_turn else (0,):
                yield replace(move, tile=tile, rotation=(move.rotation + turn) % 4)


def values(position: HonshuPosition, control: Control) -> list[MoveVerdict[Move]]:
    return _judged(position, best_first(position, control))


def look_ahead(position: HonshuPosition, tiles: int, control: Control) -> list[MoveVerdict[Move]]:
    """Return the legal moves with verdicts based on the best score after `tiles` more tiles."""
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

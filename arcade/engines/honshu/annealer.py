"""The annealing kernel: layouts as stacks of tiles, changed one or two tiles at a time.

A layout gives tiles of the hand a rank, a rotation and a cell. Ranks say which tile lies on which; they are
numbers from 0 to 62 with gaps, so that a tile can move up or down in the stack without changing another. Each
cell of the board records the tiles that cover it, for k tiles in the hand and nb tiles on the board at the
start:

      bit of s[COLUMN + cell]     62 ... 63-k | 62-k ... nb | nb-1 ... 0
                                  completion  | layout      | tiles that lay there at the start, in order

      highest bit set             the tile that is visible there
      lowest bit set              the tile that lies there on bare board

Cell numbers include a frame one cell wide around the board, so that neighbours need no edge test:

      cell = (row + 1) * width + column + 1        width = size + 2

For any size of board and hand, a change touches at most 12 cells, or 24 when two tiles swap places, and
updates: the terrain on top of each cell, the list of cells of each terrain, how many cells
of each tile are visible, and how many lie on bare board. A layout is legal when no lake is hidden, no tile is
invisible, and no tile of the hand lies on bare board with all six cells. Played in the order of their ranks
such tiles obey every rule, since a cell that is visible at the end was visible from the start.

Only villages and lakes need a search of the map, and only when they changed and the rest of the score still
allows the change to be accepted.

Terrain codes are 1 + the index in `TERRAINS`; 0 is bare board. One int64 array `s` holds the layout, another,
`t`, the constants of a search: numba is slow at passing many arrays to a function.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arcade.engines.compiled import leading_zeros, njit, trailing_zeros
from arcade.engines.control import NODES, STOP

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
Floats = NDArray[np.float64]

PLAIN, FOREST, LAKE, VILLAGE, RESOURCE, FACTORY = 1, 2, 3, 4, 5, 6

GRID = 344
"""Room for the cells of the largest board and its frame."""

# Parts of `s`, each indexed by cell.
COLUMN = 0
TOP = GRID
"""Terrain on top."""
WHERE = 2 * GRID
"""Index of the cell in the list of its terrain."""
STAMP = 3 * GRID
"""The last group search that visited the cell."""
STACK = 4 * GRID
"""Cells that a search must visit, by depth."""
PLACES = 5 * GRID
"""Legal placements on top of the stack: 2 * corner + lying, two grids long."""
LISTS = 7 * GRID
"""Cells that show a terrain: GRID * terrain + index in the list."""
LAYER = 14 * GRID
"""Terrain of a tile in a cell: GRID * rank + cell; only where the tile lies."""

# Parts of `s` indexed by rank.
VISIBLE = LAYER + 63 * GRID
BARE = VISIBLE + 64

COUNTS = BARE + 64
"""COUNTS + terrain: visible cells of each terrain."""
CHANGED = COUNTS + 8
"""CHANGED + terrain: whether the cells of a terrain changed since its points were counted."""
HIDDEN_LAKES, INVISIBLE, FLOATING, LAID, SEARCHES = (COUNTS + place for place in range(16, 21))
RANKS = COUNTS + 21
"""The ranks in use, as bits."""
POINTS = COUNTS + 24
"""Points of villages, forests, lakes and plains as last counted: POINTS + terrain - 1."""
STATE = POINTS + 8
"""Length of `s`."""

# Indices in `t`.
LAKES2, PLAINS4, FACTORIES2, SQUARES, FORESTS5 = 0, 1, 2, 3, 4
SIZE, WIDTH, BASE, HAND, START = 5, 6, 7, 8, 9
SHIFT, RISE, TRADE, TURN, RAISE_FAR, DROP = 10, 11, 12, 13, 14, 15
"""Of 256 attempted changes, those below the number at SHIFT move a tile one cell, and so on; see `anneal`."""
OFFSETS = 16
"""Cells of an upright tile from its corner, then those of a lying one, six each."""
TERRAIN_OF = 32
"""Terrain codes in the order of the offsets: TERRAIN_OF + 6 * (4 * tile + rotation)."""
TABLE = TERRAIN_OF + 24 * 20
"""Length of `t`."""

UNLAID = -1
"""Rank of a tile that is still in the hand."""
NONE = -1000
"""Lower than any score."""


@njit(nogil=True)
def _random(random: Words) -> np.uint64:
    """64 random bits (xorshift64*, Vigna 2016)."""
    x = random[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    random[0] = x
    return np.uint64(x * np.uint64(0x2545F4914F6CDD1D))


@njit(nogil=True)
def _below(random: Words, limit: int) -> int:
    return int(np.int64(((_random(random) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32)))


@njit(nogil=True)
def _show(s: Ints, cell: int, terrain: int) -> None:
    old = s[TOP + cell]
    if old == terrain:
        return
    if old:
        last = s[COUNTS + old] - 1
        s[COUNTS + old] = last
        moved = s[LISTS + GRID * old + last]
        place = s[WHERE + cell]
        s[LISTS + GRID * old + place] = moved
        s[WHERE + moved] = place
        s[CHANGED + old] = 1
    if terrain:
        count = s[COUNTS + terrain]
        s[LISTS + GRID * terrain + count] = cell
        s[WHERE + cell] = count
        s[COUNTS + terrain] = count + 1
        s[CHANGED + terrain] = 1
    s[TOP + cell] = terrain


@njit(nogil=True, cache=True)
def lay(s: Ints, t: Ints, tile: int, rank: int, rotation: int, corner: int) -> None:
    """Lay a tile at a free rank, wherever that may be in the stack."""
    bit = 1 << rank
    shape = OFFSETS + 6 * (rotation & 1)
    terrains = TERRAIN_OF + 6 * (4 * tile + rotation)
    shown = 0
    bare = 0
    for index in range(6):
        cell = corner + t[shape + index]
        terrain = t[terrains + index]
        s[LAYER + GRID * rank + cell] = terrain
        column = s[COLUMN + cell]
        if bit > column:
            shown += 1
            if column:
                under = 63 - leading_zeros(column)
                s[VISIBLE + under] -= 1
                if s[VISIBLE + under] == 0:
                    s[INVISIBLE] += 1
                if s[TOP + cell] == LAKE:
                    s[HIDDEN_LAKES] += 1
            else:
                bare += 1
            _show(s, cell, terrain)
        else:
            if terrain == LAKE:
                s[HIDDEN_LAKES] += 1
            above = trailing_zeros(column)
            if rank < above:
                if s[BARE + above] == 6:
                    s[FLOATING] -= 1
                s[BARE + above] -= 1
                bare += 1
        s[COLUMN + cell] = column | bit
    s[RANKS] |= bit
    s[VISIBLE + rank] = shown
    s[BARE + rank] = bare
    if shown == 0:
        s[INVISIBLE] += 1
    if bare == 6:
        s[FLOATING] += 1


@njit(nogil=True, cache=True)
def lift(s: Ints, t: Ints, tile: int, rank: int, rotation: int, corner: int) -> None:
    """Take a tile out of the stack; the inverse of `lay`."""
    bit = 1 << rank
    shape = OFFSETS + 6 * (rotation & 1)
    terrains = TERRAIN_OF + 6 * (4 * tile + rotation)
    s[RANKS] ^= bit
    if s[VISIBLE + rank] == 0:
        s[INVISIBLE] -= 1
    if s[BARE + rank] == 6:
        s[FLOATING] -= 1
    for index in range(6):
        cell = corner + t[shape + index]
        column = s[COLUMN + cell] ^ bit
        s[COLUMN + cell] = column
        if bit > column:
            terrain = 0
            if column:
                under = 63 - leading_zeros(column)
                if s[VISIBLE + under] == 0:
                    s[INVISIBLE] -= 1
                s[VISIBLE + under] += 1
                terrain = s[LAYER + GRID * under + cell]
                if terrain == LAKE:
                    s[HIDDEN_LAKES] -= 1
            _show(s, cell, terrain)
        else:
            if t[terrains + index] == LAKE:
                s[HIDDEN_LAKES] -= 1
            above = trailing_zeros(column)
            if rank < above:
                s[BARE + above] += 1
                if s[BARE + above] == 6:
                    s[FLOATING] += 1


@njit(nogil=True)
def _possible(s: Ints, t: Ints, tile: int, own: int, rank: int, rotation: int, corner: int) -> bool:
    """Whether the six cells allow a tile to lie here; `own` is its present bit, which is ignored."""
    bit = 1 << rank
    if bit & s[RANKS] & ~own:
        return False
    shape = OFFSETS + 6 * (rotation & 1)
    terrains = TERRAIN_OF + 6 * (4 * tile + rotation)
    shows = False
    rests = False
    for index in range(6):
        cell = corner + t[shape + index]
        column = s[COLUMN + cell] & ~own
        if column & (bit - 1):
            rests = True
        if bit > column:
            shows = True
            if column and s[LAYER + GRID * (63 - leading_zeros(column)) + cell] == LAKE:
                return False
        elif t[terrains + index] == LAKE:
            return False
    return shows and rests


@njit(nogil=True)
def _blocks(s: Ints, cell: int, terrain: int, width: int) -> int:
    """Points of the 2x2 block with its top left in a cell."""
    block = s[TOP + cell + 1] == terrain and s[TOP + cell + width] == terrain
    return 4 if block and s[TOP + cell + width + 1] == terrain else 0


@njit(nogil=True)
def count_points(s: Ints, t: Ints, terrain: int) -> None:
    """Search the groups of a terrain and update its points."""
    s[CHANGED + terrain] = 0
    width = t[WIDTH]
    count = s[COUNTS + terrain]
    cells = LISTS + GRID * terrain
    plains = 0
    if terrain == PLAIN:
        for index in range(count):
            plains += _blocks(s, s[cells + index], PLAIN, width)
        s[POINTS + PLAIN - 1] = plains
        return
    s[SEARCHES] += 1
    now = s[SEARCHES]
    left = count
    groups = 0
    largest = 0
    squares = 0
    forests = 0
    for index in range(count):
        start = s[cells + index]
        if s[STAMP + start] == now:
            continue
        groups += 1
        size = 0
        inside = 0
        s[STAMP + start] = now
        s[STACK] = start
        depth = 1
        while depth:
            depth -= 1
            cell = s[STACK + depth]
            size += 1
            for direction in range(4):
                near = cell + (
                    1 if direction == 0 else -1 if direction == 1 else width if direction == 2 else -width
                )
                if s[TOP + near] == terrain and s[STAMP + near] != now:
                    s[STAMP + near] = now
                    s[STACK + depth] = near
                    depth += 1
            if t[SQUARES]:
                inside += _blocks(s, cell, terrain, width)
        left -= size
        if size > largest or (size == largest and inside > squares):
            largest = size
            squares = inside
        forests += size * (size + 1) // 2 if size <= 5 else 15 + 5 * (size - 5)
        if terrain == VILLAGE and left < largest:
            break
    if terrain == VILLAGE:
        s[POINTS + VILLAGE - 1] = largest + squares
    elif terrain == LAKE:
        s[POINTS + LAKE - 1] = 3 * (count - groups)
    else:
        s[POINTS + FOREST - 1] = forests


@njit(nogil=True, cache=True)
def score(s: Ints, t: Ints, least: int) -> int:
    """The score of the layout; if it is below `least`, this may be a still lower number, found faster."""
    total = 4 * min(s[COUNTS + RESOURCE], s[COUNTS + FACTORY] * (1 + t[FACTORIES2]))
    if t[LAKES2]:
        s[POINTS + LAKE - 1] = 2 * s[COUNTS + LAKE]
    elif s[CHANGED + LAKE]:
        count_points(s, t, LAKE)
    if not t[FORESTS5]:
        s[POINTS + FOREST - 1] = 2 * s[COUNTS + FOREST]
    elif s[CHANGED + FOREST]:
        count_points(s, t, FOREST)
    if t[PLAINS4] and s[CHANGED + PLAIN]:
        count_points(s, t, PLAIN)
    total += s[POINTS + LAKE - 1] + s[POINTS + FOREST - 1] + s[POINTS + PLAIN - 1]
    if s[CHANGED + VILLAGE]:
        if not t[SQUARES] and total + s[COUNTS + VILLAGE] < least:
            return NONE
        count_points(s, t, VILLAGE)
    return total + s[POINTS + VILLAGE - 1]


@njit(nogil=True)
def _legal_on_top(s: Ints, t: Ints, lying: int, corner: int) -> bool:
    """Whether a tile may be laid on the finished stack."""
    shape = OFFSETS + 6 * lying
    rests = False
    for index in range(6):
        column = s[COLUMN + corner + t[shape + index]]
        if column == 0:
            continue
        rests = True
        if s[TOP + corner + t[shape + index]] == LAKE:
            return False
        rank = leading_zeros(column)
        covered = 0
        for other in range(6):
            below = s[COLUMN + corner + t[shape + other]]
            if below and leading_zeros(below) == rank:
                covered += 1
        if covered == s[VISIBLE + 63 - rank]:
            return False
    return rests


@njit(nogil=True)
def find_places(s: Ints, t: Ints) -> int:
    """List the legal placements on top of the stack in `s[PLACES:]`; returns their number."""
    size = t[SIZE]
    found = 0
    for lying in range(2):
        for row in range(1, size - 1 + lying):
            for column in range(1, size - lying):
                corner = row * t[WIDTH] + column
                if _legal_on_top(s, t, lying, corner):
                    s[PLACES + found] = 2 * corner + lying
                    found += 1
    return found


@njit(nogil=True, cache=True)
def complete(s: Ints, t: Ints, placed: Ints, random: Words, greedy: bool) -> int:
    """Lay the tiles of the hand on top until none is left or none can be laid; returns the score.

    Args:
        s, t: a legal layout, and what it is a layout of.
        placed: rank, rotation and corner of each tile, rank `UNLAID` for those in the hand, shape (hand, 3).
        random: state of the random numbers, shape (1,).
        greedy: whether to choose the placement that scores most, the first of equals; else draw tile, cell
            and rotation at random.
    """
    hand = t[HAND]
    rank = 63 - hand
    while s[LAID] < hand:
        found = find_places(s, t)
        if found == 0:
            break
        tile = _below(random, hand)
        while placed[tile, 0] != UNLAID:
            tile = _below(random, hand)
        place = s[PLACES + _below(random, found)]
        rotation = (place & 1) + 2 * _below(random, 2)
        most = NONE
        if greedy:
            for each in range(hand):
                if placed[each, 0] != UNLAID:
                    continue
                for way in range(4):
                    for index in range(found):
                        spot = s[PLACES + index]
                        if (spot ^ way) & 1:
                            continue
                        lay(s, t, each, rank, way, spot >> 1)
                        points = score(s, t, most)
                        lift(s, t, each, rank, way, spot >> 1)
                        if points > most:
                            most = points
                            tile = each
                            rotation = way
                            place = spot
        lay(s, t, tile, rank, rotation, place >> 1)
        placed[tile, 0] = rank
        placed[tile, 1] = rotation
        placed[tile, 2] = place >> 1
        s[LAID] += 1
        rank += 1
    for terrain in range(1, 7):
        s[CHANGED + terrain] = 1
    return score(s, t, NONE)


@njit(nogil=True)
def _copy(source: Ints, target: Ints) -> None:
    # Not target[:] = source, which numba needs a second longer to compile.
    for tile in range(len(source)):
        for part in range(3):
            target[tile, part] = source[tile, part]


@njit(nogil=True)
def _final(s: Ints, t: Ints, placed: Ints, random: Words, best_placed: Ints, best: Ints) -> None:
    """Complete a layout with tiles left over for its score's sake, then take the tiles off again."""
    before = np.empty(placed.shape, np.int64)
    _copy(placed, before)
    points = complete(s, t, placed, random, True)
    if points > best[0]:
        best[0] = points
        _copy(placed, best_placed)
    for tile in range(t[HAND]):
        if before[tile, 0] == UNLAID and placed[tile, 0] != UNLAID:
            lift(s, t, tile, placed[tile, 0], placed[tile, 1], placed[tile, 2])
            s[LAID] -= 1
    _copy(before, placed)
    score(s, t, NONE)


@njit(nogil=True, cache=True)
def anneal(
    s: Ints,
    t: Ints,
    placed: Ints,
    best_placed: Ints,
    best: Ints,
    random: Words,
    logs: Floats,
    tries: int,
    hot: float,
    cold: float,
    cells: Ints,
) -> int:
    """One annealing run from the layout in `s`; returns the layouts tried, legal or not.

    A run that starts with tiles left over also adds and removes tiles. It rates an unfinished layout as it
    is, but records only completed ones.

    Args:
        s, t, placed, random: see `complete`; the layout is legal.
        best_placed: like `placed`, for the best final layout known; a better one replaces it.
        best: its score, shape (1,), int64.
        logs: logarithms of numbers spread evenly between 0 and 1, in random order; their count is a power of
            two.
        tries: layouts to try; fewer if `cells[STOP]` is set.
        hot, cold: the first and last temperature, in points.
        cells: the cells of a `Control`; NODES counts up during the run.
    """
    size, width, base, hand = t[SIZE], t[WIDTH], t[BASE], t[HAND]
    ranks = 63 - hand - base
    cramped = s[LAID] < hand
    kept = np.empty(4, np.int64)
    now = score(s, t, NONE)
    temperature = hot
    cooling = (cold / hot) ** (1024.0 / tries)
    done = 0
    while done < tries:
        if done & 1023 == 0:
            if cells[STOP]:
                break
            cells[NODES] += 1024
            temperature *= cooling
        done += 1
        bits = int(np.int64(_random(random) >> np.uint64(1)))
        kind = bits & 255
        tile = ((bits >> 8 & 0xFFFF) * hand) >> 16
        least = now + temperature * logs[bits >> 40 & (logs.size - 1)]
        rank, rotation, corner = placed[tile, 0], placed[tile, 1], placed[tile, 2]
        new_rank, new_rotation, new_corner = rank, rotation, corner
        other = -1
        own = 0
        if rank == UNLAID:
            kind = 255
            new_rank = base + _below(random, ranks)
        else:
            own = 1 << rank
        drop = cramped and rank != UNLAID and kind >= t[DROP]
        if drop:
            pass
        elif kind < t[SHIFT]:
            step = bits >> 24 & 3
            new_corner += 1 if step == 0 else -1 if step == 1 else width if step == 2 else -width
        elif kind < t[RISE]:
            new_rank = base + _below(random, ranks)
        elif kind < t[TRADE]:
            other = ((bits >> 24 & 0xFFFF) * hand) >> 16
            if other == tile or placed[other, 0] == UNLAID:
                continue
            new_rank, new_corner = placed[other, 0], placed[other, 2]
            new_rotation = placed[other, 1] ^ (2 * (kind & 1))
        elif kind < t[TURN]:
            new_rotation = rotation ^ 2
        else:
            if kind < t[RAISE_FAR]:
                new_rank = base + _below(random, ranks)
            new_rotation = bits >> 24 & 3
            near = _below(random, hand + 1)
            new_corner = t[START] if near == hand or placed[near, 0] == UNLAID else placed[near, 2]
            new_corner += (_below(random, 5) - 2) * width + _below(random, 5) - 2
        if not drop:
            row = new_corner // width
            column = new_corner - row * width
            lying = new_rotation & 1
            if row < 1 or column < 1 or row > size - 2 + lying or column > size - 1 - lying:
                continue
            if other < 0 and not _possible(s, t, tile, own, new_rank, new_rotation, new_corner):
                continue
        for index in range(4):
            kept[index] = s[POINTS + index]
        if rank != UNLAID:
            lift(s, t, tile, rank, rotation, corner)
        if other >= 0:
            other_rotation = placed[other, 1]
            lift(s, t, other, new_rank, other_rotation, new_corner)
            lay(s, t, other, rank, rotation, corner)
        if not drop:
            lay(s, t, tile, new_rank, new_rotation, new_corner)
        if s[HIDDEN_LAKES] == 0 and s[INVISIBLE] == 0 and s[FLOATING] == 0:
            points = score(s, t, least)
            if points >= least:
                now = points
                s[LAID] += int(rank == UNLAID) - int(drop)
                placed[tile, 0] = UNLAID if drop else new_rank
                placed[tile, 1] = new_rotation
                placed[tile, 2] = new_corner
                if other >= 0:
                    placed[other, 0], placed[other, 1], placed[other, 2] = rank, rotation, corner
                if now > best[0]:
                    if s[LAID] == hand:
                        best[0] = now
                        _copy(placed, best_placed)
                    else:
                        _final(s, t, placed, random, best_placed, best)
                continue
        if not drop:
            lift(s, t, tile, new_rank, new_rotation, new_corner)
        if other >= 0:
            lift(s, t, other, rank, rotation, corner)
            lay(s, t, other, new_rank, other_rotation, new_corner)
        if rank != UNLAID:
            lay(s, t, tile, rank, rotation, corner)
        for index in range(4):
            s[POINTS + index] = kept[index]
        for terrain in range(1, 7):
            s[CHANGED + terrain] = 0
    return done

"""The kernels: layouts as stacks of tiles, annealing for the best one, and an exhaustive search with a bound.

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

For any size of board and hand, a change touches at most 12 cells, or 24 when two tiles swap places. It
updates the terrain on top of each cell, the list of cells of each terrain, how many cells of each tile are
visible, and how many lie on bare board. A layout is legal when no lake is hidden, no tile is invisible, and
no tile of the hand lies on bare board with all six cells. Played in the order of their ranks such tiles obey
every rule, since a cell that is visible at the end was visible from the start.

Only villages and lakes need a search of the map, and only when they changed and the rest of the score still
allows the change to be accepted.

Terrain codes are 1 + the index in `TERRAINS`; 0 is bare board. One int64 array `s` holds the layout, another,
`t`, the constants of a search: numba is slow at passing many arrays to a function.

The bound of a map with a hand of m tiles adds up what all visible cells and all cells of the hand could
score, and subtracts the least that must get hidden:

* every tile laid hides at least one visible cell, and what is visible at the end fits on the board, so at
  least max(m, visible + 6 m - size * size) cells disappear, of whatever terrain costs least; a tile that is
  never laid counts as six hidden cells;
* the village is at most all village cells that are left; a forest all forest cells;
* lakes are never hidden, and a lake cell of a tile has at most two neighbours outside its tile, so at least
  lakes - 2 * (lake cells of the hand) remain, and at least one.

No final map that is reached from here scores more than this bound.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arcade.engines.compiled import leading_zeros, njit, trailing_zeros
from arcade.engines.control import DEPTH, NODES, STOP

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

# Columns of the stack of an exhaustive search, see `ProofSearch`.
PLACES_COUNT, NEXT, TILE, ROTATION, PLACE, LIST = 0, 1, 2, 3, 4, 16
ROW = LIST + 2 * 14 * 15
"""Length of a row of the stack."""

RUNNING, PROVED, FOUND = 0, 1, 2
"""Results of `search`: out of budget or stopped; no score is above the target; one is."""

UNLAID = -1
"""Rank of a tile that is still in the hand."""
NONE = -1000
"""Lower than any score."""


class Chain(NamedTuple):
    """The arrays of one chain of annealing runs."""

    s: Ints
    """A legal layout."""
    t: Ints
    """What it is a layout of."""
    placed: Ints
    """Rank, rotation and corner of each tile, rank `UNLAID` for those in the hand, shape (hand, 3)."""
    random: Words
    """State of the random numbers, shape (1,)."""
    best_placed: Ints
    """Like `placed`, for the best final layout known."""
    best: Ints
    """Its score, shape (1,)."""


class ProofSearch(NamedTuple):
    """The arrays of one exhaustive search."""

    s: Ints
    """The map at `depth`."""
    t: Ints
    q: Ints
    """The stack, shape (hand + 1, ROW): a row of 16 numbers and a list of places for each depth.

        q[depth, 0]      legal places here, -1 before they are listed
        q[depth, 1]      next candidate: (4 * tile + rotation) * places + place
        q[depth, 2..4]   the tile, rotation and place that led to the next depth, -1 for none
        q[depth, 16..]   the places, 2 * corner + lying
    """
    depth: Ints
    """Tiles laid so far by the search, shape (1,)."""
    rest: Ints
    """Cells of each terrain in the tiles that are left, by terrain code, shape (7,)."""
    used: Ints
    """Which tiles are laid, shape (hand,)."""
    twins: Ints
    """The class of each tile, the index of the first that equals it, shape (hand,)."""
    halves: Ints
    """Which tiles are their own half turn, shape (hand,)."""


class Cells(NamedTuple):
    """Numbers of cells by terrain."""

    plains: int
    villages: int
    forests: int
    lakes: int
    resources: int
    factories: int


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
def _step(direction: int, width: int) -> int:
    """What to add to a cell's number for its neighbour in one of four directions."""
    return 1 if direction == 0 else -1 if direction == 1 else width if direction == 2 else -width


@njit(nogil=True)
def _forest_points(cells: int) -> int:
    """Points of a forest in the variant `forests5`."""
    return cells * (cells + 1) // 2 if cells <= 5 else 15 + 5 * (cells - 5)


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
                near = cell + _step(direction, width)
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
        forests += _forest_points(size)
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
    count = 0
    for lying in range(2):
        for row in range(1, size - 1 + lying):
            for column in range(1, size - lying):
                corner = row * t[WIDTH] + column
                if _legal_on_top(s, t, lying, corner):
                    s[PLACES + count] = 2 * corner + lying
                    count += 1
    return count


@njit(nogil=True, cache=True)
def complete(chain: Chain, greedy: bool) -> int:
    """Lay the tiles of the hand on top until none is left or none can be laid; returns the score.

    The greedy way chooses the placement that scores most, the first of equals; else tile, cell and rotation
    are drawn at random.
    """
    s, t, placed, random = chain.s, chain.t, chain.placed, chain.random
    hand = t[HAND]
    rank = 63 - hand
    while s[LAID] < hand:
        places = find_places(s, t)
        if places == 0:
            break
        tile = _below(random, hand)
        while placed[tile, 0] != UNLAID:
            tile = _below(random, hand)
        place = s[PLACES + _below(random, places)]
        rotation = (place & 1) + 2 * _below(random, 2)
        most = NONE
        if greedy:
            for candidate in range(hand):
                if placed[candidate, 0] != UNLAID:
                    continue
                for turns in range(4):
                    for index in range(places):
                        spot = s[PLACES + index]
                        if (spot ^ turns) & 1:
                            continue
                        lay(s, t, candidate, rank, turns, spot >> 1)
                        points = score(s, t, most)
                        lift(s, t, candidate, rank, turns, spot >> 1)
                        if points > most:
                            most, tile, rotation, place = points, candidate, turns, spot
        lay(s, t, tile, rank, rotation, place >> 1)
        placed[tile, 0], placed[tile, 1], placed[tile, 2] = rank, rotation, place >> 1
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
def _final(chain: Chain) -> None:
    """Complete a layout with tiles left over for its score's sake, then take the tiles off again."""
    s, t, placed = chain.s, chain.t, chain.placed
    before = np.empty(placed.shape, np.int64)
    _copy(placed, before)
    points = complete(chain, True)
    if points > chain.best[0]:
        chain.best[0] = points
        _copy(placed, chain.best_placed)
    for tile in range(t[HAND]):
        if before[tile, 0] == UNLAID and placed[tile, 0] != UNLAID:
            lift(s, t, tile, placed[tile, 0], placed[tile, 1], placed[tile, 2])
            s[LAID] -= 1
    _copy(before, placed)
    score(s, t, NONE)


@njit(nogil=True, cache=True)
def anneal(chain: Chain, logs: Floats, tries: int, hot: float, cold: float, cells: Ints) -> int:
    """One annealing run from a layout; returns the layouts tried, legal or not.

    Each try changes one tile, or swaps two, and takes the change back when the layout is then illegal or its
    score is below `least`, a random number of points under the present one (Metropolis). A try:

    1. draw a tile and a kind of change: move it one cell, move it up or down in the stack, swap it with
       another, turn it by half, or lay it anywhere near another tile, perhaps at another rank;
    2. give up at once where the six cells alone show that it cannot lie there;
    3. lift what moves, lay it anew, and look at the counts of `s` and the score;
    4. keep the change, and record the best layout; or undo it in reverse.

    A run that starts with tiles left over also adds and removes tiles. It rates an unfinished layout as it
    is, but records only completed ones.

    Args:
        chain: the layout; the best one known is replaced by a better one.
        logs: logarithms of numbers spread evenly between 0 and 1, in random order; their count is a power of
            two.
        tries: layouts to try; fewer if `cells[STOP]` is set.
        hot, cold: the first and last temperature, in points.
    """
    s, t, placed, random, best = chain.s, chain.t, chain.placed, chain.random, chain.best
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
        # One draw of 63 bits serves the kind of change, the tile, the other tile or step, and the logarithm.
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
            new_corner += _step(bits >> 24 & 3, width)
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
                placed[tile, 1], placed[tile, 2] = new_rotation, new_corner
                if other >= 0:
                    placed[other, 0], placed[other, 1], placed[other, 2] = rank, rotation, corner
                if now > best[0]:
                    if s[LAID] == hand:
                        best[0] = now
                        _copy(placed, chain.best_placed)
                    else:
                        _final(chain)
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


@njit(nogil=True)
def _least_loss(hidden: int, cells: Cells, takes: int, forest_cost: int, lake_cost: int) -> int:
    """The least loss of points when some number of cells must be hidden, of those that can be."""
    plains, villages, forests, lakes, resources, factories = cells
    if hidden <= plains:
        return 0
    pairs = min(resources, takes * factories)
    least = 4 * pairs + 6 * hidden
    for r in range(min(hidden, resources) + 1):
        for f in range(min(hidden - r, factories) + 1):
            rest = hidden - r - f - plains
            loss = 4 * (pairs - min(resources - r, takes * (factories - f)))
            if rest > 0:
                take = min(rest, villages)
                loss += take
                rest -= take
                take = min(rest, forests)
                loss += take * forest_cost
                rest -= take
                loss += rest * lake_cost
                if rest > lakes:
                    continue
            least = min(least, loss)
    return least


@njit(nogil=True)
def most_blocks(cells: int) -> int:
    """Most 2x2 blocks that c cells can form: c - ceil(2 sqrt(c)) + 1, after Harary and Harborth (1976)."""
    if cells < 4:
        return 0
    root = 0
    while root * root < 4 * cells:
        root += 1
    return cells - root + 1


@njit(nogil=True, cache=True)
def bound(s: Ints, t: Ints, rest: Ints, left: int) -> int:
    """A proven upper bound of every final score that can be reached.

    `rest` are the cells of each terrain in the tiles that are left, so many, by terrain code, shape (7,).
    """
    takes = 1 + t[FACTORIES2]
    visible = 0
    for terrain in range(1, 7):
        visible += s[COUNTS + terrain]
    hidden = max(left, visible + 6 * left - t[SIZE] * t[SIZE])
    plains = s[COUNTS + PLAIN] + rest[PLAIN]
    villages = s[COUNTS + VILLAGE] + rest[VILLAGE]
    forests = s[COUNTS + FOREST] + rest[FOREST]
    lakes = s[COUNTS + LAKE] + rest[LAKE]
    resources = s[COUNTS + RESOURCE] + rest[RESOURCE]
    factories = s[COUNTS + FACTORY] + rest[FACTORY]
    total = villages + 4 * min(resources, takes * factories)
    if t[SQUARES]:
        total += 4 * most_blocks(villages)
    if t[PLAINS4]:
        total += 4 * most_blocks(plains)
    forest_cost = 2
    if t[FORESTS5]:
        forest_cost = 1
        total += _forest_points(forests)
    else:
        total += 2 * forests
    lake_cost = 2
    if t[LAKES2]:
        total += 2 * lakes
    elif lakes:
        if s[CHANGED + LAKE]:
            count_points(s, t, LAKE)
        # One lake cell of a map scores nothing, so one may be missing at no loss.
        lake_cost = 3 if s[COUNTS + LAKE] else 0
        now = s[COUNTS + LAKE] - s[POINTS + LAKE - 1] // 3
        total += 3 * (lakes - max(1, now - 2 * rest[LAKE]))
    can_hide = Cells(plains, villages, forests, rest[LAKE], resources, factories)
    return total - _least_loss(hidden, can_hide, takes, forest_cost, lake_cost)


@njit(nogil=True)
def _overlap(t: Ints, rotation: int, place: int, other_rotation: int, other_place: int) -> bool:
    width = t[WIDTH]
    row = (place >> 1) // width
    other_row = (other_place >> 1) // width
    column = (place >> 1) - row * width
    other_column = (other_place >> 1) - other_row * width
    rows, columns = 3 - (rotation & 1), 2 + (rotation & 1)
    other_rows, other_columns = 3 - (other_rotation & 1), 2 + (other_rotation & 1)
    return (
        row < other_row + other_rows
        and other_row < row + rows
        and column < other_column + other_columns
        and other_column < column + columns
    )


@njit(nogil=True)
def _take(rest: Ints, t: Ints, tile: int, sign: int) -> None:
    """Count the cells of a tile among those that are left: add them (1) or take them out (-1)."""
    for index in range(6):
        rest[t[TERRAIN_OF + 24 * tile + index]] += sign


@njit(nogil=True, cache=True)
def search(proof: ProofSearch, target: int, budget: int, cells: Ints) -> int:
    """Look for a final score above `target`; resumable, so that it can share a thread with annealing.

    It lays tiles on top of the stack in every order, with these cuts:

    * placements after which the bound is not above the target are skipped;
    * of two placements next to each other in the order that do not overlap, only one order is tried, for the
      map is the same (the tile that is first in the hand, of equal tiles the lower place, comes first);
    * equal tiles are laid in the order of the hand, and a tile that is its own half turn in two rotations
      only.

    q[0, 0] of the proof is -1 at the start; the budget is in nodes. Returns RUNNING, PROVED or FOUND. After
    FOUND `proof.s` holds a map with a higher score, and the stack the placements that lead to it; after
    PROVED it is the map of the start.
    """
    s, t, q, rest, used, twins = proof.s, proof.t, proof.q, proof.rest, proof.used, proof.twins
    depth = proof.depth[0]
    hand = t[HAND]
    rank = t[BASE]
    nodes = 0
    while True:
        places = q[depth, PLACES_COUNT]
        if places < 0:
            nodes += 1
            if nodes >= budget or cells[STOP]:
                cells[NODES] += nodes
                cells[DEPTH] = proof.depth[0] = depth
                return RUNNING
            places = find_places(s, t) if depth < hand else 0
            q[depth, PLACES_COUNT] = places
            q[depth, NEXT] = 0
            for index in range(places):
                q[depth, LIST + index] = s[PLACES + index]
            if places == 0 and score(s, t, NONE) > target:
                cells[NODES] += nodes
                proof.depth[0] = depth
                return FOUND
        going = False
        candidate = q[depth, NEXT]
        end = 4 * hand * places
        while candidate < end:
            tile = candidate // (4 * places)
            rotation = candidate // places & 3
            twin = twins[tile]
            skip = used[tile] != 0
            if not skip and twin != tile:
                for other in range(twin, tile):
                    if twins[other] == twin and used[other] == 0:
                        skip = True
            if skip or (proof.halves[tile] and rotation > 1):
                candidate = 4 * places * (tile + 1)
                continue
            place = q[depth, LIST + candidate % places]
            candidate += 1
            if (place ^ rotation) & 1:
                continue
            if depth:
                before = q[depth - 1, TILE]
                first = twins[before]
                if (twin < first or (twin == first and place < q[depth - 1, PLACE])) and not _overlap(
                    t, rotation, place, q[depth - 1, ROTATION], q[depth - 1, PLACE]
                ):
                    continue
            lay(s, t, tile, rank + depth, rotation, place >> 1)
            used[tile] = 1
            _take(rest, t, tile, -1)
            left = hand - depth - 1
            points = bound(s, t, rest, left) if left else score(s, t, target + 1)
            if points > target:
                q[depth, NEXT] = candidate
                q[depth, TILE], q[depth, ROTATION], q[depth, PLACE] = tile, rotation, place
                depth += 1
                q[depth, PLACES_COUNT] = -1
                going = True
                break
            used[tile] = 0
            _take(rest, t, tile, 1)
            lift(s, t, tile, rank + depth, rotation, place >> 1)
            nodes += 1
        if going:
            continue
        if depth == 0:
            cells[NODES] += nodes
            proof.depth[0] = 0
            return PROVED
        depth -= 1
        tile = q[depth, TILE]
        used[tile] = 0
        _take(rest, t, tile, 1)
        lift(s, t, tile, rank + depth, q[depth, ROTATION], q[depth, PLACE] >> 1)


@njit(nogil=True, cache=True)
def rate(proof: ProofSearch, listed: Ints, rates: Ints, cells: Ints) -> None:
    """For each legal move a bound of the final score, and with one or two tiles left its best final score.

    Args:
        proof: the map, as a new search begins there.
        listed: tile, rotation and corner of each move, shape (moves, 3).
        rates: for each move its best final score, `NONE` when not searched, and its bound; shape (moves, 2).
    """
    s, t, rest = proof.s, proof.t, proof.rest
    hand = t[HAND]
    rank = t[BASE]
    for index in range(len(listed)):
        tile, rotation, corner = listed[index, 0], listed[index, 1], listed[index, 2]
        lay(s, t, tile, rank, rotation, corner)
        points = score(s, t, NONE)
        rates[index, 0] = NONE
        rates[index, 1] = points
        if hand == 1:
            rates[index, 0] = points
        else:
            _take(rest, t, tile, -1)
            rates[index, 1] = bound(s, t, rest, hand - 1)
            _take(rest, t, tile, 1)
        if hand == 2 and not cells[STOP]:
            last = 1 - tile
            places = find_places(s, t)
            most = NONE if places else points
            for place in range(places):
                spot = s[PLACES + place]
                for turns in range(spot & 1, 4, 2):
                    lay(s, t, last, rank + 1, turns, spot >> 1)
                    most = max(most, score(s, t, most))
                    lift(s, t, last, rank + 1, turns, spot >> 1)
            rates[index, 0] = rates[index, 1] = most
        lift(s, t, tile, rank, rotation, corner)

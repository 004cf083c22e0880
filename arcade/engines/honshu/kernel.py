"""Find layouts by replica exchange or by exhaustive search with a bound; see docs/solvers/honshu.md.

For k tiles in the hand and b on the board:

    bit of s[at + cell]      62 ... 63-k | 62-k ... b+1 | b ... 1            | 0
                             completion  | layout       | tiles of the start | bare board, always set
    highest bit set          the tile (or bare board) that is visible there
    second lowest bit set    the tile that lies there on bare board

    cell = (row + 2) * width + column + 2        width = size + 2: the frame saves edge tests

A layout is legal if no lake is hidden, no tile is invisible, and no tile of the hand has all six cells on
bare board. A completion lays the last tiles of the hand on top. A replica holds one layout in 3 KB, so that
six replicas fit in the first-level cache:

    s[at + RECORD + rank]    63 ... 24         | 23 ... 18 | 17 ... 15 | ... | 2 ... 0
                             CORNERS - corner  | 3 * tile  | code of the sixth, ..., first cell

    `s[at + COUNTS]`         Visible cells of each terrain, 10 bits each.
    `s[at + SHOWN]`          Visible cells of each tile, 3 bits each; 1 for a tile in the hand.
    `s[at + BARE]`           Each tile's cells on bare board, 3 bits each; 0 for tiles of the start.
    `s[at + BOARDS + ...]`   Cells of a terrain, whole rows per word; an empty column follows each row.

`s[COUNTS]` and the entries after it describe the draft, which is the layout to try next. In a replica, the
same entries are REPLICA_OFFSET further on. One int64 array `s` holds everything, because numba passes many
arrays slowly.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arcade.engines.compiled import leading_zeros, njit, popcount, trailing_zeros
from arcade.engines.control import DEPTH, NODES, STOP

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

VILLAGE, LAKE, FOREST, PLAIN, RESOURCE, FACTORY = 1, 2, 3, 4, 5, 6
CODES = {"V": VILLAGE, "L": LAKE, "F": FOREST, "P": PLAIN, "R": RESOURCE, "U": FACTORY}
ALL = 0b1111110 * 257
"""The result of `_tally` if all terrains changed and all grew."""

GROUND = 1

GRID = 384
TILES = 21

LAKES2, PLAINS4, FACTORIES2, SQUARES4, FORESTS5 = 0, 1, 2, 3, 4
SIZE, BASE, HAND = 5, 6, 7
FIELDS = 8
WORDS, LINE, JUMP = 9, 10, 11
"""Words per bit board, bits per row, and number of bits from the first row in a word to the last."""
OFFSETS = 20
"""Offsets from the corner of a tile to its six cells: first for an upright tile, then for one on its side."""
UNIT = 32
"""UNIT + code: one cell of a terrain, packed as in COUNTS."""
TERRAINS_OF = 40
"""TERRAINS_OF + 4 * tile + rotation: the tile's codes, packed as in RECORD."""
CHANCES = TERRAINS_OF + 4 * TILES
"""CHANCES + 64 * level + loss: the chance, out of 2**23, of accepting a loss of more than `loss` half points.

There is a table for each temperature, followed by a table for each exchange.
"""
FITS = CHANCES + 64 * 11
"""FITS + corner: 1 if a tile fits upright, plus 2 if a tile fits sideways."""
WORD, BIT = FITS + GRID, FITS + 2 * GRID
"""WORD + cell and BIT + cell: the word of a bit board that has the cell, and the cell's bit in that word."""
KINDS = FITS + 3 * GRID
"""256 entries for the kinds of change: flags + 256 * number of STEPS + 65,536 * first step."""
SWAP, TURNED, RAISED, RELOCATE, DROPPED = 1, 2, 4, 8, 16
"""Flags of a change: swap two tiles, make a half turn, change a rank, move a tile, take it off the board."""
STEPS = KINDS + 256
CORNERS = STEPS + 30
"""CORNERS + cell - corner (+ LYING): first bit of a cell's code in a tile's record."""
LYING = 64
CONSTANTS_LENGTH = CORNERS + 2 * LYING

COUNTS, SHOWN, BARE = CONSTANTS_LENGTH, CONSTANTS_LENGTH + 1, CONSTANTS_LENGTH + 2
LARGEST, SQUARES, LAKES, FORESTS, PLAINS, TOTAL = range(CONSTANTS_LENGTH + 3, CONSTANTS_LENGTH + 9)
"""Cells of the largest village, points for squares, lakes, forests and plains, and total points."""
RATED = CONSTANTS_LENGTH + 9
"""Twice the score, plus a point for each village cell outside the largest village."""
BOARDS = CONSTANTS_LENGTH + 10
"""BOARDS + words * code: first word of a terrain's bit board."""
SHARED_LENGTH = BOARDS + 6 * 7
CHANGES = SHARED_LENGTH
CHANGES_END = CHANGES + 3 * 12
GROUP, LEFT = CHANGES_END + 1, CHANGES_END + 7
ORDER = LEFT + 6
BEST = ORDER + 6
LACKED_SPACE = BEST + 1
ROUND = BEST + 2
BEST_LAYOUT = BEST + 3
"""The ranks, rotations and corners of the tiles: three parts of length `TILES`."""
PLACES = BEST_LAYOUT + 3 * TILES
"""Legal places for a tile on top of all others, as 2 * corner + lying."""
REPLICAS_START = PLACES + 2 * 14 * 15

REPLICA_OFFSET = GRID - CONSTANTS_LENGTH
RANKS = REPLICA_OFFSET + SHARED_LENGTH
LAID = RANKS + 1
LAYOUT = RANKS + 2
"""The ranks (or `UNLAID`), rotations and corners of the tiles: three parts of length `TILES`."""
RECORD = LAYOUT + 3 * TILES
REPLICA = RECORD + 63

LEVELS = 6
TRIES = 2048
"""Layouts tried at each temperature before neighbouring replicas exchange."""

PLACES_COUNT, NEXT, TILE, ROTATION, PLACE, LIST = 0, 1, 2, 3, 4, 16
ROW = LIST + 2 * 14 * 15

RUNNING, PROVED, FOUND = 0, 1, 2
"""Results of `search`."""

UNLAID = -1
NONE = -1000


class ProofSearch(NamedTuple):
    s: Ints
    q: Ints
    """The stack, shape (hand + 1, ROW), a row for each depth.

    q[depth, 0]      Number of legal places, or -1 before they are listed.
    q[depth, 1]      Next candidate: (4 * tile + rotation) * number of places + index of the place.
    q[depth, 2..4]   Tile, rotation and place that led to the next depth; -1 if there are none.
    q[depth, 16..]   The places, 2 * corner + lying.
    """
    depth: Ints
    """Number of tiles laid, shape (1,)."""
    rest: Ints
    """Cells of the remaining tiles, packed as in COUNTS, shape (1,)."""
    used: Ints
    """1 for a tile on the board, shape (hand,)."""
    twins: Ints
    """For each tile, the first tile with the same terrains, shape (hand,)."""
    halves: Ints
    """1 for a tile that a half turn does not change, shape (hand,)."""


@njit(nogil=True, allocates=False)
def _random(random: Words) -> np.uint64:
    """Return 64 random bits from xorshift64* (Vigna 2016)."""
    x = random[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    random[0] = x
    return np.uint64(x * np.uint64(0x2545F4914F6CDD1D))


@njit(nogil=True, allocates=False)
def _below(random: Words, limit: int) -> int:
    return int(np.int64(((_random(random) >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32)))


@njit(nogil=True, allocates=False)
def _loss(s: Ints, level: int, chance: int) -> int:
    """Return the largest loss to accept, in half points. `chance` is a random number below 2**23."""
    row = CHANCES + 64 * level
    loss = 0
    while chance < s[row + loss]:
        loss += 1
    return loss


@njit(nogil=True, allocates=False)
def _forest_points(cells: int) -> int:
    return cells * (cells + 1) // 2 if cells <= 5 else 15 + 5 * (cells - 5)


@njit(nogil=True, allocates=False)
def _cells(counts: int, terrain: int) -> int:
    return counts >> 10 * (terrain - 1) & 1023


@njit(nogil=True, allocates=False)
def _hidden(s: Ints, at: int, column: int, cell: int) -> int:
    """Return the terrain code at a column's top, plus 8 times the first bit of the top tile's SHOWN field.

    A column has the bits of `s[at + cell]`, perhaps without one tile.
    """
    record = s[at + RECORD + 63 - leading_zeros(column)]
    return record >> s[(record >> 24) + cell] & 7 | (record >> 18 & 63) << 3


@njit(nogil=True, allocates=False)
def _moved(s: Ints, at: int, tile: int, rank: int, rotation: int, corner: int) -> bool:
    """Draft a tile's new rank, rotation and corner. Return False if they are illegal.

    The code avoids unpredictable branches.
    """
    old_rank = s[at + LAYOUT + tile]
    own = 0 if old_rank == UNLAID else 1 << old_rank
    field = 3 * tile
    shown = s[at + REPLICA_OFFSET + SHOWN] & ~(7 << field)
    bare = s[at + REPLICA_OFFSET + BARE] & ~(7 << field)
    end = CHANGES
    shows, rests = 1, 0
    if rank != UNLAID:
        bit = 1 << rank
        if bit & s[at + RANKS] & ~own:
            return False
        codes = s[TERRAINS_OF + 4 * tile + rotation]
        shape = OFFSETS + 6 * (rotation & 1)
        shows = 0
        for index in range(6):
            cell = corner + s[shape + index]
            code = codes >> 3 * index & 7
            column = s[at + cell] & ~own
            over = int(bit > column)
            hidden = _hidden(s, at, column, cell)
            below = hidden & 7
            if (below if over else code) == LAKE:
                return False
            s[end], s[end + 1], s[end + 2] = cell, below, code
            end += 3 * (over & int(below != code))
            shown -= over << (hidden >> 3)
            shows += over
            if column & (bit - 1) == GROUND:
                rests += 1
                if not over:
                    bare -= 1 << (s[at + RECORD + trailing_zeros(column ^ GROUND)] >> 18 & 63)
        if shows == 0 or rests == 6:
            return False
    if own:
        codes = s[at + RECORD + old_rank]
        old_corner = s[at + LAYOUT + 2 * TILES + tile]
        shape = OFFSETS + 6 * (s[at + LAYOUT + TILES + tile] & 1)
        for index in range(6):
            cell = old_corner + s[shape + index]
            code = codes >> 3 * index & 7
            column = s[at + cell] ^ own
            over = int(own > column)
            hidden = _hidden(s, at, column, cell)
            below = hidden & 7
            s[end], s[end + 1], s[end + 2] = cell, code, below
            end += 3 * (over & int(below != code))
            shown += over << (hidden >> 3)
            if not over and column & (own - 1) == GROUND:
                bare += 1 << (s[at + RECORD + trailing_zeros(column ^ GROUND)] >> 18 & 63)
    shown += shows << field
    bare += rests << field
    fields = s[FIELDS]
    if (shown | shown >> 1 | shown >> 2) & fields != fields or bare >> 2 & bare >> 1 & fields:
        return False
    s[SHOWN], s[BARE], s[CHANGES_END] = shown, bare, end
    return True


@njit(nogil=True, allocates=False)
def _turned(s: Ints, at: int, tile: int, codes: int) -> bool:
    rank = s[at + LAYOUT + tile]
    corner = s[at + LAYOUT + 2 * TILES + tile]
    old_codes = s[at + RECORD + rank]
    shape = OFFSETS + 6 * (s[at + LAYOUT + TILES + tile] & 1)
    end = s[CHANGES_END]
    for index in range(6):
        old, new = old_codes >> 3 * index & 7, codes >> 3 * index & 7
        cell = corner + s[shape + index]
        over = int(s[at + cell] >> rank == 1)
        if new == LAKE and not over:
            return False
        s[end], s[end + 1], s[end + 2] = cell, old, new
        end += 3 * (over & int(old != new))
    s[CHANGES_END] = end
    return True


@njit(nogil=True, allocates=False)
def _traded(s: Ints, at: int, tile: int, other: int, rotation: int) -> bool:
    s[CHANGES_END] = CHANGES
    if not _turned(s, at, other, s[TERRAINS_OF + 4 * tile + rotation]):
        return False
    shown, bare = s[at + REPLICA_OFFSET + SHOWN], s[at + REPLICA_OFFSET + BARE]
    if tile != other:
        if not _turned(s, at, tile, s[TERRAINS_OF + 4 * other + s[at + LAYOUT + TILES + tile]]):
            return False
        difference = (shown >> 3 * tile ^ shown >> 3 * other) & 7
        shown ^= difference << 3 * tile | difference << 3 * other
        difference = (bare >> 3 * tile ^ bare >> 3 * other) & 7
        bare ^= difference << 3 * tile | difference << 3 * other
    s[SHOWN], s[BARE] = shown, bare
    return True


@njit(nogil=True, allocates=False)
def _tally(s: Ints, at: int) -> int:
    """Update COUNTS. Return a bit set of changed terrains, plus 256 times a bit set of those that grew."""
    counts = s[at + REPLICA_OFFSET + COUNTS]
    changed = 0
    for change in range(CHANGES, s[CHANGES_END], 3):
        old, new = s[change + 1], s[change + 2]
        counts += s[UNIT + new] - s[UNIT + old]
        changed |= 1 << old | 257 << new
    s[COUNTS] = counts
    return changed


@njit(nogil=True, allocates=False)
def _draw(s: Ints, at: int) -> None:
    words = s[WORDS]
    for word in range(BOARDS + words, BOARDS + 5 * words):
        s[word] = s[at + REPLICA_OFFSET + word]
    for change in range(CHANGES, s[CHANGES_END], 3):
        cell = s[change]
        board = BOARDS + s[WORD + cell]
        bit = s[BIT + cell]
        s[board + words * s[change + 1]] ^= bit
        s[board + words * s[change + 2]] ^= bit


@njit(nogil=True, allocates=False)
def _next_group(s: Ints) -> int:
    words, line, jump = s[WORDS], s[LINE], s[JUMP]
    first = 0
    while s[LEFT + first] == 0:
        s[GROUP + first] = 0
        first += 1
    for word in range(first, words):
        s[GROUP + word] = 0
    s[GROUP + first] = s[LEFT + first] & -s[LEFT + first]
    growing = True
    while growing:
        growing = False
        for word in range(first, words):
            cells = s[LEFT + word]
            before = s[GROUP + word]
            group = before
            if word > first:
                group |= s[GROUP + word - 1] >> jump
            if word + 1 < words:
                group |= s[GROUP + word + 1] << jump
            group &= cells
            smaller = 0
            while group != smaller:
                smaller = group
                group = (group | group << 1 | group >> 1 | group << line | group >> line) & cells
            if group != before:
                s[GROUP + word] = group
                growing = words > 1
    size = 0
    for word in range(first, words):
        s[LEFT + word] ^= s[GROUP + word]
        size += popcount(s[GROUP + word])
    return size


@njit(nogil=True, allocates=False)
def _pairs(s: Ints, board: int, blocks: bool) -> int:
    """Count 2x2 blocks if `blocks` is True. Otherwise count adjacent pairs minus 2x2 blocks."""
    words = s[WORDS]
    count = 0
    for word in range(words):
        cells = s[board + word]
        across = cells & cells >> 1
        below = cells >> s[LINE]
        if word + 1 < words:
            below |= s[board + word + 1] << s[JUMP]
        squares = popcount(across & below & below >> 1)
        count += squares if blocks else popcount(across) + popcount(cells & below) - squares
    return count


@njit(nogil=True, allocates=False)
def _count_groups(s: Ints, terrain: int) -> None:
    words = s[WORDS]
    for word in range(words):
        s[LEFT + word] = s[BOARDS + words * terrain + word]
    left = cells = _cells(s[COUNTS], terrain)
    groups = largest = squares = forests = 0
    while left and (terrain != VILLAGE or left > largest or (left == largest and s[SQUARES4])):
        size = _next_group(s)
        inside = 4 * _pairs(s, GROUP, True) if s[SQUARES4] else 0
        if size > largest or (size == largest and inside > squares):
            largest, squares = size, inside
        groups += 1
        forests += _forest_points(size)
        left -= size
    if terrain == VILLAGE:
        s[LARGEST], s[SQUARES] = largest, squares
    elif terrain == LAKE:
        s[LAKES] = 3 * (cells - groups)
    else:
        s[FORESTS] = forests


@njit(nogil=True, allocates=False)
def _rate(s: Ints, at: int, changed: int, least: int) -> bool:
    """Rate the draft. Return False as soon as its rating is proved to be below `least`.

    Recount the terrains that the draft changes or that `changed` lists.
    """
    changed |= _tally(s, at)
    villages, lakes, forests = _cells(s[COUNTS], VILLAGE), _cells(s[COUNTS], LAKE), _cells(s[COUNTS], FOREST)
    for part in range(LARGEST, TOTAL):
        s[part] = s[at + REPLICA_OFFSET + part]
    if changed >> LAKE & 1:
        s[LAKES] = 2 * lakes if s[LAKES2] else 3 * max(lakes - 1, 0)
    if changed >> FOREST & 1:
        s[FORESTS] = _forest_points(forests) if s[FORESTS5] else 2 * forests
    if s[PLAINS4] and changed >> PLAIN & 1:
        s[PLAINS] = 4 * _cells(s[COUNTS], PLAIN)
    if changed >> VILLAGE & 1:
        s[LARGEST] = villages if changed >> VILLAGE & 256 else min(villages, s[LARGEST])
        s[SQUARES] = 4 * villages * s[SQUARES4]
    rest = 4 * min(_cells(s[COUNTS], RESOURCE), _cells(s[COUNTS], FACTORY) * (1 + s[FACTORIES2]))
    if _rating(s, rest, villages) < least:
        return False
    _draw(s, at)
    words = s[WORDS]
    if s[PLAINS4] and changed >> PLAIN & 1:
        s[PLAINS] = 4 * _pairs(s, BOARDS + words * PLAIN, True)
    if changed >> LAKE & 1 and not s[LAKES2]:
        s[LAKES] = 3 * _pairs(s, BOARDS + words * LAKE, False)
    if s[SQUARES4] and changed >> VILLAGE & 1:
        s[SQUARES] = 4 * _pairs(s, BOARDS + words * VILLAGE, True)
    if _rating(s, rest, villages) < least:
        return False
    if changed >> VILLAGE & 1:
        _count_groups(s, VILLAGE)
        if _rating(s, rest, villages) < least:
            return False
    # Lakes of fewer than eight cells enclose no hole: neighbours and blocks determine their number.
    if changed >> LAKE & 1 and not s[LAKES2] and lakes >= 8:
        _count_groups(s, LAKE)
    if changed >> FOREST & 1 and s[FORESTS5]:
        _count_groups(s, FOREST)
    return _rating(s, rest, villages) >= least


@njit(nogil=True, allocates=False)
def _rating(s: Ints, rest: int, villages: int) -> int:
    total = rest + s[LARGEST] + s[SQUARES] + s[LAKES] + s[FORESTS] + s[PLAINS]
    s[TOTAL] = total
    s[RATED] = 2 * total + villages - s[LARGEST]
    return s[RATED]


@njit(nogil=True, allocates=False)
def _put(s: Ints, at: int, tile: int, rank: int, rotation: int, corner: int) -> None:
    s[at + LAYOUT + tile] = rank
    s[at + LAYOUT + TILES + tile] = rotation
    s[at + LAYOUT + 2 * TILES + tile] = corner
    if rank != UNLAID:
        origin = CORNERS + LYING * (rotation & 1) - corner
        s[at + RECORD + rank] = origin << 24 | 3 * tile << 18 | s[TERRAINS_OF + 4 * tile + rotation]


@njit(nogil=True, allocates=False)
def _commit(s: Ints, at: int) -> None:
    s[CHANGES_END] = CHANGES
    for word in range(COUNTS, BOARDS + 5 * s[WORDS]):
        s[at + REPLICA_OFFSET + word] = s[word]


@njit(nogil=True, allocates=False)
def _settle(s: Ints, at: int, tile: int, rank: int, rotation: int, corner: int) -> None:
    old_rank = s[at + LAYOUT + tile]
    if old_rank != UNLAID:
        shape = OFFSETS + 6 * (s[at + LAYOUT + TILES + tile] & 1)
        for index in range(6):
            s[at + s[at + LAYOUT + 2 * TILES + tile] + s[shape + index]] ^= 1 << old_rank
        s[at + RANKS] ^= 1 << old_rank
        s[at + LAID] -= 1
    if rank != UNLAID:
        shape = OFFSETS + 6 * (rotation & 1)
        for index in range(6):
            s[at + corner + s[shape + index]] |= 1 << rank
        s[at + RANKS] |= 1 << rank
        s[at + LAID] += 1
    _put(s, at, tile, rank, rotation, corner)
    _commit(s, at)


@njit(nogil=True, allocates=False)
def lay(s: Ints, at: int, tile: int, rank: int, rotation: int, corner: int) -> bool:
    if not _moved(s, at, tile, rank, rotation, corner):
        return False
    _rate(s, at, ALL, NONE)
    _settle(s, at, tile, rank, rotation, corner)
    return True


@njit(nogil=True, allocates=False)
def score(s: Ints, at: int) -> int:
    s[CHANGES_END] = CHANGES
    _rate(s, at, ALL, NONE)
    return s[TOTAL]


@njit(nogil=True, allocates=False)
def find_places(s: Ints, at: int) -> int:
    """Write the legal places for a tile on top of all others to `s[PLACES:]`. Return their number."""
    tile = 0
    while s[at + LAYOUT + tile] != UNLAID:
        tile += 1
    count = 0
    for corner in range(GRID):
        for lying in range(2):
            if s[FITS + corner] >> lying & 1 and _moved(s, at, tile, 62, lying, corner):
                s[PLACES + count] = 2 * corner + lying
                count += 1
    return count


@njit(nogil=True, allocates=False)
def _complete(s: Ints, at: int, random: Words, greedy: bool, rank: int, gap: int) -> None:
    """Lay the rest of the hand on top of the map: greedily if `greedy` is True, otherwise at random.

    The first tile gets the rank `rank`, and each further tile a rank that is higher by `gap`.
    """
    hand = s[HAND]
    while s[at + LAID] < hand:
        places = find_places(s, at)
        if places == 0:
            break
        tile = _below(random, hand)
        while s[at + LAYOUT + tile] != UNLAID:
            tile = _below(random, hand)
        place = s[PLACES + _below(random, places)]
        rotation = (place & 1) + 2 * _below(random, 2)
        most = NONE
        if greedy:
            for candidate in range(hand):
                if s[at + LAYOUT + candidate] != UNLAID:
                    continue
                for turns in range(4):
                    for index in range(places):
                        spot = s[PLACES + index]
                        if (spot ^ turns) & 1:
                            continue
                        _moved(s, at, candidate, rank, turns, spot >> 1)
                        if _rate(s, at, ALL, 2 * most + 2) and s[TOTAL] > most:
                            most, tile, rotation, place = s[TOTAL], candidate, turns, spot
        lay(s, at, tile, rank, rotation, place >> 1)
        rank += gap
    _record(s, at)


@njit(nogil=True, allocates=False)
def _record(s: Ints, at: int) -> None:
    if s[at + REPLICA_OFFSET + TOTAL] > s[BEST]:
        s[BEST] = s[at + REPLICA_OFFSET + TOTAL]
        for place in range(3 * TILES):
            s[BEST_LAYOUT + place] = s[at + LAYOUT + place]


@njit(nogil=True, allocates=False)
def _copy(s: Ints, source: int, target: int) -> None:
    for place in range(REPLICA):
        s[target + place] = s[source + place]


@njit(nogil=True, allocates=False)
def _begin(s: Ints, random: Words) -> None:
    start = REPLICAS_START + REPLICA * LEVELS
    base, hand = s[BASE], s[HAND]
    for level in range(LEVELS):
        at = REPLICAS_START + REPLICA * level
        s[ORDER + level] = at
        tries = 20
        while tries:
            tries -= 1
            _copy(s, start, at)
            _complete(s, at, random, False, base + 1, (62 - hand - base) // hand)
            if s[at + LAID] == hand:
                tries = 0
        if s[at + LAID] < hand:
            s[LACKED_SPACE] = 1


@njit(nogil=True, allocates=False)
def _try(s: Ints, at: int, level: int, random: Words) -> None:
    hand, base = s[HAND], s[BASE]
    bits = int(np.int64(_random(random) >> np.uint64(1)))
    more = int(np.int64(_random(random) >> np.uint64(1)))
    kind = s[KINDS + (bits & 255)]
    tile = (bits >> 8 & 0xFFFF) * hand >> 16
    rank = s[at + LAYOUT + tile]
    rotation, corner = s[at + LAYOUT + TILES + tile], s[at + LAYOUT + 2 * TILES + tile]
    if rank == UNLAID:
        kind = s[KINDS + 255]
    other = tile
    if kind & (SWAP | TURNED):
        if kind & SWAP:
            other = (bits >> 24 & 0xFFFF) * hand >> 16
            if other == tile or s[at + LAYOUT + other] == UNLAID:
                return
        new_rank, new_corner = s[at + LAYOUT + other], s[at + LAYOUT + 2 * TILES + other]
        new_rotation = s[at + LAYOUT + TILES + other] ^ (kind & TURNED)
        if not _traded(s, at, tile, other, new_rotation):
            return
    else:
        near = tile
        new_rotation = rotation
        if kind & RELOCATE:
            near = (more & 0xFFFF) * (hand + base) >> 16
            if s[at + LAYOUT + near] == UNLAID:
                near = hand
            new_rotation = bits >> 24 & 3
        steps = kind >> 8 & 255
        step = (kind >> 16) + ((more >> 16 & 0xFFFF) * steps >> 16)
        new_corner = s[at + LAYOUT + 2 * TILES + near] + s[STEPS + step]
        new_rank = base + 1 + ((more >> 32 & 0xFFFF) * (62 - hand - base) >> 16) if kind & RAISED else rank
        if kind & DROPPED and s[LACKED_SPACE] and rank != UNLAID:
            new_rank, new_rotation, new_corner = UNLAID, rotation, corner
        if s[FITS + new_corner] >> (new_rotation & 1) & 1 == 0:
            return
        if not _moved(s, at, tile, new_rank, new_rotation, new_corner):
            return
    if not _rate(s, at, 0, s[at + REPLICA_OFFSET + RATED] - _loss(s, level, bits >> 40)):
        return
    if kind & (SWAP | TURNED):
        if other != tile:
            _put(s, at, other, rank, rotation, corner)
        _put(s, at, tile, new_rank, new_rotation, new_corner)
        _commit(s, at)
    else:
        _settle(s, at, tile, new_rank, new_rotation, new_corner)
    if s[TOTAL] > s[BEST]:
        if s[at + LAID] == hand:
            _record(s, at)
        else:
            spare = REPLICAS_START + REPLICA * (LEVELS + 1)
            _copy(s, at, spare)
            _complete(s, spare, random, True, 63 - hand, 1)


@njit(nogil=True, allocates=False, cache=True)
def exchange(s: Ints, random: Words, rounds: int, cells: Ints) -> int:
    """Run up to `rounds` rounds of replica exchange. Return the number of layouts tried.

    The first call lays the tiles at random. At the end of each round, neighbouring replicas may exchange
    temperatures by the Metropolis rule: even and odd pairs in alternate rounds.
    """
    if s[ORDER] == 0:
        _begin(s, random)
    done = 0
    while done < rounds and not cells[STOP]:
        for level in range(LEVELS):
            at = s[ORDER + level]
            for _ in range(TRIES):
                _try(s, at, level, random)
        for level in range(s[ROUND] & 1, LEVELS - 1, 2):
            hot, cold = s[ORDER + level], s[ORDER + level + 1]
            loss = _loss(s, LEVELS + level, _below(random, 1 << 23))
            if s[hot + REPLICA_OFFSET + RATED] >= s[cold + REPLICA_OFFSET + RATED] - loss:
                s[ORDER + level], s[ORDER + level + 1] = cold, hot
        s[ROUND] += 1
        done += 1
        cells[NODES] += LEVELS * TRIES
    return LEVELS * TRIES * done


@njit(nogil=True, allocates=False)
def _least_loss(s: Ints, cells: int, lakes: int, hidden: int, forest_cost: int, lake_cost: int) -> int:
    """Return the fewest points that can be lost by hiding `hidden` of the `cells` (packed as in COUNTS).

    Of the lake cells, only the `lakes` cells in the hand can be hidden. The costs are in points per cell.
    """
    villages, forests, plains = _cells(cells, VILLAGE), _cells(cells, FOREST), _cells(cells, PLAIN)
    resources, factories, takes = _cells(cells, RESOURCE), _cells(cells, FACTORY), 1 + s[FACTORIES2]
    hidden -= plains
    if hidden <= 0:
        return 0
    pairs = min(resources, takes * factories)
    least = 4 * pairs + 6 * (hidden + plains)
    for r in range(min(hidden, resources) + 1):
        for f in range(min(hidden - r, factories) + 1):
            loss = 4 * (pairs - min(resources - r, takes * (factories - f)))
            rest = hidden - r - f
            take = min(rest, villages)
            loss += take
            rest -= take
            take = min(rest, forests)
            loss += take * forest_cost + (rest - take) * lake_cost
            if rest - take <= lakes:
                least = min(least, loss)
    return least


@njit(nogil=True, allocates=False)
def most_blocks(cells: int) -> int:
    """Return the most 2x2 blocks that `cells` can form (Harary and Harborth 1976)."""
    if cells < 4:
        return 0
    root = 0
    while root * root < 4 * cells:
        root += 1
    return cells - root + 1


@njit(nogil=True, allocates=False, cache=True)
def bound(s: Ints, at: int, rest: int, left: int) -> int:
    """Return an upper bound on the final scores that the draft can lead to; see docs/solvers/honshu.md.

    `left` is the number of tiles in the hand, and `rest` their cells, packed as in COUNTS. The bound
    assumes that each lake cell in the hand can reduce the number of lakes on the map by two.
    """
    _tally(s, at)
    _draw(s, at)
    cells = s[COUNTS] + rest
    visible = 0
    for terrain in range(1, 7):
        visible += _cells(s[COUNTS], terrain)
    hidden = max(left, visible + 6 * left - s[SIZE] * s[SIZE])
    villages, lakes, forests = _cells(cells, VILLAGE), _cells(cells, LAKE), _cells(cells, FOREST)
    total = villages + 4 * min(_cells(cells, RESOURCE), (1 + s[FACTORIES2]) * _cells(cells, FACTORY))
    if s[SQUARES4]:
        total += 4 * most_blocks(villages)
    if s[PLAINS4]:
        total += 4 * most_blocks(_cells(cells, PLAIN))
    total += _forest_points(forests) if s[FORESTS5] else 2 * forests
    in_hand = _cells(rest, LAKE)
    lake_cost = 2
    if s[LAKES2]:
        total += 2 * lakes
    elif lakes:
        _count_groups(s, LAKE)
        now = lakes - in_hand
        lake_cost = 3 if now else 0
        total += 3 * (lakes - max(1, now - s[LAKES] // 3 - 2 * in_hand))
    return total - _least_loss(s, cells, in_hand, hidden, 1 if s[FORESTS5] else 2, lake_cost)


@njit(nogil=True, allocates=False)
def _covers(s: Ints, at: int, lying: int, corner: int, rank: int) -> bool:
    covers = 0
    for index in range(6):
        covers |= s[at + corner + s[OFFSETS + 6 * lying + index]] >> rank & 1
    return covers != 0


@njit(nogil=True, allocates=False)
def _take(rest: Ints, s: Ints, tile: int, sign: int) -> None:
    for index in range(6):
        rest[0] += sign * s[UNIT + (s[TERRAINS_OF + 4 * tile] >> 3 * index & 7)]


@njit(nogil=True, allocates=False, cache=True)
def search(proof: ProofSearch, target: int, budget: int, cells: Ints) -> int:
    """Search up to `budget` nodes for a score above `target`. Return RUNNING, PROVED (none exists) or FOUND.

    Tiles with the same terrains, and consecutive placements that do not overlap, are tried in only one order.
    To start a new proof, set q[0, 0] to -1. After FOUND, `proof.s` holds the map, and `proof.q` its tiles.
    """
    s, q, rest, used, twins = proof.s, proof.q, proof.rest, proof.used, proof.twins
    depth = proof.depth[0]
    hand = s[HAND]
    rank = s[BASE] + 1
    nodes = 0
    while True:
        places = q[depth, PLACES_COUNT]
        if places < 0:
            nodes += 1
            if nodes >= budget or cells[STOP]:
                cells[NODES] += nodes
                cells[DEPTH] = proof.depth[0] = depth
                return RUNNING
            places = find_places(s, REPLICAS_START) if depth < hand else 0
            q[depth, PLACES_COUNT] = places
            q[depth, NEXT] = 0
            for index in range(places):
                q[depth, LIST + index] = s[PLACES + index]
            if places == 0 and score(s, REPLICAS_START) > target:
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
                if (twin < first or (twin == first and place < q[depth - 1, PLACE])) and not _covers(
                    s, REPLICAS_START, rotation & 1, place >> 1, rank + depth - 1
                ):
                    continue
            _moved(s, REPLICAS_START, tile, rank + depth, rotation, place >> 1)
            _take(rest, s, tile, -1)
            left = hand - depth - 1
            if left:
                points = bound(s, REPLICAS_START, rest[0], left)
            else:
                points = s[TOTAL] if _rate(s, REPLICAS_START, ALL, 2 * target + 2) else NONE
            if points > target:
                _settle(s, REPLICAS_START, tile, rank + depth, rotation, place >> 1)
                used[tile] = 1
                q[depth, NEXT] = candidate
                q[depth, TILE], q[depth, ROTATION], q[depth, PLACE] = tile, rotation, place
                depth += 1
                q[depth, PLACES_COUNT] = -1
                going = True
                break
            _take(rest, s, tile, 1)
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
        _take(rest, s, tile, 1)
        lay(s, REPLICAS_START, tile, UNLAID, 0, 0)


@njit(nogil=True, allocates=False, cache=True)
def rate(proof: ProofSearch, listed: Ints, rates: Ints, cells: Ints) -> None:
    """Bound the final score after each legal move. With one or two tiles left, find the best score exactly.

    Args:
        proof: a new search
        listed: tile, rotation and corner of each move, shape (moves, 3)
        rates: best final score (`NONE` if not searched) and bound of each move, shape (moves, 2)
    """
    s, rest = proof.s, proof.rest
    hand = s[HAND]
    rank = s[BASE] + 1
    for index in range(len(listed)):
        tile, rotation, corner = listed[index, 0], listed[index, 1], listed[index, 2]
        lay(s, REPLICAS_START, tile, rank, rotation, corner)
        points = score(s, REPLICAS_START)
        rates[index, 0] = NONE
        rates[index, 1] = points
        if hand == 1:
            rates[index, 0] = points
        else:
            _take(rest, s, tile, -1)
            rates[index, 1] = bound(s, REPLICAS_START, rest[0], hand - 1)
            _take(rest, s, tile, 1)
        if hand == 2 and not cells[STOP]:
            last = 1 - tile
            places = find_places(s, REPLICAS_START)
            most = NONE if places else points
            for place in range(places):
                spot = s[PLACES + place]
                for turns in range(spot & 1, 4, 2):
                    _moved(s, REPLICAS_START, last, rank + 1, turns, spot >> 1)
                    if _rate(s, REPLICAS_START, ALL, 2 * most + 2):
                        most = max(most, s[TOTAL])
            rates[index, 0] = rates[index, 1] = most
        lay(s, REPLICAS_START, tile, UNLAID, 0, 0)

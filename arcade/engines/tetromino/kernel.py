"""Null-window alpha-beta over sets of free placements; see docs/solvers/tetromino.md.

The *rank* of a position is its value and length for the player to move, in one number:

    rank      0          1          2    ...    5           6     8          ...    11         12
    means     lost in 0  lost in 2  in 4 ...    lost in 10  tie   won in 9   ...    won in 3   won in 1

Rank 7, a win in 11, does not occur. A move to a position of rank r is worth 12 - r to its player if r <= 6,
otherwise 13 - r. So to answer "at least b?", the search asks "at least 13 - b?" about each child (if b < 6,
"at least 14 - b?") and inverts the answer. An entry of the table is one word, so that threads need no lock:

    bit 63 ................. | 18  | 17 ...... 13 | 12 ...... 8  | 7 ..... 4 | 3 ...... 0
    rest of the mixed cells  | tie | other's hand | mover's hand | most rank | least rank

The live cells, which free placements cover, are mixed with the hands and the tie bit by an exclusive or.
Two multiplications by an odd number follow, with an exclusive or of the word and its upper half between. In a
table of 2**b entries, b at least 19, the upper b bits of the mix are the entry's number. An entry of zeros is
empty.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arcade.engines.compiled import njit, popcount, trailing_zeros
from arcade.engines.control import NODES, STOP

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

MAX_PLIES = 12
"""Size of the search stack in plies, enough for ten pieces and a check of the end."""
MIN_TABLE_BITS = 19
"""Minimum number of bits of an entry's number. A smaller table could not have exact keys."""
SMALL = 64
POLL = 1024
STOPPED = -1


class Layout(NamedTuple):
    """Lookup tables for a board. A set of placements is a bit mask of `words` machine words."""

    beside: Words
    """For each placement, the placements that share no cell with it, shape (64 * words, words)."""
    of_hand: Words
    """Placements of each hand, shape (32, words)."""
    cells: Words
    """Cells of each placement, shape (64 * words,). They are 0 for a bit without a placement."""
    piece: Numbers
    """Piece of each placement, shape (64 * words,)."""
    steps: Words
    """Steps from the lowest cell of each orientation to its other cells, shape (19, 3)."""
    lowest: Words
    """Lowest cells of each hand's placements by orientation, shape (32, 19)."""
    images: Words
    """Images of a set's bytes under each symmetry but the identity, shape (symmetries - 1, bytes, 256)."""


class SearchNode(NamedTuple):
    free: Words
    """Free placements, shape (words,)."""
    live: np.uint64
    """Cells of the free placements."""
    mover: int
    """The mover's hand without pieces that no longer fit. (`other` is the same for the other player.)"""
    other: int
    tie: int
    """1 if a tie is possible."""


class _Small(NamedTuple):
    beside: Words
    of_hand: Words
    cells: Words
    piece: Numbers
    sets: Words
    """Free placements, shape (MAX_PLIES, 1)."""
    frames: Numbers
    """Fields of each ply, shape (MAX_PLIES, _FIELDS)."""
    moves: Numbers


_MOVER, _OTHER, _TIE, _BOUND, _COUNT, _LEFT, _LAST, _FIELDS = 0, 1, 2, 3, 4, 5, 6, 7
_NO_MOVE = 1 << 40
_OPEN = -2

_ONE = np.uint64(1)
_ZERO = np.uint64(0)
_MIX, _SPREAD = np.uint64(0xD6E8FEB86659FD93), np.uint64(0x9E3779B97F4A7C15)
_WORD, _HALF, _BYTE = np.uint64(64), np.uint64(32), np.uint64(255)
_RANK_BITS = np.uint64(8)
_LEAST, _MOST = np.uint64(15), np.uint64(4)


@njit(nogil=True)
def _narrowed(bound: int, held: int, against: int, tie: int) -> int:
    """Return a bound with the same answer as `bound`, so that fewer different bounds occur.

    Wins take at most 2 * min(against, held - 1) + 1 plies, and losses at most 2 * min(held, against).
    """
    if bound >= 7:
        return 7 if bound <= 12 - min(against, held - 1) else bound
    if bound > min(held, against):
        return 6 if tie else 7
    return bound


@njit(nogil=True)
def _from_hands(frames: Numbers, ply: int) -> int:
    """Return 1 or 0 if the hands answer a frame's question. Otherwise narrow its bound and return _OPEN."""
    mover, other, tie = frames[ply, _MOVER], frames[ply, _OTHER], frames[ply, _TIE]
    bound = frames[ply, _BOUND]
    if mover == 0:
        rank = 6 if tie and other == 0 else 0
    elif other == 0:
        rank = 6 if tie and mover & (mover - 1) == 0 else 12
    else:
        bound = _narrowed(bound, popcount(np.uint64(mover)), popcount(np.uint64(other)), tie)
        frames[ply, _BOUND] = bound
        return 1 if bound <= 1 else _OPEN
    return 1 if rank >= bound else 0


@njit(nogil=True)
def _wins_now_or_not(frames: Numbers, ply: int) -> bool:
    held = popcount(np.uint64(frames[ply, _MOVER]))
    return bool(frames[ply, _BOUND] == 12 or (held == 1 and not frames[ply, _TIE]))


@njit(nogil=True)
def _next_move(moves: Numbers, frames: Numbers, ply: int) -> int:
    least, last = _NO_MOVE, frames[ply, _LAST]
    for each in range(frames[ply, _COUNT]):
        move = moves[ply, each]
        if move > last:
            least = min(least, move)
    frames[ply, _LAST] = least
    frames[ply, _LEFT] -= 1
    return least


@njit(nogil=True)
def _change_sides(frames: Numbers, ply: int, piece: int) -> int:
    """Begin the frame after a move with `piece`, to be completed by `_keep`. Return all pieces still held."""
    mover, other = frames[ply, _OTHER], frames[ply, _MOVER] & ~(1 << piece)
    bound = frames[ply, _BOUND]
    frames[ply + 1, _MOVER], frames[ply + 1, _OTHER] = mover, other
    frames[ply + 1, _TIE] = frames[ply, _TIE]
    frames[ply + 1, _BOUND] = 13 - bound if bound >= 6 else 14 - bound
    return mover | other


@njit(nogil=True)
def _keep(frames: Numbers, ply: int, fits: int) -> int:
    """Drop pieces that no longer fit. Return the number of cells that a tie needs (0 if it is impossible)."""
    mover, other = frames[ply, _MOVER], frames[ply, _OTHER]
    frames[ply, _MOVER], frames[ply, _OTHER] = mover & fits, other & fits
    if frames[ply, _TIE] == 0:
        return 0
    held, against = popcount(np.uint64(mover)), popcount(np.uint64(other))
    even = held == against or held == against + 1
    if even and (mover | other) & ~fits == 0:
        return 4 * (held + against)
    frames[ply, _TIE] = 0
    return 0


@njit(nogil=True)
def _live(cells: np.uint64, hand: int, lowest: Words, steps: Words) -> np.uint64:
    live = _ZERO
    for shape in range(steps.shape[0]):
        one, two, three = steps[shape, 0], steps[shape, 1], steps[shape, 2]
        found = lowest[hand, shape] & cells & cells >> one & cells >> two & cells >> three
        live |= found | found << one | found << two | found << three
    return live


@njit(nogil=True)
def _area(placements: np.uint64, cells: Words) -> int:
    covered = _ZERO
    while placements:
        covered |= cells[trailing_zeros(placements)]
        placements &= placements - _ONE
    return popcount(covered)


@njit(nogil=True)
def _search_small(small: _Small, visits: Numbers, control: Numbers) -> int:
    """Return the answer for frame 0 (1 or 0), or STOPPED. `visits[0]` counts positions not yet in NODES."""
    beside, of_hand, cells, piece, sets, frames, moves = small
    ply = 0
    visited = 0
    while True:
        visited += 1
        if visited & (POLL - 1) == 0:
            control[NODES] += POLL
            if control[STOP]:
                return STOPPED
        free = sets[ply, 0]
        mover, other = frames[ply, _MOVER], frames[ply, _OTHER]
        mine, theirs = free & of_hand[mover], free & of_hand[other]
        answer = _from_hands(frames, ply)
        if answer < 0 and frames[ply, _BOUND] >= 7:
            hits, left = mine, theirs
            while hits and left:
                hits &= ~beside[trailing_zeros(left)]
                left &= left - _ONE
            if hits:
                answer = 1
            elif _wins_now_or_not(frames, ply):
                answer = 0
        if answer < 0:
            count = 0
            while mine:
                move = trailing_zeros(mine)
                mine &= mine - _ONE
                theirs_left = popcount(theirs & beside[move])
                mine_left = popcount(free & beside[move] & of_hand[mover & ~(1 << piece[move])])
                moves[ply, count] = (4 * theirs_left - mine_left + SMALL) << 6 | move
                count += 1
            frames[ply, _COUNT], frames[ply, _LEFT], frames[ply, _LAST] = count, count, -1
        while True:
            if answer >= 0:
                if ply == 0:
                    visits[0] += visited & (POLL - 1)
                    return answer
                ply -= 1
                if answer == 0:
                    answer = 1
                    continue
            if frames[ply, _LEFT] == 0:
                answer = 0
                continue
            break
        move = _next_move(moves, frames, ply) & 63
        free = sets[ply, 0] & beside[move] & of_hand[_change_sides(frames, ply, piece[move])]
        ply += 1
        sets[ply, 0] = free
        fits = 0
        for number in range(5):
            if free & of_hand[1 << number]:
                fits |= 1 << number
        needed = _keep(frames, ply, fits)
        if needed and _area(free, cells) < needed:
            frames[ply, _TIE] = 0


@njit(nogil=True)
def _wins_at_once(mine: Words, theirs: Words, beside: Words) -> bool:
    """Return whether one placement of `mine` overlaps all of `theirs`. Both sets are destroyed.

    Placements in different words are usually far apart, so the loop ends soon if none overlaps them all.
    """
    words = mine.size
    more = True
    while more:
        more = False
        for word in range(words):
            if theirs[word]:
                more = True
                met = 64 * word + trailing_zeros(theirs[word])
                theirs[word] &= theirs[word] - _ONE
                some = _ZERO
                for each in range(words):
                    mine[each] &= ~beside[met, each]
                    some |= mine[each]
                if some == _ZERO:
                    return False
    return True


@njit(nogil=True)
def _canonical(cells: np.uint64, images: Words) -> np.uint64:
    smallest = cells
    for symmetry in range(images.shape[0]):
        image, rest = _ZERO, cells
        for byte in range(images.shape[1]):
            image |= images[symmetry, byte, rest & _BYTE]
            rest >>= _RANK_BITS
        smallest = min(smallest, image)
    return smallest


@njit(nogil=True)
def _keys(cells: np.uint64, mover: int, other: int, tie: int, bits: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the number of a position's entry in a table of 2**bits, and the entry with both ranks 0."""
    hands = np.uint64(mover | other << 5 | tie << 10)
    mixed = (cells ^ hands * _SPREAD) * _MIX
    mixed = (mixed ^ mixed >> _HALF) * _MIX
    return mixed >> (_WORD - bits), mixed << bits | hands << _RANK_BITS


@njit(nogil=True)
def _number_anew(free: Words, cells: Words, piece: Numbers, small: _Small) -> None:
    small_beside, small_hand = small.beside, small.of_hand
    small_cells, small_piece = small.cells, small.piece
    count = 0
    small_hand[:] = _ZERO
    for word in range(free.size):
        rest = free[word]
        while rest:
            move = 64 * word + trailing_zeros(rest)
            rest &= rest - _ONE
            small_cells[count], small_piece[count] = cells[move], piece[move]
            small_hand[1 << piece[move]] |= _ONE << np.uint64(count)
            count += 1
    for hand in range(1, 32):
        if hand & (hand - 1):
            small_hand[hand] = small_hand[hand & (hand - 1)] | small_hand[hand & -hand]
    # Rows of fixed length compile to vector code.
    small_cells[count:] = ~_ZERO
    for each in range(count):
        covered, clear = small_cells[each], _ZERO
        for another in range(SMALL):
            if covered & small_cells[another] == _ZERO:
                clear |= _ONE << np.uint64(another)
        small_beside[each] = clear


@njit(nogil=True)
def _order(
    free: Words,
    mover: int,
    other: int,
    of_hand: Words,
    beside: Words,
    piece: Numbers,
    moves: Numbers,
    ply: int,
) -> int:
    words = free.size
    count = 0
    for word in range(words):
        rest = free[word] & of_hand[mover, word]
        while rest:
            move = 64 * word + trailing_zeros(rest)
            rest &= rest - _ONE
            after = mover & ~(1 << piece[move])
            theirs_left, mine_left = 0, 0
            for each in range(words):
                clear = free[each] & beside[move, each]
                theirs_left += popcount(clear & of_hand[other, each])
                mine_left += popcount(clear & of_hand[after, each])
            moves[ply, count] = (4 * theirs_left - mine_left + 64 * words) << 10 | move
            count += 1
    return count


@njit(nogil=True)
def _from_table(entry: np.uint64, key: np.uint64, bound: int) -> int:
    if (entry ^ key) >> _RANK_BITS == _ZERO:
        if np.int64(entry & _LEAST) >= bound:
            return 1
        if np.int64(entry >> _MOST & _LEAST) < bound:
            return 0
    return _OPEN


@njit(nogil=True)
def _remember(table: Words, slot: np.uint64, key: np.uint64, frames: Numbers, ply: int, answer: int) -> None:
    bound = frames[ply, _BOUND]
    held, against = popcount(np.uint64(frames[ply, _MOVER])), popcount(np.uint64(frames[ply, _OTHER]))
    entry = table[slot]
    least, most = 0, 15
    if (entry ^ key) >> _RANK_BITS == _ZERO:
        least, most = int(np.int64(entry & _LEAST)), int(np.int64(entry >> _MOST & _LEAST))
    if answer:
        least = max(least, 12 - min(against, held - 1) if bound == 7 else bound)
    elif bound == 7 and frames[ply, _TIE]:
        most = min(most, 6)
    else:
        most = min(most, min(held, against) if bound == 6 or bound == 7 else bound - 1)
    table[slot] = key | np.uint64(most << 4 | least)


@njit(nogil=True, cache=True)
def at_least(layout: Layout, table: Words, root: SearchNode, bound: int, control: Numbers) -> int:
    """Return 1 if the rank of `root` is at least `bound` (1 to 12), 0 if it is lower, or STOPPED.

    Use a table for one board only. Its size is a power of two, at least 2**MIN_TABLE_BITS words, all zero at
    first. It contains only proven ranks, even after a stop. Parallel threads may lose some counts of NODES.
    """
    beside, of_hand, cells, piece, steps, lowest, images = layout
    words = root.free.size
    bits = np.uint64(trailing_zeros(np.uint64(table.size)))
    sets = np.empty((MAX_PLIES, words), np.uint64)
    frames = np.empty((MAX_PLIES, _FIELDS), np.int64)
    uncovered = np.empty(MAX_PLIES, np.uint64)
    keys = np.empty((MAX_PLIES, 2), np.uint64)
    moves = np.empty((MAX_PLIES, 64 * words), np.int64)
    # A view of a row would count references, each at the cost of a cache miss.
    free = np.empty(words, np.uint64)
    mine, theirs = np.empty(words, np.uint64), np.empty(words, np.uint64)
    small = _Small(
        np.empty(SMALL, np.uint64),
        np.empty(32, np.uint64),
        np.empty(SMALL, np.uint64),
        np.empty(SMALL, np.int64),
        np.empty((MAX_PLIES, 1), np.uint64),
        np.empty((MAX_PLIES, _FIELDS), np.int64),
        np.empty((MAX_PLIES, SMALL), np.int64),
    )
    # Threads that often write to one cell slow each other down.
    visits = np.zeros(8, np.int64)

    # With sets[0] = root.free numba compiles two seconds longer.
    for word in range(words):
        sets[0, word] = root.free[word]
    frames[0, _MOVER], frames[0, _OTHER], frames[0, _TIE] = root.mover, root.other, root.tie
    frames[0, _BOUND] = bound
    uncovered[0] = root.live
    ply = 0
    while True:
        visits[0] += 1
        if visits[0] >= POLL:
            control[NODES] += visits[0]
            visits[0] = 0
        if control[STOP]:
            return STOPPED
        mover, other, tie = frames[ply, _MOVER], frames[ply, _OTHER], frames[ply, _TIE]
        store = False
        placements = 0
        for word in range(words):
            free[word] = sets[ply, word]
            mine[word], theirs[word] = free[word] & of_hand[mover, word], free[word] & of_hand[other, word]
            placements += popcount(free[word])
        answer = _from_hands(frames, ply)
        bound = frames[ply, _BOUND]
        if answer < 0 and bound >= 7:
            if _wins_at_once(mine, theirs, beside):
                answer = 1
            elif _wins_now_or_not(frames, ply):
                answer = 0
        if answer < 0:
            uncovered[ply] = _live(uncovered[ply], mover | other, lowest, steps)
            slot, key = _keys(_canonical(uncovered[ply], images), mover, other, tie, bits)
            keys[ply, 0], keys[ply, 1] = slot, key
            answer = _from_table(table[slot], key, bound)
        if answer < 0 and placements <= SMALL:
            _number_anew(free, cells, piece, small)
            small.sets[0, 0] = ~_ZERO >> np.uint64(64 - placements)
            small.frames[0, _MOVER], small.frames[0, _OTHER] = mover, other
            small.frames[0, _TIE], small.frames[0, _BOUND] = tie, bound
            answer = _search_small(small, visits, control)
            if answer == STOPPED:
                return STOPPED
            store = True
        elif answer < 0:
            count = _order(free, mover, other, of_hand, beside, piece, moves, ply)
            frames[ply, _COUNT], frames[ply, _LEFT], frames[ply, _LAST] = count, count, -1
        while True:
            if answer >= 0:
                if store:
                    _remember(table, keys[ply, 0], keys[ply, 1], frames, ply, answer)
                if ply == 0:
                    control[NODES] += visits[0]
                    return answer
                ply -= 1
                store = True
                if answer == 0:
                    answer = 1
                    continue
                answer = -1
            if frames[ply, _LEFT] == 0:
                answer, store = 0, True
                continue
            break
        move = _next_move(moves, frames, ply) & 1023
        hands = _change_sides(frames, ply, piece[move])
        ply += 1
        uncovered[ply] = uncovered[ply - 1] & ~cells[move]
        for word in range(words):
            sets[ply, word] = sets[ply - 1, word] & beside[move, word] & of_hand[hands, word]
        fits = 0
        for number in range(5):
            anything = _ZERO
            for word in range(words):
                anything |= sets[ply, word] & of_hand[1 << number, word]
            if anything:
                fits |= 1 << number
        needed = _keep(frames, ply, fits)
        if needed and popcount(_live(uncovered[ply], hands, lowest, steps)) < needed:
            frames[ply, _TIE] = 0


@njit(nogil=True, cache=True)
def moves_below(layout: Layout, table: Words, root: SearchNode, bound: int, control: Numbers) -> Words:
    """Return the placements after which the other player's rank is below `bound`.

    If stopped, some placements are missing.
    """
    beside, of_hand, cells, piece, steps, lowest, _ = layout
    words = root.free.size
    found = np.zeros(words, np.uint64)
    frames = np.empty((2, _FIELDS), np.int64)
    frames[0, _MOVER], frames[0, _OTHER], frames[0, _TIE] = root.mover, root.other, root.tie
    frames[0, _BOUND] = bound
    for word in range(words):
        rest = root.free[word] & of_hand[root.mover, word]
        while rest:
            move = 64 * word + trailing_zeros(rest)
            bit = rest & ~(rest - _ONE)
            rest ^= bit
            hands = _change_sides(frames, 0, piece[move])
            free = root.free & beside[move] & of_hand[hands]
            live = _live(root.live & ~cells[move], hands, lowest, steps)
            fits = 0
            for number in range(5):
                if np.any(free & of_hand[1 << number]):
                    fits |= 1 << number
            needed = _keep(frames, 1, fits)
            tie = 0 if needed and popcount(live) < needed else frames[1, _TIE]
            after = SearchNode(free, live, frames[1, _MOVER], frames[1, _OTHER], tie)
            answer = at_least(layout, table, after, bound, control)
            if answer == STOPPED:
                return found
            if answer == 0:
                found[word] |= bit
    return found

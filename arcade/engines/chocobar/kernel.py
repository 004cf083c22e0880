r"""Solve all bars in a box of R rows and C columns in one pass, by rank; see docs/solvers/chocobar.md.

A bar is a list of R row lengths, C >= a[0] >= a[1] >= ... >= 0.

    rank(a) = sum over i of terms[i, a[i]]          terms[i, length] = binomial(length + R-1-i, R-i)

    rank     0    1    2    3    4    5    6    7    8    9        R = 3, C = 2
    rows   000  100  110  111  200  210  211  220  221  222

So a table is a prefix of any table with R rows and more columns. A bite changes the terms of adjacent rows.

`solve_values` keeps *dead tails*. Bit t of dead[p] belongs to tail t, which is rows p and below. While it is
set, all later bars with this tail are won, if the rows before row p-1 stay the same and row p-1 only becomes
longer:

    box of 5 rows       a0 | a1 a2 a3 a4     dead[1]: tails (a1..a4), for any prefix
                        a0 a1 | a2 a3 a4     dead[2]: tails (a2..a4), for this a0
                        a0 a1 a2 | a3 a4     dead[3]: tails (a3,a4), for these a0, a1
                        \_______/ \____/
                        head rows  leaf rows: all tails of one head are scanned together, 64 to a word

When a bar is lost, its tails become dead. In a run of equal rows, so do the tails with longer lower rows.
The pass clears dead[p] when a row before row p-1 changes. A leaf, the bits of all tails of one head, is the
bitwise or of one slice of each dead[p].
"""

import numpy as np
from numpy.typing import NDArray

from arcade.engines.compiled import njit, trailing_zeros
from arcade.engines.control import BEST, NODES, STOP

Ints = NDArray[np.int64]
Bits = NDArray[np.uint64]

_POLL = 1 << 17
"""Steps between two checks of the control. They take less than 10 ms."""

_ONES = np.uint64(0x0101010101010101)
_HIGHS = np.uint64(0x8080808080808080)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONE = np.uint64(1)

SCANNING, WORD, DONE, LOST, BLOCKS, RUN, AT, STATE = range(8)
"""Indices into the state of `solve_values`. The row lengths start at index STATE.

SCANNING: 0 when the leaf must be built, 1 while it is searched.
WORD: next word of the leaf.
DONE: rank below which all bars are decided.
LOST, BLOCKS: number of lost bars, and of valid entries of `bounds`.
RUN, AT: first row of an interrupted run, and the bit at which to resume (0 if none was interrupted).
"""

FINISHED, STOPPED, NO_ROOM = 0, 1, 2


@njit(nogil=True)
def unrank(rank: int, terms: Ints, lengths: Ints, first: int = 0) -> None:
    """Write the row lengths of the bar of rank `rank` into `lengths`.

    If `first` is given, `rank` is the rank of the tail that starts at that row.
    """
    length = lengths[first - 1] if first else terms.shape[1] - 2
    for i in range(first, terms.shape[0]):
        while terms[i, length] > rank:
            length -= 1
        lengths[i] = length
        rank -= terms[i, length]


@njit(nogil=True, inline="always")
def _end_of_run(a: Ints, first: int) -> int:
    last = first
    while last + 1 < a.size and a[last + 1] == a[first]:
        last += 1
    return last


@njit(nogil=True, inline="always")
def _lengthen(a: Ints, first: int, last: int, length: int, cap: int, terms: Ints) -> int:
    """Advance rows `first` to `last - 1` to their next lengths, and return the increase of the rank.

    After the last lengths, set all these rows to `length` and return 0.
    """
    rise = 0
    i = last - 1
    while i >= first and a[i] == (cap if i == first else a[i - 1]):
        rise += terms[i, length] - terms[i, a[i]]
        a[i] = length
        i -= 1
    if i < first:
        return 0
    rise += terms[i, a[i] + 1] - terms[i, a[i]]
    a[i] += 1
    return rise


@njit(nogil=True)
def _longest_resistance(rank: int, terms: Ints, plies: NDArray[np.uint8], a: Ints) -> int:
    longest = 0
    end = a.size
    for column in range(a[0]):
        while end and a[end - 1] <= column:
            end -= 1
        child = rank
        for i in range(end - 1, -1, -1):
            child += terms[i, column] - terms[i, a[i]]
            if child:
                longest = max(longest, plies[np.uint64(child)])
    return longest


@njit(nogil=True)
def _mark_plies(
    plies: NDArray[np.uint8], mark: int, at: int, a: Ints, first: int, last: int, terms: Ints, cells: Ints
) -> int:
    """Mark all bars in which the equal rows `first` to `last` of a lost bar are as long or longer.

    A byte becomes `mark` if it is 0 or larger than that. `a` holds the bar of rank `at`. Return -1 when
    finished, or the rank at which to resume if stopped.
    """
    unpolled = 0
    row = terms[last]
    length = a[last]
    cap = a[first - 1] if first else terms.shape[1] - 2
    while True:
        limit = cap if last == first else a[last - 1]
        lowest = at - row[length]
        for longer in range(length, limit + 1):
            parent = np.uint64(lowest + row[longer])
            # One comparison finds 0, too: 0 - 1 wraps to the highest value.
            if np.uint8(plies[parent] - 1) >= mark:
                plies[parent] = mark
        rise = _lengthen(a, first, last, length, cap, terms)
        if rise == 0:
            return -1
        at += rise
        unpolled += limit - length + 1
        if unpolled > _POLL:
            unpolled = 0
            if cells[STOP]:
                return at


@njit(nogil=True, cache=True)
def solve_remoteness(
    terms: Ints, plies: NDArray[np.uint8], start: int, interrupted: Ints, cells: Ints
) -> int:
    """Fill in the remoteness of every bar. A stopped call can be resumed. Return the first unfinished word.

    Args:
        terms: int64 of shape (rows, columns + 2); terms[0, columns + 1] is the number of bars
        plies: uint8 by rank, padded to a multiple of 8, 0 at first: odd for a won bar, even for a lost bar,
            255 for the empty bar
        start: the word of eight bars to start with
        interrupted: int64 of shape (3,), 0 at first: rank of the lost bar from which bars were being marked,
            first row of the run, rank at which to resume
        cells: NODES counts the bars decided by this call, BEST is the rank reached
    """
    rows = terms.shape[0]
    columns = terms.shape[1] - 2
    total = terms[0, columns + 1]
    words = plies.view(np.uint64)
    a = np.zeros(rows, np.int64)
    visited = cells[NODES] - start * 8
    unpolled = 0
    plies[0] = 255
    for word in range(start, words.size):
        unpolled += 1
        if unpolled > _POLL:
            unpolled = 0
            cells[NODES] = visited + word * 8
            cells[BEST] = word * 8
            if cells[STOP]:
                return word
        eight = words[word]
        if (eight - _ONES) & ~eight & _HIGHS == 0:
            continue
        cells[NODES] = visited + word * 8
        for rank in range(word * 8, min(word * 8 + 8, total)):
            if plies[rank]:
                continue
            unrank(rank, terms, a)
            longest = _longest_resistance(rank, terms, plies, a)
            mine = longest + 1 if rank > 1 else 0
            unpolled += 128
            first, at = 0, rank
            if rank == interrupted[0]:
                first, at = interrupted[1], interrupted[2]
            while first < rows:
                last = _end_of_run(a, first)
                cap = columns if first == 0 else a[first - 1]
                if a[first] == 0:
                    for parent in range(rank + 1, rank + terms[first, cap + 1]):
                        if np.uint8(plies[parent] - 1) > mine:
                            plies[parent] = mine + 1
                elif cap > a[first]:
                    if at > rank:
                        unrank(at, terms, a)
                    at = _mark_plies(plies, mine + 1, at, a, first, last, terms, cells)
                    if at > rank:
                        plies[rank] = 0
                        # A tuple would take as long to compile as the whole kernel.
                        interrupted[0], interrupted[1], interrupted[2] = rank, first, at
                        return word
                    at = rank
                unpolled += 8 << (last - first)
                first = last + 1
            plies[rank] = mine
    cells[NODES] = visited + total
    cells[BEST] = total
    return words.size


@njit(nogil=True)
def _set_range(words: Bits, start: int, stop: int) -> None:
    first = start >> 6
    last = (stop - 1) >> 6
    low = _ALL << np.uint64(start & 63)
    high = _ALL >> np.uint64(63 - ((stop - 1) & 63))
    if first == last:
        words[first] |= low & high
        return
    words[first] |= low
    words[last] |= high
    for i in range(first + 1, last):
        words[i] = _ALL


@njit(nogil=True)
def _mark_bits(
    words: Bits, at: int, a: Ints, first: int, last: int, cap: int, terms: Ints, cells: Ints
) -> int:
    """Mark tails whose rows `first` to `last` are as long or longer, up to `cap`, from bit `at` on.

    Return the number of marks. If stopped, return the bit at which to resume, negated.
    """
    marks = 0
    unpolled = 0
    row = terms[last]
    length = a[last]
    while True:
        limit = cap if last == first else a[last - 1]
        if last == terms.shape[0] - 1:
            _set_range(words, at, at + limit - length + 1)
        else:
            lowest = at - row[length]
            for longer in range(length, limit + 1):
                bit = lowest + row[longer]
                words[bit >> 6] |= _ONE << np.uint64(bit & 63)
        marks += limit - length + 1
        rise = _lengthen(a, first, last, length, cap, terms)
        if rise == 0:
            return marks
        at += rise
        unpolled += limit - length + 1
        if unpolled > _POLL:
            unpolled = 0
            if cells[STOP]:
                return -at


@njit(nogil=True, cache=True)
def solve_values(
    terms: Ints,
    dead: Bits,
    starts: Ints,
    leaf: Bits,
    lost_low: NDArray[np.uint16],
    bounds: Ints,
    state: Ints,
    cells: Ints,
) -> int:
    """Find every lost bar in a box of at least 2 rows. Return FINISHED, STOPPED or NO_ROOM.

    To resume after STOPPED, call it again. After NO_ROOM, call it again with a longer `lost_low`.

    Args:
        terms: as in `solve_remoteness`
        dead: dead tails, 0 at first
        starts: int64, one entry more than head rows. From entry 1 on, entry p is the first word of dead[p],
            which has terms[p, columns + 1] bits, and one more word that is read but not used
        leaf: one bit for each tail of a head
        lost_low: low 16 bits of the rank of each lost bar, in order. NO_ROOM means that it is too short
        bounds: int64; bounds[b] is the number of lost bars with a rank below b * 65536
        state: int64 of shape (STATE + rows,), 0 at first except the length 1 of the first row
        cells: as in `solve_remoteness`
    """
    rows = terms.shape[0]
    columns = terms.shape[1] - 2
    total = terms[0, columns + 1]
    heads = starts.size - 1
    a = state[STATE:]
    offset = np.zeros(heads + 1, np.int64)
    unpolled = 0
    visited = cells[NODES] - state[DONE]
    while True:
        for p in range(heads - 1, -1, -1):
            offset[p] = offset[p + 1] + terms[p, a[p]]
        base = offset[0]
        size = terms[heads, a[heads - 1] + 1]
        words = (size + 63) >> 6
        if state[SCANNING] == 0:
            for w in range(words):
                leaf[w] = 0
            for p in range(1, heads + 1):
                start = starts[p] + (offset[p] >> 6)
                shift = np.uint64(offset[p] & 63)
                rest = np.uint64(63) - shift
                for w in range(words):
                    leaf[w] |= (dead[start + w] >> shift) | ((dead[start + w + 1] << _ONE) << rest)
            if size & 63:
                leaf[words - 1] |= _ALL << np.uint64(size & 63)
            state[SCANNING] = 1
            state[WORD] = 0
            unpolled += 32 + words * heads // 4
        changing = heads - 1
        w = state[WORD]
        while w < words:
            if leaf[w] == _ALL:
                w += 1
                continue
            state[WORD] = w
            state[DONE] = base + w * 64
            cells[NODES] = visited + state[DONE]
            cells[BEST] = state[DONE]
            if state[LOST] == lost_low.size:
                return NO_ROOM
            tail = w * 64 + trailing_zeros(~leaf[w])
            unrank(tail, terms, a, heads)
            passed = False
            first, resumed = state[RUN], state[AT]
            state[RUN] = state[AT] = 0
            while first < rows:
                last = _end_of_run(a, first)
                cap = columns if first == 0 else a[first - 1]
                marks = 0
                if a[first] == 0:
                    if first <= heads:
                        passed = True
                        changing = first - 1
                    else:
                        _set_range(leaf, tail, tail + terms[first, cap + 1])
                elif cap > a[first] and first >= heads:
                    if resumed:
                        unrank(resumed, terms, a, heads)
                    marks = _mark_bits(leaf, max(tail, resumed), a, first, last, cap, terms, cells)
                elif cap > a[first] and last > first:
                    start = starts[first + 1] * 64
                    at = start + offset[first + 1] + tail
                    if resumed:
                        # The tail may be longer than the row above it.
                        a[first] = cap
                        unrank(resumed - start, terms, a, first + 1)
                        a[first] = a[last]
                    marks = _mark_bits(dead, max(at, resumed), a, first + 1, last, cap, terms, cells)
                if marks < 0:
                    # `_mark_bits` would be a third slower if it did this.
                    a[first:last] = a[last]
                    leaf[w] &= ~(_ONE << np.uint64(tail & 63))
                    state[RUN], state[AT] = first, -marks
                    return STOPPED
                resumed = 0
                unpolled += marks
                first = last + 1
            leaf[w] |= _ONE << np.uint64(tail & 63)
            for p in range(1, heads + 1):
                bit = offset[p] + tail
                dead[starts[p] + (bit >> 6)] |= _ONE << np.uint64(bit & 63)
            while state[BLOCKS] <= (base + tail) >> 16:
                bounds[state[BLOCKS]] = state[LOST]
                state[BLOCKS] += 1
            lost_low[state[LOST]] = (base + tail) & 0xFFFF
            state[LOST] += 1
            if passed:
                break
        state[SCANNING] = 0
        i = changing
        while i >= 0 and a[i] == (columns if i == 0 else a[i - 1]):
            i -= 1
        if i < 0:
            break
        a[i] += 1
        a[i + 1 :] = 0
        for p in range(i + 2, heads + 1):
            tails = terms[p, a[p - 2] + 1]
            dead[starts[p] : starts[p] + ((tails + 63) >> 6)] = 0
            unpolled += tails >> 8
        if unpolled > _POLL:
            unpolled = 0
            state[DONE] = 0
            for p in range(i + 1):
                state[DONE] += terms[p, a[p]]
            cells[NODES] = visited + state[DONE]
            cells[BEST] = state[DONE]
            if cells[STOP]:
                return STOPPED
    while state[BLOCKS] < bounds.size:
        bounds[state[BLOCKS]] = state[LOST]
        state[BLOCKS] += 1
    state[DONE] = total
    cells[NODES] = visited + total
    cells[BEST] = total
    return FINISHED


@njit(nogil=True, cache=True)
def solve_grundy(terms: Ints, numbers: NDArray[np.uint16], start: int, a: Ints, cells: Ints) -> int:
    """Fill in the Grundy number of every bar. A stopped call can be resumed. Return the first missing rank.

    Args:
        terms: as in `solve_remoteness`
        numbers: uint16 by rank; the entry of the empty bar has no meaning
        start: 1, or the result of the last call
        a: int64 of shape (rows,), the row lengths at rank start - 1; updated
    """
    rows = terms.shape[0]
    total = numbers.size
    visited = cells[NODES] - start
    seen = np.zeros(rows * terms.shape[1] + 2, np.int64)
    for rank in range(start, total):
        if rank & 0xFFF == 0:
            cells[NODES] = visited + rank
            if cells[STOP]:
                return rank
        i = rows - 1
        while i > 0 and a[i] == a[i - 1]:
            a[i] = 0
            i -= 1
        a[i] += 1
        end = rows
        for column in range(a[0]):
            while end and a[end - 1] <= column:
                end -= 1
            child = rank
            for first in range(end - 1, -1, -1):
                child += terms[first, column] - terms[first, a[first]]
                if child:
                    seen[numbers[child]] = rank
        smallest = 0
        while seen[smallest] == rank:
            smallest += 1
        numbers[rank] = smallest
    cells[NODES] = visited + total
    return total

"""The kernel for boxes whose remoteness would take too much memory: it finds only the lost bars.

Bars are visited in the order of their rank, as in the other kernel, but instead of a mark for each won bar
there is a set of *dead tails* for each row. Cut a bar before row p: the rows above are its prefix, the rest
is its tail.

    dead[p]    bit t:  with the rows before row p-1 as they are now, the tail t, rows p and below, makes
                       every bar won whose row p-1 is longer than it has been so far

    box of 5 rows       a0 | a1 a2 a3 a4     dead[1]: tails (a1..a4), for any prefix
                        a0 a1 | a2 a3 a4     dead[2]: tails (a2..a4), for this a0
                        a0 a1 a2 | a3 a4     dead[3]: tails (a3,a4), for these a0, a1
                        \\_______/ \\____/
                        head rows  leaf rows: all tails of one head are looked at together, 64 to a word

When a bar is lost, each of its tails dies: one bit for each head row stands for all the longer rows above it.
Where a run of rows is equal, the lower rows of the run may be longer too, and each such tail is marked.
When a lost bar ends in empty rows, every bar with the same rows above is won by one bite
and is skipped. dead[p] is cleared when a row before row p-1 changes.

A bar is won exactly when one of its tails is dead, or it is marked within the leaf. Tails of the same head
lie side by side in each dead[p], so the leaf is the "or" of as many bit slices as there are head rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arcade.engines.chocobar.kernel import Ints
from arcade.engines.compiled import njit
from arcade.engines.control import BEST, NODES, STOP

Bits = NDArray[np.uint64]

SCANNING = 0
"""Cell of `state`: 0 when the leaf must be built, 1 while it is being searched."""
WORD = 1
"""Cell of `state`: the next word of the leaf to search."""
DONE = 2
"""Cell of `state`: all bars of lower rank are decided."""
LOST = 3
"""Cell of `state`: the number of lost bars found."""
BLOCKS = 4
"""Cell of `state`: the number of valid entries of `bounds`."""

FINISHED = 0
"""Returned when every bar is decided."""
STOPPED = 1
"""Returned when the control stopped the work."""
NO_ROOM = 2
"""Returned when `lost_low` is full; call again with a longer array."""

_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_ONE = np.uint64(1)
_POLL = 1 << 18
"""Marks between two checks of the control: below 5 ms."""


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
def _lowest_bit(word: np.uint64) -> int:
    bit = 0
    for width in (32, 16, 8, 4, 2, 1):
        shift = np.uint64(width)
        if word & ((_ONE << shift) - _ONE) == 0:
            bit += width
            word >>= shift
    return bit


@njit(nogil=True)
def _mark_longer(
    words: Bits,
    at: int,
    first: int,
    last: int,
    length: int,
    cap: int,
    terms: Ints,
    x: Ints,
    cells: Ints,
) -> int:
    """Mark everything in which the rows from `first` to `last`, now all `length`, are as long or longer.

    Args:
        words: bits in the order of rank.
        at: the bit of what the rows are now, which is marked too.
        first: the first row that may be longer, up to `cap`; each row is at most as long as the one above.
        last: the last row that may be longer.
        length: of all these rows now.
        cap: above `length`.
        terms: of the rank.
        x: int64 of shape (rows,), used as scratch.
        cells: of the control.

    Returns:
        The number of marks; -1 if the control stopped the work first.
    """
    marks = 0
    unpolled = 0
    row = terms[last]
    for i in range(first, last):
        x[i] = length
    while True:
        limit = cap if last == first else x[last - 1]
        if last == terms.shape[0] - 1:
            _set_range(words, at, at + limit - length + 1)
        else:
            lowest = at - row[length]
            for longer in range(length, limit + 1):
                bit = lowest + row[longer]
                words[bit >> 6] |= _ONE << np.uint64(bit & 63)
        marks += limit - length + 1
        unpolled += limit - length + 1
        if unpolled > _POLL:
            unpolled = 0
            if cells[STOP]:
                return -1
        # The next lengths of the rows above the last one, in order.
        i = last - 1
        while i >= first and x[i] == (cap if i == first else x[i - 1]):
            at += terms[i, length] - terms[i, x[i]]
            x[i] = length
            i -= 1
        if i < first:
            return marks
        at += terms[i, x[i] + 1] - terms[i, x[i]]
        x[i] += 1


@njit(nogil=True, cache=True)
def solve_values(
    terms: Ints,
    heads: int,
    dead: Bits,
    starts: Ints,
    leaf: Bits,
    a: Ints,
    lost_low: NDArray[np.uint16],
    bounds: Ints,
    state: Ints,
    cells: Ints,
) -> int:
    """Find every lost bar in a box, or resume where an earlier call was stopped.

    Args:
        terms: of the rank, int64 of shape (rows, columns + 2) with at least 2 rows, as in the other kernel.
        heads: head rows, from 1 to rows - 1.
        dead: the dead tails of all rows, all 0 at first.
        starts: int64 of shape (heads + 1,): the word of `dead` at which dead[p] begins, p from 1 to
            `heads`. It has terms[p, columns + 1] bits and one word more, which is read but not used.
        leaf: the bits of one leaf, terms[heads, columns + 1] of them.
        a: int64 of shape (rows,), the row lengths; 1, 0, 0, ... at first.
        lost_low: afterwards the low 16 bits of the rank of each lost bar, in order of rank.
        bounds: int64; afterwards at [b] how many lost bars have a rank below b * 65536; its size is
            the number of blocks of 65536 bars plus 1.
        state: int64 of shape (5,), all 0 at first, see the constants; kept for the next call.
        cells: of the control; NODES counts the bars decided by this call, BEST is the rank reached.

    Returns:
        FINISHED, STOPPED or NO_ROOM.
    """
    rows = terms.shape[0]
    columns = terms.shape[1] - 2
    total = terms[0, columns + 1]
    offset = np.zeros(heads + 1, np.int64)
    scratch = np.zeros(rows, np.int64)
    unpolled = 0
    visited = cells[NODES] - state[DONE]
    while True:
        # A leaf: all bars with the head rows as they are now, and its tails' place in each dead[p].
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
            tail = w * 64 + _lowest_bit(~leaf[w])
            # Lost: read its leaf rows from the rank.
            left = tail
            length = a[heads - 1]
            for i in range(heads, rows):
                while terms[i, length] > left:
                    length -= 1
                a[i] = length
                left -= terms[i, length]
            passed = False
            first = 0
            while first < rows:
                length = a[first]
                last = first
                while last + 1 < rows and a[last + 1] == length:
                    last += 1
                cap = columns if first == 0 else a[first - 1]
                marks = 0
                if length == 0:
                    if first <= heads:
                        passed = True
                        changing = first - 1
                    else:
                        _set_range(leaf, tail, tail + terms[first, cap + 1])
                elif cap > length and first >= heads:
                    marks = _mark_longer(leaf, tail, first, last, length, cap, terms, scratch, cells)
                elif cap > length and last > first:
                    at = starts[first + 1] * 64 + offset[first + 1] + tail
                    marks = _mark_longer(dead, at, first + 1, last, length, cap, terms, scratch, cells)
                # The next call finds an interrupted bar again; marking twice does no harm.
                if marks < 0:
                    leaf[w] &= ~(_ONE << np.uint64(tail & 63))
                    return STOPPED
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
        # The next head: lengthen the last row that can grow, and empty all rows below it.
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

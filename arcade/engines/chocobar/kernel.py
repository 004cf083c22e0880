"""The kernels of the Chocobar solver: every bar in a box, solved in the order of its rank.

The rank of a bar in a box of R rows and C columns. A bar is R row lengths, C >= a[0] >= a[1] >= ... >= 0,
empty rows at the end. With strictly decreasing digits a[i] + R-1-i it is a combination, and its place in
the combinatorial number system is

    rank(a) = sum over i of terms[i, a[i]]          terms[i, length] = binomial(length + R-1-i, R-i)

which is the lexicographic order, the top row first:

    rank     0    1    2    3    4    5    6    7    8    9        R = 3, C = 2
    rows   000  100  110  111  200  210  211  220  221  222

This order has three advantages. A bite only shortens rows, so it lowers the rank: one pass in increasing
order visits every bar after all bars that it can become. Bars with a shorter top row come first, so the
table of a box with fewer columns is a prefix of this table. And the terms of the sum are independent: a
bite, or its reverse, changes the terms of one run of rows.

The pass. A bar that no lost bar has marked is lost, since every bite from it leads to a won bar. Then mark
every bar that becomes it by one bite: those are won. Lost bars are few (1 in 71 at 10x10, 1 in 156 at 14x14),
so most of the work is marking, about 1.8 marks for each bar, and skipping marked bars, eight at a time.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arcade.engines.compiled import njit
from arcade.engines.control import BEST, NODES, STOP

Ints = NDArray[np.int64]

_ONES = np.uint64(0x0101010101010101)
_HIGHS = np.uint64(0x8080808080808080)
_POLL = 1 << 17
"""Marks (or similar steps) between two checks of the control: below 10 ms."""


@njit(nogil=True)
def unrank(rank: int, terms: Ints, lengths: Ints) -> None:
    """Write the row lengths of the bar with a rank into `lengths`, int64 of shape (rows,)."""
    length = terms.shape[1] - 2
    for i in range(terms.shape[0]):
        while terms[i, length] > rank:
            length -= 1
        lengths[i] = length
        rank -= terms[i, length]


@njit(nogil=True)
def _longest_resistance(rank: int, terms: Ints, plies: NDArray[np.uint8], a: Ints) -> int:
    """The largest remoteness among all bars one bite away from the bar `a` of a rank; 0 if there are none."""
    longest = 0
    end = a.size
    for column in range(a[0]):
        # The bites in one column, from the lowest row up: each further bitten row changes one
        # # term of the rank.
        while end and a[end - 1] <= column:
            end -= 1
        child = rank
        for i in range(end - 1, -1, -1):
            child += terms[i, column] - terms[i, a[i]]
            if child:
                longest = max(longest, plies[np.uint64(child)])
    return longest


@njit(nogil=True)
def _mark_longer(
    plies: NDArray[np.uint8],
    mark: int,
    rank: int,
    first: int,
    last: int,
    length: int,
    cap: int,
    terms: Ints,
    x: Ints,
    cells: Ints,
) -> bool:
    """Mark every bar in which the rows from `first` to `last`, now all `length`, are as long or longer.

    Args:
        plies: lowered to `mark` where it is 0 or higher; the bar with this rank itself becomes `mark` too.
        mark: one more than the remoteness of the lost bar.
        rank: the rank of the lost bar.
        first: the first row that may be longer, up to `cap`; each row is at most as long as the one above.
        last: the last row that may be longer.
        length: of all these rows now.
        cap: above `length`.
        terms: terms of the rank.
        x: int64 of shape (rows,), used as scratch.
        cells: of the control.

    Returns:
        Whether all marks were made; False if the control stopped the work.
    """
    unpolled = 0
    row = terms[last]
    for i in range(first, last):
        x[i] = length
    at = rank
    while True:
        limit = cap if last == first else x[last - 1]
        lowest = at - row[length]
        for longer in range(length, limit + 1):
            parent = np.uint64(lowest + row[longer])
            # One comparison for both cases: 0 - 1 wraps to the highest value.
            if np.uint8(plies[parent] - 1) >= mark:
                plies[parent] = mark
        unpolled += limit - length + 1
        if unpolled > _POLL:
            unpolled = 0
            if cells[STOP]:
                return False
        # The next lengths of the rows above the last one, in order.
        i = last - 1
        while i >= first and x[i] == (cap if i == first else x[i - 1]):
            at += terms[i, length] - terms[i, x[i]]
            x[i] = length
            i -= 1
        if i < first:
            return True
        at += terms[i, x[i] + 1] - terms[i, x[i]]
        x[i] += 1


@njit(nogil=True, cache=True)
def solve_remoteness(terms: Ints, plies: NDArray[np.uint8], start: int, cells: Ints) -> int:
    """Fill in the remoteness of every bar in a box, or resume where an earlier call was stopped.

    Args:
        terms: int64 of shape (rows, columns + 2), the terms of the rank; terms[i, length] is also the number
            of ways in which the rows from row i on can be shorter than `length`, so that the last one of the
            first row is the number of bars.
        plies: uint8, one for each bar and up to 7 more to make it a multiple of 8, all 0 at first.
            Below the returned word it holds the remoteness at the rank of each bar: odd for a won bar, even
            for a lost one. The empty bar at rank 0, which is no position, gets 255.
        start: the word of eight bars to start with: 0, or what the last call returned.
        cells: the control's cells; NODES counts the bars decided by this call, BEST is the rank reached.

    Returns:
        The first unfinished word; plies.size / 8 when done, less if stopped.
    """
    rows = terms.shape[0]
    columns = terms.shape[1] - 2
    total = terms[0, columns + 1]
    words = plies.view(np.uint64)
    a = np.zeros(rows, np.int64)
    scratch = np.zeros(rows, np.int64)
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
        # Lost bars are few: pass over eight marked bytes, none of them 0, at once.
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
            # Every bar that becomes this one by one bite: one run of equal rows is longer there, up to the
            # length of the row above it.
            first = 0
            while first < rows:
                length = a[first]
                last = first
                while last + 1 < rows and a[last + 1] == length:
                    last += 1
                cap = columns if first == 0 else a[first - 1]
                if length == 0:
                    # Empty rows at the end: bars with the same rows above have consecutive ranks.
                    for parent in range(rank + 1, rank + terms[first, cap + 1]):
                        if np.uint8(plies[parent] - 1) > mine:
                            plies[parent] = mine + 1
                elif cap > length and not _mark_longer(
                    plies, mine + 1, rank, first, last, length, cap, terms, scratch, cells
                ):
                    # An interrupted bar is repeated; marking twice does no harm.
                    plies[rank] = 0
                    return word
                unpolled += 8 << (last - first)
                first = last + 1
            plies[rank] = mine
    cells[NODES] = visited + total
    cells[BEST] = total
    return words.size

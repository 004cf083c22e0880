"""The kernels of the Chocobar solver: every bar in a box, solved in the order of its rank.

The rank of a bar in a box of R rows and C columns. A bar is R row lengths, C >= a[0] >= a[1] >= ... >= 0,
empty rows at the end. With strictly decreasing digits a[i] + R-1-i it is a combination, and its place in
the combinatorial number system is

    rank(a) = sum over i of binomial(a[i] + R-1-i, R-i)         0 <= rank < binomial(R+C, R)

which is the lexicographic order, the top row first:

    rank     0    1    2    3    4    5    6    7    8    9        R = 3, C = 2
    rows   000  100  110  111  200  210  211  220  221  222

Three things make this order the right one. A bite makes rows shorter and none longer, so it lowers the rank:
one pass in increasing order meets every bar after all bars that it can become. Bars with a shorter top row
come first: a box of fewer columns is a beginning of the table. And the terms of the sum are independent: a
bite, or its reverse, changes the terms of one run of rows.

The pass. A bar that no lost bar has marked is lost (every bite from it leads to a won bar); then every bar
that becomes it by one bite is won, and is marked. Lost bars are few (1 in 60 at 10x10, 1 in 160 at 14x14),
so the work is in the marks, about 1.2 for each bar, and in skipping what is marked, eight bars at a time.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from arcade.engines.control import NODES, STOP

Ints = NDArray[np.int64]


@njit(nogil=True, cache=True)
def unrank(rank: int, rows: int, columns: int, binomial: Ints, lengths: Ints) -> None:
    """Write the row lengths of the bar with a rank into `lengths`, int64 of shape (rows,)."""
    top = columns
    for i in range(rows):
        while binomial[top + rows - 1 - i, rows - i] > rank:
            top -= 1
        lengths[i] = top
        rank -= binomial[top + rows - 1 - i, rows - i]


@njit(nogil=True, cache=True)
def solve_remoteness(
    rows: int, columns: int, binomial: Ints, plies: NDArray[np.uint8], start: int, cells: Ints
) -> int:
    """Fill in the remoteness of every bar in a box, or go on with it where an earlier call was stopped.

    Args:
        rows: rows of the box, at least 1.
        columns: columns of the box, at least 1.
        binomial: int64 table with binomial(n, k) at [n, k].
        plies: uint8 of shape (binomial(rows + columns, rows) padded to a multiple of 8,), all 0 at first.
            Below the returned word it holds the remoteness at the rank of each bar: odd for a won bar, even
            for a lost one. The empty bar at rank 0, which is no position, gets 255.
        start: the word of eight bars to begin with: 0, or what the last call returned.
        cells: of the control.

    Returns:
        The first word that is not finished; plies.size / 8 when all is done, less when stopped.
    """
    total = binomial[rows + columns, rows]
    words = plies.view(np.uint64)
    a = np.zeros(rows, np.int64)
    x = np.zeros(rows, np.int64)
    prefix = np.zeros(rows + 1, np.int64)
    ones = np.uint64(0x0101010101010101)
    highs = np.uint64(0x8080808080808080)
    work = 0
    plies[0] = 255
    for word in range(start, words.size):
        if word & 0x3FFF == 0:
            cells[NODES] = word * 8
            if cells[STOP]:
                return word
        # Lost bars are few: pass over eight marked bytes at once.
        w = words[word]
        if (w - ones) & ~w & highs == 0:
            continue
        for rank in range(word * 8, min(word * 8 + 8, total)):
            if plies[rank]:
                continue
            unrank(rank, rows, columns, binomial, a)
            for i in range(rows):
                prefix[i + 1] = prefix[i] + binomial[a[i] + rows - 1 - i, rows - i]
            # The longest resistance: the largest remoteness one bite away. For the bites in one column,
            # from the lowest row up, each row bitten exchanges one term of the rank.
            longest = 0
            end = rows
            for column in range(a[0]):
                while end and a[end - 1] <= column:
                    end -= 1
                child = rank
                for i in range(end - 1, -1, -1):
                    child += binomial[column + rows - 1 - i, rows - i] - (prefix[i + 1] - prefix[i])
                    if plies[child] > longest and child:
                        longest = plies[child]
            mine = 0 if rank == 1 else longest + 1
            mark = np.uint8(mine + 1)
            # Every bar that becomes this one by one bite: one run of equal rows may be longer there, up to
            # the length of the row above it.
            first = 0
            while first < rows:
                length = a[first]
                last = first
                while last + 1 < rows and a[last + 1] == length:
                    last += 1
                cap = columns if first == 0 else a[first - 1]
                if cap > length:
                    # x runs through all never increasing rows from `length` to `cap`, its last one fastest.
                    for i in range(first, last + 1):
                        x[i] = length
                    base = rank
                    i = last
                    while True:
                        limit = cap if i == first else x[i - 1]
                        if i == last:
                            work += 16 + limit - length
                            if work > 1 << 18:
                                work = 0
                                if cells[STOP]:
                                    return word
                            k = rows - i
                            n = rows - 1 - i
                            base -= binomial[x[i] + n, k]
                            for value in range(length, limit + 1):
                                parent = base + binomial[value + n, k]
                                if parent != rank and (plies[parent] == 0 or plies[parent] > mark):
                                    plies[parent] = mark
                            base += binomial[length + n, k]
                            x[i] = length
                            i -= 1
                        elif x[i] < limit:
                            base += (
                                binomial[x[i] + rows - i, rows - i] - binomial[x[i] + rows - 1 - i, rows - i]
                            )
                            x[i] += 1
                            i = last
                        else:
                            base += (
                                binomial[length + rows - 1 - i, rows - i]
                                - binomial[x[i] + rows - 1 - i, rows - i]
                            )
                            x[i] = length
                            i -= 1
                        if i < first:
                            break
                first = last + 1
            # Only now: a bar that a stop cut short is taken up again, and marking twice does no harm.
            plies[rank] = mine
    return words.size

"""Grundy numbers: the heap of Nim that a bar equals, for playing several bars at once.

By the theorem of Sprague and Grundy, the player to move loses a sum of bars exactly when the exclusive or of
their Grundy numbers is 0. The number of a bar is the smallest that no bar one bite away has; a single bar is
lost when its number is 0.
"""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

from arcade.engines.chocobar.kernel import Ints
from arcade.engines.chocobar.rules import transpose
from arcade.engines.chocobar.table import bars_in, rank_of, rank_terms
from arcade.engines.compiled import njit
from arcade.engines.control import NODES, STOP, Control
from arcade.engines.errors import InputError

MOST_BARS = 1 << 26
"""Most bars in a box for which Grundy numbers are computed, two bytes each: up to 14x14."""


@njit(nogil=True, cache=True)
def solve_grundy(terms: Ints, numbers: NDArray[np.uint16], start: int, state: Ints, cells: Ints) -> int:
    """Fill in the Grundy number of every bar in a box, in the order of rank, or resume this.

    Args:
        terms: terms of the rank, int64 of shape (rows, columns + 2).
        numbers: uint16, one for each bar; afterwards the Grundy number at each rank. The entry at rank 0,
            the empty bar, has no meaning.
        start: the first rank to fill in: 1, or what the last call returned.
        state: int64 of shape (rows,), the row lengths of the bar at rank start - 1; kept up to date.
        cells: the control's cells.

    Returns:
        The first rank not filled in; the number of bars when done, less if stopped.
    """
    rows = terms.shape[0]
    total = numbers.size
    a = state
    visited = cells[NODES] - start
    seen = np.zeros(rows * terms.shape[1] + 2, np.int64)
    for rank in range(start, total):
        if rank & 0xFFF == 0:
            cells[NODES] = visited + rank
            if cells[STOP]:
                return rank
        # The next bar in order: lengthen the last row that can grow, and empty all rows below it.
        i = rows - 1
        while i > 0 and a[i] == a[i - 1]:
            a[i] = 0
            i -= 1
        a[i] += 1
        # The rank after a bite at (first, column): the rows from `first` to `end`, all longer than
        # `column`, become as long as that.
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


class GrundyTable:
    """The Grundy numbers of all bars in the largest box requested so far."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._box = (0, 0)
        self._terms = rank_terms(0, 0)
        self._numbers = np.zeros(0, np.uint16)
        self._state = np.zeros(0, np.int64)
        self._done = 0

    def look_up(self, rows: tuple[int, ...], control: Control) -> int | None:
        """The Grundy number of a bar; None when stopped by the control.

        Raises:
            InputError: the bar is too large.
        """
        height, width = len(rows), rows[0]
        if bars_in(height, width) > MOST_BARS:
            raise InputError(
                f"The Grundy number of a bar of {height}x{width} is out of reach:"
                f" {bars_in(height, width):,} bars fit into it, and the limit is {MOST_BARS:,}."
            )
        while not self._lock.acquire(timeout=0.05):
            if control.stopped:
                return None
        try:
            low, high = min(height, width), max(height, width)
            if low > self._box[0] or high > self._box[1]:
                self._start(low, high)
            if height > self._box[0] or width > self._box[1]:
                rows = transpose(rows)
            rank = rank_of(rows, self._box[0])
            if rank >= self._done and control.wait_for_kernels("chocobar"):
                self._done = int(
                    solve_grundy(self._terms, self._numbers, self._done, self._state, control.cells)
                )
            return int(self._numbers[rank]) if rank < self._done else None
        finally:
            self._lock.release()

    def _start(self, rows: int, columns: int) -> None:
        self._box = (rows, columns)
        self._terms = rank_terms(rows, columns)
        self._numbers = np.zeros(bars_in(rows, columns), np.uint16)
        self._state = np.zeros(rows, np.int64)
        self._done = 1

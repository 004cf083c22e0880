"""Tables of every bar that fits into a box, in either orientation."""

import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable

import numpy as np

from arcade.engines.chocobar import kernel
from arcade.engines.chocobar.kernel import Ints
from arcade.engines.chocobar.rules import bars_in, transpose
from arcade.engines.control import BOUND, Control, Kernels
from arcade.engines.files import InputError
from arcade.engines.verdict import Value

MAX_WITH_REMOTENESS = 1 << 30
"""Maximum number of bars in a table with remoteness, one byte each: up to 16x16 or 15x18."""

MAX_INTERPRETED = 50_000
"""Maximum number of bars for interpreted Python. An 8x10 box takes 0.2 s; loading numba takes longer."""

_PLAIN = kernel.solve_remoteness.interpreted(_POLL=1 << 12)

_BLOCK = 1 << 16


def keeps_remoteness(rows: int, columns: int) -> bool:
    return bars_in(rows, columns) <= MAX_WITH_REMOTENESS


def memory_bytes(rows: int, columns: int, remoteness: bool) -> int:
    if remoteness:
        return bars_in(rows, columns)
    rows, columns = min(rows, columns), max(rows, columns)
    words = (
        int(_dead_starts(rows, columns)[-1])
        + _dead_words(rows, columns, _heads(rows))
        + _leaf_words(rows, columns)
    )
    return 8 * words + 2 * _room(rows, columns)


def expected_seconds(rows: int, columns: int, remoteness: bool) -> float:
    """Estimate the seconds to solve a table, from speeds on one core of an AMD EPYC server."""
    return bars_in(rows, columns) / (45e6 if remoteness else 140e6)


def rank_terms(rows: int, columns: int) -> Ints:
    terms = [[math.comb(n + rows - 1 - i, rows - i) for n in range(columns + 2)] for i in range(rows)]
    return np.array(terms, np.int64).reshape(rows, columns + 2)


def boxes_to_solve(sizes: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    solved: list[tuple[int, int]] = []
    for rows, columns in sizes:
        low, high = min(rows, columns), max(rows, columns)
        wanted = keeps_remoteness(low, high)
        if not any(low <= i and high <= j and keeps_remoteness(i, j) >= wanted for i, j in solved):
            solved.append((low, high))
    return solved


def rank_of(rows: tuple[int, ...], box_rows: int) -> int:
    return sum(math.comb(length + box_rows - 1 - i, box_rows - i) for i, length in enumerate(rows))


class BarTable(ABC):
    """A table of all bars in a box with rows <= columns. Threads may read it while another one solves it."""

    remoteness: bool

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = min(rows, columns), max(rows, columns)
        self.bars = bars_in(rows, columns)
        self._terms = rank_terms(self.rows, self.columns)

    @property
    @abstractmethod
    def done(self) -> bool: ...

    @abstractmethod
    def solve(self, control: Control) -> None:
        """Solve the remaining bars. Call it again after a stop. Only one thread at a time may do so."""

    @abstractmethod
    def _at(self, rank: int) -> tuple[Value, int | None] | None: ...

    def fits(self, rows: int, columns: int) -> bool:
        return min(rows, columns) <= self.rows and max(rows, columns) <= self.columns

    def look_up(self, rows: tuple[int, ...]) -> tuple[Value, int | None] | None:
        """Return a bar's value and remoteness, or None if the bar is too large or not solved yet.

        In a ValueTable, the remoteness is None.
        """
        height, width = len(rows), rows[0]
        if not self.fits(height, width):
            return None
        found = None
        if height <= self.rows and width <= self.columns:
            found = self._at(rank_of(rows, self.rows))
        if found is None and width <= self.rows and height <= self.columns:
            found = self._at(rank_of(transpose(rows), self.rows))
        return found

    def __str__(self) -> str:
        return f"all bars up to {self.rows}x{self.columns} are solved"


class RemotenessTable(BarTable):
    """A table of remoteness. One byte per bar is enough: the longest game on 18x18 takes 203 plies."""

    remoteness = True

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__(rows, columns)
        self._plies = np.zeros(-(-self.bars // 8) * 8, np.uint8)
        self._words = 0
        self._interrupted = np.zeros(3, np.int64)

    @property
    def done(self) -> bool:
        return self._words * 8 == self._plies.size

    def solve(self, control: Control) -> None:
        if self.done:
            return
        control.cells[BOUND] = self.bars
        solve = kernel.solve_remoteness
        if self.bars <= MAX_INTERPRETED and not (control.has_kernels("chocobar") and solve.loaded):
            solve = _PLAIN
        elif not control.wait_for_kernels("chocobar"):
            return
        found = solve(
            self._terms, self._plies, self._words, self._interrupted, control.cells, control=control
        )
        self._words = int(found)

    def _at(self, rank: int) -> tuple[Value, int | None] | None:
        if rank >= self._words * 8:
            return None
        plies = int(self._plies[rank])
        return (Value.WIN if plies % 2 else Value.LOSS), plies


def _heads(rows: int) -> int:
    """Return the number of head rows: half of all rows, rounded up, so that a leaf fits in the cache."""
    return rows - rows // 2


def _dead_words(rows: int, columns: int, p: int) -> int:
    """Count the words of dead[p], including one that is read but not used."""
    return -(-bars_in(rows - p, columns) // 64) + 1


def _dead_starts(rows: int, columns: int) -> Ints:
    """Return the index of the first word of each dead[p]. Entry 0 is not used."""
    words = [_dead_words(rows, columns, p) for p in range(1, _heads(rows))]
    return np.cumsum([0, 0, *words])


def _leaf_words(rows: int, columns: int) -> int:
    return -(-bars_in(rows - _heads(rows), columns) // 64)


def _room(rows: int, columns: int) -> int:
    """Return the initial capacity for lost bars. In a large box, fewer than one bar in 150 is lost."""
    return bars_in(rows, columns) // 150 + 64


class ValueTable(BarTable):
    """A table of values only. It stores the ranks of lost bars, two bytes each, in blocks of 65536 bars."""

    remoteness = False

    def __init__(self, rows: int, columns: int) -> None:
        super().__init__(rows, columns)
        heads = _heads(self.rows)
        self._starts = _dead_starts(self.rows, self.columns)
        words = int(self._starts[-1]) + _dead_words(self.rows, self.columns, heads)
        self._dead = np.zeros(words, np.uint64)
        self._leaf = np.zeros(_leaf_words(self.rows, self.columns), np.uint64)
        self._lost_low = np.zeros(_room(self.rows, self.columns), np.uint16)
        self._bounds = np.zeros(-(-self.bars // _BLOCK) + 1, np.int64)
        self._state = np.zeros(kernel.STATE + self.rows, np.int64)
        self._state[kernel.STATE] = 1
        self._solved = (0, 0, 0)

    @property
    def done(self) -> bool:
        return self._solved[0] == self.bars

    def solve(self, control: Control) -> None:
        if self.done:
            return
        control.cells[BOUND] = self.bars
        if not control.wait_for_kernels("chocobar"):
            return
        while True:
            code = kernel.solve_values(
                self._terms,
                self._dead,
                self._starts,
                self._leaf,
                self._lost_low,
                self._bounds,
                self._state,
                control.cells,
                control=control,
            )
            if code != kernel.NO_ROOM:
                break
            longer = np.zeros(2 * self._lost_low.size, np.uint16)
            longer[: self._lost_low.size] = self._lost_low
            self._lost_low = longer
        done, blocks, lost = (int(self._state[cell]) for cell in (kernel.DONE, kernel.BLOCKS, kernel.LOST))
        self._solved = done, blocks, lost
        if self.done:
            self._dead = self._leaf = np.zeros(0, np.uint64)
            self._lost_low = self._lost_low[:lost].copy()

    def _at(self, rank: int) -> tuple[Value, int | None] | None:
        done, blocks, lost = self._solved
        if rank >= done:
            return None
        block, low = divmod(rank, _BLOCK)
        start = int(self._bounds[block]) if block < blocks else lost
        stop = int(self._bounds[block + 1]) if block + 1 < blocks else lost
        index = start + int(np.searchsorted(self._lost_low[start:stop], np.uint16(low)))
        found = index < stop and int(self._lost_low[index]) == low
        return (Value.LOSS if found else Value.WIN), None


def make_table(rows: int, columns: int, remoteness: bool = False) -> BarTable:
    if remoteness or keeps_remoteness(rows, columns):
        return RemotenessTable(rows, columns)
    return ValueTable(rows, columns)


def warm(kernels: Kernels | None = None) -> None:
    with Control(kernels=kernels) as control:
        RemotenessTable(9, 10).solve(control)  # too many bars for interpreted Python
        ValueTable(3, 4).solve(control)


MAX_BARS = 1 << 26
"""Maximum number of bars in a table of Grundy numbers, two bytes each: up to 14x14."""


class GrundyTable:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._box = (0, 0)
        self._terms = rank_terms(0, 0)
        self._numbers = np.zeros(0, np.uint16)
        self._state = np.zeros(0, np.int64)
        self._done = 0

    def look_up(self, rows: tuple[int, ...], control: Control) -> int | None:
        """Return a bar's Grundy number, or None if stopped. Raises InputError if the bar is too large."""
        height, width = len(rows), rows[0]
        if bars_in(height, width) > MAX_BARS:
            raise InputError(
                f"A bar of {height}x{width} is too large for Grundy numbers: it can become any of"
                f" {bars_in(height, width):,} bars, and the limit is {MAX_BARS:,}. Choose a smaller bar."
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
                found = kernel.solve_grundy(
                    self._terms, self._numbers, self._done, self._state, control.cells, control=control
                )
                self._done = int(found)
            return int(self._numbers[rank]) if rank < self._done else None
        finally:
            self._lock.release()

    def _start(self, rows: int, columns: int) -> None:
        self._box = (rows, columns)
        self._terms = rank_terms(rows, columns)
        self._numbers = np.zeros(bars_in(rows, columns), np.uint16)
        self._state = np.zeros(rows, np.int64)
        self._done = 1

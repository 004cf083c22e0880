"""Tables of solved bars: one holds every bar that fits into a box, in either orientation."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from arcade.engines.chocobar import kernel
from arcade.engines.chocobar.rules import LARGEST, transpose
from arcade.engines.control import NODES, Control
from arcade.engines.verdict import Value

BINOMIAL: NDArray[np.int64] = np.array(
    [[math.comb(n, k) for k in range(LARGEST + 2)] for n in range(2 * LARGEST + 1)], np.int64
)
"""binomial(n, k) at [n, k]."""

MOST_WITH_REMOTENESS = 1 << 28
"""Most bars of which the remoteness is kept, one byte each: up to 15x15 or 14x16."""


def bars_in(rows: int, columns: int) -> int:
    """How many bars fit into a box, the empty one among them."""
    return math.comb(rows + columns, rows)


def rank_of(rows: tuple[int, ...], box_rows: int) -> int:
    """The rank of a bar in a box with so many rows; see the kernels."""
    return sum(math.comb(length + box_rows - 1 - i, box_rows - i) for i, length in enumerate(rows))


class Table:
    """The value and remoteness of every bar that fits into a box; filled in by one or more calls of `solve`.

    The box lies on its longer side. Reading is safe from any thread while another one solves.
    """

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = min(rows, columns), max(rows, columns)
        self._plies = np.zeros(-(-bars_in(rows, columns) // 8) * 8, np.uint8)
        self._words = 0

    @property
    def done(self) -> bool:
        """Whether every bar is solved."""
        return self._words * 8 == self._plies.size

    def fits(self, rows: int, columns: int) -> bool:
        """Whether the box, or the box turned, holds every bar of so many rows and columns."""
        return min(rows, columns) <= self.rows and max(rows, columns) <= self.columns

    def solve(self, control: Control) -> None:
        """Solve all that is left to solve, or until the control stops it. One thread at a time."""
        before = int(control.cells[NODES])
        started = self._words
        self._words = int(
            kernel.solve_remoteness(
                self.rows, self.columns, BINOMIAL, self._plies, self._words, control.cells
            )
        )
        control.cells[NODES] = before + (self._words - started) * 8

    def look_up(self, rows: tuple[int, ...]) -> tuple[Value, int | None] | None:
        """The value and remoteness of a bar; None when it does not fit or is not solved yet."""
        height, width = len(rows), rows[0]
        if not self.fits(height, width):
            return None
        if height > self.rows or width > self.columns:
            rows = transpose(rows)
        rank = rank_of(rows, self.rows)
        if rank >= self._words * 8:
            return None
        plies = int(self._plies[rank])
        return (Value.WIN if plies % 2 else Value.LOSS), plies

    def __str__(self) -> str:
        return f"table of all bars up to {self.rows}x{self.columns}"

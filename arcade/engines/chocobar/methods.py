"""The report's methods and the solver side by side, for one size of bar."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from arcade.engines.chocobar.classic import WORD, GaveUpError, Representation, generate
from arcade.engines.chocobar.graph import Storage
from arcade.engines.chocobar.rules import LARGEST
from arcade.engines.chocobar.table import bars_in, make_table, memory_bytes
from arcade.engines.control import Control

MOST_BYTES = 1 << 30
"""Edges that take more memory than this count as too many."""


@dataclass(frozen=True, slots=True)
class Compared:
    """How one method did on one size of bar."""

    method: str
    vertices: int
    edges: int
    """Edges that are kept; the solver keeps none."""
    list_bytes: int | None = None
    """Memory of the edges as adjacency lists, or of the solver's table."""
    matrix_bytes: int | None = None
    """Memory of the edges as an adjacency matrix."""
    seconds: float | None = None
    """None when the method gave up."""
    remark: str = ""
    """Why it gave up here, else where it will."""

    def json(self) -> dict[str, Any]:
        """For `--json`."""
        return asdict(self)

    def cells(self) -> tuple[str, ...]:
        """The columns of a table."""

        def number(value: int | None) -> str:
            return "-" if value is None else f"{value:,}"

        seconds = "-" if self.seconds is None else f"{self.seconds:.4f}"
        return (
            self.method,
            number(self.vertices),
            number(self.edges),
            number(self.list_bytes),
            number(self.matrix_bytes),
            seconds,
            self.remark,
        )


def vertex_count(rows: int, columns: int) -> int:
    """Bars up to a full one of this size."""
    return bars_in(rows, columns) - 1


def edge_count(rows: int, columns: int) -> int:
    """Bites on all these bars, those at the poison not counted.

    What a staircase leaves of its box is a staircase too, so on average it has half of the squares.
    """
    return bars_in(rows, columns) * rows * columns // 2 - vertex_count(rows, columns)


def list_bytes(rows: int, columns: int) -> int:
    """Memory of the whole graph as adjacency lists: four bytes an edge, eight a vertex."""
    return 4 * edge_count(rows, columns) + 8 * vertex_count(rows, columns)


def matrix_bytes(rows: int, columns: int) -> int:
    """Memory of the whole graph as an adjacency matrix: a byte for each pair of vertices."""
    return vertex_count(rows, columns) ** 2


def first_square_beyond(limit: int, measure: Callable[[int, int], int]) -> int:
    """The side of the first square bar of which `measure(side, side)` is over a limit."""
    return next(side for side in range(2, 64) if measure(side, side) > limit)


METHODS = (*(each.value for each in Representation), "solver")
"""The report's three representations, and the arcade's own solver."""


def run_method(method: str, rows: int, columns: int, control: Control) -> Compared:
    """Run one of `METHODS` on the full bar of a size, at most 18 by 18 and larger than 1x1."""
    started = time.perf_counter()
    found = Compared(method, vertex_count(rows, columns), edge_count(rows, columns))
    try:
        if method == "solver":
            found = _solver(found, rows, columns, control)
        else:
            found = _classic(found, rows, columns, control)
    except GaveUpError as error:
        reason = str(error)
        return replace(found, remark=f"gives up: {reason[0].lower()}{reason[1:-1]}")
    return replace(found, seconds=time.perf_counter() - started)


def _classic(found: Compared, rows: int, columns: int, control: Control) -> Compared:
    if list_bytes(rows, columns) > MOST_BYTES:
        raise GaveUpError(f"The lists would take {list_bytes(rows, columns) / 2**30:,.1f} GiB.")
    representation = Representation(found.method)
    graph = generate(rows, columns, representation, Storage.LIST, control)
    lists, matrix = (first_square_beyond(MOST_BYTES, each) for each in (list_bytes, matrix_bytes))
    remark = f"lists above 1 GiB from {lists}x{lists}, matrix from {matrix}x{matrix}"
    if representation is Representation.PACKED:
        packed = first_square_beyond(WORD, lambda m, n: (m + 1) ** n)
        remark += f", above 64 bits from {packed}x{packed}"
    return replace(
        found,
        vertices=len(graph.edges),
        edges=graph.edge_count,
        list_bytes=graph.edges.nbytes,
        matrix_bytes=matrix_bytes(rows, columns),
        remark=remark,
    )


def _solver(found: Compared, rows: int, columns: int, control: Control) -> Compared:
    table = make_table(rows, columns)
    table.solve(control)
    if not table.done:
        raise GaveUpError(f"Out of time after {control.nodes:,} vertices.")
    what = "value and remoteness" if table.remoteness else "value alone"
    return replace(
        found,
        edges=0,
        list_bytes=memory_bytes(rows, columns),
        remark=f"{what} of every bar; goes on to {LARGEST}x{LARGEST}",
    )

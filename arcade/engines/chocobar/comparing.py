"""Chocobar's methods side by side: three representations in two storages, and the solver."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from arcade.engines.chocobar.classic import GaveUpError, Representation, generate
from arcade.engines.chocobar.graph import Storage, remoteness
from arcade.engines.chocobar.rules import Bar
from arcade.engines.chocobar.table import bars_in, make_table, warm
from arcade.engines.control import Control
from arcade.engines.methods import OUT_OF_TIME, SolvingMethod, Work
from arcade.engines.position import Position

BOARDS = ("3x3", "4x4", "5x5", "6x6", "7x7", "8x8", "10x10", "12x12")

MOST_BYTES = 1 << 30
"""Most memory for edges."""


def vertex_count(rows: int, columns: int) -> int:
    """The number of bars that fit into a full bar of this size."""
    return bars_in(rows, columns) - 1


def edge_count(rows: int, columns: int) -> int:
    """Bites on all these bars, not counting bites at the poison.

    The complement of a staircase in its box is also a staircase, so on average it has half of the squares.
    """
    return bars_in(rows, columns) * rows * columns // 2 - vertex_count(rows, columns)


def list_bytes(rows: int, columns: int) -> int:
    """Memory of the whole graph as adjacency lists: four bytes an edge, eight a vertex."""
    return 4 * edge_count(rows, columns) + 8 * vertex_count(rows, columns)


def matrix_bytes(rows: int, columns: int) -> int:
    """Memory of the whole graph as an adjacency matrix: a byte for each pair of vertices."""
    return vertex_count(rows, columns) ** 2


EDGE_BYTES: dict[Storage, Callable[[int, int], int]] = {
    Storage.LIST: list_bytes,
    Storage.MATRIX: matrix_bytes,
}
"""The memory of the edges by storage, for rows and columns."""


def _first_square_beyond(storage: Storage) -> int:
    """The side of the first square bar whose edges need more than `MOST_BYTES`."""
    return next(side for side in range(2, 64) if EDGE_BYTES[storage](side, side) > MOST_BYTES)


def _classic(
    representation: Representation, storage: Storage, position: Position[Any], control: Control
) -> Work:
    assert isinstance(position, Bar)
    rows, columns = len(position.rows), position.rows[0]
    needed = EDGE_BYTES[storage](rows, columns)
    if needed > MOST_BYTES:
        return Work("", None, f"would take {needed / 2**30:,.1f} GiB")
    try:
        graph = generate(rows, columns, representation, storage, control)
    except GaveUpError as error:
        reason = str(error)
        return Work(
            "", control.nodes, OUT_OF_TIME if control.stopped else f"{reason[0].lower()}{reason[1:-1]}"
        )
    found = remoteness(graph, control)
    if found is None:
        return Work("", len(graph.edges), OUT_OF_TIME)
    return Work(_answer(found[graph.initial]), len(graph.edges))


def _answer(plies: int) -> str:
    return f"{'win' if plies % 2 else 'loss'} in {plies}"


def _solver(position: Position[Any], control: Control) -> Work:
    assert isinstance(position, Bar)
    rows, columns = len(position.rows), position.rows[0]
    # All bars, as the other methods do; the solver itself knows a full square without any table.
    table = make_table(rows, columns)
    table.solve(control)
    found = table.look_up(position.rows)
    if not table.done or found is None:
        return Work("", control.nodes, OUT_OF_TIME)
    value, plies = found
    return Work(value.name.lower() if plies is None else _answer(plies), vertex_count(rows, columns))


METHODS = (
    *(
        SolvingMethod(
            f"{representation.value}-{storage.value}",
            f"The report's game graph: bars as {representation.value}, edges as {storage.value};"
            f" above 1 GiB from {_first_square_beyond(storage)}x{_first_square_beyond(storage)}.",
            partial(_classic, representation, storage),
        )
        for representation in Representation
        for storage in Storage
    ),
    SolvingMethod("solver", "The arcade's table of all bars.", _solver, warm),
)

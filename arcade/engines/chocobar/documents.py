"""The report's three representations of a bar, the game graph made from each, and both beside the solver.

The methods are kept as the report of 2009 has them, for comparison and as oracles in the tests. In all of
them the record shows what has been eaten:

    a bar of 3 x 4 after bites at          # # # #      breakpoints   (2,4), (3,2)
    (2,4) and (3,2); eaten: .              # # # .      array         0 1 1 2   eaten in each column
                                           # . . .      packed        0 + 1*4 + 1*4^2 + 2*4^3 = 148

* Breakpoints: the corners (row, column), from the top, from which everything to the right and below is
  eaten. The graph is found by recursion from the full bar.
* Array: the number of squares eaten in each column, never decreasing to the right. The graph is found by
  going through all such arrays in lexicographic order and testing each pair of them.
* Packed: the same numbers as the digits, base rows + 1, of one integer of 64 bits, so that
  (rows + 1) ** columns must be at most 2 ** 64. The graph is found as from the array.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import partial
from typing import Any, TypeVar

from arcade.engines.chocobar.graph import Graph, Storage, remoteness, store
from arcade.engines.chocobar.rules import Bar
from arcade.engines.chocobar.table import bars_in, make_table, warm
from arcade.engines.control import NODES, Control
from arcade.engines.game import OUT_OF_TIME, SolvingMethod, Work
from arcade.engines.position import Position

Breakpoints = tuple[tuple[int, int], ...]
Columns = tuple[int, ...]
Successors = list[list[int]]
State = TypeVar("State")

WORD = 1 << 64
"""A packed bar is an integer below this."""


class GaveUpError(Exception):
    """A method cannot handle a bar of this size; the message is a clause that gives its limit."""


class Representation(StrEnum):
    """How a bar is represented."""

    BREAKPOINTS = "breakpoints"
    ARRAY = "array"
    PACKED = "packed"


def bite_breakpoints(bar: Breakpoints, row: int, column: int) -> Breakpoints:
    """The breakpoints after a bite at a remaining square."""
    kept = [(i, j) for i, j in bar if not (i >= row and j >= column)]
    return tuple(sorted([*kept, (row, column)]))


def is_eaten(bar: Breakpoints, row: int, column: int) -> bool:
    """Whether a square lies below and to the right of a breakpoint."""
    return any(row >= i and column >= j for i, j in bar)


def array_is_bite(before: Columns, after: Columns) -> bool:
    """Whether one bite turns an array into another: raising all entries from some column on."""
    changed = next((j for j, (x, y) in enumerate(zip(before, after, strict=True)) if x != y), None)
    if changed is None:
        return False
    eaten = after[changed]
    return eaten > before[changed] and all(
        y == max(x, eaten) for x, y in zip(before[changed:], after[changed:], strict=True)
    )


def arrays(rows: int, columns: int) -> Iterator[Columns]:
    """All bars as arrays in lexicographic order: the full bar first, the poison alone last."""
    for eaten in itertools.combinations_with_replacement(range(rows + 1), columns):
        if eaten[0] < rows:
            yield eaten


def pack(eaten: Columns, rows: int) -> int:
    """The array as one integer in base rows + 1; the first column is the last digit."""
    return sum(number * (rows + 1) ** j for j, number in enumerate(eaten))


def packed_is_bite(before: int, after: int, base: int) -> bool:
    """The same test as `array_is_bite`, on the digits of two integers."""
    while after and before % base == after % base:
        before //= base
        after //= base
    eaten = after % base
    if eaten <= before % base:
        return False
    while before or after:
        if after % base != max(before % base, eaten):
            return False
        before //= base
        after //= base
    return True


def breakpoints_rows(bar: Breakpoints, rows: int, columns: int) -> tuple[int, ...]:
    """The row lengths of a bar given as breakpoints, without empty rows."""
    lengths = (min((j - 1 for i, j in bar if i <= row), default=columns) for row in range(1, rows + 1))
    return tuple(length for length in lengths if length)


def array_rows(eaten: Columns, rows: int) -> tuple[int, ...]:
    """The row lengths of a bar given as an array, without empty rows."""
    lengths = (sum(rows - number >= row for number in eaten) for row in range(1, rows + 1))
    return tuple(length for length in lengths if length)


def _name(rows: tuple[int, ...]) -> str:
    return ".".join(map(str, rows))


def _check(control: Control, what: str) -> None:
    if control.stopped:
        raise GaveUpError(f"out of time after {control.nodes:,} {what}")


def _from_breakpoints(rows: int, columns: int, control: Control) -> tuple[list[str], Successors]:
    number: dict[Breakpoints, int] = {}
    successors: Successors = []

    def visit(bar: Breakpoints) -> int:
        if bar in number:
            return number[bar]
        _check(control, "vertices")
        number[bar] = mine = len(successors)
        successors.append([])
        control.cells[NODES] = len(successors)
        for row, column in itertools.product(range(1, rows + 1), range(1, columns + 1)):
            if (row, column) != (1, 1) and not is_eaten(bar, row, column):
                successors[mine].append(visit(bite_breakpoints(bar, row, column)))
        return mine

    visit(())
    return [_name(breakpoints_rows(bar, rows, columns)) for bar in number], successors


def _from_arrays(rows: int, columns: int, control: Control) -> tuple[list[str], Successors]:
    bars = list(arrays(rows, columns))
    successors = _test_pairs(bars, array_is_bite, control)
    return [_name(array_rows(bar, rows)) for bar in bars], successors


def _from_packed(rows: int, columns: int, control: Control) -> tuple[list[str], Successors]:
    base = rows + 1
    if base**columns > WORD:
        raise GaveUpError(
            f"a bar of {rows}x{columns} does not fit into 64 bits: {base}^{columns} is over 2^64"
        )
    bars = list(arrays(rows, columns))
    packed = [pack(bar, rows) for bar in bars]
    successors = _test_pairs(packed, lambda before, after: packed_is_bite(before, after, base), control)
    return [_name(array_rows(bar, rows)) for bar in bars], successors


def _test_pairs(states: list[State], is_bite: Callable[[State, State], bool], control: Control) -> Successors:
    successors: Successors = []
    for before in states:
        _check(control, "pairs")
        successors.append([target for target, after in enumerate(states) if is_bite(before, after)])
        control.cells[NODES] += len(states)
    return successors


_GENERATORS = {
    Representation.BREAKPOINTS: _from_breakpoints,
    Representation.ARRAY: _from_arrays,
    Representation.PACKED: _from_packed,
}


def generate(
    rows: int, columns: int, representation: Representation, storage: Storage, control: Control
) -> Graph:
    """The game graph of a full bar, as the report makes it from one of its representations.

    Args:
        rows: at least 1.
        columns: at least 1; the bar has at least two squares.
        representation: how bars are represented while the graph is made; it sets the order of vertices.
        storage: how the finished edges are stored.
        control: counts vertices (breakpoints) or tested pairs (array, packed) as nodes.

    Raises:
        GaveUpError: the bar does not fit the representation, or the control stopped the work.
    """
    names, successors = _GENERATORS[representation](rows, columns, control)
    return Graph(store(successors, storage), 0, names.index("1"), tuple(names))


def vertex_count(rows: int, columns: int) -> int:
    """The number of bars that fit into a full bar of this size."""
    return bars_in(rows, columns) - 1


def edge_count(rows: int, columns: int) -> int:
    """Bites on all these bars, not counting bites at the poison.

    The complement of a staircase in its box is also a staircase, so on average it has half of the squares.
    """
    return bars_in(rows, columns) * rows * columns // 2 - vertex_count(rows, columns)


EDGE_BYTES: dict[Storage, Callable[[int, int], int]] = {
    Storage.LIST: lambda rows, columns: 4 * edge_count(rows, columns) + 8 * vertex_count(rows, columns),
    Storage.MATRIX: lambda rows, columns: vertex_count(rows, columns) ** 2,
}
"""The memory of the edges by storage, for rows and columns: as adjacency lists four bytes an edge and eight a
vertex, as an adjacency matrix a byte for each pair of vertices."""

MOST_BYTES = 1 << 30
"""Most memory for edges."""


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
        return Work("", control.nodes, OUT_OF_TIME if control.stopped else str(error))
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


def _graph_method(representation: Representation, storage: Storage) -> SolvingMethod:
    first = next(side for side in range(2, 64) if EDGE_BYTES[storage](side, side) > MOST_BYTES)
    return SolvingMethod(
        f"{representation}-{storage}",
        f"The report's game graph: bars as {representation}, edges as {storage};"
        f" above 1 GiB from {first}x{first}.",
        partial(_classic, representation, storage),
    )


METHODS = (
    *(_graph_method(representation, storage) for representation in Representation for storage in Storage),
    SolvingMethod("solver", "The arcade's table of all bars.", _solver, warm),
)
BOARDS = ("3x3", "4x4", "5x5", "6x6", "7x7", "8x8", "10x10", "12x12")

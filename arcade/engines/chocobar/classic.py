"""The report's three representations of a bar, and the game graph made from each.

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
from typing import TypeVar

from arcade.engines.chocobar.graph import Graph, Storage, store
from arcade.engines.control import NODES, Control

Breakpoints = tuple[tuple[int, int], ...]
Columns = tuple[int, ...]
Successors = list[list[int]]
State = TypeVar("State")

WORD = 1 << 64
"""A packed bar is an integer below this."""


class GaveUpError(Exception):
    """A method cannot handle a bar of this size; the message is a sentence that gives its limit."""


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
    lengths = (sum(rows - each >= row for each in eaten) for row in range(1, rows + 1))
    return tuple(length for length in lengths if length)


def _name(rows: tuple[int, ...]) -> str:
    return ".".join(map(str, rows))


def _check(control: Control, what: str) -> None:
    if control.stopped:
        raise GaveUpError(f"Out of time after {control.nodes:,} {what}.")


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
            f"A bar of {rows}x{columns} does not fit into 64 bits: {base}^{columns} is over 2^64."
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

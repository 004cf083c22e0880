from __future__ import annotations

import itertools

import pytest

from arcade.engines.chocobar.documents import (
    EDGE_BYTES,
    GaveUpError,
    Representation,
    array_is_bite,
    array_rows,
    arrays,
    bite_breakpoints,
    breakpoints_rows,
    edge_count,
    generate,
    pack,
    packed_is_bite,
    vertex_count,
)
from arcade.engines.chocobar.graph import Graph, Storage, remoteness
from arcade.engines.chocobar.rules import Bar
from arcade.engines.chocobar.table import RemotenessTable
from arcade.engines.control import Control
from tests.engines.chocobar import brute

SIZES = [(1, 5), (5, 1), (2, 2), (3, 4), (4, 3), (4, 4)]


def made(rows: int, columns: int, representation: Representation, storage: Storage = Storage.LIST) -> Graph:
    with Control() as control:
        return generate(rows, columns, representation, storage, control)


def named_edges(graph: Graph) -> set[tuple[str, str]]:
    return {
        (graph.names[vertex], graph.names[target])
        for vertex in range(len(graph.edges))
        for target in graph.edges.successors(vertex)
    }


@pytest.mark.parametrize("storage", Storage)
@pytest.mark.parametrize("representation", Representation)
@pytest.mark.parametrize("size", SIZES)
def test_each_representation_makes_the_graph_of_the_rule_book(
    size: tuple[int, int], representation: Representation, storage: Storage
) -> None:
    graph = made(*size, representation, storage)
    expected = {
        (Bar(rows).text(), Bar(after).text())
        for rows in brute.all_bars(*size)
        for after in brute.bitten(rows)
    }
    assert named_edges(graph) == expected
    assert sorted(graph.names) == sorted(Bar(rows).text() for rows in brute.all_bars(*size))
    assert graph.names[graph.initial] == Bar.full(*size).text()
    assert graph.names[graph.final] == "1"
    assert graph.edge_count == len(expected) == edge_count(*size)
    assert len(graph.edges) == vertex_count(*size)
    assert graph.edges.nbytes == EDGE_BYTES[storage](*size)


@pytest.mark.parametrize("representation", Representation)
def test_the_report_and_the_solver_agree(representation: Representation, control: Control) -> None:
    """Working back on the whole graph, as the report does, is an oracle of the tables."""
    graph = made(5, 5, representation)
    plies = remoteness(graph)
    assert plies is not None
    table = RemotenessTable(5, 5)
    table.solve(control)
    for vertex, name in enumerate(graph.names):
        rows = tuple(map(int, name.split(".")))
        entry = table.look_up(rows)
        assert entry is not None
        assert entry[1] == plies[vertex]


def test_the_representations_of_one_bar() -> None:
    """The bar that is drawn at the head of the module."""
    corners = bite_breakpoints(bite_breakpoints((), 2, 4), 3, 2)
    assert corners == ((2, 4), (3, 2))
    assert breakpoints_rows(corners, 3, 4) == (4, 3, 1)
    assert array_rows((0, 1, 1, 2), 3) == (4, 3, 1)
    assert pack((0, 1, 1, 2), 3) == 148


def test_a_bite_at_a_corner_takes_breakpoints_away() -> None:
    assert bite_breakpoints(((2, 4), (3, 2)), 2, 2) == ((2, 2),)
    assert bite_breakpoints(((2, 4), (4, 2)), 3, 3) == ((2, 4), (3, 3), (4, 2))


def test_the_pair_tests_agree_with_the_rule_book() -> None:
    for before, after in itertools.product(arrays(3, 4), repeat=2):
        truth = array_rows(after, 3) in brute.bitten(array_rows(before, 3))
        assert array_is_bite(before, after) == truth
        assert packed_is_bite(pack(before, 3), pack(after, 3), 4) == truth


def test_a_packed_bar_must_fit_into_64_bits(control: Control) -> None:
    with pytest.raises(GaveUpError, match=r"17\^16 is over 2\^64"):
        generate(16, 16, Representation.PACKED, Storage.LIST, control)


@pytest.mark.parametrize("representation", Representation)
def test_making_a_graph_stops_when_told_to(representation: Representation) -> None:
    with Control(0.02) as control, pytest.raises(GaveUpError, match="out of time after"):
        generate(9, 9, representation, Storage.LIST, control)

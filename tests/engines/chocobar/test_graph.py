import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcade.engines.chocobar.graph import (
    Convention,
    Edges,
    Graph,
    Storage,
    parse_graph,
    read_graph,
    remoteness,
)
from arcade.engines.control import Control
from arcade.engines.files import InputError
from tests.narrow import present
from tests.refusals import refused, refuses

HEAD = "vertices 4\ninitial 3\nfinal 0\n"


def random_graph(seed: int) -> Graph:
    """Some graph without cycles on which every vertex leads to vertex 0."""
    rng = random.Random(seed)
    count = rng.randint(2, 30)
    order = [0, *rng.sample(range(1, count), count - 1)]
    successors: list[list[int]] = [[] for _ in range(count)]
    for place, vertex in enumerate(order[1:], 1):
        successors[vertex] = rng.sample(order[:place], rng.randint(1, min(place, 5)))
    return Graph(
        Edges(successors, rng.choice(list(Storage))),
        order[-1],
        0,
        tuple(f"v{vertex}" if rng.random() < 0.5 else str(vertex) for vertex in range(count)),
        rng.choice(list(Convention)),
    )


def edges(graph: Graph) -> list[list[int]]:
    return [list(graph.edges.successors(vertex)) for vertex in range(len(graph.edges))]


@given(st.integers(), st.sampled_from(Storage))
def test_graph_text_round_trips(seed: int, storage: Storage) -> None:
    graph = random_graph(seed)
    again = parse_graph(graph.text(storage))
    assert edges(again) == edges(graph)
    assert (again.initial, again.final, again.names) == (graph.initial, graph.final, graph.names)
    assert (again.ending, again.silent) == (graph.ending, False)
    assert again.text(storage) == graph.text(storage)
    assert again.edges.storage is storage


@settings(deadline=None)
@given(st.integers())
def test_list_and_matrix_storage_agree(seed: int) -> None:
    lists = random_graph(seed)
    matrix = parse_graph(lists.text(Storage.MATRIX))
    assert edges(matrix) == edges(lists)
    count = len(lists.edges)
    for origin in range(count):
        for target in range(count):
            expected = target in lists.edges.successors(origin)
            assert lists.edges.joined(origin, target) == matrix.edges.joined(origin, target) == expected


@given(st.integers())
def test_remoteness_matches_brute_force(seed: int) -> None:
    graph = random_graph(seed)

    def truth(vertex: int) -> int:
        after = [truth(target) for target in graph.edges.successors(vertex)]
        lost = [each for each in after if (each % 2 == 0) == (graph.ending is Convention.IS)]
        return 1 + (min(lost) if lost else max(after, default=-1))

    plies = present(remoteness(graph))
    for vertex, each in enumerate(plies):
        assert each == (truth(vertex) if vertex in graph.order else -1)


def test_cancelled_remoteness_returns_none() -> None:
    control = Control()
    control.cancel()
    assert remoteness(random_graph(1), control) is None


def test_graph_file_may_have_comments_blank_lines_and_missing_lists() -> None:
    text = (
        "# mine\n\nvertices 3  # so many\ninitial 2\nfinal 0\nname 2 top\nlists\n2 : 1 0 1\n\n1: 0 # down\n"
    )
    graph = parse_graph(text)
    assert edges(graph) == [[], [0], [0, 1]]
    assert graph.named(2) == "2 (top)"
    assert graph.named(1) == "1"
    assert edges(parse_graph("vertices 2\ninitial 1\nfinal 0\nmatrix\n0 0\n1 0\n")) == [[], [0]]


test_invalid_graphs_are_rejected_with_reason = refuses(
    lambda text: parse_graph(text, "g.txt"),
    ("", "g.txt must have a line 'lists' or 'matrix' before its edges"),
    ("nonsense", "Line 1 of g.txt: 'nonsense' is not understood"),
    ("initial 3", "Line 1 of g.txt: The number of vertices must come first"),
    ("vertices x", "must be a whole number from 2 to 1000000, not 'x'"),
    ("vertices 1", "from 2 to 1000000"),
    ("vertices 99999999999999", "from 2 to 1000000, not"),
    ("vertices 2000000", "must be a whole number from 2 to 1000000"),
    ("vertices 4\nvertices 4", "Line 2 of g.txt: 'vertices 4' is not understood"),
    ("vertices 4\ninitial 4", "Line 2 of g.txt: The vertex must be a whole number from 0 to 3, not '4'."),
    ("vertices 4\ninitial 3\nlists", "Line 3 of g.txt: There is no line 'final VERTEX'"),
    ("vertices 2\nwhoever is there loses\nwhoever is there loses", "Line 3 of g.txt: 'whoever is there"),
    (HEAD + "lists\n3: 2 7", "Line 5 of g.txt: The vertex must be a whole number from 0 to 3, not '7'."),
    (HEAD + "lists\n3: -1", "not '-1'"),
    (HEAD + "lists\n3 2 1", "must be written as 'FROM: TO TO ...'"),
    (HEAD + "lists\n3: 2\n3: 1", "Line 6 of g.txt: The edges from vertex 3 are given a second time."),
    (HEAD + "matrix\n0000\n1000\n0100", "has 3 rows instead of 4"),
    (HEAD + "matrix\n000\n", "Line 5 of g.txt: Row 0 of the matrix must be 4 digits"),
    (HEAD + "matrix\n0002\n", "each 0 or 1"),
    (HEAD + "matrix\n0000\n1000\n0100\n0010\n0000", "more than 4 rows"),
    (HEAD + "lists\n3: 2\n2: 1\n1: 2 0", "The graph has the cycle 2 -> 1 -> 2."),
    (HEAD + "lists\n3: 3 0", "The graph has the cycle 3 -> 3."),
    (HEAD + "lists\n3: 2 1\n1: 0", "Vertex 2 has no edges, but can be reached from"),
    (HEAD + "lists\n2: 0\n1: 0", "Vertex 3 has no edges, but can be reached from"),
    (
        HEAD + "lists\n3: 0\n0: 1",
        "The game ends at 0, so this vertex cannot have an edge. Remove its edge to 1.",
    ),
    ("vertices 2\ninitial 1\nfinal 1\nlists\n", "The initial and final vertices must differ. Both are 1."),
)


def test_graph_with_unreachable_cycle_is_accepted() -> None:
    assert parse_graph(HEAD + "lists\n3: 0\n1: 2\n2: 1").order == (3, 0)


def test_long_paths_and_cycles_do_not_overflow_the_stack() -> None:
    count = 50_000
    successors = [[vertex - 1] if vertex else [] for vertex in range(count)]
    graph = Graph(Edges(successors, Storage.LIST), count - 1, 0, tuple(map(str, range(count))))
    assert present(remoteness(graph))[count - 1] == count - 1
    successors[1] = [count - 1]
    with pytest.raises(InputError, match=r"-> \.\.\. ->") as caught:
        Graph(Edges(successors, Storage.LIST), count - 1, 0, tuple(map(str, range(count))))
    assert len(str(caught.value)) < 200


def test_unreadable_graph_files_are_rejected(tmp_path: Path) -> None:
    refused("Cannot read .*: No such file", read_graph, tmp_path / "none")
    refused("Cannot read .*: Is a directory", read_graph, tmp_path)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    refused("is not UTF-8 text: line 1", read_graph, tmp_path / "binary")

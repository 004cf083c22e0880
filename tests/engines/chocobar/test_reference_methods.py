"""The report's methods against the rule book and the numbers of the report."""

from __future__ import annotations

import itertools
from functools import cache

import pytest

from arcade.engines.chocobar.game import GAME
from arcade.engines.chocobar.graph import (
    Convention,
    Graph,
    Storage,
    bar_graph,
    bar_name,
    is_winning_strategy,
)
from arcade.engines.chocobar.reference_methods import (
    BreakpointGraph,
    add_breakpoint,
    arrays,
    break_line,
    construct_winning_strategy,
    edge_count,
    is_packed_son,
    is_son,
    packed_bars,
    strategy_move,
)
from arcade.engines.chocobar.rules import Bar
from arcade.engines.control import Control
from arcade.engines.reference_methods import OUT_OF_TIME, MethodResult, SolvingMethod
from tests.engines.chocobar import brute

METHODS = GAME.reference_methods.methods
SIZES = [(1, 5), (5, 1), (2, 2), (3, 4), (4, 3), (4, 4)]


@cache
def work(name: str, bar: Bar) -> MethodResult:
    method = next(method for method in METHODS if method.name == name)
    with Control() as control:
        return method.solve(bar, control)


def named_edges(graph: Graph) -> set[tuple[str, str]]:
    return {
        (graph.names[vertex], graph.names[target])
        for vertex in range(len(graph.edges))
        for target in graph.edges.successors(vertex)
    }


def bites(rows: int, columns: int) -> set[tuple[str, str]]:
    """Every bite on every bar, from the rule book."""
    bars = brute.all_bars(rows, columns)
    return {(Bar(each).text(), Bar(after).text()) for each in bars for after in brute.bitten(each)}


def eaten_whole(rows: int, columns: int) -> set[tuple[str, str]]:
    """The bites at the poison."""
    return {(Bar(each).text(), "0") for each in brute.all_bars(rows, columns)}


@pytest.mark.parametrize("storage", Storage)
@pytest.mark.parametrize("size", SIZES)
def test_bar_graph_edges_match_brute_force(size: tuple[int, int], storage: Storage) -> None:
    graph = bar_graph(*size, Convention.IS, storage)
    assert graph is not None
    assert named_edges(graph) == bites(*size)
    assert (graph.names[graph.initial], graph.names[graph.final]) == (Bar.full(*size).text(), "1")
    whole = bar_graph(*size, Convention.MOVES, storage)
    assert whole is not None
    assert named_edges(whole) == bites(*size) | eaten_whole(*size)
    assert whole.names[whole.final] == "0"
    assert whole.edge_count == edge_count(*size)


@pytest.mark.parametrize("size", SIZES)
def test_front_line_recursion_finds_every_edge(size: tuple[int, int], control: Control) -> None:
    rows, columns = size

    def name(bar: tuple[tuple[int, int], ...]) -> str:
        squares = itertools.product(range(1, rows + 1), range(1, columns + 1))
        left = [i for i, j in squares if not any(i >= row and j >= column for row, column in bar)]
        return Bar(tuple(left.count(row) for row in sorted(set(left)))).text()

    after = BreakpointGraph(*size, control).after
    assert {(name(bar), name(son)) for bar, sons in after.items() for son in sons} == bites(*size)


@pytest.mark.parametrize("size", [*SIZES, (5, 6)])
@pytest.mark.parametrize("method", ["breakpoints", "arrays", "packed", "winning-strategy"])
def test_methods_match_brute_force_remoteness(method: str, size: tuple[int, int]) -> None:
    assert work(method, Bar.full(*size)).answer == f"win in {brute.remoteness(Bar.full(*size).rows)}"


def test_methods_accept_bitten_bars() -> None:
    for rows in ((4, 4, 1), (3, 2, 2), (4, 1, 1, 1), (3, 1)):
        plies = brute.remoteness(rows)
        expected = f"{'win' if plies % 2 else 'loss'} in {plies}"
        assert {work(name, Bar(rows)).answer for name in ("breakpoints", "arrays", "packed")} == {expected}
        assert work("winning-strategy", Bar(rows)).answer.split()[0] == expected.split()[0]


def test_bar_representations_agree() -> None:
    """The bar that is drawn at the head of the module."""
    corners = add_breakpoint(add_breakpoint((), 2, 4) or (), 3, 2)
    assert corners == ((2, 4), (3, 2))
    assert bar_name(3, (0, 1, 1, 2)) == "4.3.1"
    assert list(packed_bars(3, 4))[list(arrays(3, 4)).index(bytes((0, 1, 1, 2)))] == 148


def test_bite_at_a_corner_removes_breakpoints() -> None:
    assert add_breakpoint(((2, 4), (3, 2)), 2, 2) == ((2, 2),)
    assert add_breakpoint(((2, 4), (4, 2)), 3, 3) == ((2, 4), (3, 3), (4, 2))
    assert add_breakpoint(((2, 4),), 3, 4) is None


def test_front_line_runs_along_eaten_squares_and_borders() -> None:
    assert break_line((), 2, 3) == [(1, 3), (2, 1), (2, 2), (2, 3)]
    assert break_line(((2, 2),), 2, 3) == [(1, 1), (1, 2), (1, 3), (2, 1)]


def test_successor_tests_match_brute_force() -> None:
    edges = bites(3, 4) | eaten_whole(3, 4)
    for before, after in itertools.product(zip(arrays(3, 4), packed_bars(3, 4), strict=True), repeat=2):
        truth = (bar_name(3, before[0]), bar_name(3, after[0])) in edges
        assert is_son(after[0], before[0]) == truth
        assert is_packed_son(4, after[1], before[1]) == truth


def test_bars_are_listed_in_lexicographic_order() -> None:
    listed = [tuple(bar) for bar in arrays(4, 5)]
    assert listed == sorted(bar for bar in itertools.product(range(5), repeat=5) if list(bar) == sorted(bar))


def test_methods_as_printed_in_the_report_miss_known_edges() -> None:
    """95 of the 210 edges at 3x4, two of which no bite makes; the recursion misses 18 of 176."""
    pairs = work("arrays-as-printed", Bar.full(3, 4))
    assert pairs.answer == "93 of 210 edges, and 2 wrong"
    wrong = {tuple(edge.split(" > ")) for edge in pairs.details["wrong edges"]}
    missed = {tuple(edge.split(" > ")) for edge in pairs.details["missed edges"]}
    truth = bites(3, 4) | eaten_whole(3, 4)
    assert len(wrong) == 2
    assert not wrong & truth
    assert len(missed) == 210 - 93
    assert missed < truth
    recursion = work("breakpoints-as-printed", Bar.full(3, 4))
    assert recursion.answer == "158 of 176 edges"
    assert {tuple(edge.split(" > ")) for edge in recursion.details["missed edges"]} < bites(3, 4)


def test_packed_representation_uses_least_memory() -> None:
    """In the report two integers a breakpoint, a byte a column, 8 bytes a bar; nothing afterwards."""
    found = {name: work(name, Bar.full(5, 5)).details for name in ("breakpoints", "arrays", "packed")}
    room = {name: details["bytes of the bars while it runs"] for name, details in found.items()}
    assert room["breakpoints"] > room["arrays"] > room["packed"]
    assert 252 * 8 <= room["packed"] < 252 * 8 + 200
    assert room["arrays"] > 252 * 5
    for details in found.values():
        assert details["bytes of the bars afterwards"] == 0
        assert details["bytes of the edges as a matrix"] == details["vertices"] ** 2
        assert details["bytes of the edges as lists"] == 4 * details["edges"] + 8 * details["vertices"]
    assert found["arrays"]["edges"] == found["packed"]["edges"] == 252 * 25 // 2


def test_pair_methods_test_half_of_all_ordered_pairs() -> None:
    assert work("arrays", Bar.full(4, 4)).positions == 70 * 69 // 2
    assert work("packed", Bar.full(4, 4)).positions == 70 * 69 // 2


def test_packed_bar_over_64_bits_is_rejected() -> None:
    """11 ** 18 is 5.6e18, below 2 ** 64 = 1.8e19; 12 ** 18 and 17 ** 16 are above."""
    assert work("packed", Bar.full(10, 18)).gave_up.startswith("would take")
    assert work("packed", Bar.full(11, 18)).gave_up.endswith("12^18 is over 2^64")
    assert work("packed", Bar.full(16, 16)).gave_up.endswith("17^16 is over 2^64")


@pytest.mark.slow
def test_winning_strategy_reports_visits_and_bound() -> None:
    found = work("winning-strategy", Bar.full(6, 7))
    assert found.positions == 10_874
    assert found.details["bound |V|^2 + |V|"] == 2_946_372
    assert found.details["untreated states"] > 0
    assert found.details["accepted by the check"] is True


@pytest.mark.parametrize(("size", "plies", "shortest"), [((6, 6), 11, 11), ((6, 7), 29, 27)])
def test_winning_strategy_path_is_not_always_shortest(
    size: tuple[int, int], plies: int, shortest: int
) -> None:
    found = work("winning-strategy", Bar.full(*size))
    assert found.answer == f"win in {plies}"
    assert found.details["plies of the shortest"] == shortest


@pytest.mark.parametrize("size", [(2, 2), (3, 4), (5, 5)])
def test_constructed_strategy_wins_against_every_reply(size: tuple[int, int], control: Control) -> None:
    graph = bar_graph(*size, Convention.MOVES, Storage.LIST)
    assert graph is not None
    strategy = construct_winning_strategy(graph, control).strategy
    assert is_winning_strategy(graph, strategy).winning

    def loses(vertex: int) -> bool:
        """Whether the first player may lose from here, straight from the definition."""
        target = strategy[vertex]
        if target is None or target == graph.final or target not in graph.edges.successors(vertex):
            return True
        return any(loses(reply) for reply in graph.edges.successors(target) if reply != graph.final)

    assert not loses(graph.initial)


def test_winning_strategy_player_keeps_a_win(control: Control) -> None:
    for rows in brute.all_bars(4, 4):
        if rows != (1,):
            after = Bar(rows).play(strategy_move(Bar(rows), control))
            assert (brute.remoteness(after.rows) % 2 == 0) == (brute.remoteness(rows) % 2 == 1)


@pytest.mark.parametrize("method", [method for method in METHODS if method.name != "solver"])
def test_reference_methods_stop_at_the_deadline(method: SolvingMethod) -> None:
    with Control(0.02) as control:
        assert method.solve(Bar.full(9, 9), control).gave_up == OUT_OF_TIME

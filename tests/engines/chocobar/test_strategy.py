from __future__ import annotations

import random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arcade.engines.chocobar.graph import (
    Convention,
    Graph,
    Strategy,
    fastest_strategy,
    is_winning_strategy,
    parse_graph,
    parse_strategy,
    remoteness,
    simulate,
    strategy_text,
)
from arcade.engines.files import InputError
from tests.engines.chocobar.test_graph import random_graph

SMALL = parse_graph(
    "vertices 5\ninitial 4\nfinal 0\nwhoever is there loses\nname 4 top\nlists\n"
    "1: 0\n2: 0 1\n3: 1 2\n4: 1 2 3\n"
)
"""Lost are 0 and 3; 1 and 2 are won by going to 0, and 4 only by going to 3."""


def wins(graph: Graph, strategy: Strategy, vertex: int, turn: int) -> bool:
    """Whether the first player wins by a strategy against everything, straight from the definition."""
    if vertex == graph.final:
        return (turn == 1) == (graph.ending is Convention.IS)
    targets = graph.edges.successors(vertex)
    if turn == 1:
        return all(wins(graph, strategy, target, 0) for target in targets)
    answer = strategy[vertex]
    return answer is not None and answer in targets and wins(graph, strategy, answer, 1)


@given(st.integers())
def test_strategy_check_matches_the_definition(seed: int) -> None:
    graph = random_graph(seed)
    chooser = random.Random(seed + 1)
    strategy = tuple(
        chooser.choice(list(graph.edges.successors(vertex)) or [None]) for vertex in range(len(graph.edges))
    )
    check = is_winning_strategy(graph, strategy)
    assert check.winning == wins(graph, strategy, graph.initial, 0)
    if not check.winning:
        assert check.path[0] == graph.initial
        for ply, (vertex, target) in enumerate(zip(check.path, check.path[1:], strict=False)):
            assert graph.edges.joined(vertex, target)
            assert ply % 2 == 1 or strategy[vertex] == target
        assert check.path[-1] == graph.final
        assert len(check.path) % 2 == (graph.ending is Convention.IS)


@given(st.integers())
def test_fastest_strategy_wins_in_fewest_plies(seed: int) -> None:
    graph = random_graph(seed)
    plies = remoteness(graph)
    assert plies is not None
    if (plies[graph.initial] % 2 == 1) != (graph.ending is Convention.IS):
        with pytest.raises(InputError, match="The first player cannot win"):
            fastest_strategy(graph)
        return
    strategy = fastest_strategy(graph)
    assert is_winning_strategy(graph, strategy).winning
    match = simulate(graph, strategy, strategy)
    assert match.winner == 0
    assert len(match.path) - 1 == plies[graph.initial]


@given(st.integers())
def test_strategy_text_round_trips(seed: int) -> None:
    graph = random_graph(seed)
    plies = remoteness(graph)
    assume(plies is not None and graph.won(plies[graph.initial]))
    strategy = fastest_strategy(graph)
    assert parse_strategy(strategy_text(strategy), graph) == strategy


def test_simulated_match_reports_path_winner_and_fault() -> None:
    first = parse_strategy("strategy\n4 3\n2 0\n1 0\n", SMALL)
    second = parse_strategy("strategy\n3 2\n", SMALL)
    match = simulate(SMALL, first, second)
    assert (match.path, match.winner, match.fault) == ((4, 3, 2, 0), 0, "")
    silent = simulate(SMALL, first, parse_strategy("strategy\n", SMALL))
    assert (silent.path, silent.winner) == ((4, 3), 0)
    assert silent.fault == "The strategy has no move at vertex 3."
    wrong = simulate(SMALL, parse_strategy("strategy\n4 0\n", SMALL), second)
    assert (wrong.path, wrong.winner) == ((4,), 1)
    assert wrong.fault == "The strategy moves from 4 (top) to 0, where no edge leads."


def test_graph_without_ending_rule_uses_the_convention_of_the_report() -> None:
    """In the report whoever moves to the last vertex has lost."""
    graph = parse_graph("vertices 3\ninitial 2\nfinal 0\nlists\n2: 1 0\n1: 0\n")
    assert graph.reading.startswith("The file does not say who loses at its end, so the report's convention")
    good, bad = (parse_strategy(f"strategy\n2 {target}\n1 0", graph) for target in (1, 0))
    assert simulate(graph, good, good).winner == 0
    assert simulate(graph, bad, good).winner == 1
    assert is_winning_strategy(graph, good).winning
    beaten = is_winning_strategy(graph, bad)
    assert (beaten.why, beaten.path) == ("The first player makes the last move on 2 -> 0.", (2, 0))
    assert fastest_strategy(graph) == good
    said = parse_graph("vertices 2\ninitial 1\nfinal 0\nwhoever is there loses\nlists\n1: 0\n")
    assert said.reading == ""


def test_strategy_check_explains_its_result() -> None:
    beaten = is_winning_strategy(SMALL, parse_strategy("strategy\n4 1", SMALL))
    assert beaten.why == "The second player makes the last move on 4 (top) -> 1 -> 0."
    silent = is_winning_strategy(SMALL, parse_strategy("strategy\n4 3\n1 0", SMALL))
    assert silent.why == "It fails on 4 (top) -> 3 -> 2: The strategy has no move at vertex 2."
    good = is_winning_strategy(SMALL, parse_strategy("strategy\n4 3\n1 0\n2 0", SMALL))
    assert good.winning
    assert "at 3 vertices that" in good.why
    one = parse_graph("vertices 2\ninitial 1\nfinal 0\nwhoever is there loses\nlists\n1: 0\n")
    assert "at 1 vertex that" in is_winning_strategy(one, parse_strategy("strategy\n1 0", one)).why


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "s.txt has no 'strategy' line."),
        ("4 3", "Line 1 of s.txt: a strategy must begin with the line 'strategy'."),
        ("strategy\n4", "Line 2 of s.txt: expected two vertex numbers 'FROM TO', not '4'."),
        ("strategy\n4 x", "not '4 x'"),
        ("strategy\n# c\n4 5", "Line 3 of s.txt: The vertex must be a whole number from 0 to 4, not '5'."),
        ("strategy\n4 3\n4 2", "Line 3 of s.txt: the move from vertex 4 is given a second time."),
    ],
)
def test_invalid_strategies_are_rejected_with_reason(text: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_strategy(text, SMALL, "s.txt")
    assert says in str(caught.value)

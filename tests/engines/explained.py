"""An independent way to reason distances: retrograde analysis that ends where a rule applies."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import mean
from typing import Any

from arcade.engines.control import Control
from arcade.engines.position import Position
from arcade.engines.reasons import Reasons, Rule
from arcade.engines.registry import parse_game_id
from arcade.engines.retrograde import explore, work_back
from arcade.engines.verdict import Value


def distances(start: Position[Any], rules: Iterable[Rule[Any]]) -> dict[Position[Any], int]:
    """The reason distance of every position that can be reached from a start, by all rules given."""
    graph: Any = explore(start)
    told = [
        next((rule.value for rule in rules if rule.match(position) is not None), None)
        for position in graph.positions
    ]
    children = [() if value is not None else below for value, below in zip(told, graph.children, strict=True)]

    def value_at(vertex: int) -> Value:
        known = told[vertex]
        if known is None:
            ending = graph.positions[vertex].ending()
            assert ending is not None
            known = ending.value
        assert known is not None
        return known

    solved = work_back(children, value_at)
    assert solved is not None
    return {
        position: plies
        for position, (_, plies) in zip(graph.positions, solved, strict=True)
        if plies is not None
    }


def check_distances(board: str) -> None:
    """That distances found on demand are those of the full analysis."""
    parsed = parse_game_id(board)
    game, start = parsed.game, parsed.start()
    rules = [rule for rule in game.explanations.rules if rule.proved]
    expected = distances(start, rules)
    assert len(expected) > 100
    assert len(set(expected.values())) > 2
    reasons: Reasons[Any, Any] = Reasons(
        game.explanations.rules, lambda: game.solver, game.symmetries, game.sides
    )
    with Control() as control:
        for position, distance in expected.items():
            why = reasons.why(position, control)
            assert why is not None
            assert len(why.line) == why.distance == distance
            assert why.rule is None or why.rule.value is why.value
            assert game.solver.verdict(why.position, control).value is why.value


def mean_distances(board: str, positions: list[Position[Any]]) -> tuple[float, float]:
    """The mean distance by all proved rules, and by the general ones."""
    game = parse_game_id(board).game
    general: Reasons[Any, Any] = Reasons(
        [rule for rule in game.explanations.rules if rule.general],
        lambda: game.solver,
        game.symmetries,
        game.sides,
    )
    with Control() as control:
        every, taught = (
            mean(why.distance if (why := reasons.why(position, control)) else 0 for position in positions)
            for reasons in (game.explanations.reasons, general)
        )
    return every, taught

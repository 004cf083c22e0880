"""The stored lines to the reasons of first positions: they say what a search finds."""

from __future__ import annotations

from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.reasons import Reasons
from arcade.engines.registry import parse_game_id
from tools.reasons import FIRST, first_lines, first_positions


@pytest.mark.parametrize("board", FIRST)
def test_stored_lines_lead_to_a_reason(board: str) -> None:
    game = parse_game_id(board).game
    stored, positions = game.explanations.load_lines(), first_positions(board)
    assert set(positions) <= set(stored)
    with Control() as control:
        for text in list(positions)[::20]:
            why = game.explanations.reasons.why(positions[text], control)
            assert why is not None
            assert " ".join(map(str, why.line)) == stored[text]
            assert game.solver.value(why.position, control).value is why.value
            assert why.rule is not None
            assert why.rule.value is why.value


@pytest.mark.slow
@pytest.mark.parametrize(("board", "number"), [("hexapawn:5x5", 3), ("tetromino:5x6", 2)])
def test_new_search_finds_the_stored_lines_again(board: str, number: int) -> None:
    stored = parse_game_id(board).game.explanations.load_lines()
    latest = dict(list(first_positions(board).items())[-number:])
    assert first_lines(latest) == {text: stored[text] for text in latest}


def test_stored_line_respects_the_distance_limit() -> None:
    board = parse_game_id("hexapawn:5x5")
    lines = board.game.explanations.load_lines()
    start: Any = board.start()
    length = len(lines[start.text()].split())
    reasons: Reasons[Any, Any] = board.game.explanations.reasons
    with Control() as control:
        assert reasons.why(start, control, length - 1) is None
        why = reasons.why(start, control, length)
    assert why is not None
    assert why.distance == length

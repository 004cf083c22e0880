from dataclasses import asdict, replace
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.hexapawn.table import HIGHEST, WON, limits_of, verdict_of
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.solver import board_fact, stored
from arcade.engines.verdict import DuelVerdict, Proof
from tools.facts import bars, pawns, pieces

BOARDS = [(game, board) for game in ("chocobar", "hexapawn", "tetromino") for board in stored(game).boards]


@pytest.mark.parametrize(("game", "board"), BOARDS)
def test_stored_fact_is_used_and_names_its_command(game: str, board: str) -> None:
    chosen, fact = get_game(game), board_fact(game, board)
    assert fact is not None
    solver = type(chosen)().solver
    position = chosen.new(chosen.parameters.parse(board))
    with Control() as control:
        found = solver.value(position, control)
        assert replace(found, reason="", seconds=0.0) == fact
        assert control.nodes == 0
    assert f"stored result of arcade {game}" in fact.provenance()
    assert fact.value is not None
    if fact.proof is Proof.EXACT:
        with Control() as control:
            found = solver.verdict(position, control)
        assert replace(found, reason="", seconds=0.0) == fact


@pytest.mark.parametrize("text", ["hexapawn:8x7", "chocobar:16x18", "tetromino:7x8"])
def test_stored_fact_holds_for_both_sides_to_move(text: str, control: Control) -> None:
    start: Any = parse_game_id(text).start()
    control.cancel()
    solver = type(get_game(text.partition(":")[0]))().solver
    other = start.turned() if hasattr(start, "turned") else replace(start, turn=1)
    assert other.turn == 1
    found, known = (replace(solver.verdict(each, control), seconds=0.0) for each in (other, start))
    assert found == known
    assert known.proof is Proof.EXACT


@pytest.mark.slow
def test_recomputed_facts_match_the_stored_ones() -> None:
    assert pawns("6x6", 64) == asdict(stored("hexapawn").boards["6x6"])
    assert bars(12, 17) == asdict(stored("chocobar").boards["12x17"])
    assert pieces("5x9") == asdict(stored("tetromino").boards["5x9"])


def test_variant_boards_have_no_stored_facts() -> None:
    game = get_game("hexapawn")
    for text in ("6x6,misere", "6x6,capture"):
        with Control() as control:
            control.cancel()
            verdict = type(game)().solver.verdict(game.new(game.parameters.parse(text)), control)
        assert not verdict.known


def test_score_bounds_and_verdict_are_inverse() -> None:
    for low in range(0, HIGHEST, 7):
        for high in range(low, HIGHEST + 1, 5):
            verdict: DuelVerdict = verdict_of(low, high, False, 1000)
            if verdict.known and (low >= WON or high < WON):
                assert limits_of(verdict) == (low, high)

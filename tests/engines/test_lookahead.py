import itertools
import random

import pytest

from arcade.engines.chocobar.rules import Bar
from arcade.engines.chocobar.solver import ChocobarSolver
from arcade.engines.control import Control
from arcade.engines.game import RaceGame
from arcade.engines.players import PERFECT, RUNGS
from arcade.engines.registry import ORDER, get_game, parse_game_id
from arcade.engines.seats import make_player, parse_player, player_kinds
from arcade.engines.verdict import Value
from tests.engines.test_players import ORACLE, chosen, random_positions
from tests.narrow import duel
from tools.ladder import climbed, stronger_scores

STARTS = [
    "chocobar:4x5",
    "hexapawn:3x4",
    "hexapawn:3x4,misere",
    "tetromino:4x4,IT-LS",
    "menace",
]
DUELS = [name for name in ORDER if not isinstance(get_game(name), RaceGame)]


@pytest.mark.parametrize("text", STARTS)
@pytest.mark.parametrize("plies", [1, 2, 5])
def test_depth_limited_player_is_exact_within_its_depth(text: str, plies: int, control: Control) -> None:
    parsed = parse_game_id(text)
    told_apart = 0
    for position in random_positions(parsed.start(), 20):
        seen: dict[object, int] = {}
        for move in position.moves():
            verdict = duel(ORACLE.verdict(position.play(move), control).before_move())
            near = verdict.remoteness is not None and verdict.remoteness <= plies
            rank = {Value.WIN: 100, Value.TIE: 50, Value.LOSS: -100}
            assert verdict.value is not None
            assert verdict.remoteness is not None
            sign = -1 if verdict.value is Value.WIN else 1 if verdict.value is Value.LOSS else 0
            seen[move] = rank[verdict.value] + sign * verdict.remoteness if near else 0
        best = {move for move, rank in seen.items() if rank == max(seen.values())}
        told_apart += len(best) < len(seen)
        made = chosen(parsed.game, f"depth:{plies}", position, 2)
        assert set(made) <= best, position.text()
        assert made == chosen(parsed.game, f"depth:{plies}", position, 2)
    assert told_apart


def test_player_chooses_among_all_moves_that_look_equal() -> None:
    parsed = parse_game_id("chocobar:3x4")
    start = parsed.start()
    # A bite that leaves one row loses in two plies, which is further than this player sees.
    assert set(chosen(parsed.game, "depth:1", start, 300)) == set(start.moves())
    assert len(set(chosen(parsed.game, "depth:2", start, 300))) == len(start.moves()) - 2


@pytest.mark.parametrize("text", ["chocobar:6x7", "hexapawn:5x4", "hexapawn:4x4,misere", "tetromino:4x5"])
@pytest.mark.parametrize("plies", [2, 3, 6])
def test_lookahead_is_correct_and_complete_within_depth(text: str, plies: int, control: Control) -> None:
    parsed = parse_game_id(text)
    whole = type(parsed.game)().solver
    near = 0
    for position in random_positions(parsed.start(), 15):
        truth = whole.moves(position, control)
        # A new solver each time: one that has solved the board already need not look.
        seen = type(parsed.game)().solver.look_ahead(position, plies, control)
        assert [each.move for each in seen] == [each.move for each in truth]
        for each, known in zip(seen, truth, strict=True):
            assert known.verdict.remoteness is not None
            if known.verdict.remoteness <= plies:
                near += 1
                assert each.verdict.value is known.verdict.value
                assert each.verdict.remoteness == known.verdict.remoteness
            else:
                assert each.verdict.value in (None, known.verdict.value)
                assert each.verdict.remoteness in (None, known.verdict.remoteness)
    assert near


def test_short_lookahead_does_not_solve_a_large_bar(control: Control) -> None:
    solver, start = ChocobarSolver(), Bar.full(18, 18)
    assert len(solver.look_ahead(start, 8, control)) == 323
    assert control.nodes < 1000
    assert solver.effort(start)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["chocobar:18x18", "hexapawn:8x8", "tetromino:6x10"])
def test_weak_players_move_on_unsolvable_boards(text: str, control: Control) -> None:
    parsed = parse_game_id(text)
    position = parsed.start()
    for name in ("beginner", "casual"):
        move = make_player(parsed.game, name).choose(position, random.Random(1), control)
        assert move in position.moves()


@pytest.mark.parametrize("name", ORDER)
def test_opponent_levels_come_first_with_short_summaries(name: str) -> None:
    game = get_game(name)
    kinds = player_kinds(game)
    assert [each.name for each in kinds[:5]] == [*RUNGS, PERFECT.name]
    assert [each.title for each in kinds[:5]] == ["Beginner", "Casual", "Club", "Expert", "Perfect"]
    assert len({each.name for each in kinds}) == len(kinds)
    for each in kinds:
        assert each.summary[0].isupper()
        assert each.summary.endswith(".")
        # It stands beside the title in a list of an 80-column terminal.
        assert len(each.summary) <= 40
        assert parse_player(game, each.name)[0] is each
    assert game.players.best in {each.name for each in kinds}


@pytest.mark.parametrize("name", DUELS)
def test_higher_levels_look_further_ahead(name: str) -> None:
    sights = get_game(name).players.lookahead
    assert all(one < other for one, other in itertools.pairwise(sights))
    assert f"{sights[1]} moves ahead" in parse_player(get_game(name), "casual")[0].summary


def test_higher_level_wins_more_often_on_unsolved_board() -> None:
    board = parse_game_id("hexapawn:7x6")
    assert stronger_scores(climbed(board, ("beginner", "club"), 8, seconds=1.0))[0] > 0.6


@pytest.mark.slow
@pytest.mark.parametrize("name", DUELS)
def test_higher_level_wins_more_often(name: str) -> None:
    assert stronger_scores(climbed(parse_game_id(name), ("beginner", "club"), 8))[0] > 0.6


@pytest.mark.parametrize("name", DUELS)
def test_better_side_matches_the_standard_game_value(name: str, control: Control) -> None:
    game = get_game(name)
    value = game.solver.value(game.new({}), control).value
    assert value is not None
    assert game.practice.better_side == {Value.WIN: 0, Value.TIE: 0, Value.LOSS: 1}[value]

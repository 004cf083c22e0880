import random

import pytest

from arcade.engines.control import Control
from arcade.engines.seats import make_player
from arcade.engines.tetromino.game import GAME, MAX_TRAPS
from arcade.engines.verdict import DuelVerdict, Proof, Value, mark_best, value_keeping_moves
from tests.engines.test_players import winner
from tests.engines.tetromino.test_solver import TIE_IS_BEST
from tests.narrow import present


def play(size: str, first: str, second: str, seed: int) -> int | None:
    return winner(GAME.new(GAME.parameters.parse(size)), GAME, (first, second), seed)


@pytest.mark.parametrize("opponent", ["random", "greedy", "fallible:5"])
def test_perfect_player_wins_winning_positions(opponent: str) -> None:
    for seed in range(3):
        assert play("5x5", "perfect", opponent, seed) == 0
        assert play("5x6", opponent, "perfect", seed) == 1


def test_losing_perfect_player_delays_the_loss(control: Control) -> None:
    start = GAME.new(GAME.parameters.parse("5x6"))
    move = make_player(GAME, "perfect").choose(start, random.Random(1), control)
    best = {each.move for each in GAME.solver.moves(start, control) if each.best}
    assert move in best


def test_tied_perfect_player_keeps_the_tie(control: Control) -> None:
    position = GAME.parse_position(TIE_IS_BEST)
    for seed in range(4):
        move = make_player(GAME, "perfect").choose(position, random.Random(seed), control)
        assert move in value_keeping_moves(GAME.solver.moves(position, control))


def test_incomplete_analysis_never_leads_to_a_losing_move(control: Control) -> None:
    position = GAME.new(GAME.parameters.parse("5x6"))
    moves = position.moves()
    lost, tie, unknown = (
        DuelVerdict(Proof.EXACT, Value.LOSS, 4),
        DuelVerdict(Proof.EXACT, Value.TIE, 10),
        DuelVerdict(),
    )
    for verdicts, good in (([lost, unknown, unknown], moves[1:3]), ([lost, tie, unknown, lost], moves[1:2])):
        analysis = mark_best(zip(moves, verdicts, strict=False))
        for seed in range(20):
            assert GAME.players.trap(position, analysis, random.Random(seed), control) in good


def test_perfect_player_leaves_few_good_replies(control: Control) -> None:
    """It looks at four of the six moves that tie: what it plays is never among the three worst traps."""
    position = GAME.parse_position(TIE_IS_BEST)
    shares = {}
    for each in GAME.solver.moves(position, control):
        if each.best:
            replies = GAME.solver.moves(position.play(each.move), control)
            shares[each.move] = len(value_keeping_moves(replies)) / len(replies)
    assert len(set(shares.values())) == len(shares) == 6
    assert MAX_TRAPS == 4
    best = sorted(shares, key=shares.__getitem__)[:3]
    for seed in range(20):
        assert make_player(GAME, "perfect").choose(position, random.Random(seed), control) in best


def test_greedy_player_leaves_the_fewest_placements(control: Control) -> None:
    rng = random.Random(2)
    for _ in range(10):
        position = GAME.new(GAME.parameters.parse("5x8"))
        for _ in range(rng.randrange(5)):
            position = position.play(rng.choice(position.moves()))
        move = present(make_player(GAME, "greedy").choose(position, rng, control))
        left = {each: len(position.play(each).moves()) for each in position.moves()}
        assert left[move] == min(left.values())


def test_perfect_player_without_proof_plays_the_best_estimate(control: Control) -> None:
    position = GAME.parse_position(
        "......../......../......../..####../..####../......../......../........:ILST-ILST:1"
    )
    best = GAME.solver.estimates(position, position.moves(), 10, random.Random(2), control).best
    assert len(best) < 10
    control.cancel()
    for seed in range(3):
        assert make_player(GAME, "perfect").choose(position, random.Random(seed), control) in best

import random
import time
from dataclasses import replace

import pytest

from arcade.engines.control import Control
from arcade.engines.hexapawn.alpha_beta import rank
from arcade.engines.hexapawn.game import GAME
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.seats import make_player
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value
from tests.engines.hexapawn.positions import VARIANTS, random_board, truth
from tests.narrow import present

UNSOLVED = GAME.parse_position("p.pppppp/......../......../.p....../P......./......../.PPPPPPP/........:w")
"""Nobody can solve this board in the time. A pawn can be taken at once for nothing."""


def play(first: str, second: str, board: PawnPosition, seed: int, seconds: float | None = None) -> int | None:
    rng = random.Random(seed)
    players = make_player(GAME, first), make_player(GAME, second)
    while board.outcome() is None:
        with Control(seconds) as control:
            move = players[board.turn].choose(board, rng, control)
        assert move is not None
        board = board.play(move)
    return present(board.outcome()).winner


def wins(player: str, other: str, size: int, seeds: int, seconds: float | None = None) -> int:
    """How often a player wins on a full square board, as White and as Black with each seed."""
    board = PawnPosition.full(size, size)
    won = sum(play(player, other, board, seed, seconds) == 0 for seed in range(seeds))
    return won + sum(play(other, player, board, seed, seconds) == 1 for seed in range(seeds))


def test_perfect_player_wins_winning_positions() -> None:
    for seed in range(6):
        assert play("perfect", "random", PawnPosition.full(4, 4), seed) == 0
        assert play("perfect", "nimble", PawnPosition.full(4, 4), seed) == 0
        assert play("random", "perfect", PawnPosition.full(3, 3), seed) == 1


def test_perfect_player_hurries_wins_and_delays_losses() -> None:
    rng = random.Random(2)
    player = make_player(GAME, "perfect")
    for _ in range(80):
        board = random_board(rng, 4, 3, rng.choice(VARIANTS))
        if board.outcome() is None:
            move = present(player.choose(board, rng, Control()))
            wins, plies = truth(board)
            assert truth(board.play(move)) == (not wins, plies - 1)


@pytest.mark.parametrize("variant", VARIANTS)
def test_nimble_player_is_perfect_within_its_depth(variant: tuple[bool, bool]) -> None:
    rng = random.Random(4)
    seen = 0
    for _ in range(60):
        board = random_board(rng, 4, 4, variant)
        if board.outcome() is not None:
            continue
        wins, plies = truth(board)
        ranks = rank(board, board.moves(), 5, Control())
        if plies < 5:
            best = [move for move, each in zip(board.moves(), ranks, strict=True) if each == max(ranks)]
            assert {truth(board.play(move)) for move in best} == {(not wins, plies - 1)}
            seen += 1
    assert seen > 20


def test_nimble_player_beats_random_on_unsolvable_board() -> None:
    assert wins("nimble:3", "random", 8, 4) >= 7


@pytest.mark.timed
def test_nimble_player_stops_at_the_deadline() -> None:
    with Control(0.1) as control:
        started = time.perf_counter()
        move = make_player(GAME, "nimble:6").choose(PawnPosition.full(8, 8), random.Random(1), control)
        assert time.perf_counter() - started < 0.3
    assert move in PawnPosition.full(8, 8).moves()


def test_perfect_player_captures_a_pawn_on_unsolved_board() -> None:
    board = UNSOLVED
    with Control(0.05) as control:
        analysis = GAME.solver.moves(board, control)
    assert not any(each.best for each in analysis)
    with Control(0.05) as control:
        assert str(make_player(GAME, "perfect").choose(board, random.Random(1), control)) == "axb5"


def test_perfect_player_avoids_proven_losses_on_unsolved_board() -> None:
    board = UNSOLVED
    lost, unknown = DuelVerdict(Proof.BOUND, Value.LOSS, at_least=2, at_most=90), DuelVerdict()
    # As far as nimble sees, the capture is best by far.
    analysis = [MoveVerdict(move, lost if move.captures else unknown) for move in board.moves()]
    for seed in range(2):
        assert not GAME.players.trap(board, analysis, random.Random(seed), Control()).captures


def test_cancelled_estimate_still_looks_one_move_ahead() -> None:
    with Control() as control:
        control.cancel()
        found = GAME.solver.estimates(UNSOLVED, UNSOLVED.moves(), 10, random.Random(1), control)
    assert list(map(str, found.best)) == ["axb5"]
    assert found.because(found.best[0]) == "1 move later you are 1 pawn up"


def test_nimble_player_ranks_moves_oppositely_in_misere() -> None:
    rng = random.Random(6)
    different = 0
    for _ in range(50):
        board = random_board(rng, 5, 4, (False, False))
        with Control() as control:
            plain = rank(board, board.moves(), 1, control)
            misere = rank(replace(board, misere=True), board.moves(), 1, control)
        assert misere == [-each for each in plain]
        different += len(set(plain)) > 1
    assert different > 20


@pytest.mark.timed
def test_perfect_player_beats_nimble_with_little_time() -> None:
    assert wins("perfect", "nimble:2", 7, 2, 0.05) >= 3

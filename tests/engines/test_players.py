import random
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.game import Game
from arcade.engines.position import Position
from arcade.engines.registry import parse_game_id
from arcade.engines.seats import make_player
from arcade.engines.verdict import Value
from tests.narrow import present
from tests.oracle import BruteForce

ORACLE = BruteForce()


def value(position: Position[Any]) -> Value | None:
    return ORACLE.verdict(position, Control()).value


def best_moves(position: Position[Any]) -> list[Any]:
    """The moves with the best value that hurry when winning and delay when losing."""
    with Control() as control:
        verdict = ORACLE.verdict(position, control)
        assert verdict.value is not None
        return [
            move
            for move in position.moves()
            if (after := ORACLE.verdict(position.play(move), control)).value is verdict.value.reversed
            and (after.remoteness or 0) + 1 == verdict.remoteness
        ]


def good_replies(position: Position[Any]) -> int:
    """How many replies keep the value that the other side has after a move."""
    mine = present(value(position))
    return sum(value(position.play(reply)) is mine.reversed for reply in position.moves()) or 1


def random_positions(start: Position[Any], count: int) -> list[Position[Any]]:
    """Positions of random matches in which there is something to choose."""
    found: list[Position[Any]] = []
    rng = random.Random(1)
    while len(found) < count:
        position = start
        while position.outcome() is None:
            if len(position.moves()) > 1:
                found.append(position)
            position = position.play(rng.choice(position.moves()))
    return found[:count]


def chosen(game: Game[Any, Any], seat: str, position: Position[Any], tries: int) -> list[Any]:
    player = make_player(game, seat)
    return [player.choose(position, random.Random(seed), Control()) for seed in range(tries)]


def winner(start: Position[Any], game: Game[Any, Any], seats: tuple[str, str], seed: int) -> int | None:
    players = [make_player(game, seat) for seat in seats]
    rng, position = random.Random(seed), start
    while (outcome := position.outcome()) is None:
        position = position.play(present(players[position.turn].choose(position, rng, Control())))
    return outcome.winner


@pytest.mark.parametrize("text", ["hexapawn:3x4", "menace"])
def test_perfect_player_leaves_the_fewest_good_replies(text: str) -> None:
    parsed = parse_game_id(text)
    told_apart = 0
    for position in random_positions(parsed.start(), 40):
        best = best_moves(position)
        if value(position) is not Value.WIN:
            replies = {move: good_replies(position.play(move)) for move in best}
            told_apart += len(set(replies.values())) > 1
            best = [move for move in best if replies[move] == min(replies.values())]
        assert set(chosen(parsed.game, "perfect", position, 4)) <= set(best), position.text()
    assert told_apart > 3


@pytest.mark.parametrize("text", ["chocobar:4x5", "hexapawn:3x4", "tetromino:4x4,IT-LS", "menace:X........"])
@pytest.mark.parametrize("level", [1, 9])
def test_fallible_player_success_rate_matches_its_level(
    text: str, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed = parse_game_id(text)
    position, solver = parsed.start(), parsed.game.solver
    with Control() as control:
        known = solver.moves(position, control)
    monkeypatch.setattr(solver, "moves", lambda *_: known)
    best = set(best_moves(position))
    assert 0 < len(best) < len(position.moves())
    right = sum(move in best for move in chosen(parsed.game, f"fallible:{level}", position, 300))
    # Four standard deviations.
    assert right / 300 == pytest.approx(level / 10, abs=4 * (level / 10 * (1 - level / 10) / 300) ** 0.5)

import random

import pytest

from arcade.engines.control import Control
from arcade.engines.players import alike
from arcade.engines.registry import parse_game_id
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value
from arcade.match.match import Mark, Match
from arcade.study.review import Choice, Sight, right_moves, sight
from tests.narrow import present


def verdict(move: str, value: Value, plies: int) -> MoveVerdict[str]:
    return MoveVerdict(move, DuelVerdict(Proof.EXACT, value, plies))


MOVES = [
    verdict("far", Value.WIN, 9),
    verdict("near", Value.WIN, 5),
    verdict("trap", Value.LOSS, 2),
    verdict("slow", Value.LOSS, 8),
]


@pytest.mark.parametrize(
    ("plies", "expected"),
    [
        (0, ["far", "near", "trap", "slow"]),
        (2, ["far", "near", "slow"]),
        (5, ["near"]),
        (9, ["near"]),
    ],
)
def test_moves_look_alike_beyond_what_is_seen(plies: int, expected: list[str]) -> None:
    assert alike(MOVES, plies) == expected


def test_who_sees_nothing_good_takes_the_longest_loss() -> None:
    assert alike([MOVES[2], MOVES[3]], 8) == ["slow"]


@pytest.mark.parametrize("plies", [0, 2, 4, 6])
def test_the_number_is_found_again_from_the_moves(plies: int) -> None:
    """Moves of a player who sees so far, from random positions: the range holds the number."""
    start = parse_game_id("hexapawn:4x4").start()
    solver, rng = parse_game_id("hexapawn:4x4").game.solver, random.Random(plies)
    chosen: list[Choice] = []
    while len(chosen) < 200:
        position = start
        while position.outcome() is None:
            analysis = solver.analyse(position, Control())
            chosen.append((analysis, rng.choice(alike(analysis, plies))))
            position = position.play(rng.choice(list(position.moves())))
    found = present(sight(chosen))
    assert found.low <= plies <= (99 if found.high is None else found.high)
    assert abs(found.best - plies) <= 1


def test_few_moves_tell_nothing() -> None:
    assert sight([]) is None
    assert sight([([MOVES[0]], "far")]) is None


def test_a_range_in_words() -> None:
    assert [str(Sight(2, 3, high)) for high in (2, 4, None)] == ["2", "2 to 4", "2 or more"]


def test_points_that_are_lost_are_a_mistake() -> None:
    match = Match(parse_game_id("honshu:9x3#4"), ("random",), seed=1)
    assert right_moves(match, 0) == (0, 0)
    while match.result is None:
        match.play(match.position.moves()[0])
    for ply, mark in zip(match.line, (Mark.LOST, Mark.KEPT, Mark.THREW), strict=True):
        ply.mark = mark
    assert right_moves(match, 0) == (1, 3)

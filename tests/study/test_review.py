"""What looks alike to whom, and which moves were right."""

from __future__ import annotations

import pytest

from arcade.engines.players import best_within_depth
from arcade.engines.registry import parse_game_id
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value
from arcade.play.match import Mark, new_match
from arcade.play.mistakes import right_moves


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
def test_moves_beyond_the_look_ahead_look_equal(plies: int, expected: list[str]) -> None:
    assert best_within_depth(MOVES, plies) == expected


def test_losing_player_chooses_the_longest_loss() -> None:
    assert best_within_depth([MOVES[2], MOVES[3]], 8) == ["slow"]


def test_lost_points_count_as_mistake() -> None:
    match = new_match(parse_game_id("honshu:9x3#4"), ("random",), seed=1)
    assert right_moves(match, 0) == (0, 0)
    while match.result is None:
        match.play(match.position.moves()[0])
    for ply, mark in zip(match.line, (Mark.INACCURACY, Mark.GOOD, Mark.BLUNDER), strict=True):
        ply.mark = mark
    assert right_moves(match, 0) == (1, 3)

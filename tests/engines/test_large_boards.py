"""The levels on a board that is too large to solve, in a game from outside."""

import random
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.players import GUESS_SECONDS, PERFECT, RUNGS, SOLVING_SECONDS
from arcade.engines.seats import make_player
from tests.narrow import present
from tests.test_registry import GAME

_MODULE: dict[str, Any] = {"__name__": "treblecross"}
exec(GAME, _MODULE)
TREBLECROSS, Row = _MODULE["GAME"], _MODULE["Row"]

LEVELS = (*RUNGS, PERFECT.name)


def moves_of(level: str, cells: str) -> set[int]:
    """The moves that a level chooses with plenty of time."""
    chosen: set[int] = set()
    for seed in range(2):
        with Control(seconds=60) as control:
            player = make_player(TREBLECROSS, level)
            chosen.add(present(player.choose(Row(cells), random.Random(seed), control)))
    return chosen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cells", "plies", "winning"),
    [
        ("..XX..........................", 1, {2, 5}),
        ("..X...X..X.........X....X..X..", 3, {15}),
        ("..X....X....X........X........", 5, {17, 18}),
        ("X.......X..X.......X..........", 7, {26, 27}),
    ],
)
def test_each_level_finds_the_wins_within_its_depth(cells: str, plies: int, winning: set[int]) -> None:
    """The winning moves are those of `WinSearch`, which other tests check."""
    assert not TREBLECROSS.solver.can_solve(Row(cells), Control())
    depths = (*TREBLECROSS.players.lookahead, 99)
    able = [level for level, depth in zip(LEVELS, depths, strict=True) if depth >= plies]
    assert able
    for level in able:
        assert moves_of(level, cells) <= winning, level


def gives_away(cells: str, move: int) -> bool:
    after = Row(cells).play(move)
    return any(after.play(reply).outcome() is not None for reply in after.moves())


@pytest.mark.parametrize("level", LEVELS[:2])
@pytest.mark.parametrize("cells", ["X..X.....X....X....X....X....X", "X" + "." * 29])
def test_no_level_gives_away_a_win_in_one(level: str, cells: str) -> None:
    assert not TREBLECROSS.solver.can_solve(Row(cells), Control())
    assert not any(gives_away(cells, move) for move in moves_of(level, cells))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.timed
def test_each_level_moves_within_its_time_limit(level: str) -> None:
    with Control(seconds=0.5) as control:
        make_player(TREBLECROSS, level).choose(Row("." * 30), random.Random(1), control)
        assert control.seconds < 1


@pytest.mark.timed
def test_perfect_player_moves_in_time_when_every_move_loses() -> None:
    cells = ".X.....X.....X......X......X.."
    assert not TREBLECROSS.solver.can_solve(Row(cells), Control())
    with Control() as control:
        make_player(TREBLECROSS, "perfect").choose(Row(cells), random.Random(1), control)
        assert control.seconds < SOLVING_SECONDS + GUESS_SECONDS + 1

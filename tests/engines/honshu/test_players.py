"""The report's methods and the engines that sit down."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.honshu import reference_methods as classic
from arcade.engines.honshu.game import GAME, Honshu, SolverPlayer, load
from arcade.engines.honshu.rules import HonshuPosition, Move
from arcade.engines.honshu.solver import HonshuSolver, Solution
from arcade.engines.seats import make_player
from tests.engines.honshu.oracle import board_of, brute_force, placed
from tests.engines.honshu.test_solver import early

DATA = Path(__file__).parents[2] / "data" / "honshu"


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    GAME.solver.warm()


def scored(position: HonshuPosition, moves: list[Move]) -> HonshuPosition:
    end = position.after(moves)
    assert end.outcome() is not None
    board_of(end)
    return end


@pytest.mark.parametrize("method", [classic.in_order, classic.expansion], ids=["in_order", "expansion"])
def test_in_order_methods_follow_the_tile_order(
    method: Callable[[HonshuPosition, Control], list[Move]],
) -> None:
    position = load(str(DATA / "Partie1"))
    end = scored(position, method(position, Control()))
    assert [move.tile for move in end.laid] == [tile.id for tile in position.tiles]


def test_expansion_method_covers_one_cell_if_possible() -> None:
    position = load(str(DATA / "Partie2"))
    for move in classic.expansion(position, Control()):
        board = board_of(position)
        covered = {
            other: sum(cell in board.cells for cell in placed(position, other))
            for other in position.moves()
            if other.tile == move.tile
        }
        assert covered[move] == 1 or 1 not in covered.values()
        position = position.play(move)


def test_greedy_maximises_the_immediate_score() -> None:
    position = load(str(DATA / "Partie1"))
    for move in classic.greedy(position, Control())[:5]:
        most = max(position.play(other).score.total for other in position.moves())
        position = position.play(move)
        assert position.score.total == most


def test_mixed_method_searches_the_end_exhaustively() -> None:
    position = GAME.new(GAME.parameters.parse("6x3"), 5)
    moves = classic.mixed(1, position, Control())
    middle = position.play(moves[0]).play(moves[1])
    assert moves[:2] == classic.greedy(position, Control())[:2]
    assert scored(position, moves).score.total == brute_force(middle)


def test_mixed_method_scores_at_least_greedy_at_the_deadline() -> None:
    position = GAME.new(GAME.parameters.parse("9x6"), 5)
    greedy = scored(position, classic.greedy(position, Control())).score.total
    # Without a deadline it would search for years; on a busy machine even greed may need longer.
    for seconds in (0.3, 3, 30):
        with Control(seconds) as control:
            found = scored(position, classic.mixed(4, position, control)).score.total
        if found >= greedy:
            break
    assert found >= greedy


def test_deterministic_players_follow_their_methods() -> None:
    position = early(random.Random(2), GAME.new(GAME.parameters.parse("7x6"), 2), 4)
    methods = {
        "greedy": classic.greedy_move,
        "in-order": classic.in_order_move,
        "expansion": classic.expansion_move,
    }
    for name, method in methods.items():
        with Control() as control:
            assert make_player(GAME, name).choose(position, random.Random(1), control) == method(
                position, control
            )


def test_solver_player_beats_greedy() -> None:
    position = GAME.new(GAME.parameters.parse("8x6"), 6)
    ends = {}
    for name in ("solver:1", "greedy", "fallible:1"):
        here, rng = position, random.Random(4)
        while here.outcome() is None:
            with Control(0.1) as control:
                move = make_player(GAME, name).choose(here, rng, control)
            assert move is not None
            here = here.play(move)
        ends[name] = here.score.total
    assert ends["solver:1"] > ends["greedy"]
    assert ends["solver:1"] > ends["fallible:1"]


def test_solver_player_draws_a_seed_for_each_match() -> None:
    seeds: list[int | None] = []

    class Watched(HonshuSolver):
        def search(self, *arguments: Any, seed: int | None = None, **options: Any) -> Solution:
            seeds.append(seed)
            return super().search(*arguments, seed=seed, **options)

    class Watching(Honshu):
        @cached_property
        def solver(self) -> HonshuSolver:
            return Watched()

    player = SolverPlayer(Watching(), 1)
    start = GAME.new(GAME.parameters.parse("7x6"), 2)
    with Control(0.01) as control:
        for chance in (1, 2, 1):
            rng = random.Random(chance)
            player.choose(start.play(player.choose(start, rng, control)), rng, control)
    assert seeds[1::2] == [None] * 3
    assert None not in seeds[::2]
    assert seeds[0] == seeds[4] != seeds[2]


def test_solver_player_stops_at_its_own_time_limit() -> None:
    with Control(60) as control:
        SolverPlayer(GAME, 0.1).choose(GAME.new(GAME.parameters.parse("7x6"), 9), random.Random(0), control)
        assert control.seconds < 30


def test_higher_fallible_level_makes_fewer_mistakes() -> None:
    position = early(random.Random(3), GAME.new(GAME.parameters.parse("6x4"), 4), 2)
    best = {each.move for each in GAME.solver.moves(position, Control()) if each.best}
    counts = []
    for level in (1, 9):
        rng = random.Random(7)
        player = make_player(GAME, f"fallible:{level}")
        with Control() as control:
            counts.append(sum(player.choose(position, rng, control) in best for _ in range(60)))
    assert counts[0] + 15 < counts[1]

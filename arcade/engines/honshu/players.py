"""The engines that can sit down at Honshu."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from arcade.engines.control import Control
from arcade.engines.honshu import documents as classic
from arcade.engines.honshu.rules import HonshuPosition, Move
from arcade.engines.parameters import Parameter
from arcade.engines.players import FALLIBLE, PERFECT, RANDOM, RUNGS, Player, PlayerKind

if TYPE_CHECKING:
    from arcade.engines.game import Game
    from arcade.engines.honshu.solver import HonshuSolver


class ClassicPlayer(Player[HonshuPosition, Move]):
    """Plays one of the report's methods; has no use for chance."""

    def __init__(self, choose: Callable[[HonshuPosition, Control], Move]) -> None:
        self._choose = choose

    def choose(self, position: HonshuPosition, rng: random.Random, control: Control) -> Move:
        return self._choose(position, control)


class SolverPlayer(Player[HonshuPosition, Move]):
    """Plays the first move of the best layout that the solver finds in so many seconds a move."""

    def __init__(self, solver: HonshuSolver, seconds: float) -> None:
        self.solver = solver
        self.seconds = seconds

    def choose(self, position: HonshuPosition, rng: random.Random, control: Control) -> Move:
        """A move of the best layout found; the search starts afresh with each match.

        Otherwise two of them in a race would make the same map.
        """
        seed = None if position.laid else rng.getrandbits(32)
        return self.solver.search(position, control, self.seconds, seed=seed).moves[0]


class HastyPlayer(SolverPlayer):
    """Plays the solver's move in `level` turns of ten, else what scores most now with any tile."""

    def __init__(self, solver: HonshuSolver, level: int) -> None:
        super().__init__(solver, 0.5)
        self.level = level

    def choose(self, position: HonshuPosition, rng: random.Random, control: Control) -> Move:
        if rng.random() * 10 < self.level:
            return super().choose(position, rng, control)
        tile = rng.choice(position.hand)
        return classic.best_now(
            position, [move for move in position.moves() if move.tile == tile.id], control
        )


def _solver(game: Game[HonshuPosition, Move]) -> HonshuSolver:
    return cast("HonshuSolver", game.solver)


def _greedy(_game: Game[HonshuPosition, Move], _: int) -> ClassicPlayer:
    return ClassicPlayer(classic.greedy_move)


def _hasty(game: Game[HonshuPosition, Move], level: int) -> HastyPlayer:
    return HastyPlayer(_solver(game), level)


def _searching(game: Game[HonshuPosition, Move], seconds: int) -> SolverPlayer:
    return SolverPlayer(_solver(game), seconds)


SECONDS = Parameter("seconds", "Seconds", 2, 1, 600, help="seconds of search for each move")
BEGINNER, CASUAL, CLUB, EXPERT = RUNGS
LADDER = (
    PlayerKind(BEGINNER, "Beginner", "Takes whatever scores most now.", _greedy),
    PlayerKind(CASUAL, "Casual", "Thinks ahead in 2 turns of 10.", lambda game, _: _hasty(game, 2)),
    PlayerKind(CLUB, "Club", "Thinks ahead in 6 turns of 10.", lambda game, _: _hasty(game, 6)),
    PlayerKind(EXPERT, "Expert", "Thinks ahead in 9 turns of 10.", lambda game, _: _hasty(game, 9)),
    PlayerKind(
        PERFECT.name,
        PERFECT.title,
        "Searches whole maps, 2 seconds a move.",
        lambda game, _: _searching(game, int(SECONDS.default)),
    ),
)
KINDS = (
    *LADDER,
    PlayerKind("solver", "Solver", "Searches whole maps.", _searching, SECONDS),
    PlayerKind("greedy", "Greedy", "Takes whatever scores most now.", _greedy),
    PlayerKind(
        "mixed",
        "Mixed",
        "Greedy, but careful at the end.",
        lambda _game, rest: ClassicPlayer(
            lambda position, control: classic.mixed_move(position, rest, control)
        ),
        Parameter("rest", "Last tiles", 2, 1, 4, help="tiles that are left to exhaustive search"),
        seconds=20.0,
    ),
    PlayerKind(
        "expansion",
        "Expansion",
        "Keeps the order, covers little.",
        lambda _game, _: ClassicPlayer(classic.expansion_move),
    ),
    PlayerKind(
        "in-order",
        "In order",
        "Keeps the order, scores greedily.",
        lambda _game, _: ClassicPlayer(classic.in_order_move),
    ),
    replace(FALLIBLE, summary="Thinks ahead now and then.", make=_hasty),
    RANDOM,
)

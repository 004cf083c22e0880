"""The engines that can sit down at Honshu."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from arcade.engines.control import Control
from arcade.engines.game import Parameter
from arcade.engines.honshu import classic
from arcade.engines.honshu.rules import HonshuPosition, Move
from arcade.engines.players import LEVEL, RANDOM, Player, PlayerKind

if TYPE_CHECKING:
    from arcade.engines.game import Game
    from arcade.engines.honshu.solver import HonshuSolver


class ClassicPlayer(Player[HonshuPosition, Move]):
    """Plays one of the report's methods; has no use for chance."""

    def __init__(self, choose: Callable[[HonshuPosition, Control], Move]) -> None:
        self._choose = choose

    def choose(self, position: HonshuPosition, rng: random.Random, control: Control) -> Move:
        """The method's move; when stopped, the best looked at so far."""
        return self._choose(position, control)


class SolverPlayer(Player[HonshuPosition, Move]):
    """Plays the first move of the best layout that the solver finds in so many seconds a move."""

    def __init__(self, solver: HonshuSolver, seconds: float) -> None:
        self.solver = solver
        self.seconds = seconds

    def choose(self, position: HonshuPosition, rng: random.Random, control: Control) -> Move:
        """A move of the best layout known after the search, which begins anew with each match.

        Otherwise two of them in a race would lay the same map.
        """
        seed = None if position.laid else rng.getrandbits(32)
        return self.solver.search(position, control, self.seconds, seed=seed).moves[0]


class FalliblePlayer(SolverPlayer):
    """Plays the solver's move in `level` turns of ten, else what scores most now with any tile."""

    def __init__(self, solver: HonshuSolver, level: int) -> None:
        super().__init__(solver, 0.5)
        self.level = level

    def choose(self, position: HonshuPosition, rng: random.Random, control: Control) -> Move:
        """The solver's move, or a plausible mistake."""
        if rng.random() * 10 < self.level:
            return super().choose(position, rng, control)
        tile = rng.choice(position.hand)
        return classic.best_now(
            position, [move for move in position.moves() if move.tile == tile.id], control
        )


def _solver(game: Game[HonshuPosition, Move]) -> HonshuSolver:
    return cast("HonshuSolver", game.solver)


KINDS = (
    PlayerKind(
        "solver",
        "Solver",
        "searches whole layouts",
        lambda game, seconds: SolverPlayer(_solver(game), seconds),
        Parameter("seconds", "Seconds", 2, 1, 600, help="seconds of search for each move"),
    ),
    PlayerKind(
        "greedy",
        "Greedy",
        "lays whatever scores most now",
        lambda _game, _: ClassicPlayer(classic.greedy_move),
    ),
    PlayerKind(
        "mixed",
        "Mixed",
        "greedy, then tries everything with the last tiles",
        lambda _game, rest: ClassicPlayer(
            lambda position, control: classic.mixed_move(position, rest, control)
        ),
        Parameter("rest", "Last tiles", 2, 1, 4, help="tiles that are left to exhaustive search"),
    ),
    PlayerKind(
        "expansion",
        "Expansion",
        "lays the tiles in order, covering as little as it can",
        lambda _game, _: ClassicPlayer(classic.expansion_move),
    ),
    PlayerKind(
        "in-order",
        "In order",
        "lays the tiles in order, each where it scores most",
        lambda _game, _: ClassicPlayer(classic.in_order_move),
    ),
    PlayerKind(
        "fallible",
        "Fallible",
        "errs now and then",
        lambda game, level: FalliblePlayer(_solver(game), level),
        LEVEL,
    ),
    RANDOM,
)

"""The players of Tetromino: the common ones with traps in bounded time, and `greedy`."""

from __future__ import annotations

import random

from arcade.engines.control import Control
from arcade.engines.players import (
    FALLIBLE,
    PERFECT,
    RANDOM,
    FalliblePlayer,
    PerfectPlayer,
    Player,
    PlayerKind,
)
from arcade.engines.tetromino.board import Placement
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.verdict import MoveVerdict, Value, keeps_value

MOST_TRAPS = 4
"""Of how many best moves a player looks at the replies; on the empty board hundreds are best."""


class _Trapper(PerfectPlayer[Tetrominoes, Placement]):
    """Sets traps by the replies' values alone, for a few of the best moves drawn by lot."""

    def trap(
        self,
        position: Tetrominoes,
        analysis: list[MoveVerdict[Placement]],
        rng: random.Random,
        control: Control,
    ) -> Placement:
        """Of some best moves the one after which the smallest part of the replies keeps the value."""
        # Here and not above: players are listed before numba, which the solver needs, is loaded.
        from arcade.engines.tetromino.solver import TetrominoSolver

        if all(each.verdict.value is None for each in analysis):
            # The board is too large for the time: nothing is proved of any move.
            return Greedy().choose(position, rng, control)
        best = [each for each in analysis if each.best] or analysis
        drawn = [each.move for each in rng.sample(best, min(len(best), MOST_TRAPS))]
        solver = self.game.solver
        if len(drawn) == 1 or best[0].verdict.value is Value.WIN or not isinstance(solver, TetrominoSolver):
            return drawn[0]
        chosen, least = drawn[0], 2.0
        for move in drawn:
            replies = solver.values(position.play(move), control)
            holding = len(keeps_value(replies)) / max(1, len(replies))
            if control.stopped:
                break
            if holding < least:
                chosen, least = move, holding
        return chosen


class Perfect(_Trapper):
    """Plays a best move and sets traps."""


class Fallible(_Trapper, FalliblePlayer[Tetrominoes, Placement]):
    """Plays as `Perfect` with a chance of level/10, else anything that is not best."""


class Greedy(Player[Tetrominoes, Placement]):
    """Leaves the other side the fewest placements, without looking further."""

    def choose(self, position: Tetrominoes, rng: random.Random, control: Control) -> Placement:
        """A move after which the other side has the fewest placements; drawn among equals."""
        theirs = [position.board.placements[each] for each in position.placements(1 - position.turn)]
        fewest: list[Placement] = []
        least = len(theirs) + 1
        for move in position.moves():
            mask = position.board.placements[move]
            left = sum(not mask & other for other in theirs)
            if left < least:
                fewest, least = [], left
            if left == least:
                fewest.append(move)
        return rng.choice(fewest)


KINDS = (
    PlayerKind(PERFECT.name, PERFECT.title, PERFECT.summary, lambda game, _: Perfect(game)),
    PlayerKind(FALLIBLE.name, FALLIBLE.title, FALLIBLE.summary, Fallible, FALLIBLE.argument),
    RANDOM,
    PlayerKind("greedy", "Greedy", "leaves you the fewest placements", lambda _game, _level: Greedy()),
)
"""Who can sit down at this game."""

"""The players of Tetromino: the common ones, with a time limit for traps, and `greedy`."""

from __future__ import annotations

import random
from dataclasses import replace

from arcade.engines.control import Control
from arcade.engines.players import (
    FALLIBLE,
    PERFECT,
    FalliblePlayer,
    PerfectPlayer,
    Player,
    PlayerKind,
)
from arcade.engines.tetromino.board import Placement
from arcade.engines.tetromino.rules import Tetrominoes, places_left
from arcade.engines.verdict import MoveVerdict, Value, keeps_value

MOST_TRAPS = 4
"""Most best moves whose replies a player checks; on the empty board hundreds are best."""


class _Trapper(PerfectPlayer[Tetrominoes, Placement]):
    """Sets traps by the values of replies only, for a random few of the best moves."""

    def trap(
        self,
        position: Tetrominoes,
        analysis: list[MoveVerdict[Placement]],
        rng: random.Random,
        control: Control,
    ) -> Placement:
        """Among some best moves, the one after which the smallest share of replies keeps the value."""
        # Imported here because players are listed before the solver loads numba.
        from arcade.engines.tetromino.solver import TetrominoSolver

        if all(each.verdict.value is None for each in analysis):
            # The board is too large for the time, so no move is proved.
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
    """Plays like `Perfect` with a chance of level/10, else any move that is not best."""


class Greedy(Player[Tetrominoes, Placement]):
    """Leaves the other side the fewest placements, without looking further."""

    def choose(self, position: Tetrominoes, rng: random.Random, control: Control) -> Placement:
        """A move after which the other side has the fewest placements; drawn among equals."""
        left = places_left(position)
        moves = [(left(move), move) for move in position.moves()]
        least = min(count for count, _ in moves)
        return rng.choice([move for count, move in moves if count == least])


PERFECT_HERE = replace(PERFECT, make=lambda game, _: Perfect(game))
FALLIBLE_HERE = replace(FALLIBLE, make=Fallible)
GREEDY = PlayerKind(
    "greedy", "Greedy", "Leaves you the fewest places to play.", lambda _game, _level: Greedy()
)

"""Who plays Hexapawn: the common players, made fit for boards too large to solve, and `nimble`."""

from __future__ import annotations

import random
from typing import Any

from arcade.engines.control import Control
from arcade.engines.game import Game, Parameter
from arcade.engines.hexapawn.nimble import rank
from arcade.engines.hexapawn.rules import Board, Step
from arcade.engines.players import (
    LEVEL,
    RANDOM,
    FalliblePlayer,
    PerfectPlayer,
    Player,
    PlayerKind,
)
from arcade.engines.verdict import MoveVerdict, keeps_value

FALLBACK_DEPTH = 3
"""Plies that a perfect player looks ahead where nothing is proved in time: some ten milliseconds."""


class _Nimble(Player[Board, Step]):
    def __init__(self, depth: int) -> None:
        self.depth = depth

    def choose(self, position: Board, rng: random.Random, control: Control) -> Step | None:
        """The move that looks best after a fixed number of plies."""
        return _first(position, position.moves(), self.depth, rng, control)


class _Perfect(PerfectPlayer[Board, Step]):
    def trap(
        self,
        position: Board,
        analysis: list[MoveVerdict[Step]],
        rng: random.Random,
        control: Control,
    ) -> Step:
        """As at every game, but while no move is proved to be best, the one that looks best to `nimble`."""
        if any(each.best for each in analysis):
            return super().trap(position, analysis, rng, control)
        with Control() as unhurried:
            return _first(position, keeps_value(analysis), FALLBACK_DEPTH, rng, unhurried)


class _Fallible(_Perfect, FalliblePlayer[Board, Step]):
    pass


def _first(
    position: Board,
    moves: list[Step] | tuple[Step, ...],
    depth: int,
    rng: random.Random,
    control: Control,
) -> Step:
    ranks = rank(position, moves, depth, control)
    best = max(ranks)
    return rng.choice([move for move, each in zip(moves, ranks, strict=True) if each == best])


def _make_perfect(game: Game[Any, Any], _: int) -> Player[Any, Any]:
    return _Perfect(game)


DEPTH = Parameter("depth", "Depth", 4, 1, 8, help="plies that it looks ahead")
KINDS = (
    PlayerKind("perfect", "Perfect", "never errs where the board can be solved in time", _make_perfect),
    PlayerKind("fallible", "Fallible", "errs now and then", _Fallible, LEVEL),
    PlayerKind("nimble", "Nimble", "looks a few plies ahead", lambda _, depth: _Nimble(depth), DEPTH),
    RANDOM,
)

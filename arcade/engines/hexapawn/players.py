"""The players of Hexapawn: the common ones, adapted to boards too large to solve, and `nimble`."""

from __future__ import annotations

import random
from dataclasses import replace

from arcade.engines.control import Control
from arcade.engines.hexapawn.nimble import rank
from arcade.engines.hexapawn.rules import PawnMove, PawnPosition
from arcade.engines.parameters import Parameter
from arcade.engines.players import (
    FALLIBLE,
    PERFECT,
    FalliblePlayer,
    PerfectPlayer,
    Player,
    PlayerKind,
)
from arcade.engines.verdict import MoveVerdict, keeps_value

FALLBACK_DEPTH = 3
"""Plies a perfect player looks ahead if nothing is proved in time: some ten milliseconds."""


class _Nimble(Player[PawnPosition, PawnMove]):
    def __init__(self, depth: int) -> None:
        self.depth = depth

    def choose(self, position: PawnPosition, rng: random.Random, control: Control) -> PawnMove | None:
        """The move that looks best after a fixed number of plies."""
        return _first(position, position.moves(), self.depth, rng, control)


class _Perfect(PerfectPlayer[PawnPosition, PawnMove]):
    def trap(
        self,
        position: PawnPosition,
        analysis: list[MoveVerdict[PawnMove]],
        rng: random.Random,
        control: Control,
    ) -> PawnMove:
        """The common perfect player, but if no move is proved best it plays the one `nimble` prefers."""
        if any(each.best for each in analysis):
            return super().trap(position, analysis, rng, control)
        with Control() as unhurried:
            return _first(position, keeps_value(analysis), FALLBACK_DEPTH, rng, unhurried)


class _Fallible(_Perfect, FalliblePlayer[PawnPosition, PawnMove]):
    pass


def _first(
    position: PawnPosition,
    moves: list[PawnMove] | tuple[PawnMove, ...],
    depth: int,
    rng: random.Random,
    control: Control,
) -> PawnMove:
    ranks = rank(position, moves, depth, control)
    best = max(ranks)
    return rng.choice([move for move, each in zip(moves, ranks, strict=True) if each == best])


DEPTH = Parameter("depth", "Depth", 4, 1, 8, help="plies that it looks ahead")
_NEVER_ERRS = "Never errs on boards that it can solve."
PERFECT_HERE = replace(PERFECT, summary=_NEVER_ERRS, make=lambda game, _: _Perfect(game))
FALLIBLE_HERE = replace(FALLIBLE, make=_Fallible)
NIMBLE = PlayerKind("nimble", "Nimble", "Looks a few moves ahead.", lambda _, depth: _Nimble(depth), DEPTH)

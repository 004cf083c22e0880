"""Honshu's methods side by side: the report's four, and the solver."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from arcade.engines.control import Control
from arcade.engines.honshu import GAME, classic
from arcade.engines.honshu.rules import HonshuPosition, Move
from arcade.engines.methods import OUT_OF_TIME, SolvingMethod, Work
from arcade.engines.position import Position

BOARDS = ("5x2#1", "6x4#1", "7x6#1", "9x12#1")

SECONDS = 2.0
"""How long the solver searches for a map."""
TRIED = 2
"""How many tiles the mixed method tries everything for."""


def _scored(position: HonshuPosition, moves: list[Move]) -> str:
    for move in moves:
        position = position.play(move)
    return f"score {position.score.total}"


def _classic(
    find: Callable[[HonshuPosition, Control], list[Move]], position: Position[Any], control: Control
) -> Work:
    assert isinstance(position, HonshuPosition)
    moves = find(position, control)
    return Work(_scored(position, moves), None, OUT_OF_TIME if control.stopped else "")


def _mixed(position: HonshuPosition, control: Control) -> list[Move]:
    return classic.mixed(position, max(0, len(position.hand) - TRIED), control)


def _solver(position: Position[Any], control: Control) -> Work:
    assert isinstance(position, HonshuPosition)
    found = GAME.solver.solve(position, control, seconds=SECONDS)
    return Work(f"{_scored(position, list(found.moves))} of at most {found.bound}", control.nodes)


METHODS = (
    SolvingMethod(
        "in-order",
        "The report's: tiles in turn, where they score most.",
        partial(_classic, classic.in_order),
    ),
    SolvingMethod(
        "expansion",
        "The report's: tiles in turn, covering one cell.",
        partial(_classic, classic.expansion),
    ),
    SolvingMethod(
        "greedy", "The report's: any tile where it scores most.", partial(_classic, classic.greedy)
    ),
    SolvingMethod(
        "mixed", "The report's: greedy, and everything for the last tiles.", partial(_classic, _mixed)
    ),
    SolvingMethod("solver", f"The arcade's, {SECONDS:g} seconds.", _solver, lambda: GAME.solver.warm()),
)

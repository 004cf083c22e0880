"""Hexapawn's methods side by side: the report's three, and the solver."""

from __future__ import annotations

from functools import partial
from typing import Any

from arcade.engines.control import Control
from arcade.engines.hexapawn import GAME, classic
from arcade.engines.hexapawn.game import signed
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.methods import OUT_OF_TIME, SolvingMethod, Work
from arcade.engines.position import Position

BOARDS = ("3x3", "3x4", "4x3", "4x4", "4x5", "5x4", "5x5")

SUMMARIES = {
    "naive": "The report's plain recursion.",
    "list": "The same, which remembers values in a list.",
    "map": "The same, which remembers values in a map.",
}


def _classic(name: str, position: Position[Any], control: Control) -> Work:
    assert isinstance(position, PawnPosition)
    found = classic.METHODS[name](position, control)
    if found.value is None:
        return Work("", found.calls, OUT_OF_TIME)
    return Work(f"value {found.value}", found.calls)


def _solver(position: Position[Any], control: Control) -> Work:
    from arcade.engines.hexapawn.solver import HexapawnSolver

    assert isinstance(position, PawnPosition)
    verdict = HexapawnSolver().verdict(position, control)
    value = signed(verdict)
    return Work("", verdict.nodes, OUT_OF_TIME) if value is None else Work(f"value {value}", verdict.nodes)


METHODS = (
    *(SolvingMethod(name, summary, partial(_classic, name)) for name, summary in SUMMARIES.items()),
    SolvingMethod("solver", "The arcade's solver.", _solver, lambda: GAME.solver.warm()),
)

"""Tetromino's methods side by side: the article's recursion, and the solver."""

from __future__ import annotations

from typing import Any

from arcade.engines.control import Control
from arcade.engines.methods import OUT_OF_TIME, SolvingMethod, Work
from arcade.engines.position import Position
from arcade.engines.tetromino import GAME
from arcade.engines.tetromino.rules import Tetrominoes

BOARDS = ("4x4", "4x5", "5x5", "4x7", "5x6", "4x8", "5x7", "4x9", "5x8")


def _plain(position: Position[Any], control: Control) -> Work:
    from arcade.engines.tetromino import classic

    assert isinstance(position, Tetrominoes)
    found = classic.plain(position, control)
    return Work("", control.nodes, OUT_OF_TIME) if found is None else Work(found.value, control.nodes)


def _warm_plain() -> None:
    from arcade.engines.tetromino import classic

    classic.warm()


def _solver(position: Position[Any], control: Control) -> Work:
    from arcade.engines.tetromino.solver import TetrominoSolver

    assert isinstance(position, Tetrominoes)
    found = TetrominoSolver().verdict(position, control)
    if found.value is None:
        return Work("", found.nodes, OUT_OF_TIME)
    return Work(found.value.value, found.nodes)


METHODS = (
    SolvingMethod("plain", "The article's recursion, without a memory.", _plain, _warm_plain),
    SolvingMethod(
        "solver",
        "The arcade's solver, with nothing stored; it also finds how soon.",
        _solver,
        lambda: GAME.solver.warm(),
    ),
)

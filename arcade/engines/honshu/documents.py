"""The methods of the students' report, in plain Python on the plain rules: for comparison and as opponents.

Each chooses by the current score; among equals it takes the first in the order of rotation, row and column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from arcade.engines.control import Control
from arcade.engines.game import OUT_OF_TIME, SolvingMethod, Work
from arcade.engines.honshu.rules import HonshuPosition, Move
from arcade.engines.position import Position

if TYPE_CHECKING:
    from arcade.engines.honshu.solver import HonshuSolver

MoveChooser = Callable[[HonshuPosition, Control | None], Move]


def best_now(position: HonshuPosition, moves: Iterable[Move], control: Control | None = None) -> Move:
    """The first placement with the highest score; if stopped, among those tried."""
    best: Move | None = None
    most = 0
    for number, move in enumerate(moves):
        if best is not None and control is not None and number % 16 == 0 and control.stopped:
            break
        points = position.score_change(move).total
        if best is None or points > most:
            best, most = move, points
    if best is None:
        raise ValueError("No tile fits.")
    return best


def moves_of(position: HonshuPosition, tile: int) -> list[Move]:
    return [move for move in position.moves() if move.tile == tile]


def in_order_move(position: HonshuPosition, control: Control | None = None) -> Move:
    """The next tile of the deal, where it scores most now."""
    return best_now(position, moves_of(position, position.hand[0].id), control)


def expansion_move(position: HonshuPosition, control: Control | None = None) -> Move:
    """The next tile of the deal, if possible where it covers exactly one cell."""
    moves = moves_of(position, position.hand[0].id)
    spreading = [move for move in moves if _covered(position, move) == 1]
    return best_now(position, spreading or moves, control)


def _covered(position: HonshuPosition, move: Move) -> int:
    cells = sum(mask for _, mask in position.cells_of(move))
    return (cells & position.map.occupied).bit_count()


def greedy_move(position: HonshuPosition, control: Control | None = None) -> Move:
    """The tile, rotation and place that score most now."""
    return best_now(position, position.moves(), control)


def mixed_move(position: HonshuPosition, rest: int, control: Control | None = None) -> Move:
    """Like `greedy_move` while more than `rest` tiles are left, then the move of an exhaustive search."""
    if len(position.hand) > rest:
        return greedy_move(position, control)
    return exhaustive(position, control)[0]


def _layout(choose: MoveChooser, position: HonshuPosition, control: Control | None = None) -> list[Move]:
    """The moves of a method from here to the end; a stopped control makes it hurry, not end."""
    made = []
    while position.outcome() is None:
        made.append(choose(position, control))
        position = position.play(made[-1])
    return made


in_order = partial(_layout, in_order_move)
expansion = partial(_layout, expansion_move)
greedy = partial(_layout, greedy_move)


def mixed(position: HonshuPosition, first: int, control: Control | None = None) -> list[Move]:
    """Greedy for the first tiles, then exhaustive search for the others.

    Args:
        position: the position to start from.
        first: how many tiles to lay by greedy.
        control: if it stops the search, the best line so far is played.
    """
    made: list[Move] = []
    while len(made) < first and position.outcome() is None:
        made.append(greedy_move(position, control))
        position = position.play(made[-1])
    return made + exhaustive(position, control)


def exhaustive(position: HonshuPosition, control: Control | None = None) -> list[Move]:
    """Moves to the highest final score, found by trying everything: the assignment's annex.

    If the control stops it, this is the best line so far; it tries the greedy line first.
    """
    best = greedy(position, control)
    most = position.after(best).score.total

    def search(here: HonshuPosition, made: list[Move]) -> None:
        nonlocal best, most
        if control is not None and control.stopped:
            return
        if (outcome := here.outcome()) is not None:
            if outcome.score is not None and outcome.score > most:
                best, most = made.copy(), outcome.score
            return
        for move in here.moves():
            made.append(move)
            search(here.play(move), made)
            made.pop()

    search(position, [])
    return best


# The methods as `arcade compare` runs them.

BOARDS = ("5x2#1", "6x4#1", "7x6#1", "9x12#1")
SECONDS = 2.0
"""How long the solver searches for a map."""
TRIED = 2
"""How many tiles the mixed method tries everything for."""


def _classic(
    find: Callable[[HonshuPosition, Control], list[Move]], position: Position[Any], control: Control
) -> Work:
    assert isinstance(position, HonshuPosition)
    score = position.after(find(position, control)).score.total
    return Work(f"score {score}", None, OUT_OF_TIME if control.stopped else "")


def _mixed(position: HonshuPosition, control: Control) -> list[Move]:
    return mixed(position, max(0, len(position.hand) - TRIED), control)


def _solver() -> HonshuSolver:
    from arcade.engines.honshu import GAME

    return GAME.solver


def _solved(position: Position[Any], control: Control) -> Work:
    assert isinstance(position, HonshuPosition)
    solution = _solver().solve(position, control, seconds=SECONDS)
    score = position.after(solution.moves).score.total
    return Work(f"score {score} of at most {solution.bound}", control.nodes)


METHODS = (
    SolvingMethod(
        "in-order", "The report's: tiles in turn, where they score most.", partial(_classic, in_order)
    ),
    SolvingMethod(
        "expansion", "The report's: tiles in turn, covering one cell.", partial(_classic, expansion)
    ),
    SolvingMethod("greedy", "The report's: any tile where it scores most.", partial(_classic, greedy)),
    SolvingMethod(
        "mixed", "The report's: greedy, and everything for the last tiles.", partial(_classic, _mixed)
    ),
    SolvingMethod("solver", f"The arcade's, {SECONDS:g} seconds.", _solved, lambda: _solver().warm()),
)

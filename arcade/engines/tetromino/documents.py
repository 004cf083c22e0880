"""The article's method beside the solver: `plain`, Guichard's recursion, without a memory of positions seen.

Damien Guichard, "L'approche qualité avec OCaml", part IV, sections 29-32 (2013). A position is one word:

    bit 63 .... 59 | 58 .... 54 | 53 ........................ 0
        second's   | first's    | cells, 1 where covered;
        pieces laid| pieces laid| cell rank * width + file

A player's list of placements holds, for every placement on the empty board, its four cells and the bit of
the piece, so that "the cells are free and the piece is in hand" is one AND. The recursion has three values
and stops at a move that wins. The list runs from T to I, as one does that is built by putting each
placement in front: how many positions are visited depends on that (5x8: 69 million so, 785 million the
other way round). What is changed: the article's code takes a player who cannot lay for the
winner in what it prints; here, as its rules say, that player has lost.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.engines.compiled import njit
from arcade.engines.control import NODES, STOP, Control
from arcade.engines.files import InputError
from arcade.engines.game import OUT_OF_TIME, SolvingMethod, Work
from arcade.engines.position import Position
from arcade.engines.tetromino.board import FULL_HAND, PIECES
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.tetromino.solver import TetrominoSolver
from arcade.engines.verdict import Value

MOST_CELLS = 64 - 2 * len(PIECES)
"""Most cells of a board on which a position still fits into a word with its hands."""

_STOPPED = 2
_PLIES = 2 * len(PIECES) + 1
_POLL = 4096
_ALL_LAID = np.uint64(((1 << 2 * len(PIECES)) - 1) << MOST_CELLS)
_NOTHING = np.uint64(0)


@njit(nogil=True, cache=True)
def _recursion(
    board: np.uint64, player: int, placements: NDArray[np.uint64], control: NDArray[np.int64]
) -> int:
    """1 when the player to move wins, 0 for a tie, -1 when that player loses, 2 when stopped.

    `placements` has a row for each player, shape (2, placements); the recursion's frames are explicit, so
    that it can be left at once.
    """
    boards = np.empty(_PLIES, np.uint64)
    tried = np.zeros(_PLIES, np.int64)
    best = np.empty(_PLIES, np.int64)
    count = placements.shape[1]
    ply, visited = 0, 1
    boards[0], best[0] = board, -2
    while True:
        mover = (player + ply) & 1
        number = tried[ply]
        while number < count and placements[mover, number] & boards[ply] != _NOTHING:
            number += 1
        if number < count and best[ply] < 1:
            tried[ply] = number + 1
            boards[ply + 1] = boards[ply] | placements[mover, number]
            ply += 1
            tried[ply], best[ply] = 0, -2
            visited += 1
            if visited % _POLL == 0:
                control[NODES] += _POLL
                if control[STOP]:
                    return _STOPPED
            continue
        value = best[ply]
        if value == -2:
            value = 0 if boards[ply] & _ALL_LAID == _ALL_LAID else -1
        if ply == 0:
            control[NODES] += visited % _POLL
            return value
        ply -= 1
        best[ply] = max(best[ply], -value)


def plain(position: Tetrominoes, control: Control) -> Value | None:
    """The value of a position by the article's method; None when the control stopped it.

    Raises:
        InputError: the board has more than `MOST_CELLS` cells.
    """
    cells = position.width * position.height
    if cells > MOST_CELLS:
        raise InputError(f"The method plain takes boards of at most {MOST_CELLS} cells, not {cells}.")
    laid = [FULL_HAND & ~hand for hand in position.hands]
    word = position.occupied | laid[0] << MOST_CELLS | laid[1] << MOST_CELLS + len(PIECES)
    placements = [
        [
            mask | 1 << MOST_CELLS + player * len(PIECES) + PIECES.index(placement.piece)
            for placement, mask in reversed(position.board.placements.items())
        ]
        for player in (0, 1)
    ]
    value = _recursion(
        np.uint64(word), position.turn, np.array(placements, np.uint64).reshape(2, -1), control.cells
    )
    return {1: Value.WIN, 0: Value.TIE, -1: Value.LOSS}.get(value)


def warm() -> None:
    with Control() as control:
        plain(Tetrominoes(3, 3), control)


def _plain(position: Position[Any], control: Control) -> Work:
    assert isinstance(position, Tetrominoes)
    value = plain(position, control)
    return Work("", control.nodes, OUT_OF_TIME) if value is None else Work(value.value, control.nodes)


def _solver(position: Position[Any], control: Control) -> Work:
    assert isinstance(position, Tetrominoes)
    verdict = TetrominoSolver().verdict(position, control)
    if verdict.value is None:
        return Work("", verdict.nodes, OUT_OF_TIME)
    return Work(verdict.value.value, verdict.nodes)


BOARDS = ("4x4", "4x5", "5x5", "4x7", "5x6", "4x8", "5x7", "4x9", "5x8")
METHODS = (
    SolvingMethod("plain", "The article's recursion, without a memory.", _plain, warm),
    SolvingMethod(
        "solver",
        "The arcade's solver, with nothing stored; it also finds how soon.",
        _solver,
        lambda: TetrominoSolver().warm(),
    ),
)

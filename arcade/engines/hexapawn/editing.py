"""Changing a position by hand: pawns, the size of the board, and whether a match can begin from it."""

from __future__ import annotations

from dataclasses import replace

from arcade.engines.game import InputError
from arcade.engines.hexapawn import GAME
from arcade.engines.hexapawn.rules import Board, size_flaw


def put(board: Board, row: int, column: int, pawn: str) -> Board:
    """The board with "P", "p" or "." on a square, row and column counted from 0."""
    bit = 1 << row * board.columns + column
    white, black = board.white & ~bit, board.black & ~bit
    return replace(board, white=white | bit * (pawn == "P"), black=black | bit * (pawn == "p"))


def resized(board: Board, rows: int, columns: int) -> Board:
    """The board with other numbers of rows and columns: a full one stays full, else a1 stays where it is.

    Raises:
        InputError: there is no board of that size.
    """
    flaw = size_flaw(rows, columns)
    if flaw is not None:
        raise InputError(flaw)
    full = Board.full(board.rows, board.columns)
    if (board.white, board.black) == (full.white, full.black):
        full = Board.full(rows, columns)
        return replace(board, rows=rows, columns=columns, white=full.white, black=full.black)
    new = replace(board, rows=rows, columns=columns, white=0, black=0)
    for side, pawn in enumerate("Pp"):
        for row, column in board.pawns(side):
            if row < rows and column < columns:
                new = put(new, row, column, pawn)
    return new


def check(board: Board) -> tuple[bool, str]:
    """Whether a match can begin from a position, and the sentence that says why not or who has what to do."""
    flaw = board.flaw()
    if flaw is not None:
        return False, flaw
    side = GAME.sides[board.turn]
    if board.reached() is not None:
        return False, f"{GAME.sides[1 - board.turn]} has reached the last row: the game would be over."
    moves = len(board.moves())
    if not moves:
        return False, f"{side} to move has no move: the game would be over."
    return True, f"{side} to move, with {moves} move{'s' * (moves != 1)}."

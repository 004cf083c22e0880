"""Edit a position by hand: its pawns, the size of its board, and whether a match can start from it."""

from __future__ import annotations

from dataclasses import replace

from arcade.engines.errors import InputError
from arcade.engines.hexapawn import GAME
from arcade.engines.hexapawn.rules import PawnPosition, size_flaw


def put(board: PawnPosition, row: int, column: int, pawn: str) -> PawnPosition:
    """The board with "P", "p" or "." placed on a square; row and column count from 0."""
    bit = 1 << row * board.columns + column
    white, black = board.white & ~bit, board.black & ~bit
    return replace(board, white=white | bit * (pawn == "P"), black=black | bit * (pawn == "p"))


def resized(board: PawnPosition, rows: int, columns: int) -> PawnPosition:
    """The board resized: a starting position stays one, any other keeps a1 in its place.

    Raises:
        InputError: there is no board of that size.
    """
    flaw = size_flaw(rows, columns)
    if flaw is not None:
        raise InputError(flaw)
    full = PawnPosition.full(board.rows, board.columns)
    if (board.white, board.black) == (full.white, full.black):
        full = PawnPosition.full(rows, columns)
        return replace(board, rows=rows, columns=columns, white=full.white, black=full.black)
    new = replace(board, rows=rows, columns=columns, white=0, black=0)
    for side, pawn in enumerate("Pp"):
        for row, column in board.pawns(side):
            if row < rows and column < columns:
                new = put(new, row, column, pawn)
    return new


def check(board: PawnPosition) -> tuple[bool, str]:
    """Whether a match can start from a position, and a sentence that says why not, or who is to move."""
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

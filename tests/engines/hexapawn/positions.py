"""Positions for the tests: random ones, reachable ones, and the same ones as the brute force sees them."""

import random
from collections.abc import Iterator

from arcade.engines.hexapawn.rules import PawnPosition
from tests.engines.hexapawn.brute import Rows, distance

VARIANTS = [(False, False), (True, False), (False, True), (True, True)]


def rows_of(board: PawnPosition) -> Rows:
    """The board as its mover sees it, read from its text alone."""
    text, _, rest = board.text().partition(":")
    rows = tuple(text.split("/"))
    return rows if rest[0] == "w" else tuple(row.swapcase() for row in reversed(rows))


def truth(board: PawnPosition) -> tuple[bool, int]:
    return distance(rows_of(board), board.misere, board.capture)


def random_board(rng: random.Random, rows: int, columns: int, variant: tuple[bool, bool]) -> PawnPosition:
    """Any arrangement that could be set up in the editor, thin or crowded, either side to move."""
    crowd = rng.choice((0.1, 0.2, 0.35, 0.5))
    reached = rng.random() < 0.05
    white = black = 0
    for square in range(rows * columns):
        row = square // columns
        if row < rows - 1 and rng.random() < crowd:
            white |= 1 << square
        elif (row > 0 or reached) and rng.random() < crowd:
            black |= 1 << square
    board = PawnPosition(rows, columns, white, black, 0, *variant)
    return board if rng.random() < 0.5 else board.turned()


def reachable(start: PawnPosition) -> Iterator[PawnPosition]:
    """Every position that can come up from a start, once."""
    seen = {start}
    waiting = [start]
    while waiting:
        board = waiting.pop()
        yield board
        for move in board.moves():
            after = board.play(move)
            if after not in seen:
                seen.add(after)
                waiting.append(after)

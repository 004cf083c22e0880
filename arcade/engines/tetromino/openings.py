"""The first two moves on the standard board: proved once, so that nobody waits for a search.

`python -m tools.facts tetromino` proves them again and writes their file. For one first move of each class of
symmetric ones it has a digit for each reply, in the order of `Tetrominoes.moves`: the rank of the position
after it, as `kernel` explains ranks.
"""

from __future__ import annotations

from functools import cache, cached_property

from arcade.engines.facts import stored
from arcade.engines.tetromino.board import board, image_of
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.verdict import Value, Verdict

TIE = 6
"""The rank of a tie; lower ranks are losses, 8 and above are wins."""


MOST_LAID = 2
"""Pieces on the board in the last positions that are stored."""


def worth(rank: int) -> int:
    """The rank of a position with a move to a position of this rank, if there is no better one."""
    return 12 - rank if rank <= TIE else 13 - rank


def rank_of(move: Verdict) -> int:
    """The rank of the position after a move, from the exact verdict of the move.

    Raises:
        ValueError: the verdict is not exact.
    """
    if move.remoteness is None:
        raise ValueError(f"The verdict of this move is not exact: {move}")
    left = move.remoteness - 1
    if move.value is Value.TIE:
        return TIE
    return left // 2 if move.value is Value.WIN else 12 - (left - 1) // 2


class Openings:
    """The ranks of the first positions of a board.

    Args:
        width: of the board.
        height: of the board.
        replies: by first move the digit of each reply.
    """

    def __init__(self, width: int, height: int, replies: dict[str, str]) -> None:
        self._board = board(width, height)
        self._start = Tetrominoes(width, height)
        self._replies = replies

    @cached_property
    def _first(self) -> dict[int, str]:
        """The digits of the replies by the cells of the first move."""
        return {
            mask: self._replies[str(move)]
            for move, mask in self._board.placements.items()
            if str(move) in self._replies
        }

    def _after(self, first: int, reply: int) -> int:
        """The rank after a first move of the file and a reply, both as cells."""
        move = next(move for move, mask in self._board.placements.items() if mask == first)
        replies = self._start.play(move).moves()
        number = next(n for n, each in enumerate(replies) if self._board.placements[each] == reply)
        return int(self._first[first][number], 16)

    @cached_property
    def _of_first(self) -> dict[int, int]:
        """The rank after each first move of the file, by its cells."""
        return {mask: max(worth(int(each, 16)) for each in set(ranks)) for mask, ranks in self._first.items()}

    def rank(self, position: Tetrominoes) -> int | None:
        """The rank of a position before the third move; None for any other, or where it was not played to."""
        if (position.width, position.height) != (self._board.width, self._board.height):
            return None
        if len(position.laid) > MOST_LAID or position.turn != len(position.laid) % 2:
            return None
        played = self._start
        for move in position.laid:
            played = played.play(move)
        if played != position:
            return None
        if not position.laid:
            return max(map(worth, self._of_first.values()))
        masks = [self._board.placements[move] for move in position.laid]
        for symmetry in self._board.symmetries:
            first, *reply = (image_of(mask, symmetry) for mask in masks)
            if first in self._first:
                return self._after(first, *reply) if reply else self._of_first[first]
        return None


@cache
def openings(width: int, height: int) -> Openings | None:
    """What is proved of a board with full hands; None for all but the standard one."""
    found = stored("tetromino")["replies"].get(f"{width}x{height}")
    return None if found is None else Openings(width, height, found)

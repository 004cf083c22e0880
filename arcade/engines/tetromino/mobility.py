"""A search for boards that are too large to solve: how many places each piece still has, a few plies ahead.

A position is worth the sum of log(1 + places) over the pieces of the mover, less that of the other side: the
last places of a piece count most. The search follows only moves that look best at once, and proves nothing.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arcade.engines.control import Control
from arcade.engines.estimates import Estimates
from arcade.engines.tetromino.board import PIECES, Placement
from arcade.engines.tetromino.rules import Tetrominoes

WON = 1000.0
"""The score of a move that leaves the other side no place; what a move that is not followed loses."""

Floats = NDArray[np.float64]


class _Places:
    """The free placements of a position, one in each row, and which of them share no cell."""

    def __init__(self, position: Tetrominoes) -> None:
        masks = position.board.placements
        free = dict.fromkeys((*position.placements(0), *position.placements(1)))
        self.rows = {move: row for row, move in enumerate(free)}
        cells = np.array([masks[move] for move in free], np.uint64)
        self.apart = (cells[:, None] & cells[None, :]) == 0
        self.piece = np.array([PIECES.index(move.piece) for move in free], np.int64)
        self.of_piece = np.eye(len(PIECES))[self.piece]

    def left(self, rows: NDArray[np.int64], free: NDArray[np.int64]) -> Floats:
        """How many of the `free` placements of each piece are left after each row; (rows, pieces)."""
        counts: Floats = self.apart[np.ix_(rows, free)] @ self.of_piece[free]
        return counts

    def scores(
        self, free: NDArray[np.int64], hands: tuple[int, int], widths: Sequence[int], control: Control
    ) -> tuple[NDArray[np.int64], Floats]:
        """The mover's rows and their scores; `hands` are the mover's and the other side's.

        After each of the best `widths[0]` moves the search looks at the replies with the other widths.
        """
        mover, other = (np.array([hand >> piece & 1 for piece in range(len(PIECES))]) for hand in hands)
        rows = free[mover[self.piece[free]] == 1]
        piece = self.piece[rows]
        left = self.left(rows, free)
        logs = np.log1p(left)
        scores = logs @ mover - logs[np.arange(len(rows)), piece] - logs @ other
        scores[left @ other == 0] = WON if hands[1] or hands[0].bit_count() > 1 else 0.0
        if not widths or not len(rows):
            return rows, scores
        order = np.argsort(-scores, kind="stable")
        followed, rest = order[: widths[0]], order[widths[0] :]
        deeper = scores.copy()
        for at in followed:
            if control.stopped:
                return rows, scores
            control.nodes += 1
            if scores[at] < WON and hands[1]:
                after = free[self.apart[rows[at], free]]
                hand = hands[0] & ~(1 << int(piece[at]))
                _, replies = self.scores(after, (hands[1], hand), widths[1:], control)
                deeper[at] = -replies.max()
        deeper[rest] -= WON
        return rows, deeper


def estimates(
    position: Tetrominoes, moves: Sequence[Placement], widths: Sequence[int], control: Control
) -> Estimates[Placement]:
    """The scores of moves; `widths` are the moves that are followed, then the replies to each, and so on."""
    places = _Places(position)
    free = np.arange(len(places.piece))
    hands = position.hands[position.turn], position.hands[1 - position.turn]
    rows, found = places.scores(free, hands, widths, control)
    at = dict(zip(rows.tolist(), found.tolist(), strict=True))

    def because(move: Placement) -> str:
        masks, after = position.board.placements, position.play(move)
        yours, theirs = (
            sum(not masks[each] & after.occupied for each in after.placements(player))
            for player in (position.turn, 1 - position.turn)
        )
        return f"you keep {yours} places to play and the other side {theirs}"

    return Estimates({move: at[places.rows[move]] for move in moves}, because)

"""Evaluate moves on boards that are too large to solve. The evaluation proves nothing.

A move's value is the sum of 1 / (1 + places left) over the other side's pieces, minus the same sum over the
mover's own pieces.
"""

from collections.abc import Sequence

import numpy as np

from arcade.engines.estimates import Estimates
from arcade.engines.tetromino.board import PIECES, Placement
from arcade.engines.tetromino.rules import Tetrominoes

WON = 100.0


def estimates(position: Tetrominoes, moves: Sequence[Placement]) -> Estimates[Placement]:
    masks = position.board.placements
    free = list(dict.fromkeys((*position.placements(0), *position.placements(1))))
    cells = np.array([masks[move] for move in free], np.uint64)
    of_piece = np.eye(len(PIECES))[[PIECES.index(move.piece) for move in free]]
    own, other = (
        np.array([position.hands[player] >> piece & 1 for piece in range(len(PIECES))])
        for player in (position.turn, 1 - position.turn)
    )
    played = np.array([masks[move] for move in moves], np.uint64)
    piece = np.array([PIECES.index(move.piece) for move in moves])
    places = ((played[:, None] & cells[None, :]) == 0) @ of_piece
    missing = 1 / (1 + places)
    scores = missing @ other - missing @ own + missing[np.arange(len(moves)), piece]
    scores[places @ other == 0] = WON

    def because(move: Placement) -> str:
        yours, theirs = (
            sum(not masks[each] & masks[move] for each in position.placements(player) if each.piece != piece)
            for player, piece in ((position.turn, move.piece), (1 - position.turn, ""))
        )
        return f"you keep {yours} places to play and the other side {theirs}"

    # Round, because sums of symmetric moves may differ in the last digit.
    return Estimates(dict(zip(moves, scores.round(9).tolist(), strict=True)), because)

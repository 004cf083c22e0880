"""Estimate moves on boards too large to solve, by an alpha-beta search to a small depth, without proof."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from arcade.engines.control import Control
from arcade.engines.estimates import Estimates
from arcade.engines.hexapawn import reasons
from arcade.engines.hexapawn.rules import PawnMove, PawnPosition
from arcade.engines.wording import quantity

if TYPE_CHECKING:
    from arcade.engines.hexapawn.reasons import Step

OVER = 1_000_000
"""Score of a win at the full depth. An earlier win scores one point more for each ply saved."""
PAWN = 100


def estimates(
    position: PawnPosition, moves: Sequence[PawnMove], depth: int, rng: random.Random, control: Control
) -> Estimates[PawnMove]:
    with Control() as unhurried:
        ranks, reached = rank(position, moves, 1, unhurried), 1
    for deeper in range(2, depth + 1):
        found = rank(position, moves, deeper, control)
        if control.stopped:
            break
        ranks, reached = found, deeper
    scores = dict(zip(moves, map(float, ranks), strict=True))

    def because(move: PawnMove) -> str:
        later = f"{quantity(reached, 'move')} later"
        points = scores[move]
        if abs(points) >= OVER // 2:
            return f"you {'win' if points > 0 else 'lose'} within {quantity(reached, 'move')}"
        pawns = round(abs(points) / PAWN)
        if pawns:
            return f"{later} you are {quantity(pawns, 'pawn')} {'up' if points > 0 else 'down'}"
        if points:
            return f"{later} {'you have' if points > 0 else 'your opponent has'} the more advanced pawn"
        return f"{later} both sides are level"

    return Estimates(scores, because)


def rank(position: PawnPosition, moves: Sequence[PawnMove], depth: int, control: Control) -> list[int]:
    """Return a score for each move. If stopped, moves that were not fully searched score lowest.

    The first move is always searched.
    """
    searcher = _Searcher(position, control)
    ranks: list[int] = []
    for move in moves:
        points = -2 * OVER
        if not (ranks and control.stopped):
            after = position.moved(move)
            board = after.turned() if after.turn else after
            points = -searcher.search(board.white, board.black, depth - 1, -2 * OVER, 2 * OVER)
        ranks.append(-2 * OVER if ranks and control.stopped else points)
    return ranks


class _Searcher:
    """An alpha-beta search over bit sets. Positions are seen from the side to move, whose pawns move up."""

    def __init__(self, position: PawnPosition, control: Control) -> None:
        self.shape = reasons.shape_of(position.rows, position.columns)
        self.sign = -1 if position.misere else 1
        self.must_capture = position.capture
        self.control = control

    def search(self, own: int, opp: int, depth: int, low: int, high: int) -> int:
        if opp & self.shape.first_row:
            return -self.sign * (OVER + depth)
        if depth <= 0 or self.control.stopped:
            return self.evaluate(own, opp)
        best = None
        for step in self.moves(own, opp):
            after = self.shape.turned(*reasons.after(own, opp, step))
            points = -self.search(*after, depth - 1, -high, -low)
            best = points if best is None else max(best, points)
            low = max(low, best)
            if low >= high:
                break
        return -self.sign * (OVER + depth) if best is None else best

    def moves(self, own: int, opp: int) -> list[Step]:
        captures = list(reasons.moves(own, opp, self.shape, True))
        if captures and self.must_capture:
            return captures
        return [*captures, *reasons.moves(own, opp, self.shape, False)]

    def evaluate(self, own: int, opp: int) -> int:
        turned, _ = self.shape.turned(own, opp)
        return self.sign * (self.worth(own) - self.worth(turned))

    def worth(self, own: int) -> int:
        foremost = max(own.bit_length() - 1, 0) // self.shape.columns
        return PAWN * own.bit_count() + foremost * foremost

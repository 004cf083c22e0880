"""Write a certificate of a verdict with the help of the solver, which the checker then need not trust."""

from __future__ import annotations

import itertools
import random
from collections import deque
from typing import Any

from arcade.engines.control import NODES, Control
from arcade.engines.position import Position
from arcade.engines.solver import Solver
from arcade.engines.verdict import DuelVerdict, Value
from arcade.evidence.claims import Claim

SEARCHED_PLIES = {True: 4, False: 2}
"""The last plies, which are left to the checker's own search: four where there are few moves, else two."""
FEW_MOVES = 12

Waiting = tuple[Position[Any], int | None, int]
"""A position in which the claim's side moves, the plies the claim has left there, and the ply."""


def claims_of(verdict: DuelVerdict, turn: int) -> list[Claim]:
    """What a verdict says, one claim for each side; empty if nothing is known.

    Args:
        verdict: for the player to move.
        turn: that player, 0 or 1.
    """
    known = verdict.limits()
    winner = {Value.WIN: turn, Value.LOSS: 1 - turn}.get(verdict.value) if verdict.value else None
    if verdict.value is Value.TIE:
        return [Claim(side, Value.TIE, None) for side in (turn, 1 - turn)]
    # A game that is over is won, in no plies.
    claims = [] if winner is None else [Claim(winner, Value.WIN, known["at_most"] or None)]
    # While nobody is known to win, the plies that the game lasts at least hold for both.
    losers = (0, 1) if winner is None else (1 - winner,)
    least = known["at_least"] or 0
    # That a game which goes on is not lost before ply 1 says nothing.
    return claims + [Claim(side, Value.LOSS, least) for side in losers if least > 1]


class Writer:
    """Fills the book of a claim: one move of its side, all moves of the other side.

    Positions are taken breadth first. If there are too many for the time, random lines are followed to the
    end from those that wait, and what the lines pass by stays open.
    """

    def __init__(self, solver: Solver[Any, Any], claim: Claim, depth: int | None = None) -> None:
        self.solver, self.claim = solver, claim
        self.depth = depth
        self.lines = 0
        """Random lines that were followed to the end."""

    def fill(self, start: Position[Any], control: Control, seconds: float) -> None:
        """Write the book from a position.

        Args:
            start: the position of the claim.
            control: cancels the work.
            seconds: the time for it; a third of it is for random lines, if they are needed.
        """
        control.renew(2 * seconds / 3)
        waiting = deque(self._reached(start, self.claim.plies, 0))
        while waiting and not control.stopped:
            after = self._extend(*waiting[0], control)
            if after is None:
                break
            waiting.popleft()
            waiting += after
        control.renew(seconds / 3)
        rng = random.Random(0)
        passed = list(waiting)
        at = -1
        while passed and not control.stopped:
            if at < 0:
                at = rng.randrange(len(passed))
            after = self._extend(*passed[at], control)
            if after is None:
                break
            passed[at] = passed[-1]
            passed.pop()
            passed += after
            self.lines += not after
            at = len(passed) - 1 - rng.randrange(len(after)) if after else -1
        for position, plies, _ in passed:
            if not self._listed(position, plies):
                self.claim.book[position] = (None, plies)

    def _extend(
        self, position: Position[Any], plies: int | None, ply: int, control: Control
    ) -> list[Waiting] | None:
        """Give a position its move; returns what can follow, or None if the solver was stopped."""
        if self._listed(position, plies):
            return []
        control.cells[NODES] += 1
        move = self.solver.best_move(position, control)
        # Other ways here may be longer, so the certificate says what is true of the position itself.
        own = self.solver.verdict(position, control).remoteness if self.claim.value is Value.WIN else None
        if move is None or control.stopped:
            # The best move of a search that was stopped may be a bad one.
            return None
        plies = plies if own is None else own
        self.claim.book[position] = (move, plies)
        return self._reached(position.play(move), _less(plies), ply + 1)

    def _listed(self, position: Position[Any], plies: int | None) -> bool:
        if position not in self.claim.book:
            return False
        known = self.claim.book[position][1]
        return plies is None or known is None or self.claim.value is not Value.LOSS or known >= plies

    def _reached(self, position: Position[Any], plies: int | None, ply: int) -> list[Waiting]:
        """The position, or where the other side moves those after its moves, if they need an entry."""
        if position.outcome() is not None:
            return []
        moves = position.moves()
        if position.turn != self.claim.side:
            after = (self._reached(position.play(move), _less(plies), ply + 1) for move in moves)
            return list(itertools.chain.from_iterable(after))
        deep = self.depth is not None and ply >= self.depth
        near = plies is not None and plies <= SEARCHED_PLIES[len(moves) <= FEW_MOVES]
        return [] if deep or near or self._listed(position, plies) else [(position, plies, ply)]


def _less(plies: int | None) -> int | None:
    return None if plies is None else plies - 1

"""A solver of any small duel straight from the rules: the oracle of the fast ones, instant in tests."""

import time
from collections.abc import Iterator
from typing import Any

from arcade.engines.control import Control, Kernels
from arcade.engines.position import Position
from arcade.engines.solver import Analysis, Goal, Solver, solve_in_steps
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value, Verdict, mark_best

LIMIT = 100_000
"""Moves that a brute force tries; from then on it says that it does not know."""


class BruteForce(Solver[Any, Any]):
    """Plain recursion over `moves`, `play` and `outcome` with a memory of the positions seen."""

    def __init__(self, seen: dict[Position[Any], Verdict] | None = None) -> None:
        self._seen = {} if seen is None else seen
        self._tried = 0

    def solve(
        self, position: Position[Any], control: Control, goal: Goal = Goal.ALL
    ) -> Iterator[Analysis[Any, Any]]:
        return solve_in_steps(position, control, goal, self.judge, self.judge_moves)

    def judge(self, position: Position[Any], control: Control) -> Verdict:
        known = self._seen.get(position)
        if known is None:
            if control.stopped or self._tried > LIMIT:
                return DuelVerdict()
            known = self._find(position, control)
            if known.value is not None:
                self._seen[position] = known
        return known

    def _find(self, position: Position[Any], control: Control) -> Verdict:
        outcome = position.outcome()
        if outcome is not None:
            values = {None: Value.TIE, position.turn: Value.WIN, 1 - position.turn: Value.LOSS}
            return DuelVerdict(Proof.EXACT, values[outcome.winner], 0)
        plies: dict[Value, list[int]] = {Value.WIN: [], Value.TIE: [], Value.LOSS: []}
        for move in position.moves():
            self._tried += 1
            after = self.judge(position.play(move), control)
            if after.value is None or after.remoteness is None:
                return after
            plies[after.value.reversed].append(after.remoteness + 1)
        if plies[Value.WIN]:
            return DuelVerdict(Proof.EXACT, Value.WIN, min(plies[Value.WIN]))
        if plies[Value.TIE]:
            return DuelVerdict(Proof.EXACT, Value.TIE, min(plies[Value.TIE]))
        return DuelVerdict(Proof.EXACT, Value.LOSS, max(plies[Value.LOSS]))

    def judge_moves(self, position: Position[Any], control: Control) -> list[MoveVerdict[Any]]:
        return mark_best(
            (move, self.judge(position.play(move), control).before_move()) for move in position.moves()
        )

    def warm(self, kernels: Kernels | None = None) -> None:
        pass


class Slow(BruteForce):
    """Works until it is told to stop."""

    def judge(self, position: Position[Any], control: Control) -> Verdict:
        while not control.stopped:
            time.sleep(0.005)
        return DuelVerdict()

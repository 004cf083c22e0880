"""A solver of Honshu that answers at once and needs no kernel: what one quick pass over the hand finds."""

from collections.abc import Iterator
from functools import cache

from arcade.engines.control import Control, Kernels
from arcade.engines.honshu.rules import HonshuPosition, Move
from arcade.engines.solver import Analysis, Goal, Solver, solve_in_steps
from arcade.engines.verdict import MoveVerdict, Proof, ScoreVerdict

ROOM = 5
"""What its bound lies above the best that it found, while tiles are left."""
LOST = 9
"""How far below its best a placement's bound lies that covers a village."""


@cache
def best_line(position: HonshuPosition) -> tuple[Move, ...]:
    """The tiles in order, each where it scores most."""
    if position.outcome() is not None:
        return ()
    best = max(position.moves()[::9], key=lambda move: position.score_change(move).total)
    return (best, *best_line(position.play(best)))


@cache
def listed(
    position: HonshuPosition, reached: int, bound: int | None, lost: int
) -> tuple[MoveVerdict[Move], ...]:
    """Every placement: the first of the best line reaches so much, and the bound of the others is made up."""
    best, verdicts = best_line(position)[0], []
    for move in position.moves():
        loses = position.score_change(move).village < 0
        limit = reached - lost if loses and move != best else bound
        known = reached if move == best else None
        verdicts.append(MoveVerdict(move, ScoreVerdict(Proof.BOUND, best=known, bound=limit), move == best))
    return tuple(verdicts)


class InstantRace(Solver[HonshuPosition, Move]):
    """Lays the tiles in order, each where it scores most; its bounds are made up."""

    def solve(
        self, position: HonshuPosition, control: Control, goal: Goal = Goal.ALL
    ) -> Iterator[Analysis[HonshuPosition, Move]]:
        if goal is Goal.LINE:
            yield Analysis(position, line=tuple(self.find_line(position, control)))
        else:
            yield from solve_in_steps(position, control, goal, self.judge, self.judge_moves)

    def find_line(self, position: HonshuPosition, control: Control) -> list[Move]:
        return list(best_line(position))

    def judge(self, position: HonshuPosition, control: Control) -> ScoreVerdict:
        score = position.score.total
        if position.outcome() is not None:
            return ScoreVerdict(Proof.EXACT, best=score, bound=score, score=score)
        end = position
        for move in self.find_line(position, control):
            end = end.play(move)
        best = end.score.total
        return ScoreVerdict(Proof.BOUND, best=best, bound=best + ROOM, score=score)

    def judge_moves(self, position: HonshuPosition, control: Control) -> list[MoveVerdict[Move]]:
        if position.outcome() is not None:
            return []
        found = self.judge(position, control)
        assert found.best is not None
        return list(listed(position, found.best, found.bound, LOST))

    def warm(self, kernels: Kernels | None = None) -> None:
        pass

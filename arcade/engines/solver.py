"""The base class of all solvers."""

import random
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cache
from typing import Generic, TypeVar, final

from arcade.engines.control import Control, Kernels
from arcade.engines.estimates import Estimates, playouts
from arcade.engines.files import package_text
from arcade.engines.parsing import read_json
from arcade.engines.position import M, P
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value, Verdict, mark_best
from arcade.engines.wording import full_moves, quantity

V = TypeVar("V", bound=Verdict)

MATCHES_AT_0_PLIES = 4
"""Random matches of an estimate at depth 0. Each ply doubles the number."""


class Goal(Enum):
    """The result that the caller of `Solver.solve` needs. A solver can skip all other work."""

    VERDICT = auto()
    """The verdict; a partial verdict with the value may come first."""
    MOVE_VALUES = auto()
    """The value of every move."""
    MOVES = auto()
    """The verdict of every move; partial verdicts with values may come first."""
    LINE = auto()
    """Best play by both sides to the end."""
    ALL = auto()
    """The verdict, then those of the moves; a long search reports intermediate results."""


@dataclass(frozen=True, slots=True)
class Analysis(Generic[P, M]):
    """The results so far. Later analyses of one `solve` retract nothing."""

    position: P
    verdict: Verdict | None = None
    """None if not requested or not available yet."""
    moves: tuple[MoveVerdict[M], ...] | None = None
    """Every legal move in the order of `position.moves()`; None if not requested or not available yet."""
    line: tuple[M, ...] = ()
    """The known first moves of best play."""
    complete: bool = False
    """True if the move verdicts are final; False while only values are known."""


class Solver(ABC, Generic[P, M]):
    """Proves verdicts of positions of one game.

    When its control stops it, a solver returns what it has proved so far, as BOUND or UNKNOWN, never an
    exception and never a guess. Only `estimates` guesses.
    """

    compiled: bool = True
    """True if all methods need kernels; False if there are none, or if methods check `has_kernels`."""

    @abstractmethod
    def solve(self, position: P, control: Control, goal: Goal = Goal.ALL) -> Iterator[Analysis[P, M]]:
        """Yield better and better analyses until the goal is reached or the control stops the solver.

        The game may be over. If the goal includes a verdict or moves, `solve` yields at least once, even if
        stopped at once. The caller may abandon the iterator, so quick results come first.
        """

    def look_ahead(self, position: P, plies: int, control: Control) -> list[MoveVerdict[M]]:
        """Like `moves`, but only moves whose game ends within `plies`, counting the move, need a verdict.

        These get exact verdicts, unless stopped; others may be partial. Override this if a limited search is
        cheaper.
        """
        return self.moves(position, control)

    @final
    def verdict(self, position: P, control: Control) -> Verdict:
        """Return the verdict of a position, in which the game may be over."""
        verdict = self._last(position, control, Goal.VERDICT).verdict
        assert verdict is not None
        return verdict

    @final
    def value(self, position: P, control: Control) -> Verdict:
        """Like `verdict`, but perhaps only with the value, which may be known much sooner."""
        verdict: Verdict | None = None
        for analysis in self.solve(position, control, Goal.VERDICT):
            verdict = analysis.verdict
            if verdict is not None and verdict.known:
                break
        assert verdict is not None
        return verdict

    @final
    def moves(self, position: P, control: Control) -> list[MoveVerdict[M]]:
        """Return every legal move with its verdict, in the order of `position.moves()`."""
        return list(self._last(position, control, Goal.MOVES).moves or ())

    @final
    def move_values(self, position: P, control: Control) -> list[MoveVerdict[M]]:
        """Like `moves`, but perhaps only with the values, and perhaps without a best move marked."""
        return list(self._last(position, control, Goal.MOVE_VALUES).moves or ())

    def keeping_moves(self, position: P, value: Value, control: Control) -> Iterator[M]:
        """Yield the moves that keep the `value`, in the order of `position.moves()`; fewer if stopped.

        Override this if the first move can be found sooner, or without the values of all moves.
        """
        for judged in self.move_values(position, control):
            if judged.verdict.value is value:
                yield judged.move

    @final
    def line(self, position: P, control: Control) -> list[M]:
        """Return best play by both sides from here to the end; shorter if stopped early."""
        return list(self._last(position, control, Goal.LINE).line)

    @final
    def best_move(self, position: P, control: Control) -> M | None:
        """Return a best move, or the best so far if the control has stopped. None if none is known."""
        for analysis in self.solve(position, control, Goal.LINE):
            if analysis.line:
                return analysis.line[0]
        return next((judged.move for judged in self.moves(position, control) if judged.best), None)

    def _last(self, position: P, control: Control, goal: Goal) -> Analysis[P, M]:
        analyses = deque(self.solve(position, control, goal), maxlen=1)
        return analyses[0] if analyses else Analysis(position)

    def is_quick(self, position: P) -> bool:
        """Return True if all moves can be proved in a moment, as puzzle generation needs."""
        return True

    def can_solve(self, position: P, control: Control) -> bool:
        """Return True if all moves of a position can be proved within the time of a match.

        Otherwise players and hints also use `estimates`. The answer must not depend on earlier solves.
        """
        return True

    def estimates(
        self, position: P, moves: Sequence[M], plies: int, rng: random.Random, control: Control
    ) -> Estimates[M]:
        """Estimate how good some of the legal moves look. `plies` is the depth, as in `Players.lookahead`.

        An estimate proves nothing. If stopped, return the results so far. The default plays random matches,
        four times as many for every two plies more.
        """
        return playouts(position, moves, MATCHES_AT_0_PLIES << plies, rng, control)

    def check_book(self, position: P, control: Control) -> tuple[bool, str] | None:
        """Prove the stored results of the position's board again, until all are proved or the control stops.

        Returns whether all results checked so far are right, and a sentence; None if nothing is stored.
        """
        return None

    def with_known_bounds(self, position: P, verdict: V) -> V:
        """Merge a verdict with results that other searches have proved since."""
        return verdict

    def reason(self, position: P, move: M, verdict: Verdict) -> str:
        """Return a sentence on why a move has its verdict, for positions that no rule of thumb explains."""
        if verdict.remoteness is None:
            return {
                Value.WIN: "It wins. The number of moves is not proved yet.",
                Value.TIE: "It keeps the tie.",
                Value.LOSS: "Every move loses. The one that lasts longest is not proved yet.",
                None: "This is the best move found so far.",
            }[verdict.value]
        moves = full_moves(verdict.remoteness)
        if verdict.value is Value.WIN:
            wins = "at once" if verdict.remoteness == 1 else f"in {moves}"
            return f"It wins {wins} against every defence."
        if verdict.value is Value.TIE:
            return "It keeps the tie; no move here wins."
        return f"Every move loses. This one lasts longest ({moves})."

    def effort(self, position: P) -> str:
        """Return a sentence on the cost of solving a position; empty if no warning is needed."""
        return ""

    def progress(self, control: Control) -> str:
        """Describe briefly what a running search has found, read from its control."""
        return quantity(control.nodes, "position")

    def warm(self, kernels: Kernels | None = None) -> None:
        """Compile or load every kernel, in a `Control` with these `kernels`."""


def solve_in_steps(
    position: P,
    control: Control,
    goal: Goal,
    judge: Callable[[P, Control], Verdict],
    judge_moves: Callable[[P, Control], list[MoveVerdict[M]]] | None = None,
) -> Iterator[Analysis[P, M]]:
    """Implement `Solver.solve` for a solver that finds each answer in one step.

    `judge` returns the verdict of a position, `judge_moves` (default: `judge` for each) those of its moves.
    """

    def rated(at: P) -> list[MoveVerdict[M]]:
        if judge_moves is not None:
            return judge_moves(at, control)
        return mark_best((move, judge(at.play(move), control).before_move()) for move in at.moves())

    if goal is Goal.LINE:
        line: tuple[M, ...] = ()
        at = position
        while not control.stopped and (best := next((each for each in rated(at) if each.best), None)):
            line = (*line, best.move)
            at = at.play(best.move)
            yield Analysis(position, line=line)
        return
    verdict = None
    if goal in (Goal.VERDICT, Goal.ALL):
        verdict = judge(position, control)
        yield Analysis(position, verdict)
    if goal in (Goal.MOVE_VALUES, Goal.MOVES) or (goal is Goal.ALL and not control.stopped):
        yield Analysis(position, verdict, tuple(rated(position)), complete=True)


@dataclass(frozen=True)
class BoardFact:
    """A stored verdict of the first position on a board, as in `DuelVerdict`."""

    value: Value
    remoteness: int | None
    at_least: int | None
    at_most: int | None
    proof: Proof
    command: str
    """Shell command that proves the verdict again."""


@dataclass(frozen=True)
class Facts:
    """A game's stored facts by board, for example "6x7"."""

    boards: dict[str, BoardFact]
    replies: dict[str, dict[str, str]] = field(default_factory=dict)


@cache
def stored(game: str) -> Facts:
    return read_json(package_text(f"arcade.engines.{game}", "facts.json"), Facts)


def board_fact(game: str, board: str) -> DuelVerdict | None:
    """Return the stored verdict of the first position on a board, for example "6x7", or None."""
    fact = stored(game).boards.get(board)
    if fact is None:
        return None
    exact = fact.remoteness is not None
    return DuelVerdict(
        fact.proof,
        fact.value,
        fact.remoteness,
        None if exact else fact.at_least,
        None if exact else fact.at_most,
        source=f"stored result of {fact.command}",
    )

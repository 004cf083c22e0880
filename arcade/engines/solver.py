"""The base class of solvers."""

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
from arcade.engines.wording import quantity

V = TypeVar("V", bound=Verdict)

MATCHES_AT_0_PLIES = 4
"""Number of random matches for an estimate at depth 0. It doubles with each ply of depth."""


class Goal(Enum):
    """The result that a caller needs. A solver can skip all other results."""

    VERDICT = auto()
    MOVE_VALUES = auto()
    MOVES = auto()
    LINE = auto()
    ALL = auto()


@dataclass(frozen=True, slots=True)
class Analysis(Generic[P, M]):
    """The results so far of a call of `Solver.solve`. Later analyses of the same call only add results."""

    position: P
    verdict: Verdict | None = None
    """Verdict of the position, or None if not available."""
    moves: tuple[MoveVerdict[M], ...] | None = None
    """Moves with verdicts, in the order of `position.moves()`, or None if not available."""
    line: tuple[M, ...] = ()
    complete: bool = False
    """False while only the values of the moves are known, without their lengths."""


class Solver(ABC, Generic[P, M]):
    """A solver of one game's positions.

    If the control stops a method, the method raises no exception. It returns the results proved so far, with
    the proof BOUND or UNKNOWN. Verdicts are never guesses; only `estimates` are.
    """

    compiled: bool = True
    """True if the solver uses kernels. Callers then wait until the kernels are compiled."""
    quick_lengths: bool = True
    """False if lengths take much longer to prove than values. `Reasons` then does not compare lengths."""

    @abstractmethod
    def solve(self, position: P, control: Control, goal: Goal = Goal.ALL) -> Iterator[Analysis[P, M]]:
        """Yield better and better analyses until the goal is reached or the search is stopped.

        The position may be final. For the goals VERDICT, MOVE_VALUES and MOVES, at least one analysis
        is yielded. The caller may abandon the iterator.
        """

    def look_ahead(self, position: P, plies: int, control: Control) -> list[MoveVerdict[M]]:
        """Return every legal move.

        Each move after which the game ends within `plies`, counted from this turn, has a verdict. Other moves
        may have one.
        """
        return self.moves(position, control)

    @final
    def verdict(self, position: P, control: Control) -> Verdict:
        """Return the verdict for the player to move, as far as it can be proved in time."""
        verdict = self._last(position, control, Goal.VERDICT).verdict
        assert verdict is not None
        return verdict

    @final
    def value(self, position: P, control: Control) -> Verdict:
        """Return the verdict as soon as the value is known, perhaps without the remoteness."""
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
        """Return every legal move with its value. Lengths and marks of best moves may be missing."""
        return list(self._last(position, control, Goal.MOVE_VALUES).moves or ())

    def keeping_moves(self, position: P, value: Value, control: Control) -> Iterator[M]:
        """Yield the moves that keep the `value`, in the order of `position.moves()`.

        If stopped, some moves may be missing.
        """
        for judged in self.move_values(position, control):
            if judged.verdict.value is value:
                yield judged.move

    @final
    def line(self, position: P, control: Control) -> list[M]:
        """Return a line of best play to the end of the game. If stopped, the line is shorter."""
        return list(self._last(position, control, Goal.LINE).line)

    @final
    def best_move(self, position: P, control: Control) -> M | None:
        """Return a best move. If stopped, return the best move so far, or None if none is known."""
        for analysis in self.solve(position, control, Goal.LINE):
            if analysis.line:
                return analysis.line[0]
        return next((judged.move for judged in self.moves(position, control) if judged.best), None)

    def _last(self, position: P, control: Control, goal: Goal) -> Analysis[P, M]:
        analyses = deque(self.solve(position, control, goal), maxlen=1)
        return analyses[0] if analyses else Analysis(position)

    def is_quick(self, position: P) -> bool:
        """Return True if the verdicts of all moves can be proved quickly enough for puzzles."""
        return True

    def can_solve(self, position: P, control: Control) -> bool:
        """Return True if the verdicts of all moves can be proved in a match. If not, players use `estimates`.

        The answer must not depend on earlier calls of `solve`.
        """
        return True

    def estimates(
        self, position: P, moves: Sequence[M], plies: int, rng: random.Random, control: Control
    ) -> Estimates[M]:
        """Estimate the values of moves, without proof. The default uses random matches.

        `plies` is the depth, as in `Players.lookahead`. If stopped, return the results so far.
        """
        return playouts(position, moves, MATCHES_AT_0_PLIES << plies, rng, control)

    def check_book(self, position: P, control: Control) -> tuple[bool, str] | None:
        """Verify the stored results of the position's board until all are checked or the control stops.

        Return whether all results checked so far are correct, and a sentence about them. If the board has no
        stored results, return None.
        """
        return None

    def with_known_bounds(self, position: P, verdict: V) -> V:
        """Return the verdict with any better bounds that other searches have proved since."""
        return verdict

    def reason(self, position: P, move: M, verdict: Verdict) -> str:
        """Return a sentence about a move that no rule explains.

        The sentence omits lengths, because screens count moves but the shell counts plies.
        """
        if verdict.remoteness is None:
            return {
                Value.WIN: "It wins. The number of moves is not proved yet.",
                Value.TIE: "It keeps the tie.",
                Value.LOSS: "Every move loses. Which lasts longest is not proved yet.",
                None: "This is the best move found so far.",
            }[verdict.value]
        if verdict.value is Value.WIN:
            return "It wins at once." if verdict.remoteness == 1 else "It wins against every defence."
        if verdict.value is Value.TIE:
            return f"No move wins, and {move} keeps the tie."
        several = len(position.moves()) > 1
        return (
            f"Every move loses, and none holds out longer than {move}."
            if several
            else "It is the only move, and it loses."
        )

    def effort(self, position: P) -> str:
        """Return a sentence about the cost of solving, or "" if there is nothing to say."""
        return ""

    def progress(self, control: Control) -> str:
        """Return the progress of a running search in words."""
        return quantity(control.nodes, "position")

    def warm(self, kernels: Kernels | None = None) -> None:
        """Compile or load every kernel."""


def solve_in_steps(
    position: P,
    control: Control,
    goal: Goal,
    judge: Callable[[P, Control], Verdict],
    judge_moves: Callable[[P, Control], list[MoveVerdict[M]]] | None = None,
) -> Iterator[Analysis[P, M]]:
    """Implement `Solver.solve` with functions that return each result at once.

    `judge` returns the verdict of a position, and `judge_moves` those of its moves. By default, the verdicts
    of moves also come from `judge`.
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
    value: Value
    remoteness: int | None
    at_least: int | None
    at_most: int | None
    proof: Proof
    command: str
    """The command that repeats the proof."""


@dataclass(frozen=True)
class Facts:
    """Stored results of a game by board, for example "6x7"."""

    boards: dict[str, BoardFact]
    replies: dict[str, dict[str, str]] = field(default_factory=dict)


@cache
def stored(game: str) -> Facts:
    return read_json(package_text(f"arcade.engines.{game}", "facts.json"), Facts)


def board_fact(game: str, board: str) -> DuelVerdict | None:
    """Return the stored verdict of the first position of a board such as "6x7", or None if there is none."""
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

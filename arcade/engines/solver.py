"""The base class of all solvers."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cache
from typing import Generic, TypeVar

from arcade.engines.control import Control
from arcade.engines.files import package_text
from arcade.engines.position import M, P
from arcade.engines.reader import read_json
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value, Verdict, mark_best
from arcade.engines.wording import amount

V = TypeVar("V", bound=Verdict)


class Solver(ABC, Generic[P, M]):
    """Gives proved verdicts of positions of one game.

    When its control stops it, a solver returns what it has proved so far: verdicts with proof BOUND or
    UNKNOWN, never an exception and never a guess.
    """

    resumes: bool = False
    """Whether asking again resumes a stopped search."""
    compiled: bool = True
    """Whether all that it does must wait until its kernels are compiled; False for a solver without any, and
    for one that asks `Control.has_kernels` where it needs them."""

    @abstractmethod
    def verdict(self, position: P, control: Control) -> Verdict:
        """The verdict of a position; the game may be over there."""

    def analyse(self, position: P, control: Control) -> list[MoveVerdict[M]]:
        """Every legal move with its verdict, in the order of `position.moves()`."""
        return mark_best((move, self.after(position, move, control)) for move in position.moves())

    def seen(self, position: P, plies: int, control: Control) -> list[MoveVerdict[M]]:
        """Like `analyse`, but only moves whose game ends within `plies`, the move counted, need a verdict.

        These have their exact one, unless stopped; what is said of others is true too. A solver that can look
        so far more cheaply than `analyse` does so.
        """
        return self.analyse(position, control)

    def value(self, position: P, control: Control) -> Verdict | None:
        """Like `verdict` but finds only the value; None if `verdict` is just as fast.

        A solver with this also has `values`, unless it resumes.
        """
        return None

    def values(self, position: P, control: Control) -> list[MoveVerdict[M]] | None:
        """Like `analyse` but finds only the values; None if `analyse` is just as fast."""
        return None

    def after(self, position: P, move: M, control: Control) -> Verdict:
        return self.verdict(position.play(move), control).before_move()

    def best_move(self, position: P, control: Control) -> M | None:
        """One best move, or the best so far if the control has stopped; None if none is known."""
        return next((judged.move for judged in self.analyse(position, control) if judged.best), None)

    def line(self, position: P, control: Control) -> list[M]:
        """Best play by both sides from here to the end; shorter if stopped early."""
        line: list[M] = []
        while not control.stopped:
            best = self.best_move(position, control)
            if best is None:
                break
            line.append(best)
            position = position.play(best)
        return line

    def check_book(self, position: P, control: Control) -> tuple[bool, str] | None:
        """Prove again what is stored of positions on this one's board, until all is proved or it is stopped.

        Returns whether it holds as far as that, and a sentence; None where nothing is stored.
        """
        return None

    def sharpened(self, position: P, verdict: V) -> V:
        """A verdict together with what was proved elsewhere meanwhile, if anything."""
        return verdict

    def reason(self, position: P, move: M, verdict: Verdict) -> str:
        """A sentence on why a move has its verdict, where no rule of play explains it."""
        if verdict.value is None or verdict.remoteness is None:
            return "This is the best move found so far."
        moves = f"{amount(verdict.remoteness, 'move')}, both sides counted"
        if verdict.value is Value.WIN:
            wins = "at once" if verdict.remoteness == 1 else f"in {moves}"
            return f"It wins {wins}. The other side cannot stop it."
        if verdict.value is Value.TIE:
            return "It keeps the tie; no move here wins."
        return f"Every move loses; this one holds out longest: {moves}."

    def effort(self, position: P) -> str:
        """A sentence on the cost of solving a position, if a person should know it beforehand."""
        return ""

    def progress(self, control: Control) -> str:
        """What running work has found so far, in a few words, read from its control's counters."""
        return amount(control.nodes, "position")

    def warm(self) -> None:
        """Compile or load every kernel of this solver."""


@dataclass(frozen=True)
class BoardFact:
    value: Value
    remoteness: int | None
    at_least: int | None
    at_most: int | None
    proof: Proof
    command: str


@dataclass(frozen=True)
class Facts:
    """The file of a game's facts, by board, e.g. "6x7"."""

    boards: dict[str, BoardFact]
    replies: dict[str, dict[str, str]] = field(default_factory=dict)


@cache
def stored(game: str) -> Facts:
    return read_json(package_text(f"arcade.engines.{game}", "facts.json"), Facts)


def board_fact(game: str, board: str) -> DuelVerdict | None:
    """The verdict of the first position on a board, e.g. "6x7", if it was proved before."""
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
        source=f"proved before; again by: {fact.command}",
    )

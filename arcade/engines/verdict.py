"""Verdicts of positions and moves, and hints: the answers of every solver."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Generic, Self, TypeVar

from arcade.engines.wording import capitalize, plies, quantity

M = TypeVar("M", bound=Hashable)

Squares = tuple[tuple[int, int], ...]
"""Squares of a board: row and column, from 0 at the top left of the board as it is drawn."""


class Value(StrEnum):
    """The value of a position for the player to move under best play by both sides."""

    WIN = "win"
    LOSS = "loss"
    TIE = "tie"

    @property
    def reversed(self) -> Value:
        return _REVERSED[self]


_REVERSED = {Value.WIN: Value.LOSS, Value.LOSS: Value.WIN, Value.TIE: Value.TIE}


class Proof(StrEnum):
    EXACT = "exact"
    BOUND = "bound"
    """Partly proved: only the value, or limits of the remoteness or score."""
    ESTIMATE = "estimate"
    """What a search thinks best; it proves nothing. Hints have it, verdicts of solvers never do."""
    UNKNOWN = "unknown"


_PROOF_WORDS = {
    Proof.EXACT: "proved",
    Proof.BOUND: "proved limits",
    Proof.ESTIMATE: "not proved",
    Proof.UNKNOWN: "not proved",
}


@dataclass(frozen=True, slots=True)
class Verdict(ABC):
    """What is known of a position for the player to move, in a duel or a race."""

    proof: Proof = Proof.UNKNOWN
    nodes: int = field(default=0, kw_only=True)
    """Positions visited; 0 if the answer was already known."""
    seconds: float = field(default=0.0, kw_only=True)
    reason: str = field(default="", kw_only=True)
    """A short clause that explains the verdict; empty if only a search supports it."""
    source: str = field(default="", kw_only=True)
    """Where the answer comes from, e.g. "all bars up to 10x10 are solved"."""
    sides: tuple[str, str] = field(default=("The player to move", "the other player"), kw_only=True)
    """The names `str` uses for the player to move and the other player."""

    @property
    @abstractmethod
    def known(self) -> bool:
        """Whether this can be compared with other verdicts: it has a value or a reachable score."""

    @property
    def value(self) -> Value | None:
        """The value in a duel; None while unknown, and always for a score."""
        return None

    @property
    def remoteness(self) -> int | None:
        """Plies to the end in a duel; None while not known exactly, and always for a score."""
        return None

    @property
    @abstractmethod
    def preference(self) -> tuple[int, int]:
        """Sort key for the player to move; larger is better."""

    def before_move(self) -> Self:
        return self

    @abstractmethod
    def sentence(self, mover: str, other: str, length: Callable[[int], str] = plies) -> str:
        """Return the verdict without a full stop. `length` turns plies into words after a number."""

    @property
    def proof_words(self) -> str:
        """How much is proved, in a word or two."""
        return _PROOF_WORDS[self.proof]

    def provenance(self) -> str:
        """The proof, reason and source in words, without a full stop."""
        work = ""
        if self.nodes:
            took = f"in {self.seconds:.2f} s" if self.seconds >= 0.005 else "at once"
            work = f"{quantity(self.nodes, 'position')} {took}"
        return "; ".join(filter(None, [_PROOF_WORDS[self.proof], self.reason, self.source, work]))

    @abstractmethod
    def limits(self) -> dict[str, Any]:
        """The proved facts as JSON: the keys of `json` that depend on the kind of game."""

    def json(self) -> dict[str, Any]:
        """The keys of `arcade verdict --json`, without the game's extra keys; `nodes` is an old name."""
        return {
            **self.limits(),
            "proof": self.proof.value,
            "reason": self.reason,
            "source": self.source,
            "positions": self.nodes,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
        }

    def __str__(self) -> str:
        return f"{capitalize(self.sentence(*self.sides))} ({_PROOF_WORDS[self.proof]})."


@dataclass(frozen=True, slots=True)
class DuelVerdict(Verdict):
    value: Value | None = None
    remoteness: int | None = None
    """Plies to the end when the winner hurries and the loser delays; None if not known exactly."""
    at_least: int | None = None
    """A proven lower limit of the remoteness, in plies."""
    at_most: int | None = None
    """A proven upper limit of the remoteness, in plies."""

    @property
    def known(self) -> bool:
        return self.value is not None

    @property
    def preference(self) -> tuple[int, int]:
        if self.value is Value.WIN:
            return (4, -_first(self.remoteness, self.at_most, 9999))
        if self.value is Value.TIE:
            return (3, -_first(self.remoteness, self.at_most, 0))
        if self.value is Value.LOSS:
            return (1, _first(self.remoteness, self.at_least, 0))
        return (2, 0)

    def before_move(self) -> Self:
        return replace(
            self,
            value=None if self.value is None else self.value.reversed,
            remoteness=None if self.remoteness is None else self.remoteness + 1,
            at_least=None if self.at_least is None else self.at_least + 1,
            at_most=None if self.at_most is None else self.at_most + 1,
        )

    def sentence(self, mover: str, other: str, length: Callable[[int], str] = plies) -> str:
        if self.value is None:
            if self.at_least:
                return f"With best play the game lasts at least {length(self.at_least)}"
            return "Not known yet"
        if self.value is Value.TIE:
            return "A tie" if self.remoteness == 0 else f"A tie{self._until(length)}"
        winner = mover if self.value is Value.WIN else other
        if self.remoteness == 0:
            return f"{winner} won"
        return f"{winner} {'win' if winner == 'You' else 'wins'}{self._until(length)}"

    def _until(self, length: Callable[[int], str]) -> str:
        if self.remoteness is not None:
            return f" in {length(self.remoteness)}"
        low, high = self.at_least or 0, self.at_most
        least = length(low)
        if high is None:
            return f" in at least {least}" if low > 1 else ""
        if low <= 1:
            return f" within {length(high)}"
        if least == length(high):
            return f" in {least}"
        return f" in {least.partition(' ')[0]} to {length(high)}"

    def limits(self) -> dict[str, Any]:
        return {
            "value": None if self.value is None else self.value.value,
            "remoteness": self.remoteness,
            "at_least": self.at_least if self.remoteness is None else self.remoteness,
            "at_most": self.at_most if self.remoteness is None else self.remoteness,
        }


@dataclass(frozen=True, slots=True)
class ScoreVerdict(Verdict):
    best: int | None = None
    """The highest final score found; `Solver.line` gives the moves that reach it."""
    bound: int | None = None
    """A proved upper limit of the final score."""
    score: int | None = None

    @property
    def known(self) -> bool:
        return self.best is not None

    @property
    def preference(self) -> tuple[int, int]:
        return (0, self.bound or 0) if self.best is None else (1, self.best)

    def sentence(self, mover: str, other: str, length: Callable[[int], str] = plies) -> str:
        now = "" if self.score is None else f"{self.score} now"
        if self.best is None:
            most = "" if self.bound is None else f"best possible at most {self.bound}"
            return capitalize(", ".join(filter(None, [now, most]))) or "Not known yet"
        if self.proof is Proof.EXACT:
            best = f"best possible {self.best}"
        elif self.bound is None:
            best = f"best found {self.best}"
        else:
            best = f"best found {self.best}, bound {self.bound}"
        return capitalize(", ".join(filter(None, [now, best])))

    def limits(self) -> dict[str, Any]:
        return {"best": self.best, "bound": self.bound, "score": self.score}


def _first(*candidates: int | None) -> int:
    return next(number for number in candidates if number is not None)


@dataclass(frozen=True, slots=True)
class MoveVerdict(Generic[M]):
    """A legal move with the verdict of the position after it, for the mover and counting the move."""

    move: M
    verdict: Verdict
    best: bool = False
    """Whether no other move is better, counting remoteness."""

    def __str__(self) -> str:
        return f"{self.move}: {self.verdict}"


def mark_best(moves: Iterable[tuple[M, Verdict]]) -> list[MoveVerdict[M]]:
    """Mark the best moves; while an unproved one could beat every proved one, only a proved win."""
    listed = list(moves)
    top = max((verdict.preference for _, verdict in listed), default=(0, 0))
    sure = all(verdict.known for _, verdict in listed) or any(
        verdict.value is Value.WIN for _, verdict in listed
    )
    return [MoveVerdict(move, verdict, sure and verdict.preference == top) for move, verdict in listed]


def best_guess_moves(moves: Iterable[MoveVerdict[M]]) -> list[MoveVerdict[M]]:
    """The best moves; where none is surely the best, a lost one is still worse than one that nobody knows."""
    listed = list(moves)
    top = max(move.verdict.preference for move in listed)
    return [move for move in listed if move.best or move.verdict.preference == top]


def value_keeping_moves(moves: Iterable[MoveVerdict[M]]) -> list[M]:
    """All winning moves, else all ties, else all that are not known, else all; for a score the best."""
    listed = list(moves)
    for value in (Value.WIN, Value.TIE):
        kept = [move.move for move in listed if move.verdict.value is value]
        if kept:
            return kept
    if any(move.verdict.known and move.verdict.value is None for move in listed):
        return [move.move for move in listed if move.best]
    return [move.move for move in listed if not move.verdict.known] or [move.move for move in listed]


def only_move(moves: Iterable[MoveVerdict[M]]) -> M | None:
    """The only move that keeps the value of the position, if there are other moves and all are known."""
    listed = list(moves)
    if not all(move.verdict.known for move in listed):
        return None
    keeping = value_keeping_moves(listed)
    return keeping[0] if len(keeping) == 1 < len(listed) else None


@dataclass(frozen=True, slots=True)
class HintRegion:
    says: str
    """A sentence on where to look, without the move."""
    squares: Squares = ()
    """The squares that it speaks of; empty for none in particular."""


@dataclass(frozen=True, slots=True)
class Hint(Generic[M]):
    region: HintRegion
    """Step one."""
    move: M
    why: str
    """Step three: a sentence on why."""
    line: tuple[M, ...]
    """The moves from here towards the end that prove it, as far as they are known, `move` first."""
    verdict: Verdict
    """What is proved of the move; with the proof ESTIMATE it is only what a search thinks best."""
    reason: int = 0
    """After how many moves of the line a rule of play applies; 0 for none."""
    there: str = ""
    """What the rule says there."""
    squares: Squares = ()
    """The squares that this rule speaks of there."""
    motto: str = ""
    """The rule's name and headline."""

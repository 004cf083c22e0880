"""Verdicts of positions and moves, and hints."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Generic, Self, TypeVar

from arcade.engines.wording import capitalize, plies, quantity

M = TypeVar("M", bound=Hashable)

Squares = tuple[tuple[int, int], ...]
"""Squares as (row, column), counted from 0 at the top left of the drawn board."""


class Value(StrEnum):
    """The value for the player to move, under best play."""

    WIN = "win"
    LOSS = "loss"
    TIE = "tie"

    @property
    def reversed(self) -> Value:
        """The value for the other side."""
        return _REVERSED[self]


_REVERSED = {Value.WIN: Value.LOSS, Value.LOSS: Value.WIN, Value.TIE: Value.TIE}


class Proof(StrEnum):
    """The extent to which a verdict is proved."""

    EXACT = "exact"
    """In a duel, the value and the remoteness are proved; in a race, the score."""
    BOUND = "bound"
    """Only the value, or only bounds, are proved."""
    ESTIMATE = "estimate"
    """The verdict is unproved. This occurs only in hints."""
    UNKNOWN = "unknown"


_PROOF_WORDS = {
    Proof.EXACT: "proved",
    Proof.BOUND: "proved bounds",
    Proof.ESTIMATE: "not proved",
    Proof.UNKNOWN: "not proved",
}


@dataclass(frozen=True, slots=True)
class Verdict(ABC):
    """The proven facts about a position, for the player to move."""

    proof: Proof = Proof.UNKNOWN
    nodes: int = field(default=0, kw_only=True)
    """Number of positions visited, or 0 if the verdict was already known."""
    seconds: float = field(default=0.0, kw_only=True)
    reason: str = field(default="", kw_only=True)
    """Reason for the verdict as a short clause. It is empty if only a search proved the verdict."""
    source: str = field(default="", kw_only=True)
    """The stored result that was used, for example "all bars up to 10x10 are solved"."""
    sides: tuple[str, str] = field(default=("The player to move", "the other player"), kw_only=True)
    """Names of the player to move and of the other player, for `str`."""

    @property
    @abstractmethod
    def known(self) -> bool:
        """True if a value or a reachable score is known."""

    @property
    def value(self) -> Value | None:
        """The value in a duel, or None if unknown."""
        return None

    @property
    def remoteness(self) -> int | None:
        """Plies to the end of a duel if the winner hurries and the loser delays, or None if not proved."""
        return None

    @property
    @abstractmethod
    def preference(self) -> tuple[int, int]:
        """A sort key. A larger key is better for the player to move."""

    def before_move(self) -> Self:
        """Convert the verdict after a move into the move's verdict for the player who makes it."""
        return self

    @abstractmethod
    def sentence(self, mover: str, other: str, length: Callable[[int], str] = plies) -> str:
        """Return the verdict as a sentence without a full stop.

        `length` turns plies into words. The words must start with a number.
        """

    @property
    def proof_words(self) -> str:
        return _PROOF_WORDS[self.proof]

    def provenance(self) -> str:
        work = ""
        if self.nodes:
            took = f"in {self.seconds:.2f} s" if self.seconds >= 0.005 else "at once"
            work = f"{quantity(self.nodes, 'position')} {took}"
        return "; ".join(filter(None, [_PROOF_WORDS[self.proof], self.reason, self.source, work]))

    @abstractmethod
    def limits(self) -> dict[str, Any]:
        """Return the part of `json` that differs between duels and races."""

    def json(self) -> dict[str, Any]:
        """Return the data for `arcade verdict --json`. `nodes` repeats `positions` under an older name."""
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
    """The verdict of a duel. Lengths are in plies."""

    value: Value | None = None
    """Value for the player to move, or None if not proved."""
    remoteness: int | None = None
    """Plies to the end, or None if not proved."""
    at_least: int | None = None
    """Proven minimum length in plies."""
    at_most: int | None = None
    """Proven maximum length in plies."""

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
    """The verdict of a race, in points."""

    best: int | None = None
    """Highest score found. The moves of `Solver.line` reach it."""
    bound: int | None = None
    """Proven upper bound of the score."""
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
            most = "" if self.bound is None else f"upper bound {self.bound}"
            return capitalize(", ".join(filter(None, [now, most]))) or "Not known yet"
        if self.proof is Proof.EXACT:
            best = f"best possible {self.best}"
        elif self.bound is None:
            best = f"best found {self.best}"
        else:
            best = f"best found {self.best}, upper bound {self.bound}"
        return capitalize(", ".join(filter(None, [now, best])))

    def limits(self) -> dict[str, Any]:
        return {"best": self.best, "bound": self.bound, "score": self.score}


def _first(*candidates: int | None) -> int:
    return next(number for number in candidates if number is not None)


@dataclass(frozen=True, slots=True)
class MoveVerdict(Generic[M]):
    """A move and its verdict, for the player who makes the move. Lengths include the move."""

    move: M
    verdict: Verdict
    best: bool = False
    """True if no other move is better, in value or in remoteness."""

    def __str__(self) -> str:
        return f"{self.move}: {self.verdict}"


def mark_best(moves: Iterable[tuple[M, Verdict]]) -> list[MoveVerdict[M]]:
    """Mark the best moves. If some moves are unproved, mark only proven wins."""
    listed = list(moves)
    top = max((verdict.preference for _, verdict in listed), default=(0, 0))
    sure = all(verdict.known for _, verdict in listed) or any(
        verdict.value is Value.WIN for _, verdict in listed
    )
    return [MoveVerdict(move, verdict, sure and verdict.preference == top) for move, verdict in listed]


def best_guess_moves(moves: Iterable[MoveVerdict[M]]) -> list[MoveVerdict[M]]:
    """Return the moves that look best. Moves that are not proved rank above moves proved to lose."""
    listed = list(moves)
    top = max(move.verdict.preference for move in listed)
    return [move for move in listed if move.best or move.verdict.preference == top]


def value_keeping_moves(moves: Iterable[MoveVerdict[M]]) -> list[M]:
    """Return the moves that keep the value.

    In a race, these are the best moves. In a duel, they are the first of these groups that is not empty: the
    wins, the ties, the moves without a verdict, or all moves.
    """
    listed = list(moves)
    for value in (Value.WIN, Value.TIE):
        kept = [move.move for move in listed if move.verdict.value is value]
        if kept:
            return kept
    if any(move.verdict.known and move.verdict.value is None for move in listed):
        return [move.move for move in listed if move.best]
    return [move.move for move in listed if not move.verdict.known] or [move.move for move in listed]


def only_move(moves: Iterable[MoveVerdict[M]]) -> M | None:
    """Return the only move that keeps the value.

    Return None if several moves keep the value, if there is only one legal move, or if some verdicts are
    unknown.
    """
    listed = list(moves)
    if not all(move.verdict.known for move in listed):
        return None
    keeping = value_keeping_moves(listed)
    return keeping[0] if len(keeping) == 1 < len(listed) else None


@dataclass(frozen=True, slots=True)
class HintRegion:
    """A part of the board that a hint points to."""

    says: str
    squares: Squares = ()


@dataclass(frozen=True, slots=True)
class Hint(Generic[M]):
    region: HintRegion
    move: M
    note: str
    """A sentence about the move's value, or ""."""
    why: str
    """The reason, which does not name the move. In a lost position, it holds for every move."""
    line: tuple[M, ...]
    """The line that illustrates the hint, starting with `move`."""
    verdict: Verdict
    """The proven verdict. If its proof is ESTIMATE, it is only a search's estimate."""
    reason: int = 0
    """Number of the line's moves before the rule applies, which can be 0."""
    there: str = ""
    """The rule's sentence about the position where it applies, or ""."""
    squares: Squares = ()
    """Squares that the rule's text names."""
    motto: str = ""
    rule_title: str = "Rule"
    """The label before the motto. In a lost position, the rule is advice to the opponent."""
    later_rule: str | None = None
    """The text of `rule_line` if the rule applies later, or None if it applies at once."""
    follows_reason: bool = False
    """True if the line plays the moves that the reason names. They need not be the best moves."""

    @property
    def rule(self) -> str:
        """The rule as advice for the position where it applies, or "" if there is no rule."""
        return f"{self.rule_title}: {self.motto}" if self.motto else ""

    @property
    def rule_line(self) -> str:
        """The rule as shown below the reason."""
        return self.rule if self.later_rule is None else self.later_rule

    @property
    def line_title(self) -> str:
        best, plies = self.verdict.remoteness, len(self.line)
        if not self.follows_reason or best == plies:
            return "Best line"
        if best is None or self.verdict.value is Value.TIE:
            return "Example line"
        return f"Example line, not the {'shortest' if plies > best else 'longest'}"

    def __str__(self) -> str:
        return f"{self.region.says} {self.advice()} {self.why}"

    def advice(self, move: str = "") -> str:
        """Recommend the move and add the note. `move` is the move in words; the default is its notation."""
        return f"Play {move or self.move}. {self.note}".rstrip()

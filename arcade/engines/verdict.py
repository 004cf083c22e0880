"""What every solver says: verdicts of positions and moves, and hints."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic, TypeVar

M = TypeVar("M", bound=Hashable)


class Value(StrEnum):
    """The value of a position for the player to move, both sides playing as well as can be."""

    WIN = "win"
    LOSS = "loss"
    TIE = "tie"

    @property
    def reversed(self) -> Value:
        """The same value as the other player sees it."""
        return _REVERSED[self]


_REVERSED = {Value.WIN: Value.LOSS, Value.LOSS: Value.WIN, Value.TIE: Value.TIE}


class Proof(StrEnum):
    """How far a verdict is proved."""

    EXACT = "exact"
    """Proved, remoteness and all."""
    BOUND = "bound"
    """What is said is proved, but it leaves room: only the value, or limits of the remoteness or score."""
    ESTIMATE = "estimate"
    """A heuristic's guess, labelled as one."""
    UNKNOWN = "unknown"
    """Nothing is known yet."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a position, for the player to move.

    A duel fills `value` and `remoteness`, or the limits of the remoteness; a game for the highest score
    fills `best`, `bound` and `score`.
    """

    proof: Proof = Proof.UNKNOWN
    value: Value | None = None
    remoteness: int | None = None
    """Plies to the end when the winner hurries and the loser delays; None when not known exactly."""
    at_least: int | None = None
    """A proven lower limit of the remoteness, in plies: whoever loses holds out at least so long."""
    at_most: int | None = None
    """A proven upper limit of the remoteness, in plies."""
    best: int | None = None
    """Highest final score found; `line` shows the moves that reach it."""
    bound: int | None = None
    """No play from here scores more than this."""
    score: int | None = None
    """The score on the board now."""
    nodes: int = 0
    """Positions visited to find this out; 0 when it was known already."""
    seconds: float = 0.0
    reason: str = ""
    """Why it is so, where there is more to say than that a search says so: a short clause."""
    source: str = ""
    """Where the answer comes from, e.g. "table of all bars up to 10x10"."""

    @property
    def preference(self) -> tuple[int, int]:
        """Sort key, larger is better for the mover, who hurries when winning and delays when losing."""
        if self.best is not None:
            return (0, self.best)
        if self.value is Value.WIN:
            return (4, -_first(self.remoteness, self.at_most, 9999))
        if self.value is Value.TIE:
            return (3, -_first(self.remoteness, self.at_most, 0))
        if self.value is Value.LOSS:
            return (1, _first(self.remoteness, self.at_least, 0))
        return (2, 0)

    def before_move(self) -> Verdict:
        """In a duel: this verdict as the player who has just moved sees it, the move counted."""
        return replace(
            self,
            value=None if self.value is None else self.value.reversed,
            remoteness=None if self.remoteness is None else self.remoteness + 1,
            at_least=None if self.at_least is None else self.at_least + 1,
            at_most=None if self.at_most is None else self.at_most + 1,
        )

    def json(self) -> dict[str, Any]:
        """The keys of `arcade verdict --json`, without the game's name."""
        return {
            "value": None if self.value is None else self.value.value,
            "remoteness": self.remoteness,
            "proof": self.proof.value,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
        }


def _first(*candidates: int | None) -> int:
    return next(number for number in candidates if number is not None)


@dataclass(frozen=True, slots=True)
class MoveVerdict(Generic[M]):
    """A legal move with the verdict of the position after it as the mover sees it, the move counted."""

    move: M
    verdict: Verdict
    best: bool = False
    """Whether no other move is better, remoteness considered."""


def mark_best(moves: Iterable[tuple[M, Verdict]]) -> list[MoveVerdict[M]]:
    """Move verdicts in the order given, those that no other move beats marked best.

    While a move is unproved that could still turn out better than every proved one, nothing but a proved
    win is marked: `best` is never a guess.
    """
    listed = list(moves)
    top = max((verdict.preference for _, verdict in listed), default=(0, 0))
    unproved = any(verdict.value is None and verdict.best is None for _, verdict in listed)
    sure = not unproved or any(verdict.value is Value.WIN for _, verdict in listed)
    return [MoveVerdict(move, verdict, sure and verdict.preference == top) for move, verdict in listed]


def keeps_value(moves: Iterable[MoveVerdict[M]]) -> list[M]:
    """The moves after which the mover still has the value of the position.

    All winning moves; without one all that tie; without these all. Moves of unknown value are left
    out unless nothing is known at all.
    """
    listed = list(moves)
    for value in (Value.WIN, Value.TIE):
        kept = [each.move for each in listed if each.verdict.value is value]
        if kept:
            return kept
    if any(each.verdict.best is not None for each in listed):
        return [each.move for each in listed if each.best]
    unproved = [each.move for each in listed if each.verdict.value is None]
    return unproved or [each.move for each in listed]


def only_move(moves: Iterable[MoveVerdict[M]]) -> M | None:
    """The one move that keeps the value of the position, when there are others and all values are known."""
    listed = list(moves)
    if any(each.verdict.value is None and each.verdict.best is None for each in listed):
        return None
    keeping = keeps_value(listed)
    return keeping[0] if len(keeping) == 1 < len(listed) else None


@dataclass(frozen=True, slots=True)
class Hint(Generic[M]):
    """A ladder of three steps, each giving away more."""

    where: str
    """Step one, where to look: a sentence without the move."""
    move: M
    """Step two: the move."""
    why: str
    """Step three, why: a sentence, and the line that proves it."""
    line: tuple[M, ...]
    """The moves from here to the end, `move` first; playable on the board."""
    verdict: Verdict
    """The verdict of the move."""

"""Positions, outcomes and symmetries."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar

from arcade.engines.field_texts import write_fields
from arcade.engines.verdict import DuelVerdict, Proof, Value
from arcade.engines.wording import join_words

M = TypeVar("M", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Outcome:
    winner: int | None
    """The winning player, 0 or 1. It is None for a tie and in a race."""
    reason: str
    """Reason for the outcome, for example "Black has no legal move"."""
    score: int | None = None
    """Final score of a race."""
    addressed: tuple[int, str] | None = field(default=None, compare=False)
    """A side and the reason in words addressed to it, for example (0, "you have no legal move")."""


class Position(ABC, Generic[M]):
    """A position of a game. Subclasses are frozen dataclasses, so positions are immutable and hashable."""

    turn: int
    """The player to move, 0 or 1. It is always 0 in a race."""

    @abstractmethod
    def moves(self) -> Sequence[M]:
        """Return the legal moves in a fixed order. If the game is over, there are none."""

    @abstractmethod
    def play(self, move: M) -> Self:
        """Return the position after a move. Raises ValueError with a sentence if the move is illegal."""

    def after(self, moves: Iterable[M]) -> Self:
        """Return the position after several moves. Raises ValueError if a move is illegal."""
        position = self
        for move in moves:
            position = position.play(move)
        return position

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return the outcome, or None if the game is not over."""

    def text(self) -> str:
        """Return the position as one line without spaces, which `Game.parse_position` can read.

        The default supports numbers, texts, None, enumerations, and tuples and frozensets of these.
        """
        return write_fields(self)

    def __str__(self) -> str:
        return self.text()

    def describe(self) -> list[str]:
        """Describe the board in short sentences. Text mode repeats only the sentences that have changed.

        The default returns the lines of `str`.
        """
        return str(self).splitlines()

    def describe_hands(self) -> list[str]:
        """Describe the players' hands, if `str` omits them."""
        return []

    def describe_moves(self) -> list[str]:
        """Describe the legal moves, one idea per line. The default returns their notations."""
        words = [str(move) for move in self.moves()]
        return [f"You can play {join_words(words, 'or')}."] if words else []

    def ending(self) -> DuelVerdict | None:
        """Return the exact verdict if the duel is over, otherwise None."""
        outcome = self.outcome()
        if outcome is None:
            return None
        if outcome.winner is None:
            value = Value.TIE
        else:
            value = Value.WIN if outcome.winner == self.turn else Value.LOSS
        return DuelVerdict(Proof.EXACT, value, 0, reason=outcome.reason)


P = TypeVar("P", bound="Position[Any]")


@dataclass(frozen=True)
class Symmetry(Generic[P, M]):
    """A symmetry `s` of a game. It does not change the player to move.

    For every position p and move m, `s.position(p.play(m)) == s.position(p).play(s.move(p, m))`.
    """

    name: str
    """Name in words, for example "turned right"."""
    position: Callable[[P], P]
    move: Callable[[P, M], M]


class Symmetries(Generic[P, M]):
    """The symmetries of a game. By default, there are none."""

    def transforms(self, position: P) -> Sequence[Symmetry[P, M]]:
        """Return the symmetries of a position, without the identity."""
        return ()

    def images(self, position: P) -> Sequence[P]:
        """Return all other positions that are equivalent to this one."""
        found = dict.fromkeys(symmetry.position(position) for symmetry in self.transforms(position))
        return [image for image in found if image != position]

    def canonical(self, position: P) -> str:
        """Return a text that a position shares with its equivalent positions and with no others."""
        return min(image.text() for image in (position, *self.images(position)))

    def quick_canonical(self, position: P) -> P:
        """Return a representative of the positions that are equivalent to this one. It has the same value.

        This is faster than `canonical`, but equivalent positions may have different representatives.
        """
        return position

"""Positions, moves, outcomes and symmetries: the parts of every game."""

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
    """The end of a game."""

    winner: int | None
    """0 for the first player, 1 for the second, None for a tie or a race."""
    reason: str
    """In the game's own words with the side's name: "Black has no legal move"."""
    score: int | None = None
    """Final score of a race."""
    addressed: tuple[int, str] | None = field(default=None, compare=False)
    """The side that the reason is about, and the reason addressed to that side."""


class Position(ABC, Generic[M]):
    """An immutable, hashable, comparable position; subclasses are frozen dataclasses."""

    turn: int
    """0 for the first player, 1 for the second. Always 0 in a race."""

    @abstractmethod
    def moves(self) -> Sequence[M]:
        """List every legal move in a fixed order; empty if the game is over."""

    @abstractmethod
    def play(self, move: M) -> Self:
        """Return the position after `move`. Raise ValueError with a sentence if the move is illegal."""

    def after(self, moves: Iterable[M]) -> Self:
        """Return the position after several moves. Raise ValueError as `play` does."""
        position = self
        for move in moves:
            position = position.play(move)
        return position

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return how the game ended, or None if it is not over."""

    def text(self) -> str:
        """Write the full position on one line without spaces, for the game's `parse_position`.

        The default supports fields of numbers, texts, None, enumerations, and tuples and frozensets of these.
        """
        return write_fields(self)

    def __str__(self) -> str:
        """Draw the board as text."""
        return self.text()

    def describe(self) -> list[str]:
        """Describe the position in short sentences for people who cannot see it. The default is the board.

        Only sentences that change after a move are read again.
        """
        return str(self).splitlines()

    def describe_hands(self) -> list[str]:
        """Describe what the players hold, if `str` omits it."""
        return []

    def describe_moves(self) -> list[str]:
        """Describe the legal moves, one idea per line. The default lists their notations."""
        words = [str(move) for move in self.moves()]
        return [f"You can play {join_words(words, 'or')}."] if words else []

    def ending(self) -> DuelVerdict | None:
        """Return the exact verdict if the duel is over here, otherwise None."""
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
    """A rotation or reflection of positions that preserves the turn and the rest of the game.

    For every legal move, `s.position(p.play(m)) == s.position(p).play(s.move(p, m))`.
    """

    name: str
    """For example "turned right"."""
    position: Callable[[P], P]
    move: Callable[[P, M], M]


class Symmetries(Generic[P, M]):
    """The symmetries of a game. By default it has none."""

    def transforms(self, position: P) -> Sequence[Symmetry[P, M]]:
        """Return the rotations and reflections for boards like this one, without the identity."""
        return ()

    def images(self, position: P) -> Sequence[P]:
        """Return all other positions that are equivalent by symmetry."""
        found = dict.fromkeys(symmetry.position(position) for symmetry in self.transforms(position))
        return [image for image in found if image != position]

    def canonical(self, position: P) -> str:
        """Return a text that two positions share if and only if they are equivalent by symmetry."""
        return min(image.text() for image in (position, *self.images(position)))

    def quick_canonical(self, position: P) -> P:
        """Return a representative of positions with equal value and rules. Fast, but not always unique."""
        return position

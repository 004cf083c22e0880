"""Positions, moves and outcomes: the parts of every game."""

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
    """0 for the first player, 1 for the second, None for a tie or a race."""
    reason: str
    """Why the game is over, in the game's own words with the side's name, e.g. "Black has no legal move"."""
    score: int | None = None
    """The final score of a race; None in a duel."""
    addressed: tuple[int, str] | None = field(default=None, compare=False)
    """The side that the reason speaks of, and the reason as one says it to that side."""


class Position(ABC, Generic[M]):
    """An immutable, hashable, comparable position; subclasses are frozen dataclasses."""

    turn: int
    """Who moves: 0 for the first player, 1 for the second; always 0 in a race."""

    @abstractmethod
    def moves(self) -> Sequence[M]:
        """Every legal move in a fixed order; empty when the game is over."""

    @abstractmethod
    def play(self, move: M) -> Self:
        """The position after `move`; a ValueError says in a sentence why it is illegal."""

    def after(self, moves: Iterable[M]) -> Self:
        """The position after some moves; raises ValueError as `play` does."""
        position = self
        for move in moves:
            position = position.play(move)
        return position

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def text(self) -> str:
        """The full position as one line without spaces, which the game's `parse_position` reads back.

        The default suits fields of numbers, texts, None, enumerations, and tuples and frozensets of these.
        """
        return write_fields(self)

    def __str__(self) -> str:
        """The board as text, on several lines if the game draws one."""
        return self.text()

    def describe(self) -> list[str]:
        """The position in short sentences that make sense without seeing; by default the board's lines.

        What a move does not change keeps its sentence, so that the new ones tell what it did.
        """
        return str(self).splitlines()

    def describe_hands(self) -> list[str]:
        """In short sentences what the players hold, which `str` does not show; by default nothing."""
        return []

    def describe_moves(self) -> list[str]:
        """The legal moves in words, one thought a line; the default lists their notations."""
        words = [str(move) for move in self.moves()]
        return [f"You can play {join_words(words, 'or')}."] if words else []

    def ending(self) -> DuelVerdict | None:
        """The exact verdict if the duel is over here, else None."""
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
    """A way to turn or mirror a position that keeps the turn and the rest of the game equivalent.

    For every legal move: `s.position(p.play(m)) == s.position(p).play(s.move(p, m))`.
    """

    name: str
    """What it does to the board, e.g. "turned right"."""
    position: Callable[[P], P]
    move: Callable[[P, M], M]


class Symmetries(Generic[P, M]):
    """Which positions of a game are equivalent; by default none are."""

    def transforms(self, position: P) -> Sequence[Symmetry[P, M]]:
        """The ways to turn or mirror boards like this one, without the identity."""
        return ()

    def images(self, position: P) -> Sequence[P]:
        """All other positions that are the same by symmetry."""
        found = dict.fromkeys(symmetry.position(position) for symmetry in self.transforms(position))
        return [image for image in found if image != position]

    def canonical(self, position: P) -> str:
        """A text that is the same for all positions that are alike by symmetry, and only for them."""
        return min(image.text() for image in (position, *self.images(position)))

    def quick_canonical(self, position: P) -> P:
        """One position for many that share its value and rules of thumb; quick to find, not always unique."""
        return position

"""Positions and moves as numbers, for programs that learn."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, Generic, cast

from arcade.engines.position import M, P


class Encoding(Generic[P, M]):
    """The numbers of a game's positions and moves; the defaults suit small games."""

    def all_moves(self, start: P) -> Sequence[M]:
        """Every move that can become legal in a match from `start`, in a fixed order.

        The default returns the moves of `start`, which suits games where no new moves appear.
        """
        return start.moves()

    def features(self, position: P, start: P) -> Sequence[int]:
        """A position as whole numbers from 0, the same count for each position of a match from `start`.

        The default takes the numbers in the fields and the characters of texts, so tuples and texts must
        keep their lengths.
        """
        return list(_numbers(tuple(getattr(position, field.name) for field in fields(cast(Any, position)))))

    def move_index(self, position: P, move: M) -> int:
        """A small number for a move; by default its index among the legal moves."""
        return list(position.moves()).index(move)


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, tuple):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, str):
        yield from map(ord, value)
    else:
        yield int(value)

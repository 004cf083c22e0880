"""Positions and moves as numbers, for machine learning."""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any, Generic, cast

from arcade.engines.position import M, P


class Encoding(Generic[P, M]):
    """Positions and moves as numbers. The defaults suit small games."""

    def all_moves(self, start: P) -> Sequence[M]:
        """Return every move that can become legal, in a fixed order. The default is `start.moves()`."""
        return start.moves()

    def features(self, position: P, start: P) -> Sequence[int]:
        """Encode a position as non-negative integers. Their count stays the same throughout a match.

        The default encodes the position's fields, so the lengths of its tuples and texts must not change.
        """
        return list(_numbers(tuple(getattr(position, field.name) for field in fields(cast(Any, position)))))

    def move_index(self, position: P, move: M) -> int:
        """Return a legal move's number for matchboxes. The default is its index in `position.moves()`."""
        return list(position.moves()).index(move)


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, tuple):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, str):
        yield from map(ord, value)
    else:
        yield int(value)

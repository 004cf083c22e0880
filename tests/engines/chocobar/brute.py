"""Chomp straight from the rule book, for comparison: no ranks, no tables, no theory."""

from __future__ import annotations

import random
from functools import cache

from arcade.engines.chocobar.rules import Bar

Rows = tuple[int, ...]


def bitten(rows: Rows) -> set[Rows]:
    """Every bar one bite away, from the squares that are eaten."""
    squares = {(i, j) for i, length in enumerate(rows) for j in range(length)}
    left = set()
    for i, j in squares - {(0, 0)}:
        kept = {(x, y) for x, y in squares if x < i or y < j}
        lengths = [sum(x == row for x, _ in kept) for row in range(len(rows))]
        left.add(tuple(length for length in lengths if length))
    return left


@cache
def remoteness(rows: Rows) -> int:
    """Plies until only the poison is left; odd when the player to move wins."""
    after = [remoteness(each) for each in bitten(rows)]
    lost = [each for each in after if each % 2 == 0]
    return 1 + (min(lost) if lost else max(after, default=-1))


@cache
def grundy(rows: Rows) -> int:
    """The smallest number that no bar one bite away has."""
    taken = {grundy(each) for each in bitten(rows)}
    return next(number for number in range(len(taken) + 1) if number not in taken)


def all_bars(rows: int, columns: int) -> list[Rows]:
    """Every bar with at most so many rows and columns."""
    bars: list[Rows] = [()]
    for bar in bars:
        if len(bar) < rows:
            bars += [(*bar, length) for length in range(1, (bar[-1] if bar else columns) + 1)]
    return bars[1:]


def random_bar(rng: random.Random, rows: int, columns: int) -> Bar:
    """A bar with at most so many rows and columns."""
    lengths = sorted((rng.randint(0, columns) for _ in range(rows)), reverse=True)
    return Bar(tuple(length for length in lengths if length) or (1,))

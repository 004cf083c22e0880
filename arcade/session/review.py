"""What a finished duel says about who played it: how often they were right, and how far they saw."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arcade.engines.players import alike
from arcade.engines.verdict import MoveVerdict
from arcade.match import Mark, Match

SLIP = 0.05
"""The chance of a move that a player who sees so far would not choose; people slip."""
FEWEST = 3
"""Moves below which nothing is told."""
LIKELY = 2.0
"""How much less likely, as a natural logarithm, the ends of a range may be than the best number in it."""

Choice = tuple[Sequence[MoveVerdict[Any]], Any]
"""The verdicts of all moves of a position, and the move that was chosen."""


@dataclass(frozen=True, slots=True)
class Sight:
    """How many plies ahead of the end a player knows the truth."""

    low: int
    best: int
    """The number that explains the moves best."""
    high: int | None
    """None: perhaps to the end of any match like this one."""

    def __str__(self) -> str:
        if self.high is None:
            return f"{self.low} or more"
        return str(self.low) if self.low == self.high else f"{self.low} to {self.high}"


Chances = Mapping[int, float]
"""The natural logarithm of the chance of some moves for each number of plies that somebody may see ahead; for
a number in between it is that of the next smaller one."""


def chances(choices: Sequence[Choice]) -> Chances:
    """How likely these moves are, at each number of plies where that changes."""
    lengths = {each.verdict.remoteness or 0 for analysis, _ in choices for each in analysis}
    return {plies: sum(_log_chance(*choice, plies) for choice in choices) for plies in sorted({0, *lengths})}


def most_likely(found: Chances) -> Sight | None:
    """How far somebody sees whose moves are so likely.

    Returns:
        None where any number would explain them as well as any other.
    """
    candidates = list(found)
    best = max(candidates, key=lambda plies: found[plies])
    likely = [plies for plies in candidates if found[plies] >= found[best] - LIKELY]
    if likely == candidates:
        return None
    return Sight(likely[0], best, None if likely[-1] == candidates[-1] else likely[-1])


def sight(choices: Sequence[Choice]) -> Sight | None:
    """How far somebody sees who chose these moves, by the greatest likelihood.

    Returns:
        None for fewer than `FEWEST` moves, and where any number would explain them as well as any other.
    """
    return None if len(choices) < FEWEST else most_likely(chances(choices))


def _log_chance(analysis: Sequence[MoveVerdict[Any]], move: Any, plies: int) -> float:
    chosen = alike(analysis, plies)
    others = len(analysis) - len(chosen)
    if not others:
        return -math.log(len(chosen))
    return math.log((1 - SLIP) / len(chosen) if move in chosen else SLIP / others)


def choices(match: Match, seat: int) -> list[Choice]:
    """The moves of a seat in a duel, as far as the verdicts of all moves beside them are known."""
    found: list[Choice] = []
    for ply, position in match.steps():
        analysis = match.analysis(position)
        if ply.seat == seat and analysis and all(each.verdict.known for each in analysis):
            found.append((analysis, ply.move))
    return found


def right_moves(match: Match, seat: int) -> tuple[int, int]:
    """How many moves of a seat were no mistakes, and of how many that is known, without the program's own."""
    marks = [ply.mark for ply in match.line if ply.seat == seat and ply.mark not in (None, Mark.HINTED)]
    return sum(mark is not None and not mark.bad for mark in marks), len(marks)

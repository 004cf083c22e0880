"""What is asked of a solver about a position: answers come as they are proved, the quick ones first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arcade.engines.control import Control
from arcade.engines.game import Position, Solver
from arcade.engines.verdict import MoveVerdict, Verdict

VALUES_SECONDS = 1.0
"""How often the values found so far are told while those of many moves are being found."""

FIRST_SLICE, LONGEST_SLICE = 2.0, 60.0
"""Seconds of the slices of a long solve: after each what is proved is told, and each is twice as long."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One step towards everything that a solver can say about a position; what is None has not changed."""

    effort: str = ""
    """What the rest will cost, as a sentence."""
    verdict: Verdict | None = None
    moves: list[MoveVerdict[Any]] | None = None
    complete: bool = False
    """Whether `moves` is all that can be said."""


def inquire(solver: Solver[Any, Any], position: Position[Any], control: Control) -> Iterator[Finding]:
    """Find a position's verdict and those of its moves, in the thread of the caller.

    Ends early when the control is cancelled or its deadline comes. A solver that has quick values, or that
    resumes, is given deadlines of its own instead, one after the other.
    """
    effort = solver.effort(position)
    if effort:
        yield Finding(effort=effort)
    value = solver.value(position, control)
    if value is not None:
        yield Finding(verdict=value)
        yield from _values(solver, position, control)
    if solver.resumes:
        yield from _in_slices(solver, position, control)
        return
    # Also when the time is over already: what can be said without any is more than nothing.
    if not control.cancelled:
        yield Finding(verdict=solver.verdict(position, control))
    if not control.stopped:
        yield Finding(moves=solver.analyse(position, control), complete=True)


def _values(solver: Solver[Any, Any], position: Position[Any], control: Control) -> Iterator[Finding]:
    """The values of a position's moves, as they are found."""
    while not control.cancelled:
        control.renew(VALUES_SECONDS)
        values = solver.values(position, control)
        if values is not None:
            yield Finding(moves=values)
        if not control.stopped:
            break
    control.renew(None)


def _in_slices(solver: Solver[Any, Any], position: Position[Any], control: Control) -> Iterator[Finding]:
    """The verdicts of a position and, in turn, of its moves, as far as they are proved."""
    known = False
    seconds = FIRST_SLICE
    while not control.cancelled:
        if not known:
            control.renew(seconds)
            verdict = solver.verdict(position, control)
            known = not control.stopped
            yield Finding(verdict=verdict)
        control.renew(seconds)
        analysis = solver.analyse(position, control)
        complete = not control.stopped
        yield Finding(moves=analysis, complete=complete)
        if complete:
            break
        seconds = min(2 * seconds, LONGEST_SLICE)

"""Ask a solver about a position; answers arrive as they are proved, fast ones first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arcade.engines.control import Control
from arcade.engines.position import Position
from arcade.engines.solver import Solver
from arcade.engines.verdict import MoveVerdict, Proof, Verdict

VALUES_SECONDS = 1.0
"""Seconds between reports of values while many moves are being solved."""

FIRST_SLICE, LONGEST_SLICE = 2.0, 60.0
"""Time slices of a long solve in seconds: results are reported after each, and each is twice as long."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Partial results about a position; a field that is None has not changed."""

    effort: str = ""
    """A sentence on what the rest will cost."""
    verdict: Verdict | None = None
    moves: list[MoveVerdict[Any]] | None = None
    complete: bool = False
    """Whether `moves` is final."""


def inquire(solver: Solver[Any, Any], position: Position[Any], control: Control) -> Iterator[Finding]:
    """Find the verdicts of a position and its moves, in the caller's thread.

    Ends early if the control is cancelled or times out. A solver that has quick values, or that resumes,
    works through a series of shorter deadlines instead.
    """
    effort = solver.effort(position)
    if effort:
        yield Finding(effort=effort)
    if solver.resumes:
        yield from _in_slices(solver, position, control)
        return
    value = solver.value(position, control)
    if value is not None:
        yield Finding(verdict=value)
        yield from _values(solver, position, control)
    # Even if time is already up: an instant answer is better than none.
    if not control.cancelled:
        yield Finding(verdict=solver.verdict(position, control))
    if not control.stopped:
        yield Finding(moves=solver.analyse(position, control), complete=True)


def _values(solver: Solver[Any, Any], position: Position[Any], control: Control) -> Iterator[Finding]:
    """Yield the values of a position's moves as they are found."""
    while not control.cancelled:
        control.renew(VALUES_SECONDS)
        values = solver.values(position, control)
        if values is not None:
            yield Finding(moves=values)
        if not control.stopped:
            break
    control.renew(None)


def _in_slices(solver: Solver[Any, Any], position: Position[Any], control: Control) -> Iterator[Finding]:
    """Who wins a position, then its full verdict and, in turn, those of its moves."""
    known = decided = False
    seconds = FIRST_SLICE
    while not control.cancelled:
        if not known:
            control.renew(seconds)
            if not decided:
                winner = solver.value(position, control)
                decided = winner is None or not control.stopped
                if winner is not None and winner.proof is Proof.BOUND:
                    yield Finding(verdict=winner)
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

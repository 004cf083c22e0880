"""Methods side by side: how a game was solved before, and how the arcade solves it, on the same boards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from arcade.engines.control import Control
from arcade.engines.position import Position


@dataclass(frozen=True, slots=True)
class Work:
    """What a method has found on one board."""

    answer: str
    """The result in a few words; methods that do the same work give the same one. Empty if it gave up."""
    positions: int | None = None
    """How many positions, boxes or layouts it has looked at; None where it does not count."""
    gave_up: str = ""
    """Why it gave up, in a few words."""


@dataclass(frozen=True, slots=True)
class SolvingMethod:
    """A way to solve the boards of a game."""

    name: str
    summary: str
    """One short sentence that says how it works and where it comes from."""
    run: Callable[[Position[Any], Control], Work]
    """Solves a first position; obeys the control, after which it gives up."""
    warm: Callable[[], object] = lambda: None
    """Loads what the method needs, such as kernels; its time does not count."""


OUT_OF_TIME = "out of time"
"""Why a method gave up that the control has stopped."""

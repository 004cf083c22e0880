"""Events that a session sends to its front end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from arcade.learning.machine import AnyMachine
from arcade.learning.machines import Reward

Severity = Literal["information", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Moved:
    """The position or the match has changed; hints and pointers are no longer valid."""


@dataclass(frozen=True, slots=True)
class Changed:
    """Something else on display has changed: a hint, marks, values, who waits for whom."""


@dataclass(frozen=True, slots=True)
class Judged:
    """More is known of the displayed position."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A message for the person."""

    text: str
    severity: Severity = "information"
    seconds: float | None = None
    """Seconds to show it; None for the default."""


@dataclass(frozen=True, slots=True)
class Learned:
    """The match is over and machines in its seats have learned from it."""

    rewards: Sequence[Reward]


@dataclass(frozen=True, slots=True)
class Refused:
    """A machine with an empty first box refuses to start; the match is paused."""

    machine: AnyMachine


Event = Moved | Changed | Judged | Notice | Learned | Refused

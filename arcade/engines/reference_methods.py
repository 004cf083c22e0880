"""Methods of the original reports."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from arcade.engines.control import Control
from arcade.engines.players import MethodPlayer, PlayerKind

T = TypeVar("T")

HISTORY = "History:"
"""Starts the summary of a historical player."""

HISTORIC_SECONDS = 20.0

OUT_OF_TIME = "out of time"


@dataclass(frozen=True, slots=True)
class MethodResult:
    """On one board."""

    answer: str
    """Equal for methods that do the same work; empty if given up."""
    positions: int | None = None
    """Positions, rectangles or layouts; None if not counted."""
    gave_up: str = ""
    """Why, in a few words."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Further figures by name."""


class GaveUpError(Exception):
    """Says why in a few words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvingMethod:
    name: str
    """Permanent, in scripts and seats."""
    title: str = ""
    """Such as "In order, as coded"."""
    summary: str
    """One short sentence."""
    remembers: str = ""
    """Such as "every position in a map"."""
    counts: str = ""
    """Unit of `MethodResult.positions`."""
    source: str = ""
    """In the report, such as "section 2.2"."""
    run: Callable[[Any, Control], MethodResult]
    """May raise GaveUpError. Call `solve` instead."""
    choose: Callable[[Any, Control], Any] | None = None
    """Choose a move, even if stopped."""
    warm: Callable[[], object] = lambda: None
    """Load kernels and the like, untimed."""
    usual: bool = True
    """True if it runs when no methods are named."""

    def solve(self, position: Any, control: Control) -> MethodResult:
        """If the method gives up, the result says why."""
        try:
            return self.run(position, control)
        except GaveUpError as why:
            return MethodResult("", control.nodes, str(why))


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """Of an original report."""

    text: str
    """One or two sentences with figures."""
    ranking: tuple[str, ...] = ()
    """The report's order of methods, the lowest number first."""
    by: str = "seconds"
    """"seconds", "positions", "bytes", or "answer"."""


class Comparison(NamedTuple):
    methods: Sequence[SolvingMethod] = ()
    boards: Sequence[str] = ()
    """Parameters of game IDs, smallest first."""
    findings: Sequence[ReportedFinding] = ()


def check_time(control: Control) -> None:
    if control.stopped:
        raise GaveUpError(OUT_OF_TIME)


def in_time(found: T | None) -> T:
    """Raise GaveUpError if the control stopped the work (None)."""
    if found is None:
        raise GaveUpError(OUT_OF_TIME)
    return found


def historical_players(methods: Sequence[SolvingMethod]) -> tuple[PlayerKind, ...]:
    """The methods that can play, as player kinds."""

    def kind(method: SolvingMethod, choose: Callable[[Any, Control], Any]) -> PlayerKind:
        return PlayerKind(
            method.name,
            method.title,
            f"{HISTORY} its document's own method.",
            lambda _game, _: MethodPlayer(choose),
            seconds=HISTORIC_SECONDS,
        )

    return tuple(kind(method, method.choose) for method in methods if method.choose is not None)

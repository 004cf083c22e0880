"""Solving methods of the original reports, and their comparison."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from arcade.engines.control import Control
from arcade.engines.players import MethodPlayer, PlayerKind

T = TypeVar("T")

HISTORY = "History:"
"""First word of a historical player's summary."""

HISTORIC_SECONDS = 20.0

OUT_OF_TIME = "out of time"


@dataclass(frozen=True, slots=True)
class MethodResult:
    answer: str
    """The result, or "" if the method gave up. Methods that do the same work return the same answer."""
    positions: int | None = None
    """Number of positions visited, or None if they are not counted."""
    gave_up: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Additional figures about the run, by name."""


class GaveUpError(Exception):
    """Raised if a method gives up. The message is the reason in a few words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvingMethod:
    name: str
    """The name, which never changes."""
    title: str = ""
    """Title for people, for example "In-order, as coded"."""
    summary: str
    """A summary in one short sentence."""
    remembers: str = ""
    counts: str = ""
    """Unit of `MethodResult.positions`."""
    source: str = ""
    """Place in the original report, for example "section 2.2"."""
    run: Callable[[Any, Control], MethodResult]
    """A function that runs the method. It raises GaveUpError if the method gives up."""
    choose: Callable[[Any, Control], Any] | None = None
    """A function that chooses a move, even if the control stops it. None if the method cannot play."""
    warm: Callable[[], object] = lambda: None
    usual: bool = True

    def solve(self, position: Any, control: Control) -> MethodResult:
        try:
            return self.run(position, control)
        except GaveUpError as why:
            return MethodResult("", control.nodes, str(why))


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    text: str
    """The finding in one or two sentences, with figures."""
    ranking: tuple[str, ...] = ()
    """Names of methods in the original report's order, starting with the lowest figure."""
    by: str = "seconds"
    """The figure that ranks the methods: "seconds", "positions", "bytes", or "answer"."""


class Comparison(NamedTuple):
    methods: Sequence[SolvingMethod] = ()
    boards: Sequence[str] = ()
    """Boards in the notation of game IDs, smallest first."""
    findings: Sequence[ReportedFinding] = ()


def check_time(control: Control) -> None:
    if control.stopped:
        raise GaveUpError(OUT_OF_TIME)


def in_time(found: T | None) -> T:
    """Return `found`. Raises GaveUpError if it is None, which means that the control stopped the work."""
    if found is None:
        raise GaveUpError(OUT_OF_TIME)
    return found


def historical_players(methods: Sequence[SolvingMethod]) -> tuple[PlayerKind, ...]:

    def kind(method: SolvingMethod, choose: Callable[[Any, Control], Any]) -> PlayerKind:
        return PlayerKind(
            method.name,
            method.title,
            f"{HISTORY} a method of the reports.",
            lambda _game, _: MethodPlayer(choose),
            seconds=HISTORIC_SECONDS,
        )

    return tuple(kind(method, method.choose) for method in methods if method.choose is not None)

"""Methods of the original reports, which solve a game in other ways than the arcade does."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from arcade.engines.control import Control
from arcade.engines.players import MethodPlayer, PlayerKind

T = TypeVar("T")

HISTORY = "History:"
"""Start of the summary of a player that an original report describes."""

HISTORIC_SECONDS = 20.0

OUT_OF_TIME = "out of time"


@dataclass(frozen=True, slots=True)
class MethodResult:
    """The result of a method on one board."""

    answer: str
    """A few words, equal for methods that do the same work; empty if the method gave up."""
    positions: int | None = None
    """Positions, rectangles or layouts visited; None if not counted."""
    gave_up: str = ""
    """Why the method gave up, in a few words."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Further figures by name: numbers, texts and mappings of these."""


class GaveUpError(Exception):
    """Raised by a method that gives up. The text says why, in a few words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvingMethod:
    """A way to solve the boards of a game."""

    name: str
    """Permanent name, which scripts and players use."""
    title: str = ""
    """Name as a player, such as "In order, as coded"."""
    summary: str
    """One short sentence on who wrote the method and how it works."""
    remembers: str = ""
    """Such as "every position in a map"; empty for nothing."""
    counts: str = ""
    """Unit of `MethodResult.positions`, such as "calls of the recursion"."""
    source: str = ""
    """Where the original report describes the method, such as "section 2.2"."""
    run: Callable[[Any, Control], MethodResult]
    """Obeys the control and may raise GaveUpError. Call `solve` instead."""
    choose: Callable[[Any, Control], Any] | None = None
    """Choose a move, even if stopped. None if the method cannot play matches."""
    warm: Callable[[], object] = lambda: None
    """Load what the method needs, such as kernels. This time does not count."""
    usual: bool = True
    """True if the method also runs when no methods are named."""

    def solve(self, position: Any, control: Control) -> MethodResult:
        """Run the method. If it gives up, the result says why."""
        try:
            return self.run(position, control)
        except GaveUpError as why:
            return MethodResult("", control.nodes, str(why))


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """A finding of an original report about its methods."""

    text: str
    """The report's figures, in one or two sentences."""
    ranking: tuple[str, ...] = ()
    """Names of methods as the report ranks them, the lowest number first; empty for no ranking."""
    by: str = "seconds"
    """"seconds", "positions", "bytes", or "answer" for the number in the answer."""


class Comparison(NamedTuple):
    """The methods of a game, the boards to compare them on, and the report's findings."""

    methods: Sequence[SolvingMethod] = ()
    boards: Sequence[str] = ()
    """Parameters of game IDs, smallest first."""
    findings: Sequence[ReportedFinding] = ()


def check_time(control: Control) -> None:
    if control.stopped:
        raise GaveUpError(OUT_OF_TIME)


def in_time(found: T | None) -> T:
    """Return `found`, or raise GaveUpError if it is None because the control stopped the work."""
    if found is None:
        raise GaveUpError(OUT_OF_TIME)
    return found


def historical_players(methods: Sequence[SolvingMethod]) -> tuple[PlayerKind, ...]:
    """Return the methods that can play matches, as player kinds. They make no random choices."""

    def kind(method: SolvingMethod, choose: Callable[[Any, Control], Any]) -> PlayerKind:
        return PlayerKind(
            method.name,
            method.title,
            f"{HISTORY} its document's own method.",
            lambda _game, _: MethodPlayer(choose),
            seconds=HISTORIC_SECONDS,
        )

    return tuple(kind(method, method.choose) for method in methods if method.choose is not None)

"""Methods of the original reports, which solve a game in other ways than the arcade."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from arcade.engines.control import Control
from arcade.engines.players import MethodPlayer, PlayerKind

T = TypeVar("T")

HISTORY = "History:"
"""How the summary of a player begins that a document describes."""

HISTORIC_SECONDS = 20.0

OUT_OF_TIME = "out of time"


@dataclass(frozen=True, slots=True)
class MethodResult:
    """What a method has found on one board."""

    answer: str
    """The result in a few words; methods that do the same work give the same one. Empty if it gave up."""
    positions: int | None = None
    """How many positions, boxes or layouts it has looked at; None where it does not count."""
    gave_up: str = ""
    """Why it gave up, in a few words."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """Further figures by name, as numbers, texts and mappings of these."""


class GaveUpError(Exception):
    """A method has given up; the text says why, in a few words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvingMethod:
    """A way to solve the boards of a game."""

    name: str
    """The same for ever: scripts and players are called by it."""
    title: str = ""
    """What it is called as a player, such as "In order, as the report's program has it"."""
    summary: str
    """One short sentence that says whose it is and how it works."""
    remembers: str = ""
    """What it keeps while it works, in a few words, such as "every position in a map"; empty for nothing."""
    counts: str = ""
    """What its `MethodResult.positions` counts, such as "calls of the recursion"."""
    source: str = ""
    """Where its document describes it, such as "section 2.2"."""
    run: Callable[[Any, Control], MethodResult]
    """Solves a first position; obeys the control, and may raise GaveUpError. Call `solve` instead."""
    choose: Callable[[Any, Control], Any] | None = None
    """Its move in a position, also when stopped by the control; None if it cannot sit at a match."""
    warm: Callable[[], object] = lambda: None
    """Loads what the method needs, such as kernels; its time does not count."""
    usual: bool = True
    """Whether it also runs if no methods are named."""

    def solve(self, position: Any, control: Control) -> MethodResult:
        """Run the method; if it gives up, the result says why."""
        try:
            return self.run(position, control)
        except GaveUpError as why:
            return MethodResult("", control.nodes, str(why))


@dataclass(frozen=True, slots=True)
class ReportedFinding:
    """What a document has found out with its methods."""

    text: str
    """The document's figures, in a sentence or two."""
    ranking: tuple[str, ...] = ()
    """Names of methods as the document ranks them, the one with the least first; empty for no ranking."""
    by: str = "seconds"
    """What they are ranked by: "seconds", "positions", "bytes", or the number that begins the "answer"."""


class Comparison(NamedTuple):
    """What a game offers to compare."""

    methods: Sequence[SolvingMethod] = ()
    boards: Sequence[str] = ()
    """Boards to compare them on, as parameters of game IDs, the smallest first."""
    findings: Sequence[ReportedFinding] = ()


def check_time(control: Control) -> None:
    if control.stopped:
        raise GaveUpError(OUT_OF_TIME)


def in_time(found: T | None) -> T:
    """Raises GaveUpError for None: the control has stopped the work."""
    if found is None:
        raise GaveUpError(OUT_OF_TIME)
    return found


def historical_players(methods: Sequence[SolvingMethod]) -> tuple[PlayerKind, ...]:
    """The methods that can play a match; they make no random choices."""

    def kind(method: SolvingMethod, choose: Callable[[Any, Control], Any]) -> PlayerKind:
        return PlayerKind(
            method.name,
            method.title,
            f"{HISTORY} its document's own method.",
            lambda _game, _: MethodPlayer(choose),
            seconds=HISTORIC_SECONDS,
        )

    return tuple(kind(method, method.choose) for method in methods if method.choose is not None)

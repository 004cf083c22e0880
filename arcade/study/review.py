"""What a finished duel says about who played it: how often they were right, and how far they saw."""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.game import Kind
from arcade.engines.players import PERFECT, PLIES, RUNGS, SEES, alike
from arcade.engines.registry import AnyGame, Guests
from arcade.engines.verdict import MoveVerdict
from arcade.match.match import Mark, Match
from arcade.store.store import Store, StoreError

SLIP = 0.05
"""The chance of a move that a player who sees so far would not choose; people slip."""
FEWEST = 3
LIKELY = 2.0
"""How much less likely, as a natural logarithm, the ends of a range may be than the best number in it."""

Choice = tuple[Sequence[MoveVerdict[Any]], Any]
"""The verdicts of all moves of a position, and the move that was chosen."""


@dataclass(frozen=True, slots=True)
class Sight:
    """How many plies ahead of the end a player knows the truth."""

    low: int
    best: int
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


def most_likely(chances: Chances) -> Sight | None:
    """How far somebody sees whose moves are so likely; None where any number would explain them as well."""
    candidates = list(chances)
    best = max(candidates, key=lambda plies: chances[plies])
    likely = [plies for plies in candidates if chances[plies] >= chances[best] - LIKELY]
    if likely == candidates:
        return None
    return Sight(likely[0], best, None if likely[-1] == candidates[-1] else likely[-1])


def sight(choices: Sequence[Choice]) -> Sight | None:
    """How far somebody sees who chose these moves; None for fewer than `FEWEST`, else as `most_likely`."""
    return None if len(choices) < FEWEST else most_likely(chances(choices))


def _log_chance(analysis: Sequence[MoveVerdict[Any]], move: Any, plies: int) -> float:
    chosen = alike(analysis, plies)
    others = len(analysis) - len(chosen)
    if not others:
        return -math.log(len(chosen))
    return math.log((1 - SLIP) / len(chosen) if move in chosen else SLIP / others)


def choices(match: Match, seat: int) -> list[Choice]:
    """The moves of a seat in a duel, as far as the verdicts of all moves beside them are known."""
    chosen: list[Choice] = []
    for ply, position in match.steps():
        analysis = match.analysis(position)
        if ply.seat == seat and analysis and all(move.verdict.known for move in analysis):
            chosen.append((analysis, ply.move))
    return chosen


def right_moves(match: Match, seat: int) -> tuple[int, int]:
    """How many moves of a seat were no mistakes, and of how many that is known, without the program's own."""
    marks = [ply.mark for ply in match.line if ply.seat == seat and ply.mark not in (None, Mark.HINTED)]
    return sum(mark is not None and not mark.bad for mark in marks), len(marks)


RECENT = 30
"""A level is that of so many of the latest matches."""
FEWEST_MATCHES = 5
WINDOW = 10
"""Each point of its course is that of so many matches."""
REVIEW_SECONDS = 5.0
"""The longest time for the moves of one position, where the game says nothing."""


@dataclass(frozen=True, slots=True)
class Level:
    """How far a person sees in a game."""

    sight: Sight
    matches: int
    course: tuple[tuple[float, Sight], ...]
    """What it was after each match, by the latest `WINDOW` matches up to then, with the time in seconds since
    the epoch; the oldest first."""

    def at_most(self, plies: int) -> Level:
        """This level, with no number above a limit."""

        def limited(sight: Sight) -> Sight:
            high = plies if sight.high is None else min(sight.high, plies)
            return Sight(min(sight.low, plies), min(sight.best, plies), high)

        course = tuple((when, limited(sight)) for when, sight in self.course)
        return replace(self, sight=limited(self.sight), course=course)

    @property
    def plies(self) -> int:
        return min(max(self.sight.best, PLIES.low), PLIES.high)

    @property
    def equal(self) -> str:
        return f"{SEES.name}:{self.plies}"


def write(chances: Chances) -> str:
    """Chances as text: each number of plies with its logarithm, e.g. "0:-3.296 4:-0.105"."""
    return " ".join(f"{plies}:{chance:.3f}" for plies, chance in chances.items())


def read(text: str) -> Chances:
    """The inverse of `write`; raises InputError if the text is damaged."""
    try:
        pairs = [pair.split(":") for pair in text.split()]
        chances = {int(plies): float(chance) for plies, chance in pairs}
    except ValueError:
        chances = {}
    numbers = list(chances)
    if numbers != sorted(numbers) or 0 not in chances or not all(-1e9 < n <= 0 for n in chances.values()):
        raise InputError("What is known of a saved match is damaged.")
    return chances


def together(known: Iterable[Chances]) -> Chances:
    steps = [(list(each), list(each.values())) for each in known]
    numbers = sorted({plies for lengths, _ in steps for plies in lengths})
    return {
        plies: sum(values[bisect.bisect_right(lengths, plies) - 1] for lengths, values in steps)
        for plies in numbers
    }


def level_of(known: Sequence[tuple[float, Chances]]) -> Level | None:
    """The level of somebody who played these matches; None where they tell nothing.

    Args:
        known: for each match when it was and how likely its moves are, the oldest first.
    """

    def seen(matches: Sequence[tuple[float, Chances]]) -> Sight | None:
        return most_likely(together(chances for _, chances in matches))

    recent = known[-RECENT:]
    now = seen(recent) if len(recent) >= FEWEST_MATCHES else None
    if now is None:
        return None
    ends = range(min(FEWEST_MATCHES, WINDOW), len(known) + 1)
    course = [(known[end - 1][0], seen(known[max(0, end - WINDOW) : end])) for end in ends]
    return Level(now, len(recent), tuple((when, sight) for when, sight in course if sight is not None))


def level(store: Store, game: AnyGame) -> Level | None:
    """A person's level in a game, at most one rung above the strongest opponent that was beaten.

    None in a race, and where too little is known.

    Raises:
        StoreError: the store cannot be read.
    """
    if game.kind is Kind.RACE:
        return None
    known, highest = [], game.sights[0]
    for each in store.chances(game.name, 2 * RECENT):
        try:
            known.append((each.updated, read(each.chances)))
        except InputError:
            continue
        if each.won:
            highest = max(highest, _rung_above(game, each.opponent))
    unlimited = level_of(known)
    return unlimited and unlimited.at_most(highest)


def _rung_above(game: AnyGame, opponent: str) -> int:
    name, _, number = opponent.partition(":")
    seen = dict(zip(RUNGS, game.sights, strict=True)) | {PERFECT.name: game.sights[-1] + 1}
    plies = int(number) if name == SEES.name and number.isdecimal() else seen.get(name, 0)
    return next((each for each in game.sights if each > plies), plies + 1)


def tell(match: Match, person: int) -> tuple[str, tuple[int, int, int | None] | None]:
    """What a reviewed duel tells of a person, as `Store.judge` keeps it."""
    made = choices(match, person)
    own = sight(made)
    seen = None if own is None else (own.best, own.low, own.high)
    return write(chances(made)) if made else "", seen


def catch_up(store: Store, game: AnyGame, guests: Guests, control: Control, ready: Callable[[], bool]) -> int:
    """Look at those of a game's latest matches that nothing is known of yet, and keep what they tell.

    Args:
        store, game: whose matches.
        guests: who may sit in the matches.
        control: stops the work; its deadline is set anew for each position.
        ready: waits for the game's kernels; False when there is no time for that.

    Returns:
        How many matches were looked at.

    Raises:
        StoreError: the store fails.
    """
    if game.kind is Kind.RACE:
        missing = store.unscored(game.name)
    else:
        missing = store.unjudged(game.name, RECENT)
        if missing and not ready():
            return 0
    looked = 0
    for id in missing:
        try:
            match = Match.from_record(store.match(id).record, guests)
        except StoreError:
            raise
        except InputError:
            # A damaged match tells nothing, now or later.
            store.judge(id, "", None)
            continue
        record = match.record()
        if record.points is not None:
            store.score(id, record.points)
        elif record.person is not None:
            if not _analyse(match, record.person, control):
                break
            store.judge(id, *tell(match, record.person))
        looked += 1
    return looked


def _analyse(match: Match, person: int, control: Control) -> bool:
    """Find out what a person's moves in a duel were worth; False when stopped."""
    for ply, position in match.steps():
        if ply.seat == person:
            control.renew(match.game.limits.review or REVIEW_SECONDS)
            match.learn(position, match.game.solver.analyse(position, control))
            if control.cancelled:
                return False
    return True

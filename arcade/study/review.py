"""Estimates of a player's level from the moves of finished duels."""

import bisect
import math
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.game import RaceGame
from arcade.engines.players import best_within_depth
from arcade.engines.registry import AnyGame
from arcade.engines.seats import Guests
from arcade.engines.verdict import MoveVerdict, value_keeping_moves
from arcade.play.match import Match
from arcade.play.path import LADDER
from arcade.store.queries import Filter
from arcade.store.store import Store, StoreError

SLIP_RATE, LUCKY_GUESS_RATE = 0.1, 0.12
"""Probabilities of playing a move that looks wrong at the player's depth, and of guessing a right move."""

Choice = tuple[Sequence[MoveVerdict[Any]], Any]

Chances = Mapping[int, float]
"""Log probability that a player makes certain moves, by depth in plies. An entry applies up to the next."""


def chances(choices: Sequence[Choice]) -> Chances:
    lengths = {each.verdict.remoteness or 0 for analysis, _ in choices for each in analysis}
    return {plies: sum(_log_chance(*choice, plies) for choice in choices) for plies in sorted({0, *lengths})}


def _log_chance(analysis: Sequence[MoveVerdict[Any]], move: Any, plies: int) -> float:
    """Return the log probability that a player who looks `plies` ahead plays a move.

    A right move that is too deep for the player proves little, because it may be a lucky guess.
    """
    chosen, right = best_within_depth(analysis, plies), value_keeping_moves(analysis)
    others = len(analysis) - len(chosen)
    seen = (1 - SLIP_RATE - LUCKY_GUESS_RATE) / len(chosen) if move in chosen else 0.0
    slip = SLIP_RATE / len(chosen) if not others else 0.0 if move in chosen else SLIP_RATE / others
    return math.log(seen + slip + (LUCKY_GUESS_RATE / len(right) if move in right else 0.0))


def choices(match: Match, seat: int, met: Container[str] = ()) -> list[Choice]:
    chosen: list[Choice] = []
    for ply, position in match.steps():
        analysis = match.analysis(position) if ply.seat == seat else None
        known = analysis and all(move.verdict.known for move in analysis)
        if analysis and known and match.game.symmetries.canonical(position) not in met:
            chosen.append((analysis, ply.move))
    return chosen


RECENT = 30
REMEMBERED = 10
REVIEW_SECONDS = 5.0

PRIOR = (0.44, 0.34, 0.125, 0.06, 0.035)
"""Probability of each level before the first match, from Beginner to Perfect."""
CHANGE = 0.04
"""Probability of rising by one level between two matches. The probability of falling is the same."""
TAIL = 0.05
"""Probability of a level below the interval. The probability of a level above it is the same."""
SURE_WIDTH = 2
"""Maximum width of the interval in levels. If it is wider, the estimate is provisional."""


@dataclass(frozen=True, slots=True)
class Level:
    """A player's estimated level. 0 is the weakest opponent in `LADDER`."""

    rung: float
    low: int
    high: int
    matches: int
    course: tuple[tuple[float, float], ...]
    """Time (in seconds since the epoch) and mean level after each match."""

    @property
    def provisional(self) -> bool:
        return self.high - self.low > SURE_WIDTH

    @property
    def name(self) -> str:
        return LADDER[round(self.rung)]


def write_chances(chances: Chances) -> str:
    """Return chances as text, for example "0:-3.296 4:-0.105"."""
    return " ".join(f"{plies}:{chance:.3f}" for plies, chance in chances.items())


def read_chances(text: str) -> Chances:
    try:
        chances = {int(plies): float(chance) for plies, chance in (each.split(":") for each in text.split())}
    except ValueError:
        chances = {}
    numbers = list(chances)
    if numbers != sorted(numbers) or 0 not in chances or not all(-1e9 < n <= 0 for n in chances.values()):
        raise InputError("A saved match does not count for your level: its data is damaged.")
    return chances


def level_of(known: Sequence[tuple[float, Chances]], sights: Sequence[int]) -> Level | None:
    """Estimate the level by Bayes' rule. Return None if no match is known.

    `known` has the time and the chances of each match, with the oldest first. `sights` are the depths in
    plies of all levels except Perfect.
    """
    if not known:
        return None
    plausible, rung = list(PRIOR), _mean(PRIOR)
    course = []
    for when, told in known:
        risen = [plausible[max(at - 1, 0)] for at in range(len(LADDER))]
        fallen = [plausible[min(at + 1, len(LADDER) - 1)] for at in range(len(LADDER))]
        lengths, logs = list(told), list(told.values())
        seen = [logs[bisect.bisect_right(lengths, plies) - 1] for plies in (*sights, lengths[-1])]
        plausible = [
            ((1 - 2 * CHANGE) * same + CHANGE * (below + above)) * math.exp(log - max(seen))
            for same, below, above, log in zip(plausible, risen, fallen, seen, strict=True)
        ]
        total = sum(plausible)
        plausible = [each / total for each in plausible]
        rung = min(max(_mean(plausible), rung - 1), rung + 1)
        course.append((when, rung))
    upto = list(accumulate(plausible))
    low = next(at for at, share in enumerate(upto) if share > TAIL)
    high = next((at for at, share in enumerate(upto) if share >= 1 - TAIL), len(LADDER) - 1)
    return Level(rung, low, high, len(known), tuple(course))


def _mean(plausible: Sequence[float]) -> float:
    return sum(at * share for at, share in enumerate(plausible))


def level(store: Store, game: AnyGame) -> Level | None:
    """Estimate the player's level; None in a race or before any match. Raises StoreError if reading fails."""
    known = []
    for chances, updated in store.level_data(game.name, RECENT):
        with suppress(InputError):
            known.append((updated, read_chances(chances)))
    return level_of(known, game.players.lookahead)


def chances_text(match: Match, person: int, store: Store, id: int, guests: Guests) -> str:
    """Return level data of a match, without positions that the player may remember from earlier matches."""
    before, met = Filter(start=match.record().start, duel=True, before=id), set[str]()
    for earlier in store.matches(REMEMBERED, before):
        with suppress(InputError):
            steps, seat = Match.from_record(earlier.record, guests).steps(), earlier.record.person
            met.update(
                match.game.symmetries.canonical(position) for ply, position in steps if ply.seat == seat
            )
    made = choices(match, person, met)
    return write_chances(chances(made)) if made else ""


def catch_up(store: Store, game: AnyGame, guests: Guests, control: Control, ready: Callable[[], bool]) -> int:
    """Review unreviewed matches, save the results and return how many matches were reviewed.

    Each position has its own time limit. Duels are reviewed only if `ready()` returns True.
    """
    if not isinstance(game, RaceGame):
        missing = store.unjudged(game.name, RECENT)
        if missing and not ready():
            return 0
    else:
        missing = store.unscored(game.name)
    looked = 0
    for id in missing:
        try:
            match = Match.from_record(store.match(id).record, guests)
        except StoreError:
            raise
        except InputError:
            store.save_level_data(id, "")
            continue
        record = match.record()
        if record.points is not None:
            store.score(id, record.points)
        elif record.person is not None:
            if not _analyse(match, record.person, control):
                break
            store.save_level_data(id, chances_text(match, record.person, store, id, guests))
        looked += 1
    return looked


def _analyse(match: Match, person: int, control: Control) -> bool:
    for ply, position in match.steps():
        if ply.seat == person:
            limit = match.game.explanations.limits.review
            with control.within(REVIEW_SECONDS if limit is None else limit):
                analysis = match.game.solver.moves(position, control)
            if control.stopped:
                return False
            match.learn(position, analysis)
    return True

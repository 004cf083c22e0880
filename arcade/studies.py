"""The puzzles and daily maps that a player can open."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from arcade.engines.registry import AnyGame, random_seed
from arcade.play.match import Match, new_match
from arcade.services import Services
from arcade.store.queries import Ending, Filter
from arcade.store.store import Saved, SavedAs
from arcade.study.daily import ALONE, deal_of
from arcade.study.puzzle_generator import Root, mistakes
from arcade.study.puzzles import PuzzleChoice, PuzzleRun, today

SEARCHED = 200


def puzzle_round(services: Services, choice: PuzzleChoice) -> PuzzleRun:
    seed, game = random_seed(), choice.game.name
    if choice.mode.daily:
        return PuzzleRun(choice, seed, day=today())
    known = [result.puzzle for result in services.puzzle_results(game) if result.day is None]
    roots = (lambda: mistakes_of(services, choice.game)) if choice.own else tuple
    return PuzzleRun(choice, seed, known=known, roots=roots)


def map_of_day(services: Services, game: AnyGame, day: date) -> tuple[Match, SavedAs | None]:
    """Return the player's match on a day's map with its ID and revision, or a new match and None.

    Raises InputError if the saved match is damaged.
    """
    start = deal_of(game, day)
    for unsaved in services.unsaved_matches:
        record = unsaved.match.record()
        if unsaved.match.start == start and record.seats == ALONE and record.counts:
            return unsaved.match, unsaved.saved
    saved: Sequence[Saved] = services.ask(lambda store: store.matches(-1, Filter(start=str(start)))) or []
    made = [each for each in saved if each.record.seats == ALONE and each.record.counts]
    ended = [each for each in made if each.record.result is not None]
    if not made:
        return new_match(start, ALONE), None
    kept = ended[-1] if ended else made[0]
    return Match.from_record(kept.record, services.machines), (kept.id, kept.revision)


def mistakes_of(services: Services, game: AnyGame) -> list[Root]:
    saved = services.store.matches(SEARCHED, Filter(game=game.name, ended=Ending.DONE, played=True))
    return mistakes(game, (each.record for each in saved), services.machines)

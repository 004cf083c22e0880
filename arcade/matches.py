"""The matches that a player can start or continue."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace

from arcade.engines.files import InputError, is_there
from arcade.engines.parameters import Parameters
from arcade.engines.registry import AnyGame, GameID, game_names, parse_game_id, random_seed
from arcade.engines.verdict import Value
from arcade.play import files as match_file
from arcade.play.match import HUMAN, Match, new_match, suggested_players, watched_players
from arcade.play.path import first_match_players, next_step, path_of
from arcade.services import Services
from arcade.store.queries import Filter
from arcade.store.store import Saved


def _from_elsewhere(match: Match) -> Match:
    match.note_unseen()
    return match


def usual_match(services: Services, game: AnyGame) -> Match:
    """Return a new match: the same as the last one or, after a win, the next step of the path."""
    seed = random_seed() if game.parameters.seeded else None
    first = path_of(game)[:1]
    for line in services.store.each(Filter(game=game.name, played=True)):
        with suppress(InputError):
            start = GameID(game, game.parameters.parse(line.size), seed=seed)
            alone = line.seats == (HUMAN,) and line.result is not None
            if line.seen is Value.WIN or (alone and line.size in [step.board for step in first]):
                step = next_step(start, line.seats, services.stars(game))
                if step is not None:
                    return new_match(replace(step.start, seed=seed), step.seats, services.machines)
            return new_match(start, line.seats, services.machines)
    parameters = first[0].start.parameters if first else game.parameters.parse("")
    return new_match(
        GameID(game, parameters, seed=seed), first_match_players(game, services.machines), services.machines
    )


def watched_match(services: Services, game: AnyGame, parameters: Parameters | None = None) -> Match:
    seed = random_seed() if game.parameters.seeded else None
    start = GameID(game, dict(parameters or game.parameters.parse("")), seed=seed)
    return new_match(start, watched_players(game), services.machines)


def match_from(services: Services, text: str, game: AnyGame | None = None) -> Match:
    """Return the match for a game ID, a match file's name or text, or a position of `game`.

    Raises InputError if the text is invalid or the file cannot be read.
    """
    if text.startswith(match_file.OPENING):
        return _from_elsewhere(match_file.load(text, services.machines))
    if game is None or re.split("[:#]", text)[0] in game_names():
        if match_file.is_name(text):
            return _from_elsewhere(match_file.read_file(text, services.machines))
        start = parse_game_id(text)
    else:
        try:
            start = GameID.of(game, game.parse_position(text))
        except InputError:
            if match_file.is_name(text) and (text.endswith(match_file.ENDING) or is_there(text)):
                return _from_elsewhere(match_file.read_file(text, services.machines))
            raise
    seed = random_seed() if start.seed is None else None
    return new_match(start, last_players(services, start.game, start.parameters), services.machines, seed)


def last_players(services: Services, game: AnyGame, parameters: Parameters) -> tuple[str, ...]:
    return suggested_players(services.state.seats_of(game.name), game, parameters, services.machines)


def reopened(services: Services, saved: Saved) -> Match:
    """Return a saved match, including moves not yet saved. Raises InputError if it is damaged."""
    for unsaved in services.unsaved_matches:
        if unsaved.saved == (saved.id, saved.revision):
            return unsaved.match
    return Match.from_record(saved.record, services.machines)

"""A person's own mistakes: positions of finished matches in which they threw the value away."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from arcade.engines.errors import InputError
from arcade.engines.registry import AnyGame
from arcade.match import HUMAN, Mark, Match
from arcade.puzzles.making import Root
from arcade.record import MatchRecord


def mistakes(game: AnyGame, records: Iterable[MatchRecord]) -> list[Root]:
    """The positions before the mistakes of persons in finished matches, each once.

    Args:
        game: matches of other games are left out.
        records: matches; those that cannot be read are left out.
    """
    found: dict[str, Root] = {}
    for record in records:
        bad = any(mark in record.marks for mark in Mark if mark.bad)
        if record.game != game.name or record.result is None or not bad:
            continue
        with suppress(InputError):
            match = Match.from_record(record)
            for ply, position in match.steps():
                if ply.mark and ply.mark.bad and match.seats[ply.seat] == HUMAN:
                    found.setdefault(game.canonical(position), Root(match.start, position))
    return list(found.values())

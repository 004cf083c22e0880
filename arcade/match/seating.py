"""Who can sit where in a match, and who sits there unless a person says otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from arcade.engines.files import InputError
from arcade.engines.game import HasGuests, Kind
from arcade.engines.parameters import Parameters
from arcade.engines.players import PERFECT, RUNGS
from arcade.engines.registry import AnyGame, Guests, is_guest, parse_player
from arcade.match.record import HUMAN


def check_seat(
    game: AnyGame, parameters: Parameters, seat: int, who: str, guests: Guests | None = None
) -> str:
    """A seat notation in its full form, e.g. "fallible:5" for "fallible".

    Raises InputError if there is no such player for this seat: 0 for the first player, 1 for the second.
    """
    if who == HUMAN:
        return who
    if guests is not None and is_guest(game, who):
        guests.check(who, game, parameters, seat)
        return who
    kind, argument = parse_player(game, who)
    return kind.name if kind.argument is None else f"{kind.name}:{argument}"


def fewest_seats(game: AnyGame) -> int:
    """How many seats of a match must be taken; there are never more than two."""
    return 1 if game.kind is Kind.RACE else 2


def default_seats(game: AnyGame, guests: Guests | None = None) -> tuple[str, str]:
    """Who sits where in a person's first match: against a beginner, with the better side."""
    if guests is not None and isinstance(game, HasGuests):
        return game.guest_seats
    opponent = game.player_kinds[0].name
    return (opponent, HUMAN) if game.better_side else (HUMAN, opponent)


def offered_seats(
    last: Sequence[str], game: AnyGame, parameters: Parameters, guests: Guests | None = None
) -> tuple[str, ...]:
    """Who sits where in a new match unless a person says otherwise.

    Those of the person's last match of the game, `last`, if all can be taken, else those of a first match.
    """
    if HUMAN in last and fewest_seats(game) <= len(last) <= 2:
        with suppress(InputError):
            return tuple(check_seat(game, parameters, seat, who, guests) for seat, who in enumerate(last))
    return default_seats(game, guests)


def with_other_level(seats: Sequence[str], by: int) -> list[str] | None:
    """The same seats with an opponent of the one person so many steps harder; None where there is none."""
    ladder = [*RUNGS, PERFECT.name]
    if len(seats) != 2 or seats.count(HUMAN) != 1:
        return None
    other = 1 - seats.index(HUMAN)
    if seats[other] not in ladder or not 0 <= ladder.index(seats[other]) + by < len(ladder):
        return None
    changed = list(seats)
    changed[other] = ladder[ladder.index(seats[other]) + by]
    return changed

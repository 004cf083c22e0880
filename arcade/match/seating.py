"""Who can sit where in a match, and who sits there unless a person says otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from arcade.engines.files import InputError
from arcade.engines.game import HasGuests, Kind
from arcade.engines.parameters import Parameters
from arcade.engines.players import PERFECT, RUNGS
from arcade.engines.registry import AnyGame, GameID, Guests, is_guest, parse_player
from arcade.match.record import HUMAN


def check_seat(
    game: AnyGame, parameters: Parameters, seat: int, who: str, guests: Guests | None = None
) -> str:
    """A seat notation in its full form, e.g. "fallible:5" for "fallible".

    Args:
        game: the game.
        parameters: its parameters.
        seat: 0 for the first player, 1 for the second.
        who: "human", an engine's notation or the name of a guest.
        guests: the available guests.

    Raises:
        InputError: there is no such player for this seat.
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


def first_seats(game: AnyGame, guests: Guests) -> tuple[str, ...]:
    """Who sits where in a person's very first match: against nobody in a race, else as the path begins."""
    if game.kind is Kind.RACE:
        return (HUMAN,)
    path = path_of(game)
    return path[0].seats if path and not isinstance(game, HasGuests) else default_seats(game, guests)


def offered_seats(
    last: Sequence[str], game: AnyGame, parameters: Parameters, guests: Guests | None = None
) -> tuple[str, ...]:
    """Who sits where in a new match unless a person says otherwise.

    Args:
        last: who sat where in the person's last match of the game; empty before the first one.
        game: the game.
        parameters: what it is played with.
        guests: who is there besides the game's own players.

    Returns:
        The same seats as last time if all can be taken, else those of a first match.
    """
    if HUMAN in last and fewest_seats(game) <= len(last) <= 2:
        with suppress(InputError):
            return tuple(check_seat(game, parameters, seat, who, guests) for seat, who in enumerate(last))
    return default_seats(game, guests)


LADDER = (*RUNGS, PERFECT.name)
"""The players of a path's steps, the weakest first."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a game's path: whom to beat, and on which board."""

    game: AnyGame
    number: int
    """From 0."""

    @property
    def opponent(self) -> str:
        return LADDER[self.number]

    @property
    def board(self) -> str:
        """The parameters as in a game ID."""
        return self.game.path[self.number][0]

    @property
    def start(self) -> GameID:
        return GameID(self.game, self.game.parse_parameters(self.board))

    @property
    def seats(self) -> tuple[str, str]:
        return (self.opponent, HUMAN) if self.game.path[self.number][1] else (HUMAN, self.opponent)


def path_of(game: AnyGame) -> list[Step]:
    return [Step(game, number) for number in range(len(game.path))]


def step_of(game: AnyGame, parameters: Parameters, seats: Sequence[str]) -> Step | None:
    """The step of the path that a match is, whatever side the person takes; None for another match."""
    board = game.parameters_text(parameters)
    for step in path_of(game):
        if sorted(seats) == sorted(step.seats) and game.parameters_text(step.start.parameters) == board:
            return step
    return None


def with_other_level(seats: Sequence[str], by: int) -> list[str] | None:
    """The same seats with a harder or easier opponent for the one person.

    Args:
        seats: who sits where.
        by: steps on the ladder of names, 1 for the next harder opponent.

    Returns:
        The new seats; None where there is no such opponent.
    """
    if len(seats) != 2 or seats.count(HUMAN) != 1:
        return None
    other = 1 - seats.index(HUMAN)
    if seats[other] not in LADDER or not 0 <= LADDER.index(seats[other]) + by < len(LADDER):
        return None
    changed = list(seats)
    changed[other] = LADDER[LADDER.index(seats[other]) + by]
    return changed

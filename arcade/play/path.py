"""The path of a game: opponents of rising strength, each on its own board."""

from collections.abc import Sequence
from dataclasses import dataclass

from arcade.engines.players import PERFECT, RUNGS
from arcade.engines.registry import AnyGame, GameID
from arcade.engines.seats import Guests, is_guest
from arcade.play.match import default_seats, min_players
from arcade.store.record import HUMAN
from arcade.store.store import Store

LADDER = (*RUNGS, PERFECT.name)


@dataclass(frozen=True, slots=True)
class Step:
    game: AnyGame
    number: int
    """Number of the step, from 0."""

    @property
    def opponent(self) -> str:
        return self.game.practice.path[self.number].opponent

    @property
    def board(self) -> str:
        return self.game.practice.path[self.number].board

    @property
    def start(self) -> GameID:
        return GameID(self.game, self.game.parameters.parse(self.board))

    @property
    def seats(self) -> tuple[str, str]:
        return (self.opponent, HUMAN) if self.game.practice.path[self.number].side else (HUMAN, self.opponent)


def path_of(game: AnyGame) -> list[Step]:
    return [Step(game, number) for number in range(len(game.practice.path))]


def step_of(start: GameID, seats: Sequence[str]) -> Step | None:
    game = start.game
    board = game.parameters.text(start.parameters)
    for step in () if start.set_up else path_of(game):
        if sorted(seats) == sorted(step.seats) and game.parameters.text(step.start.parameters) == board:
            return step
    return None


def next_step(start: GameID, seats: Sequence[str], stars: Sequence[bool]) -> Step | None:
    """Return the step of the path to play after a match, or None.

    After a solo match or a match against a machine, this is the first step without a star.
    """
    step, others = step_of(start, seats), [who for who in seats if who != HUMAN]
    if step is not None:
        number = step.number + 1
    elif len(seats) - len(others) == 1 and all(is_guest(start.game, who) for who in others):
        number = [*stars, False].index(False)
    else:
        return None
    return next(iter(path_of(start.game)[number:]), None)


def previous_step(start: GameID, seats: Sequence[str]) -> Step | None:
    step = step_of(start, seats)
    return None if step is None or step.number == 0 else path_of(step.game)[step.number - 1]


def first_match_players(game: AnyGame, guests: Guests) -> tuple[str, ...]:
    if min_players(game) == 1:
        return (HUMAN,)
    path = path_of(game)
    return path[0].seats if path and game.players.machine_seats is None else default_seats(game, guests)


def with_other_level(seats: Sequence[str], by: int) -> list[str] | None:
    if len(seats) != 2 or seats.count(HUMAN) != 1:
        return None
    other = 1 - seats.index(HUMAN)
    if seats[other] not in LADDER or not 0 <= LADDER.index(seats[other]) + by < len(LADDER):
        return None
    changed = list(seats)
    changed[other] = LADDER[LADDER.index(seats[other]) + by]
    return changed


def steps_won(store: Store, game: AnyGame) -> list[bool]:
    """Return, for each step, True if it was won without help. Raises StoreError if reading fails."""
    beaten = store.beaten(game.name, PERFECT.name)
    return [(step.board, step.opponent) in beaten for step in path_of(game)]

"""The display state of a match, and functions that depend on a match and its state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from arcade.engines.position import Position
from arcade.engines.verdict import Hint
from arcade.play.keys import Keys
from arcade.play.machines import AnyMachine, Reward
from arcade.play.marks import Ply
from arcade.play.match import HUMAN, Mark, Match
from arcade.play.mistakes import is_nearly_lost
from arcade.play.punishment import Still
from arcade.store.record import Coach

SPEEDS = (4.0, 2.0, 1.0, 0.5, 0.2, 0.05)
"""Seconds per move in watch mode, the slowest first."""

HINT_STEPS = 3

OVER = "The match is over."
NOT_YOUR_TURN = "It is not your turn."
GAME_OVER_HERE = "The game is over here. Go back to an earlier position first."
STILL_SHOWN = "The board is showing a replay. Wait for its end, or stop it first."
LINE_SHOWN = "The board is showing a hint. Press Esc to return to your match."

Offers = Sequence[tuple[str, str]]

WAITING: Offers = (("pause", "continue"), ("forward", "one move"))
RUNNING: Offers = (("pause", "pause"), ("slower", "slower"), ("faster", "faster"))
NEXT_MISTAKE = ("review", "next mistake")
WALKING: Offers = (("back", "back"), ("forward", "on"), ("put_away", "to the match"))
PUNISHMENT = ("punishment", "replay")
PUNISHING: Offers = (("punishment", "stop"),)
ASKED: Offers = (("hint", "hint"), ("put_away", "answer"), ("review", "next"))
ASKED_WITH_HINT: Offers = (("hint", "hint"), ("put_away", "close the hint"), ("review", "next"))
TRYING: Offers = (
    *(("back", "back"), ("forward", "on"), ("put_away", "match")),
    *(NEXT_MISTAKE, ("pause", "play")),
)
ENDED: Offers = (("back", "previous move"), ("source", "why"))
LOOKING_BACK: Offers = (
    *(("back", "back"), ("forward", "on")),
    *(NEXT_MISTAKE, PUNISHMENT),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The display state of a match. By default, everything is shown."""

    keys: Keys
    coach: Coach = Coach.OPEN
    match_number: int = 0
    """Number of the match in its session, from 0."""
    paused: bool = False
    replaying: bool = False
    speed: int = 2
    """An index of `SPEEDS`."""
    looking: int | None = None
    question: int | None = None
    """Index of the mistake for which the player is asked to find a better move."""
    tried: tuple[Any, ...] = ()
    tried_later: tuple[Any, ...] = ()
    hint: Hint[Any] | None = None
    hint_step: int = 0
    hint_sought: bool = False
    walked: int = 0
    stills: tuple[Still, ...] = ()
    """The rest of a punishment replay, starting with the position that is now on the board."""
    values_shown: bool = False
    lengths_shown: bool = False
    """True if the lengths of all moves are shown, not only those of the best moves."""
    verdict_asked: bool = False
    reviewed: frozenset[int] = frozenset()
    taken_back: bool = False
    """True if the moves in `Match.undone` already count as taken back."""
    machines: Mapping[int, AnyMachine] = field(default_factory=dict)
    rewards: tuple[Reward, ...] = ()
    refusing: str = ""
    """Name of a machine that has no bead left for its first move, or ""."""
    challenge_wins: int = 0
    stars: tuple[bool, ...] = ()
    """For each step of the path, True if it was won without help; empty until the match ends."""
    lesson: str | None = None
    """The offer after losses, as `Host.to_learn` returns it."""

    def at_rest(self) -> Self:
        return replace(
            self,
            replaying=False,
            question=None,
            tried=(),
            tried_later=(),
            hint=None,
            hint_step=0,
            hint_sought=False,
            walked=0,
            stills=(),
            verdict_asked=False,
            refusing="",
        )

    @property
    def variation(self) -> tuple[Any, ...]:
        return (*self.tried, *self.tried_later)

    @property
    def hint_whole(self) -> bool:
        return self.hint is not None and self.hint_step == HINT_STEPS


def what_next(keys: Keys) -> str:
    return f"{OVER} Press {keys.named('again')} for a rematch or {keys.named('new')} for a new match."


def branch(match: Match, state: State) -> Position[Any]:
    return match.position.after(state.tried)


def position_shown(match: Match, state: State) -> Position[Any]:
    line = state.hint.line if state.hint is not None else ()
    return branch(match, state).after(line[: state.walked])


def judged_seat(match: Match, state: State) -> int:
    """Return the seat to analyse: the main board's in a race with a human, otherwise the one to move."""
    return match.turn if match.watched or state.tried else match.main_seat(state.looking)


def judged_position(match: Match, state: State) -> Position[Any]:
    seat = judged_seat(match, state)
    return branch(match, state) if seat == match.turn else match.position_of(seat)


def revealed(match: Match, state: State) -> bool:
    if state.question is not None:
        return False
    return match.finished or match.watched or state.coach is Coach.OPEN


def move_refusal(match: Match, state: State) -> str | None:
    """Return why the player may not move; None if a move is allowed."""
    if state.stills:
        return STILL_SHOWN
    if state.walked:
        return LINE_SHOWN
    if match.finished:
        if branch(match, state).outcome() is None:
            return None
        return what_next(state.keys) if match.result else GAME_OVER_HERE
    if match.player_to_move == HUMAN:
        return None
    if state.paused:
        return f"{NOT_YOUR_TURN} Press {state.keys.named('pause')} to let the engine move."
    return NOT_YOUR_TURN


def thinking(match: Match, state: State) -> bool:
    return match.player_to_move not in (HUMAN, None) and not (state.paused or match.finished)


def offers(match: Match, state: State) -> Offers:
    if state.stills:
        return PUNISHING
    if state.walked:
        return WALKING
    if state.question is not None:
        return ASKED if state.hint is None else ASKED_WITH_HINT
    if state.variation:
        return TRYING
    if state.replaying:
        return RUNNING
    if match.finished:
        return ENDED if match.result else LOOKING_BACK
    if match.watched:
        return WAITING if state.paused else RUNNING
    return WAITING if state.paused and match.player_to_move != HUMAN else ()


def can_step(match: Match, state: State, by: int) -> bool:
    if state.walked:
        return state.hint is not None and state.walked + by <= len(state.hint.line)
    if state.hint_whole:
        return by > 0
    if by < 0:
        return bool(match.plies or state.tried)
    if state.variation:
        return bool(state.tried_later)
    return bool(match.undone) or match.player_to_move not in (HUMAN, None)


def can_put_away(state: State) -> bool:
    return bool(state.stills or state.walked or state.variation or state.hint) or state.question is not None


def told_mistake(match: Match, state: State) -> int | None:
    """Return the number of the player's last move if the coach calls it a mistake; otherwise None."""
    if revealed(match, state) or state.coach is not Coach.MISTAKES:
        return None
    numbers = _own_numbers(match)
    if not numbers or match.plies[numbers[-1]].mark is not Mark.BLUNDER:
        return None
    hard = [n for n in numbers if match.plies[n].mark is Mark.BLUNDER and is_nearly_lost(match, n)]
    if numbers[-1] in hard[1:]:
        # The coach has already said that the winning moves are hard to find.
        return None
    return numbers[-1]


def returned_mistake(match: Match, state: State) -> Ply | None:
    number = told_mistake(match, state)
    answers = () if number is None else match.answers(number)
    return next((ply for ply in answers if ply.mark and ply.mark.bad), None)


def coach_looks(match: Match, state: State) -> bool:
    numbers = _own_numbers(match)
    if state.coach is not Coach.MISTAKES or not numbers:
        return False
    return not all(ply.mark for ply in match.coached(numbers[-1]))


def _own_numbers(match: Match) -> list[int]:
    return [number for number, ply in enumerate(match.plies) if match.seats[ply.seat] == HUMAN]

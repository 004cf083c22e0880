"""What is on display of a match, besides the match itself, and what follows from both."""

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
"""Seconds a move in watch mode, the slowest first."""

HINT_STEPS = 3

OVER = "The match is over."
NOT_YOUR_TURN = "It is not your turn."
GAME_OVER_HERE = "The game is over here. Go back to an earlier position first."
STILL_SHOWN = "The board shows a replay: wait for its end, or stop it first."
LINE_SHOWN = "The board shows the moves of a hint: go back to your match first."

Offers = Sequence[tuple[str, str]]
"""Names of actions, and what they are called where they are offered."""

WAITING: Offers = (("pause", "play on"), ("forward", "one move"))
RUNNING: Offers = (("pause", "pause"), ("slower", "slower"), ("faster", "faster"))
NEXT_MISTAKE = ("review", "next mistake")
WALKING: Offers = (("back", "back"), ("forward", "on"), ("put_away", "to the match"))
PUNISHMENT = ("punishment", "replay")
PUNISHING: Offers = (("punishment", "stop"),)
ASKED: Offers = (("hint", "hint"), ("put_away", "answer"), NEXT_MISTAKE)
TRYING: Offers = (
    *(("back", "back"), ("forward", "on"), ("put_away", "match")),
    *(NEXT_MISTAKE, ("pause", "play")),
)
ENDED: Offers = (("back", "look back"),)
LOOKING_BACK: Offers = (
    *(("back", "back"), ("forward", "on")),
    *(NEXT_MISTAKE, PUNISHMENT),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Without other changes a state shows everything that is known of a match."""

    keys: Keys
    """The keys that sentences name."""
    coach: Coach = Coach.OPEN
    match_number: int = 0
    """Which match of a session this is, from 0."""
    paused: bool = False
    """Whether engines wait."""
    replaying: bool = False
    """Whether a finished match is shown move by move."""
    speed: int = 2
    """The number of a speed in `SPEEDS`."""
    looking: int | None = None
    """The seat whose board the player has asked to see."""
    question: int | None = None
    """The number of the mistake, from 0, for which the player is asked to find a better move."""
    tried: tuple[Any, ...] = ()
    """The moves that are tried out in a finished match, as far as they are on the board."""
    tried_later: tuple[Any, ...] = ()
    """The moves of the same variation from which the player has stepped back."""
    hint: Hint[Any] | None = None
    hint_step: int = 0
    """How much of the hint has been asked for, up to `HINT_STEPS`; 0 if none was."""
    hint_sought: bool = False
    walked: int = 0
    """How many moves of the hint's line are on the board."""
    stills: tuple[Still, ...] = ()
    """What is left of a punishment replay; the first is on the board."""
    values_shown: bool = False
    lengths_shown: bool = False
    """Whether the values are shown with all lengths, not only those of the best moves."""
    verdict_asked: bool = False
    """Whether the player has asked for the verdict of this position, although it is hidden."""
    reviewed: frozenset[int] = frozenset()
    """The mistakes, by the numbers of their moves, at which a better move has been asked for."""
    taken_back: bool = False
    """Whether the moves that can be redone have been counted as taken back."""
    machines: Mapping[int, AnyMachine] = field(default_factory=dict)
    """The machine in each seat that has one, as far as it has been read."""
    rewards: tuple[Reward, ...] = ()
    """What machines have learned from the match."""
    refusing: str = ""
    """The name of the machine that has no bead for its first move and refuses to play."""
    challenge_wins: int = 0
    stars: tuple[bool, ...] = ()
    """After the end: whether the player has beaten each step of the game's path."""
    lesson: str | None = None
    """After two losses in a row: what teaches a rule that was missed, "" if there is none; otherwise None."""

    def at_rest(self) -> Self:
        """Nothing is asked, tried out or replayed, and there is no hint."""
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
        """All moves that are tried out."""
        return (*self.tried, *self.tried_later)

    @property
    def hint_whole(self) -> bool:
        return self.hint is not None and self.hint_step == HINT_STEPS


def what_next(keys: Keys) -> str:
    return f"{OVER} {keys.named('again')} plays it again, {keys.named('new')} begins another."


def branch(match: Match, state: State) -> Position[Any]:
    """The position in which a move would be played."""
    return match.position.after(state.tried)


def position_shown(match: Match, state: State) -> Position[Any]:
    line = state.hint.line if state.hint is not None else ()
    return branch(match, state).after(line[: state.walked])


def judged_seat(match: Match, state: State) -> int:
    """The seat on whose board the verdict is: that of the main board if a person plays in a race."""
    return match.turn if match.watched or state.tried else match.main_seat(state.looking)


def judged_position(match: Match, state: State) -> Position[Any]:
    seat = judged_seat(match, state)
    return branch(match, state) if seat == match.turn else match.position_of(seat)


def revealed(match: Match, state: State) -> bool:
    """Whether verdicts, marks and the graph may be seen."""
    if state.question is not None:
        return False
    return match.finished or match.watched or state.coach is Coach.OPEN


def move_refusal(match: Match, state: State) -> str | None:
    """Why no person may move now, as a sentence; None when one may."""
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
        return f"{NOT_YOUR_TURN[:-1]}; {state.keys.named('pause')} lets the engine play on."
    return NOT_YOUR_TURN


def thinking(match: Match, state: State) -> bool:
    """Whether an engine chooses a move."""
    return match.player_to_move not in (HUMAN, None) and not (state.paused or match.finished)


def offers(match: Match, state: State) -> Offers:
    """What is offered below the board."""
    if state.stills:
        return PUNISHING
    if state.walked:
        return WALKING
    if state.question is not None:
        return ASKED
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
    """The number of the player's last move, from 0, if the coach calls it a mistake."""
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
    """The answer that gave back what the player's last move had given away."""
    number = told_mistake(match, state)
    answers = () if number is None else match.answers(number)
    return next((ply for ply in answers if ply.mark and ply.mark.bad), None)


def coach_looks(match: Match, state: State) -> bool:
    """Whether the last move of the player, or an answer to it, is still unmarked."""
    numbers = _own_numbers(match)
    if state.coach is not Coach.MISTAKES or not numbers:
        return False
    return not all(ply.mark for ply in match.coached(numbers[-1]))


def _own_numbers(match: Match) -> list[int]:
    return [number for number, ply in enumerate(match.plies) if match.seats[ply.seat] == HUMAN]

"""Preconditions of the actions of a match."""

from dataclasses import dataclass, replace
from typing import TypeAlias

from arcade.engines.files import InputError
from arcade.play.match import HUMAN, Match, check_seat, new_match
from arcade.play.mistakes import own, own_mistakes
from arcade.play.path import next_step, previous_step, with_other_level
from arcade.play.punishment import shown_mistake
from arcade.play.state import (
    GAME_OVER_HERE,
    HINT_STEPS,
    NOT_YOUR_TURN,
    OVER,
    SPEEDS,
    State,
    branch,
    can_put_away,
    can_step,
    move_refusal,
    revealed,
    told_mistake,
    what_next,
)

Refusal: TypeAlias = str | None
"""Reason why an action is unavailable, or `SILENT`; None if the action is available."""

SILENT = ""


def _unless(possible: object) -> Refusal:
    return None if possible else SILENT


@dataclass(frozen=True, slots=True)
class Moment:
    match: Match
    state: State

    def to_undo(self) -> Refusal:
        match, state = self.match, self.state
        if state.tried:
            return None
        if not match.watched and not own(match, match.plies) and match.resigned is None:
            return "You have no move to take back."
        resigned = match.result and match.resigned is not None
        return None if match.plies or resigned else "Nothing to take back."

    def to_redo(self) -> Refusal:
        return None if self.match.undone else "Nothing to redo."

    def to_hint(self) -> Refusal:
        match, state = self.match, self.state
        if (match.result and not state.tried) or branch(match, state).outcome() is not None:
            return f"{OVER} Go back with {state.keys.named('back')} to get a hint for an earlier position."
        if state.stills or state.walked or state.hint_step == HINT_STEPS:
            return SILENT
        thinking = (
            not match.finished and not match.watched and match.player_to_move != HUMAN and not state.paused
        )
        return NOT_YOUR_TURN if thinking else None

    def to_move(self) -> Refusal:
        return move_refusal(self.match, self.state)

    def to_sit(self) -> Refusal:
        return what_next(self.state.keys) if self.match.finished else None

    def to_pause(self) -> Refusal:
        match, state = self.match, self.state
        if state.replaying:
            return None
        if not match.finished:
            return "It is your move." if match.player_to_move == HUMAN else None
        if len(match.boards) > 1 and len(state.tried) > 1:
            return "The players take turns, so you can continue only from the first move you tried."
        return GAME_OVER_HERE if branch(match, state).outcome() is not None else None

    def to_step(self, by: int) -> Refusal:
        return _unless(can_step(self.match, self.state, by))

    def to_review(self) -> Refusal:
        if not self.match.finished:
            key = self.state.keys.named("review")
            return f"When the match is over, press {key} to go through your mistakes."
        return None if own_mistakes(self.match) else "No mistakes found."

    def to_punish(self) -> Refusal:
        match, state = self.match, self.state
        if not match.finished:
            key = state.keys.named("punishment")
            return (
                f"When the match is over, press {key} to replay your mistake, the reply and the missed move."
            )
        return None if shown_mistake(match, state.question) is not None else "No mistakes found."

    def to_play_again(self) -> Refusal:
        key = self.state.keys.named("again")
        return None if self.match.finished else f"When the match is over, press {key} for a rematch."

    def to_change_sides(self) -> Refusal:
        match = self.match
        if not match.finished:
            return self.to_play_again()
        if len(match.seats) < 2:
            return "A solo match has only one side."
        try:
            for seat, who in enumerate(reversed(match.seats)):
                check_seat(match.game, match.parameters, seat, who, match.guests)
        except InputError as error:
            return str(error)
        return None

    def to_learn(self) -> Refusal:
        return _unless(self.match.finished and self.match.game.teaching.lessons)

    def to_change_speed(self, by: int) -> Refusal:
        match, state = self.match, self.state
        if match.finished and not state.replaying:
            return _unless(other_level(match, state, by) is not None)
        watching = match.watched or state.replaying
        return _unless(watching and 0 <= state.speed + by < len(SPEEDS))

    def to_see_source(self) -> Refusal:
        """Refuse silently in a race, where the bounds of the score are always shown."""
        match, state = self.match, self.state
        if match.points(match.position) is not None:
            return SILENT
        if match.result and not state.tried:
            return _unless(match.decisive_mistake() is not None)
        return _unless(revealed(match, state) or told_mistake(match, state) is not None)

    def to_see_other_board(self) -> Refusal:
        return None if len(self.match.boards) > 1 else "This match has only one board."

    def to_see_machine(self) -> Refusal:
        return _unless(any(self.match.guest(seat) is not None for seat in range(len(self.match.seats))))

    def to_resign(self) -> Refusal:
        persons = self.match.player_to_move == HUMAN
        return self.to_sit() or (None if persons else "You can resign only on your turn.")

    def to_restart(self) -> Refusal:
        return _unless(self.match.plies or self.state.tried or self.state.walked)

    def to_replay(self) -> Refusal:
        if not self.match.finished:
            return "When the match is over, you can watch it from the first move."
        return _unless(self.match.line)

    def to_put_away(self) -> Refusal:
        return _unless(can_put_away(self.state))


def other_level(match: Match, state: State, by: int) -> Match | None:
    """Return a match at the next (`by` is 1) or previous (`by` is -1) step of the path.

    If there is no such step, only the opponent's level changes. Return None if it cannot change either.
    """
    start, seated = match.start, match.seats
    step = next_step(start, seated, state.stars) if by > 0 else previous_step(start, seated)
    if step is not None:
        seed = match.start.seed
        start = replace(step.start, seed=None if seed is None else seed + 1)
        return new_match(start, step.seats, match.guests)
    seats = with_other_level(match.seats, by)
    return new_match(match.start, seats, match.guests, match.seed + 1) if seats else None

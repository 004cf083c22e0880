"""What can be done with a match: one table, from which every front end takes its keys, words and commands."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from arcade.engines import files
from arcade.engines.files import InputError
from arcade.engines.wording import capital
from arcade.play.keys import KEYS, WORDS, key_of
from arcade.play.match import HUMAN, Match, check_seat, new_match
from arcade.play.mistakes import own, own_mistakes
from arcade.play.path import Step, step_of, with_other_level
from arcade.play.state import (
    GAME_OVER_HERE,
    HINT_STEPS,
    NOT_YOUR_TURN,
    OVER,
    SPEEDS,
    Offers,
    State,
    branch,
    can_put_away,
    can_step,
    move_refusal,
    revealed,
    what_next,
)

Refusal = Callable[[Match, State], str | None]
"""Why something cannot be done now, as a sentence, empty where nothing need be said; None when it can."""


def _if(possible: Callable[[Match, State], object], otherwise: str = "") -> Refusal:
    return lambda match, state: None if possible(match, state) else otherwise


def _if_going_on(match: Match, state: State) -> str | None:
    return what_next() if match.finished else None


def _undo(match: Match, state: State) -> str | None:
    if state.tried:
        return None
    if not match.watched and not own(match, match.plies) and match.resigned is None:
        return "There is no move of yours to take back."
    resigned = match.result and match.resigned is not None
    return None if match.plies or resigned else "There is nothing to take back."


def _review(match: Match, state: State) -> str | None:
    if not match.finished:
        return f"After the match, {key_of('review')} asks you for a better move at each mistake."
    return None if own_mistakes(match) else "No mistake is known."


def _pause(match: Match, state: State) -> str | None:
    if state.replaying:
        return None
    if not match.finished:
        return "It is your move." if match.to_move == HUMAN else None
    if len(match.boards) > 1 and len(state.tried) > 1:
        return "Both place in turn, so you can only go on from the first move that you tried out."
    return GAME_OVER_HERE if branch(match, state).outcome() is not None else None


def _speed(by: int) -> Refusal:
    def refusal(match: Match, state: State) -> str | None:
        if match.finished and not state.replaying:
            return "" if other_level(match, state, by) is None else None
        watching = match.watched or state.replaying
        return None if watching and 0 <= state.speed + by < len(SPEEDS) else ""

    return refusal


def _replay(match: Match, state: State) -> str | None:
    if not match.finished:
        return "After the match it can be watched from the first move."
    return None if match.line else ""


def _again(match: Match, state: State) -> str | None:
    return None if match.finished else f"After the match, {key_of('again')} plays it again."


def _other_side(match: Match, state: State) -> str | None:
    if not match.finished:
        return _again(match, state)
    if len(match.seats) < 2:
        return "This match has one side only."
    try:
        for seat, who in enumerate(reversed(match.seats)):
            check_seat(match.game, match.parameters, seat, who, match.guests)
    except InputError as error:
        return str(error)
    return None


def _resign(match: Match, state: State) -> str | None:
    persons = match.to_move == HUMAN
    return _if_going_on(match, state) or (None if persons else "Only the person whose turn it is can resign.")


def _hint(match: Match, state: State) -> str | None:
    if (match.result and not state.tried) or branch(match, state).outcome() is not None:
        return f"{OVER} Go back with {key_of('back')} to get a hint for an earlier position."
    if state.walked or state.hint_step == HINT_STEPS:
        return ""
    thinking = not match.finished and not match.watched and match.to_move != HUMAN and not state.paused
    return NOT_YOUR_TURN if thinking else None


def _source(match: Match, state: State) -> bool:
    """Whether the shown verdict has a proof to explain; a score always shows its limits."""
    value = match.points(match.turn) is None and revealed(match, state)
    return value and bool(state.tried or not match.result)


def _other_board(match: Match, state: State) -> str | None:
    return None if len(match.boards) > 1 else "This match has one board only."


def with_machine(match: Match, state: State) -> bool:
    return any(match.guest(seat) is not None for seat in range(len(match.seats)))


FOOTER = ("new", "undo", "hint", "values", "pause")


@dataclass(frozen=True, slots=True)
class Action:
    name: str
    """Its keys are under this name in keys.toml."""
    word: str
    help: str
    refusal: Refusal
    """Its precondition."""


def _always(match: Match, state: State) -> None:
    return None


_REFUSALS: dict[str, Refusal] = {
    "undo": _undo,
    "redo": _if(lambda match, state: match.undone, "There is nothing to play again."),
    "hint": _hint,
    "seats": _if_going_on,
    "pause": _pause,
    "forward": _if(lambda match, state: can_step(match, state, 1)),
    "back": _if(lambda match, state: can_step(match, state, -1)),
    "review": _review,
    "again": _again,
    "other_side": _other_side,
    "lesson": _if(lambda match, state: match.finished and match.game.teaching.lessons),
    "faster": _speed(1),
    "slower": _speed(-1),
    "source": _if(_source),
    "other_board": _other_board,
    "projector": _if(with_machine),
    "boxes": _if(with_machine),
    "laboratory": _if(with_machine),
    "type": move_refusal,
    "write": lambda match, state: files.FORBIDDEN if files.forbidden() else None,
    "resign": _resign,
    "restart": _if(lambda match, state: match.plies or state.tried or state.walked),
    "replay": _replay,
    "put_away": _if(lambda match, state: can_put_away(state)),
}
"""The preconditions of the actions; those that are missing here are always possible."""

ACTIONS = {
    name: Action(name, words["word"], words.get("help") or KEYS[name].meaning, _REFUSALS.get(name, _always))
    for name, words in WORDS["actions"].items()
}


def refusals(match: Match, state: State) -> dict[str, str]:
    """The names of the actions that are impossible now, each with the reason, which may be empty."""
    found = ((name, action.refusal(match, state)) for name, action in ACTIONS.items())
    return {name: refusal for name, refusal in found if refusal is not None}


def other_level(match: Match, state: State, by: int) -> Match | None:
    """A match against a harder or easier opponent: the next step of the path, or else on the same board."""
    step = step_of(match.start, match.seats)
    number = step.number + by if step is not None else -1
    others = [seat for seat, who in enumerate(match.seats) if who != HUMAN]
    if by > 0 and len(match.seats) - len(others) == 1 and all(map(match.guest, others)):
        # After a match against a machine, or a map made alone, the path begins.
        number = [*state.stars, False].index(False)
    if 0 <= number < len(match.game.practice.path):
        step = Step(match.game, number)
        seed = match.start.seed
        start = replace(step.start, seed=None if seed is None else seed + 1)
        return new_match(start, step.seats, match.guests)
    seats = with_other_level(match.seats, by)
    return new_match(match.start, seats, match.guests, match.seed + 1) if seats else None


def end_offers(match: Match, state: State) -> Offers:
    """What is offered after the end, up to three actions."""
    result = match.ending
    again, easier = ("again", "again"), ("slower", "easier")
    others = [("review", "find better moves"), ("other_side", "other side"), ("replay", "watch it")]
    winner = match.seats[result.winner] if result is not None and result.winner is not None else None
    if match.watched:
        offers = [again, *others[1:]]
    elif winner == HUMAN or match.seats == [HUMAN]:
        offers = [("faster", _next_words(match, state)), again, *others]
    elif winner is None or state.lesson is None:
        offers = [again, others[0], easier, *others[1:]]
    else:
        offers = [*([("lesson", state.lesson)] if state.lesson else []), easier, again, *others]
    return [offer for offer in offers if ACTIONS[offer[0]].refusal(match, state) is None][:3]


def fitting(match: Match, state: State) -> tuple[str, ...]:
    """The names of the actions that fit the moment, the most useful first; some may be impossible."""
    if match.finished:
        offered = (name for name, _ in end_offers(match, state))
        return tuple(dict.fromkeys((*offered, "review", "again", "other_side", "faster", "slower", "replay")))
    if match.to_move == HUMAN:
        return ("hint", "undo", "values", "type", "resign", "seats", "new")
    return ("pause", "faster", "slower", "forward", "resign", "seats", "new")


def _next_words(match: Match, state: State) -> str:
    harder = other_level(match, state, 1)
    if harder is None or step_of(harder.start, harder.seats) is None:
        return "harder"
    words = f"next: {capital(next(who for who in harder.seats if who != HUMAN))}"
    if step_of(match.start, match.seats) is None or harder.parameters == match.parameters:
        return words
    return f"{words} on {match.game.parameters_text(harder.parameters)}"

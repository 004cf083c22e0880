"""What can be done with a match: one table, from which every front end takes its keys, words and commands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from arcade.engines import files
from arcade.engines.files import InputError
from arcade.engines.game import Kind
from arcade.engines.wording import capital
from arcade.play.analysis import GROUP as JUDGING
from arcade.play.engine import SPEEDS
from arcade.play.hints import STEPS
from arcade.play.jobs import Changed
from arcade.play.keys import KEYS, WORDS, key_of
from arcade.play.match import HUMAN, Match, check_seat, new_match
from arcade.play.mistakes import own, own_mistakes
from arcade.play.modes import (
    GAME_OVER_HERE,
    NOT_YOUR_TURN,
    OVER,
    FindingBetter,
    LookingBack,
    Offers,
    Replaying,
    TryingOut,
    what_next,
)
from arcade.play.path import Step, step_of, with_other_level

if TYPE_CHECKING:
    from arcade.play.session import Session

Deed = Callable[["Session"], object]
Refusal = Callable[["Session"], str | None]
"""Why something cannot be done now, as a sentence, empty where nothing need be said; None when it can."""


def _where(possible: Callable[[Session], object], otherwise: str = "") -> Refusal:
    return lambda session: None if possible(session) else otherwise


def _if_over(session: Session) -> str | None:
    return what_next() if session.match.finished else None


# To and fro.


def _no_undo(session: Session) -> str | None:
    match = session.match
    if session.mode.tried:
        return None
    if not match.watched and not own(match, match.plies) and match.resigned is None:
        return "There is no move of yours to take back."
    resigned = match.result and match.resigned is not None
    return None if match.plies or resigned else "There is nothing to take back."


def _undo(session: Session) -> None:
    if session.mode.tried:
        tried = session.mode.tried[:-1]
        session.show(TryingOut(session, tried) if tried else LookingBack(session))
        return
    persons = bool(own(session.match, session.match.plies))
    shorter = session.match.taken_back()
    assert shorter is not None, "else it is refused"
    while persons and shorter.to_move != HUMAN and shorter.undo():
        pass
    if not shorter.watched:
        shorter.takebacks += 1
        session.taken_back = True
    session.go_on_with(shorter)


def _redo(session: Session) -> None:
    match = session.match
    match.redo()
    while not match.watched and match.to_move not in (HUMAN, None) and match.redo():
        pass
    session.moved()


def _step(by: int) -> Deed:
    return lambda session: session.mode.step(by)


def _no_review(session: Session) -> str | None:
    if not session.match.finished:
        return f"After the match, {key_of('review')} asks you for a better move at each mistake."
    return None if own_mistakes(session.match) else "No mistake is known."


def _review(session: Session) -> None:
    match = session.match
    turned = match.turning_point()
    left = [number for number in own_mistakes(match) if number not in session.reviewed]
    if not left:
        session.reviewed.clear()
        if match.undone:
            session.go_to(len(match.line))
            session.say("You have looked at all mistakes.")
            return
        left = own_mistakes(match)
    number = min(left, key=lambda number: (-match.line[number].lost, number != turned))
    session.reviewed.add(number)
    session.go_to(number)
    session.mode = FindingBetter(session, number)
    session.tell(Changed())


# Engines, and other matches.


def _no_pause(session: Session) -> str | None:
    if session.mode.replaying:
        return None
    match, mode = session.match, session.mode
    if not match.finished:
        return "It is your move." if match.to_move == HUMAN else None
    if match.game.kind is Kind.RACE and len(match.seats) > 1 and len(mode.tried) > 1:
        return "Both place in turn, so you can only go on from the first move that you tried out."
    return GAME_OVER_HERE if mode.branch.outcome() is not None else None


def _pause(session: Session) -> None:
    """Let the engines play, or pause them; end a replay; go on from a finished match in a new one."""
    if session.mode.replaying:
        session.stop(but=JUDGING)
        session.mode = LookingBack(session)
        session.tell(Changed())
        return
    if not session.match.finished:
        session.moved(save=False, paused=not session.mode.paused)
        return
    match = session.match.continued()
    if (match.plies or session.mode.tried) and not match.watched:
        # Its person has seen what the moves were worth.
        match.takebacks += 1
    for move in session.mode.tried:
        # A player who tries out moves plays both sides.
        match.play(move, by=HUMAN)
    session.go_on_with(match)


def _replay(session: Session) -> None:
    session.go_to(0)
    session.mode = Replaying(session)
    session.tell(Changed())


def _other_level(session: Session, by: int) -> Match | None:
    """A match against a harder or easier opponent: the next step of the path, or else on the same board."""
    match = session.match
    step = step_of(match.start, match.seats)
    number = step.number + by if step is not None else -1
    others = [seat for seat, who in enumerate(match.seats) if who != HUMAN]
    if by > 0 and len(match.seats) - len(others) == 1 and all(map(match.guest, others)):
        # Whoever has met the machine of a game, or made a map alone, has the path before them.
        number = [*session.services.stars(match.game), False].index(False)
    if 0 <= number < len(match.game.path):
        step = Step(match.game, number)
        seed = match.start.seed
        return new_match(
            replace(step.start, seed=None if seed is None else seed + 1), step.seats, match.guests
        )
    seats = with_other_level(match.seats, by)
    return new_match(match.start, seats, match.guests, match.seed + 1) if seats else None


def _no_speed(by: int) -> Refusal:
    def refusal(session: Session) -> str | None:
        match, replaying = session.match, session.mode.replaying
        if match.finished and not replaying:
            return "" if _other_level(session, by) is None else None
        watching = match.watched or replaying
        return None if watching and 0 <= session.speed + by < len(SPEEDS) else ""

    return refusal


def _speed(by: int) -> Deed:
    """Watch faster or slower; after the end, play against a harder or easier opponent."""

    def change(session: Session) -> None:
        if session.match.finished and not session.mode.replaying:
            session.begin(_other_level(session, by) or session.match)
        else:
            session.speed += by
            session.tell(Changed())

    return change


def _no_replay(session: Session) -> str | None:
    if not session.match.finished:
        return "After the match it can be watched from the first move."
    return None if session.match.line else ""


def _not_again(session: Session) -> str | None:
    return None if session.match.finished else f"After the match, {key_of('again')} plays it again."


def _no_other_side(session: Session) -> str | None:
    match = session.match
    if not match.finished:
        return _not_again(session)
    if len(match.seats) < 2:
        return "This match has one side only."
    try:
        for seat, who in enumerate(reversed(match.seats)):
            check_seat(match.game, match.parameters, seat, who, match.guests)
    except InputError as error:
        return str(error)
    return None


def _no_resigning(session: Session) -> str | None:
    persons = session.match.to_move == HUMAN
    return _if_over(session) or (None if persons else "Only the person whose turn it is can resign.")


def _resign(session: Session) -> None:
    session.match.resign(session.match.turn)
    session.moved()


# Help.


def _no_hint(session: Session) -> str | None:
    match, mode = session.match, session.mode
    if (match.result and not mode.tried) or mode.branch.outcome() is not None:
        return f"{OVER} Go back with {key_of('back')} to get a hint for an earlier position."
    if mode.walked or session.hints.step == STEPS:
        return ""
    thinking = not match.finished and not match.watched and match.to_move != HUMAN and not mode.paused
    return NOT_YOUR_TURN if thinking else None


# Other boards, machines, files.


def _verdict_seen(session: Session) -> bool:
    match, mode = session.match, session.mode
    return match.game.kind is Kind.DUEL and mode.revealed and bool(mode.tried or not match.result)


def _no_other_board(session: Session) -> str | None:
    if session.match.game.kind is Kind.DUEL:
        return ""
    return None if len(session.match.seats) > 1 else "This match has one board only."


def _with_machine(session: Session) -> bool:
    return any(session.match.guest(seat) is not None for seat in range(len(session.match.seats)))


FOOTER = ("new", "undo", "hint", "values", "pause")


@dataclass(frozen=True, slots=True)
class Action:
    name: str
    """Its keys are under this name in keys.toml."""
    word: str
    help: str
    do: Deed | None = None
    refusal: Refusal = lambda session: None


_DEEDS: dict[str, tuple[Deed | None, Refusal]] = {
    "undo": (_undo, _no_undo),
    "redo": (_redo, _where(lambda session: session.match.undone, "There is nothing to play again.")),
    "hint": (lambda session: session.hints.ask(), _no_hint),
    "seats": (None, _if_over),
    "pause": (_pause, _no_pause),
    "forward": (_step(1), _where(lambda session: session.mode.can_step(1))),
    "back": (_step(-1), _where(lambda session: session.mode.can_step(-1))),
    "review": (_review, _no_review),
    "again": (lambda session: session.again(), _not_again),
    "other_side": (lambda session: session.again(session.match.seats[::-1]), _no_other_side),
    "lesson": (None, _where(lambda session: session.match.finished and session.match.game.lessons)),
    "faster": (_speed(1), _no_speed(1)),
    "slower": (_speed(-1), _no_speed(-1)),
    "source": (None, _where(_verdict_seen)),
    "other_board": (None, _no_other_board),
    "projector": (None, _where(_with_machine)),
    "boxes": (None, _where(_with_machine)),
    "laboratory": (None, _where(_with_machine)),
    "type": (None, lambda session: session.mode.move_refusal),
    "write": (None, lambda session: files.FORBIDDEN if files.forbidden() else None),
    "resign": (_resign, _no_resigning),
    "restart": (
        lambda session: session.go_to(0),
        _where(lambda session: session.match.plies or session.mode.tried or session.mode.walked),
    ),
    "replay": (_replay, _no_replay),
    "put_away": (lambda session: session.mode.escape(), _where(lambda session: session.mode.can_escape)),
}
"""What does an action, and what can be against it; for all others the front end does it at any time."""

ACTIONS = {
    name: Action(name, words["word"], words.get("help") or KEYS[name].meaning, *_DEEDS.get(name, ()))
    for name, words in WORDS["actions"].items()
}


def end_card(session: Session) -> Offers:
    match, result = session.match, session.match.ending
    again, easier = ("again", "again"), ("slower", "easier")
    others = [("review", "find better moves"), ("other_side", "other side"), ("replay", "watch it")]
    winner = match.seats[result.winner] if result is not None and result.winner is not None else None
    if match.watched:
        offers = [again, *others[1:]]
    elif winner == HUMAN or match.seats == [HUMAN]:
        offers = [("faster", _next_words(session)), again, *others]
    elif winner is None or (lesson := session.services.to_learn(match)) is None:
        offers = [again, others[0], easier, *others[1:]]
    else:
        offers = [*([("lesson", lesson)] if lesson else []), easier, again, *others]
    return [offer for offer in offers if ACTIONS[offer[0]].refusal(session) is None][:3]


def fitting(session: Session) -> tuple[str, ...]:
    """The names of the actions that fit the moment, what fits best first, if they are possible."""
    match = session.match
    if match.finished:
        offered = (name for name, _ in end_card(session))
        return tuple(dict.fromkeys((*offered, "review", "again", "other_side", "faster", "slower", "replay")))
    if match.to_move == HUMAN:
        return ("hint", "undo", "values", "type", "resign", "seats", "new")
    return ("pause", "faster", "slower", "forward", "resign", "seats", "new")


def _next_words(session: Session) -> str:
    match, harder = session.match, _other_level(session, 1)
    if harder is None or step_of(harder.start, harder.seats) is None:
        return "harder"
    words = f"next: {capital(next(who for who in harder.seats if who != HUMAN))}"
    if step_of(match.start, match.seats) is None or harder.parameters == match.parameters:
        return words
    return f"{words} on {match.game.parameters_text(harder.parameters)}"

"""What can be done with a match: one table, from which every front end takes its keys, words and commands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arcade.engines import files
from arcade.engines.files import InputError
from arcade.engines.game import Kind
from arcade.match.match import HUMAN
from arcade.match.seating import check_seat, with_other_level
from arcade.session.engine import SPEEDS
from arcade.session.jobs import Changed
from arcade.session.mistakes import mistakes, own, own_mistakes

if TYPE_CHECKING:
    from arcade.session.session import Session

OVER = "The match is over."
WHAT_NEXT = f"{OVER} A plays it again, n begins a new one."
NOT_YOUR_TURN = "It is not your turn."
GAME_OVER_HERE = "The game is over here. Go back to an earlier position first."

Refusal = Callable[["Session"], str | None]
"""Why something cannot be done now, as a sentence, empty where nothing need be said; None when it can."""


def _never(session: Session) -> str | None:
    return None


def _silent_unless(possible: Callable[[Session], object]) -> Refusal:
    return lambda session: None if possible(session) else ""


def _if_over(session: Session) -> str | None:
    return WHAT_NEXT if session.match.finished else None


def _until_over(sentence: str) -> Refusal:
    return lambda session: None if session.match.finished else sentence


def _undo(session: Session) -> str | None:
    match = session.match
    if session.mode.tried:
        return None
    if not match.watched and not own(match, match.plies) and match.resigned is None:
        return "There is no move of yours to take back."
    resigned = match.result and match.resigned is not None
    return None if match.plies or resigned else "There is nothing to take back."


def _redo(session: Session) -> str | None:
    return None if session.match.undone else "There is nothing to play again."


def _hint(session: Session) -> str | None:
    match, mode = session.match, session.mode
    if (match.result and not mode.tried) or mode.branch.outcome() is not None:
        return f"{OVER} Go back with , to get a hint for an earlier position."
    if mode.walked or session.hints.whole:
        return ""
    thinking = not match.finished and not match.watched and match.to_move != HUMAN and not mode.paused
    return NOT_YOUR_TURN if thinking else None


def _pause(session: Session) -> str | None:
    if session.mode.replaying:
        return None
    if session.match.finished:
        return GAME_OVER_HERE if session.mode.branch.outcome() is not None else None
    return "It is your move." if session.match.to_move == HUMAN else None


def _mistake(by: int) -> Refusal:
    def refusal(session: Session) -> str | None:
        here = len(session.match.plies)
        if not session.mode.revealed and session.mode.question is None:
            return "Mistakes are shown after the match. C changes the coach."
        if any(number < here if by < 0 else number > here for number in mistakes(session.match)):
            return None
        return f"No mistake is known {'before' if by < 0 else 'after'} this move."

    return refusal


def _better(session: Session) -> str | None:
    if not session.match.finished:
        return "After the match, F asks you for a better move at each mistake."
    return None if own_mistakes(session.match) else "No mistake of yours is known."


_again = _until_over("After the match, A plays it again; R goes back to its start.")


def _other_side(session: Session) -> str | None:
    match = session.match
    if not match.finished:
        return _again(session)
    if len(match.seats) < 2:
        return "This match has one side only."
    try:
        for seat, who in enumerate(reversed(match.seats)):
            check_seat(match.game, match.parameters, seat, who, match.guests)
    except InputError as error:
        return str(error)
    return None


def _speed(by: int) -> Refusal:
    def possible(session: Session) -> bool:
        match, replaying = session.match, session.mode.replaying
        if match.finished and not replaying:
            return with_other_level(match.seats, by) is not None
        return match.watched | replaying and 0 <= session.speed + by < len(SPEEDS)

    return _silent_unless(possible)


def _other_board(session: Session) -> str | None:
    if session.match.game.kind is Kind.DUEL:
        return ""
    return None if len(session.match.seats) > 1 else "This match has one board only."


def _resign(session: Session) -> str | None:
    if session.match.to_move == HUMAN:
        return _if_over(session)
    return _if_over(session) or "Only the person whose turn it is can resign."


def _write(session: Session) -> str | None:
    return files.FORBIDDEN if files.forbidden() else None


def _step(by: int) -> Refusal:
    return _silent_unless(lambda session: session.mode.can_step(by))


def _machine(session: Session) -> str | None:
    match = session.match
    return None if any(match.guest(seat) is not None for seat in range(len(match.seats))) else ""


def _away_from_start(session: Session) -> object:
    return session.match.plies or session.mode.tried or session.mode.walked


def _give_up(session: Session) -> None:
    session.match.resign(session.match.turn)
    session.moved()


def _change(by: int) -> Callable[[Session], None]:
    """Watch faster or slower; after the end, play against a harder or easier opponent."""

    def change(session: Session) -> None:
        seats = with_other_level(session.match.seats, by)
        if session.match.finished and not session.mode.replaying and seats is not None:
            session.again(seats)
        else:
            session.speed += by
            session.tell(Changed())

    return change


DISPLAYED = {"full_stop": ".", "comma": ",", "plus": "+", "minus": "-", "escape": "Esc"}
"""What keys are called that Textual calls otherwise."""

FOOTER = ("new", "undo", "redo", "hint", "values", "graph", "seats", "pause")
"""The actions whose keys stand in the footer."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something that can be done with a match."""

    name: str
    keys: str
    """The keys, as Textual calls them, separated by commas; empty for none."""
    word: str
    """What the footer and the list of commands call it."""
    help: str
    do: Callable[[Session], object] | None = None
    """Does it; None where the front end does it."""
    refusal: Refusal = _never

    @property
    def key(self) -> str:
        """The first key, as a person calls it."""
        first = self.keys.partition(",")[0]
        return DISPLAYED.get(first, first)


_TABLE = (
    Action("new", "n", "New", "New match: size, seats, level"),
    Action("undo", "u", "Undo", "Take back to your last move", lambda session: session.undo(), _undo),
    Action("redo", "r", "Redo", "Play again what was taken back", lambda session: session.redo(), _redo),
    Action("hint", "i", "Hint", "Hint: where, which, why", lambda session: session.hints.ask(), _hint),
    Action(
        "values",
        "v",
        "Values",
        "Show or hide what every move is worth",
        lambda session: session.show_values(),
    ),
    Action("graph", "g", "Graph", "Moves or value graph"),
    Action("seats", "c", "Seats", "Change who plays", None, _if_over),
    Action("coach", "C", "Coach", "How much the coach says: nothing, mistakes, everything"),
    Action(
        "pause",
        "p",
        "Play",
        "Let the engines play, or pause them; after the end, go on from here",
        lambda session: session.pause(),
        _pause,
    ),
    Action(
        "forward", "full_stop", "Step", "One move forward", lambda session: session.mode.step(1), _step(1)
    ),
    Action("back", "comma", "Step back", "One move back", lambda session: session.mode.step(-1), _step(-1)),
    Action(
        "mistake",
        "m",
        "Mistake",
        "Back to the mistake before",
        lambda session: session.to_mistake(-1),
        _mistake(-1),
    ),
    Action(
        "next_mistake",
        "M",
        "Next mistake",
        "On to the next mistake",
        lambda session: session.to_mistake(1),
        _mistake(1),
    ),
    Action(
        "better",
        "F",
        "Find better",
        "Find the better move at each mistake",
        lambda session: session.find_better(),
        _better,
    ),
    Action("again", "A", "Again", "The same match again", lambda session: session.again(), _again),
    Action(
        "other_side",
        "O",
        "Other side",
        "The same match from the other side",
        lambda session: session.again(session.match.seats[::-1]),
        _other_side,
    ),
    Action("source", "V", "Source", "Where the verdict comes from"),
    Action(
        "faster",
        "plus,equals_sign",
        "Faster",
        "Watch faster; after the end, a harder opponent",
        _change(1),
        _speed(1),
    ),
    Action(
        "slower",
        "minus",
        "Slower",
        "Watch slower; after the end, an easier opponent",
        _change(-1),
        _speed(-1),
    ),
    Action("other_board", "z", "Map", "Look at the other seat's board", None, _other_board),
    Action("boxes", "b", "Boxes", "All boxes of the machine", None, _machine),
    Action("laboratory", "L", "Lab", "The laboratory: train machines", None, _machine),
    Action("type", "t", "Type", "Type a move", None, lambda session: session.mode.move_refusal),
    Action("copy", "y", "Copy", "Copy the match as text"),
    Action("write", "W", "Write", "Write the match to a file", None, _write),
    Action("resign", "x", "Resign", "Give the match up", _give_up, _resign),
    Action(
        "restart",
        "R,N",
        "Restart",
        "Back to the first position",
        lambda session: session.go_to(0),
        _silent_unless(_away_from_start),
    ),
    Action(
        "replay",
        "P",
        "Watch",
        "Watch the finished match from its first move",
        lambda session: session.replay(),
        _until_over("After the match, P shows it from the first move."),
    ),
    Action(
        "put_away",
        "escape",
        "Put away",
        "Put the hint away",
        lambda session: session.mode.escape(),
        _silent_unless(lambda session: session.mode.can_escape),
    ),
    Action("prove", "", "Prove", "Prove the verdict of this position again without the solver"),
)

ACTIONS = {action.name: action for action in _TABLE}


def end_card(session: Session) -> dict[str, str]:
    """What the card of the end offers of the actions that are possible, and what it calls them."""
    words = {"again": "again"}
    if not session.match.watched:
        words["other_side"] = "other side"
    words |= {"slower": "easier", "faster": "harder"}
    if own_mistakes(session.match):
        words |= {"mistake": "mistake", "better": "find better"}
    return words

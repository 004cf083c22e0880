"""What can be done in a match where no move is waited for, as words to click with their keys."""

from __future__ import annotations

from arcade.match.match import HUMAN
from arcade.match.seating import with_other_level
from arcade.session.session import Session
from arcade.widgets.keys import KeyWord

BACK = KeyWord(",", "back", "step(-1)")
ON = KeyWord(".", "on", "step(1)")
PLAY_ON = KeyWord("p", "play on", "pause")
TO_MATCH = KeyWord("Esc", "to the match", "put_away")


def ways_now(session: Session) -> tuple[KeyWord, ...]:
    """What can be done now; nothing where a move is waited for."""
    match = session.match
    if session.walked:
        return (BACK, ON, TO_MATCH)
    if session.quest is not None:
        return (KeyWord("i", "hint", "hint"), KeyWord("Esc", "show the answer", "put_away"))
    if session.side:
        return (BACK, PLAY_ON, TO_MATCH)
    if match.result:
        return (KeyWord("n", "new", "new"), *[KeyWord(",", "look back", "step(-1)")] * bool(match.plies))
    if match.finished and not session.replaying:
        return (BACK, ON, PLAY_ON)
    if match.to_move != HUMAN and session.paused and not session.replaying:
        return (PLAY_ON, KeyWord(".", "one move", "step(1)"))
    if match.watched or session.replaying:
        return (
            KeyWord("p", "pause", "pause"),
            KeyWord("-", "slower", "speed(-1)"),
            KeyWord("+", "faster", "speed(1)"),
        )
    return ()


def ways_after(session: Session) -> tuple[KeyWord, ...]:
    """What can be done after the end."""
    match = session.match
    ways = [KeyWord("A", "again", "again(False)")]
    if HUMAN in match.seats and len(match.seats) == 2:
        ways.append(KeyWord("O", "other side", "again(True)"))
    for key, word, by in (("-", "easier", -1), ("+", "harder", 1)):
        if with_other_level(match.seats, by) is not None:
            ways.append(KeyWord(key, word, f"speed({by})"))
    if session.own_mistakes():
        ways += [KeyWord("m", "mistake", "mistake(-1)"), KeyWord("F", "find better", "better")]
    return tuple(ways)

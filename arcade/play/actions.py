"""The actions of a match. Every front end takes its keys, labels and commands from them.

`session.py` carries out most of the actions. The program imports this module at start-up. To keep start-up
fast, this module imports no other module of a match.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arcade.play.moment import Moment, Refusal


def _always(now: Moment) -> Refusal:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    name: str
    """Name of the action, also used in the settings file to set its keys."""
    key: str = ""
    """Default keys in Textual's notation, separated by commas; empty if there are none."""
    word: str
    help: str
    refusal: Callable[[Moment], Refusal] = _always


ACTIONS = {
    action.name: action
    for action in (
        Action(name="new", key="n", word="New", help="New match: board, players, level"),
        Action(
            name="undo",
            key="u",
            word="Undo",
            help="Take back your last move",
            refusal=lambda now: now.to_undo(),
        ),
        Action(
            name="redo",
            word="Redo",
            help="Redo the move that you took back",
            refusal=lambda now: now.to_redo(),
        ),
        Action(
            name="hint",
            key="i",
            word="Hint",
            help="Hint: where to look, which move, why",
            refusal=lambda now: now.to_hint(),
        ),
        Action(name="rules", key="R", word="Rules", help="Show or hide the goal and the moves"),
        Action(
            name="values",
            key="v",
            word="Values",
            help="Show the value of every move, then how many moves each takes",
        ),
        Action(name="graph", word="Graph", help="Switch between moves and value chart"),
        Action(name="seats", word="Seats", help="Change the players", refusal=lambda now: now.to_sit()),
        Action(name="coach", word="Coach", help="Coach: silent, warn after a mistake, or show everything"),
        Action(
            name="pause",
            key="p",
            word="Play",
            help="Start, pause or resume the engines; after the match, continue from here",
            refusal=lambda now: now.to_pause(),
        ),
        Action(
            name="forward",
            key="full_stop",
            word="Step",
            help="One move forward",
            refusal=lambda now: now.to_step(1),
        ),
        Action(
            name="back",
            key="comma",
            word="Step back",
            help="One move back",
            refusal=lambda now: now.to_step(-1),
        ),
        Action(
            name="review",
            key="m",
            word="Review",
            help="Review your mistakes after the match",
            refusal=lambda now: now.to_review(),
        ),
        Action(
            name="punishment",
            key="t",
            word="Punishment",
            help="After the match: replay your mistake, the reply and the missed move",
            refusal=lambda now: now.to_punish(),
        ),
        Action(
            name="again",
            key="A",
            word="Again",
            help="Rematch: play the same match again",
            refusal=lambda now: now.to_play_again(),
        ),
        Action(
            name="other_side",
            word="Other side",
            help="Rematch with the sides swapped",
            refusal=lambda now: now.to_change_sides(),
        ),
        Action(
            name="lesson",
            word="Learn",
            help="After the match: learn what you missed",
            refusal=lambda now: now.to_learn(),
        ),
        Action(
            name="source",
            key="Y",
            word="Why",
            help="Explain a mistake in full, or show the proof of a verdict",
            refusal=lambda now: now.to_see_source(),
        ),
        Action(
            name="faster",
            key="plus,equals_sign",
            word="Faster",
            help="Watch faster; after the match, a harder opponent",
            refusal=lambda now: now.to_change_speed(1),
        ),
        Action(
            name="slower",
            key="minus",
            word="Slower",
            help="Watch slower; after the match, an easier opponent",
            refusal=lambda now: now.to_change_speed(-1),
        ),
        Action(
            name="other_board",
            word="Map",
            help="Show the other player's board",
            refusal=lambda now: now.to_see_other_board(),
        ),
        Action(
            name="projector",
            word="Projector",
            help="Large view of the board, the box and the learning curve",
            refusal=lambda now: now.to_see_machine(),
        ),
        Action(
            name="boxes",
            word="All boxes",
            help="All boxes of the machine",
            refusal=lambda now: now.to_see_machine(),
        ),
        Action(
            name="laboratory",
            word="Laboratory",
            help="Laboratory: train machines",
            refusal=lambda now: now.to_see_machine(),
        ),
        Action(name="type", word="Type", help="Type a move", refusal=lambda now: now.to_move()),
        Action(
            name="copy",
            key="y",
            word="Copy",
            help="Copy the match as text; after the match, the result for a chat",
        ),
        Action(
            name="write",
            word="Write",
            help="Write the match to a file",
        ),
        Action(name="resign", word="Resign", help="Resign the match", refusal=lambda now: now.to_resign()),
        Action(
            name="restart",
            word="Restart",
            help="Go back to the first position",
            refusal=lambda now: now.to_restart(),
        ),
        Action(
            name="replay",
            word="Replay",
            help="Watch the finished match from its first move",
            refusal=lambda now: now.to_replay(),
        ),
        Action(
            name="put_away",
            key="escape",
            word="Put away",
            help="Hide the hint, or return to the match",
            refusal=lambda now: now.to_put_away(),
        ),
        Action(name="prove", word="Prove", help="Verify the verdict of this position without the solver"),
    )
}


def refusals(now: Moment) -> dict[str, str]:
    found = ((name, action.refusal(now)) for name, action in ACTIONS.items())
    return {name: refusal for name, refusal in found if refusal is not None}

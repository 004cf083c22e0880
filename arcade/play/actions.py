"""What can be done with a match: one table, from which every front end takes its keys, words and commands.

An action has its effect in `arcade.play.session`, or in the front end if it opens something there. Only
keys and words are needed to start the arcade, so this module imports nothing of a match.
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
    """A player gives it other keys under this name, in the settings file."""
    key: str = ""
    """As Textual calls it, several separated by commas; empty if it is only in the list of commands."""
    word: str
    """In the footer and the list of commands."""
    help: str
    refusal: Callable[[Moment], Refusal] = _always
    """Its precondition."""


ACTIONS = {
    action.name: action
    for action in (
        Action(name="new", key="n", word="New", help="New match: size, seats, level"),
        Action(
            name="undo",
            key="u",
            word="Undo",
            help="Take your last move back",
            refusal=lambda now: now.to_undo(),
        ),
        Action(
            name="redo",
            word="Redo",
            help="Play again what was taken back",
            refusal=lambda now: now.to_redo(),
        ),
        Action(
            name="hint",
            key="i",
            word="Hint",
            help="Hint: where, which, why",
            refusal=lambda now: now.to_hint(),
        ),
        Action(name="rules", key="R", word="Rules", help="Show or hide the goal and how to move"),
        Action(
            name="values",
            key="v",
            word="Values",
            help="Show what every move is worth, then all lengths",
        ),
        Action(name="graph", word="Graph", help="Moves or value graph"),
        Action(name="seats", word="Seats", help="Change who plays", refusal=lambda now: now.to_sit()),
        Action(name="coach", word="Coach", help="How much the coach says: nothing, mistakes, everything"),
        Action(
            name="pause",
            key="p",
            word="Play",
            help="Let the engines play, or pause them; after the end, continue from here",
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
            help="After the match: a better move at each mistake",
            refusal=lambda now: now.to_review(),
        ),
        Action(
            name="punishment",
            key="t",
            word="Punishment",
            help="After the match: watch your mistake, the answer, and what you missed",
            refusal=lambda now: now.to_punish(),
        ),
        Action(
            name="again",
            key="A",
            word="Again",
            help="The same match again",
            refusal=lambda now: now.to_play_again(),
        ),
        Action(
            name="other_side",
            word="Other side",
            help="The same match from the other side",
            refusal=lambda now: now.to_change_sides(),
        ),
        Action(
            name="lesson",
            word="Learn",
            help="After the match: a lesson about what you missed",
            refusal=lambda now: now.to_learn(),
        ),
        Action(
            name="source",
            word="How proved",
            help="How the verdict was proved",
            refusal=lambda now: now.to_see_source(),
        ),
        Action(
            name="faster",
            key="plus,equals_sign",
            word="Faster",
            help="Watch faster; after the end, a harder opponent",
            refusal=lambda now: now.to_change_speed(1),
        ),
        Action(
            name="slower",
            key="minus",
            word="Slower",
            help="Watch slower; after the end, an easier opponent",
            refusal=lambda now: now.to_change_speed(-1),
        ),
        Action(
            name="other_board",
            word="Map",
            help="Look at the other seat's board",
            refusal=lambda now: now.to_see_other_board(),
        ),
        Action(
            name="projector",
            word="Projector",
            help="Only the board, the box and the curve, large",
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
            help="The laboratory: train machines",
            refusal=lambda now: now.to_see_machine(),
        ),
        Action(name="type", word="Type", help="Type a move", refusal=lambda now: now.to_move()),
        Action(
            name="copy",
            key="y",
            word="Copy",
            help="Copy the match as text; after the end, the result for a chat",
        ),
        Action(
            name="write",
            word="Write",
            help="Write the match to a file",
        ),
        Action(name="resign", word="Resign", help="Give the match up", refusal=lambda now: now.to_resign()),
        Action(
            name="restart",
            word="Restart",
            help="Back to the first position",
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
            help="Put the hint away",
            refusal=lambda now: now.to_put_away(),
        ),
        Action(
            name="prove", word="Prove", help="Prove the verdict of this position again without the solver"
        ),
    )
}


def refusals(now: Moment) -> dict[str, str]:
    """The names of the actions that are impossible now, each with the reason, which may be empty."""
    found = ((name, action.refusal(now)) for name, action in ACTIONS.items())
    return {name: refusal for name, refusal in found if refusal is not None}

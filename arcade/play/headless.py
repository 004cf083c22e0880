"""Analyse and play matches without a front end."""

from collections.abc import Callable

from arcade.engines.control import Control
from arcade.play.host import Host
from arcade.play.jobs import Threads
from arcade.play.match import Match
from arcade.play.session import Session


def look_back(match: Match, control: Control, seconds: float | None = None) -> None:
    """Mark the moves of a match and explain the mistakes.

    `seconds` limits the analysis of each move, in addition to the game's own limit.
    """
    game = match.game
    for ply, position in match.steps():
        with control.within(seconds), control.within(game.explanations.limits.review):
            analysis = game.solver.moves(position, control)
        if control.stopped:
            return
        match.learn(position, analysis)
        if ply.mark is not None and ply.mark.bad:
            with control.within(seconds), control.within(game.explanations.limits.review):
                fault = game.explanations.explain_mistake(position, ply.move, control)
            ply.reason, ply.rule, ply.squares = fault.says, fault.rule, fault.squares


def play_to_end(
    match: Match, seconds: float | None = None, preparing: Callable[[], None] = lambda: None
) -> Match:
    """Let engines play a match to its end.

    `seconds` limits each move (default: the player's own limit). Raises InputError if an external
    player cannot play, and RuntimeError if an engine fails.
    """
    threads = Threads()
    session = Session(match, Host(preparing), threads, judging=False, move_seconds=seconds)
    try:
        session.do("pause")
        threads.settle(lambda: match.result is not None or session.failure is not None)
    finally:
        session.stop()
    if session.failure is not None:
        raise session.failure
    return match

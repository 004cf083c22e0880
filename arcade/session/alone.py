"""Play unsaved matches to their end without a screen, one step after another."""

from __future__ import annotations

from collections.abc import Sequence

from arcade.engines.control import Control
from arcade.match.match import Match
from arcade.matchbox.machine import AnyMachine
from arcade.matchbox.machines import Reward
from arcade.session.jobs import Action, Threads
from arcade.session.session import Session, Surroundings
from arcade.session.warmer import Warmer
from arcade.store.settings import Settings
from arcade.store.store import SavedAs


class Alone(Surroundings):
    """Saves nothing, animates nothing, and compiles kernels on first use."""

    def __init__(self) -> None:
        self.settings = Settings(calm=True)
        self.warmer = Warmer(None)

    def save_match(self, match: Match, saved: SavedAs | None) -> tuple[SavedAs | None, Sequence[Reward]]:
        return None, ()

    def reviewed(self, match: Match, saved: SavedAs | None) -> None:
        """Keep nothing."""

    def to_learn(self, match: Match) -> str | None:
        return None

    def machine_of(self, match: Match, seat: int) -> AnyMachine | None:
        return None


class Unwatched(Threads):
    """Threads for matches without a screen: delayed work runs at once."""

    def later(self, seconds: float, action: Action) -> Action:
        self.deliver(action)
        return lambda: None


def look_back(match: Match, control: Control) -> None:
    """Mark the moves and explain the mistakes, as far as there is time for each."""
    game = match.game
    for ply, position in match.steps():
        control.renew(game.limits.review)
        match.learn(position, game.solver.analyse(position, control))
        if ply.mark is not None and ply.mark.bad:
            control.renew(game.limits.review)
            fault = game.fault(position, ply.move, control)
            ply.reason, ply.rule = fault.says, fault.rule


def play_out(match: Match, seconds: float | None = None) -> Match:
    """Let engines play to the end; raises RuntimeError if one fails, InputError if a guest cannot play."""
    threads = Unwatched()
    session = Session(match, Alone(), threads, lambda _: None, judging=False)
    session.engine.move_seconds = seconds
    try:
        session.do("pause")
        threads.settle(lambda: match.result is not None or session.failure is not None)
    finally:
        session.stop()
    if session.failure is not None:
        raise session.failure
    return match

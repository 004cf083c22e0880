"""The engine's answer: it thinks in a job, and plays when it is time and the coach has looked."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from arcade.engines.game import Kind
from arcade.engines.position import Position
from arcade.engines.verdict import MoveVerdict
from arcade.play.jobs import Action, Changed, Job, Refused, Runner
from arcade.play.match import HUMAN
from arcade.play.mistakes import better_moves, own
from arcade.store.record import Coach

if TYPE_CHECKING:
    from arcade.play.session import Session

SPEEDS = (4.0, 2.0, 1.0, 0.5, 0.2, 0.05)
"""Seconds a move in watch mode, the slowest first."""

ENGINE_PAUSE = 0.4
"""Seconds that an engine takes at least to answer a person, so that one sees what happened."""


class Engine:
    def __init__(self, session: Session, runner: Runner) -> None:
        self.session = session
        self.move_seconds: float | None = None
        """The longest time for a move; None for what the game and the player say."""
        self._runner = runner
        self._call_off: Action | None = None
        self._chosen: tuple[Any, float] | None = None
        """The chosen move, and from when on it may be played, while the coach looks at the person's."""

    @property
    def waiting(self) -> bool:
        return self._call_off is not None

    @property
    def busy(self) -> bool:
        """Whether a move is being chosen, or waits until it may be played."""
        return self.waiting or self._chosen is not None or "move" in self.session.jobs.controls

    def start(self) -> None:
        session = self.session
        if session.judging:
            self._let_coach_look()
        if session.match.to_move in (None, HUMAN) or session.mode.paused:
            return
        pause = ENGINE_PAUSE if session.services.settings.animated else 0.0
        self.think(SPEEDS[session.speed] if session.match.watched else pause)

    def _let_coach_look(self) -> None:
        session, match = self.session, self.session.match
        last = match.plies[-1:]
        answered = match.to_move == HUMAN or session.mode.paused or match.game.kind is Kind.RACE
        speaks = session.services.settings.coach is Coach.MISTAKES
        if not speaks or answered or not own(match, last) or last[0].mark:
            return
        game, position = match.game, match.before(len(match.plies) - 1)

        def look(job: Job) -> None:
            if job.ready(game):
                moves = game.solver.moves(position, job.control)
                job.tell(self._looked, position, None if job.control.stopped else moves)

        session.jobs.start("coach", look, ENGINE_PAUSE)

    def _looked(self, position: Position[Any], moves: list[MoveVerdict[Any]] | None) -> None:
        self.session.jobs.drop("coach")
        if moves is not None:
            self.session.match.learn(position, moves)
            self.session.tell(Changed())
        self.answer()

    def think(self, least: float) -> None:
        """Let the engine choose a move, to be played after `least` seconds or later."""
        match = self.session.match.copied()

        def think(job: Job) -> None:
            started = time.monotonic()
            if job.ready(match.game):
                move = match.player().choose(match.position, match.rng(), job.control)
                job.tell(self.take, move, max(0.0, least - time.monotonic() + started))

        seconds = match.move_seconds() if self.move_seconds is None else self.move_seconds
        self.session.jobs.start("move", think, seconds)

    def take(self, move: Any, wait: float) -> None:
        self.session.jobs.drop("move")
        session, match = self.session, self.session.match
        if match.watched and match.game.kind is Kind.DUEL:
            better = better_moves(match, match.position)
            if better and move not in better:
                # Whoever watches gets time to look before the match turns.
                wait += SPEEDS[session.speed]
        self._chosen = (move, time.monotonic() + wait)
        self.answer()

    def answer(self) -> None:
        if self._chosen is None or "coach" in self.session.jobs.controls:
            return
        (move, due), self._chosen = self._chosen, None
        wait = due - time.monotonic()
        if wait > 0:
            self.put_off(wait, lambda: self._play(move))
        else:
            self._play(move)

    def _play(self, move: Any) -> None:
        session, match = self.session, self.session.match
        if move is not None:
            if session.mode.walked:
                session.mode.escape()
            session.play(move)
            return
        machine = session.services.machine_of(match, match.turn)
        if machine is not None and machine.refuses:
            session.mode.paused = True
            session.tell(Refused(machine))
            return
        match.resign(match.turn)
        session.played()

    def put_off(self, seconds: float, action: Action) -> None:
        def act() -> None:
            self._call_off = None
            action()

        self._call_off = self._runner.later(seconds, act)

    def stop(self) -> None:
        if self._call_off is not None:
            self._call_off()
            self._call_off = None
        self._chosen = None

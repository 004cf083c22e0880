"""The engines of a match. They choose each move in a background job and play it after a pause."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from arcade.play.jobs import Action, Job, Jobs, Runner
from arcade.play.match import Match

ENGINE_PAUSE = 0.4
"""Minimum seconds before an engine's reply, so that both moves can be seen."""

GROUP = "move"


class Engine:
    """The engines of one match. When a move is due, they call `play` with it, or with None to resign."""

    def __init__(
        self, jobs: Jobs, runner: Runner, play: Callable[[Any], None], move_seconds: float | None = None
    ) -> None:
        self._jobs = jobs
        self._runner = runner
        self._play = play
        self._move_seconds = move_seconds
        self._call_off: Action | None = None
        self._chosen: tuple[Any, float] | None = None
        """The chosen move and the earliest (monotonic) time to play it. The coach may delay the move."""

    @property
    def waiting(self) -> bool:
        return self._call_off is not None

    @property
    def busy(self) -> bool:
        return self.waiting or self._chosen is not None or GROUP in self._jobs.controls

    def think(self, match: Match, least: float, extra: Callable[[Any], float] = lambda move: 0.0) -> None:
        """Choose a move, and play it after at least `least + extra(move)` seconds.

        Pass a copy of the match, because another thread reads it.
        """

        def think(job: Job) -> None:
            started = time.monotonic()
            if job.ready(match.game):
                move = match.player().choose(match.position, match.rng(), job.control)
                job.tell(self._take, move, max(0.0, least - time.monotonic() + started), extra)

        seconds = match.move_seconds() if self._move_seconds is None else self._move_seconds
        self._jobs.start(GROUP, think, seconds)

    def _take(self, move: Any, wait: float, extra: Callable[[Any], float]) -> None:
        self._jobs.drop(GROUP)
        self._chosen = (move, time.monotonic() + wait + extra(move))
        self.answer()

    def look_first(self, look: Callable[[Job], None]) -> None:
        self._jobs.start("coach", look, ENGINE_PAUSE)

    def looked(self) -> None:
        self._jobs.drop("coach")
        self.answer()

    def answer(self) -> None:
        if self._chosen is None or "coach" in self._jobs.controls:
            return
        (move, due), self._chosen = self._chosen, None
        wait = due - time.monotonic()
        if wait > 0:
            self.put_off(wait, lambda: self._play(move))
        else:
            self._play(move)

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

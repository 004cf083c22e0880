"""A hint in three steps: where, which, why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arcade.engines.verdict import Hint
from arcade.play.jobs import Changed, Job

if TYPE_CHECKING:
    from arcade.play.session import Session

STEPS = 3


class Hints:
    def __init__(self, session: Session) -> None:
        self.session = session
        self.hint: Hint[Any] | None = None
        self.step = 0

    @property
    def sought(self) -> bool:
        return "hint" in self.session.jobs.controls

    @property
    def whole(self) -> bool:
        return self.hint is not None and self.step == STEPS

    def ask(self) -> None:
        """Take the next step; the first one has the hint found. Engines that play each other wait."""
        session = self.session
        if session.match.watched and not session.mode.paused:
            session.do("pause")
        if self.hint is not None or self.sought:
            self.step = min(self.step + 1, STEPS)
        else:
            self.step = 1
            game, position = session.match.game, session.mode.branch
            session.match.count_hint()
            session.save()

            def find(job: Job) -> None:
                if job.ready(game):
                    job.tell(self._take, game.hint(position, job.control))

            session.jobs.start("hint", find, game.limits.hint)
        session.tell(Changed())

    def _take(self, hint: Hint[Any] | None) -> None:
        self.session.jobs.drop("hint")
        self.hint = hint
        if hint is None:
            self.step = 0
            self.session.say("Too little is known of this position for a hint.", "warning")
        self.session.tell(Changed())

    def drop(self) -> None:
        self.hint, self.step = None, 0

"""Running lessons and puzzles."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from typing import Any

from arcade.engines.files import InputError
from arcade.play.jobs import Action, Job, Jobs, Notice, Runner
from arcade.study.host import StudyHost
from arcade.study.lessons import LessonProgress
from arcade.study.puzzle_generator import Puzzle
from arcade.study.puzzles import PuzzleAttempt, PuzzleRefutation, PuzzleRun
from arcade.study.scene import LessonState, PuzzleState, TaskScene, lesson_scene, puzzle_scene

REPLY_SECONDS = 0.6
"""Seconds from the player's move to the reply."""
REFUTED_SECONDS = 1.5

STEPS = {"go_on": 1, "forward": 1, "back": -1, "restart": 0}


class TaskSession(ABC):
    """A running lesson or puzzle. Use it in only one thread, in which the runner must also run answers."""

    def __init__(
        self,
        host: StudyHost,
        changed: Callable[[TaskScene], None] = lambda scene: None,
        notify: Callable[[Notice], None] = lambda notice: None,
    ) -> None:
        self.host = host
        self._changed = changed
        self._notify = notify
        self.scene = self._scene()

    @abstractmethod
    def _scene(self) -> TaskScene: ...

    def _publish(self) -> None:
        self.scene = self._scene()
        self._changed(self.scene)

    @property
    def busy(self) -> bool:
        return False

    def start(self) -> None:
        self._publish()

    def stop(self) -> None:  # noqa: B027 - lessons have nothing to stop
        """Stop the session when the player leaves."""

    def play(self, move: Any) -> None:
        refusal = self.scene.move_refusal
        if refusal is None:
            try:
                self.scene.board.position.play(move)
            except ValueError as error:
                refusal = str(error)
        if self._allowed(refusal):
            self._play(move)

    def do(self, name: str) -> None:
        if self._allowed(self.scene.refusals.get(name)):
            self._do(name)

    def _allowed(self, refusal: str | None) -> bool:
        if refusal:
            self._notify(Notice(refusal, "warning"))
        return refusal is None

    @abstractmethod
    def _play(self, move: Any) -> None: ...

    @abstractmethod
    def _do(self, name: str) -> None: ...


class LessonSession(TaskSession):
    """A running course of lessons. Its actions are go_on, forward, back, restart and hint."""

    def __init__(
        self,
        course: LessonProgress,
        host: StudyHost,
        changed: Callable[[TaskScene], None] = lambda scene: None,
        notify: Callable[[Notice], None] = lambda notice: None,
    ) -> None:
        self.course = course
        self.state = LessonState()
        super().__init__(host, changed, notify)

    def _scene(self) -> TaskScene:
        return lesson_scene(self.course, self.state)

    def _play(self, move: Any) -> None:
        course = self.course
        if course.play(move):
            self.host.has_learned(course.game.name, course.lesson.name)
        self.state = replace(self.state, tries=self.state.tries + 1)
        self._publish()

    def _do(self, name: str) -> None:
        if name == "hint":
            self.state = replace(self.state, hinted=True)
        elif name in STEPS:
            self.course.go(STEPS[name])
            self.state = replace(self.state, hinted=False)
        self._publish()


class PuzzleSession(TaskSession):
    """A running series of puzzles. Its actions are go_on and hint."""

    def __init__(
        self,
        round: PuzzleRun,
        host: StudyHost,
        runner: Runner,
        changed: Callable[[TaskScene], None] = lambda scene: None,
        notify: Callable[[Notice], None] = lambda notice: None,
    ) -> None:
        self.round = round
        self.state = PuzzleState()
        self._runner = runner
        self._jobs = Jobs(runner, self._failed, host.compiler)
        self._away = False
        self._call_off: list[Action] = []
        super().__init__(host, changed, notify)

    def _scene(self) -> TaskScene:
        return puzzle_scene(self.round, self.state)

    def _set(self, **changes: Any) -> None:
        self.state = replace(self.state, **changes)
        self._publish()

    @property
    def busy(self) -> bool:
        attempt = self.round.attempt
        replying = not self.state.making and attempt is not None and attempt.replying
        return bool(self._jobs.controls) or replying or self.state.refuting

    def start(self) -> None:
        self._make()

    def stop(self) -> None:
        self._stop()
        self.host.leave_puzzle(self.round)

    def leave(self) -> None:
        self._away = True
        self.round.watch.stop()
        self._publish()

    def come_back(self) -> None:
        self._away = False
        if self.round.paused:
            self.round.watch.run()
        if self.scene.done:
            self._look_up()
        self._publish()

    def _do(self, name: str) -> None:
        if name == "go_on" and not self.round.over:
            self._make()
        elif name == "hint":
            self.round.help()
            self._publish()

    def _play(self, move: Any) -> None:
        attempt = self.round.attempt
        assert attempt is not None, "otherwise the move is refused"
        right = self.round.play(move)
        self.state = replace(self.state, tries=self.state.tries + 1)
        if not right:
            self._refute(attempt)
        if attempt.done:
            self._end()
        self._publish()
        if attempt.replying:
            if self.host.settings.animated:
                self._later(REPLY_SECONDS, self._reply)
            else:
                self._reply()

    def _make(self) -> None:
        round = self.round

        def make(job: Job) -> None:
            puzzle = round.make(job.control) if job.ready(round.game) else None
            if puzzle is not None:
                job.tell(self._begin, puzzle)

        self._stop()
        self._jobs.start("puzzle", make)
        self._set(making=True, trouble="", seeking=False, refuting=False)

    def _begin(self, puzzle: Puzzle) -> None:
        self._jobs.drop("puzzle")
        self.round.begin(puzzle)
        if self._away:
            self.round.watch.stop()
        self._set(making=False)

    def _end(self) -> None:
        self.host.save_puzzle(self.round)
        self._look_up()

    def _look_up(self) -> None:
        round, host = self.round, self.host
        self.state = replace(
            self.state,
            best=host.best_of(round.game.name, round.mode.name),
            next_daily=host.next_daily(round.game) if round.mode.daily else None,
        )

    def _refute(self, attempt: PuzzleAttempt) -> None:
        # A copy, because the player can try again.
        wrong = copy(attempt)
        self._jobs.start(
            "refute",
            lambda job: job.tell(self._refuted, attempt, wrong.tried, wrong.refute(job.control)),
        )
        self.state = replace(self.state, seeking=True)

    def _refuted(self, attempt: PuzzleAttempt, tried: Any, refuted: PuzzleRefutation) -> None:
        self._jobs.drop("refute")
        if attempt.tried != tried:
            self._set(seeking=False)
            return
        attempt.refuted = refuted
        shown = bool(refuted.line) and self.host.settings.animated
        if shown:
            self._later(REFUTED_SECONDS, lambda: self._set(refuting=False))
        self._set(seeking=False, refuting=shown)

    def _reply(self) -> None:
        if self.round.attempt is not None:
            self.round.attempt.reply()
        self._publish()

    def _later(self, seconds: float, action: Action) -> None:
        self._call_off.append(self._runner.later(seconds, action))

    def _stop(self) -> None:
        self._jobs.stop()
        for call_off in self._call_off:
            call_off()
        self._call_off.clear()

    def _failed(self, error: BaseException) -> None:
        if not isinstance(error, InputError):
            raise error
        self._set(trouble=str(error), seeking=False)

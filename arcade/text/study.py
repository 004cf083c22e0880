"""Lessons and puzzles in text mode."""

from typing import Any

from arcade.engines.files import InputError
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame
from arcade.engines.wording import spelled_quantity
from arcade.play.jobs import Notice, Threads
from arcade.services import Services
from arcade.study.lessons import LessonProgress
from arcade.study.puzzles import PuzzleRun
from arcade.study.scene import TaskScene
from arcade.study.session import LessonSession, PuzzleSession, TaskSession
from arcade.text.dialogue import PATIENCE, Command, Dialogue, Say, changes


class TaskDialogue(Dialogue):
    session: TaskSession

    def __init__(self, game: AnyGame, say: Say) -> None:
        super().__init__(game, say)
        self.threads = Threads()

    @property
    def scene(self) -> TaskScene:
        return self.session.scene

    @property
    def position(self) -> Position[Any]:
        return self.scene.board.position

    def begin(self) -> None:
        """Introduce the first task. Raises InputError if there is no task."""
        self.session.start()
        self.settle()
        if self.scene.trouble:
            raise InputError(self.scene.trouble)
        self.tell_task()

    def end(self) -> None:
        self.session.stop()

    def tell_task(self) -> None:
        self.say(self.scene.heading)
        if self.scene.text:
            self.say(self.scene.text)
        self.look()

    def tell_answer(self, before: TaskScene) -> None:
        if self.scene.answer is not None:
            self.say(self.scene.answer.text)

    def settle(self) -> None:
        """Wait until the session is idle. If this takes long, report the session's status.

        The work runs in threads, because compiled code in the main thread would delay Ctrl+C.
        """
        try:
            try:
                self.threads.settle(lambda: not self.session.busy, PATIENCE)
            except TimeoutError:
                self.say(self.scene.status)
                self.threads.settle(lambda: not self.session.busy)
        except KeyboardInterrupt:
            self.session.stop()
            raise

    def on_notice(self, notice: Notice) -> None:
        self.say(notice.text)

    def do(self, name: str) -> None:
        number = self.scene.number
        self.session.do(name)
        self.settle()
        if self.scene.number != number:
            self.tell_task()

    def play(self, move: Any) -> None:
        before = self.scene
        self.session.play(move)
        self.settle()
        if self.scene.tries != before.tries:
            self.tell_answer(before)

    def hint(self) -> None:
        self.do("hint")
        if "hint" not in self.scene.refusals:
            self.say(self.scene.hint)


class LessonDialogue(TaskDialogue):
    session: LessonSession

    def __init__(self, course: LessonProgress, services: Services, say: Say) -> None:
        super().__init__(course.game, say)
        self.session = LessonSession(course, services, notify=self.on_notice)
        self.commands |= {
            "next": Command("go to the next lesson", lambda: self.do("forward")),
            "back": Command("go to the previous lesson", lambda: self.do("back")),
            "again": Command("repeat this lesson", self.begin_again),
            "hint": Command("show where to look", self.hint),
        }

    def look(self) -> None:
        super().look()
        for paragraph in self.scene.paragraphs:
            for beads in paragraph.beads:
                self.say(f"{beads.move}: {spelled_quantity(beads.count, 'bead')}.")

    def ask(self) -> None:
        if self.scene.task:
            self.say(self.scene.task)
        elif self.scene.over:
            self.say(f"That was the last lesson. Type quit, then arcade play {self.game.name} for a match.")
        else:
            self.say("Type next for the next lesson.")

    def begin_again(self) -> None:
        self.do("restart")
        self.tell_task()


class PuzzleDialogue(TaskDialogue):
    session: PuzzleSession

    def __init__(self, round: PuzzleRun, services: Services, say: Say) -> None:
        super().__init__(round.game, say)
        self.session = PuzzleSession(round, services, self.threads, notify=self.on_notice)
        self.commands |= {
            "hint": Command("show where to look, then the move", self.hint),
            "result": Command("show your result without the solution", lambda: self.say(self.scene.result)),
            "next": Command("go to the next puzzle", self.go_on),
        }

    def ask(self) -> None:
        if self.scene.task:
            self.say(self.scene.task)
        else:
            self.say("Type quit." if self.scene.over else "Type next for another puzzle, or quit.")

    def tell_answer(self, before: TaskScene) -> None:
        super().tell_answer(before)
        scene = self.scene
        if scene.done:
            self.say(f"{scene.result}.")
        elif scene.answer is not None and scene.answer.right:
            if scene.answer.reply:
                self.say(scene.answer.reply)
            self.tell(changes(before.board.position.describe(), self.position.describe()))

    def go_on(self) -> None:
        if self.scene.over:
            self.say("You have finished this puzzle. There is a new one each day.")
            return
        self.do("go_on")
        if self.scene.trouble:
            self.say(self.scene.trouble)

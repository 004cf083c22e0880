"""Lessons and puzzles as dialogues."""

from typing import Any

from arcade.engines.files import InputError
from arcade.engines.position import Position
from arcade.engines.wording import counted
from arcade.plain.dialogue import Command, Dialogue, Say, changes
from arcade.services import Services
from arcade.study.lessons import Course
from arcade.study.puzzles import Attempt, Round


class LessonDialogue(Dialogue):
    def __init__(self, course: Course, services: Services, say: Say) -> None:
        super().__init__(course.game, say)
        self.course = course
        self.services = services
        self.commands |= {
            "next": Command("goes to the next lesson", lambda: self.go(1)),
            "back": Command("goes to the previous lesson", lambda: self.go(-1)),
            "again": Command("tells this lesson again", lambda: self.go(0)),
            "hint": Command("tells where to look", self.help),
        }

    @property
    def position(self) -> Position[Any]:
        return self.course.position

    def begin(self) -> None:
        course, lesson = self.course, self.course.lesson
        self.say(f"Lesson {course.index + 1} of {len(course.lessons)}: {lesson.title}.")
        self.say(lesson.say)
        self.look()

    def look(self) -> None:
        super().look()
        for move, count in self.course.lesson.beads.items():
            self.say(f"{move}: {counted(count, 'bead')}.")

    def ask(self) -> None:
        if not self.course.solved:
            self.say(self.course.lesson.ask)
        elif self.course.last:
            self.say(f"That was the last lesson. Type quit, then arcade play {self.game.name} for a match.")
        else:
            self.say("Type next for the next lesson.")

    def go(self, by: int) -> None:
        if self.course.go(by):
            self.begin()
        else:
            self.say(f"There is no lesson {'after' if by > 0 else 'before'} this one.")

    def help(self) -> None:
        lesson = self.course.lesson
        self.say(self.game.where(lesson.position, min(lesson.answers, key=str)))

    def play(self, move: Any) -> None:
        course = self.course
        if course.solved:
            self.say("You have found the move already.")
            return
        if not self.allows(move):
            return
        if course.play(move):
            self.services.has_learned(self.game.name, course.lesson.name)
            self.say(f"Right. {course.lesson.why}")
        else:
            self.say(f"Not {move}. {course.lesson.wrong}")


class PuzzleDialogue(Dialogue):
    def __init__(self, round: Round, services: Services, say: Say) -> None:
        super().__init__(round.game, say)
        self.round = round
        self.services = services
        self.commands |= {
            "hint": Command("tells where to look, then the move", self.help),
            "result": Command("tells your result, without the solution", lambda: self.say(round.line())),
            "next": Command("goes to the next puzzle", self.go_on),
        }

    @property
    def attempt(self) -> Attempt:
        assert self.round.attempt is not None
        return self.round.attempt

    @property
    def position(self) -> Position[Any]:
        return self.attempt.position

    def begin(self) -> None:
        """Make a puzzle and tell it; raises InputError where there is none."""
        puzzle = self.wait_for(self.round.make, "Making a puzzle.")
        assert puzzle is not None, "nobody stops it"
        self.round.begin(puzzle)
        day = f" of {self.round.day}" if self.round.day is not None else f" {self.round.number}"
        self.say(f"{self.game.title}, puzzle{day}, grade {puzzle.grade} of 5.")
        self.tell(puzzle.start.describe())

    def ask(self) -> None:
        if not self.attempt.done:
            self.say("Find the next move." if self.attempt.index else self.attempt.puzzle.task)
        else:
            self.say("Type quit." if self.round.over else "Type next for another puzzle, or quit.")

    def end(self) -> None:
        self.services.leave_puzzle(self.round)

    def play(self, move: Any) -> None:
        attempt, before = self.attempt, self.position
        if attempt.done:
            self.say("You have solved this puzzle already.")
            return
        if not self.allows(move):
            return
        if not self.round.play(move):
            attempt.refuted = self.wait_for(attempt.refutation, "Looking for the refutation.")
            self.say(f"Not {move}. {attempt.wrong_words()}")
            return
        if attempt.done:
            self.services.save_puzzle(self.round)
            self.say(f"Right. {attempt.right_words()}")
            self.say(f"{self.round.line()}.")
            return
        self.say(f"Right, {move}.")
        if attempt.replying:
            side = self.game.sides[self.position.turn]
            attempt.reply()
            self.say(f"{side} plays {attempt.last}.")
        self.tell(changes(before.describe(), self.position.describe()))

    def help(self) -> None:
        self.say(self.round.help() or "There is nothing to find here.")

    def go_on(self) -> None:
        if self.round.over:
            self.say("This puzzle is solved. There is one for each day.")
        elif not self.attempt.done:
            self.say("Find the move first; hint tells it in two steps.")
        else:
            try:
                self.begin()
            except InputError as error:
                self.say(str(error))

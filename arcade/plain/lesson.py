"""Lessons as a dialogue."""

from __future__ import annotations

from typing import Any

from arcade.engines.position import Position
from arcade.engines.registry import AnyGame
from arcade.engines.wording import counted
from arcade.plain.dialogue import Command, Dialogue, Say
from arcade.session.lesson import Course
from arcade.session.services import Services


class LessonDialogue(Dialogue):
    """A person's way through the lessons of a game.

    Args:
        course: the lessons.
        services: what remembers the finished ones.
        say: tells the person a line.
    """

    def __init__(self, course: Course, services: Services, say: Say) -> None:
        super().__init__(say)
        self.course = course
        self.services = services
        self.commands |= {
            "next": Command("goes to the next lesson", lambda _: self.go(1)),
            "back": Command("goes to the lesson before", lambda _: self.go(-1)),
            "again": Command("tells this lesson again", lambda _: self.go(0)),
        }

    @property
    def game(self) -> AnyGame:
        """The game that is learned."""
        return self.course.game

    @property
    def position(self) -> Position[Any]:
        """The position of the lesson."""
        return self.course.position

    def begin(self) -> None:
        """Tell the lesson."""
        course, lesson = self.course, self.course.lesson
        self.say(f"Lesson {course.index + 1} of {len(course.lessons)}: {lesson.title}.")
        self.say(lesson.say)
        self.tell(self.position.describe())
        for move, count in lesson.beads.items():
            self.say(f"{move}: {counted(count, 'bead')}.")

    def ask(self) -> None:
        """Ask for the move, or say how to go on."""
        if not self.course.solved:
            self.say(self.course.lesson.ask)
        elif self.course.last:
            self.say(f"That was the last lesson. Type quit, then arcade play {self.game.name} for a match.")
        else:
            self.say("Type next for the next lesson.")

    def end(self) -> None:
        """Leave; finished lessons are remembered already."""

    def go(self, by: int) -> None:
        """Go to another lesson."""
        course = self.course
        if not 0 <= course.index + by < len(course.lessons):
            self.say(f"There is no lesson {'after' if by > 0 else 'before'} this one.")
            return
        course.again()
        course.go(by)
        self.begin()

    def play(self, move: Any) -> None:
        """Answer with a move."""
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

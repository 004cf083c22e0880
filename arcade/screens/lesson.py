"""The lessons of a game: a position on the board, and beside it one thing to learn and one move to find."""

from __future__ import annotations

from typing import ClassVar, cast

from textual.binding import Binding, BindingType
from textual.content import Content

from arcade.screens.task import TaskScreen
from arcade.session.lesson import Course
from arcade.widgets.beads import bead_colour
from arcade.widgets.board import Board, BoardView
from arcade.widgets.glyphs import ASCII
from arcade.widgets.key_words import KeyWord
from arcade.widgets.title_bar import TitleBar

HELP = """\
# Lessons

Each lesson shows a position and asks for one move. Find it and play it on the board, as in a match. A wrong
move changes nothing: read the sentence and try again.

Finished lessons are remembered. **n** and **p** go to the next and the previous lesson.

"""


class LessonScreen(TaskScreen):
    """The lessons of a game, one after the other.

    Args:
        course: the way through the lessons.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter,space", "go_on", "Go on", priority=True, tooltip="The next lesson, at the end a match"
        ),
        Binding("n", "go(1)", "Next", tooltip="The next lesson"),
        Binding("p", "go(-1)", "Previous", tooltip="The lesson before"),
    ]

    def __init__(self, course: Course) -> None:
        super().__init__(course.game)
        self.course = course
        self.ended = False
        """Whether the person went on from the last lesson to a match."""

    def help_rules(self) -> str:
        """What lessons are, and the rules of the game."""
        return f"{HELP}# {self.game.title}\n\n{self.game.rules}"

    # What is on show.

    def view(self) -> BoardView:
        """The lesson's position, or the one after the right move."""
        course = self.course
        return BoardView(course.position, course.lesson.position, not course.solved, last=course.answer)

    def show_title(self) -> None:
        """Bring the title line up to date."""
        place = f"{self.course.index + 1} of {len(self.course.lessons)}"
        self.query_one(TitleBar).show(f"Learn {self.game.title}", place)

    def words(self) -> list[Content]:
        """The lesson, and what came of the last try."""
        course, lesson = self.course, self.course.lesson
        parts = [
            Content.styled(f"{course.index + 1}. {lesson.title}", "bold $primary"),
            Content(lesson.say),
        ]
        if lesson.beads:
            parts.append(Content("\n").join(self._beads()))
        if not course.solved:
            parts.append(Content.styled(lesson.ask, "bold $secondary"))
        if course.solved:
            parts.append(self.right(lesson.why))
        elif course.tried is not None:
            parts.append(self.wrong(course.tried, lesson.wrong))
        else:
            parts.append(self.how())
        return parts

    def _beads(self) -> list[Content]:
        """The beads of the lesson's box, a line a move."""
        lesson, dark = self.course.lesson, self.app.current_theme.dark
        bead = "o" if self.glyphs is ASCII else "●"
        lines = []
        for text, count in lesson.beads.items():
            slot = self.game.move_index(lesson.position, self.game.parse_move(text, lesson.position))
            colour = bead_colour(slot, dark).get_truecolor().hex
            lines.append(Content.assemble((f"{text}  ", "$faint"), (bead * count or "-", colour)))
        return lines

    def ways(self) -> list[KeyWord]:
        """What can be done now."""
        course = self.course
        if course.solved:
            return [KeyWord("Enter", "play a match" if course.last else "next lesson", "go_on")]
        ways = [KeyWord("p", "previous", "go(-1)")] * bool(course.index)
        return [*ways, *[KeyWord("n", "next", "go(1)")] * (not course.last), KeyWord("q", "leave", "leave")]

    # What is done.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter goes on only after the right move; before, it plays on the board."""
        if action == "go_on":
            return self.course.solved
        if action == "go":
            return 0 <= self.course.index + cast(int, parameters[0]) < len(self.course.lessons)
        return True

    def on_board_play(self, message: Board.Play) -> None:
        """A move was played; a second click, made before the board followed, is none."""
        course = self.course
        if course.solved or message.move is None or message.position != course.position:
            return
        if course.play(message.move):
            self.services.has_learned(self.game.name, course.lesson.name)
        self.show()

    def action_go(self, by: int) -> None:
        """Go to the next lesson, or the one before."""
        self.course.go(by)
        self.show()

    def action_go_on(self) -> None:
        """Go to the next lesson; after the last one, to a match."""
        if self.course.last:
            self.ended = True
            self.action_leave()
        else:
            self.action_go(1)

"""A position on the board, and beside it a task and what came of the last try: for lessons and puzzles."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Protocol, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from arcade.engines.registry import AnyGame
from arcade.screens.base import ArcadeScreen
from arcade.screens.games import screen_class
from arcade.study.lessons import Course
from arcade.widgets.beads import bead_colour
from arcade.widgets.board import Board, BoardView
from arcade.widgets.glyphs import ASCII
from arcade.widgets.keys import KeyFooter, KeyWord, KeyWords, TitleBar


class ShowsHand(Protocol):
    """A panel that shows what a player of a board holds."""

    def show(self, board: Any) -> None:
        """Show the hand of a board."""


class TaskScreen(ArcadeScreen):
    """A board and a task."""

    # Else it would hold only where the type's own name stands.
    SCOPED_CSS = False
    CSS: ClassVar[str] = """
    TaskScreen.-narrow #side { width: 37; }
    TaskScreen #hand { margin-bottom: 1; }
    TaskScreen #task { height: 1fr; scrollbar-gutter: stable; }
    TaskScreen #text { height: auto; }
    TaskScreen.-narrow #status { height: 2; }
    TaskScreen #ways { height: 1; }
    """

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self.game = game
        """The game that the tasks are from."""
        self._pointed: Any = None

    @property
    def board(self) -> Board:
        return self.query_one("#board", Board)

    def compose(self) -> ComposeResult:
        played_on = screen_class(self.game.name)
        yield TitleBar()
        with Horizontal(id="table"):
            with Vertical(id="left"):
                yield played_on.BOARD(self.view(), id="board")
                yield Static(id="status")
            with Vertical(id="side"):
                if played_on.HAND is not None:
                    yield played_on.HAND(id="hand")
                with VerticalScroll(id="task", can_focus=False):
                    yield Static(id="text")
                yield KeyWords(id="ways")
        yield KeyFooter()

    def on_mount(self) -> None:
        self.board.focus()
        self.call_after_refresh(self.show)

    # What is on show.

    @abstractmethod
    def view(self) -> BoardView:
        """What the board shows."""

    @abstractmethod
    def words(self) -> list[Content]:
        """The task and what came of the last try, in paragraphs."""

    @abstractmethod
    def ways(self) -> list[KeyWord]:
        """What can be done now."""

    def text(self) -> Content:
        """All paragraphs."""
        return Content("\n\n").join(self.words())

    def show(self) -> None:
        """Bring everything on the screen up to date."""
        if not self.is_mounted:
            return
        view = self.view()
        if view.position != self.board.view.position:
            self._pointed = None
        self.board.show(view)
        self.query_one("#text", Static).update(self.text())
        self.query_one("#task").scroll_home(animate=False)
        self.query_one("#ways", KeyWords).show(*self.ways())
        self.show_hand()
        self.show_status()
        self.show_title()
        self.refresh_bindings()

    def show_hand(self) -> None:
        """Bring the hand up to date."""
        for hand in self.query("#hand"):
            cast(ShowsHand, hand).show(self.board)

    def show_status(self) -> None:
        """Say what the move that is pointed at would do, or what can be done on the board."""
        words = self.board.advice() if self.board.view.playable else ""
        if words and self._pointed is not None:
            words = "  ".join(filter(None, [str(self._pointed), self.board.describe(self._pointed)]))
        self.query_one("#status", Static).update(Content(words))

    def how(self) -> Content:
        """How to move."""
        return Content.styled(f"Move: {' '.join(self.board.HOW.split())}", "$faint")

    def right(self, words: str) -> Content:
        """That a move is right, and why."""
        return Content.assemble((f"{self.glyphs.win} Right. ", "bold $win"), words)

    def wrong(self, move: Any, words: str) -> Content:
        return Content.assemble((f"Not {move}. ", "bold $loss"), words)

    def redraw(self) -> None:
        self.show()

    # What is done.

    def on_board_pointed(self, message: Board.Pointed) -> None:
        self._pointed = message.move if message.position == self.board.view.position else None
        self.show_status()
        self.show_hand()

    async def action_on_board(self, action: str) -> None:
        await self.board.run_action(action)


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
        return f"{HELP}# {self.game.title}\n\n{self.game.rules}"

    # What is on show.

    def view(self) -> BoardView:
        course = self.course
        return BoardView(course.position, course.lesson.position, not course.solved, last=course.answer)

    def show_title(self) -> None:
        place = f"{self.course.index + 1} of {len(self.course.lessons)}"
        self.query_one(TitleBar).show(f"Learn {self.game.title}", place)

    def words(self) -> list[Content]:
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
        course = self.course
        if course.solved:
            return [KeyWord("Enter", "play a match" if course.last else "next lesson", "go_on")]
        ways = [KeyWord("p", "previous", "go(-1)")] * bool(course.index)
        return [*ways, *[KeyWord("n", "next", "go(1)")] * (not course.last), KeyWord("q", "leave", "leave")]

    # What is done.

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "go_on":
            return self.course.solved
        if action == "go":
            return 0 <= self.course.index + cast(int, parameters[0]) < len(self.course.lessons)
        return True

    def on_board_play(self, message: Board.Play) -> None:
        course = self.course
        if course.solved or message.move is None or message.position != course.position:
            return
        if course.play(message.move):
            self.services.has_learned(self.game.name, course.lesson.name)
        self.show()

    def action_go(self, by: int) -> None:
        self.course.go(by)
        self.show()

    def action_go_on(self) -> None:
        if self.course.last:
            self.ended = True
            self.action_leave()
        else:
            self.action_go(1)

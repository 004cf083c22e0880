"""A position on the board, and beside it a task and what came of the last try: for lessons and puzzles."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Protocol, cast

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from arcade.engines.registry import AnyGame
from arcade.screens.base import ArcadeScreen
from arcade.screens.registry import screen_class
from arcade.widgets.board import Board, BoardView
from arcade.widgets.key_footer import KeyFooter
from arcade.widgets.key_words import KeyWord, KeyWords
from arcade.widgets.title_bar import TitleBar


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
        """The board."""
        return self.query_one("#board", Board)

    def compose(self) -> ComposeResult:
        """The board on the left, the task on the right, over it the hand where the game has one."""
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
        """Show the first task."""
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
        """That a move is wrong, and what helps."""
        return Content.assemble((f"Not {move}. ", "bold $loss"), words)

    def redraw(self) -> None:
        """Draw anew what is no board, in other colours or characters."""
        self.show()

    # What is done.

    def on_board_pointed(self, message: Board.Pointed) -> None:
        """A person points at a move, unless the board has changed since."""
        self._pointed = message.move if message.position == self.board.view.position else None
        self.show_status()
        self.show_hand()

    async def action_on_board(self, action: str) -> None:
        """Do something on the board that a word beside it offers."""
        await self.board.run_action(action)

"""The boards of a match: one for a duel, one for each seat in a race."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from arcade.session.session import Session
from arcade.session.telling import names_apart, seat_name
from arcade.widgets.board import Board, BoardView
from arcade.widgets.glyphs import Glyphs
from arcade.widgets.key_words import KeyWord
from arcade.widgets.race_panels import Caption

CAPTION = 1
"""Lines above a board."""
NAMED = 24
"""Least columns for a caption that also names the side."""
ROOMY = 8
"""Cells with at least this area (columns times lines) are large enough for two equal boards."""

View = Callable[[int], BoardView]
"""Gives the view for a seat's board."""


class Table(Horizontal):
    """The boards of a match.

    Args:
        board: the class of the boards.
        session: the session of the match.
        view: gives the view for a seat's board.
    """

    class Divided(Message):
        """The boards have moved."""

    DEFAULT_CSS = """
    Table { height: 1fr; }
    """

    def __init__(self, board: type[Board], session: Session, view: View) -> None:
        super().__init__(id="boards")
        self.board_class = board
        self.session = session
        self.view = view

    def compose(self) -> ComposeResult:
        """The board."""
        yield self.board_class(self.view(0), id="board-0")

    @property
    def board(self) -> Board:
        """The main board, or the only one."""
        return self.query_one("#board-0", Board)

    @property
    def boards(self) -> list[Board]:
        """All boards in use, one for each seat in a race."""
        return [self.board]

    def show(self, glyphs: Glyphs) -> None:
        """Update the boards."""
        for seat, board in enumerate(self.boards):
            board.show(self.view(seat))


@dataclass(frozen=True, slots=True)
class Plan:
    """How the boards share an area."""

    cell: tuple[int, int] | None
    """The cell size of the main board; None if it does not fit."""
    widths: tuple[int, ...]
    """Columns of each seat's board, 0 if hidden."""
    alike: bool
    """Whether all boards are shown equally large."""


def board_around(widget: Widget) -> Board | None:
    """The board that is or contains a widget."""
    return next((each for each in widget.ancestors_with_self if isinstance(each, Board)), None)


class RaceTable(Table):
    """A board for each seat: side by side if there is room, else the other one is small or hidden."""

    DEFAULT_CSS = """
    RaceTable .seat { width: 1fr; }
    """

    def __init__(self, board: type[Board], session: Session, view: View) -> None:
        super().__init__(board, session, view)
        self.divided = Plan(None, (), False)
        """The present division of the area, set at the first layout."""
        self._glyphs: Glyphs | None = None

    def compose(self) -> ComposeResult:
        """Boards for two seats even if the match has only one, since the next may have two."""
        seats = len(self.session.match.seats)
        for seat in range(2):
            with Vertical(classes="seat", id=f"seat-{seat}"):
                yield Caption(id=f"caption-{seat}")
                yield self.board_class(self.view(min(seat, seats - 1)), id=f"board-{seat}")

    @property
    def board(self) -> Board:
        """The main board."""
        return self.query_one(f"#board-{self.session.main_seat}", Board)

    @property
    def boards(self) -> list[Board]:
        """The boards of the seats."""
        return [self.query_one(f"#board-{seat}", Board) for seat in range(len(self.session.match.seats))]

    def on_resize(self) -> None:
        """Divide the area again after a change of size."""
        self.divide()

    def plan(self, area: Size) -> Plan:
        """Divide an area: equal boards if that costs little, else the other one small or hidden."""
        boards, main = self.boards, self.session.main_seat
        room = Size(area.width, area.height - CAPTION)
        alone = boards[main].fit(room)
        if len(boards) == 1:
            return Plan(alone, (area.width,), False)
        half = Size(area.width // 2, room.height)
        cells = [board.fit(half) for board in boards]
        cell = cells[main]
        large = cell is not None and (cell == alone or cell[0] * cell[1] >= ROOMY)
        if all(cells) and self.session.looking is None and (large or self.session.match.watched):
            return Plan(cell, (half.width, area.width - half.width), True)
        widths = [0, 0]
        widths[main] = area.width
        inset = Size(boards[1 - main].least_size().width, room.height)
        if alone and boards[1 - main].fit(inset):
            rest = Size(area.width - inset.width, room.height)
            if boards[main].fit(rest) == alone:
                widths[main], widths[1 - main] = rest.width, inset.width
        return Plan(alone, tuple(widths), False)

    def divide(self) -> None:
        """Set the widths of the boards."""
        if not self.is_mounted:
            return
        plan = self.divided = self.plan(self.size)
        for seat in range(2):
            width = plan.widths[seat] if seat < len(plan.widths) else 0
            place = self.query_one(f"#seat-{seat}")
            place.display = width > 0
            place.styles.width = width
        focused = self.screen.focused
        if focused is None or board_around(focused) not in (None, self.board):
            self.board.focus()
        self._show_captions()
        self.post_message(self.Divided())

    def show(self, glyphs: Glyphs) -> None:
        """Update the boards."""
        super().show(glyphs)
        self._glyphs = glyphs
        self.divide()

    def _show_captions(self) -> None:
        match = self.session.match
        for seat in range(len(match.seats)):
            # While a hint's line is shown, use the score of the shown map.
            points = match.game.points(self.view(seat).position)
            moving = match.result is None and match.turn == seat
            pointer = self._glyphs.turn if moving and self._glyphs is not None else " "
            ways = tuple(self._ways(seat))
            width = self.divided.widths[seat] if seat < len(self.divided.widths) else 0
            wide = width >= NAMED + sum(len(f"   {each.key} {each.word}") for each in ways)
            named = f"{match.game.sides[seat]}  {seat_name(match, seat)}"
            name = named if len(match.seats) > 1 and wide else names_apart(match)[seat]
            self.query_one(f"#caption-{seat}", Caption).show(f"{pointer} {name}  {points}", moving, *ways)

    def _ways(self, seat: int) -> Iterable[KeyWord]:
        match = self.session.match
        if len(match.seats) > 1 and seat == self.session.main_seat and not self.divided.alike:
            return [self.to_board(1 - seat)]
        return ()

    def to_board(self, seat: int) -> KeyWord:
        """The words that bring a seat's board to the front."""
        return KeyWord("z", f"to {self.session.match.game.sides[seat]}", "other_board")

    def focus_moved(self, widget: Widget) -> None:
        """A click on the small board makes it the main one; two equal boards keep their order."""
        board = board_around(widget)
        # The focus may have changed since; following outdated messages could alternate forever.
        if board is None or board is self.board or widget is not self.screen.focused:
            return
        if self.divided.alike:
            self.board.focus()
        else:
            self.session.look_at(self.boards.index(board))

    def look_at_other(self) -> bool:
        """Switch to the other board or back to both; False if there is only one."""
        session = self.session
        if len(session.match.seats) == 1:
            return False
        if session.looking is not None:
            session.look_at(None if session.looking else 1)
        elif self.divided.alike:
            session.look_at(0)
        else:
            session.look_at(1 - session.main_seat)
        return True

"""The boards of a match, and a race's scores."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from arcade.play.marks import ScoreRow
from arcade.play.scene import Scene
from arcade.widgets.board import Board
from arcade.widgets.glyphs import glyphs_of
from arcade.widgets.keys import Shortcut, Shortcuts, keys_of, match_shortcut
from arcade.widgets.panels import PlyGraph, Row

COLOURS = ("primary", "secondary")


class ScoreGraph(PlyGraph):
    HEADS = 1
    MARGIN = 19

    def rows(self, scene: Scene) -> list[Row]:
        scores = [row for row in scene.chart.rows if isinstance(row, ScoreRow)]
        if not scores:
            return []
        width = max(self.size.width - self.MARGIN - 6, 10)
        known = [row.best for row in scores if row.best]
        top = max([1, *(max(row.scores) for row in scores), *known])
        axis = "0".ljust(width - len(str(top))) + str(top)
        bars = ([*self.labelled(row), *self._bar(row, scene.chart.sides, width, top)] for row in scores)
        return [[(" " * self.MARGIN, ""), (axis, "faint")], *bars]

    def _bar(self, row: ScoreRow, sides: Sequence[str], width: int, top: int) -> Row:
        cells: Row = [(" ", "")] * width
        place = [score * (width - 1) // top for score in row.scores]
        cells[: place[row.seat]] = [(self.glyphs.hatch, COLOURS[row.seat])] * place[row.seat]
        if row.best is not None:
            cells[row.best * (width - 1) // top] = (self.glyphs.other, "win")
        for other, at in enumerate(place):
            if other != row.seat:
                cells[at] = (sides[other][0], f"{COLOURS[other]}")
        sign = sides[row.seat][0] if len(place) > 1 else self.glyphs.played
        cells[place[row.seat]] = (sign, f"bold {COLOURS[row.seat]}")
        return [*cells, (f" {row.scores[row.seat]}", f"bold {COLOURS[row.seat]}")]


CAPTION = 1
NAMED = 24
ROOMY = 8
"""Minimum area of a cell, in columns times lines, to show two boards of equal size."""


class Table(Horizontal):
    DEFAULT_CSS = """
    Table { height: 1fr; }
    """

    class LayoutChanged(Message):
        pass

    def __init__(self, board: type[Board], scene: Scene) -> None:
        super().__init__(id="boards")
        self.board_class = board
        self.scene = scene

    def compose(self) -> ComposeResult:
        yield self.board_class(self.scene.boards[0], id="board-0")

    @property
    def board(self) -> Board:
        return self.query_one("#board-0", Board)

    @property
    def boards(self) -> list[Board]:
        return [self.board]

    def show(self, scene: Scene) -> None:
        self.scene = scene
        for board, shown in zip(self.boards, scene.boards, strict=True):
            board.show(shown)


@dataclass(frozen=True, slots=True)
class BoardLayout:
    cell: tuple[int, int] | None
    """Size of a cell of the main board; None if the board does not fit."""
    widths: tuple[int, ...]
    alike: bool


def focused_board(widget: Widget) -> Board | None:
    return next((ancestor for ancestor in widget.ancestors_with_self if isinstance(ancestor, Board)), None)


class RaceTable(Table):
    DEFAULT_CSS = """
    RaceTable Shortcuts { padding: 0 1; }
    RaceTable .seat { width: 1fr; }
    """

    divided = BoardLayout(None, (), False)

    @dataclass
    class LookAt(Message):
        """Message: show the board of a seat. If `seat` is None, the match chooses the board."""

        seat: int | None

    def compose(self) -> ComposeResult:
        boards = self.scene.boards
        for seat in range(2):
            with Vertical(classes="seat", id=f"seat-{seat}"):
                yield Shortcuts(id=f"caption-{seat}")
                yield self.board_class(boards[min(seat, len(boards) - 1)], id=f"board-{seat}")

    @property
    def board(self) -> Board:
        return self.query_one(f"#board-{self.scene.main}", Board)

    @property
    def boards(self) -> list[Board]:
        return [self.query_one(f"#board-{seat}", Board) for seat in range(len(self.scene.boards))]

    def on_resize(self) -> None:
        self.divide()

    def plan(self, area: Size) -> BoardLayout:
        """Divide an area equally. If the boards would be too small, give the main board most or all of it."""
        boards, main = self.boards, self.scene.main
        room = Size(area.width, area.height - CAPTION)
        alone = boards[main].fit(room)
        if len(boards) == 1:
            return BoardLayout(alone, (area.width,), False)
        half = Size(area.width // 2, room.height)
        cells = [board.fit(half) for board in boards]
        cell = cells[main]
        large = cell is not None and (cell == alone or cell[0] * cell[1] >= ROOMY)
        if all(cells) and self.scene.looking is None and (large or self.scene.watched):
            return BoardLayout(cell, (half.width, area.width - half.width), True)
        widths = [0, 0]
        widths[main] = area.width
        inset = Size(boards[1 - main].least_size().width, room.height)
        if alone and boards[1 - main].fit(inset):
            rest = Size(area.width - inset.width, room.height)
            if boards[main].fit(rest) == alone:
                widths[main], widths[1 - main] = rest.width, inset.width
        return BoardLayout(alone, tuple(widths), False)

    def divide(self) -> None:
        if not self.is_mounted:
            return
        self.post_message(self.LayoutChanged())
        plan = self.divided = self.plan(self.size)
        for seat in range(2):
            width = plan.widths[seat] if seat < len(plan.widths) else 0
            place = self.query_one(f"#seat-{seat}")
            place.display = width > 0
            place.styles.width = width
        focused = self.screen.focused
        if focused is None or focused_board(focused) not in (None, self.board):
            self.board.focus()
        self._show_captions()

    def show(self, scene: Scene) -> None:
        super().show(scene)
        self.divide()

    def _show_captions(self) -> None:
        players = self.scene.players
        for seat, (player, board) in enumerate(zip(players, self.scene.boards, strict=True)):
            pointer = glyphs_of(self.app).turn if player.to_move else " "
            other = len(players) > 1 and seat == self.scene.main and not self.divided.alike
            actions = [self.to_board(1 - seat)] if other else []
            width = self.divided.widths[seat] if seat < len(self.divided.widths) else 0
            wide = width >= NAMED + sum(len(f"   {action.key} {action.word}") for action in actions)
            name = f"{player.side}  {player.name}" if len(players) > 1 and wide else player.caption
            style = "bold $primary" if player.to_move else "$faint"
            head = Content.styled(f"{pointer} {name}  {board.points}", style)
            self.query_one(f"#caption-{seat}", Shortcuts).show(*actions, title=head)

    def to_board(self, seat: int) -> Shortcut:
        return match_shortcut(keys_of(self.app), "other_board", f"show {self.scene.players[seat].side}")

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        board = focused_board(event.widget)
        # The focus may have changed since. Following outdated messages could alternate forever.
        if board is None or board is self.board or event.widget is not self.screen.focused:
            return
        if self.divided.alike:
            self.board.focus()
        else:
            self.post_message(self.LookAt(self.boards.index(board)))

    @property
    def other(self) -> int | None:
        """The seat to show next; None if the match chooses the seat."""
        if self.scene.looking is not None:
            return None if self.scene.looking else 1
        return 0 if self.divided.alike else 1 - self.scene.main

"""Honshu's screen: the maps, the hand of tiles, and the scores rule by rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.containers import Vertical
from textual.geometry import Size
from textual.widget import Widget

from arcade.screens.race import Boards, RaceScreen
from arcade.widgets.board import Board
from arcade.widgets.honshu_hand import Hand
from arcade.widgets.honshu_map import HonshuMap
from arcade.widgets.honshu_scores import ScoreTable
from arcade.widgets.key_words import KeyWord, KeyWords

SIDE_LINES = 8
"""Lines that the tiles of the hand may take beside the map."""


class HandBox(Vertical):
    """The hand under a line of words to click."""

    DEFAULT_CSS = """
    HandBox { height: auto; }
    """

    _shown: object = None

    def compose(self) -> Iterable[Widget]:
        """Words and tiles."""
        yield KeyWords()
        yield Hand()

    def show(self, board: HonshuMap, lines: int) -> None:
        """Show the hand of a board in at most so many lines."""
        drawn_as = (board.glyphs, self.app.theme)
        showing = (board, board.position, board.index, board.view.own, lines, drawn_as)
        if showing == self._shown:
            return
        self._shown = showing
        count = len(board.position.hand)
        self.set_class(not count, "-empty")
        ways = (KeyWord("e", "turn", "turn(1)"), KeyWord("]", "next", "next_tile(1)"))
        tiles = f"{count} tile{'s' * (count != 1)}"
        self.query_one(KeyWords).show(*(ways if board.view.own else ()), title=tiles)
        self.query_one(Hand).show(board, lines)


class HonshuScreen(RaceScreen):
    """A match of Honshu."""

    BOARD = HonshuMap

    # The table of scores says who sits where. On a low screen a hint takes the place of it and the moves.
    CSS: ClassVar[str] = """
    HonshuScreen #seats { display: none; }
    HonshuScreen #status { height: 2; }
    HonshuScreen.-low #verdict { min-height: 3; max-height: 3; }
    HonshuScreen.-low #under-hand, HonshuScreen.-tall #side-hand { display: none; }
    HonshuScreen .-empty { display: none; }
    HonshuScreen #under-hand { padding: 0 1; }
    HonshuScreen.-low.-hinting #side-hand { margin-bottom: 0; }
    HonshuScreen.-low.-hinting #scores, HonshuScreen.-low.-hinting #moves { display: none; }
    """

    def under_boards(self) -> Iterable[Widget]:
        """The hand, where there are many lines."""
        yield HandBox(id="under-hand")

    def extra_panels(self) -> Iterable[Widget]:
        """The scores, and the hand where lines are few."""
        yield ScoreTable(id="scores", classes="panel")
        yield HandBox(id="side-hand", classes="panel")

    _under = SIDE_LINES
    """Lines for the tiles under the maps."""

    @property
    def map(self) -> HonshuMap:
        """The main map."""
        board = self.board
        assert isinstance(board, HonshuMap)
        return board

    def divide(self) -> None:
        """Give the maps their widths, and the hand under them the lines that cost the maps nothing."""
        super().divide()
        self.show_extra()

    def _lines_under(self) -> int:
        """The most lines for the tiles under the maps that leave the maps as large as they can be."""
        hand = self.query_one("#under-hand").query_one(Hand)
        area = self.query_one("#left").size
        width = max(1, area.width - 2)
        heights = [hand.height_with(cell, width) for cell in Hand.CELL_SIZES]
        plans = [self.plan(Size(area.width, area.height - 3 - height)) for height in heights]
        return next(
            height for height, plan in zip(heights, plans, strict=True) if plan.cell == plans[-1].cell
        )

    def show_extra(self) -> None:
        """Bring the hand and the scores up to date."""
        if not self.is_mounted or not self.query(Boards):
            return
        self.set_class(self.hinting, "-hinting")
        self._under = self._lines_under()
        self.show_hands()
        self.show_scores()

    def show_hands(self) -> None:
        """Bring the hand up to date, wherever it is on show."""
        for box, lines in (("#side-hand", SIDE_LINES), ("#under-hand", self._under)):
            self.query_one(box, HandBox).show(self.map, lines)

    def show_scores(self) -> None:
        """Bring the scores up to date."""
        board = self.map
        pointed = board.move_at(board.cursor) if board.has_focus else None
        self.query_one(ScoreTable).show(self.match, board.position, pointed, self.arcade.glyphs)

    def on_board_pointed(self, message: Board.Pointed) -> None:
        """Another placement is tried out."""
        if message.board is self.board:
            self.show_hands()
            self.show_scores()

    def on_hand_asked(self, message: Hand.Asked) -> None:
        """A tile of the hand was clicked."""
        if message.index is None:
            self.map.action_rotate(1)
        else:
            self.map.take(message.index)

    def action_turn(self, quarters: int) -> None:
        """Turn the tile in hand."""
        self.map.action_rotate(quarters)

    def action_next_tile(self, by: int) -> None:
        """Take the next tile, or the one before."""
        self.map.action_next_tile(by)

    def move_seconds(self) -> float | None:
        """Exhaustive search of the last tiles is given up after a while."""
        return 20.0 if self.match.seats[self.match.turn].startswith("mixed") else None

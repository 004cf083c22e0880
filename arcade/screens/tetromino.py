"""Tetromino's screen: the board, and both hands beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.widget import Widget

from arcade.screens.match import MatchScreen
from arcade.widgets.board import Board
from arcade.widgets.tetromino_board import TetrominoBoard
from arcade.widgets.tetromino_hands import HandsPanel


class TetrominoScreen(MatchScreen):
    """A match of Tetromino."""

    BOARD = TetrominoBoard

    # On a narrow screen the hands need the width, on a low one their height is taken from the hint's.
    CSS: ClassVar[str] = """
    TetrominoScreen.-narrow #side { width: 36; }
    TetrominoScreen.-low #hint-scroll { max-height: 7; }
    """

    def extra_panels(self) -> Iterable[Widget]:
        """Both hands."""
        yield HandsPanel(id="hands")

    def show_extra(self) -> None:
        """Bring the hands up to date."""
        board = self.board
        assert isinstance(board, TetrominoBoard)
        self.query_one(HandsPanel).show(board)

    def on_board_pointed(self, message: Board.Pointed) -> None:
        """Another piece may have been taken in hand."""
        self.show_extra()

    async def on_hands_panel_asked(self, message: HandsPanel.Asked) -> None:
        """A piece or a word beside the board was clicked."""
        await self.board.run_action(message.action)

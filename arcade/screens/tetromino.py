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

    # Enough for every board up to 6x8; on larger ones nobody waits for what may take hours.
    MOVE_SECONDS = 30.0

    # On a narrow screen the hands need the width; on a low one a hint takes the place of the moves.
    CSS: ClassVar[str] = """
    TetrominoScreen.-narrow #side { width: 36; }
    TetrominoScreen.-low.-hinting #hint-scroll { height: 1fr; max-height: 100%; margin: 0; }
    TetrominoScreen.-low.-hinting #moves, TetrominoScreen.-low.-hinting #graph { display: none; }
    """

    def extra_panels(self) -> Iterable[Widget]:
        """Both hands."""
        yield HandsPanel(id="hands")

    def show_extra(self) -> None:
        """Bring the hands up to date."""
        self.set_class(self.hinting, "-hinting")
        board = self.board
        assert isinstance(board, TetrominoBoard)
        self.query_one(HandsPanel).show(board)

    def on_board_pointed(self, message: Board.Pointed) -> None:
        """Another piece may have been taken in hand."""
        self.show_extra()

    async def on_hands_panel_asked(self, message: HandsPanel.Asked) -> None:
        """A piece or a word beside the board was clicked."""
        await self.board.run_action(message.action)

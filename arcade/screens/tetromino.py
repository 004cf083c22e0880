"""Tetromino's screen: the board, and both hands beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.widget import Widget

from arcade.screens.match import MatchScreen
from arcade.widgets.tetromino_board import TetrominoBoard
from arcade.widgets.tetromino_hands import HandsPanel


class TetrominoScreen(MatchScreen):
    """A match of Tetromino."""

    BOARD = TetrominoBoard
    HAND = HandsPanel

    # The hands say who sits where. On a narrow screen they need the width; on a low one a hint takes the
    # place of the moves.
    CSS: ClassVar[str] = """
    TetrominoScreen #seats { display: none; }
    TetrominoScreen #status { height: 2; }
    TetrominoScreen.-narrow #side { width: 36; }
    TetrominoScreen.-low.-hinting #hint-scroll { height: 1fr; max-height: 100%; margin: 0; }
    TetrominoScreen.-low.-hinting #moves, TetrominoScreen.-low.-hinting #graph { display: none; }
    """

    def extra_panels(self) -> Iterable[Widget]:
        """Both hands."""
        yield HandsPanel(id="hands")

    def show_extra(self) -> None:
        """Update the hands."""
        board = self.board
        assert isinstance(board, TetrominoBoard)
        self.query_one(HandsPanel).show(board, self.match)

    def pointed(self) -> None:
        """Another piece may have been taken in hand."""
        self.show_extra()

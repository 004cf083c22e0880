"""The board for setting up a Hexapawn position."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from arcade.widgets.board import Cell
from arcade.widgets.pawn_board import PawnGrid

_NEXT = {".": "P", "P": "p", "p": "."}
"""The next content of a chosen square, by its present content."""


class SetupBoard(PawnGrid):
    """A board with editable squares."""

    DOUBLE_CLICKS = True

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "choose", "Change", key_display="Enter", tooltip="Change the square"),
        Binding("1", "put('P')", "White", tooltip="Place a white pawn"),
        Binding("2", "put('p')", "Black", tooltip="Place a black pawn"),
        Binding("0,delete,backspace", "put('.')", "Remove", tooltip="Remove the pawn"),
    ]

    class Edited(Message):
        """A person changes a square."""

        def __init__(self, row: int, column: int, pawn: str) -> None:
            super().__init__()
            self.row = row
            self.column = column
            self.pawn = pawn
            """"P", "p" or "."."""

    def chosen(self, cell: Cell) -> None:
        """Cycle the content of a cell."""
        self._put(cell, _NEXT[self.pawns.square(*self.square_of(cell))])

    def action_put(self, pawn: str) -> None:
        """Set the content of the cell under the cursor."""
        self._put(self.cursor, pawn)

    def _put(self, cell: Cell, pawn: str) -> None:
        self.post_message(self.Edited(*self.square_of(cell), pawn))

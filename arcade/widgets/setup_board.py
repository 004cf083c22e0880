"""The board on which a position of Hexapawn is set up."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from arcade.widgets.board import Cell
from arcade.widgets.pawn_board import PawnGrid

_NEXT = {".": "P", "P": "p", "p": "."}
"""What a square holds after it was chosen, by what it held before."""


class SetupBoard(PawnGrid):
    """The board whose squares are changed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "choose", "Change", key_display="Enter", tooltip="Change the square"),
        Binding("1", "put('P')", "White", tooltip="Put a pawn of White's"),
        Binding("2", "put('p')", "Black", tooltip="Put a pawn of Black's"),
        Binding("0,delete,backspace", "put('.')", "Remove", tooltip="Remove the pawn"),
    ]

    class Edited(Message):
        """A person puts something on a square."""

        def __init__(self, row: int, column: int, pawn: str) -> None:
            super().__init__()
            self.row = row
            self.column = column
            self.pawn = pawn
            """"P", "p" or "."."""

    def chosen(self, cell: Cell) -> None:
        """Change what is on a cell: nothing, White's pawn, Black's."""
        self._put(cell, _NEXT[self.pawns.square(*self.square_of(cell))])

    def action_put(self, pawn: str) -> None:
        """Put a pawn, or nothing, on the cell under the cursor."""
        self._put(self.cursor, pawn)

    def _put(self, cell: Cell, pawn: str) -> None:
        self.post_message(self.Edited(*self.square_of(cell), pawn))

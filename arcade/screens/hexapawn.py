"""Hexapawn's screen: the pawn board and the position editor."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from arcade.screens.match import MatchScreen
from arcade.widgets.pawn_board import PawnBoard


class HexapawnScreen(MatchScreen):
    """A match of Hexapawn; HER can sit there."""

    BOARD = PawnBoard

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "edit", "Edit", tooltip="Set up a position and play from it"),
        Binding("L", "laboratory", "Lab", show=False, tooltip="The laboratory: train machines"),
    ]

    def action_edit(self) -> None:
        """Open the editor with the position on the board."""
        from arcade.screens.hexapawn_setup import SetupScreen

        self.open(SetupScreen(self.session))

"""Hexapawn's screen: the pawn board, and the editor that sets up a position."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from arcade.screens.machine_match import MachineMatchScreen
from arcade.widgets.pawn_board import PawnBoard


class HexapawnScreen(MachineMatchScreen):
    """A match of Hexapawn; HER can sit there."""

    BOARD = PawnBoard
    MOVE_SECONDS = 10.0
    """Large boards take minutes to solve; an engine then plays what is proved, or looks best, so far."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "edit", "Edit", tooltip="Set up a position and play from it"),
    ]

    def action_edit(self) -> None:
        """Set up a position, beginning with the one on the board."""
        from arcade.screens.hexapawn_setup import SetupScreen

        self.arcade.open(SetupScreen(self))

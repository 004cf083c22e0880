"""MENACE's screen: tic-tac-toe, and the machine's open box."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from arcade.screens.machine_match import MachineMatchScreen
from arcade.widgets.tic_tac_toe_board import TicTacToeBoard


class MenaceScreen(MachineMatchScreen):
    """A match of tic-tac-toe, mostly against a machine."""

    BOARD = TicTacToeBoard
    ALWAYS_LEARNING = True

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "laboratory", "Lab", show=False, tooltip="The laboratory: train machines"),
    ]

"""MENACE's screen: tic-tac-toe, mostly against a machine."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from arcade.screens.match import MatchScreen
from arcade.widgets.tic_tac_toe_board import TicTacToeBoard


class MenaceScreen(MatchScreen):
    """A match of tic-tac-toe."""

    BOARD = TicTacToeBoard
    TEACHES = True

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("L", "laboratory", "Lab", show=False, tooltip="The laboratory: train machines"),
    ]

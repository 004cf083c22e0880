"""Hexapawn's match screen."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from arcade.play.keymap import default_key
from arcade.screens.hexapawn.board import PawnBoard
from arcade.screens.hexapawn.setup import SetupScreen
from arcade.screens.match import MatchScreen


class HexapawnScreen(MatchScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            default_key("edit"),
            "edit",
            "Position editor",
            show=False,
            tooltip="Set up a position and play from it",
            id="edit",
        ),
    ]

    BOARD = PawnBoard
    OFFERS = ("laboratory",)

    def action_edit(self) -> None:
        self.open(SetupScreen(self.session))

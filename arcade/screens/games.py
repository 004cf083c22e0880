"""The match screens of the games, except Honshu's."""

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from textual.binding import Binding, BindingType

from arcade.engines.registry import entries
from arcade.play.keymap import default_key
from arcade.screens.base import OWN_CSS
from arcade.screens.hexapawn_setup import SetupScreen
from arcade.screens.match import MatchScreen
from arcade.widgets.chocobar_board import ChocobarBoard
from arcade.widgets.pawn_board import PawnBoard
from arcade.widgets.tetromino import HandsPanel, TetrominoBoard
from arcade.widgets.tic_tac_toe_board import TicTacToeBoard


class ChocobarScreen(MatchScreen):
    BOARD = ChocobarBoard


class HexapawnScreen(MatchScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            default_key("edit"),
            "edit",
            "Edit",
            show=False,
            tooltip="Set up a position and play from it",
            id="edit",
        ),
    ]

    BOARD = PawnBoard
    OFFERS = ("laboratory",)

    def action_edit(self) -> None:
        self.open(SetupScreen(self.session))


class MenaceScreen(MatchScreen):
    BOARD = TicTacToeBoard
    OFFERS = ("boxes", "laboratory")

    @property
    def story(self) -> Sequence[str]:
        """It tells of the open box, so there has to be one."""
        return super().story if any(player.machine for player in self.scene.players) else ()


class TetrominoScreen(MatchScreen):
    BOARD = TetrominoBoard
    HAND = HandsPanel
    CSS_PATH = OWN_CSS


GROUP = "arcade.screens"
"""The entry point group; `name = "module:Class"` gives the game with that name its own screen."""


@cache
def screen_class(name: str) -> type[MatchScreen]:
    for entry in entries(GROUP):
        loaded = entry.load() if entry.name == name else None
        if isinstance(loaded, type) and issubclass(loaded, MatchScreen):
            return loaded
    return MatchScreen

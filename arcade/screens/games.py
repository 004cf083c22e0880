"""The match screens of the games, except Honshu's."""

from collections.abc import Sequence
from functools import cache

from arcade.engines.registry import entries
from arcade.screens.base import OWN_CSS
from arcade.screens.match import MatchScreen
from arcade.widgets.tetromino import HandsPanel, TetrominoBoard
from arcade.widgets.tic_tac_toe_board import TicTacToeBoard


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

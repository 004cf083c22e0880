"""The match screen of each game."""

from collections.abc import Sequence
from functools import cache

from arcade.engines.registry import entries
from arcade.screens.match import MatchScreen
from arcade.widgets.tic_tac_toe_board import TicTacToeBoard


class MenaceScreen(MatchScreen):
    BOARD = TicTacToeBoard
    OFFERS = ("boxes", "laboratory")

    @property
    def story(self) -> Sequence[str]:
        """It tells of the open box, so there has to be one."""
        return super().story if any(player.machine for player in self.scene.players) else ()


GROUP = "arcade.screens"
"""The entry point group; `name = "module:Class"` gives the game with that name its own screen."""


@cache
def screen_class(name: str) -> type[MatchScreen]:
    for entry in entries(GROUP):
        loaded = entry.load() if entry.name == name else None
        if isinstance(loaded, type) and issubclass(loaded, MatchScreen):
            return loaded
    return MatchScreen

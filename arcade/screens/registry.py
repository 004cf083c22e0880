"""Which screen a game is played on. Screens are found by entry point, like the games."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from arcade.engines.game import Kind
from arcade.engines.registry import get_game

if TYPE_CHECKING:
    from arcade.screens.match import MatchScreen

GROUP = "arcade.screens"
"""The entry point group; `name = "module:Class"` gives the game of that name a screen of its own."""


@cache
def screen_class(name: str) -> type[MatchScreen]:
    """The screen of a game; a plain one, with lists of moves, for a game that brings none."""
    from arcade.screens.match import MatchScreen
    from arcade.screens.race import RaceScreen

    for entry in entry_points(group=GROUP, name=name):
        loaded = entry.load()
        if isinstance(loaded, type) and issubclass(loaded, MatchScreen):
            return loaded
    return RaceScreen if get_game(name).kind is Kind.RACE else MatchScreen

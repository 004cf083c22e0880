"""The match screen of each game."""

from functools import cache

from arcade.engines.registry import entries
from arcade.screens.match import MatchScreen

GROUP = "arcade.screens"
"""The entry point group; `name = "module:Class"` gives the game with that name its own screen."""


@cache
def screen_class(name: str) -> type[MatchScreen]:
    for entry in entries(GROUP):
        loaded = entry.load() if entry.name == name else None
        if isinstance(loaded, type) and issubclass(loaded, MatchScreen):
            return loaded
    return MatchScreen

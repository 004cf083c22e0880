"""The match screen of each game."""

from functools import cache

from arcade.engines.registry import entries
from arcade.screens.match import MatchScreen

GROUP = "arcade.screens"
"""Entry point group. An entry `game = "module:Class"` gives that game its own match screen."""


@cache
def screen_class(name: str) -> type[MatchScreen]:
    for entry in entries(GROUP):
        loaded = entry.load() if entry.name == name else None
        if isinstance(loaded, type) and issubclass(loaded, MatchScreen):
            return loaded
    return MatchScreen

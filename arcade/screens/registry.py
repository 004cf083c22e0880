"""The screen of each game, found by entry point like the games themselves."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

from arcade.screens.match import MatchScreen

GROUP = "arcade.screens"
"""The entry point group; `name = "module:Class"` gives the game with that name its own screen."""


@cache
def screen_class(name: str) -> type[MatchScreen]:
    """The screen of a game; a plain one with a list of moves for a game without its own."""
    for entry in entry_points(group=GROUP, name=name):
        loaded = entry.load()
        if isinstance(loaded, type) and issubclass(loaded, MatchScreen):
            return loaded
    return MatchScreen

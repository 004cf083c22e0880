"""Which games there are, found by entry point and loaded when asked for, and what a game ID means."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from arcade.engines.game import Game, InputError, ParameterValue, Position

GROUP = "arcade.games"
"""The entry point group; a package that declares `name = "module:GAME"` in it adds a game."""

ORDER = ("chocobar", "hexapawn", "tetromino", "honshu", "menace")
"""The arcade's own games in the order of the menu; games from other packages follow by name."""

AnyGame = Game[Any, Any]


@cache
def _found() -> dict[str, EntryPoint]:
    found = {each.name: each for each in entry_points(group=GROUP)}
    rank = {name: index for index, name in enumerate(ORDER)}
    return {name: found[name] for name in sorted(found, key=lambda name: (rank.get(name, len(ORDER)), name))}


def game_names() -> tuple[str, ...]:
    """The names of all installed games, without loading any."""
    return tuple(_found())


@cache
def get_game(name: str) -> AnyGame:
    """Load a game by name.

    Raises:
        InputError: no game of that name is installed, or it cannot be loaded.
    """
    entry = _found().get(name)
    if entry is None:
        raise InputError(f"There is no game {name!r}; the games are {', '.join(game_names())}.")
    try:
        game = entry.load()
    except Exception as error:
        raise InputError(f"The game {name!r} of {entry.value} cannot be loaded: {error}.") from error
    if not isinstance(game, Game):
        raise InputError(f"The entry point {entry.value} of {name!r} is not a Game.")
    return game


def installed_games() -> list[AnyGame]:
    """All games that can be loaded; one of another package that cannot is left out."""
    games = []
    for name in game_names():
        with suppress(InputError):
            games.append(get_game(name))
    return games


@dataclass(frozen=True)
class GameID:
    """A game ID in parts: `game:parameters:position` or `game:parameters#seed`."""

    game: AnyGame
    parameters: dict[str, ParameterValue]
    position: str | None = None
    """The exact position; None for the game's first one."""
    seed: int | None = None

    def start(self) -> Position[Any]:
        """The position that the ID names.

        Raises:
            InputError: the position contradicts the parameters, or one of them is bad.
        """
        if self.position is not None:
            return self.game.parse_position(self.position, self.parameters)
        return self.game.new(self.parameters, self.seed or 0)

    def __str__(self) -> str:
        parameters = self.game.parameters_text(self.parameters)
        text = f"{self.game.name}:{parameters}" if parameters else self.game.name
        if self.position is not None:
            return f"{text}:{self.position}"
        return text if self.seed is None else f"{text}#{self.seed}"


def parse_game_id(text: str) -> GameID:
    """Read a game ID.

    Raises:
        InputError: which part is bad and what was expected.
    """
    text = text.strip()
    stop = min((index for index in (text.find(":"), text.find("#")) if index >= 0), default=len(text))
    game = get_game(text[:stop])
    rest = text[stop + 1 :] if text[stop : stop + 1] == ":" else text[stop:]
    parameters, position, seed = game.split_id(rest)
    if seed is not None and not game.chance:
        raise InputError(f"{game.title} has no chance in it, so {text!r} takes no #seed.")
    parsed = GameID(game, game.parse_parameters(parameters), position, seed)
    parsed.start()
    return parsed

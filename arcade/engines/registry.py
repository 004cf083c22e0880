"""Find games by entry point and in files, load them on demand, and read game IDs."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random, SystemRandom
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from arcade.engines.files import InputError
from arcade.engines.game_files import GameFile, name_folder, named_files

if TYPE_CHECKING:
    # A shell command needs only its own game.
    from arcade.engines.game import Game
    from arcade.engines.parameters import ParameterValue
    from arcade.engines.position import Position

GROUP = "arcade.games"
"""The entry point group; a package that declares `name = "module:GAME"` in it adds a game."""

ORDER = ("chocobar", "hexapawn", "tetromino", "honshu", "menace")
"""The arcade's own games in menu order; games from other packages follow by name."""

OWN = "arcade.engines."
"""Begins the entry points of the arcade's own games."""

_NAME = re.compile("[A-Za-z][A-Za-z0-9_-]*")
"""The form of a game's name, which game IDs, the store and the screens use."""

AnyGame: TypeAlias = "Game[Any, Any]"


class Entry(NamedTuple):
    """What a package says that it has."""

    name: str
    value: str
    """Where it is, as "module:attribute"."""

    @property
    def module(self) -> str:
        return self.value.partition(":")[0].strip()

    def load(self) -> Any:
        return getattr(import_module(self.module), self.value.partition(":")[2].strip())


@cache
def entries(group: str) -> list[Entry]:
    """The entry points of a group. `importlib.metadata` would take a tenth of the time to the first paint."""
    found = []
    for folder in dict.fromkeys(sys.path):
        for file in Path(folder).glob("*-info/entry_points.txt"):
            try:
                # A pipe would be waited for.
                text = file.read_text("utf-8", "replace") if file.is_file() else ""
            except OSError:
                # Another package of this Python may be damaged; it is not the arcade's business.
                continue
            _, _, after = text.partition(f"[{group}]\n")
            lines = (line.partition("=") for line in after.partition("\n[")[0].splitlines())
            found += [Entry(name.strip(), value.strip()) for name, equals, value in lines if equals]
    return found


@cache
def _found() -> dict[str, Entry | GameFile]:
    """Where the games are, by name; the arcade's own take precedence, then those of packages."""
    found: dict[str, Entry | GameFile] = {}
    for entry in sorted(entries(GROUP), key=lambda entry: not entry.value.startswith(OWN)):
        found.setdefault(entry.name, entry)
    for file in named_files():
        found.setdefault(file.name, file)
    rank = {name: index for index, name in enumerate(ORDER)}
    return {name: found[name] for name in sorted(found, key=lambda name: (rank.get(name, len(ORDER)), name))}


def rescan() -> None:
    """Forget which games there are: a folder of games has been named."""
    for known in (_found, get_game, _game_of, menu_words):
        known.cache_clear()


def load_file(file: GameFile) -> AnyGame:
    """The game of a file that the person has named; raises InputError if none, or its name is taken."""
    entry = _found().setdefault(file.name, file)
    if not isinstance(entry, GameFile):
        raise InputError(f"The name of {file.value} is taken: there is another game {file.name!r}.")
    if entry != file:
        _found()[file.name] = file
        get_game.cache_clear()
    return get_game(file.name)


def take_folder(folder: str) -> None:
    """Take the games of a folder that the person has named; raises InputError if one is not a game."""
    name_folder(folder)
    rescan()
    for file in named_files():
        load_file(file)


def failing_file(error: BaseException) -> str:
    """A sentence if an error comes from a game in a file; else empty."""
    files = (entry for entry in _found().values() if isinstance(entry, GameFile))
    for file in files:
        if place := file.place(error):
            return (
                f"The game {file.name!r} has failed, {place}{type(error).__name__}: {error}. "
                f"arcade check {file.path} tells more."
            )
    return ""


def load_errors() -> list[str]:
    """A sentence for each game that is there and cannot be played."""
    said = []
    for name in _found():
        try:
            get_game(name)
        except InputError as error:
            said.append(str(error))
    return said


def game_names() -> tuple[str, ...]:
    """The names of all installed games, without loading them; invalid names are left out."""
    return tuple(name for name in _found() if _NAME.fullmatch(name))


def game_modules() -> set[str]:
    """The modules of the games of packages, without loading them."""
    return {entry.module for entry in _found().values() if entry.module}


@cache
def get_game(name: str) -> AnyGame:
    """Load a game by name; raises InputError if none is installed, or it cannot be loaded."""
    from arcade.engines.game import Game  # not before the first paint

    entry = _found().get(name)
    if entry is None:
        raise InputError(f"There is no game {name!r}; the games are {', '.join(game_names())}.")
    if not _NAME.fullmatch(name):
        raise InputError(
            f"The game {name!r} of {entry.value} has a bad name: "
            "it must start with a letter from A to Z or a to z and have only such letters, digits, - and _."
        )
    try:
        game = entry.load()
    except Exception as error:
        raise InputError(f"The game {name!r} of {entry.value} cannot be loaded: {error}.") from error
    if not isinstance(game, Game):
        raise InputError(f"The entry point {entry.value} of {name!r} is not a Game.")
    called = getattr(game, "name", None)
    if called != name:
        raise InputError(f"The game of {entry.value} is named {called!r} but installed as {name!r}.")
    return game


def _package(name: str) -> ModuleType:
    """The package of one of the arcade's own games, which says what can be told without loading the game."""
    return import_module(f"{OWN}{name}")


def commands_help(name: str) -> str:
    """The help of a game's own shell commands; empty if it has none."""
    about: str = getattr(_package(name), "COMMANDS", "")
    return about


@cache
def menu_words(name: str) -> tuple[str, str]:
    """A game's title and summary; the arcade's own games are not loaded for them.

    Raises InputError as `get_game` does.
    """
    if name in ORDER and isinstance(_found().get(name), Entry):
        package = _package(name)
        return package.TITLE, package.SUMMARY
    game = get_game(name)
    return game.title, game.summary


def installed_games() -> list[AnyGame]:
    """All games that load; broken games of other packages are left out."""
    games = []
    for name in game_names():
        with suppress(InputError):
            games.append(get_game(name))
    return games


def is_listed(name: str) -> bool:
    """Whether the menu shows a game: all but those of the arcade that need a file and are not in `ORDER`."""
    entry = _found().get(name)
    return entry is None or not entry.value.startswith(OWN) or name in ORDER


def listed_games() -> list[AnyGame]:
    return [game for game in installed_games() if is_listed(game.name)]


def game_of(position: Position[Any]) -> AnyGame:
    """The game that a position belongs to; raises InputError if no installed game has such positions."""
    return _game_of(type(position))


@cache
def _game_of(kind: type) -> AnyGame:
    for game in installed_games():
        if type(game.new({})) is kind:
            return game
    raise InputError(f"No installed game has positions of type {kind.__name__}.")


def random_seed(source: Random | None = None) -> int:
    """A seed for chance, from the system where there is no `source`: small, as game IDs show it."""
    return (source or SystemRandom()).randrange(1_000_000)


@dataclass(frozen=True)
class GameID:
    """A game ID in parts: `game:parameters:position` or `game:parameters#seed`."""

    game: AnyGame
    parameters: dict[str, ParameterValue]
    position: str | None = None
    """The exact position; None for the first position."""
    seed: int | None = None

    @classmethod
    def of(cls, game: AnyGame, position: Position[Any]) -> GameID:
        return cls(game, game.parameters.of(position), position.text())

    @property
    def set_up(self) -> bool:
        """Whether the position is another than the first one of its board."""
        return self.position is not None and self.start() != self.game.new(self.parameters)

    def at(self, position: Position[Any]) -> GameID:
        """The ID of another position of the same game and parameters."""
        return GameID(self.game, self.parameters, position.text())

    def start(self) -> Position[Any]:
        """The position that the ID names; raises InputError if it contradicts the parameters."""
        if self.position is not None:
            return self.game.parse_position(self.position, self.parameters)
        return self.game.new(self.parameters, self.seed or 0)

    def __str__(self) -> str:
        parameters = self.game.parameters.text(self.parameters)
        text = f"{self.game.name}:{parameters}" if parameters else self.game.name
        if self.position is not None:
            # Parameters that write nothing keep their place: the position would be taken for them.
            between = ":" if parameters or not self.game.parameters else "::"
            return f"{text}{between}{self.position}"
        return text if self.seed is None else f"{text}#{self.seed}"


def parse_game_id(text: str) -> GameID:
    """Read a game ID; an InputError says which part is bad and what was expected."""
    text = text.strip()
    stop = min((index for index in (text.find(":"), text.find("#")) if index >= 0), default=len(text))
    game = get_game(text[:stop])
    rest = text[stop + 1 :] if text[stop : stop + 1] == ":" else text[stop:]
    parameters, position, seed = game.parameters.split(rest)
    if seed is not None and not game.parameters.seeded:
        raise InputError(f"{game.title} uses no chance, so {text!r} takes no #seed.")
    parsed = GameID(game, game.parameters.parse(parameters), position, seed)
    parsed.start()
    return parsed


def board_of(text: str) -> tuple[str, str | None]:
    """The parameters and the position in a game ID as `GameID` writes it, for any game."""
    name = re.split("[:#]", text, maxsplit=1)[0]
    rest = text[len(name) :].removeprefix(":")
    with suppress(InputError):
        return get_game(name).parameters.split(rest)[:2]
    parameters, colon, position = rest.partition(":")
    return parameters.partition("#")[0], position if colon else None


def parse_id_for(text: str, game: str) -> str:
    """A game ID that may omit the name of its game; raises InputError if it is one of another game."""
    name = re.split("[:#]", text, maxsplit=1)[0]
    if name != game and name != text and name in game_names():
        raise InputError(f"A board of {game} was expected here, but {text!r} is one of {name}.")
    return text if name == game else f"{game}:{text}"

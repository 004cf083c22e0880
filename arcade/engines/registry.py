"""Find games in entry points and in files, and parse game IDs."""

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
    from arcade.engines.game import Game
    from arcade.engines.parameters import ParameterValue
    from arcade.engines.position import Position

GROUP = "arcade.games"
"""Entry-point group of games. Each entry point is written as `name = "module:GAME"`."""

ORDER = ("chocobar", "hexapawn", "tetromino", "honshu", "menace")

OWN = "arcade.engines."

_NAME = re.compile("[A-Za-z][A-Za-z0-9_-]*")

AnyGame: TypeAlias = "Game[Any, Any]"


class Entry(NamedTuple):
    name: str
    value: str

    @property
    def module(self) -> str:
        return self.value.partition(":")[0].strip()

    def load(self) -> Any:
        return getattr(import_module(self.module), self.value.partition(":")[2].strip())


@cache
def entries(group: str) -> list[Entry]:
    """Return the entry points of a group.

    This function reads the files itself, because `importlib.metadata` would delay the first paint by 0.1 s.
    """
    found = []
    for folder in dict.fromkeys(sys.path):
        for file in Path(folder).glob("*-info/entry_points.txt"):
            try:
                # Opening a pipe would block.
                text = file.read_text("utf-8", "replace") if file.is_file() else ""
            except OSError:
                continue
            _, _, after = text.partition(f"[{group}]\n")
            lines = (line.partition("=") for line in after.partition("\n[")[0].splitlines())
            found += [Entry(name.strip(), value.strip()) for name, equals, value in lines if equals]
    return found


@cache
def _found() -> dict[str, Entry | GameFile]:
    """Return the locations of all games by name, starting with the built-in games."""
    found: dict[str, Entry | GameFile] = {}
    for entry in sorted(entries(GROUP), key=lambda entry: not entry.value.startswith(OWN)):
        found.setdefault(entry.name, entry)
    for file in named_files():
        found.setdefault(file.name, file)
    rank = {name: index for index, name in enumerate(ORDER)}
    return {name: found[name] for name in sorted(found, key=lambda name: (rank.get(name, len(ORDER)), name))}


def rescan() -> None:
    for known in (_found, get_game, _game_of, menu_words):
        known.cache_clear()


def load_file(file: GameFile) -> AnyGame:
    """Load the game in a file. Raises InputError if the file has no game or the game's name is taken."""
    entry = _found().setdefault(file.name, file)
    if not isinstance(entry, GameFile):
        raise InputError(
            f"Another game is already named {file.name!r}. Choose another name for the game in {file.value}."
        )
    if entry != file:
        _found()[file.name] = file
        get_game.cache_clear()
    return get_game(file.name)


def take_folder(folder: str) -> None:
    """Load a folder's games. Raises InputError if a file is not a game."""
    name_folder(folder)
    rescan()
    for file in named_files():
        load_file(file)


def failing_file(error: BaseException) -> str:
    """Return a sentence about an error in a game file, or "" if the error comes from elsewhere."""
    files = (entry for entry in _found().values() if isinstance(entry, GameFile))
    for file in files:
        if place := file.place(error):
            return (
                f"The game {file.name!r} failed in {place}{type(error).__name__}: {error}. "
                f"Run arcade check {file.path} for details."
            )
    return ""


def load_errors() -> list[str]:
    said = []
    for name in _found():
        try:
            get_game(name)
        except InputError as error:
            said.append(str(error))
    return said


def game_names() -> tuple[str, ...]:
    return tuple(name for name in _found() if _NAME.fullmatch(name))


def game_modules() -> set[str]:
    return {entry.module for entry in _found().values() if entry.module}


@cache
def get_game(name: str) -> AnyGame:
    """Return the game with a name. Raises InputError if the game is unknown or cannot be loaded."""
    from arcade.engines.game import Game

    entry = _found().get(name)
    if entry is None:
        raise InputError(f"Unknown game {name!r}. Choose from {', '.join(game_names())}.")
    if not _NAME.fullmatch(name):
        raise InputError(
            f"The game {name!r} of {entry.value} has an invalid name: "
            "it must start with a letter from A to Z or a to z. Such letters, digits, - and _ may follow."
        )
    try:
        game = entry.load()
    except Exception as error:
        raise InputError(f"Cannot load the game {name!r} from {entry.value}: {error}.") from error
    if not isinstance(game, Game):
        raise InputError(f"The entry point {entry.value} of {name!r} is not a Game.")
    called = getattr(game, "name", None)
    if called != name:
        raise InputError(
            f"The game in {entry.value} is named {called!r} but installed as {name!r}. Use one name for both."
        )
    return game


def _package(name: str) -> ModuleType:
    """Import the package of a built-in game without the module of the game itself."""
    return import_module(f"{OWN}{name}")


def commands_help(name: str) -> str:
    """Return the help for a built-in game's own commands, or "" if it has none."""
    about: str = getattr(_package(name), "COMMANDS", "")
    return about


@cache
def menu_words(name: str) -> tuple[str, str]:
    """Return a game's title and summary. Built-in games are not loaded for this.

    Raises InputError if the game is unknown or cannot be loaded.
    """
    if name in ORDER and isinstance(_found().get(name), Entry):
        package = _package(name)
        return package.TITLE, package.SUMMARY
    game = get_game(name)
    return game.title, game.summary


def installed_games() -> list[AnyGame]:
    games = []
    for name in game_names():
        with suppress(InputError):
            games.append(get_game(name))
    return games


def is_listed(name: str) -> bool:
    """Return whether a game is shown in lists. Built-in games that need a file are not."""
    entry = _found().get(name)
    return entry is None or not entry.value.startswith(OWN) or name in ORDER


def listed_games() -> list[AnyGame]:
    return [game for game in installed_games() if is_listed(game.name)]


def game_of(position: Position[Any]) -> AnyGame:
    """Return the game of a position. Raises InputError if no game has such positions."""
    return _game_of(type(position))


@cache
def _game_of(kind: type) -> AnyGame:
    for game in installed_games():
        if type(game.new({})) is kind:
            return game
    raise InputError(
        f"No installed game has positions of type {kind.__name__}. Make a position with arcade.load(GAME_ID)."
    )


def random_seed(source: Random | None = None) -> int:
    """Return a random seed below a million, short enough for game IDs."""
    return (source or SystemRandom()).randrange(1_000_000)


@dataclass(frozen=True)
class GameID:
    """A game ID: `game:parameters:position` or `game:parameters#seed`."""

    game: AnyGame
    parameters: dict[str, ParameterValue]
    position: str | None = None
    seed: int | None = None

    @classmethod
    def of(cls, game: AnyGame, position: Position[Any]) -> GameID:
        return cls(game, game.parameters.of(position), position.text())

    @property
    def set_up(self) -> bool:
        """True if the position differs from the board's first position."""
        return self.position is not None and self.start() != self.game.new(self.parameters)

    def at(self, position: Position[Any]) -> GameID:
        return GameID(self.game, self.parameters, position.text())

    def start(self) -> Position[Any]:
        """Return the position of the ID. Raises InputError if the position contradicts the parameters."""
        if self.position is not None:
            return self.game.parse_position(self.position, self.parameters)
        return self.game.new(self.parameters, self.seed or 0)

    def __str__(self) -> str:
        parameters = self.game.parameters.text(self.parameters)
        text = f"{self.game.name}:{parameters}" if parameters else self.game.name
        if self.position is not None:
            # Otherwise the position would be read as parameters.
            between = ":" if parameters or not self.game.parameters else "::"
            return f"{text}{between}{self.position}"
        return text if self.seed is None else f"{text}#{self.seed}"


def parse_game_id(text: str) -> GameID:
    """Parse a game ID and check its position. Raises InputError if the ID is invalid."""
    text = text.strip()
    stop = min((index for index in (text.find(":"), text.find("#")) if index >= 0), default=len(text))
    game = get_game(text[:stop])
    rest = text[stop + 1 :] if text[stop : stop + 1] == ":" else text[stop:]
    parameters, position, seed = game.parameters.split(rest)
    if seed is not None and not game.parameters.seeded:
        raise InputError(
            f"{game.title} has no random start. Remove {text[text.index('#') :]!r} from {text!r}."
        )
    parsed = GameID(game, game.parameters.parse(parameters), position, seed)
    parsed.start()
    return parsed


def board_of(text: str) -> tuple[str, str | None]:
    """Return the texts of the parameters and the position in an ID written by `GameID`."""
    name = re.split("[:#]", text, maxsplit=1)[0]
    rest = text[len(name) :].removeprefix(":")
    with suppress(InputError):
        return get_game(name).parameters.split(rest)[:2]
    parameters, colon, position = rest.partition(":")
    return parameters.partition("#")[0], position if colon else None


def parse_id_for(text: str, game: str) -> str:
    """Return `text` as a game ID of `game`, adding the name if it is missing.

    Raises InputError if `text` names another game.
    """
    name = re.split("[:#]", text, maxsplit=1)[0]
    if name != game and name != text and name in game_names():
        raise InputError(f"Expected a {game} board, but {text!r} is a {name} board.")
    return text if name == game else f"{game}:{text}"

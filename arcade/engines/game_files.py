"""Load games from the user's own files. They are programs, and a user who names one agrees to run it."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from arcade.engines.files import MAX_BYTES, InputError, named_path

if TYPE_CHECKING:
    from arcade.engines.game import Game

VARIABLE = "ARCADE_GAMES"
"""Environment variable that passes the folder of `arcade --games` to worker processes."""


@dataclass(frozen=True)
class GameFile:
    path: Path
    module: str = ""

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def value(self) -> str:
        return f"the file {str(self.path)!r}"

    def read(self) -> bytes:
        """Return the content of the file. Raises InputError if it cannot be read or is too large."""
        try:
            with self.path.open("rb") as file:
                content = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise InputError(str(error.strerror)) from None
        if len(content) > MAX_BYTES:
            raise InputError(f"it is larger than the limit of {MAX_BYTES // 1_000_000} MB")
        return content

    def load(self) -> Game[Any, Any]:
        from arcade.engines.game import Game  # not before the first paint
        from arcade.engines.position import Position  # not before the first paint

        content = self.read()
        module = ModuleType(f"arcade_games.{self.name}")
        module.__file__ = str(self.path)
        # Dataclasses look up names in annotations there.
        sys.modules[module.__name__] = module
        with self._failing():
            exec(compile(content, str(self.path), "exec", dont_inherit=True), vars(module))
        own = {
            id(value): value
            for value in vars(module).values()
            if isinstance(value, Game) and type(value).__module__ == module.__name__
        }
        if len(own) != 1:
            count = f"{len(own)} games" if own else "no game"
            raise InputError(
                f"it defines {count}, but it must define exactly one, in a line such as GAME = Nim()"
            )
        (game,) = own.values()
        texts = {name: getattr(game, name, None) for name in ("name", "title", "summary")}
        for name, text in [*texts.items(), ("teaching.rules", game.teaching.rules)]:
            if not isinstance(text, str) or not text:
                raise InputError(f"the {name} of its game must be a non-empty string")
        if game.name != self.name:
            raise InputError(f"its game is named {game.name!r}, so the file must be called {game.name}.py")
        with self._failing("its first position cannot be created: "):
            start = game.new({})
            if not isinstance(start, Position):
                raise TypeError(f"it is of type {type(start).__name__}, not a Position")
            start.text()
            start.moves()
        return game

    @contextmanager
    def _failing(self, where: str = "") -> Iterator[None]:
        try:
            yield
        except SyntaxError as error:
            raise InputError(f"{where}line {error.lineno}: {error.msg.rstrip('?')}") from None
        except (Exception, SystemExit) as error:
            raise InputError(
                f"{where}{self.place(error)}{type(error).__name__}: {error}".rstrip(".: ")
            ) from None

    def place(self, error: BaseException) -> str:
        """Return the line of an error in the game file, such as "line 12: ", or "" for an error elsewhere."""
        frames = traceback.extract_tb(error.__traceback__)
        line = next((frame.lineno for frame in reversed(frames) if frame.filename == str(self.path)), None)
        return "" if line is None else f"line {line}: "


def _in_folder(folder: Path) -> list[GameFile]:
    return [
        GameFile(path)
        for path in sorted(folder.iterdir())
        if path.suffix == ".py" and path.name[0] not in "._" and path.is_file()
    ]


def name_folder(folder: str) -> None:
    """Make a folder's games available. Raises InputError if the folder cannot be read or has no games."""
    try:
        found = _in_folder(named_path(folder))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "this is not a valid folder name"
        raise InputError(f"Cannot read the game folder {folder!r}: {why}.") from None
    if not found:
        raise InputError(f"The game folder {folder!r} contains no .py files.")
    os.environ[VARIABLE] = os.path.abspath(named_path(folder))


def named_files() -> list[GameFile]:
    with suppress(OSError):
        if os.environ.get(VARIABLE):
            return _in_folder(named_path(os.environ[VARIABLE]))
    return []

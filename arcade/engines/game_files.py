"""Games in the user's own files: programs, and naming one is consent to run it."""

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
"""Folder of `arcade --games`, also for worker processes."""


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
        """Raise InputError."""
        try:
            with self.path.open("rb") as file:
                content = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise InputError(str(error.strerror)) from None
        if len(content) > MAX_BYTES:
            raise InputError(f"it is larger than {MAX_BYTES // 1_000_000} MB, the limit")
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
            raise InputError(f"it has {count}, but needs exactly one, in a line such as GAME = Nim()")
        (game,) = own.values()
        texts = {name: getattr(game, name, None) for name in ("name", "title", "summary")}
        for name, text in [*texts.items(), ("teaching.rules", game.teaching.rules)]:
            if not isinstance(text, str) or not text:
                raise InputError(f"its game has no {name}, or one that is not text")
        if game.name != self.name:
            raise InputError(f"its game is named {game.name!r}, so the file must be called {game.name}.py")
        with self._failing("its first position cannot be made: "):
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
        """Return the line of an error, as in "line 12: ", or ""."""
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
    """Add a folder's games for this run. Raises InputError if it has none."""
    try:
        found = _in_folder(named_path(folder))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "a folder cannot have this name"
        raise InputError(f"Cannot read the game folder {folder!r}: {why}.") from None
    if not found:
        raise InputError(f"The game folder {folder!r} has no games: expected .py files.")
    os.environ[VARIABLE] = os.path.abspath(named_path(folder))


def named_files() -> list[GameFile]:
    with suppress(OSError):
        if os.environ.get(VARIABLE):
            return _in_folder(named_path(os.environ[VARIABLE]))
    return []

"""The player's settings and the app's state."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple, Self

from arcade.engines.files import InputError, is_there, read_text
from arcade.store.record import Coach

SETTINGS_FILE = "settings.toml"
"""Name of a file that the player can create. Its table [keys] assigns keys to actions."""

DEFAULT_THEME = "arcade-dark"

ANIMATION = "animation"

OLD_NAMES = {"ceilings": "bounds"}

CALM_SECONDS = 2.0
"""Minimum seconds between two progress reports if `Settings.calm` is set."""


@dataclass(frozen=True, slots=True)
class Settings:
    theme: str = DEFAULT_THEME
    calm: bool = False
    """True for no animation, fewer updates and fewer colours, for example over a slow connection."""
    ascii: bool = False
    marks: bool = True
    demonstration: bool = True
    bounds: bool = True
    """True if upper bounds are proved during a match. This keeps a core busy."""
    coach: Coach = Coach.MISTAKES

    @property
    def animated(self) -> bool:
        return not self.calm

    def pace(self, seconds: float) -> float:
        return max(seconds, CALM_SECONDS) if self.calm else seconds

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Self:
        """Return the settings from stored texts. Missing or invalid settings get their defaults."""
        renamed = {name: texts[old] for old, name in OLD_NAMES.items() if old in texts}
        settings = replace(cls(), **_read(cls(), {**renamed, **texts}))
        return replace(settings, calm=True) if texts.get(ANIMATION) == "off" else settings

    def stored(self, name: str) -> dict[str, str]:
        """Return the texts that save a setting, by name. `calm` is saved under two names."""
        value = getattr(self, name)
        if not isinstance(value, bool):
            return {name: str(value)}
        words = ("off", "on")
        return {name: words[value]} | ({ANIMATION: words[not value]} if name == "calm" else {})

    def changed(self, name: str, text: str) -> Self:
        return replace(self, **_read(self, {name: text}))


@dataclass(frozen=True, slots=True)
class AppState:
    in_play: str = ""
    warmed: str = ""
    played: str = ""
    """Games that the player has tried, separated by spaces."""
    seats: str = ""
    """Last players of each game, for example "chocobar=human,club hexapawn=casual,human"."""
    learned: str = ""
    """Lessons taken, written as game:lesson and separated by spaces."""
    bests: str = ""
    """Best results by game and mode, for example "chocobar:streak=7 hexapawn:streak=12"."""

    @classmethod
    def from_texts(cls, texts: Mapping[str, str]) -> Self:
        return replace(cls(), **_read(cls(), texts))

    def seats_of(self, game: str) -> tuple[str, ...]:
        text = _pairs(self.seats).get(game)
        return tuple(text.split(",")) if text else ()

    def seats_with(self, game: str, seats: Iterable[str]) -> str:
        return _joined(_pairs(self.seats) | {game: ",".join(seats)})

    def best_of(self, game: str, mode: str) -> int:
        text = _pairs(self.bests).get(f"{game}:{mode}", "")
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0

    def bests_with(self, game: str, mode: str, count: int) -> str:
        best = max(count, self.best_of(game, mode))
        return _joined(_pairs(self.bests) | {f"{game}:{mode}": str(best)})


def _pairs(text: str) -> dict[str, str]:
    entries = (entry.partition("=") for entry in text.split())
    return {name: value for name, _, value in entries}


def _joined(pairs: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in pairs.items())


def _read(known: Any, texts: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for field in fields(known):
        if field.name in texts:
            text, default = texts[field.name], getattr(known, field.name)
            if isinstance(default, bool):
                choices: dict[str, Any] = {"on": True, "off": False}
            elif isinstance(default, Coach):
                choices = {coach.value: coach for coach in Coach}
            else:
                choices = {text: text}
            if text in choices:
                values[field.name] = choices[text]
    return values


def key_entries(folder: Path) -> dict[str, object]:
    """Return the table [keys] of the settings file. Raises InputError if the file is invalid."""
    path = folder / SETTINGS_FILE
    if not is_there(path):
        return {}
    try:
        tables = tomllib.loads(read_text(path))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"Cannot read {path}: {error}.") from None
    entries = tables.pop("keys", {})
    if not isinstance(entries, dict):
        raise InputError(f"{path}: expected a table [keys], found keys = {entries!r}.")
    if tables:
        raise InputError(f"{path}: expected only the table [keys], found {next(iter(tables))!r}.")
    return entries


class Switch(NamedTuple):
    title: str
    help: str


SWITCHES = {
    "calm": Switch("Calm", "no animation, for slow connections"),
    "ascii": Switch("ASCII", "plain characters everywhere"),
    "marks": Switch("Marks", "show marks in the list of moves"),
    "demonstration": Switch("Demo", "engines play when the menu is idle"),
}

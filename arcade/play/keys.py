"""What each key means, the same on all screens, and the keys that a person has chosen instead."""

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from arcade.engines.files import InputError, package_table
from arcade.store.settings import SETTINGS_FILE, key_entries


class Key(NamedTuple):
    keys: str
    """As Textual calls them, separated by commas; empty for what is only in the list of commands."""
    meaning: str


WORDS = package_table(__package__, "keys.toml")
KEYS = {name: Key(**key) for name, key in WORDS["keys"].items()}
FIXED: dict[str, str] = WORDS["fixed"]
DISPLAYED: dict[str, str] = WORDS["displayed"]

NAMED = {*DISPLAYED, "backspace", "insert", *(f"f{number}" for number in range(1, 13))}
"""Keys that a person can name, besides letters."""

own: dict[str, str] = {}
"""The keys that the person has chosen, by name, as in `KEYS`."""


def keys_of(name: str) -> str:
    """All keys of a meaning, as Textual calls them."""
    return own.get(name) or (KEYS[name].keys if name in KEYS else FIXED[name])


def written(keys: str) -> str:
    """As a person writes them in the settings file, where a comma among other keys is spelled out."""
    names = keys.split(",")
    shown = DISPLAYED if len(names) == 1 else DISPLAYED | {"comma": "comma"}
    return ",".join(shown.get(name, name) for name in names)


def key_of(name: str) -> str:
    """The first key of a meaning, as a person calls it; empty for none."""
    return written(keys_of(name).partition(",")[0])


def read_keys(folder: Path) -> tuple[dict[str, str], list[str]]:
    """The keys of the settings file in a folder that can be used, and a sentence on each that cannot."""
    try:
        return checked(key_entries(folder), f"{folder / SETTINGS_FILE}, [keys]")
    except InputError as error:
        return {}, [str(error)]


def shown_keys() -> dict[str, str]:
    return {name: key_of(name) for name in KEYS}


def checked(entries: Mapping[str, object], place: str) -> tuple[dict[str, str], list[str]]:
    chosen: dict[str, str] = {}
    wrong: list[str] = []
    for name, given in entries.items():
        try:
            chosen[name] = _read(name, given)
        except ValueError as error:
            wrong.append(f"{place}, {name}: {error}")
    while clash := _clash(chosen):
        name, key, other = clash
        del chosen[name]
        wrong.append(
            f"{place}, {name}: {written(key)!r} is the key of {other!r} already. "
            f"The keys of {name!r} stay as they were."
        )
    return chosen, wrong


def _read(name: str, given: object) -> str:
    if name in FIXED:
        raise ValueError(f"the keys of {name!r} cannot be changed.")
    if name not in KEYS:
        near = get_close_matches(name, KEYS, 1)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"there is no such name.{meant} The command arcade keys lists all names.")
    if not isinstance(given, str) or not given:
        raise ValueError(f'expected a key in quotes, such as "x", not {given!r}.')
    symbols = {shown.lower(): key for key, shown in DISPLAYED.items()}
    keys = [given] if given in symbols else [key.strip() for key in given.split(",")]
    keys = [symbols.get(key.lower(), key if len(key) == 1 else key.lower()) for key in keys]
    for key in keys:
        if key not in NAMED and not (len(key) == 1 and key.isascii() and key.isalpha()):
            raise ValueError(f"{key!r} cannot be chosen: write a letter, f1 to f12, or a sign such as '.'.")
    return ",".join(keys)


def _clash(chosen: Mapping[str, str]) -> tuple[str, str, str] | None:
    """A name in `chosen`, its key, and the other name that has the key as well."""
    named = {key: name for name, keys in FIXED.items() for key in keys.split(",")}
    ordered = [name for name in KEYS if name not in chosen] + list(chosen)
    for name in ordered:
        for key in filter(None, chosen.get(name, KEYS[name].keys).split(",")):
            if named.setdefault(key, name) != name:
                return name, key, named[key]
    return None

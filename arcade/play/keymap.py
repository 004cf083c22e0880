"""The default keys, and the player's own keys from the settings file."""

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from arcade.engines.files import InputError
from arcade.play.actions import ACTIONS
from arcade.play.keys import WRITTEN, Keys, written
from arcade.store.settings import SETTINGS_FILE, key_entries


class Key(NamedTuple):
    keys: str
    """Default keys in Textual's notation, separated by commas; may be empty."""
    meaning: str


OTHERS = {
    "help": Key("question_mark", "Help"),
    "commands": Key("colon", "Command list"),
    "leave": Key("q", "Go back (in the menu: quit)"),
    "open": Key("o", "Open a game ID or a file"),
    "stop": Key("x", "Stop the running task"),
    "search": Key("slash", "Find a match or a box"),
    "export": Key("W", "Export machines or matches to a file"),
    "wall": Key("b", "Show all boxes of a machine"),
    "delete": Key("delete,backspace", "Delete"),
    "rotate": Key("e", "Rotate the piece"),
    "rotate_back": Key("E", "Rotate the piece the other way"),
    "flip": Key("f", "Turn the piece over"),
    "open_match": Key("", "Open a game ID, a position, a match"),
    "edit": Key("", "Set up a position"),
    "dead_cells": Key("", "Hatch cells that no piece can reach"),
    "best_map": Key("", "Show the best map found"),
    "puzzles": Key("P", "Puzzles"),
    "learn": Key("L", "Lessons"),
    "watch": Key("", "Watch two engines play"),
    "records": Key("r", "Records"),
    "settings": Key("S", "Settings"),
    "tournament": Key("T", "Tournament"),
    "machine": Key("c", "Show another machine"),
    "only_game": Key("", "Show only matches of one game"),
    "only_result": Key("", "Show only matches with one result"),
    "only_unaided": Key("", "Show only matches without help"),
    "turn": Key("", "Let the other side move"),
    "fill": Key("", "Fill both home rows"),
    "clear": Key("", "Remove all pawns"),
    "more_rows": Key("", "Add a row"),
    "fewer_rows": Key("", "Remove a row"),
    "more_columns": Key("", "Add a column"),
    "fewer_columns": Key("", "Remove a column"),
    "misere": Key("", "Turn misère on or off"),
    "capture": Key("", "Turn compulsory capture on or off"),
}
"""Actions other than those of a match. A default key has the same meaning on all screens."""

FORMER = {"compare", "her"}
"""Actions of earlier versions that a settings file may still name."""

FIXED = {
    "up": "up,k,w",
    "down": "down,j,s",
    "left": "left,h,a",
    "right": "right,l,d",
    "choose": "enter,space",
    "put_away": ACTIONS["put_away"].key,
    "next_part": "tab,right_square_bracket",
    "part_before": "shift+tab,left_square_bracket",
    "page_up": "pageup",
    "page_down": "pagedown",
    "first": "home",
    "last": "end",
    "number": "0,1,2,3,4,5,6,7,8,9",
    "app": "ctrl+q,ctrl+z,ctrl+l,ctrl+p,ctrl+c,ctrl+s",
}

KEYS = OTHERS | {
    action.name: Key(action.key, action.help) for action in ACTIONS.values() if action.name not in FIXED
}
"""All actions whose keys can be changed. Their names are also the IDs of the Textual bindings."""

DEFAULT_KEYS = Keys({name: key.keys for name, key in KEYS.items()} | FIXED)

KEYLESS = "command:"
"""Prefix of the placeholder for the key of an action without one. No keyboard sends such a key."""

NAMED = {*WRITTEN, "backspace", "insert", *(f"f{number}" for number in range(1, 13))}


def default_key(name: str) -> str:
    return _key(DEFAULT_KEYS, name)


def keymap(keys: Keys) -> dict[str, str]:
    return {name: _key(keys, name) for name in KEYS if keys.table[name] != DEFAULT_KEYS.table[name]}


def _key(keys: Keys, name: str) -> str:
    return keys.table[name] or f"{KEYLESS}{name}"


def read_keys(folder: Path) -> tuple[Keys, list[str]]:
    """Return the keys in use, and a sentence for each invalid entry in the settings file."""
    try:
        chosen, wrong = checked(key_entries(folder), f"{folder / SETTINGS_FILE}, [keys]")
    except InputError as error:
        return DEFAULT_KEYS, [str(error)]
    return with_own(chosen), wrong


def with_own(chosen: Mapping[str, str]) -> Keys:
    """Return all keys, including the `chosen` ones. A key chosen for an action is removed from the others."""
    taken = {key for keys in chosen.values() for key in keys.split(",")}
    left = {name: ",".join(key for key in DEFAULT_KEYS.of(name) if key not in taken) for name in KEYS}
    return Keys({**left, **chosen, **FIXED})


def checked(entries: Mapping[str, object], place: str) -> tuple[dict[str, str], list[str]]:
    """Return the valid entries in Textual's notation, and a sentence for each invalid entry."""
    owners = {key: name for name, keys in FIXED.items() for key in keys.split(",")}
    chosen: dict[str, str] = {}
    wrong: list[str] = []
    for name, given in entries.items():
        if name in FORMER:
            continue
        try:
            keys = _read(name, given)
        except ValueError as error:
            wrong.append(f"{place}, {name}: {error}")
            continue
        clash = next((key for key in keys if owners.get(key, name) != name), None)
        if clash is not None:
            wrong.append(
                f"{place}, {name}: {written(clash)!r} is already a key of {owners[clash]!r}. "
                f"The keys of {name!r} stay as they were. Choose another key."
            )
            continue
        owners |= dict.fromkeys(keys, name)
        chosen[name] = ",".join(keys)
    return chosen, wrong


def _read(name: str, given: object) -> list[str]:
    if name in FIXED:
        raise ValueError(f"the keys of {name!r} cannot be changed.")
    if name not in KEYS:
        near = get_close_matches(name, KEYS, 1)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"unknown name.{meant} Run arcade keys to list all names.")
    if not isinstance(given, str) or not given:
        raise ValueError(f'expected a key in quotes, such as "x", found {given!r}.')
    symbols = {shown.lower(): key for key, shown in WRITTEN.items()}
    keys = [given] if given in symbols else [key.strip() for key in given.split(",")]
    keys = [symbols.get(key.lower(), key if len(key) == 1 else key.lower()) for key in keys]
    for key in keys:
        if key not in NAMED and not (len(key) == 1 and key.isascii() and key.isalpha()):
            raise ValueError(f"{key!r} cannot be used. Choose a letter, f1 to f12, or a sign such as '.'.")
    return keys

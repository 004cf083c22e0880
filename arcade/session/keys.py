"""What each key means, the same on all screens, and the keys that a person has chosen instead."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from arcade.engines.files import InputError
from arcade.store.settings import SETTINGS_FILE, key_entries


class Key(NamedTuple):
    keys: str
    """As Textual calls them, separated by commas; empty for what stands in the list of commands alone."""
    meaning: str


KEYS = {
    # On all screens.
    "help": Key("question_mark", "Help"),
    "commands": Key("colon", "The list of commands"),
    "leave": Key("q", "Back; in the menu, leave"),
    "open": Key("o", "Open something by its name, or a file"),
    "new": Key("n", "Something new: a match, machine, tournament, puzzle"),
    "pause": Key("p", "Play, train, go on; pause"),
    "stop": Key("x", "Stop what is running"),
    "undo": Key("u", "Undo"),
    "back": Key("comma", "One step back: a move, a lesson"),
    "forward": Key("full_stop", "One step forward: a move taken back, a lesson, a box"),
    "hint": Key("i", "Hint"),
    "values": Key("v", "What is shown of values: moves, boxes"),
    "review": Key("m", "Mistakes: find better moves, practise, see where one was made"),
    "copy": Key("y", "Copy as text"),
    "faster": Key("plus,equals_sign", "Faster; after the end, harder"),
    "slower": Key("minus", "Slower; after the end, easier"),
    "search": Key("slash", "Find a match or a box"),
    "export": Key("W", "Write machines or matches to a file"),
    "wall": Key("b", "All boxes of a machine, and the one in play"),
    "delete": Key("delete,backspace", "Delete"),
    # In a match.
    "again": Key("A", "The same match again"),
    "rotate": Key("e", "Rotate the piece"),
    "rotate_back": Key("E", "Rotate it the other way"),
    "flip": Key("f", "Turn the piece over"),
    "redo": Key("", "Play again what was taken back"),
    "graph": Key("", "Moves or value graph"),
    "seats": Key("", "Change who plays"),
    "coach": Key("", "How much the coach says"),
    "other_side": Key("", "The same match from the other side"),
    "lesson": Key("", "A lesson about what you missed"),
    "source": Key("", "How the verdict was proved"),
    "prove": Key("", "Prove the verdict again without the solver"),
    "other_board": Key("", "The other seat's board"),
    "projector": Key("", "Board, open box and curve alone, large"),
    "laboratory": Key("", "The laboratory"),
    "open_match": Key("", "Open a game ID, a position, a match"),
    "type": Key("", "Type a move or a position"),
    "write": Key("", "Write the match to a file"),
    "resign": Key("", "Give the match up"),
    "restart": Key("", "Back to the first position"),
    "replay": Key("", "Watch a match from its first move"),
    "boxes": Key("", "All boxes of the machine that plays"),
    "edit": Key("", "Set up a position"),
    "dead_cells": Key("", "Hatch cells that no piece can reach"),
    "best_map": Key("", "The best map found"),
    # In the menu and other screens.
    "puzzles": Key("P", "Puzzles"),
    "learn": Key("L", "Lessons"),
    "records": Key("r", "Records"),
    "settings": Key("S", "Settings"),
    "tournament": Key("T", "Tournament"),
    "her": Key("H", "Play against HER"),
    "compare": Key("", "Compare methods"),
    "machine": Key("c", "Look at another machine"),
    "only_game": Key("", "Only matches of one game"),
    "only_result": Key("", "Only matches that ended so"),
    "only_unaided": Key("", "Only matches without help"),
    "turn": Key("", "Let the other side move"),
    "fill": Key("", "Fill both first rows"),
    "clear": Key("", "Remove all pawns"),
    "more_rows": Key("", "Add a row"),
    "fewer_rows": Key("", "Remove a row"),
    "more_columns": Key("", "Add a column"),
    "fewer_columns": Key("", "Remove a column"),
    "misere": Key("", "Misère on or off"),
    "capture": Key("", "Compulsory capture on or off"),
}
"""What a person may give other keys, by the names in the settings file."""

FIXED = {
    "up": "up,k,w",
    "down": "down,j,s",
    "left": "left,h,a",
    "right": "right,l,d",
    "choose": "enter,space",
    "put_away": "escape",
    "next_part": "tab,right_square_bracket",
    "part_before": "shift+tab,left_square_bracket",
    "page_up": "pageup",
    "page_down": "pagedown",
    "first": "home",
    "last": "end",
    "number": "0,1,2,3,4,5,6,7,8,9",
    "app": "ctrl+q,ctrl+z,ctrl+l,ctrl+p,ctrl+c,ctrl+s",
}
"""Keys that stay as they are."""

DISPLAYED = {
    "full_stop": ".",
    "comma": ",",
    "plus": "+",
    "minus": "-",
    "slash": "/",
    "colon": ":",
    "question_mark": "?",
    "equals_sign": "=",
    "semicolon": ";",
    "escape": "Esc",
    "tab": "Tab",
    "delete": "Del",
}
"""What keys are called that Textual calls otherwise."""

NAMED = {*DISPLAYED, "backspace", "insert", *(f"f{number}" for number in range(1, 13))}
"""Keys that a person can name, besides letters and digits."""

own: dict[str, str] = {}
"""The keys that the person has chosen, by name, as in `KEYS`."""


def keys_of(name: str) -> str:
    """All keys of a meaning, as Textual calls them."""
    return own.get(name) or (KEYS[name].keys if name in KEYS else FIXED[name])


def written(keys: str) -> str:
    """Keys as a person calls them, separated by commas."""
    return ",".join(DISPLAYED.get(key, key) for key in keys.split(","))


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
    """What a text about the keys calls them, by name."""
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
    if name not in KEYS:
        near = get_close_matches(name, KEYS, 1)
        meant = f" Do you mean {near[0]!r}?" if near else ""
        raise ValueError(f"the arcade knows no such name.{meant} arcade keys lists them.")
    if not isinstance(given, str) or not given:
        raise ValueError(f'expected a key in quotes, such as "x", not {given!r}.')
    symbols = {shown: key for key, shown in DISPLAYED.items()}
    keys = [given] if given in symbols else [key.strip() for key in given.split(",")]
    keys = [symbols.get(key, key if len(key) == 1 else key.lower()) for key in keys]
    for key in keys:
        if key not in NAMED and not (len(key) == 1 and key.isascii() and key.isalpha()):
            raise ValueError(
                f"{key!r} is no key that can be chosen: a letter, f1 to f12, or a sign such as '.'."
            )
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

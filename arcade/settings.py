"""What a person can set, and the defaults."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_THEME = "arcade-dark"


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting that is on or off."""

    title: str
    help: str
    """What it does when it is on."""


SWITCHES = {
    "animation": Switch("Animation", "small movements, and engines take a moment"),
    "ascii": Switch("ASCII", "plain characters on boards"),
    "marks": Switch("Marks", "what each move was worth, in the list of moves"),
}
"""The settings that are on or off, by the names that they are kept under."""

DEFAULTS = {"theme": DEFAULT_THEME, "animation": "on", "ascii": "off", "marks": "on"}

PLAYED = "played"
"""The setting that holds the names of the games in which a person has made a move, with blanks between."""

"""What a person can set, and the defaults."""

from __future__ import annotations

DEFAULT_THEME = "arcade-dark"

SWITCHES = {
    "animation": "small movements, and engines that take a moment",
    "ascii": "plain characters on boards",
    "marks": "what each move was worth, in the list of moves",
}
"""The settings that are on or off, with what they do."""

DEFAULTS = {"theme": DEFAULT_THEME, "animation": "on", "ascii": "off", "marks": "on"}

PLAYED = "played"
"""The setting that holds the names of the games in which a person has made a move, with blanks between."""

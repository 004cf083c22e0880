"""The keys in use, and how they are written in sentences and in the settings file."""

from collections.abc import Mapping
from dataclasses import dataclass

WRITTEN = {
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
"""How a person writes a key that Textual calls by another name."""


def written(keys: str) -> str:
    """As a person writes keys in the settings file, where a comma among other keys is spelled out."""
    names = keys.split(",")
    shown = WRITTEN if len(names) == 1 else WRITTEN | {"comma": "comma"}
    return ",".join(shown.get(name, name) for name in names)


@dataclass(frozen=True, slots=True)
class Keys:
    table: Mapping[str, str]
    """By the name of what they do, as Textual calls them, separated by commas; empty for none."""

    def of(self, name: str) -> list[str]:
        return [key for key in self.table[name].split(",") if key]

    def label(self, name: str) -> str:
        """The first key, as a person calls it; empty for none."""
        return written(self.table[name].partition(",")[0])

    def named(self, name: str) -> str:
        """The same for a sentence; without a key, what to type in the list of commands."""
        return self.label(name) or f"{self.label('commands') or 'Ctrl+P '}{name.replace('_', ' ')}"

    @property
    def all_named(self) -> dict[str, str]:
        """For texts with names in braces."""
        return {name: self.named(name) for name in self.table}

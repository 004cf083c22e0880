"""The keys in use, and their names in sentences and in the settings file."""

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


def written(keys: str) -> str:
    """Return keys as people write them. In a list of several keys, the comma key is spelled out."""
    names = keys.split(",")
    shown = WRITTEN if len(names) == 1 else WRITTEN | {"comma": "comma"}
    return ",".join(shown.get(name, name) for name in names)


@dataclass(frozen=True, slots=True)
class Keys:
    table: Mapping[str, str]
    """The keys of each action, in Textual's notation and separated by commas."""

    def of(self, name: str) -> list[str]:
        return [key for key in self.table[name].split(",") if key]

    def label(self, name: str) -> str:
        return written(self.table[name].partition(",")[0])

    def named(self, name: str) -> str:
        """Return the first key of an action. If it has none, return the text to type in the command list."""
        return self.label(name) or f"{self.label('commands') or 'Ctrl+P '}{name.replace('_', ' ')}"

    @property
    def all_named(self) -> dict[str, str]:
        """The result of `named` for each action, to fill in texts that contain action names in braces."""
        return {name: self.named(name) for name in self.table}

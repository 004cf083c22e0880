"""A line of clickable words, each with its key."""

from __future__ import annotations

from typing import NamedTuple

from textual.content import Content
from textual.style import Style
from textual.widgets import Static


class KeyWord(NamedTuple):
    """One action."""

    key: str
    """The key; empty if there is none."""
    word: str
    action: str
    """An action of the screen, e.g. "turn(1)"."""


def key_words(*words: KeyWord) -> Content:
    """Clickable words, each after its key."""
    parts = []
    for key, word, action in words:
        part = Content.assemble((f"{key} " if key else "", "bold $primary"), word)
        parts.append(part.stylize(Style.from_meta({"@click": f"screen.{action}"})))
    return Content("   ").join(parts)


class KeyWords(Static):
    """Actions by key or click."""

    DEFAULT_CSS = """
    KeyWords { height: 1; width: 1fr; color: $faint; }
    """

    # A link would have only one colour, but the keys must stand out.
    auto_links = False

    def show(self, *words: KeyWord, title: str = "") -> None:
        """Show the words, perhaps after a title."""
        head = Content.styled(f"{title}   " if title else "", "bold $foreground")
        self.update(head + key_words(*words))

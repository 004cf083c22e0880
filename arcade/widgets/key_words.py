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

    _said: tuple[str, tuple[KeyWord, ...]] = ("", ())

    def show(self, *words: KeyWord, title: str = "") -> None:
        """Show the words that the line has room for, perhaps after a title; none is cut off."""
        self._said = (title, words)
        head = Content.styled(f"{title}   " if title else "", "bold $foreground")
        shown = [head + key_words(*words[:count]) for count in range(len(words), -1, -1)]
        room = self.content_size.width
        self.update(next((each for each in shown if each.cell_length <= room), shown[0]))

    def on_resize(self) -> None:
        """Another width has room for more or fewer words."""
        title, words = self._said
        if words:
            self.show(*words, title=title)

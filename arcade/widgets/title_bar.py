"""The line at the top of a match: which game, how far it is, and what the program is busy with."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

MORE = "  : more"
"""What stands at the right end."""


class TitleBar(Widget):
    """One line; a click on it opens the list of all commands."""

    _words = ("", "")

    DEFAULT_CSS = """
    TitleBar { height: 1; width: 1fr; background: $panel; padding: 0 1; }
    """

    def show(self, name: str, state: str, busy: str = "") -> None:
        """Show a title on the left and the rest on the right."""
        self._words = (name, "  ".join(filter(None, [busy, state])))
        self.refresh()

    def render(self) -> Content:
        """The words, pushed apart as far as the line is wide."""
        name, right = self._words
        gap = max(1, self.content_size.width - len(name) - len(right) - len(MORE))
        return Content.assemble((name, "bold $primary"), " " * gap, (right, "$faint"), (MORE, "$secondary"))

    def on_click(self) -> None:
        """A click opens the list of all commands, also of those that have no place in the footer."""
        self.app.action_command_palette()

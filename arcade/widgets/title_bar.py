"""The line at the top of a match: the game, its progress, and running work."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

MORE = "  : more"
"""The text at the right end."""


class TitleBar(Widget):
    """One line; a click on it opens the list of all commands."""

    _words = ("", "", "")

    DEFAULT_CSS = """
    TitleBar { height: 1; width: 1fr; background: $panel; padding: 0 1; }
    """

    def show(self, name: str, state: str, busy: str = "") -> None:
        """Show a title on the left and the rest on the right."""
        self._words = (name, state, busy)
        self.refresh()

    def render(self) -> Content:
        """The words at both ends of the line; running work only where all of it has room."""
        name, state, busy = self._words
        # What stands last in the name matters least.
        while ", " in name and len(name) + len(state) + len(MORE) + 1 > self.content_size.width:
            name = name.rpartition(", ")[0]
        right = "  ".join(filter(None, [busy, state]))
        room = self.content_size.width - len(name) - len(MORE) - 1
        if len(right) > room:
            right = state
        gap = max(1, room - len(right) + 1)
        return Content.assemble((name, "bold $primary"), " " * gap, (right, "$faint"), (MORE, "$secondary"))

    def on_click(self) -> None:
        """A click opens the list of all commands."""
        self.app.action_command_palette()

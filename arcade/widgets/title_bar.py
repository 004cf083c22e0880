"""The line at the top of a match: which game, how far it is, and what the program is busy with."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


class TitleBar(Static):
    """One line."""

    DEFAULT_CSS = """
    TitleBar { height: 1; width: 1fr; background: $panel; padding: 0 1; }
    """

    def show(self, name: str, state: str, busy: str = "") -> None:
        """Show a title on the left and the rest on the right."""
        right = "  ".join(filter(None, [busy, state]))
        gap = max(1, self.size.width - 2 - len(name) - len(right))
        self.update(Content.assemble((name, "bold $primary"), " " * gap, (right, "$text-muted")))

"""The keys at the foot of a screen."""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len
from textual.widgets import Footer
from textual.widgets._footer import FooterKey


class KeyFooter(Footer):
    """Textual's footer in one narrow line, rebuilt only when the active keys change.

    Textual reports a possible change at every move of the focus, and building a dozen widgets each time made
    opening a match take half as long again.
    """

    def __init__(self) -> None:
        super().__init__(show_command_palette=False, compact=True)
        self._shown: list[tuple[Any, ...]] = []

    async def recompose(self) -> None:
        """Show the active keys unless they are already shown."""
        if not self.is_attached:
            return
        keys = [
            (each.binding.key, each.binding.description, each.enabled, each.tooltip)
            for each in self.screen.active_bindings.values()
            if each.binding.show
        ]
        if keys != self._shown:
            self._shown = keys
            await super().recompose()
            self._fit()

    def on_resize(self) -> None:
        """Another width has room for other keys."""
        self._fit()

    def _fit(self) -> None:
        """Hide the keys at the end that the line has no room for; none is cut off in its middle."""
        left = self.size.width
        for key in self.query(FooterKey):
            left -= cell_len(f"{key.key_display} {key.description}")
            key.display = left >= 0
            left -= 1

"""The keys at the foot of a screen."""

from __future__ import annotations

from typing import Any

from textual.widgets import Footer


class KeyFooter(Footer):
    """Textual's footer in one narrow line, made anew only when other keys work than before.

    Textual says that keys may have changed at every step of the focus, and a row of a dozen new widgets each
    time made opening a match take half as long again.
    """

    def __init__(self) -> None:
        super().__init__(show_command_palette=False, compact=True)
        self._shown: list[tuple[Any, ...]] = []

    async def recompose(self) -> None:
        """Show the keys that work now, unless they are on show already."""
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

"""The list of all commands."""

from __future__ import annotations

from textual import events
from textual.command import CommandList, CommandPalette

from arcade.screens.base import BaseScreen


class Palette(CommandPalette, BaseScreen[None]):
    """Textual's list, but a second Enter while the list is closing does nothing."""

    def takes(self, event: events.Event) -> bool:
        """Keys that come where there is no list, yet or any more, are lost: Textual's actions fail there."""
        return isinstance(event, events.Key) and not self.query(CommandList)

    # A key that was on its way when the list went comes here.

    def _action_command_list(self, action: str) -> None:
        if self.query(CommandList):
            super()._action_command_list(action)

    def _action_cursor_down(self) -> None:
        if self.query(CommandList):
            super()._action_cursor_down()

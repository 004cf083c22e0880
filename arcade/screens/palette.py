"""The list of all commands."""

from __future__ import annotations

from textual.command import CommandPalette

from arcade.screens.base import BaseScreen


class Palette(CommandPalette, BaseScreen[None]):
    """Textual's list, but a second Enter while the list is closing does nothing."""

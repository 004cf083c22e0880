"""The list of all commands."""

from __future__ import annotations

from textual.command import CommandPalette

from arcade.screens.base import BaseScreen


class Palette(CommandPalette, BaseScreen[None]):
    """Textual's, but a second Enter on a command, while the first closes the list, closes nothing more."""

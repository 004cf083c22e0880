"""The settings: few, and kept."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Label, Select, Switch

from arcade.screens.base import Dialog
from arcade.settings import SWITCHES


class SettingsScreen(Dialog[None]):
    """Theme, and what can be switched on and off; every change takes effect at once."""

    def compose(self) -> ComposeResult:
        """A row a setting."""
        with Vertical(classes="dialog"):
            yield Label("Settings", classes="heading")
            with Horizontal(classes="row"):
                yield Label("Theme", classes="label")
                themes = sorted(self.app.available_themes)
                yield Select(
                    [(name, name) for name in themes], value=self.app.theme, allow_blank=False, compact=True
                )
            for name, words in SWITCHES.items():
                with Horizontal(classes="row"):
                    yield Label(name.capitalize(), classes="label")
                    yield Switch(getattr(self.arcade, name), id=name)
                    yield Label(words, classes="note")
            with Horizontal(classes="buttons"):
                yield Button("Close", variant="primary")

    @on(Select.Changed)
    def theme_chosen(self, event: Select.Changed) -> None:
        """Another theme."""
        self.arcade.change("theme", str(event.value))

    @on(Switch.Changed)
    def switched(self, event: Switch.Changed) -> None:
        """On or off."""
        self.arcade.change(str(event.switch.id), "on" if event.value else "off")

    @on(Button.Pressed)
    def closed(self) -> None:
        """Done."""
        self.dismiss(None)

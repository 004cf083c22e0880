"""The settings screen."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Label, Select

from arcade.screens.base import Dialog
from arcade.screens.requests import ChangeSetting
from arcade.settings import SWITCHES, Coach
from arcade.widgets.fields import Choice, Row


class SettingsScreen(Dialog[None]):
    """Theme and switches; every change takes effect at once."""

    def compose(self) -> ComposeResult:
        """A row for each setting."""
        with Vertical(classes="dialog"):
            yield Label("Settings", classes="heading")
            with VerticalScroll(classes="fields", can_focus=False):
                yield from self._rows()
            with Horizontal(classes="buttons"):
                yield Button("Close", variant="primary")

    def _rows(self) -> ComposeResult:
        themes = [(name, name) for name in sorted(self.app.available_themes)]
        yield Row("Theme", Choice(themes, self.app.theme, id="theme"))
        for name, switch in SWITCHES.items():
            yield Row(
                switch.title,
                Choice.switch(getattr(self.services.settings, name), id=name),
                note=switch.help,
            )
        coaches = [(each.summary.capitalize(), each.value) for each in Coach]
        yield Row("Coach", Choice(coaches, self.services.settings.coach.value, id="coach"))

    @on(Select.Changed)
    def chosen(self, event: Select.Changed) -> None:
        """Another theme, or a switch on or off."""
        self.post_message(ChangeSetting(str(event.select.id), str(event.value)))

    @on(Button.Pressed)
    def closed(self) -> None:
        """Done."""
        self.dismiss(None)

"""Small dialogs: type a line, answer a question."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Self

from rich.table import Table
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.command import CommandList, CommandPalette
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Input, Label, Markdown, Select, Static

from arcade.engines.wording import capital
from arcade.match.record import Coach
from arcade.screens.base import BaseScreen, Dialog
from arcade.screens.requests import ChangeSetting
from arcade.store.settings import SWITCHES
from arcade.widgets.forms import Choice, Row


class Line(Input):
    """An input line that takes the whole of what is pasted, its lines joined by spaces."""

    def _on_paste(self, event: events.Paste) -> None:
        super()._on_paste(events.Paste(" ".join(event.text.splitlines())))
        event.stop()
        event.prevent_default()


class Prompt(Dialog[str]):
    """Asks for a line of text.

    Args:
        title: the question.
        placeholder: an example.
        check: raises ValueError with a sentence for a bad text, which the person can then correct.
    """

    def __init__(
        self, title: str, placeholder: str = "", check: Callable[[str], object] | None = None
    ) -> None:
        super().__init__()
        self.heading = title
        self.placeholder = placeholder
        self.check = check

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog -small"):
            yield Label(self.heading, classes="heading", markup=False)
            yield Line(placeholder=self.placeholder)
            yield Static("", classes="error", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("OK", variant="primary", id="ok")
                yield Button("Cancel", id="cancel")

    @on(Input.Submitted)
    @on(Button.Pressed, "#ok")
    def answered(self) -> None:
        """Enter and OK return the text if it is valid; an empty text is not accepted."""
        text = self.query_one(Input).value.strip()
        try:
            if text and self.check is not None:
                self.check(text)
        except ValueError as error:
            self.complain(error)
            self.query_one(Input).focus()
            return
        self.dismiss(text or None)

    @on(Button.Pressed, "#cancel")
    def cancelled(self) -> None:
        """Cancel returns nothing."""
        self.dismiss(None)


class Question(Dialog[bool]):
    """Ask a yes-or-no question."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,q", "answer(False)", "No"),
        Binding("left,right,h,l", "app.focus_next", show=False),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self.question = question

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog -small"):
            yield Label(self.question, classes="heading", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Yes (y)", variant="primary", id="yes")
                yield Button("No (n)", id="no")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)


class Palette(CommandPalette, BaseScreen[None]):
    """Textual's list, but a second Enter while the list is closing does nothing."""

    def takes(self, event: events.Event) -> bool:
        return isinstance(event, events.Key) and not self.query(CommandList)


class SettingsScreen(Dialog[None]):
    """Theme and switches; every change takes effect at once."""

    def compose(self) -> ComposeResult:
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
        coaches = [(capital(each.summary), each.value) for each in Coach]
        yield Row("Coach", Choice(coaches, self.services.settings.coach.value, id="coach"))

    @on(Select.Changed)
    def chosen(self, event: Select.Changed) -> None:
        """Another theme, or a switch on or off."""
        self.post_message(ChangeSetting(str(event.select.id), str(event.value)))

    @on(Button.Pressed)
    def closed(self) -> None:
        """Done."""
        self.dismiss(None)


GENERAL = """\
# The arcade

Choose a game with the arrow keys and Enter, or click it. In every game

* the **arrow keys**, **hjkl** or **WASD** move the cursor and **Enter** or **Space** plays;
* the mouse points and clicks;
* **i** gives a hint, in three steps: where to look, which move, and why;
* **v** shows the value of every move on the board;
* **u** takes back a move, **r** replays it;
* **q** leaves the screen, **Ctrl+Q** the program. The match is saved.

Signs: {win} wins, {loss} loses, {tie} ties; the number says how many plies are left.
A move marked {only} was the only good one, {threw} threw the game away.
"""


UNNAMED = ("screen.copy_text", "command_palette")
"""Actions with Textual's own keys in addition to ours."""


class HelpScreen(Dialog[None]):
    """The rules and active keys of a screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,question_mark,enter", "close", "Close", key_display="q"),
        Binding("down,j,s", "scroll(3)", "Down", show=False),
        Binding("up,k,w", "scroll(-3)", "Up", show=False),
    ]

    def __init__(self, rules: str, keys: list[tuple[str, str]]) -> None:
        super().__init__()
        self.rules = rules
        self.keys = keys

    @classmethod
    def for_screen(cls, screen: Screen[None], rules: str = "") -> Self:
        """Help made from the currently active bindings of a screen."""
        keys: dict[str, list[str]] = {}
        for active in screen.active_bindings.values():
            binding = active.binding
            if active.enabled and binding.description and binding.action not in UNNAMED:
                words = binding.tooltip or binding.description
                keys.setdefault(words, []).append(screen.app.get_key_display(binding))
        rows = [(" ".join(dict.fromkeys(shown)), words) for words, shown in keys.items()]
        return cls(rules, rows)

    def compose(self) -> ComposeResult:
        glyphs = self.glyphs
        general = GENERAL.format(
            win=glyphs.win, loss=glyphs.loss, tie=glyphs.tie, only=glyphs.only, threw=glyphs.threw
        )
        table = Table.grid(padding=(0, 2))
        for shown, words in self.keys:
            table.add_row(f"[bold]{shown}[/]", words)
        with Vertical(classes="dialog -large"), VerticalScroll(id="help"):
            yield Markdown(self.rules or general)
            yield Static("Keys that work here now", classes="heading")
            yield Static(table)
            if self.rules:
                yield Markdown(general)

    def action_scroll(self, lines: int) -> None:
        self.query_one("#help").scroll_relative(y=lines, animate=False)

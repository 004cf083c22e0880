"""Small dialogs: type a line, answer a question."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, Label

from arcade.screens.base import Dialog


class Prompt(Dialog[str]):
    """Asks for a line of text."""

    def __init__(self, title: str, placeholder: str = "") -> None:
        super().__init__()
        self.heading = title
        self.placeholder = placeholder

    def compose(self) -> ComposeResult:
        """A title and a line to type in."""
        with Vertical(classes="dialog -small"):
            yield Label(self.heading, classes="heading", markup=False)
            yield Input(placeholder=self.placeholder)
            with Horizontal(classes="buttons"):
                yield Button("OK", variant="primary", id="ok")
                yield Button("Cancel", id="cancel")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter gives the text back."""
        self.dismiss(event.value)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """OK gives the text back."""
        self.dismiss(self.query_one(Input).value if event.button.id == "ok" else None)


class Question(Dialog[bool]):
    """Asks a question that is answered by yes or no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,q", "answer(False)", "No"),
        Binding("left,right,h,l", "app.focus_next", show=False),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self.question = question

    def compose(self) -> ComposeResult:
        """The question and its two answers."""
        with Vertical(classes="dialog -small"):
            yield Label(self.question, classes="heading", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Yes (y)", variant="primary", id="yes")
                yield Button("No (n)", id="no")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Give the answer back."""
        self.dismiss(event.button.id == "yes")

    def action_answer(self, yes: bool) -> None:
        """Give the answer back."""
        self.dismiss(yes)

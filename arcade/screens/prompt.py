"""Small dialogs: type a line, answer a question."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, Label, Static

from arcade.screens.base import Dialog


class Prompt(Dialog[str]):
    """Asks for a line of text.

    Args:
        title: what is asked for.
        placeholder: an example of it.
        check: raises ValueError with a sentence for a bad text, which is then said and can be mended.
    """

    def __init__(
        self, title: str, placeholder: str = "", check: Callable[[str], object] | None = None
    ) -> None:
        super().__init__()
        self.heading = title
        self.placeholder = placeholder
        self.check = check

    def compose(self) -> ComposeResult:
        """A title and a line to type in."""
        with Vertical(classes="dialog -small"):
            yield Label(self.heading, classes="heading", markup=False)
            yield Input(placeholder=self.placeholder)
            yield Static("", classes="error", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("OK", variant="primary", id="ok")
                yield Button("Cancel", id="cancel")

    @on(Input.Submitted)
    @on(Button.Pressed, "#ok")
    def answered(self) -> None:
        """Enter and OK give the text back, if it is good; nothing at all is no answer."""
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
        """Cancel gives nothing back."""
        self.dismiss(None)


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

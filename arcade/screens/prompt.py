"""Small dialogs: type a line, answer a question."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, Label, Static

from arcade.screens.base import Dialog


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
        """A title and an input line."""
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
        """The question and its two answers."""
        with Vertical(classes="dialog -small"):
            yield Label(self.question, classes="heading", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Yes (y)", variant="primary", id="yes")
                yield Button("No (n)", id="no")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Return the answer."""
        self.dismiss(event.button.id == "yes")

    def action_answer(self, yes: bool) -> None:
        """Return the answer."""
        self.dismiss(yes)

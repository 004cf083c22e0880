"""The fields of dialogs: a row with a title, an input, and a note."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Label, Select

OFF, ON = "off", "on"
"""The choices of a switch, as words, since colours alone would not be clear."""


class Choice(Select[str], inherit_bindings=False):
    """One of several words; Enter opens the list, and the arrows go to the next field."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "show_overlay", "Choose", show=False)]

    def __init__(
        self, options: Iterable[tuple[str, str]], value: str, *, id: str | None = None, classes: str = ""
    ) -> None:
        super().__init__(options, value=value, allow_blank=False, compact=True, id=id, classes=classes)

    @classmethod
    def switch(cls, on: bool, *, id: str) -> Choice:
        """A choice of on or off."""
        return cls([(word, word) for word in (OFF, ON)], ON if on else OFF, id=id, classes="short")


class Row(Horizontal):
    """A line of a dialog: the title of a field, the field itself and a note on it."""

    def __init__(self, title: str, *fields: Widget, note: str = "") -> None:
        super().__init__(classes="row")
        self._title = title
        self._fields = fields
        self._note = note

    def compose(self) -> ComposeResult:
        """Title, fields, note."""
        yield Label(self._title, classes="label", markup=False)
        yield from self._fields
        if self._note:
            yield Label(self._note, classes="note", markup=False)

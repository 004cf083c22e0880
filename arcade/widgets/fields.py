"""The fields of dialogs: a row with a title, an input, and a note."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Input, Label, Select

OFF, ON = "off", "on"
"""The choices of a switch, as words, since colours alone would not be clear."""

MOST_DIGITS = 18
"""Most digits of a number in a field."""


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


class NumberField(Input):
    """A field for a whole number; nothing else can be typed or pasted into it.

    It is not Textual's own kind, which can take for ever over a text; see docs/upstream.md.

    Args:
        value: the number at first; None for an empty field.
        digits: most digits of the number.
        options: Textual's.
    """

    def __init__(self, value: int | None = None, digits: int = MOST_DIGITS, **options: Any) -> None:
        text = "" if value is None else str(value)
        super().__init__(text, restrict=f"-?[0-9]{{0,{digits}}}", compact=True, **options)

    @property
    def number(self) -> int | None:
        """The number in the field; None if there is none."""
        return int(self.value) if re.fullmatch(r"-?[0-9]+", self.value) else None


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

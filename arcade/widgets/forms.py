"""Fields of dialogs, and the laboratory's dials."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from rich.segment import Segment
from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, Label, Select

from arcade.engines.files import InputError
from arcade.widgets.board import ink
from arcade.widgets.drawn import Drawn
from arcade.widgets.glyphs import ASCII

OFF, ON = "off", "on"
"""Choices of a switch. They are words, because colours alone would not be clear."""

MAX_DIGITS = 18

Choosable = TypeVar("Choosable")


class Choice(Select[str], inherit_bindings=False):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "show_overlay", "Choose", show=False),
    ]

    def __init__(self, options: Iterable[tuple[str, str]], value: str, **names: Any) -> None:
        super().__init__(options, value=value, allow_blank=False, compact=True, **names)

    @classmethod
    def switch(cls, on: bool, *, id: str) -> Choice:
        return cls([(word, word) for word in (OFF, ON)], ON if on else OFF, id=id, classes="short")


class Line(Input):
    """A text field. It joins the lines of pasted text with spaces."""

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Paste):
            event = events.Paste(" ".join(event.text.splitlines()))
        await super().on_event(event)


class NumberField(Input):
    """A number field. Textual's own number field can freeze; see docs/textual-reports.md."""

    def __init__(self, value: int | None = None, digits: int = MAX_DIGITS, **options: Any) -> None:
        text = "" if value is None else str(value)
        super().__init__(text, restrict=f"-?[0-9]{{0,{digits}}}", compact=True, **options)

    @property
    def number(self) -> int | None:
        return int(self.value) if re.fullmatch(r"-?[0-9]+", self.value) else None

    @on(events.MouseScrollUp)
    @on(events.MouseScrollDown)
    def turn(self, event: events.MouseScrollUp | events.MouseScrollDown) -> None:
        """Let the wheel change the number if the field has focus. Otherwise, the wheel scrolls the form."""
        if self.has_focus and self.number is not None:
            event.stop()
            self.value = str(max(self.number + (1 if isinstance(event, events.MouseScrollUp) else -1), 0))

    def read(self, title: str) -> int:
        if self.number is None:
            raise InputError(f"{title} must be a whole number, not {self.value[:20]!r}.")
        return self.number


class Row(Horizontal):
    def __init__(self, title: str, *fields: Widget, note: str = "") -> None:
        notes = [Label(note, classes="note", markup=False)] if note else []
        super().__init__(Label(title, classes="label", markup=False), *fields, *notes, classes="row")


def next_of(values: Sequence[Choosable], value: Choosable, by: int) -> Choosable:
    """Return the value `by` places after `value` in a circular list.

    If `value` is not in the list, `by=1` gives the first value and `by=-1` the last.
    """
    at = values.index(value) if value in values else -1 if by > 0 else 0
    return values[(at + by) % len(values)]


TITLE = 11


@dataclass(frozen=True)
class Dial:
    name: str
    title: str
    value: str
    typed: bool = False


class Dials(Drawn, can_focus=True):
    DEFAULT_CSS = """
    Dials { height: auto; width: 1fr; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k,w", "go(-1)", "Up", show=False),
        Binding("down,j,s", "go(1)", "Down", show=False),
        Binding("left,h,a", "turn(-1)", "Less", show=False),
        Binding("right,l,d", "turn(1)", "More", show=False),
        Binding("enter", "type", "Type a value", show=False),
    ]

    @dataclass
    class Turned(Message):
        name: str
        by: int

    @dataclass
    class Asked(Message):
        name: str

    dials: Sequence[Dial] = ()
    cursor = 0

    def show(self, dials: Sequence[Dial]) -> None:
        grown = len(dials) != len(self.dials)
        self.dials = tuple(dials)
        self.cursor = min(self.cursor, max(len(dials) - 1, 0))
        self.refresh(layout=grown)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.dials)

    def render_line(self, y: int) -> Strip:
        if y >= len(self.dials):
            return self.filled()
        dial = self.dials[y]
        here = y == self.cursor and self.has_focus
        left, right = ("<", ">") if self.glyphs is ASCII else ("‹", "›")
        ground = self.colour("panel") if here else self.rich_style.bgcolor
        turning = ink(self.colour("primary"), ground, True)
        pointer = self.glyphs.turn if here else " "
        room = max(self.size.width - TITLE - 4, 1)
        text = dial.value if len(dial.value) <= room else dial.value[: room - 1] + "~"
        title = f"{pointer}{dial.title:<{TITLE - 1}}"
        return self.filled(
            [
                Segment(title, ink(self.colour("primary" if here else "faint"), ground)),
                Segment(f"{left} ", turning),
                Segment(f"{text:<{room}}", ink(self.colour("foreground"), ground, here)),
                Segment(f" {right}", turning),
            ]
        )

    def action_go(self, by: int) -> None:
        self.cursor = min(max(self.cursor + by, 0), max(len(self.dials) - 1, 0))
        self.refresh()

    def action_turn(self, by: int) -> None:
        if self.dials:
            self.post_message(self.Turned(self.dials[self.cursor].name, by))

    def action_type(self) -> None:
        if not self.dials:
            return
        dial = self.dials[self.cursor]
        self.post_message(self.Asked(dial.name) if dial.typed else self.Turned(dial.name, 1))

    def on_click(self, event: events.Click) -> None:
        if not 0 <= event.y < len(self.dials):
            return
        self.cursor = event.y
        self.refresh()
        if event.x >= self.size.width - 2:
            self.action_turn(1)
        elif TITLE <= event.x < TITLE + 2:
            self.action_turn(-1)
        elif event.x >= TITLE:
            self.action_type()

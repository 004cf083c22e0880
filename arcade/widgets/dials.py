"""Settings as dials: one row each, turned with the arrow keys or by clicks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.color import Color
from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from arcade.widgets.board import ink
from arcade.widgets.glyphs import ASCII

TITLE = 11
"""Columns for the names of the dials, including the pointer."""


@dataclass(frozen=True)
class Dial:
    """One setting and its value."""

    name: str
    title: str
    value: str
    typed: bool = False
    """Whether Enter asks for a value."""


class Dials(Widget, can_focus=True):
    """Rows of settings: up and down choose one, left and right turn it, Enter types a value."""

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

    class Turned(Message):
        """A dial was turned."""

        def __init__(self, name: str, by: int) -> None:
            super().__init__()
            self.name = name
            self.by = by

    class Asked(Message):
        """A person wants to type a value."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.dials: Sequence[Dial] = ()
        self.cursor = 0

    def show(self, dials: Sequence[Dial]) -> None:
        """Show the settings as they stand."""
        grown = len(dials) != len(self.dials)
        self.dials = tuple(dials)
        self.cursor = min(self.cursor, max(len(dials) - 1, 0))
        self.refresh(layout=grown)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One line for each dial."""
        return len(self.dials)

    def _arrows(self) -> tuple[str, str]:
        plain = getattr(self.app, "ascii", False)
        return ("<", ">") if plain else ("‹", "›")

    def render_line(self, y: int) -> Strip:
        """One line of the widget."""
        base = self.rich_style
        if y >= len(self.dials):
            return Strip([]).adjust_cell_length(self.size.width, base)
        dial = self.dials[y]
        here = y == self.cursor and self.has_focus
        left, right = self._arrows()
        colours = {
            name: Color.parse(self.app.theme_variables[name]) for name in ("primary", "faint", "panel")
        }
        ground = colours["panel"] if here else base.bgcolor
        front = Color.parse(self.app.theme_variables["foreground"])
        pointer = (ASCII.turn if left == "<" else "▸") if here else " "
        room = max(self.size.width - TITLE - 4, 1)
        text = dial.value if len(dial.value) <= room else dial.value[: room - 1] + "~"
        return Strip(
            [
                Segment(
                    f"{pointer}{dial.title:<{TITLE - 1}}",
                    ink(colours["primary" if here else "faint"], ground),
                ),
                Segment(f"{left} ", ink(colours["primary"], ground, True)),
                Segment(f"{text:<{room}}", ink(front, ground, here)),
                Segment(f" {right}", ink(colours["primary"], ground, True)),
            ]
        ).adjust_cell_length(self.size.width, base)

    def on_focus(self) -> None:
        """The chosen row is marked only in focus."""
        self.refresh()

    def on_blur(self) -> None:
        """The chosen row is marked only in focus."""
        self.refresh()

    def action_go(self, by: int) -> None:
        """Go to another row."""
        self.cursor = min(max(self.cursor + by, 0), max(len(self.dials) - 1, 0))
        self.refresh()

    def action_turn(self, by: int) -> None:
        """Turn the chosen dial."""
        if self.dials:
            self.post_message(self.Turned(self.dials[self.cursor].name, by))

    def action_type(self) -> None:
        """Type a value if possible, else turn."""
        if not self.dials:
            return
        dial = self.dials[self.cursor]
        self.post_message(self.Asked(dial.name) if dial.typed else self.Turned(dial.name, 1))

    def on_click(self, event: events.Click) -> None:
        """A click on an arrow turns the dial; a click on the value types or turns."""
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

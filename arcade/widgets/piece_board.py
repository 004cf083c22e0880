"""A grid with a piece in hand that can be turned."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from arcade.widgets.board import GridBoard


class PieceBoard(GridBoard):
    """A grid of cells with a piece in hand, which keys, the mouse wheel and clickable words turn."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "rotate(1)", "Rotate", show=False, tooltip="Rotate the piece; so does the mouse wheel"),
        Binding("E", "rotate(-1)", "Rotate back", show=False, tooltip="Rotate it the other way"),
    ]

    @abstractmethod
    def action_rotate(self, quarters: int) -> None:
        """Rotate the piece in hand clockwise by quarter turns."""

    @abstractmethod
    def right_clicked(self) -> None:
        """Turn the piece in hand on a right click."""

    def on_click(self, event: events.Click) -> None:
        """The right button turns."""
        if event.button == 3 and not self.small:
            event.stop()
            event.prevent_default()
            self.right_clicked()

    def point(self) -> None:
        """A person has taken or turned a piece: show it."""
        self.touch()
        self.tell()

    def tell(self) -> None:
        """Redraw the piece in hand and report its effect."""
        self.update()
        self.post_message(self.Pointed(self, self.move_at(self.cursor) if self.pointing else None))

    def on_focus(self) -> None:
        """Report the effect of the piece in hand."""
        self.tell()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel rotates."""
        if not self.small:
            event.stop()
            self.action_rotate(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel rotates."""
        if not self.small:
            event.stop()
            self.action_rotate(-1)

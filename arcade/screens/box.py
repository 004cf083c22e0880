"""A dialog that shows one box of a machine in full."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from arcade.learning.machine import AnyMachine
from arcade.screens.base import Dialog
from arcade.widgets.beads import error_percent
from arcade.widgets.box_panel import BoxPanel, OpenBox
from arcade.widgets.box_wall import AnyBox
from arcade.widgets.key_footer import KeyFooter


class BoxDialog(Dialog[int]):
    """One box in full, with perfect play's verdicts; returns the index of the last box shown."""

    CSS: ClassVar[str] = """
    BoxDialog .dialog { width: 56; padding: 1 2 0 2; }
    BoxDialog #about { margin: 1 0; color: $faint; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h,a,up,k,w", "turn(-1)", "Previous", key_display="←"),
        Binding("right,l,d,down,j,s", "turn(1)", "Next", key_display="→"),
        Binding("q,enter,space", "close", "Close", key_display="q"),
    ]

    def __init__(self, machine: AnyMachine, boxes: tuple[AnyBox, ...], at: int) -> None:
        super().__init__()
        self.machine = machine
        self.boxes = boxes
        self.at = at

    def compose(self) -> ComposeResult:
        """The box and a text about it."""
        with Vertical(classes="dialog -box"):
            yield BoxPanel()
            yield Static("", id="about")
            yield KeyFooter()

    def on_mount(self) -> None:
        """Show the first one."""
        self.show()

    def show(self) -> None:
        """Show the box."""
        box = self.boxes[self.at]
        word = self.machine.beads[box.index]
        self.query_one(BoxPanel).show(OpenBox.now(self.machine, box.position), self.glyphs)
        error = self.machine.boxes.error(box, word)
        if error is None:
            words = "The box is empty, so the machine resigns here."
        elif not error:
            words = "Every bead is a best move."
        else:
            words = f"Gives the value of the position away in{error_percent(error)} of the draws."
        self.query_one("#about", Static).update(f"{box.position.text()}\n{words}")

    def action_turn(self, by: int) -> None:
        """The next or previous box."""
        self.at = min(max(self.at + by, 0), len(self.boxes) - 1)
        self.show()

    def action_close(self) -> None:
        """Go back to this box on the wall."""
        self.dismiss(self.at)

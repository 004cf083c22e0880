"""The panel of a match screen for the trained machine in a seat. A package registers it."""

from collections.abc import Callable
from functools import cache

from textual.message import Message
from textual.widget import Widget

from arcade.engines.registry import entries
from arcade.play.scene import Scene


class MachinePanel(Widget):
    """The panel without a machine, which shows nothing."""

    class Opened(Message):
        """Message: the player opens all boxes."""

    class Picked(Message):
        """Message: the machine's last move can be shown."""

    large = False
    """True if the panel may take half of the available height."""
    picking = False
    """True while the machine's last move is still hidden because its bead is being picked."""

    def moved(self, before: Scene, scene: Scene) -> None:
        """React to a changed position: show how a bead was picked for the last move, or what was learned."""

    def hurry(self) -> bool:
        """End the animation. Return whether the machine's last move can be shown now."""
        return False

    def show_scene(self, scene: Scene, hidden: bool) -> None:
        self.display = False

    def curve(self) -> Widget:
        """Return the machine's learning curve, for the projector. `show_scene` fills it."""
        return Widget()

    def open_boxes(self, game: str, scene: Scene, closed: Callable[[], object]) -> None:
        """Show all boxes of the machine, or of the game's own machine. Call `closed` afterwards."""

    def open_laboratory(self, game: str, scene: Scene, closed: Callable[[], object]) -> None:
        """Train the machine, or the game's own machine. Call `closed` afterwards."""


GROUP = "arcade.panels"
"""Entry point group. `machine = "module:Class"` names the panel."""


@cache
def machine_panel() -> type[MachinePanel]:
    for entry in entries(GROUP):
        loaded = entry.load()
        if isinstance(loaded, type) and issubclass(loaded, MachinePanel):
            return loaded
    return MachinePanel

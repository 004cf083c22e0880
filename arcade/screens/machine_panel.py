"""The match screen's panel for a trained machine."""

from collections.abc import Callable
from functools import cache

from textual.message import Message
from textual.widget import Widget

from arcade.engines.registry import entries
from arcade.play.scene import Scene


class MachinePanel(Widget):
    """A panel for a trained machine. This base class is the default and shows nothing."""

    class Opened(Message):
        """Message: show all boxes."""

    class Picked(Message):
        """Message: the machine's last move can be shown."""

    large = False
    """True if the panel may fill half the height."""
    picking = False
    """True while the draw of a bead is animated and the last move is hidden."""

    def moved(self, before: Scene, scene: Scene) -> None:
        """Animate the draw of a bead, or show the changes after a match."""

    def hurry(self) -> bool:
        """End the animation. Return True if the animation was hiding the last move."""
        return False

    def show_scene(self, scene: Scene, hidden: bool) -> None:
        self.display = False

    def curve(self) -> Widget:
        """Return the widget for the projector's learning curve, which `show_scene` fills."""
        return Widget()

    def open_boxes(self, game: str, scene: Scene, closed: Callable[[], object]) -> None:
        """Show all boxes of the scene's machine, or of the game's built-in one. On closing, call `closed`."""

    def open_laboratory(self, game: str, scene: Scene, closed: Callable[[], object]) -> None:
        """Open the laboratory with a machine, chosen as for `open_boxes`. On closing, call `closed`."""


GROUP = "arcade.panels"
"""Entry point group. The entry `machine = "module:Class"` sets the class of the panel."""


@cache
def machine_panel() -> type[MachinePanel]:
    for entry in entries(GROUP):
        loaded = entry.load()
        if isinstance(loaded, type) and issubclass(loaded, MachinePanel):
            return loaded
    return MachinePanel

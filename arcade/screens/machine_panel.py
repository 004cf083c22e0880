"""The match screen's panel for a trained machine."""

from collections.abc import Callable
from functools import cache

from textual.message import Message
from textual.widget import Widget

from arcade.engines.registry import entries
from arcade.play.scene import Scene


class MachinePanel(Widget):
    """A panel for a trained machine. This base class, the default, is empty."""

    class Opened(Message):
        """Message: show all boxes."""

    class Picked(Message):
        """Message: the machine's last move can be shown."""

    large = False
    """True if the panel may fill half the height."""
    picking = False
    """True while a bead is being picked and the last move is hidden."""

    def moved(self, before: Scene, scene: Scene) -> None:
        """Animate the pick of a bead, or show what was learned."""

    def hurry(self) -> bool:
        """End the animation. Return True if it was hiding the last move."""
        return False

    def show_scene(self, scene: Scene, hidden: bool) -> None:
        self.display = False

    def curve(self) -> Widget:
        """Return the widget for the projector's learning curve, which `show_scene` fills."""
        return Widget()

    def open_boxes(self, game: str, scene: Scene, closed: Callable[[], object]) -> None:
        """Show all boxes of the scene's machine, or of the game's built-in one. Then call `closed`."""

    def open_laboratory(self, game: str, scene: Scene, closed: Callable[[], object]) -> None:
        """Open the laboratory with the scene's machine, or the game's built-in one. Then call `closed`."""


GROUP = "arcade.panels"
"""Entry point group. `machine = "module:Class"` names the panel."""


@cache
def machine_panel() -> type[MachinePanel]:
    for entry in entries(GROUP):
        loaded = entry.load()
        if isinstance(loaded, type) and issubclass(loaded, MachinePanel):
            return loaded
    return MachinePanel

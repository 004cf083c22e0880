"""The match screen's panel for a trained machine."""

from collections.abc import Callable
from functools import cache

from textual.message import Message
from textual.widget import Widget

from arcade.engines.registry import entries
from arcade.play.scene import Scene


class MachinePanel(Widget):
    """The default, an empty panel."""

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
        """End the animation. Return whether the last move can be shown now."""
        return False

    def show_scene(self, scene: Scene, hidden: bool) -> None:
        self.display = False

    def curve(self) -> Widget:
        """Return the learning curve for the projector. `show_scene` fills it."""
        return Widget()

    def open_boxes(self, game: str, scene: Scene, closed: Callable[[], object]) -> None:
        """Show all boxes of the machine, or of the game's own, then call `closed`."""

    def open_laboratory(self, game: str, scene: Scene, closed: Callable[[], object]) -> None:
        """Train the machine, or the game's own, then call `closed`."""


GROUP = "arcade.panels"
"""Entry point group. `machine = "module:Class"` names the panel."""


@cache
def machine_panel() -> type[MachinePanel]:
    for entry in entries(GROUP):
        loaded = entry.load()
        if isinstance(loaded, type) and issubclass(loaded, MachinePanel):
            return loaded
    return MachinePanel

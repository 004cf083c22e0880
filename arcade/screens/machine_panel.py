"""The panel of a match screen that shows the trained machine in a seat; a package registers it."""

from collections.abc import Callable
from functools import cache

from textual.message import Message
from textual.widget import Widget

from arcade.engines.registry import entries
from arcade.play.scene import Scene


class MachinePanel(Widget):
    """Shows nothing."""

    class Opened(Message):
        """The player wants to see all boxes."""

    class Picked(Message):
        """The machine's last move can be shown."""

    large = False
    """Whether it may take half of the height that is there."""
    picking = False
    """Whether the machine's last move is still to be shown, as its bead is being picked."""

    def moved(self, before: Scene, scene: Scene) -> None:
        """The position has changed: show how a bead was picked for the last move, or what was learned."""

    def hurry(self) -> bool:
        """Show at once what is shown in turn; returns whether the machine's last move can be shown now."""
        return False

    def show_scene(self, scene: Scene, hidden: bool) -> None:
        self.display = False

    def curve(self) -> Widget:
        """The machine's learning curve, for the projector; `show_scene` fills it."""
        return Widget()

    def open_boxes(self, game: str, scene: Scene, closed: Callable[[], object]) -> None:
        """Show all boxes of the machine, or of the game's own one; `closed` is called in the end."""

    def open_laboratory(self, game: str, scene: Scene, closed: Callable[[], object]) -> None:
        """Let the player train the machine, or the game's own one; `closed` is called in the end."""


GROUP = "arcade.panels"
"""The entry point group; `machine = "module:Class"` names the panel."""


@cache
def machine_panel() -> type[MachinePanel]:
    for entry in entries(GROUP):
        loaded = entry.load()
        if isinstance(loaded, type) and issubclass(loaded, MachinePanel):
            return loaded
    return MachinePanel

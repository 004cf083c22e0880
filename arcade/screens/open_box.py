"""The open box of a machine in a match: its beads, and how they change at the end."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from textual.message import Message

from arcade.engines.menace import box as beads
from arcade.play.boxes import OpenBox, Taught
from arcade.play.scene import Scene
from arcade.screens.base import Frames, services_of
from arcade.widgets.boxes import BoxPanel

REWARD_SECONDS = 0.18
"""Seconds for which each box shows its change."""

PICK_SECONDS = 0.1
"""Seconds for which the hand is over the beads of a colour."""
PICKS, FIRST_PICKS = 5, 12
"""Over how many colours the hand goes before it picks a bead: the first of a match is picked slowly."""


class OpenBoxPanel(BoxPanel):
    @dataclass
    class Picked(Message):
        """A bead has been picked, so the machine's move can be shown."""

    @dataclass
    class Opened(Message):
        """The player wants to see all boxes."""

    _hidden = False
    _box: OpenBox | Taught | None = None

    def on_mount(self) -> None:
        self._reveal = Frames[int](self, self._show_box)
        self._pick = Frames[OpenBox](self, self._show_pick)

    @property
    def animated(self) -> bool:
        return services_of(self.app).settings.animated

    def moved(self, before: Scene, scene: Scene) -> None:
        """The position has changed: show how a bead was picked for the last move, or what was learned."""
        self._reveal.end()
        self._pick.end()
        if not self.animated:
            return
        if isinstance(scene.box, Taught):
            self._reveal.begin(range(len(scene.box.changes)), REWARD_SECONDS)
        elif scene.match_number == before.match_number and scene.shown == before.shown + 1:
            self._pick.begin(self._hands(scene), PICK_SECONDS)
            if self.picking:
                self._show_box()

    def _hands(self, scene: Scene) -> Sequence[OpenBox]:
        """The box of the last move with the hand over one move after the other, the picked one last."""
        box = scene.box
        if not isinstance(box, OpenBox) or box.draw is None or box.opening is None:
            return []
        latest = scene.moves[scene.shown - 1]
        seat = box.machine.options.seat
        if self._hidden or scene.watched or scene.finished or latest.column != seat:
            return []
        moves = [move for slot, move in box.opening.moves.items() if beads.count(box.word, slot)]
        if box.draw.move not in moves or len(moves) < 2:
            return []
        last = moves.index(box.draw.move)
        steps = range(last - (PICKS if scene.shown > 1 else FIRST_PICKS), last + 1)
        return [replace(box, draw=None, hand=moves[step % len(moves)]) for step in steps]

    @property
    def picking(self) -> bool:
        """Whether the machine's last move is still to be shown, as its bead is being picked."""
        return bool(self._pick.left)

    def _show_pick(self) -> None:
        self._show_box()
        if not self.picking:
            self.post_message(self.Picked())

    def hurry(self) -> bool:
        """Show at once what is shown in turn; returns whether the machine's last move can be shown now."""
        picked = self._pick.end()
        if self._reveal.end() or picked:
            self._show_box()
        return picked

    def show_scene(self, scene: Scene, hidden: bool) -> None:
        self._box, self._hidden = scene.box, hidden
        self._show_box()

    def _show_box(self) -> None:
        box = self._pick.left[0] if self.picking else self._box
        if isinstance(box, Taught):
            box = replace(box, shown=len(box.changes) - len(self._reveal.left))
        self.show(None if self._hidden else box)

    def on_click(self) -> None:
        self.post_message(self.Opened())

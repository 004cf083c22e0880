"""The open box of a machine in a match, and how it changes at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from textual.app import App

from arcade.engines.menace import box as beads
from arcade.engines.menace.open_box import LearningSummary, OpenBox
from arcade.play.scene import Scene
from arcade.screens.base import FrameSequence, services_of
from arcade.screens.machine_panel import MachinePanel
from arcade.screens.menace.boxes import BoxPanel

if TYPE_CHECKING:
    from arcade.screens.menace.charts import Curves

REWARD_SECONDS = 0.7

PICK_SECONDS = 0.1
PICKS, FIRST_PICKS = 5, 12
"""Number of colours that the hand passes before it picks a bead: usually, and for the first move."""


class OpenBoxPanel(BoxPanel, MachinePanel):
    _hidden = False
    _box: OpenBox | LearningSummary | None = None

    def on_mount(self) -> None:
        self._reveal = FrameSequence[int](self, self._show_box)
        self._pick = FrameSequence[OpenBox](self, self._show_pick)

    @property
    def animated(self) -> bool:
        return services_of(self.app).settings.animated

    def moved(self, before: Scene, scene: Scene) -> None:
        self._reveal.end()
        self._pick.end()
        if not self.animated:
            return
        if isinstance(scene.box, LearningSummary):
            self._reveal.begin(range(len(scene.box.changes)), REWARD_SECONDS)
        elif scene.match_number == before.match_number and scene.shown == before.shown + 1:
            self._pick.begin(self._hands(scene), PICK_SECONDS)
            if self.picking:
                self._show_box()

    def _hands(self, scene: Scene) -> Sequence[OpenBox]:
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
    def picking(self) -> bool:  # type: ignore[override]  # computed here
        return bool(self._pick.left)

    def _show_pick(self) -> None:
        self._show_box()
        if not self.picking:
            self.post_message(self.Picked())

    def hurry(self) -> bool:
        picked = self._pick.end()
        if self._reveal.end() or picked:
            self._show_box()
        return picked

    @cached_property
    def _curves(self) -> Curves:
        from arcade.screens.menace.charts import Curves  # loads charts

        return Curves(id="curve")

    def curve(self) -> Curves:
        return self._curves

    def show_scene(self, scene: Scene, hidden: bool) -> None:
        if self.large and scene.machine is not None:
            self._curves.follow(scene.machine)
        self._box, self._hidden = scene.box, hidden
        self._show_box()

    def _show_box(self) -> None:
        box = self._pick.left[0] if self.picking else self._box
        if isinstance(box, LearningSummary):
            box = replace(box, shown=len(box.changes) - len(self._reveal.left))
        self.show(None if self._hidden else box)

    def on_click(self) -> None:
        self.post_message(self.Opened())

    def open_boxes(self, game: str, scene: Scene, closed: Callable[[], object]) -> None:
        at = scene.box.index if isinstance(scene.box, OpenBox) else None
        show_boxes(self.app, game, name_of_machine(scene), at, closed)

    def open_laboratory(self, game: str, scene: Scene, closed: Callable[[], object]) -> None:
        show_laboratory(self.app, game, name_of_machine(scene), closed)


def name_of_machine(scene: Scene) -> str | None:
    return None if scene.machine is None else scene.machine.name


def show_boxes(
    app: App[Any],
    game: str,
    machine: str | None = None,
    at: int | None = None,
    closed: Callable[[], object] = lambda: None,
) -> None:
    from arcade.screens.menace.laboratory import open_boxes  # loads the laboratory

    open_boxes(app, game, machine, at, closed)


def show_laboratory(
    app: App[Any], game: str, machine: str | None = None, closed: Callable[[], object] = lambda: None
) -> None:
    from arcade.screens.menace.laboratory import open_laboratory  # loads the laboratory

    open_laboratory(app, game, machine, closed)

"""The learning curves of one machine: shares of games above, beads of a first box below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from arcade.learning.experiment import Experiment, Point
from arcade.learning.matchbox import Boxes
from arcade.widgets.beads import bead_colour
from arcade.widgets.charts import BeadChart, ShareChart
from arcade.widgets.glyphs import Glyphs


class Curves(Vertical):
    """Two charts with a caption each."""

    DEFAULT_CSS = """
    Curves { width: 1fr; }
    Curves .caption { height: 1; padding: 0 0 0 1; }
    Curves ShareChart { height: 2fr; }
    Curves BeadChart { height: 1fr; min-height: 6; }
    """

    def compose(self) -> Iterable[Widget]:
        """Shares above, beads below."""
        yield Static("", id="shares-caption", classes="caption")
        yield ShareChart()
        yield Static("", id="beads-caption", classes="caption")
        yield BeadChart()

    def wait(self, name: str, games: int, message: str) -> None:
        """Show that no training has started.

        Args:
            name: the machine.
            games: the number of games it will play.
            message: how to start.
        """
        self.query_one(ShareChart).put((), games, message)
        self.query_one(BeadChart).put((), games)
        self._caption(name, "")

    def show(
        self,
        name: str,
        experiment: Experiment,
        boxes: Boxes[Any, Any],
        first: int,
        alone: bool,
        glyphs: Glyphs,
    ) -> None:
        """Show the progress of an experiment.

        Args:
            name: the machine.
            experiment: what it has played.
            boxes: the machine's.
            first: the index of the box of its first move to show, wrapping around.
            alone: whether no other machine is beside it, so that there is room for text.
            glyphs: the signs for won, tied and lost.
        """
        curve, opening = experiment.curve, boxes.first
        number = first % max(len(opening), 1)
        self.query_one(ShareChart).put(curve, experiment.games)
        beads = self.query_one(BeadChart)
        if opening:
            beads.look_at(number, list(opening[number].moves))
        beads.put(curve, experiment.games)
        if not curve:
            self._caption(name, "")
            return
        counts: list[tuple[str, str]] = []
        if opening:
            held = curve[-1].first[number]
            which = "First box: " if alone else ""
            if len(opening) > 1:
                which = f"Box {number + 1}/{len(opening)}: "
            dark = self.app.current_theme.dark
            counts = [(which, "")]
            for slot, move in opening[number].moves.items():
                words = f"{move} {held[slot]:.0f}  " if alone else f"{move} {held[slot]:.0f} "
                counts.append((words, bead_colour(slot, dark).name))
        room = self.query_one("#shares-caption", Static).content_size.width
        self._caption(share_words(name, curve, glyphs, room), Content.assemble(*counts))

    def _caption(self, shares: str, beads: str | Content) -> None:
        self.query_one("#shares-caption", Static).update(shares, layout=False)
        self.query_one("#beads-caption", Static).update(beads, layout=False)


def share_words(name: str, curve: Sequence[Point], glyphs: Glyphs, room: int) -> str:
    """A machine and the results of its last stretch of games, as fully as fits."""
    last = curve[-1]
    games = last.games - (curve[-2].games if len(curve) > 1 else 0)
    parts = ((glyphs.win, last.win), (glyphs.tie, last.tie), (glyphs.loss, last.loss))
    shares = " ".join(f"{sign}{share:.0%}" for sign, share in parts)
    stretch = "the last game" if games == 1 else f"the last {games:,} games"
    plain = shares.replace("%", "")
    words = (f"{name} {shares} of {stretch}", f"{name} {shares}", f"{name} {plain}")
    # Shorten a long name, never the shares.
    return next((each for each in words if len(each) <= room), f"{name[: room - len(plain) - 1]} {plain}")

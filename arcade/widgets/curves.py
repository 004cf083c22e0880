"""The learning curves of one machine: shares of games above, beads of a first box below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Static

from arcade.engines.menace.experiment import Experiment, Point
from arcade.engines.menace.matchbox import Boxes
from arcade.widgets.beads import LETTERS
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
        """Show that no training has begun.

        Args:
            name: the machine.
            games: how many it will play.
            message: what to do about it.
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
        """Show how far an experiment is.

        Args:
            name: the machine.
            experiment: what it has played.
            boxes: the machine's.
            first: which of the boxes of its first move to show, counted on around the end.
            alone: whether no other machine is beside it, so that there is room for words.
            glyphs: the signs of won, tied and lost.
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
        counts = ""
        if opening:
            held = curve[-1].first[number]
            which = "First box" if alone else "First"
            if len(opening) > 1:
                which = f"Box {number + 1}/{len(opening)}"
            counts = f"{which}: " + " ".join(
                f"{LETTERS[slot]} {move} {held[slot]:.0f} " if alone else f"{LETTERS[slot]}{held[slot]:.0f}"
                for slot, move in opening[number].moves.items()
            )
        room = self.query_one("#shares-caption", Static).content_size.width
        self._caption(share_words(name, curve, glyphs, room), counts)

    def _caption(self, shares: str, beads: str) -> None:
        for selector, text in (("#shares-caption", shares), ("#beads-caption", beads)):
            self.query_one(selector, Static).update(text, layout=False)


def share_words(name: str, curve: Sequence[Point], glyphs: Glyphs, room: int) -> str:
    """A machine and how the last stretch of its games ended, as fully as there is room for."""
    last = curve[-1]
    games = last.games - (curve[-2].games if len(curve) > 1 else 0)
    parts = ((glyphs.win, last.win), (glyphs.tie, last.tie), (glyphs.loss, last.loss))
    shares = " ".join(f"{sign}{share:.0%}" for sign, share in parts)
    stretch = "the last game" if games == 1 else f"the last {games:,} games"
    plain = shares.replace("%", "")
    words = (f"{name} {shares} of {stretch}", f"{name} {shares}", f"{name} {plain}")
    # A long name gives way, the shares do not.
    return next((each for each in words if len(each) <= room), f"{name[: room - len(plain) - 1]} {plain}")

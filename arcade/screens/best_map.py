"""The best map found for a deal of Honshu beside the one that was made, tile by tile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from arcade.engines.honshu.rules import HonshuPosition
from arcade.screens.base import ArcadeScreen
from arcade.widgets.board import BoardView
from arcade.widgets.honshu_map import HonshuMap
from arcade.widgets.key_footer import KeyFooter
from arcade.widgets.title_bar import TitleBar


def parting(mine: HonshuPosition, best: HonshuPosition) -> int | None:
    """The first tile placed otherwise than on the best map, counted from 0; None where there is none."""
    there = set(best.laid)
    return next((number for number, move in enumerate(mine.laid) if move not in there), None)


class BestMapScreen(ArcadeScreen):
    """Two maps of the same deal side by side.

    Args:
        mine: the positions of the map that was made, from the empty one to the last.
        best: those of the best map found.
        name: whose map the first one is.
    """

    CSS: ClassVar[str] = """
    BestMapScreen .map { width: 1fr; }
    BestMapScreen .caption { height: 1; padding: 0 1; color: $primary; text-style: bold; }
    BestMapScreen #parting { height: 2; padding: 0 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Tile back", tooltip="Take the last tile off both maps"),
        Binding("right", "step(1)", "Next tile", tooltip="Place the next tile on both maps"),
        Binding("home", "step(-99)", "First", show=False),
        Binding("end", "step(99)", "Last", show=False),
        Binding("p", "parting", "Where they part", tooltip="Where the two maps part"),
    ]

    def __init__(self, mine: Sequence[HonshuPosition], best: Sequence[HonshuPosition], name: str) -> None:
        super().__init__()
        self.paths = (mine, best)
        self.captions = (name, "Best found")
        self.shown = max(len(mine), len(best)) - 1
        """How many tiles are placed on the maps that are shown."""

    def compose(self) -> ComposeResult:
        """The maps, each under its name and score."""
        yield TitleBar()
        with Horizontal():
            for number in range(2):
                with Vertical(classes="map"):
                    yield Static(classes="caption", id=f"caption-{number}")
                    board = HonshuMap(self._view(number), id=f"map-{number}")
                    board.can_focus = False
                    yield board
        yield Static(id="parting")
        yield KeyFooter()

    def on_mount(self) -> None:
        """Show both maps as they ended."""
        self.show_title()
        self._show()

    def show_title(self) -> None:
        """The title line."""
        self.query_one(TitleBar).show("Honshu: your map and the best one", "", self.services.warmer.status)

    def _view(self, number: int) -> BoardView:
        path = self.paths[number]
        position = path[min(self.shown, len(path) - 1)]
        return BoardView(position, path[0], last=position.laid[-1] if position.laid else None)

    def _show(self) -> None:
        for number, name in enumerate(self.captions):
            view = self._view(number)
            self.query_one(f"#map-{number}", HonshuMap).show(view)
            assert isinstance(view.position, HonshuPosition)
            words = f"{name}: {view.position.score.total}, {len(view.position.laid)} tiles"
            self.query_one(f"#caption-{number}", Static).update(words)
        self.query_one("#parting", Static).update(self.words())

    def words(self) -> str:
        """Where the paths part."""
        mine, best = (path[-1] for path in self.paths)
        at = parting(mine, best)
        if at is None:
            return "Both maps are the same." if len(mine.laid) == len(best.laid) else "The best map goes on."
        move = mine.laid[at]
        other = next((each for each in best.laid if each.tile == move.tile), None)
        there = (
            f"the best map has it at {str(other).partition('@')[2]}"
            if other
            else "the best map leaves it out"
        )
        return f"They part at move {at + 1}: tile {move.tile} is at {str(move).partition('@')[2]}; {there}."

    def action_step(self, by: int) -> None:
        """Show so many tiles more, or fewer."""
        last = max(map(len, self.paths)) - 1
        self.shown = min(max(self.shown + by, 0), last)
        self._show()

    def action_parting(self) -> None:
        """Show the maps after the first tile that is placed otherwise."""
        at = parting(self.paths[0][-1], self.paths[1][-1])
        if at is not None:
            self.shown = at + 1
            self._show()

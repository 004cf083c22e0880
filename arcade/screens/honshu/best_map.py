"""The best map beside the player's map."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from arcade.engines.honshu.rules import HonshuPosition
from arcade.play.keymap import default_key
from arcade.play.scene import BoardScene
from arcade.screens.base import ArcadeScreen
from arcade.screens.honshu.board import HonshuMap
from arcade.widgets.keys import TitleBar


def first_difference(mine: HonshuPosition, best: HonshuPosition) -> int | None:
    """Return the index of the first move that is not on the best map; None if all moves are."""
    return next((number for number, move in enumerate(mine.laid) if move not in best.laid), None)


class BestMapScreen(ArcadeScreen):
    """Two maps side by side. Each map is a list of positions that starts with the empty map."""

    CSS = """
    BestMapScreen .map { width: 1fr; }
    BestMapScreen .caption { height: 1; padding: 0 1; color: $primary; text-style: bold; }
    BestMapScreen #difference { height: 2; padding: 0 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Earlier", tooltip="Take the last tile off both maps"),
        Binding("right", "step(1)", "Later", tooltip="Place the next tile on both maps"),
        Binding("home", "step(-99)", "First", show=False),
        Binding("end", "step(99)", "Last", show=False),
        Binding(
            default_key("review"),
            "first_difference",
            "Differ",
            tooltip="Go to the first move in which the maps differ",
            id="review",
        ),
    ]

    def __init__(self, mine: Sequence[HonshuPosition], best: Sequence[HonshuPosition], name: str) -> None:
        super().__init__()
        self.paths = (mine, best)
        self.captions = (name, "Best found")
        self.shown = max(len(mine), len(best)) - 1

    def body(self) -> ComposeResult:
        with Horizontal():
            for number in range(2):
                with Vertical(classes="map"):
                    yield Static(classes="caption", id=f"caption-{number}")
                    board = HonshuMap(self._view(number), id=f"map-{number}")
                    board.can_focus = False
                    yield board
        yield Static(id="difference")

    def on_mount(self) -> None:
        self.show_title()
        self._show()

    def show_title(self) -> None:
        name = self.captions[0]
        whose = "your map" if name == "You" else f"the map of {name}"
        self.query_one(TitleBar).show(f"Honshu: {whose} and the best one", "", self.services.compiler.status)

    def _view(self, number: int) -> BoardScene:
        path = self.paths[number]
        position = path[min(self.shown, len(path) - 1)]
        return BoardScene(position, path[0], last=position.laid[-1] if position.laid else None)

    def _show(self) -> None:
        for number, name in enumerate(self.captions):
            view = self._view(number)
            self.query_one(f"#map-{number}", HonshuMap).show(view)
            assert isinstance(view.position, HonshuPosition)
            words = f"{name}: {view.position.score.total}"
            self.query_one(f"#caption-{number}", Static).update(words)
        self.query_one("#difference", Static).update(self.words())

    def words(self) -> str:
        mine, best = (path[-1] for path in self.paths)
        at = first_difference(mine, best)
        if at is None:
            return (
                "Both maps are the same."
                if len(mine.laid) == len(best.laid)
                else "The best map has more tiles."
            )
        move = mine.laid[at]
        other = next((laid for laid in best.laid if laid.tile == move.tile), None)
        here, place = (str(laid).partition("@")[2] for laid in (move, other))
        there = f"the best map has it at {place}" if other else "the best map leaves it out"
        return f"They first differ at move {at + 1}: tile {move.tile} is at {here}; {there}."

    def action_step(self, by: int) -> None:
        self.shown = min(max(self.shown + by, 0), max(map(len, self.paths)) - 1)
        self._show()

    def action_first_difference(self) -> None:
        at = first_difference(self.paths[0][-1], self.paths[1][-1])
        if at is not None:
            self.shown = at + 1
            self._show()

"""The match screen of MENACE, and the commands for machines."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from textual.app import App, SystemCommand

from arcade.engines.menace.presets import HER
from arcade.engines.registry import game_names, parse_game_id
from arcade.play.match import HUMAN, new_match
from arcade.screens.base import services_of
from arcade.screens.match import MatchScreen
from arcade.screens.menace.board import TicTacToeBoard
from arcade.screens.menace.open_box import show_boxes, show_laboratory
from arcade.screens.navigation import ChooseMatch


class MenaceScreen(MatchScreen):
    BOARD = TicTacToeBoard
    OFFERS = ("boxes", "laboratory")

    @property
    def story(self) -> Sequence[str]:
        """The story of the match. It describes a machine's open box, so it is empty without a machine."""
        return super().story if any(player.machine for player in self.scene.players) else ()

    @classmethod
    def app_commands(cls, app: App[Any]) -> Iterable[SystemCommand]:
        training = "Train matchbox machines"
        yield SystemCommand("Laboratory", training, partial(show_laboratory, app, "menace"))
        boxes = "Show all boxes of a matchbox machine"
        yield SystemCommand("All boxes", boxes, partial(show_boxes, app, "menace"))
        if HER.game in game_names():
            words = "Play Hexapawn against HER, the machine that learns it"
            yield SystemCommand("Play HER", words, partial(play_her, app))


def play_her(app: App[Any]) -> None:
    start = parse_game_id(HER.game_id)
    match = new_match(start, (HUMAN, "HER"), services_of(app).machines)
    app.post_message(ChooseMatch(start.game, match))

"""Demonstration matches."""

import random
from dataclasses import replace

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.widgets import Static

from arcade.engines.players import RUNGS
from arcade.engines.registry import AnyGame, GameID, random_seed
from arcade.engines.wording import capitalize
from arcade.play.host import Host
from arcade.play.match import min_players, new_match
from arcade.play.scene import Scene
from arcade.play.session import Session
from arcade.screens.base import ArcadeScreen
from arcade.screens.games import screen_class
from arcade.widgets.board import Board
from arcade.widgets.keys import TitleBar

END_SECONDS = 10.0
MATCHES = 5
"""Number of matches of a game before the game changes, because loading another solver takes time."""


class DemonstrationScreen(ArcadeScreen):
    def __init__(self, games: list[AnyGame], seed: int | None = None) -> None:
        super().__init__()
        self.games = games
        self.shown = 0
        self._rng = random.Random(seed)
        self.session = self._session()

    def compose(self) -> ComposeResult:
        yield TitleBar()
        with Container(id="stage"):
            yield self._board_class(self.session.scene.board)
        yield Static("Press any key, or click, to go back to the menu.", id="how")

    def on_mount(self) -> None:
        self._show_title()
        self.call_after_refresh(self.session.do, "pause")

    def on_unmount(self) -> None:
        self.session.stop()

    @property
    def _board_class(self) -> type[Board]:
        return screen_class(self.session.match.game.name).BOARD

    def _session(self) -> Session:
        """Return a session with the next match. Its players search little, to save computing time."""
        game = self.games[self.shown // MATCHES % len(self.games)]
        self.shown += 1
        parameters = game.parameters.parse("")
        seats = self._rng.sample(RUNGS[:2], 2)
        if min_players(game) == 1:
            # The weakest player looks only one move ahead; the others search.
            sizes = [game.parameters.parse(board) for board in game.parameters.boards] or [parameters]
            parameters = min(sizes, key=lambda size: len(game.new(size).moves()))
            seats = [RUNGS[0]]
        seed = random_seed(self._rng)
        start = GameID(game, parameters, None, seed if game.parameters.seeded else None)
        match = new_match(start, seats, seed=seed)
        return Session(match, Host(), self, self._told, judging=False, speed=0)

    def _show_title(self) -> None:
        match = self.session.match
        seats = " against ".join(map(capitalize, match.seats))
        self.query_one(TitleBar).show("Demonstration", f"{match.title}: {seats}")

    def _told(self, scene: Scene) -> None:
        if self.alive:
            self.query_one(Board).show(replace(scene.board, review=False))
            if scene.over:
                self.set_timer(END_SECONDS, self._go_on)

    async def _go_on(self) -> None:
        self.session.stop()
        self.session = self._session()
        stage = self.query_one("#stage")
        await stage.remove_children()
        await stage.mount(self._board_class(self.session.scene.board))
        self._show_title()
        self.session.do("pause")

    def takes(self, event: events.Event) -> bool:
        if isinstance(event, events.Key) and event.key in ("ctrl+q", "ctrl+z"):
            return False
        if not isinstance(event, events.MouseMove | events.MouseDown):
            # Wait for the release of a button, which the menu must not receive.
            self.dismiss(None)
        return True

"""Demonstration matches, which play when nobody touches the menu for a while; any key or click ends them."""

from __future__ import annotations

import random

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.timer import Timer
from textual.widgets import Static

from arcade.engines.game import Kind
from arcade.engines.players import RUNGS
from arcade.engines.registry import AnyGame, GameID, installed_games
from arcade.engines.wording import capital
from arcade.match.match import Match
from arcade.screens.base import ArcadeScreen
from arcade.screens.games import screen_class
from arcade.services import Services
from arcade.session.alone import Alone
from arcade.session.jobs import Event, Moved
from arcade.session.session import Session
from arcade.widgets.board import Board, BoardView
from arcade.widgets.keys import TitleBar

END_SECONDS = 10.0
"""How long the end of a match is shown."""
MATCHES = 5
"""How many matches of a game are shown before another game: loading its solver takes some time."""
KEPT_KEYS = ("ctrl+q", "ctrl+z")
"""Keys that do here what they do everywhere."""


def demonstrated(services: Services) -> list[AnyGame]:
    """The games that can be shown at once, without compiling anything."""
    return [game for game in installed_games() if game.listed and services.warmer.ready(game.name)]


class DemonstrationScreen(ArcadeScreen):
    """Engines play one match after another; nothing is saved."""

    CSS_PATH = "screens.tcss"

    def __init__(self, games: list[AnyGame], seed: int | None = None) -> None:
        super().__init__()
        self.games = games
        self.shown = 0
        """How many matches have been begun."""
        self._rng = random.Random(seed)
        self._next: Timer | None = None
        self.session = self._session()

    def compose(self) -> ComposeResult:
        yield TitleBar()
        with Container(id="stage"):
            yield self._board_class(self._view())
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
        """A session of the next match; only players that think little, so that the machine rests."""
        game = self.games[self.shown // MATCHES % len(self.games)]
        self.shown += 1
        parameters = game.parse_parameters("")
        seats = self._rng.sample(RUNGS[:2], 2)
        if game.kind is Kind.RACE:
            # The weakest only looks at the next tile; the others search.
            sizes = [game.parse_parameters(each.parameters) for each in game.presets] or [parameters]
            parameters = min(sizes, key=lambda each: len(game.new(each).moves()))
            seats = [RUNGS[0]]
        seed = self._rng.randrange(1_000_000)
        start = GameID(game, parameters, None, seed if game.chance else None)
        match = Match(start, seats, seed=seed)
        session = Session(match, Alone(), self, self._told, judging=False)
        session.speed = 0
        return session

    def _view(self) -> BoardView:
        match = self.session.match
        last = match.plies[-1].move if match.plies else None
        return BoardView(match.position, match.first, False, last=last)

    def _show_title(self) -> None:
        match = self.session.match
        size = match.game.parameters_text(match.parameters)
        seats = " against ".join(map(capital, match.seats))
        self.query_one(TitleBar).show("Demonstration", f"{match.game.title} {size}".rstrip() + f": {seats}")

    def _told(self, event: Event) -> None:
        """Show what has happened; after the end, go on with another game."""
        if isinstance(event, Moved) and self.is_mounted:
            self.query_one(Board).show(self._view())
            if self.session.match.finished:
                self._next = self.set_timer(END_SECONDS, self._go_on)

    async def _go_on(self) -> None:
        self.session.stop()
        self.session = self._session()
        stage = self.query_one("#stage")
        await stage.remove_children()
        await stage.mount(self._board_class(self._view()))
        self._show_title()
        self.session.do("pause")

    def redraw(self) -> None:
        self.query_one(Board).redraw()

    def takes(self, event: events.Event) -> bool:
        if isinstance(event, events.Key) and event.key in KEPT_KEYS:
            return False
        if not isinstance(event, events.MouseMove | events.MouseDown):
            # The button goes up before the menu can see it.
            self.dismiss(None)
        return True

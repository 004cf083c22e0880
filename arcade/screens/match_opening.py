"""Open matches. The menu's first paint does not need this module."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from textual.app import App, SystemCommand
from textual.geometry import Size

from arcade.engines.registry import AnyGame, game_names
from arcade.matches import reopened, usual_match, watched_match
from arcade.screens.base import arcade_of, reporting, services_of
from arcade.screens.games import screen_class
from arcade.screens.match import MatchScreen
from arcade.screens.navigation import OpenMatch, OpenSaved
from arcade.screens.preview import Preview
from arcade.store.store import Saved


class MatchOpener:
    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._services = services_of(app)

    def preview(self, game: AnyGame, room: Size) -> Preview:
        return Preview(game, screen_class(game.name).BOARD, room)

    def open_match(self, message: OpenMatch) -> None:
        with reporting(self._app):
            self.show_match(message)

    def show_match(self, message: OpenMatch) -> None:
        match, saved, screen = message.match, message.saved, self._app.screen
        arcade_of(self._app).opened = match.game.name
        match.guests = self._services.machines
        if not isinstance(screen, MatchScreen):
            opened = screen_class(match.game.name)(self._services, match, saved)
            opened.replays = message.watch
            self._app.clear_notifications()
            self._app.push_screen(opened)
        elif saved is not None:
            # A second click on a match in the list.
            return
        elif screen.match.game is match.game:
            screen.session.begin(match)
        else:
            self._services.remember(in_play="")
            self._app.clear_notifications()
            self._app.switch_screen(screen_class(match.game.name)(self._services, match))

    def open_saved(self, message: OpenSaved) -> None:
        self.reopen(message.saved)

    def reopen(self, saved: Saved) -> bool:
        """Open a saved match. If it cannot be replayed, report this and return False."""
        with reporting(self._app):
            self.show_match(OpenMatch(reopened(self._services, saved), (saved.id, saved.revision)))
            return True
        return False

    def open_usual(self, game: AnyGame) -> None:
        with reporting(self._app):
            self.show_match(OpenMatch(usual_match(self._services, game)))

    def open_watched(self, game: AnyGame) -> None:
        with reporting(self._app):
            self.show_match(OpenMatch(watched_match(self._services, game)))

    def game_commands(self) -> Iterable[SystemCommand]:
        for name in game_names():
            yield from screen_class(name).app_commands(self._app)

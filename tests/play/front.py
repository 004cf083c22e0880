"""A front end for tests of sessions: it keeps every scene and notice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from arcade.engines.registry import parse_game_id
from arcade.play.host import Host
from arcade.play.jobs import Notice
from arcade.play.match import HUMAN, Match, new_match
from arcade.play.scene import Scene
from arcade.play.session import Session
from arcade.store.record import Coach
from tests.play.here import Here


class Front:
    def __init__(self, match: Match, services: Any = None, runner: Any = None, **options: Any) -> None:
        self.scenes: list[Scene] = []
        self.notices: list[Notice] = []
        self.runner = runner or Here()
        self.session = Session(
            match, services or Host(), self.runner, self.scenes.append, self.notices.append, **options
        )

    @property
    def said(self) -> list[str]:
        return [notice.text for notice in self.notices]

    def settle(self) -> Front:
        if isinstance(self.runner, Here):
            self.runner.settle()
        else:
            self.runner.settle(lambda: not self.session.busy, 30)
        return self

    def do(self, name: str) -> Front:
        self.session.do(name)
        return self.settle()

    def play(self, *words: str) -> Front:
        for word in words:
            session = self.session
            session.play(session.match.game.parse_move(word, session.branch))
            self.settle()
        return self


def front_of(text: str = "chocobar:3x4", *seats: str, **options: Any) -> Front:
    front = Front(new_match(parse_game_id(text), seats or (HUMAN, "perfect"), seed=1), **options)
    front.session.start()
    return front.settle()


def open_host() -> Host:
    """A host whose coach shows all that is known."""
    host = Host()
    host.settings = replace(host.settings, coach=Coach.OPEN)
    return host

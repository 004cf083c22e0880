"""What makes the tests of screens quick: apps share their style sheets, and draw only when a test looks."""

import asyncio
import time
from typing import Any

import pytest
from textual import _wait, screen
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen

from arcade.app import ArcadeApp
from tests.screens.pilots import app_with

PARSED: dict[tuple[Any, ...], list[RuleSet]] = {}
"""The rules of every style sheet that an app has read in this process."""

parse_rules = Stylesheet._parse_rules
pause = Pilot.pause
resize = Pilot.resize_terminal
draw = Screen._compositor_refresh


def parse_once(self: Stylesheet, *source: Any, **how: Any) -> list[RuleSet]:
    """Parse a style sheet, unless an app has read it with the same colours before."""
    key = (*self._variables.items(), *source, *how.items())
    if key not in PARSED:
        PARSED[key] = parse_rules(self, *source, **how)
    return PARSED[key]


def put_off(self: Screen[Any]) -> None:
    """Do everything but draw; what has changed is kept for the next drawing."""
    if self is self.app.screen:
        self._dirty_widgets.clear()
        self.app._update_mouse_over(self)
    else:
        draw(self)


def rests(node: MessagePump) -> bool:
    """Whether a node waits for its next message, or takes in no more."""
    ready: Any = node._message_queue.ready_event
    return node._closing or (not ready.is_set() and bool(ready._waiters))


async def all_handled(self: Pilot[Any], timeout: float = 30.0) -> bool:
    """Wait until no node of the screen has a message left; Textual sends one more to each to learn that."""
    end = time.monotonic() + timeout
    app, seconds = self.app, 0.0
    while not app._exception_event.is_set() and app._screen_stack:
        if rests(app) and all(rests(node) for node in app.screen.walk_children(with_self=True)):
            return True
        assert time.monotonic() < end, "some node does not come to rest"
        await asyncio.sleep(seconds)
        seconds = min(seconds + 0.0001, 0.005)
    return False


async def look(self: Pilot[Any], delay: float | None = None) -> None:
    """Pause; without a delay, draw what has changed since the last look too."""
    await pause(self, delay)
    if delay is None:
        draw(self.app.screen)


async def resize_fully(self: Pilot[Any], width: int, height: int) -> None:
    """Resize, and wait for the rounds of layout that follow each other."""
    await resize(self, width, height)
    for _ in range(3):
        await pause(self, 0.02)


@pytest.fixture
def drawn() -> None:
    """Draw everything at once, as for a person: for tests of what breaks a screen."""


@pytest.fixture(autouse=True)
def sparing(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Share what apps have parsed, and draw when a test pauses instead of 60 times a second."""
    monkeypatch.setattr(Stylesheet, "_parse_rules", parse_once)
    monkeypatch.setattr(Pilot, "_wait_for_screen", all_handled)
    monkeypatch.setattr(Pilot, "resize_terminal", resize_fully)
    # Screens follow sooner, so a Pilot that waits for them needs to wait less.
    monkeypatch.setattr(screen, "UPDATE_PERIOD", 1 / 240)
    monkeypatch.setattr(_wait, "SLEEP_GRANULARITY", 1 / 200)
    monkeypatch.setattr(_wait, "SLEEP_IDLE", 1 / 1000)
    if "drawn" not in request.fixturenames:
        monkeypatch.setattr(Screen, "_compositor_refresh", put_off)
        monkeypatch.setattr(Pilot, "pause", look)


@pytest.fixture
def app() -> ArcadeApp:
    """An arcade with the menu, in which nothing moves."""
    return app_with()

"""What makes the tests of screens quick: apps share their style sheets, and draw only when a test looks."""

import asyncio
import time
from typing import Any

import pytest
from textual import app as textual_app
from textual import pilot as textual_pilot
from textual import screen
from textual._context import active_app
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen
from textual.worker import WorkerState

from arcade.app import ArcadeApp
from tests.screens.pilots import app_with

PARSED: dict[tuple[Any, ...], list[RuleSet]] = {}
"""The rules of every style sheet that an app has read in this process."""

STANDSTILL = 1 / 200
"""Seconds in which work that goes on uses the processor."""

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


def all_rest(app: App[Any]) -> bool:
    return rests(app) and all(rests(node) for node in app.screen.walk_children(with_self=True))


async def all_handled(self: Pilot[Any], timeout: float = 30.0) -> bool:
    """Wait until no node of the screen has a message left; Textual sends one more to each to learn that."""
    end = time.monotonic() + timeout
    app, seconds = self.app, 0.0
    while not app._exception_event.is_set() and app._screen_stack:
        if all_rest(app):
            return True
        assert time.monotonic() < end, "some node does not come to rest"
        await asyncio.sleep(seconds)
        seconds = min(seconds + 0.0001, 0.005)
    return False


async def idle(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Wait until no message, layout or work of a thread is left, or all are at a standstill.

    Textual sleeps, each time anew, until a sleep takes no processor time.
    """
    app: App[Any] = active_app.get()
    ready: Any = vars(asyncio.get_running_loop())["_ready"]
    end = time.monotonic() + max_sleep
    seconds = used = since = 0.0
    calm = False
    while not app._exception_event.is_set() and app._screen_stack:
        # A message that is handed to the app waits in the loop first.
        if not ready and all_rest(app):
            if app.screen._update_timer._active.is_set():
                # What its timer would do within a period.
                app.screen._on_timer_update()
                await asyncio.sleep(0)
                continue
            if not any(worker.state is WorkerState.RUNNING for worker in app.workers):
                if calm:
                    return
                # Once more after a while, in which a timer or a thread may have had something to say.
                calm = True
                await asyncio.sleep(STANDSTILL)
                continue
        calm = False
        # Only threads, or a node that waits for something else, are left.
        if not ready and time.monotonic() - since > STANDSTILL:
            if time.monotonic() > end or (since and time.process_time() - used < STANDSTILL / 5):
                return
            since, used = time.monotonic(), time.process_time()
        await asyncio.sleep(seconds)
        seconds = min(seconds + 0.0001, 0.005)


async def look(self: Pilot[Any], delay: float | None = None) -> None:
    """Pause; without a delay, draw what has changed since the last look too."""
    await pause(self, delay)
    if delay is None:
        draw(self.app.screen)


async def resize_fully(self: Pilot[Any], width: int, height: int) -> None:
    """Resize, and wait for the rounds of layout that follow each other."""
    await resize(self, width, height)
    for _ in range(3):
        await pause(self)


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
    monkeypatch.setattr(textual_app, "wait_for_idle", idle)
    monkeypatch.setattr(textual_pilot, "wait_for_idle", idle)
    if "drawn" not in request.fixturenames:
        monkeypatch.setattr(Screen, "_compositor_refresh", put_off)
        monkeypatch.setattr(Pilot, "pause", look)


@pytest.fixture
def app() -> ArcadeApp:
    """An arcade with the menu, in which nothing moves."""
    return app_with()

"""What makes the tests of screens quick: apps share their style sheets, and draw only when a test looks."""

import asyncio
import time
import tomllib
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from rich.segment import Segment
from textual import _wait, screen
from textual.cache import FIFOCache
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from arcade.app import ArcadeApp
from arcade.engines.registry import get_game
from tests import oracle
from tests.screens.honshu_fake import InstantRace
from tests.screens.pilots import app_with

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip snapshots with another Textual than theirs, which may draw otherwise."""
    groups = tomllib.loads(PROJECT.read_text("utf-8"))["dependency-groups"]
    if f"textual=={version('textual')}" in groups["snapshots"]:
        return
    for item in items:
        if {"snapshot", "snap_compare"} & {
            *getattr(item, "fixturenames", ())
        } and "screens" in item.path.parts:
            item.add_marker(pytest.mark.skip(f"a snapshot of {groups['snapshots'][0]}"))


PARSED: dict[tuple[Any, ...], list[RuleSet]] = {}
"""The rules of every style sheet that an app has read in this process."""

STRIP_CACHES = {
    "_divide_cache": 4,
    "_crop_cache": 16,
    "_style_cache": 16,
    "_filter_cache": 4,
    "_line_length_cache": 4,
    "_crop_extend_cache": 4,
    "_offsets_cache": 4,
}
"""The caches of a line on the screen, and how much each holds."""

# Rules are told apart by identity, which needs no Python: for each node all are hashed.
setattr(RuleSet, "__hash__", object.__hash__)  # noqa: B010

parse_rules = Stylesheet._parse_rules
pause = Pilot.pause
resize = Pilot.resize_terminal
draw = Screen._compositor_refresh


def parse_once(self: Stylesheet, *source: Any, **how: Any) -> list[RuleSet]:
    """Parse a style sheet, unless an app has read it with the same colours before."""
    key = (*self._variables.items(), *source, *how.items())
    rules = PARSED.get(key)
    if rules is None:
        rules = PARSED[key] = parse_rules(self, *source, **how)
    return rules


def make_strip(self: Strip, segments: Iterable[Segment], cell_length: int | None = None) -> None:
    """Make a line without its seven caches: most lines use none, and they were a quarter of all objects."""
    self._segments = list(segments)
    self._cell_length = cell_length
    self._render_cache = self._link_ids = self._cell_count = None


def make_cache(self: Strip, name: str) -> FIFOCache[Any, Any]:
    """Make a line's cache when it is first asked for."""
    if name not in STRIP_CACHES:
        raise AttributeError(name)
    cache: FIFOCache[Any, Any] = FIFOCache(STRIP_CACHES[name])
    setattr(self, name, cache)
    return cache


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
    """Resize, and wait for the rounds of layout that follow each other, until two change nothing."""
    await resize(self, width, height)
    end, app, same, regions = time.monotonic() + 30.0, self.app, 0, list[object]()
    while same < 2 or app.screen._layout_required or app.screen.size != (width, height):
        assert time.monotonic() < end, "the layout does not come to rest"
        await pause(self)
        before, regions = regions, [node.region for node in app.screen.walk_children(Widget)]
        same = same + 1 if regions == before else 0


@pytest.fixture
def drawn() -> None:
    """Draw everything at once, as for a person: for tests of what breaks a screen."""


@pytest.fixture
def patient() -> None:
    """Let a brute force try all it may: for tests that show values of a board that is not small."""


@pytest.fixture(autouse=True)
def sparing(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Share what apps have parsed, and draw when a test pauses instead of 60 times a second."""
    monkeypatch.setattr(Stylesheet, "_parse_rules", parse_once)
    monkeypatch.setattr(Strip, "__init__", make_strip)
    monkeypatch.setattr(Strip, "__getattr__", make_cache, raising=False)
    monkeypatch.setattr(Pilot, "_wait_for_screen", all_handled)
    monkeypatch.setattr(Pilot, "resize_terminal", resize_fully)
    # On a board that is too large a brute force should give up soon.
    if "patient" not in request.fixturenames:
        monkeypatch.setattr(oracle, "LIMIT", 17_000)
    monkeypatch.setattr(_wait, "SLEEP_GRANULARITY", 1 / 200)
    monkeypatch.setattr(_wait, "SLEEP_IDLE", 1 / 1000)
    if "drawn" not in request.fixturenames:
        # Screens follow sooner, so a Pilot that waits for them needs to wait less.
        monkeypatch.setattr(screen, "UPDATE_PERIOD", 1 / 240)
        monkeypatch.setattr(Screen, "_compositor_refresh", put_off)
        monkeypatch.setattr(Pilot, "pause", look)


@pytest.fixture
def instant_race(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver of Honshu without a kernel, which answers at once."""
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", InstantRace())


@pytest.fixture
def app() -> ArcadeApp:
    """An arcade with the menu, in which nothing moves."""
    return app_with()

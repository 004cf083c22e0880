"""What the screens look like; `pytest tests/screens --snapshot-update` takes new pictures."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from arcade.app import ArcadeApp
from arcade.engines.registry import parse_game_id
from arcade.match.match import Match
from arcade.screens.match import MatchScreen
from tests.screens.pilots import set_up

pytestmark = pytest.mark.usefixtures("instant")

Compare = Callable[..., bool]


def app_of(text: str, *seats: str, **settings: str) -> ArcadeApp:
    app = ArcadeApp(Match(parse_game_id(text), seats or ("human", "perfect")), warm=False)
    set_up(app, **({"animation": "off"} | settings))
    if "theme" in settings:
        app.theme = settings["theme"]
    return app


def keys(*pressed: str) -> Callable[[Pilot[Any]], Any]:
    """Press keys, each after the workers have answered the one before."""

    async def press(pilot: Pilot[Any]) -> None:
        await rest(pilot)
        for key in pressed:
            await pilot.press(key)
            await rest(pilot)

    return press


async def rest(pilot: Pilot[Any]) -> None:
    end = time.monotonic() + 5
    await pilot.pause()
    while (
        isinstance(screen := pilot.app.screen, MatchScreen) and screen.session.busy and time.monotonic() < end
    ):
        await pilot.pause(0.01)
    await pilot.pause()


SIZES = {"80x24": (80, 24), "100x30": (100, 30), "120x40": (120, 40)}


@pytest.mark.parametrize("size", SIZES)
def test_a_match_in_play(snap_compare: Compare, size: str) -> None:
    app = app_of("chocobar:4x5")
    assert snap_compare(
        app, terminal_size=SIZES[size], run_before=keys("right", "right", "right", "down", "enter")
    )


def test_the_overlay(snap_compare: Compare) -> None:
    assert snap_compare(app_of("chocobar:4x5"), terminal_size=(80, 24), run_before=keys("v", "right", "down"))


def test_the_overlay_in_light_colours(snap_compare: Compare) -> None:
    app = app_of("chocobar:4x5", theme="arcade-light")
    assert snap_compare(app, terminal_size=(80, 24), run_before=keys("v", "right", "down"))


def test_plain_characters(snap_compare: Compare) -> None:
    app = app_of("chocobar:4x5", ascii="on")
    assert snap_compare(app, terminal_size=(80, 24), run_before=keys("v", "right", "down"))


def test_the_hint_ladder(snap_compare: Compare) -> None:
    app = app_of("chocobar:4x5")
    assert snap_compare(app, terminal_size=(80, 24), run_before=keys("i", "i", "i"))


def test_the_value_graph_of_a_watched_match(snap_compare: Compare) -> None:
    app = app_of("chocobar:4x5", "perfect", "random")
    steps = ["full_stop"] * 14
    assert snap_compare(app, terminal_size=(80, 24), run_before=keys("g", *steps))


def test_a_new_match(snap_compare: Compare) -> None:
    assert snap_compare(app_of("chocobar:4x5"), terminal_size=(80, 24), run_before=keys("n"))


def test_settings(snap_compare: Compare) -> None:
    async def open_settings(pilot: Pilot[Any]) -> None:
        await rest(pilot)
        await pilot.app.run_action("app.settings")

    assert snap_compare(app_of("chocobar:4x5"), terminal_size=(80, 24), run_before=open_settings)


def test_help(snap_compare: Compare) -> None:
    assert snap_compare(app_of("chocobar:4x5"), terminal_size=(80, 24), run_before=keys("question_mark"))


def test_a_terminal_that_is_too_small(snap_compare: Compare) -> None:
    assert snap_compare(app_of("chocobar:4x5"), terminal_size=(50, 15), run_before=keys())

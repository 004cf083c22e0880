"""What the screens look like; `pytest tests/screens --snapshot-update` takes new pictures."""

from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from arcade.app import ArcadeApp
from arcade.engines.registry import parse_game_id
from arcade.play.match import new_match
from tests.screens.pilots import app_with, keys, rested

pytestmark = pytest.mark.usefixtures("instant")

Compare = Callable[..., bool]


def app_of(text: str, *seats: str, **settings: str) -> ArcadeApp:
    return app_with(new_match(parse_game_id(text), seats or ("human", "perfect")), **settings)


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
    assert snap_compare(app, terminal_size=(80, 24), run_before=keys("command:graph", *steps))


def test_a_new_match(snap_compare: Compare) -> None:
    assert snap_compare(app_of("chocobar:4x5"), terminal_size=(80, 24), run_before=keys("n"))


def test_settings(snap_compare: Compare) -> None:
    async def open_settings(pilot: Pilot[Any]) -> None:
        await rested(pilot)
        await pilot.app.run_action("app.settings")

    assert snap_compare(app_of("chocobar:4x5"), terminal_size=(80, 24), run_before=open_settings)


def test_help(snap_compare: Compare) -> None:
    assert snap_compare(app_of("chocobar:4x5"), terminal_size=(80, 24), run_before=keys("question_mark"))


def test_a_terminal_that_is_too_small(snap_compare: Compare) -> None:
    assert snap_compare(app_of("chocobar:4x5"), terminal_size=(50, 15), run_before=keys())

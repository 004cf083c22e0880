"""What the screens look like; `pytest tests/screens --snapshot-update` takes new pictures."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pytest_textual_snapshot import SVGImageExtension  # type: ignore[import-untyped]  # it has no types
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from tests.screens.pilots import app_of, at_rest, back_to_menu, keys, match_of, play_next, resized, settled

pytestmark = pytest.mark.usefixtures("instant")

Compare = Callable[..., bool]
Pictures = Callable[[str, Pilot[Any]], Awaitable[None]]


@pytest.fixture
def compare(snapshot: SnapshotAssertion) -> Pictures:
    """Compare the screen with the picture of a name."""
    pictures = snapshot.use_extension(SVGImageExtension)

    async def compared(name: str, pilot: Pilot[Any]) -> None:
        await pilot.pause()
        assert pilot.app.export_screenshot(simplify=True) == pictures(name=name)

    return compared


async def test_match_screens_match_their_pictures(compare: Pictures) -> None:
    async with at_rest(app_of("chocobar:4x5", "human", "perfect")) as (app, pilot):
        await keys("up", "up", "left", "enter")(pilot)
        await compare("in play, 80x24", pilot)
        for width, height in ((100, 30), (120, 40)):
            await resized(pilot, width, height)
            await compare(f"in play, {width}x{height}", pilot)
        await resized(pilot, 80, 24)

        await play_next(pilot, match_of("chocobar:4x5", "human", "perfect"))
        await keys("v", "up", "left")(pilot)
        await compare("overlay", pilot)
        app.theme = "arcade-light"
        await compare("overlay in light colours", pilot)
        app.theme = "arcade-dark"
        app.change("ascii", "on")
        await compare("overlay in plain characters", pilot)
        app.change("ascii", "off")

        await play_next(pilot, match_of("chocobar:4x5", "human", "perfect"))
        await keys("i", "i", "i")(pilot)
        await compare("hint ladder", pilot)

        await play_next(pilot, match_of("chocobar:4x5", "perfect", "random"))
        await keys("command:graph", *["full_stop"] * 14)(pilot)
        await compare("value graph of a watched match", pilot)


async def test_narrow_screens_match_their_pictures(compare: Pictures) -> None:
    async with at_rest(app_of("tetromino:4x5,IOT-LSO"), (40, 24)) as (app, pilot):
        await compare("match of Tetromino, 40x24", pilot)
        # Before the first move, as the menu shows the time of the last matches.
        await back_to_menu(pilot)
        await settled(pilot, lambda: len(app.screen.query("Card Board")) == 5)
        # The menu scrolls to the card of the game, once its boards have their sizes.
        await pilot.press("down", "up")
        await compare("menu, 40x24", pilot)
        await play_next(pilot, match_of("honshu:5x2#1"))
        await compare("match of Honshu, 40x24", pilot)
        await play_next(pilot, match_of("chocobar:2x2"))
        await keys("right", "down", "enter", "left", "enter", "up", "right", "enter")(pilot)
        await compare("end of a match, 40x24", pilot)


async def test_dialogs_over_a_match_match_their_pictures(compare: Pictures) -> None:
    async with at_rest(app_of("chocobar:4x5", "human", "perfect"), (50, 15)) as (app, pilot):
        await compare("terminal that is too small", pilot)
        await resized(pilot, 80, 24)
        for name, key in (("help", "question_mark"), ("new match", "n")):
            await keys(key)(pilot)
            await compare(name, pilot)
            await keys("escape")(pilot)
        await app.run_action("app.settings")
        await compare("settings", pilot)

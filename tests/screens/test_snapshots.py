"""What the screens look like; `pytest tests/screens --snapshot-update` takes new pictures."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from pytest_textual_snapshot import SVGImageExtension  # type: ignore[import-untyped]  # it has no types
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from tests.screens.pilots import app_of, at_rest, keys, match_of, play_next, resized

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


async def test_pictures_of_a_match(compare: Pictures) -> None:
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


async def test_pictures_of_dialogs_over_a_match(compare: Pictures) -> None:
    async with at_rest(app_of("chocobar:4x5", "human", "perfect"), (50, 15)) as (app, pilot):
        await compare("terminal that is too small", pilot)
        await resized(pilot, 80, 24)
        for name, key in (("help", "question_mark"), ("new match", "n")):
            await keys(key)(pilot)
            await compare(name, pilot)
            await keys("escape")(pilot)
        await app.run_action("app.settings")
        await compare("settings", pilot)

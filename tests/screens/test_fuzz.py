"""A short run of the fuzzer over every screen; `python -m tools.fuzz` makes a long one."""

from __future__ import annotations

import pytest

from arcade.app import ArcadeApp
from arcade.engines.registry import game_names, parse_game_id
from arcade.match import Match
from tests.engines.test_conformance import SMALL
from tests.screens.fuzz import fuzz

EVENTS = 40

pytestmark = pytest.mark.usefixtures("instant")


@pytest.mark.parametrize("name", [name for name in game_names() if name in SMALL])
async def test_nothing_breaks_a_match(name: str) -> None:
    def make() -> ArcadeApp:
        app = ArcadeApp(Match(parse_game_id(SMALL[name][0])), warm=False)
        app.settings["animation"] = "off"
        return app

    await fuzz(make, 1, EVENTS)


async def test_nothing_breaks_the_menu() -> None:
    await fuzz(lambda: ArcadeApp(warm=False), 2, EVENTS)

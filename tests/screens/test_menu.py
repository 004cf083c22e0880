"""The menu: its cards and the matches played last."""

from __future__ import annotations

import pytest
from textual.geometry import Size
from textual.widgets import OptionList

from arcade.app import ArcadeApp
from arcade.engines.registry import parse_game_id
from arcade.match import Match
from arcade.screens.match import MatchScreen
from arcade.screens.menu import MenuScreen
from arcade.widgets.chocobar_board import ChocobarBoard

pytestmark = pytest.mark.usefixtures("instant")


def app_of() -> ArcadeApp:
    app = ArcadeApp(warm=False)
    app.settings["animation"] = "off"
    return app


def offered(app: ArcadeApp) -> set[str]:
    """What the footer offers."""
    return {each.binding.description for each in app.screen.active_bindings.values() if each.enabled}


@pytest.mark.parametrize(("size", "shape"), [((80, 24), (5, 6)), ((100, 30), (8, 10)), ((160, 50), (8, 10))])
async def test_a_card_shows_the_whole_of_a_bar(size: tuple[int, int], shape: tuple[int, int]) -> None:
    app = app_of()
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.pause()
        board = app.screen.query_one(ChocobarBoard)
        assert board.shape == shape
        assert board.fit(Size(*board.size)) is not None


async def test_continuing_is_offered_where_there_is_a_match_to_continue() -> None:
    app = app_of()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, MenuScreen)
        assert "Continue" not in offered(app)
        await pilot.press("c")
        assert isinstance(app.screen, MenuScreen)
        match = Match(parse_game_id("chocobar:3x4"), ("human", "human"))
        match.play(match.game.parse_move("2,2", match.position))
        app.save_match(match, None)
        app.screen.refresh_recent()
        await pilot.pause()
        assert "Continue" in offered(app)
        await pilot.press("c")
        await pilot.pause()
        assert isinstance(app.screen, MatchScreen)
        assert app.screen.match.position == match.position


async def test_a_match_of_the_list_is_opened_by_keys_and_by_a_click() -> None:
    app = app_of()
    match = Match(parse_game_id("chocobar:3x4"), ("human", "human"))
    match.play(match.game.parse_move("2,2", match.position))
    app.save_match(match, None)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        listed = app.screen.query_one("#recent", OptionList)
        for _ in range(5):
            await pilot.press("right")
        assert app.focused is listed
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, MatchScreen)
        await pilot.press("q")
        await pilot.pause()
        await pilot.click("#recent", offset=(3, 1))
        await pilot.pause()
        assert isinstance(app.screen, MatchScreen)

"""The menu: its cards and the matches played last."""

from __future__ import annotations

import time

import pytest
from textual.geometry import Size
from textual.widgets import OptionList

from arcade.app import ArcadeApp
from arcade.engines.registry import parse_game_id
from arcade.match import Match
from arcade.screens.match import MatchScreen
from arcade.screens.menu import MenuScreen
from arcade.store import Saved
from arcade.widgets.chocobar_board import ChocobarBoard
from arcade.widgets.recent import RecentMatches, against, what

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


@pytest.mark.parametrize(
    ("size", "lines"),
    [
        ((80, 24), ["Chocobar 3x4, ply 1", " Random, 21:14", "Chocobar 3x4, ply 1", " Fallible 7, 21:14"]),
        ((160, 50), ["Chocobar 3x4, ply 1   Random, 21:14", "Chocobar 3x4, ply 1   Fallible 7, 21:14"]),
    ],
)
async def test_matches_of_one_size_are_told_apart(
    size: tuple[int, int], lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = app_of()
    clock = time.mktime((2026, 3, 4, 21, 14, 0, 0, 0, -1))
    monkeypatch.setattr(time, "time", lambda: clock)
    for opponent in ("fallible:7", "random"):
        match = Match(parse_game_id("chocobar:3x4"), ("human", opponent))
        match.play(match.game.parse_move("2,2", match.position))
        app.save_match(match, None)
        clock += 1
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        listed = app.screen.query_one(RecentMatches)
        room = listed.scrollable_content_region.size
        shown = [listed.render_line(y).text for y in range(len(lines))]
        assert [" ".join(each.split()) for each in shown] == [" ".join(each.split()) for each in lines]
        assert all(len(each) <= room.width for each in shown)
        assert size == (80, 24) or len({each.rindex(",") for each in shown}) == 1


def test_what_a_list_says_of_a_match() -> None:
    def said(seats: list[str], result: str | None, days: int, game: str = "menace") -> tuple[str, str]:
        then = time.mktime((2026, 3, 4, 21, 14, 0, 0, 0, -1))
        record = {"start": game, "played": 3, "moves": ["A", "B", "C"], "seats": seats}
        saved = Saved(1, 1, game.partition(":")[0], record, result, then)
        return what(saved), against(saved, time.mktime((2026, 3, 4 + days, 22, 0, 0, 0, 0, -1)))

    assert said(["machine:Ada", "human"], "loss", 0) == ("MENACE, won", "Machine Ada, 21:14")
    assert said(["human", "perfect"], "tie", 1) == ("MENACE, tie", "Perfect, 04 Mar")
    assert said(["human", "human"], None, 400) == ("MENACE, ply 3", "Two persons, 2026-03-04")
    assert said(["human"], None, 0) == ("MENACE, ply 3", "Alone, 21:14")
    assert said(["random", "perfect"], "loss", 0) == ("MENACE, 3 plies", "Random - Perfect, 21:14")
    assert said(["human"], None, 0, "gone:3x3") == ("Gone 3x3, ply 3", "Alone, 21:14")

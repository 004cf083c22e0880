import itertools
import random
import time
from pathlib import Path
from typing import Any

import pytest
from textual.color import Color
from textual.css.stylesheet import Stylesheet
from textual.geometry import Size
from textual.widgets import OptionList

from arcade.app import ArcadeApp
from arcade.engines.registry import game_names, parse_game_id
from arcade.engines.verdict import Value
from arcade.engines.wording import counted
from arcade.play.match import new_match
from arcade.screens.dialogs import HelpScreen, NewMatchDialog
from arcade.screens.match import MatchScreen
from arcade.screens.menu import Card, MenuScreen, RecentMatches
from arcade.screens.navigation import OpenMatch
from arcade.store.file import FILE_NAME
from arcade.store.queries import MatchSummary
from arcade.store.record import MatchRecord
from arcade.widgets.board import GridBoard
from arcade.widgets.chocobar_board import ChocobarBoard
from arcade.widgets.keys import KeyFooter, TitleBar
from tests.narrow import expect
from tests.screens.pilots import (
    app_with,
    at_rest,
    clicked,
    painted,
    pressed,
    reached,
    resized,
    rested,
    running,
    said,
    set_up,
    settled,
)
from tests.store.test_store import flipped, many_matches, raw_rows, wrong_values

pytestmark = pytest.mark.usefixtures("instant")


def offered(app: ArcadeApp) -> set[str]:
    return {each.binding.description for each in app.screen.active_bindings.values() if each.enabled}


@pytest.mark.parametrize(("size", "shape"), [((80, 24), (5, 6)), ((100, 30), (8, 10)), ((160, 50), (8, 10))])
async def test_a_card_shows_the_whole_of_a_bar(size: tuple[int, int], shape: tuple[int, int]) -> None:
    app = app_with()
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.pause()
        board = app.screen.query_one(ChocobarBoard)
        assert board.shape == shape
        assert board.fit(Size(*board.size)) is not None


async def test_continuing_is_offered_where_there_is_a_match_to_continue() -> None:
    async with running(app_with()) as (app, pilot):
        await pilot.pause()
        assert isinstance(app.screen, MenuScreen)
        assert "Continue" not in offered(app)
        await reached(pilot, MenuScreen, "p")
        match = new_match(parse_game_id("chocobar:3x4"), ("human", "human"))
        match.play(match.game.parse_move("2,2", match.position))
        app.services.save_match(match, None)
        app.screen.refresh_recent()
        await pilot.pause()
        assert "Continue" in offered(app)
        await pressed(pilot, "p")
        assert expect(MatchScreen, app.screen).match.position == match.position


async def test_a_match_of_the_list_is_opened_by_keys_and_by_a_click() -> None:
    app = app_with()
    match = new_match(parse_game_id("chocobar:3x4"), ("human", "human"))
    match.play(match.game.parse_move("2,2", match.position))
    app.services.save_match(match, None)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        listed = app.screen.query_one("#recent", OptionList)
        for _ in range(5):
            await pilot.press("right")
        assert app.focused is listed
        await pilot.press("up")
        assert app.focused is app.screen.query_one("#card-tetromino")
        await pilot.press("down")
        await reached(pilot, MatchScreen, "enter")
        await pressed(pilot, "q")
        await clicked(pilot, "#recent", offset=(3, 1))
        assert isinstance(app.screen, MatchScreen)


@pytest.mark.parametrize(
    ("size", "lines"),
    [
        ((80, 24), ["Chocobar 3x4, move 1", " Random, 21:14", "Chocobar 3x4, move 1", " Fallible 7, 21:14"]),
        ((160, 50), ["Chocobar 3x4, move 1   Random, 21:14", "Chocobar 3x4, move 1   Fallible 7, 21:14"]),
    ],
)
async def test_matches_of_one_size_are_told_apart(
    size: tuple[int, int], lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = app_with()
    clock = time.mktime((2026, 3, 4, 21, 14, 0, 0, 0, -1))
    monkeypatch.setattr(time, "time", lambda: clock)
    for opponent in ("fallible:7", "random"):
        match = new_match(parse_game_id("chocobar:3x4"), ("human", opponent))
        match.play(match.game.parse_move("2,2", match.position))
        app.services.save_match(match, None)
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
    def said(
        seats: tuple[str, ...], result: Value | None, days: int, game: str = "menace"
    ) -> tuple[str, str]:
        then = time.mktime((2026, 3, 4, 21, 14, 0, 0, 0, -1))
        record = MatchRecord(
            game=game.partition(":")[0],
            start=game,
            seats=seats,
            moves=("A", "B", "C"),
            marks=("", "", ""),
            played=3,
            hints=(0, 0),
            resigned=None,
            result=result,
        )
        line = MatchSummary.of(1, record, then)
        now = time.mktime((2026, 3, 4 + days, 22, 0, 0, 0, 0, -1))
        return line.headline, f"{line.opponents}, {line.saved_when(now)}"

    assert said(("machine:Ada", "human"), Value.LOSS, 0) == ("MENACE, won", "Machine Ada, 21:14")
    assert said(("human", "perfect"), Value.TIE, 1) == ("MENACE, tie", "Perfect, 04 Mar")
    assert said(("human", "human"), None, 400) == ("MENACE, move 3", "Two people, 2026-03-04")
    assert said(("human",), None, 0) == ("MENACE, move 3", "Alone, 21:14")
    assert said(("random", "perfect"), Value.LOSS, 0) == ("MENACE, 3 moves", "Random - Perfect, 21:14")
    assert said(("human",), None, 0, "gone:3x3") == ("Gone 3x3, move 3", "Alone, 21:14")


async def test_damaged_matches_are_said_once_and_kept(data_folder: Path) -> None:
    rows = wrong_values(data_folder)
    async with running(app_with()) as (app, pilot):
        await pilot.pause()
        assert isinstance(app.screen, MenuScreen)
        assert len(app.screen.saved) == 1
        await pilot.press("S")
        await reached(pilot, MenuScreen, "escape")
        app.screen.refresh_recent()
        await pilot.pause()
        (note,) = app._notifications
        assert note.message == (
            f"{len(rows) - 1} saved matches are damaged and cannot be read. The file keeps them."
        )
        app.screen.query_one("#recent").focus()
        await reached(pilot, MatchScreen, "enter")
    # Opening the good match has written it again.
    changed = [id for id, each in raw_rows(data_folder / FILE_NAME).items() if rows[id] != each]
    assert changed == [min(rows)]


@pytest.mark.parametrize("seed", range(4))
async def test_flipped_bytes_never_end_the_menu(seed: int, tmp_path: Path, data_folder: Path) -> None:
    harmed = flipped(many_matches(tmp_path / "good"), random.Random(seed))
    data_folder.mkdir()
    (data_folder / FILE_NAME).write_bytes(harmed)
    async with running(app_with()) as (app, pilot):
        await pilot.pause()
        if isinstance(app.screen, MatchScreen):
            await pressed(pilot, "q")
        assert isinstance(app.screen, MenuScreen)
        app.screen.query_one("#recent").focus()
        await pressed(pilot, "enter")
        if isinstance(app.screen, MatchScreen):
            await pressed(pilot, "q")
        assert isinstance(app.screen, MenuScreen)


@pytest.mark.usefixtures("drawn")
async def test_a_menu_under_a_match_paints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.screens.menu.STEP_SECONDS", 0.01)
    monkeypatch.setattr("arcade.screens.menu.LITTLE_PLIES", 10_000)
    app = app_with()
    set_up(app, calm="off")
    step, display = Card._step, app._display
    painted = 0
    steps: list[int] = []
    """How much had been painted at each step of the hidden card."""

    def counted_step(card: Card) -> None:
        step(card)
        steps.append(painted)

    def counted_display(*arguments: Any) -> None:
        nonlocal painted
        painted += 1
        display(*arguments)

    monkeypatch.setattr(Card, "_step", counted_step)
    monkeypatch.setattr(app, "_display", counted_display)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot, lambda: len(app.screen.query("Card Board")) == 5)
        app.open_match(OpenMatch(new_match(parse_game_id("chocobar:3x4"), ("human", "human"))))
        await rested(pilot, lambda: isinstance(app.screen, MatchScreen))
        steps.clear()
        await settled(pilot, lambda: len(steps) > 10 and steps[-1] == steps[-10])


async def test_styles_are_read_again_only_when_the_colours_change(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    reparse = Stylesheet.reparse

    def noted(self: Stylesheet) -> None:
        read.append(app.theme)
        reparse(self)

    monkeypatch.setattr(Stylesheet, "reparse", noted)
    app = app_with()
    async with running(app) as (_, pilot):
        assert not read
        app.theme = "nord"
        await settled(pilot, lambda: read)
        assert read == ["nord"]
        assert app.screen.styles.background == Color.parse(app.theme_variables["background"])


async def test_the_pictures_stand_at_one_height() -> None:
    async with running(app_with()) as (app, pilot):
        await settled(pilot, lambda: len(app.screen.query("Card Board")) == 5)
        for row in (("chocobar", "hexapawn", "tetromino"), ("honshu", "menace")):
            boards = [app.screen.query_one(f"#card-{name} Board") for name in row]
            assert len({(each.region.y, each.region.height) for each in boards}) == 1


async def test_a_card_that_becomes_narrow_has_no_stars() -> None:
    async with at_rest(app_with(), size=(100, 30)) as (app, pilot):
        card = app.screen.query_one("#card-chocobar", Card)
        assert str(card.border_title) != "Chocobar"
        await resized(pilot, 70, 24)
        await settled(pilot, lambda: str(card.border_title) == "Chocobar")


async def test_her_stands_on_the_menu() -> None:
    async with running(app_with()) as (app, pilot):
        await pressed(pilot, "H", until=lambda: isinstance(app.screen, NewMatchDialog))
        await pressed(pilot, "enter", until=lambda: isinstance(app.screen, MatchScreen))
        assert isinstance(app.screen, MatchScreen)
        assert app.screen.match.seats == ["human", "HER"]
        assert app.screen.match.start.parameters["rows"] == 3


async def test_what_cannot_be_played_offers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [*game_names(), "absent"]
    monkeypatch.setattr("arcade.screens.menu.game_names", lambda: names)
    async with at_rest(app_with()) as (app, pilot):
        assert {"New", "Puzzles", "Learn"} <= offered(app)
        app.screen.query_one("#card-absent", Card).focus()
        await pilot.pause()
        assert not {"New", "Puzzles", "Learn"} & offered(app)
        await pressed(pilot, "enter")
        assert said(app)


async def test_a_key_in_the_footer_is_pressed_by_a_click() -> None:
    async with running(app_with()) as (app, pilot):
        await pilot.pause()
        footer = app.screen.query_one(KeyFooter)
        column, entry = next(each for each in footer.fitting if each[1].description == "Help")
        await pilot.hover(footer, offset=(column, 0))
        assert footer.pointed == entry.key
        # Between two keys there is nothing to press.
        await pilot.hover(footer, offset=(column + entry.width, 0))
        assert not footer.pointed
        await pilot.click(footer, offset=(column + entry.width, 0))
        assert isinstance(app.screen, MenuScreen)
        await pilot.click(footer, offset=(column + entry.width - 1, 0))
        await settled(pilot, lambda: isinstance(app.screen, HelpScreen))


async def test_a_narrow_footer_shows_whole_keys_only() -> None:
    async with running(app_with()) as (app, pilot):
        await pilot.pause()
        footer = app.screen.query_one(KeyFooter)
        for columns in range(60, 0, -7):
            await pilot.resize_terminal(columns, 24)
            while footer.size.width != columns:
                await pilot.pause()
            words = [f"{each.shown} {each.description}" for _, each in footer.fitting]
            assert str(footer.render()) == " ".join(words)
            assert len(str(footer.render())) <= columns


async def test_a_card_that_is_painted_before_its_layout_says_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # As on a slow machine, where the paint comes before the board has heard of its size.
    monkeypatch.setattr(GridBoard, "on_resize", lambda self: None)
    async with running(app_with(), size=(100, 30)) as (app, pilot):
        await settled(pilot, lambda: len(app.screen.query("GridBoard")) == 5)
        assert "Hexapawn" in painted(app)
        assert "needs" not in painted(app)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
@pytest.mark.parametrize("more", [1, 2, 3])
async def test_more_games_do_not_push_out_the_last_matches(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], more: int
) -> None:
    names = [*game_names(), *(f"game{number}" for number in range(more))]
    monkeypatch.setattr("arcade.screens.menu.game_names", lambda: names)
    async with running(app_with(), size=size) as (app, pilot):
        await settled(pilot, lambda: len(app.screen.query(Card)) == 5 + more)
        assert counted(5 + more, "game") in str(app.screen.query_one(TitleBar).render())
        places = [*app.screen.query(Card), app.screen.query_one(RecentMatches)]
        regions = [place.region for place in places]
        assert all(region.width > 10 and region.height > 5 for region in regions)
        assert all(app.screen.region.contains_region(region) for region in regions)
        assert not any(one.overlaps(other) for one, other in itertools.combinations(regions, 2))
        places[0].focus()
        await pressed(pilot, "down")
        assert app.focused is next(
            place for place in places if place.region.x == regions[0].x and place.region.y > regions[0].y
        )

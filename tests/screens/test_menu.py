import itertools
import random
import shutil
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.color import Color
from textual.content import Content
from textual.css.stylesheet import Stylesheet
from textual.geometry import Offset, Size
from textual.widgets import OptionList

from arcade.app import ArcadeApp
from arcade.engines.registry import ORDER, game_names, parse_game_id
from arcade.engines.verdict import Value
from arcade.engines.wording import spelled_quantity
from arcade.play.match import HUMAN, new_match
from arcade.screens.chocobar import ChocobarBoard
from arcade.screens.dialogs import HelpScreen, NewMatchDialog
from arcade.screens.match import MatchScreen
from arcade.screens.menu import Card, MenuScreen, RecentMatches
from arcade.screens.navigation import OpenMatch
from arcade.store.file import FILE_NAME
from arcade.store.queries import MatchSummary
from arcade.store.record import MatchRecord
from arcade.widgets.board import GridBoard
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
from tests.screens.starts import hand, key_event
from tests.store.test_store import flipped, many_matches, raw_rows, wrong_values

pytestmark = pytest.mark.usefixtures("instant", "instant_race")


def offered(app: ArcadeApp) -> set[str]:
    return {each.binding.description for each in app.screen.active_bindings.values() if each.enabled}


async def test_cards_show_whole_boards_and_adapt_to_the_width() -> None:
    for size, shape in (((80, 24), (5, 6)), ((100, 30), (8, 10)), ((160, 50), (8, 10))):
        async with at_rest(app_with(), size=size) as (app, pilot):
            await settled(pilot, partial(has_pictures, app, 5))
            board = app.screen.query_one(ChocobarBoard)
            assert board.shape == shape, size
            assert board.fit(Size(*board.size)) is not None, size
            # The pictures stand at one height.
            for row in (("chocobar", "hexapawn", "tetromino"), ("honshu", "menace")):
                boards = [app.screen.query_one(f"#card-{name} Board") for name in row]
                assert len({(each.region.y, each.region.height) for each in boards}) == 1, size

            if size == (100, 30):
                # A card that becomes narrow has no stars, and one word in its upper edge.
                card = app.screen.query_one("#card-chocobar", Card)
                assert str(card.border_title) != "Chocobar"
                await resized(pilot, 70, 24)
                await settled(pilot, partial(is_titled, card, "Chocobar Watch"))

                # A narrow footer shows whole keys only.
                footer = app.screen.query_one(KeyFooter)
                for columns in range(60, 0, -7):
                    await resized(pilot, columns, 24)
                    assert footer.size.width == columns
                    words = [f"{each.shown} {each.description}" for _, each in footer.fitting]
                    lines = str(footer.render()).splitlines()
                    assert " ".join(filter(None, lines)) == " ".join(words)
                    assert all(len(line) <= columns for line in lines)


def has_pictures(app: ArcadeApp, count: int) -> bool:
    return len(app.screen.query("Card Board")) == count


def is_titled(card: Card, title: str) -> bool:
    return Content.from_markup(card.border_title or "").plain == title


async def test_matches_start_continue_and_open_from_the_menu(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []
    reparse = Stylesheet.reparse

    def noted(self: Stylesheet) -> None:
        read.append(app.theme)
        reparse(self)

    monkeypatch.setattr(Stylesheet, "reparse", noted)
    app = app_with()
    async with running(app) as (_, pilot):
        await pilot.pause()
        menu = expect(MenuScreen, app.screen)

        # Styles are read again only when the colours change.
        assert not read
        app.theme = "nord"
        await settled(pilot, lambda: read)
        assert read == ["nord"]
        assert menu.styles.background == Color.parse(app.theme_variables["background"])

        # Continuing is offered where there is a match to continue.
        assert "Continue" not in offered(app)
        await reached(pilot, MenuScreen, "p")
        match = new_match(parse_game_id("chocobar:3x4"), ("human", "human"))
        match.play(match.game.parse_move("2,2", match.position))
        app.services.save_match(match, None)
        menu.refresh_recent()
        await pilot.pause()
        assert "Continue" in offered(app)
        await pressed(pilot, "p")
        assert expect(MatchScreen, app.screen).match.position == match.position
        await reached(pilot, MenuScreen, "q")

        # A match of the list is opened by keys and by a click.
        menu.query(Card).first().focus()
        listed = menu.query_one("#recent", OptionList)
        for _ in range(5):
            await pilot.press("right")
        assert app.focused is listed
        await pilot.press("up")
        assert app.focused is menu.query_one("#card-tetromino")
        await pilot.press("down")
        await reached(pilot, MatchScreen, "enter")
        await pressed(pilot, "q")
        await clicked(pilot, "#recent", offset=(3, 1))
        assert isinstance(app.screen, MatchScreen)
        await reached(pilot, MenuScreen, "q")

        # A game's screens may offer commands everywhere; the cursor is then on that game's card.
        menu.query(Card).first().focus()
        commands = app.get_system_commands(app.screen_stack[-1])
        next(command.callback for command in commands if command.title == "Play HER")()
        await reached(pilot, NewMatchDialog)
        screen = await reached(pilot, MatchScreen, "enter")
        assert screen.match.seats == ["human", "HER"]
        assert screen.match.start.parameters["rows"] == 3
        await reached(pilot, MenuScreen, "q")
        assert app.focused is menu.query_one("#card-hexapawn")

        # A key in the footer is pressed by a click.
        footer = menu.query_one(KeyFooter)
        place, entry = next(each for each in footer.fitting if each[1].description == "Help")
        await pilot.hover(footer, offset=place)
        assert footer.pointed == entry.key
        # Between two keys there is nothing to press.
        await pilot.hover(footer, offset=place + Offset(entry.width))
        assert not footer.pointed
        await pilot.click(footer, offset=place + Offset(entry.width))
        assert isinstance(app.screen, MenuScreen)
        await pilot.click(footer, offset=place + Offset(entry.width - 1))
        await reached(pilot, HelpScreen)
        await reached(pilot, MenuScreen, "escape")


async def test_recent_matches_of_one_size_are_distinguishable(monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_with()
    clock = time.mktime((2026, 3, 4, 21, 14, 0, 0, 0, -1))
    monkeypatch.setattr(time, "time", lambda: clock)
    for opponent in ("fallible:7", "random"):
        match = new_match(parse_game_id("chocobar:3x4"), ("human", opponent))
        match.play(match.game.parse_move("2,2", match.position))
        app.services.save_match(match, None)
        clock += 1
    narrow = ["Chocobar 3x4, move 1", " Random, 21:14", "Chocobar 3x4, move 1", " Fallible 7, 21:14"]
    wide = ["Chocobar 3x4, move 1   Random, 21:14", "Chocobar 3x4, move 1   Fallible 7, 21:14"]
    async with at_rest(app) as (_, pilot):
        for size, lines in (((80, 24), narrow), ((160, 50), wide)):
            await resized(pilot, *size)
            listed = app.screen.query_one(RecentMatches)
            room = listed.scrollable_content_region.size
            shown = [listed.render_line(y).text for y in range(len(lines))]
            assert [" ".join(each.split()) for each in shown] == [" ".join(each.split()) for each in lines]
            assert all(len(each) <= room.width for each in shown)
            assert size == (80, 24) or len({each.rindex(",") for each in shown}) == 1


@pytest.mark.slow
async def test_flipped_bytes_in_data_file_never_crash_the_menu(tmp_path: Path, data_folder: Path) -> None:
    good = many_matches(tmp_path / "good")
    for seed in range(4):
        shutil.rmtree(data_folder, ignore_errors=True)
        data_folder.mkdir()
        (data_folder / FILE_NAME).write_bytes(flipped(good, random.Random(seed)))
        async with running(app_with()) as (app, pilot):
            await pilot.pause()
            if isinstance(app.screen, MatchScreen):
                await pressed(pilot, "q")
            assert isinstance(app.screen, MenuScreen), seed
            app.screen.query_one("#recent").focus()
            await pressed(pilot, "enter")
            if isinstance(app.screen, MatchScreen):
                await pressed(pilot, "q")
            assert isinstance(app.screen, MenuScreen), seed


@pytest.mark.slow
async def test_additional_games_fit_and_need_installation_to_be_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = game_names()
    for more in (1, 2, 3):
        names = [*own, *(f"game{number}" for number in range(more))]
        monkeypatch.setattr("arcade.screens.menu.game_names", partial(list, names))
        async with at_rest(app_with()) as (app, pilot):
            assert len(app.screen.query(Card)) == 5 + more
            assert spelled_quantity(5 + more, "game") in str(app.screen.query_one(TitleBar).render())
            places = [*app.screen.query(Card), app.screen.query_one(RecentMatches)]
            for size in ((60, 20), (80, 24), (120, 40)):
                await resized(pilot, *size)
                regions = [place.region for place in places]
                assert all(region.width > 10 and region.height > 5 for region in regions), (more, size)
                assert all(app.screen.region.contains_region(region) for region in regions), (more, size)
                pairs = itertools.combinations(regions, 2)
                assert not any(one.overlaps(other) for one, other in pairs), (more, size)
                places[0].focus()
                await pressed(pilot, "down")
                under = [
                    place
                    for place in places
                    if place.region.x == regions[0].x and place.region.y > regions[0].y
                ]
                assert app.focused is under[0], (more, size)

            # What cannot be played offers nothing.
            places[0].focus()
            await pilot.pause()
            assert {"New", "Puzzles", "Learn"} <= offered(app)
            app.screen.query_one("#card-game0", Card).focus()
            await pilot.pause()
            assert not {"New", "Puzzles", "Learn"} & offered(app)
            await pressed(pilot, "enter")
            assert said(app)


def test_recent_matches_are_labelled_with_result_opponent_and_date() -> None:
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
    assert said(("human",), None, 0) == ("MENACE, move 3", "Solo, 21:14")
    assert said(("random", "perfect"), Value.LOSS, 0) == ("MENACE, 3 moves", "Random - Perfect, 21:14")
    assert said(("human",), None, 0, "gone:3x3") == ("Gone 3x3, move 3", "Solo, 21:14")


async def test_damaged_matches_are_reported_once_and_left_unchanged(data_folder: Path) -> None:
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
            f"{len(rows) - 1} saved matches are damaged and cannot be read. They stay in the data file."
        )
        app.screen.query_one("#recent").focus()
        await reached(pilot, MatchScreen, "enter")
    # Opening the good match has written it again.
    changed = [id for id, each in raw_rows(data_folder / FILE_NAME).items() if rows[id] != each]
    assert changed == [min(rows)]


@pytest.mark.usefixtures("drawn")
async def test_hidden_menu_paints_nothing_during_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.screens.menu.PREVIEW_INTERVAL", 0.01)
    monkeypatch.setattr("arcade.screens.menu.PREVIEW_STEPS", 10_000)
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


async def test_card_painted_before_layout_shows_no_size_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # As on a slow machine, where the paint comes before the board has heard of its size.
    monkeypatch.setattr(GridBoard, "on_resize", lambda self: None)
    async with running(app_with(), size=(100, 30)) as (app, pilot):
        await settled(pilot, lambda: len(app.screen.query("GridBoard")) == 5)
        assert "Hexapawn" in painted(app)
        assert "needs" not in painted(app)


async def test_watching_opens_from_card_and_from_a_match_on_its_board() -> None:
    async with at_rest(app_with()) as (app, pilot):
        card = app.screen.query_one("#card-chocobar", Card)
        await settled(pilot, lambda: "Watch" in str(card.border_title))
        assert Content.from_markup(card.border_subtitle or "").plain == "Learn 0/6  Puzzles"
        title = Content.from_markup(card.border_title or "").plain
        card.focus()
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert {"Watch", "Watch Hexapawn"} <= {*titles}
        await pilot.click(offset=(card.region.x + 3 + title.index("Watch"), card.region.y))
        screen = await reached(pilot, MatchScreen)
        assert screen.match.seats == ["perfect", "expert"]
        screen.session.begin(new_match(parse_game_id("chocobar:3x4"), ["human", "human"]))
        await pressed(pilot, "command:watch", until=lambda: screen.match.watched)
        assert screen.match.start == parse_game_id("chocobar:3x4")


@pytest.mark.slow
@pytest.mark.parametrize("name", ORDER)
async def test_double_enter_in_the_menu_does_not_play_a_move(name: str) -> None:
    async with running(app_with()) as (app, pilot):
        app.services.has_played(name)
        await pilot.pause()
        app.screen.query_one(f"#card-{name}", Card).focus()
        # Both are pressed before the match is on the screen.
        hand(app, key_event("enter"), key_event("enter"))
        screen = await reached(pilot, MatchScreen)
        await rested(pilot, lambda: screen.scene.move_refusal is None or screen.scene.watched)
        own = [ply for ply in screen.match.plies if screen.match.seats[ply.seat] == HUMAN]
        assert not own

        # Later the key is the board's.
        screen._takes_enter = 0.0
        assert not screen.takes(key_event("enter"))

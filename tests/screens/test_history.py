import itertools
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Static

from arcade.app import ArcadeApp
from arcade.engines.registry import get_game, listed_games, parse_game_id
from arcade.play.match import new_match
from arcade.screens import menu
from arcade.screens.demonstration import DemonstrationScreen
from arcade.screens.dialogs import Question
from arcade.screens.history import HistoryScreen, RecordsScreen, table
from arcade.screens.match import MatchScreen
from arcade.screens.menu import MenuScreen
from arcade.store.queries import Filter, MatchSummary
from arcade.store.record import Coach
from arcade.store.store import StoreError
from arcade.study.statistics import Section, sections, statistics
from tests.screens.pilots import (
    app_with,
    at_rest,
    clicked,
    pressed,
    reached,
    running,
    said,
    set_up,
    settled,
    top_screen,
)
from tests.screens.starts import hand, settle
from tests.screens.test_snapshots import Compare

pytestmark = pytest.mark.usefixtures("instant")

SIZE = (80, 24)


def app_of(count: int = 3, **settings: str) -> ArcadeApp:
    """An arcade with finished matches of two games, the second of them helped."""
    app = app_with(None, **settings)
    for number in range(count):
        match = new_match(parse_game_id("menace" if number % 2 else "chocobar:3x4"), ("human", "club"))
        match.play(match.position.moves()[0])
        match.resign(number % 2)
        record = replace(match.record(), coach=Coach.QUIET, takebacks=int(number == 1))
        app.services.store.save_match(record, when=time.time() - 100 * (count - number))
    return app


def history(app: ArcadeApp) -> HistoryScreen:
    return top_screen(app, HistoryScreen)


async def test_escape_shows_all_matches_again_and_then_leaves_but_never_the_menu() -> None:
    async with running(app_of(), size=SIZE) as (app, pilot):
        await pressed(pilot, "slash", "command:only_game")
        assert history(app).wanted != Filter()
        await pilot.press("escape")
        assert history(app).wanted == Filter()
        for keys in (["escape"], ["r", "escape"], ["escape"]):
            await reached(pilot, MenuScreen, *keys)


def lines(app: ArcadeApp) -> list[str]:
    rows = history(app).rows
    return [" ".join(rows.render_line(y).text.split()) for y in range(rows.count)]


async def opened(pilot: Pilot[None], key: str = "slash") -> None:
    await pilot.pause()
    await pressed(pilot, key)


async def test_matches_are_found_by_keys_and_by_clicks() -> None:
    async with running(app_of(), size=SIZE) as (app, pilot):
        await opened(pilot)
        assert [each.split(",")[0].lstrip("▸ ") for each in lines(app)] == [
            "Chocobar 3x4",
            "MENACE",
            "Chocobar 3x4",
        ]
        assert "with help" in lines(app)[1]
        await pilot.press("command:only_game")
        assert history(app).wanted.game == "chocobar"
        assert len(lines(app)) == 2
        await pilot.press("escape", "command:only_unaided")
        assert len(lines(app)) == 2
        await pilot.press("escape", "command:only_result")
        assert [each.split()[2] for each in lines(app)] == ["won"] or len(lines(app)) == 1
        await pilot.press("escape", "slash", *"3x4")
        assert len(lines(app)) == 2
        await pilot.press("enter", "down")
        assert history(app).rows.cursor == 1
        await pilot.press("escape")
        assert len(lines(app)) == 3
        await clicked(pilot, "#filters", offset=(3, 0))
        assert history(app).wanted.game == "chocobar"


async def test_a_match_is_opened_for_review_and_the_list_is_there_again() -> None:
    async with running(app_of(), size=SIZE) as (app, pilot):
        await opened(pilot)
        await reached(pilot, MatchScreen, "down", "enter")
        assert isinstance(app.screen, MatchScreen)
        assert app.screen.match.game.name == "menace"
        assert app.screen.match.finished
        await reached(pilot, HistoryScreen, "q")
        assert history(app).rows.cursor == 1
        # One click chooses, a second one opens.
        await pilot.click("MatchRows", offset=(5, 2))
        assert history(app).rows.cursor == 2
        await pilot.click("MatchRows", offset=(5, 2))
        await reached(pilot, MatchScreen)
        assert len(app.services.store.matches()) == 3


async def test_deleting_asks_once_and_one_key_undoes_it() -> None:
    async with running(app_of(), size=SIZE) as (app, pilot):
        await opened(pilot)
        before = lines(app)
        await reached(pilot, Question, "delete")
        await pilot.press("q")
        assert lines(app) == before
        await reached(pilot, HistoryScreen, "delete", "enter")
        assert len(lines(app)) == 2
        assert said(app) == "The match is deleted. u brings it back."
        await pilot.press("u")
        assert lines(app) == before
        await pilot.press("u")
        assert said(app) == "Nothing is left to bring back."


async def test_matches_are_exported_and_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with running(app_of(), size=SIZE) as (app, pilot):
        await opened(pilot)
        await pilot.press("command:only_game", "W", *"mine", "enter")
        await settled(pilot, lambda: bool(app._notifications) and said(app) == "Wrote 2 matches to mine.")
        ids = [each.id for each in app.services.store.matches()]
        app.services.store.delete_matches(ids)
        await pilot.press("o", *"mine", "enter")
        await settled(pilot, lambda: bool(app._notifications) and said(app) == "Imported 2 matches.")
        assert len(lines(app)) == 2
        Path("mine").write_text("what")
        await pressed(pilot, "o", *"mine", "enter", until=lambda: "because of match 1" in said(app))
        assert len(lines(app)) == 2


async def test_export_tells_how_many_matches_are_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app = app_of(2)
    app.services.store._connection.execute("UPDATE matches SET record = '{' WHERE id = 1")
    async with running(app, size=SIZE) as (_, pilot):
        await opened(pilot)
        await pilot.press("W", *"mine", "enter")
        told = "Wrote 1 match to mine. 1 saved match is damaged and cannot be read. The file keeps it."
        await settled(pilot, lambda: bool(app._notifications) and said(app) == told)


async def test_of_no_matches_no_file_is_made() -> None:
    async with running(app_with(), size=SIZE) as (app, pilot):
        await opened(pilot)
        await pressed(pilot, "W", until=lambda: bool(app._notifications))
        assert said(app) == "There is no match here to export."


async def test_only_the_lines_in_sight_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_of(2)
    store = app.services.store
    store._connection.execute(
        "WITH RECURSIVE numbers (number) AS (SELECT 1 UNION SELECT number + 1 FROM numbers LIMIT 3000)"
        " INSERT INTO matches (revision, game, record, result, updated, size, seats, plies, unaided)"
        " SELECT 1, game, record, result, updated - number, size, seats, plies, unaided"
        " FROM matches, numbers WHERE id = 1"
    )
    read: list[int] = []
    listed = store.listed

    def note(wanted: Filter, limit: int, offset: int) -> list[MatchSummary | None]:
        read.append(offset)
        return listed(wanted, limit, offset)

    monkeypatch.setattr(store, "listed", note)
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await pressed(pilot, "end")
        assert history(app).rows.cursor == 3001
        assert history(app).rows.chosen is not None
        assert set(read) == {0, 2900, 3000}


async def test_rows_that_cannot_be_read_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_of(2)
    why = "The store is busy."

    def fail(*_: object) -> list[MatchSummary | None]:
        raise StoreError(why)

    async with running(app, size=SIZE) as (_, pilot):
        monkeypatch.setattr(app.services.store, "listed", fail)
        await opened(pilot)
        assert lines(app)[1] == why
        await pressed(pilot, "enter", until=lambda: said(app).startswith(f"{why} It cannot"))
        monkeypatch.undo()
        history(app).read()
        assert why not in lines(app)
        monkeypatch.setattr(app.services.store, "count", fail)
        history(app).read()
        assert why in history(app).rows.render_line(0).text
        monkeypatch.undo()


async def test_the_records_on_the_screen_are_those_of_the_store() -> None:
    async with running(app_of(), size=SIZE) as (app, pilot):
        await opened(pilot, "r")
        screen = top_screen(app, RecordsScreen)
        await settled(pilot, lambda: bool(screen.games) and not screen.jobs.controls)
        found = next(each for each in statistics(app.services.store) if each.game == "chocobar")
        shown = str(screen.query_one("#told Static", Static).render())
        for section in sections(found):
            for row in section.rows:
                assert any(line.split() == " ".join(row).split() for line in shown.splitlines()), row
        await pressed(pilot, "slash")
        assert history(app).wanted.game == "chocobar"
        await pressed(pilot, "q")
        assert app.screen is screen


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is there at once, and this is a terminal of this machine."""
    monkeypatch.setattr(menu, "IDLE_SECONDS", 0.05)
    monkeypatch.delenv("SSH_CONNECTION", raising=False)


@pytest.mark.usefixtures("soon")
async def test_demonstrations_play_until_any_key_and_save_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(app_of(1, calm="off"), size=SIZE) as (app, pilot):
        screen = await reached(pilot, DemonstrationScreen)
        monkeypatch.setattr(menu, "IDLE_SECONDS", 60)
        screen.session.state.speed = -1
        await settled(pilot, lambda: bool(screen.session.match.plies))
        # A key does nothing else: this one would leave the arcade.
        await reached(pilot, MenuScreen, "q")
        assert not screen.session.busy
        assert isinstance(app.screen, MenuScreen)
        app.screen.demonstrate()
        await reached(pilot, DemonstrationScreen)
        # As a terminal sends a click: a Pilot hands its own to the screen, past the app.
        for kind in (events.MouseMove, events.MouseDown, events.MouseUp):
            assert isinstance(app.screen, DemonstrationScreen)
            hand(app, kind(None, 10, 8, 0, 0, 1, False, False, False, 10, 8))
            await settle(pilot)
        await reached(pilot, MenuScreen)
        assert len(app.services.store.matches()) == 1


async def test_one_game_follows_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.screens.demonstration.MATCHES", 1)
    monkeypatch.setattr("arcade.screens.demonstration.END_SECONDS", 0.01)
    async with at_rest(app_of(0), size=SIZE) as (app, pilot):
        screen = DemonstrationScreen([get_game("menace"), get_game("chocobar")], 1)
        await app.push_screen(screen)
        screen.session.state.speed = -1
        await settled(pilot, lambda: screen.session.match.game.name == "chocobar")
        assert screen.shown == 2
        assert len(screen.query("ChocobarBoard")) == 1


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("why", ["setting", "calm", "ssh", "browser"])
async def test_no_demonstration_where_none_is_wanted(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_of(1, calm="off")
    asked: list[bool] = []
    demonstrate = MenuScreen.demonstrate

    def ask(screen: MenuScreen) -> None:
        demonstrate(screen)
        asked.append(True)

    monkeypatch.setattr(MenuScreen, "demonstrate", ask)
    if why == "setting":
        set_up(app, demonstration="off")
    elif why == "calm":
        set_up(app, calm="on")
    elif why == "ssh":
        monkeypatch.setitem(os.environ, "SSH_CONNECTION", "192.0.2.1 5000 192.0.2.2 22")
    elif why == "browser":
        monkeypatch.setattr(ArcadeApp, "is_web", True)
    async with app.run_test(size=SIZE) as pilot:
        await settled(pilot, lambda: bool(asked))
        assert isinstance(app.screen, MenuScreen)


@pytest.mark.usefixtures("soon")
async def test_the_demonstration_comes_when_something_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    app, asked = app_of(1, calm="off"), itertools.count()
    games = len(listed_games())
    monkeypatch.setattr(app.services.warmer, "ready", lambda name: next(asked) >= games)
    async with running(app, size=SIZE) as (_, pilot):
        await reached(pilot, DemonstrationScreen)


async def test_a_key_puts_the_demonstration_off(monkeypatch: pytest.MonkeyPatch) -> None:
    async with at_rest(app_of(0), size=SIZE) as (app, pilot):
        screen = top_screen(app, MenuScreen)
        assert screen._idle is not None
        reset: list[bool] = []
        monkeypatch.setattr(screen._idle, "reset", lambda: reset.append(True))
        await pilot.press("right")
        assert reset
        app.action_settings()
        await pilot.pause()
        # Under another screen nobody waits.
        assert screen._idle is None


def test_pictures_of_the_history(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = time.mktime((2026, 3, 4, 21, 14, 0, 0, 0, -1))
    monkeypatch.setattr(time, "time", lambda: clock)
    assert snap_compare(app_of(5), terminal_size=SIZE, run_before=opened)


def test_pictures_of_the_records(snap_compare: Compare) -> None:
    app = app_of(15)
    store = app.services.store
    for number, each in enumerate(store.matches()):
        if each.record.game == "chocobar":
            store.judge(each.id, f"0:-{2 + number % 3} 1:-{4 - number % 3} 2:-2 7:-9")

    async def look(pilot: Pilot[None]) -> None:
        await opened(pilot, "r")
        screen = top_screen(app, RecordsScreen)
        await settled(pilot, lambda: bool(screen.games) and not screen.jobs.controls)

    assert snap_compare(app, terminal_size=SIZE, run_before=look)


@pytest.mark.parametrize(("room", "columns"), [(80, 6), (41, 3), (1, 1)])
def test_the_records_have_the_columns_that_fit(room: int, columns: int) -> None:
    heads = ("won", "tied", "lost", "no help: won", "tied", "lost")
    section = Section("Matches", [("against Beginner", *"310200")], heads)
    head, row = str(table(section, room)).splitlines()
    assert head.split() == ["Matches", *" ".join(heads[:columns]).split()]
    assert row.split() == ["against", "Beginner", *"310200"[:columns]]

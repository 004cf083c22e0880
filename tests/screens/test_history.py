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
from arcade.play.state import SPEEDS
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
from tests.refusals import failing
from tests.screens.pilots import (
    app_with,
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


def lines(app: ArcadeApp) -> list[str]:
    rows = history(app).rows
    return [" ".join(rows.render_line(y).text.split()) for y in range(rows.count)]


async def opened(pilot: Pilot[None], key: str = "slash") -> None:
    await pilot.pause()
    await pressed(pilot, key)


async def test_matches_are_filtered_opened_and_deleted() -> None:
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
        # Escape shows all matches again.
        await pilot.press("escape")
        assert history(app).wanted == Filter()
        await pilot.press("command:only_unaided")
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
        await pilot.press("escape")

        # A match is opened for review, and the list is there again.
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
        await reached(pilot, HistoryScreen, "q")

        # Deleting asks once, and one key undoes it.
        await pilot.press("home")
        before = lines(app)
        await reached(pilot, Question, "delete")
        await pilot.press("q")
        assert lines(app) == before
        await reached(pilot, HistoryScreen, "delete", "y")
        assert len(lines(app)) == 2
        assert said(app) == "Match deleted. Press u to restore it."
        await pilot.press("u")
        assert lines(app) == before
        await pilot.press("u")
        assert said(app) == "No deleted matches to restore."

        # Escape leaves the list and the records, but never the menu.
        for keys in (["escape"], ["r", "escape"], ["escape"]):
            await reached(pilot, MenuScreen, *keys)


async def test_export_and_import_report_read_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    async with running(app_of(), size=SIZE) as (app, pilot):
        store = app.services.store

        async def told(sentence: str, *keys: str) -> None:
            app.clear_notifications()
            await pilot.press(*keys)
            await settled(pilot, lambda: bool(app._notifications) and said(app) == sentence)

        await opened(pilot)
        await told("Wrote 2 matches to mine.", "command:only_game", "W", *"mine", "enter")
        store.delete_matches([each.id for each in store.matches()])
        await told("Imported 2 matches.", "o", *"mine", "enter")
        assert len(lines(app)) == 2
        Path("mine").write_text("what")
        await pressed(pilot, "o", *"mine", "enter", until=lambda: "imported. Match 1" in said(app))
        assert len(lines(app)) == 2

        # Rows and numbers that cannot be read.
        why = "The store is busy."
        with monkeypatch.context() as patched:
            patched.setattr(store, "listed", failing(StoreError(why)))
            history(app).read()
            assert lines(app)[1] == why
            await pressed(
                pilot, "enter", until=lambda: said(app).startswith(f"The match cannot be opened. {why}")
            )
        history(app).read()
        assert why not in lines(app)
        with monkeypatch.context() as patched:
            patched.setattr(store, "count", failing(StoreError(why)))
            history(app).read()
            assert why in history(app).rows.render_line(0).text
        history(app).read()

        # A damaged match is counted, and of no matches no file is made.
        store._connection.execute("UPDATE matches SET record = '{' WHERE id = (SELECT min(id) FROM matches)")
        damaged = "1 saved match is damaged and cannot be read. It stays in the data file."
        await told(f"Wrote 1 match to more. {damaged}", "W", *"more", "enter")
        store._connection.execute("DELETE FROM matches")
        history(app).read()
        await told("No matches to export.", "W")


async def test_records_match_the_data_and_history_loads_visible_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with running(app_of(), size=SIZE) as (app, pilot):
        await opened(pilot, "r")
        screen = top_screen(app, RecordsScreen)
        await settled(pilot, lambda: bool(screen.games) and not screen.jobs.controls)
        store = app.services.store
        found = next(each for each in statistics(store) if each.game == "chocobar")
        shown = str(screen.query_one("#told Static", Static).render())
        for section in sections(found):
            for row in section.rows:
                assert any(line.split() == " ".join(row).split() for line in shown.splitlines()), row
        await pressed(pilot, "slash")
        assert history(app).wanted.game == "chocobar"
        await pressed(pilot, "q")
        assert app.screen is screen
        await reached(pilot, MenuScreen, "q")

        store._connection.execute(
            "WITH RECURSIVE numbers (number) AS (SELECT 1 UNION SELECT number + 1 FROM numbers LIMIT 2999)"
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
        await opened(pilot)
        await pressed(pilot, "end")
        assert history(app).rows.cursor == 3001
        assert history(app).rows.chosen is not None
        assert set(read) == {0, 2900, 3000}


async def test_demonstrations_run_if_allowed_until_any_input(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Nobody is there at once, and this is a terminal of this machine.
    monkeypatch.setattr(menu, "IDLE_SECONDS", 0.05)
    monkeypatch.setattr("arcade.play.session.SPEEDS", (0.01,) * len(SPEEDS))
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    app, asked = app_of(1, calm="off"), itertools.count()
    games, ready = len(listed_games()), app.services.compiler.ready
    # A demonstration waits until the solver of a game is ready.
    monkeypatch.setattr(app.services.compiler, "ready", lambda name: next(asked) >= games and ready(name))
    async with running(app, size=SIZE) as (_, pilot):
        screen = await reached(pilot, DemonstrationScreen)
        monkeypatch.setattr(menu, "IDLE_SECONDS", 60)
        await settled(pilot, lambda: bool(screen.session.match.plies))
        # A key does nothing else: this one would leave the arcade.
        first = await reached(pilot, MenuScreen, "q")
        assert not screen.session.busy
        first.demonstrate()
        await reached(pilot, DemonstrationScreen)
        # As a terminal sends a click: a Pilot hands its own to the screen, past the app.
        for kind in (events.MouseMove, events.MouseDown, events.MouseUp):
            assert isinstance(app.screen, DemonstrationScreen)
            hand(app, kind(None, 10, 8, 0, 0, 1, False, False, False, 10, 8))
            await settle(pilot)
        await reached(pilot, MenuScreen)
        assert len(app.services.store.matches()) == 1

        # One game follows the other.
        with monkeypatch.context() as patched:
            patched.setattr("arcade.screens.demonstration.MATCHES", 1)
            patched.setattr("arcade.screens.demonstration.END_SECONDS", 0.01)
            screen = DemonstrationScreen([get_game("menace"), get_game("chocobar")], 1)
            await app.push_screen(screen)
            await settled(pilot, lambda: screen.session.match.game.name == "chocobar")
            assert screen.shown == 2
            await settled(pilot, lambda: len(screen.query("ChocobarBoard")) == 1)
        await reached(pilot, MenuScreen, "q")

        # None is shown where none is wanted, but the menu waits on.
        for why in ("setting", "calm", "ssh", "browser"):
            with monkeypatch.context() as patched:
                set_up(app, demonstration="off" if why == "setting" else "on")
                set_up(app, calm="on" if why == "calm" else "off")
                if why == "ssh":
                    patched.setitem(os.environ, "SSH_CONNECTION", "192.0.2.1 5000 192.0.2.2 22")
                if why == "browser":
                    patched.setattr(ArcadeApp, "is_web", True)
                first.demonstrate()
                await pilot.pause()
                assert app.screen is first, why
                assert first._idle is not None, why

        # A key puts the demonstration off, and under another screen nobody waits.
        reset: list[bool] = []
        monkeypatch.setattr(first._idle, "reset", lambda: reset.append(True))
        await pilot.press("right")
        assert reset
        app.action_settings()
        await pilot.pause()
        assert first._idle is None


def test_match_history_matches_its_picture(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = time.mktime((2026, 3, 4, 21, 14, 0, 0, 0, -1))
    monkeypatch.setattr(time, "time", lambda: clock)
    assert snap_compare(app_of(5), terminal_size=SIZE, run_before=opened)


def test_records_screen_matches_its_picture(snap_compare: Compare) -> None:
    app = app_of(15)
    store = app.services.store
    for number, each in enumerate(store.matches()):
        if each.record.game == "chocobar":
            store.save_level_data(each.id, f"0:-{2 + number % 3} 1:-{4 - number % 3} 2:-2 7:-9")

    async def look(pilot: Pilot[None]) -> None:
        await opened(pilot, "r")
        screen = top_screen(app, RecordsScreen)
        await settled(pilot, lambda: bool(screen.games) and not screen.jobs.controls)

    assert snap_compare(app, terminal_size=SIZE, run_before=look)


@pytest.mark.parametrize(("room", "columns"), [(80, 6), (41, 3), (1, 1)])
def test_records_table_drops_columns_that_do_not_fit(room: int, columns: int) -> None:
    heads = ("won", "tied", "lost", "no help: won", "tied", "lost")
    section = Section("Matches", [("against Beginner", *"310200")], heads)
    head, row = str(table(section, room)).splitlines()
    assert head.split() == ["Matches", *" ".join(heads[:columns]).split()]
    assert row.split() == ["against", "Beginner", *"310200"[:columns]]

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Select

from arcade.app import ArcadeApp
from arcade.engines.kernel_compiler import KernelCompiler
from arcade.engines.registry import get_game
from arcade.screens.match import MatchScreen
from arcade.screens.menu import MenuScreen
from arcade.screens.navigation import OpenTournament
from arcade.screens.tournament import (
    CrossTable,
    NewTournamentDialog,
    PlayerChoice,
    RatingChart,
    TournamentScreen,
)
from arcade.store.queries import player_name
from arcade.study.tournament import Tournament
from tests.narrow import present
from tests.refusals import failing
from tests.screens.pilots import app_with, painted, pressed, reached, said, settled, top_screen
from tests.screens.starts import finished_tournament

FIELD = ("random", "beginner", "perfect")


async def opened(app: ArcadeApp, pilot: Pilot[None], rounds: int = 2) -> tuple[TournamentScreen, Tournament]:
    tournament = finished_tournament(app.services, FIELD, rounds)
    app.opener.open_tournament(OpenTournament(get_game("hexapawn")))
    await settled(
        pilot, lambda: isinstance(app.screen, TournamentScreen) and app.screen.tournament is not None
    )
    await settled(pilot, lambda: app.screen.query_one(CrossTable).row_count > 0)
    assert isinstance(app.screen, TournamentScreen)
    return app.screen, tournament


def cells(screen: TournamentScreen) -> list[list[str]]:
    table = screen.query_one(CrossTable)
    return [[cell.plain.strip() for cell in table.get_row_at(row)] for row in range(table.row_count)]


def listed(screen: TournamentScreen) -> list[str]:
    lines = screen.query_one(OptionList)
    return [str(lines.get_option_at_index(at).prompt).strip() for at in range(lines.option_count)]


def is_idle(screen: TournamentScreen) -> bool:
    return screen.control is None


async def test_stopped_tournament_resumes_from_the_menu(
    app: ArcadeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arcade.engines.workers.cores", lambda: 1)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await reached(pilot, MenuScreen)
        # Without a tournament there is nothing to see behind the set-up.
        await reached(pilot, NewTournamentDialog, "T")
        await reached(pilot, MenuScreen, "escape")
        await reached(pilot, NewTournamentDialog, "T")
        dialog = app.screen
        dialog.query_one("#game", Select).value = "hexapawn"
        await settled(pilot, lambda: any("HER" in each.players for each in dialog.query(PlayerChoice)))
        # Those who cannot play on a board are not offered for it.
        dialog.query_one("#preset", Select).value = "5x5"
        await settled(pilot, lambda: "HER" not in dialog.query_one(PlayerChoice).players)
        dialog.query_one("#preset", Select).value = "3x3"
        await settled(pilot, lambda: "HER" in dialog.query_one(PlayerChoice).players)
        dialog.query_one("#others", Input).value = "nobody"
        players = dialog.query_one(PlayerChoice)
        players.focus()
        # Three of the five leave, and somebody else comes in.
        await pilot.press("down", "space", "down", "space", "down", "space")
        assert players.chosen == {"beginner", "perfect"}
        await pilot.press("ctrl+s")
        assert "Unknown player 'nobody'" in str(dialog.query_one(".error").render())
        dialog.query_one("#others", Input).value = "depth:1, random"
        dialog.query_one("#rounds", Input).value = "0"
        await pilot.press("ctrl+s")
        assert "at least 1 round" in str(dialog.query_one(".error").render())
        assert str(dialog.query_one("#count").render()) == ""
        dialog.query_one("#rounds", Input).value = "500"
        await settled(pilot, lambda: str(dialog.query_one("#count").render()) == "6,000 matches to play")
        screen = await reached(pilot, TournamentScreen, "ctrl+s")
        # The table grows while it is played.
        await settled(pilot, lambda: any(row[5] != "0/0" for row in cells(screen)), 60)
        assert {row[1] for row in cells(screen)} == {"Beginner", "Perfect", "Depth 1", "Random"}
        await pilot.press("n")
        assert said(app) == "The tournament is already running. Press x to stop it."
        await pressed(pilot, "x", until=lambda: screen.control is None)
        tournament = present(screen.tournament)
        stopped = len(tournament.records)
        assert 0 < stopped < len(tournament.schedule) == 6000
        assert app.services.store.tournaments() == {tournament.name: stopped}
        # Leaving and coming back shows it, and it goes on.
        await reached(pilot, MenuScreen, "q")
        app.opener.open_tournament(OpenTournament(get_game("hexapawn")))
        again = await reached(pilot, TournamentScreen)
        assert again.tournament is not None
        assert again.tournament.records == tournament.records
        await pilot.press("p")
        await settled(
            pilot, lambda: again.tournament is not None and len(again.tournament.records) > stopped, 60
        )
        await reached(pilot, MenuScreen, "q")
        await settled(pilot, lambda: again.control is None or again.control.cancelled)


@pytest.mark.slow
async def test_failing_worker_process_stops_the_tournament_with_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for compiling in (True, False):
        app = app_with()
        if compiling:
            app.services.compiler = KernelCompiler("")
        async with app.run_test(size=(80, 24), notifications=True) as pilot:
            for python, why in (
                ([sys.executable, "-c", "raise SystemExit(3)"], "ended with code 3"),
                (["/no/such/python"], "No such file or directory"),
            ):
                case = (why, compiling)
                monkeypatch.setattr("arcade.engines.worker_process.python_command", lambda *_, to=python: to)
                app.clear_notifications()
                await reached(pilot, MenuScreen)
                await reached(pilot, NewTournamentDialog, "T")
                screen = await reached(pilot, TournamentScreen, "ctrl+s")
                await settled(pilot, partial(is_idle, screen))
                assert said(app).startswith("The tournament failed: "), case
                assert why in said(app), case
                assert "0 of 200 matches, stopped" in painted(app), case
                await reached(pilot, MenuScreen, "q")


async def test_tournament_matches_can_be_reviewed_and_replayed(
    app: ArcadeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        screen, tournament = await opened(app, pilot)
        expected = tournament.standings()
        assert [row[1] for row in cells(screen)] == [player_name(each.player) for each in expected]
        assert [row[5] for row in cells(screen)] == [f"{each.score:g}/{each.played}" for each in expected]
        # The best two at first; then the matches of one player alone.
        best, second = (tournament.players.index(each.player) for each in expected[:2])
        pairs = [each for each in tournament.schedule if {each.first, each.second} == {best, second}]
        assert len(listed(screen)) == len(pairs) == 4
        await pilot.press("left")
        assert len(listed(screen)) == 8
        await reached(pilot, MatchScreen, "right", "enter", "down", "enter")
        assert isinstance(app.screen, MatchScreen)
        match = app.screen.match
        record = tournament.records[pairs[1].number]
        assert (match.moves.__str__(), match.seats) == (" ".join(record.moves), list(record.seats))
        assert match.finished
        # It is in the tournament, not among a person's own matches.
        assert app.services.recent_matches() == []
        await pressed(pilot, "q", until=lambda: app.screen is screen)
        await pilot.press("command:replay")
        await settled(
            pilot, lambda: isinstance(app.screen, MatchScreen) and app.screen.session.state.replaying
        )
        watching = top_screen(app, MatchScreen)
        assert len(watching.match.plies) < len(record.moves)
        await pilot.press("plus", "plus", "plus")
        await settled(pilot, lambda: len(watching.match.plies) == len(record.moves))
        assert app.services.recent_matches() == []
        await pressed(pilot, "q", until=lambda: app.screen is screen)
        screen.tournament = Tournament(tournament.start, FIELD, 2, 8)
        monkeypatch.setattr(screen.tournament, "play", failing(RuntimeError("out of beads")))
        await pressed(pilot, "p", until=lambda: screen.control is None)
        assert "out of beads" in said(app)


def test_tournament_screen_matches_its_picture(app: ArcadeApp, snap_compare: Callable[..., bool]) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        screen, _ = await opened(app, pilot, 3)
        # Everything has its place: two lines for each player and two for the scale.
        await settled(pilot, lambda: bool(listed(screen)) and screen.query_one(RatingChart).size.height == 8)
        await pilot.pause()

    assert snap_compare(app, terminal_size=(80, 24), run_before=before)


def test_tournament_dialog_matches_its_picture(app: ArcadeApp, snap_compare: Callable[..., bool]) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await opened(app, pilot)
        await reached(pilot, NewTournamentDialog, "n")
        assert app.screen.query_one(PlayerChoice).chosen == set(FIELD)

    assert snap_compare(app, terminal_size=(120, 40), run_before=before)

"""What a person has asked for is answered, or they are told that it was stopped."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from textual.pilot import Pilot

from arcade.app import ArcadeApp
from arcade.engines.control import Control
from arcade.engines.menace.machine import AnyMachine
from arcade.engines.registry import GameID, get_game, parse_game_id
from arcade.engines.verdict import DuelVerdict, Proof, Value
from arcade.play.match import new_match
from arcade.proof.verify import ProofMethod, Verification
from arcade.screens.dialogs import HelpScreen, Prompt
from arcade.screens.history import HistoryScreen
from arcade.screens.honshu.best_map import BestMapScreen
from arcade.screens.honshu.screen import HonshuScreen
from arcade.screens.match import MatchScreen
from arcade.screens.menace.machines import WallScreen
from arcade.screens.menu import MenuScreen
from arcade.screens.navigation import OpenMatch
from arcade.screens.tournament import TournamentScreen
from arcade.services import Services
from tests.narrow import expect
from tests.screens.honshu_fake import InstantRace
from tests.screens.pilots import (
    app_with,
    back_to_menu,
    match_of,
    play_next,
    plies_of,
    pressed,
    reached,
    rested,
    running,
    said,
    settled,
)

MOST_WAITS = 1000
"""So that a test which fails does not wait for a thread that waits for the test."""


class Gate:
    """Work that does not end before it is let through, unless it is stopped."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.begun = 0

    def close(self) -> None:
        """Hold up what begins from now on; what is held up is let through."""
        self.opened.set()
        self.opened = threading.Event()
        self.begun = 0

    def pass_through(self, control: Control | None = None) -> None:
        self.begun += 1
        opened = self.opened
        for _ in range(MOST_WAITS):
            if opened.wait(0.005) or (control and control.cancelled):
                return


@pytest.fixture
def gate() -> Iterator[Gate]:
    gate = Gate()
    yield gate
    gate.opened.set()


@pytest.fixture(autouse=True)
def prepared(monkeypatch: pytest.MonkeyPatch, instant: None, instant_race: None) -> None:
    monkeypatch.setattr(Services, "has_seen", lambda services, game: True)


def told(app: ArcadeApp) -> str:
    return "\n".join(notice.message for notice in app._notifications)


@pytest.fixture
def slow_proof(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> Gate:
    def verify(parsed: GameID, control: Control, **options: Any) -> Verification:
        gate.pass_through(control)
        verdict = DuelVerdict(Proof.EXACT, Value.WIN, 1)
        return Verification(False, ProofMethod.SEARCH, 1, verdict, f"Looked at {parsed.start().text()}.")

    monkeypatch.setattr("arcade.play.proof.verify", verify)
    return gate


async def proving(pilot: Pilot[None], gate: Gate, text: str = "chocobar:3x4") -> None:
    """Open a match and begin a proof that does not end."""
    gate.close()
    await play_next(pilot, match_of(text))
    await pressed(pilot, "command:prove", until=lambda: gate.begun)
    pilot.app.clear_notifications()


async def test_proof_result_or_cancellation_is_reported(slow_proof: Gate) -> None:
    async with running(app_with()) as (app, pilot):
        # It goes on when a move is played.
        await proving(pilot, slow_proof)
        await pressed(pilot, "l", "enter", until=lambda: plies_of(app))
        slow_proof.opened.set()
        await settled(pilot, lambda: "Verified" in told(app))
        assert "Chocobar 3x4, move 0: Verified: Looked at 4.4.4." in told(app)

        # That of the position on the board names no other, and runs once.
        await proving(pilot, slow_proof)
        await pressed(pilot, "command:prove")
        assert said(app) == "The proof of the verdict is already running."
        slow_proof.opened.set()
        await settled(pilot, lambda: "Verified" in said(app))
        assert said(app) == "Verified: Looked at 4.4.4."
        assert slow_proof.begun == 1

        # That of another match of the game names it.
        await proving(pilot, slow_proof)
        app.open_match(OpenMatch(match_of("chocobar:2x2")))
        slow_proof.opened.set()
        await settled(pilot, lambda: "Chocobar 3x4, move 0: Verified" in told(app))

        # A match of another game stops it.
        stopped = "The proof of the verdict was stopped because you left its screen."
        await proving(pilot, slow_proof)
        app.open_match(OpenMatch(match_of("menace")))
        await settled(pilot, lambda: stopped in told(app))

        # So does who leaves the match.
        await proving(pilot, slow_proof)
        await reached(pilot, MenuScreen, "q")
        await settled(pilot, lambda: stopped in told(app))


@pytest.fixture
def slow_line(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> Gate:
    line = InstantRace.find_line

    def slow(solver: InstantRace, position: Any, control: Control) -> Any:
        if threading.current_thread() is not threading.main_thread() and gate.begun:
            gate.pass_through(control)
        return line(solver, position, control)

    monkeypatch.setattr(InstantRace, "find_line", slow)
    return gate


async def looking_for_best_map(pilot: Pilot[None], gate: Gate) -> HonshuScreen:
    """Lay a map to its end, and begin a search for the best that does not end."""
    gate.close()
    screen = expect(HonshuScreen, await play_next(pilot, match_of("honshu:5x2#1", "human")))
    while screen.match.result is None:
        screen.match.play(screen.match.position.moves()[0])
    screen.session.come_back()
    await rested(pilot)
    gate.begun = 1
    await pressed(pilot, "command:best_map", until=lambda: gate.begun > 1)
    return screen


@pytest.mark.slow
async def test_best_map_or_cancelled_search_is_shown(slow_line: Gate) -> None:
    async with running(app_with()) as (app, pilot):
        # It is shown although one steps back.
        await looking_for_best_map(pilot, slow_line)
        await pressed(pilot, "comma")
        slow_line.opened.set()
        await reached(pilot, BestMapScreen)

        # It waits until its match is on top.
        screen = await looking_for_best_map(pilot, slow_line)
        await reached(pilot, HelpScreen, "question_mark")
        slow_line.opened.set()
        await settled(pilot, lambda: screen._put_off)
        assert isinstance(app.screen, HelpScreen)
        await reached(pilot, BestMapScreen, "escape")

        # Another match stops the search.
        await looking_for_best_map(pilot, slow_line)
        assert "Looking for the best map" in said(app)
        await pilot.press("A")
        await settled(pilot, lambda: "was stopped because another match has begun" in told(app))


@pytest.fixture
def slow_machines(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> Gate:
    machine_of = Services.machine_of

    def slow(services: Services, *of: Any) -> AnyMachine | None:
        if threading.current_thread() is not threading.main_thread():
            gate.pass_through()
        return machine_of(services, *of)

    monkeypatch.setattr(Services, "machine_of", slow)
    return gate


async def test_machines_are_read_once_while_moves_are_played(slow_machines: Gate) -> None:
    app = app_with()
    app.opening = new_match(parse_game_id("menace"), ("human", "MENACE"), app.services.machines)
    async with running(app) as (app, pilot):
        screen = await reached(pilot, MatchScreen)
        await settled(pilot, lambda: slow_machines.begun)
        await pressed(pilot, "enter", until=lambda: plies_of(app))
        assert slow_machines.begun == 1
        slow_machines.opened.set()
        await settled(pilot, lambda: screen.session.state.machines)


@pytest.fixture
def slow_file(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> Gate:
    def read(*_: object) -> str:
        gate.pass_through()
        return ""

    monkeypatch.setattr("arcade.screens.history.read_text", read)
    return gate


async def importing(pilot: Pilot[None], gate: Gate) -> HistoryScreen:
    history = HistoryScreen()
    pilot.app.push_screen(history)
    await settled(pilot, lambda: history.is_mounted)
    history.action_import()
    await reached(pilot, Prompt)
    await pressed(pilot, *"a.match", "enter", until=lambda: gate.begun)
    return history


async def test_second_import_is_refused_and_leaving_stops_the_first(slow_file: Gate) -> None:
    async with running(app_with()) as (app, pilot):
        history = await importing(pilot, slow_file)
        history.action_import()
        await settled(pilot, lambda: "Another file is being read or written." in told(app))
        assert app.screen is history
        slow_file.opened.set()
        # A text without a match is not a match file.
        await settled(pilot, lambda: not history.busy and len(app._notifications) == 2)
        assert slow_file.begun == 1

        await back_to_menu(pilot)
        slow_file.close()
        await importing(pilot, slow_file)
        await reached(pilot, MenuScreen, "q")
        await settled(pilot, lambda: "The import or export was stopped" in told(app))
        slow_file.opened.set()


async def test_leaving_a_screen_reports_the_stopped_job(gate: Gate) -> None:
    async with running(app_with()) as (app, pilot):
        opened = TournamentScreen(get_game("menace"))
        app.push_screen(opened)
        await settled(pilot, lambda: opened.is_mounted)
        opened.jobs.start("tournament", lambda job: gate.pass_through(job.control))
        while app.screen is not opened:
            app.pop_screen()
        opened.action_leave()
        await settled(pilot, lambda: "The tournament was stopped because you left its screen." in told(app))


async def test_box_search_uses_the_currently_shown_machine() -> None:
    async with running(app_with()) as (app, pilot):
        wall = WallScreen("menace")
        app.push_screen(wall)
        await settled(pilot, lambda: wall.machine is not None)
        wall.action_go_to()
        await reached(pilot, Prompt)
        wall.load("HER")
        await settled(pilot, lambda: not wall.busy)
        await pilot.press(*"280", "enter")
        await settled(pilot, lambda: "There is no box 280. Boxes are numbered from 1 to" in told(app))

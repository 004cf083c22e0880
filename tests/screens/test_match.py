"""The match screen that all games share, shown on Chocobar."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from textual.geometry import Offset, Region
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from arcade.app import ArcadeApp
from arcade.engines.control import Control
from arcade.engines.game import make_hint
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.verdict import Hint, Verdict
from arcade.match import Mark, Match
from arcade.screens.match import OVER, MatchScreen
from arcade.screens.menu import MenuScreen
from arcade.screens.new_match import SeatsDialog
from arcade.screens.palette import Palette
from arcade.screens.prompt import Prompt
from arcade.settings import DEFAULTS, PLAYED
from arcade.store import FILE_NAME, open_store
from arcade.widgets.panels import HintPanel, VerdictPanel
from arcade.widgets.plies import MoveList, ValueGraph
from tests.oracle import BruteForce
from tests.screens.pilots import plies_of, settled

pytestmark = pytest.mark.usefixtures("instant")


def app_of(text: str = "chocobar:3x4", *seats: str) -> ArcadeApp:
    app = ArcadeApp(Match(parse_game_id(text), seats or ("human", "perfect")), warm=False)
    app.settings["animation"] = "off"
    return app


def screen_of(app: ArcadeApp) -> MatchScreen:
    screen = app.screen
    assert isinstance(screen, MatchScreen)
    return screen


async def test_a_whole_game_by_keys() -> None:
    app = app_of("chocobar:2x2")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("l", "s", "enter")
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 2)
        await pilot.press("up" if plies_of(app)[1] == "(2,1)" else "left", "space")
        await settled(pilot, lambda: screen_of(app).match.result is not None)
        assert plies_of(app)[0] == "(2,2)"
        assert "You win: only" in str(screen_of(app).query_one(VerdictPanel).content)


async def test_a_whole_game_by_clicks() -> None:
    app = app_of("chocobar:2x2")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        board: Any = screen_of(app).board

        async def click(cell: tuple[int, int]) -> None:
            await pilot.click("#board-0", offset=board.region_of(cell).center)

        await click((1, 1))
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 2)
        await click((0, 1) if plies_of(app)[1] == "(2,1)" else (1, 0))
        await settled(pilot, lambda: screen_of(app).match.result is not None)
        assert screen_of(app).match.result.winner == 0  # type: ignore[union-attr]  # settled says so


async def test_the_poison_and_eaten_squares_are_refused() -> None:
    app = app_of()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        assert plies_of(app) == []
        assert len(app._notifications) == 1


async def test_pointing_says_what_a_bite_would_do() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "down")
        await pilot.pause()
        assert "(2,2)  eats 6, leaves 6" in screen_of(app).status()


async def test_the_verdict_the_overlay_and_the_marks() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        await settled(pilot, lambda: screen.match.analysis(screen.match.position) is not None)
        assert "You win in 7 plies" in str(screen.query_one(VerdictPanel).content)
        assert not screen.board.view.values
        await pilot.press("v")
        assert [str(each.move) for each in screen.board.view.values if each.best] == ["(2,3)"]
        await pilot.press("right", "right", "enter")
        await settled(pilot, lambda: len(screen.match.plies) == 2 and screen.match.plies[1].mark is not None)
        assert screen.match.plies[0].mark is Mark.THREW
        assert "You lose" in str(screen.query_one(VerdictPanel).content)


async def test_the_hint_ladder_and_its_line_on_the_board() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        start = screen.match.position
        await pilot.press("i")
        await settled(pilot, lambda: screen.hint_step == 1)
        panel = screen.query_one(HintPanel)
        assert "Look" in str(panel.content)
        assert "(2,3)" not in str(panel.content)
        assert screen.board.view.hinted is None
        await pilot.press("i")
        assert "(2,3)" in str(panel.content)
        assert str(screen.board.view.hinted) == "(2,3)"
        await pilot.press("i", "full_stop", "full_stop")
        assert screen.walked == 2
        assert screen.board.view.position != start
        assert screen.match.position == start
        await pilot.press("comma", "escape")
        assert screen.board.view.position == start
        await pilot.press("escape")
        assert not panel.display
        assert screen.match.hints == [1, 0]


async def click_word(pilot: Pilot[None], selector: str, word: str) -> None:
    """Click a word of a panel."""
    widget = pilot.app.screen.query_one(selector, Static)
    lines = [line.text for line in widget.render_lines(Region(0, 0, *widget.size))]
    row = next(number for number, line in enumerate(lines) if word in line)
    await pilot.click(selector, offset=(lines[row].index(word) + 1, row))
    await pilot.pause()


async def test_a_hint_and_its_line_by_mouse_alone() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        await settled(pilot, lambda: screen.match.analysis(screen.match.position) is not None)
        await pilot.press("i")
        await settled(pilot, lambda: screen.hint_step == 1)
        await click_word(pilot, "#hint", "step 2 of 3")
        await click_word(pilot, "#hint", "step 3 of 3")
        assert screen.hint_step == 3
        await click_word(pilot, "#hint", "on")
        await click_word(pilot, "#status", "on")
        assert screen.walked == 2
        await click_word(pilot, "#hint", "back")
        await click_word(pilot, "#status", "to the match")
        assert screen.walked == 0
        assert screen.board.view.position == screen.match.position


async def test_the_last_step_of_a_hint_is_in_sight_in_a_small_terminal() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        await pilot.press("i", "i", "i")
        await settled(pilot, lambda: screen.hint is not None)
        await pilot.press("i", "i")
        await pilot.pause()
        scroll = screen.query_one("#hint-scroll")
        assert screen.hint_step == 3
        assert scroll.max_scroll_y == 0


async def test_the_end_is_told_to_the_person_and_what_can_be_done_then() -> None:
    app = app_of("chocobar:2x2")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        await settled(pilot, lambda: screen.match.analysis(screen.match.position) is not None)
        await pilot.press("right", "enter")
        await settled(
            pilot, lambda: screen.match.result is not None and screen.match.plies[0].mark is not None
        )
        assert "You lose: only the poison is left." in str(screen.query_one(VerdictPanel).content)
        await pilot.press("p")
        assert "The match is over" in list(app._notifications)[-1].message
        await click_word(pilot, "#status", "to the mistake")
        assert not screen.match.plies
        await settled(pilot, lambda: "You win in" in str(screen.query_one(VerdictPanel).content))


async def test_a_position_that_was_only_looked_back_at_has_a_verdict_when_one_goes_there() -> None:
    match = Match(parse_game_id("chocobar:3x4"), ("human", "human"))
    for move in ("2,2", "1,4", "3,1"):
        match.play(match.game.parse_move(move, match.position))
    app = ArcadeApp(match, warm=False)
    app.settings["animation"] = "off"
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        await settled(pilot, lambda: all(ply.mark is not None for ply in match.plies))
        screen.go_to(0)
        await settled(pilot, lambda: "First wins in" in str(screen.query_one(VerdictPanel).content))


@pytest.mark.parametrize("selector", ["#moves", "#graph", "#verdict", "#seats", "#status"])
async def test_a_click_beside_the_board_leaves_the_arrows_to_it(selector: str) -> None:
    app = app_of("chocobar:3x4", "human", "human")
    async with app.run_test(size=(100, 50)) as pilot:
        screen = screen_of(app)
        await pilot.pause()
        await pilot.click(selector)
        await pilot.press("right", "down", "enter")
        assert plies_of(app) == ["(2,2)"]
        await pilot.click(selector, offset=(screen.query_one(selector).size.width - 2, 0))
        assert screen.board.has_focus


async def test_watching_by_mouse_alone() -> None:
    app = app_of("chocobar:3x4", "random", "random")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        await pilot.pause()
        await click_word(pilot, "#status", "one move")
        await settled(pilot, lambda: len(screen.match.plies) == 1)
        await click_word(pilot, "#status", "play on")
        assert not screen.paused
        speed = screen.speed
        await click_word(pilot, "#status", "faster")
        assert screen.speed == speed + 1
        await click_word(pilot, "#status", "slower")
        assert screen.speed == speed
        await click_word(pilot, "#status", "pause")
        assert screen.paused


@pytest.mark.parametrize(("lines", "offered"), [(24, True), (50, False)])
async def test_the_graph_is_offered_where_it_is_not_in_sight_anyway(lines: int, offered: bool) -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(100, lines)) as pilot:
        await pilot.pause()
        await pilot.pause()
        active = {each.binding.action for each in app.screen.active_bindings.values() if each.enabled}
        assert ("graph" in active) is offered
        assert screen_of(app).query_one(ValueGraph).display is not offered


async def test_undo_and_redo_across_the_engines_moves() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        await pilot.press("u")
        assert screen.match.plies == []
        for keys in (("right", "right", "right", "enter"), ("left", "enter")):
            await pilot.press(*keys)
            await settled(pilot, lambda: screen.match.to_move in ("human", None))
        played = plies_of(app)
        assert len(played) >= 3
        while screen.match.plies:
            await pilot.press("u")
            assert screen.match.to_move == "human"
        while screen.match.undone:
            await pilot.press("r")
        assert plies_of(app) == played


async def test_jumping_to_a_ply_never_forgets_the_rest() -> None:
    app = app_of("chocobar:3x4", "random", "random")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        screen.speed = 5
        await pilot.press("p")
        await settled(pilot, lambda: screen.match.result is not None)
        total = len(screen.match.plies)
        await pilot.click("#moves", offset=(6, 0))
        await pilot.pause()
        assert (len(screen.match.plies), len(screen.match.undone)) == (1, total - 1)
        assert screen.paused
        await pilot.press("full_stop")
        assert len(screen.match.plies) == 2
        await pilot.press("R")
        assert len(screen.match.undone) == total


async def test_watching_pauses_steps_and_changes_speed() -> None:
    app = app_of("chocobar:5x5", "random", "random")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        assert screen.paused
        await pilot.pause(0.1)
        assert screen.match.plies == []
        await pilot.press("full_stop")
        await settled(pilot, lambda: len(screen.match.plies) == 1)
        await pilot.press("plus", "minus", "minus")
        assert screen.speed == 1
        await pilot.press("p", "p")
        assert screen.paused


async def test_the_mistake_is_found() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        await settled(pilot, lambda: screen.match.analysis(screen.match.position) is not None)
        await pilot.press("right", "right", "right", "enter")
        await settled(pilot, lambda: len(screen.match.plies) == 2)
        await pilot.press("m")
        assert screen.match.plies == []
        assert len(screen.match.undone) == 2


async def test_seats_are_swapped_in_mid_game() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        await pilot.click("#swap")
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 1)
        assert screen_of(app).match.seats == ["perfect", "human"]


async def test_a_move_is_typed() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        await pilot.press("t", *"9,9", "enter")
        await pilot.pause()
        assert not screen.match.plies
        # What is wrong is said where it was typed, so that it can be mended.
        assert isinstance(app.screen, Prompt)
        assert str(app.screen.query_one(".error", Static).content).endswith(".")
        await pilot.press(*["backspace"] * 3, *"2,3", "enter")
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 2)
        assert plies_of(app)[0] == "(2,3)"


async def test_resigning_is_asked_and_can_be_taken_back() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        await pilot.press("x", "n")
        assert screen.match.result is None
        await pilot.press("x", "y")
        await pilot.pause()
        assert screen.match.describe_result() == "Second wins: First resigned."
        await pilot.press("u")
        assert screen.match.result is None


async def test_who_won_does_not_change_when_the_match_is_over() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        await pilot.press("x", "y", "c")
        await pilot.pause()
        assert app.screen is screen
        await pilot.press("x")
        await pilot.pause()
        assert app.screen is screen
        assert {each.message for each in app._notifications} == {OVER}
        assert screen.match.seats == ["human", "perfect"]
        await pilot.press("u", "c")
        await pilot.pause()
        assert isinstance(app.screen, SeatsDialog)
        # The match may end while somebody looks at the seats.
        screen.match.resign(0)
        await pilot.click("#swap")
        await pilot.pause()
        assert screen.match.seats == ["human", "perfect"]


async def test_a_new_match_of_another_size_and_side() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        await pilot.pause()
        rows = app.screen.query_one("#parameter-rows")
        rows.focus()
        await pilot.press("home", "delete", "9", "9", "enter")
        assert "1 to 18" in str(app.screen.query_one(".error").render())
        await pilot.press("home", "delete", "delete", "2", "enter")
        await pilot.pause()
        assert screen_of(app).match.start.game.parameters_text(screen_of(app).match.parameters) == "2x4"


async def test_an_id_and_a_position_are_opened() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o", *"chocobar:2x5", "enter")
        await pilot.pause()
        assert screen_of(app).match.position.text() == "5.5"
        await pilot.press("o", *"4.4.1", "enter")
        await pilot.pause()
        assert screen_of(app).match.position.text() == "4.4.1"
        await pilot.press("o", *"1.2", "enter")
        await pilot.pause()
        assert isinstance(app.screen, Prompt)
        assert str(app.screen.query_one(".error", Static).content).endswith(".")
        await pilot.press("escape")
        await pilot.pause()
        assert screen_of(app).match.position.text() == "4.4.1"


async def test_the_graph_shows_every_move_that_was_possible() -> None:
    app = app_of("chocobar:3x4", "random", "random")
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        screen.speed = 5
        await pilot.press("g", "p")
        await settled(pilot, lambda: screen.match.result is not None)
        await settled(pilot, lambda: all(ply.mark for ply in screen.match.plies))
        graph = screen.query_one(ValueGraph)
        assert graph.display
        assert not screen.query_one(MoveList).display
        rows = graph.rows()
        assert len(rows) == len(screen.match.plies) + 1
        for row in rows[1:]:
            assert sum(text == screen.arcade.glyphs.played for text, _ in row) == 1


async def test_leaving_keeps_the_match_and_the_menu_continues_it() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "right", "right", "enter")
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 2)
        played = plies_of(app)
        await pilot.press("q")
        await pilot.pause()
        assert isinstance(app.screen, MenuScreen)
        await pilot.press("c")
        await pilot.pause()
        assert plies_of(app) == played
    with open_store() as store:
        assert len(store.matches()) == 1


async def test_the_match_on_the_screen_is_resumed_at_the_next_start() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "right", "right", "enter")
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 2)
        played = plies_of(app)
        # A second arcade on the same store leaves the match to the first.
        other = ArcadeApp(warm=False)
        async with other.run_test(size=(80, 24)) as second:
            await second.pause()
            assert isinstance(other.screen, MenuScreen)
    app = ArcadeApp(warm=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert plies_of(app) == played


async def test_a_damaged_store_is_said_and_the_app_goes_on(data_folder: Path) -> None:
    data_folder.mkdir()
    (data_folder / FILE_NAME).write_text("no store " * 100)
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "right", "right", "enter")
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 2)
        assert [FILE_NAME in note.message for note in app._notifications] == [True]
    assert (data_folder / FILE_NAME).read_text() == "no store " * 100


async def test_a_tiny_terminal_says_what_it_needs_and_keeps_the_state() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("right", "down")
        await pilot.resize_terminal(30, 10)
        await pilot.pause()
        assert "needs 60x20" in str(app.screen.query_one("#too-small").render())
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert not app.screen.query("#too-small")
        assert screen_of(app).board.cursor == (1, 1)  # type: ignore[attr-defined]  # Chocobar's is a grid


async def test_a_click_on_what_was_just_removed_does_no_harm() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.resize_terminal(30, 10)
        await settled(pilot, lambda: bool(app.screen.query("#too-small")))
        cover = app.screen.query_one("#too-small")
        await cover.remove()
        # As the compositor has it until the next paint, here for good.
        with patch.object(Screen, "get_widget_and_offset_at", return_value=(cover, Offset(3, 3))):
            assert app.screen.get_widget_and_offset_at(3, 3) == (None, None)
            await pilot.mouse_down(offset=(3, 3))
        await pilot.mouse_up(offset=(3, 3))
        assert app.is_running


class Slow(BruteForce):
    """Works until it is told to stop."""

    def verdict(self, position: Any, control: Control) -> Verdict:
        while not control.stopped:
            time.sleep(0.005)
        return Verdict()


@pytest.mark.timed
async def test_undo_and_leaving_while_the_engine_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        monkeypatch.setitem(get_game("chocobar").__dict__, "solver", Slow())
        screen = screen_of(app)
        await pilot.press("right", "right", "right", "enter")
        await pilot.pause(0.1)
        assert screen.match.to_move == "perfect"
        await pilot.press("u")
        assert screen.match.plies == []
        await pilot.press("enter")
        await pilot.pause(0.05)
        started = time.monotonic()
        await pilot.press("q")
        assert isinstance(app.screen, MenuScreen)
    assert time.monotonic() - started < 1


async def test_the_palette_offers_every_action() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        offered = {command.title for command in app.get_system_commands(app.screen)}
        for words in ("New", "Undo", "Hint", "Values", "Copy", "Resign", "Play Chocobar", "Settings", "Quit"):
            assert words in offered
        await pilot.press("colon")
        await pilot.pause()
        assert isinstance(app.screen, Palette)


async def test_the_help_names_the_live_keys() -> None:
    app = app_of("chocobar:3x4")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        keys = {words: shown for shown, words in app.screen.keys}  # type: ignore[attr-defined]  # HelpScreen
        assert keys["Hint: where, which, why"] == "i"
        assert "poisoned" in app.screen.rules  # type: ignore[attr-defined]  # HelpScreen
        await pilot.press("q")
        assert isinstance(app.screen, MatchScreen)


# Somebody who has never played.


@pytest.fixture
def newcomer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DEFAULTS, PLAYED, "hexapawn")


def welcomed(app: ArcadeApp) -> bool:
    panel = screen_of(app).query_one(HintPanel)
    return "New here?" in str(panel.content) and screen_of(app).query_one("#hint-scroll").display


@pytest.mark.usefixtures("newcomer")
async def test_a_newcomer_is_told_how_to_move_to_get_a_hint_and_to_leave() -> None:
    app = app_of("chocobar:2x3")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot, lambda: welcomed(app))
        words = str(screen_of(app).query_one(HintPanel).content)
        assert "Move  arrows, Enter; or click" in words
        assert "Hint  i" in words
        assert "Leave q" in words
        # A hint takes its place, and gives it back.
        await pilot.press("i")
        await settled(pilot, lambda: screen_of(app).hint is not None)
        assert not welcomed(app)
        await pilot.press("escape")
        assert welcomed(app)
        # Who has moved knows how.
        await pilot.press("right", "enter")
        assert not welcomed(app)
        assert app.store.settings()[PLAYED] == "hexapawn chocobar"


@pytest.mark.usefixtures("newcomer")
async def test_a_newcomer_can_hide_what_is_told() -> None:
    app = app_of("chocobar:2x3")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot, lambda: welcomed(app))
        await pilot.press("escape")
        assert not welcomed(app)
        assert app.store.settings()[PLAYED] == "hexapawn chocobar"


@pytest.mark.usefixtures("newcomer")
@pytest.mark.parametrize(("start", "seats"), [("chocobar:2x3", "random"), ("hexapawn:3x3", "human")])
async def test_neither_engines_nor_who_has_played_are_told(start: str, seats: str) -> None:
    app = app_of(start, seats, "random")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert not welcomed(app)


async def test_who_waits_for_a_hint_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    found = threading.Event()

    def slow(*arguments: Any) -> Hint[Any] | None:
        found.wait(20)
        return make_hint(*arguments)

    monkeypatch.setattr("arcade.screens.solving.make_hint", slow)
    app = app_of("chocobar:3x4", "human", "human")
    async with app.run_test(size=(80, 24)) as pilot:
        status = screen_of(app).query_one("#status", Static)
        await pilot.press("i")
        assert str(status.render()) == "Looking for a hint."
        found.set()
        await settled(pilot, lambda: screen_of(app).hint is not None)
        assert str(status.render()) != "Looking for a hint."

"""The match screen that all games share, shown on Chocobar."""

import json
import sqlite3
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from textual import events
from textual.geometry import Offset, Region
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Static

from arcade.app import ArcadeApp
from arcade.cli import run
from arcade.engines.chocobar import Chocobar
from arcade.engines.control import Control
from arcade.engines.files import write_text
from arcade.engines.players import RandomPlayer
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.verdict import DuelVerdict, Hint, Proof, Value
from arcade.play import files as match_file
from arcade.play.engine import Engine
from arcade.play.headless import look_back, play_out
from arcade.play.match import Mark, Match, new_match
from arcade.play.sentences import chat_text, result_sentence
from arcade.play.state import SPEEDS, what_next
from arcade.screens.dialogs import Prompt, SeatsDialog
from arcade.screens.match import MatchScreen
from arcade.screens.menu import MenuScreen
from arcade.services import Services
from arcade.store.file import FILE_NAME
from arcade.store.record import Coach, MatchRecord
from arcade.store.store import open_store
from arcade.terminal.app import Palette
from arcade.widgets.keys import KeyFooter, TitleBar
from arcade.widgets.panels import HintPanel, MoveList, ValueGraph, VerdictPanel
from tests.narrow import expect
from tests.oracle import BruteForce, Slow
from tests.refusals import failing
from tests.screens.pilots import (
    app_with,
    clicked,
    painted,
    plies_of,
    pressed,
    reached,
    resized,
    rested,
    running,
    said,
    settled,
)

pytestmark = pytest.mark.usefixtures("instant")


def app_of(text: str = "chocobar:3x4", *seats: str) -> ArcadeApp:
    return app_with(new_match(parse_game_id(text), seats or ("human", "perfect")))


def screen_of(app: ArcadeApp) -> MatchScreen:
    return expect(MatchScreen, app.screen)


@asynccontextmanager
async def opened(
    app: ArcadeApp, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[Pilot[None], MatchScreen]]:
    async with app.run_test(size=size) as pilot:
        yield pilot, screen_of(app)


async def test_a_whole_game_by_keys() -> None:
    async with running(app_of("chocobar:2x2")) as (app, pilot):
        await pressed(pilot, "l", "s", "enter", until=lambda: len(screen_of(app).match.plies) == 2)
        await pilot.press("up" if plies_of(app)[1] == "(2,1)" else "left", "space")
        await settled(pilot, lambda: screen_of(app).match.result is not None)
        assert plies_of(app)[0] == "(2,2)"
        ended = str(screen_of(app).query_one(VerdictPanel).content)
        assert "You win: Second has nothing left but the poison." in ended


async def test_a_whole_game_by_clicks() -> None:
    async with running(app_of("chocobar:2x2")) as (app, pilot):
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
    async with running(app_of()) as (app, pilot):
        await pilot.press("enter")
        assert plies_of(app) == []
        assert len(app._notifications) == 1


async def test_pointing_says_what_a_bite_would_do() -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pressed(pilot, "right", "down")
        assert "(2,2)  eats 6, leaves 6" in screen_of(app).status()


async def test_the_verdict_the_overlay_and_the_marks() -> None:
    async with opened(app_of("chocobar:3x4")) as (pilot, screen):
        await settled(pilot, lambda: screen.match.analysis(screen.match.position) is not None)
        assert "You win in 7 moves" in str(screen.query_one(VerdictPanel).content)
        assert not screen.board.view.values
        await pilot.press("v")
        assert [str(each.move) for each in screen.board.view.values if each.best] == ["(2,3)"]
        await pilot.press("right", "right", "enter")
        await settled(pilot, lambda: len(screen.match.plies) == 2 and screen.match.plies[1].mark is not None)
        assert screen.match.plies[0].mark is Mark.THREW
        assert "You lose" in str(screen.query_one(VerdictPanel).content)


async def test_the_hint_ladder_and_its_line_on_the_board() -> None:
    async with opened(app_of("chocobar:3x4")) as (pilot, screen):
        start = screen.match.position
        await pressed(pilot, "i", until=lambda: screen.session.state.hint_step == 1)
        panel = screen.query_one(HintPanel)
        assert "Look" in str(panel.content)
        assert "(2,3)" not in str(panel.content)
        assert screen.board.view.hinted is None
        await pilot.press("i")
        assert "(2,3)" in str(panel.content)
        assert str(screen.board.view.hinted) == "(2,3)"
        await pilot.press("i", "full_stop", "full_stop")
        assert screen.session.state.walked == 2
        assert screen.board.view.position != start
        assert screen.match.position == start
        await pilot.press("comma", "escape")
        assert screen.board.view.position == start
        await pilot.press("escape")
        assert not panel.display
        assert screen.match.hints == [1, 0]


async def click_word(pilot: Pilot[None], selector: str, word: str) -> None:
    widget = pilot.app.screen.query_one(selector, Static)

    def drawn() -> list[str]:
        return [line.text for line in widget.render_lines(Region(0, 0, *widget.size))]

    await settled(pilot, lambda: any(word in line for line in drawn()))
    lines = drawn()
    row = next(number for number, line in enumerate(lines) if word in line)
    await clicked(pilot, selector, offset=(lines[row].index(word) + 1, row))


async def test_a_hint_and_its_line_by_mouse_alone() -> None:
    async with opened(app_of("chocobar:3x4")) as (pilot, screen):
        await settled(pilot, lambda: screen.match.analysis(screen.match.position) is not None)
        await pressed(pilot, "i", until=lambda: screen.session.state.hint_step == 1)
        await click_word(pilot, "#hint", "step 2 of 3")
        await click_word(pilot, "#hint", "step 3 of 3")
        assert screen.session.state.hint_step == 3
        await click_word(pilot, "#hint", "on")
        await click_word(pilot, "#status", "on")
        assert screen.session.state.walked == 2
        await click_word(pilot, "#hint", "back")
        await click_word(pilot, "#status", "to the match")
        assert screen.session.state.walked == 0
        assert screen.board.view.position == screen.match.position


async def test_the_last_step_of_a_hint_is_in_sight_in_a_small_terminal() -> None:
    async with opened(app_of("chocobar:3x4")) as (pilot, screen):
        await pressed(pilot, "i", "i", "i", until=lambda: screen.session.state.hint is not None)
        await pressed(pilot, "i", "i")
        scroll = screen.query_one("#hint-scroll")
        assert screen.session.state.hint_step == 3
        assert scroll.max_scroll_y == 0


async def test_the_end_is_told_to_the_person_and_what_can_be_done_then() -> None:
    app = app_of("chocobar:2x2")
    async with opened(app) as (pilot, screen):
        await settled(pilot, lambda: screen.match.analysis(screen.match.position) is not None)
        await pilot.press("right", "enter")
        await settled(
            pilot, lambda: screen.match.result is not None and screen.match.plies[0].mark is not None
        )
        ended = str(screen.query_one(VerdictPanel).content)
        assert "You lose: you have nothing left but the poison." in ended
        assert "You gave the win away with (1,2), move 1." in ended
        await pilot.press("p")
        assert "The game is over here" in list(app._notifications)[-1].message
        await click_word(pilot, "#verdict", "find better moves")
        assert not screen.match.plies
        await settled(pilot, lambda: "Find a better move" in str(screen.query_one(VerdictPanel).content))


async def test_a_position_that_was_only_looked_back_at_has_a_verdict_when_one_goes_there() -> None:
    match = new_match(parse_game_id("chocobar:3x4"), ("human", "human"))
    for move in ("2,2", "1,4", "3,1"):
        match.play(match.game.parse_move(move, match.position))
    app = app_with(match)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = screen_of(app)
        await settled(pilot, lambda: all(ply.mark is not None for ply in match.plies))
        screen.session.go_to(0)
        await settled(pilot, lambda: "First wins in" in str(screen.query_one(VerdictPanel).content))


async def test_a_click_beside_the_board_leaves_the_arrows_to_it() -> None:
    app = app_of("chocobar:3x4", "human", "human")
    async with opened(app, (100, 50)) as (pilot, screen):
        await pilot.pause()
        for selector in ("#moves", "#graph", "#verdict", "#seats", "#status"):
            await pilot.click(selector)
            await pilot.press("right", "down", "enter")
            assert plies_of(app) == ["(2,2)"], selector
            await pilot.click(selector, offset=(screen.query_one(selector).size.width - 2, 0))
            assert screen.board.has_focus, selector
            await pilot.press("command:restart", "left", "up")


async def test_watching_by_mouse_alone() -> None:
    async with opened(app_of("chocobar:3x4", "random", "random")) as (pilot, screen):
        await pilot.pause()
        await click_word(pilot, "#status", "one move")
        await settled(pilot, lambda: len(screen.match.plies) == 1)
        await click_word(pilot, "#status", "play on")
        assert not screen.session.state.paused
        speed = screen.session.state.speed
        await click_word(pilot, "#status", "faster")
        assert screen.session.state.speed == speed + 1
        await click_word(pilot, "#status", "slower")
        assert screen.session.state.speed == speed
        await click_word(pilot, "#status", "pause")
        assert screen.session.state.paused


async def test_the_graph_is_offered_where_it_is_not_in_sight_anyway() -> None:
    async with running(app_of("chocobar:3x4"), size=(100, 30)) as (app, pilot):
        for lines, offered in ((24, True), (50, False)):
            await resized(pilot, 100, lines)
            await pilot.pause()
            active = {each.binding.action for each in app.screen.active_bindings.values() if each.enabled}
            assert ("graph" in active) is offered
            assert screen_of(app).query_one(ValueGraph).display is not offered


async def test_undo_and_redo_across_the_engines_moves() -> None:
    app = app_of("chocobar:3x4")
    async with opened(app) as (pilot, screen):
        await pilot.press("u")
        assert screen.match.plies == []
        for keys in (("right", "right", "right", "enter"), ("left", "enter")):
            await pressed(pilot, *keys, until=lambda: screen.match.to_move in ("human", None))
        played = plies_of(app)
        assert len(played) >= 3
        while screen.match.plies:
            await pilot.press("u")
            assert screen.match.to_move == "human"
        while screen.match.undone:
            await pilot.press("full_stop")
        assert plies_of(app) == played


async def test_jumping_to_a_ply_never_forgets_the_rest() -> None:
    async with opened(app_of("chocobar:3x4", "random", "random")) as (pilot, screen):
        screen.session.state = replace(screen.session.state, speed=5)
        await pressed(pilot, "p", until=lambda: screen.match.result is not None)
        total = len(screen.match.plies)
        await clicked(pilot, "#moves", offset=(6, 0))
        assert (len(screen.match.plies), len(screen.match.undone)) == (1, total - 1)
        assert screen.session.state.paused
        await pilot.press("full_stop")
        assert len(screen.match.plies) == 2
        await pilot.press("command:restart")
        assert len(screen.match.undone) == total


async def test_watching_pauses_steps_and_changes_speed() -> None:
    async with opened(app_of("chocobar:5x5", "random", "random")) as (pilot, screen):
        assert screen.session.state.paused
        await rested(pilot)
        assert screen.match.plies == []
        await pressed(pilot, "full_stop", until=lambda: len(screen.match.plies) == 1)
        await pilot.press("plus", "minus", "minus")
        assert screen.session.state.speed == 1
        await pilot.press("p", "p")
        assert screen.session.state.paused


async def test_the_mistake_is_found() -> None:
    async with opened(app_of("chocobar:3x4")) as (pilot, screen):
        await settled(pilot, lambda: screen.match.analysis(screen.match.position) is not None)
        await pressed(pilot, "right", "right", "right", "enter", until=lambda: len(screen.match.plies) == 2)
        await pressed(pilot, "command:resign", "enter", "m")
        assert screen.match.plies == []
        assert len(screen.match.undone) == 2


async def test_seats_are_swapped_in_mid_game() -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pilot.press("command:seats")
        await pilot.click("#swap")
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 1)
        assert screen_of(app).match.seats == ["perfect", "human"]


async def test_a_move_is_typed() -> None:
    app = app_of("chocobar:3x4")
    async with opened(app) as (pilot, screen):
        await pressed(pilot, "command:type", *"9,9", "enter")
        assert not screen.match.plies
        # The error appears where the text was typed, so that it can be corrected.
        assert str(expect(Prompt, app.screen).query_one(".error", Static).content).endswith(".")
        await pilot.press(*["backspace"] * 3, *"2,3", "enter")
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 2)
        assert plies_of(app)[0] == "(2,3)"


async def test_resigning_is_asked_and_can_be_taken_back() -> None:
    async with opened(app_of("chocobar:3x4")) as (pilot, screen):
        await pilot.press("command:resign", "q")
        assert screen.match.result is None
        await pressed(pilot, "command:resign", "enter")
        assert result_sentence(screen.match) == "Second wins: First resigned."
        await pilot.press("u")
        assert screen.match.result is None


async def test_who_won_does_not_change_when_the_match_is_over() -> None:
    app = app_of("chocobar:3x4")
    async with opened(app) as (pilot, screen):
        footer = screen.query_one(KeyFooter)
        await settled(pilot, lambda: "Hint" in str(footer.render()))
        await pressed(
            pilot,
            "command:resign",
            "enter",
            "command:seats",
            until=lambda: "Hint" not in str(footer.render()),
        )
        assert app.screen is screen
        await pressed(pilot, "command:resign")
        assert app.screen is screen
        assert {each.message for each in app._notifications} == {what_next()}
        assert screen.match.seats == ["human", "perfect"]
        await reached(pilot, SeatsDialog, "u", "command:seats")
        # The match may end while somebody looks at the seats.
        screen.match.resign(0)
        await clicked(pilot, "#swap")
        assert screen.match.seats == ["human", "perfect"]


async def test_a_new_match_of_another_size_and_side() -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pressed(pilot, "n")
        rows = app.screen.query_one("#parameter-rows")
        rows.focus()
        await pilot.press("home", "delete", "9", "9", "enter")
        assert "1 to 18" in str(app.screen.query_one(".error").render())
        await pressed(pilot, "home", "delete", "delete", "2", "enter")
        assert screen_of(app).match.start.game.parameters_text(screen_of(app).match.parameters) == "2x4"


async def test_an_id_and_a_position_are_opened() -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pressed(pilot, "command:open_match", *"chocobar:2x5", "enter")
        assert screen_of(app).match.position.text() == "5.5"
        await pressed(pilot, "command:open_match", *"4.4.1", "enter")
        assert screen_of(app).match.position.text() == "4.4.1"
        await pressed(pilot, "command:open_match", *"1.2", "enter")
        assert str(expect(Prompt, app.screen).query_one(".error", Static).content).endswith(".")
        await pressed(pilot, "escape")
        assert screen_of(app).match.position.text() == "4.4.1"


async def test_the_graph_shows_every_move_that_was_possible() -> None:
    async with opened(app_of("chocobar:3x4", "random", "random")) as (pilot, screen):
        screen.session.state = replace(screen.session.state, speed=5)
        await pressed(pilot, "command:graph", "p", until=lambda: screen.match.result is not None)
        await settled(pilot, lambda: all(ply.mark for ply in screen.match.plies))
        graph = screen.query_one(ValueGraph)
        assert graph.display
        assert not screen.query_one(MoveList).display
        rows = graph.rows(screen.scene)
        assert len(rows) == len(screen.match.plies) + 2
        for row in rows[2:]:
            assert sum(text == screen.glyphs.played for text, _ in row) == 1


async def test_leaving_keeps_the_match_and_the_menu_continues_it() -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pilot.press("right", "right", "right", "enter")
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 2)
        played = plies_of(app)
        await reached(pilot, MenuScreen, "q")
        await pressed(pilot, "p")
        assert plies_of(app) == played
    with open_store() as store:
        assert len(store.matches()) == 1


def finished_match(resigned: bool) -> Match:
    """A match that a person has won although the first move threw it away, with its marks."""
    match = new_match(parse_game_id("chocobar:3x4"), ("human", "perfect"))
    for text in ("1,4", "2,2", "2,1", *(() if resigned else ("1,3", "1,2"))):
        match.learn(match.position, BruteForce().analyse(match.position, Control()))
        match.play(match.game.parse_move(text, match.position))
    if resigned:
        match.resign(1)
    look_back(match, Control())
    return match


def rows_of(data_folder: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(data_folder / FILE_NAME)) as connection:
        return connection.execute(
            "SELECT id, revision, game, record, result, updated, person FROM matches ORDER BY id"
        ).fetchall()


async def open_from_the_list(app: ArcadeApp, pilot: Pilot[None]) -> MatchScreen:
    await pilot.pause()
    app.screen.query_one("#recent").focus()
    await pilot.press("enter")
    await rested(pilot, lambda: isinstance(app.screen, MatchScreen))
    return screen_of(app)


LOOKED_BACK = (
    *("comma", "m", "command:restart", "command:seats", "command:resign", "comma full_stop", "comma v"),
    *(
        "comma command:seats",
        "command:restart full_stop full_stop",
        "command:graph command:restart full_stop",
    ),
    "comma i i i full_stop",
    "command:restart right right enter u enter i escape escape",
    # The coach stays as this leaves him.
    "m right enter down enter command:coach command:source",
)


async def test_a_scrollbar_that_comes_later_stands_where_the_list_does() -> None:
    match = new_match(parse_game_id("chocobar:6x6"), ("human", "human"))
    while len(match.plies) < 34:
        match.play(match.position.moves()[-1])
    async with running(app_with(match)) as (app, pilot):
        await rested(pilot)
        moves = screen_of(app).query_one(MoveList)
        assert moves.scroll_y > 0
        moves.scroll_to(y=0, animate=False, immediate=True)
        moves.show_vertical_scrollbar = False
        assert moves.scroll_y == 0
        moves.show_vertical_scrollbar = True
        assert moves.vertical_scrollbar.position == moves.scroll_y > 0


@pytest.mark.parametrize("resigned", [False, True])
async def test_looking_back_leaves_a_finished_match_as_it_is(resigned: bool, data_folder: Path) -> None:
    app = app_with()
    match = finished_match(resigned)
    app.services.save_match(match, None)
    before, tally = rows_of(data_folder), app.services.tally()
    async with app.run_test(size=(80, 24)) as pilot:
        for keys in map(str.split, LOOKED_BACK):
            if resigned != (len(keys) % 2 == 0):
                continue
            screen = await open_from_the_list(app, pilot)
            assert screen.match.record() == match.record()
            for key in keys:
                await pilot.press(key)
                await rested(pilot)
            await pilot.click("#moves", offset=(6, 0))
            await rested(pilot)
            await pressed(pilot, "escape", "q")
            assert isinstance(app.screen, MenuScreen), keys
            assert app.services.tally() == tally, keys
            offered = {each.binding.description for each in app.screen.active_bindings.values()}
            assert "Continue" not in offered, keys
            assert rows_of(data_folder) == before, keys


@pytest.mark.parametrize("resigned", [False, True])
@pytest.mark.parametrize("way", ["play on", "take back", "try and play on"])
async def test_playing_on_from_a_finished_match_is_a_match_of_its_own(
    way: str, resigned: bool, data_folder: Path
) -> None:
    app = app_with()
    app.services.save_match(finished_match(resigned), None)
    (before,), tally = rows_of(data_folder), app.services.tally()
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_from_the_list(app, pilot)
        if way == "play on":
            await pilot.press("command:restart", "full_stop", "p")
        elif way == "take back":
            await pilot.press("u")
        else:
            await pilot.press("command:restart", "right", "right", "right", "enter", "p")
        await rested(pilot, lambda: screen.match.plies != [] and isinstance(app.screen, MatchScreen))
        assert not screen.match.finished
        assert any("new match" in note.message for note in app._notifications)
        record = screen.match.record()
        assert app.services.tally() == tally
    kept, new = rows_of(data_folder)
    assert kept == before
    assert MatchRecord.from_json(str(new[3])) == record


async def test_the_match_on_the_screen_is_resumed_at_the_next_start() -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pilot.press("right", "right", "right", "enter")
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 2)
        played = plies_of(app)
        # A second arcade on the same store leaves the match to the first.
        other = ArcadeApp(warm=False)
        async with other.run_test(size=(80, 24)) as second:
            await second.pause()
            assert isinstance(other.screen, MenuScreen)
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        await pilot.pause()
        assert plies_of(app) == played


async def test_a_damaged_store_is_said_and_the_app_goes_on(data_folder: Path) -> None:
    data_folder.mkdir()
    (data_folder / FILE_NAME).write_text("no store " * 100)
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pilot.press("right", "right", "right", "enter")
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 2)
        assert [FILE_NAME in note.message for note in app._notifications] == [True]
    assert (data_folder / FILE_NAME).read_text() == "no store " * 100


async def test_a_tiny_terminal_says_what_it_needs_and_keeps_the_state() -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pilot.press("right", "down")
        await resized(pilot, 30, 10)
        assert "needs 60x20" in str(app.screen.query_one("#too-small").render())
        await pilot.resize_terminal(80, 24)
        await settled(pilot, lambda: not app.screen.query("#too-small"))
        assert screen_of(app).board.cursor == (1, 1)  # type: ignore[attr-defined]  # Chocobar's is a grid


async def test_a_click_on_what_was_just_removed_does_no_harm() -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
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


@pytest.mark.timed
async def test_undo_and_leaving_while_the_engine_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pilot.pause()
        monkeypatch.setitem(get_game("chocobar").__dict__, "solver", Slow())
        screen = screen_of(app)
        thinks = lambda: screen.session.busy and screen.match.to_move == "perfect"  # noqa: E731
        await pressed(pilot, "right", "right", "right", "enter", until=thinks)
        await pilot.press("u")
        assert screen.match.plies == []
        await pressed(pilot, "enter", until=thinks)
        started = time.monotonic()
        await reached(pilot, MenuScreen, "q")
    # Whoever waited for the solver would wait for ever.
    assert time.monotonic() - started < 10


async def test_the_palette_offers_every_action() -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pilot.pause()
        offered = {command.title for command in app.get_system_commands(app.screen)}
        for words in ("New", "Hint", "Values", "Copy", "Resign", "Play Chocobar", "Settings", "Quit"):
            assert words in offered
        await reached(pilot, Palette, "colon")


async def test_the_help_names_the_live_keys() -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pressed(pilot, "question_mark")
        keys = {words: shown for shown, words in app.screen.keys}  # type: ignore[attr-defined]  # HelpScreen
        assert keys["Hint: where, which, why"] == "i"
        assert "poisoned" in app.screen.rules  # type: ignore[attr-defined]  # HelpScreen
        await reached(pilot, MatchScreen, "q")


@pytest.fixture
def newcomer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Services, "knows", lambda self, game: game in f"hexapawn {self.state.played}".split())


def welcomed(app: ArcadeApp) -> bool:
    panel = screen_of(app).query_one(HintPanel)
    return "Move  " in str(panel.content) and screen_of(app).query_one("#hint-scroll").display


@pytest.mark.usefixtures("newcomer")
async def test_a_newcomer_is_told_how_to_move_to_get_a_hint_and_to_leave() -> None:
    async with running(app_of("chocobar:2x3")) as (app, pilot):
        await settled(pilot, lambda: welcomed(app))
        words = str(screen_of(app).query_one(HintPanel).content)
        assert "Move  arrows, Enter; or click" in words
        assert get_game("chocobar").goal in words
        assert get_game("chocobar").picture in words
        assert "i hint   q leave" in words
        # A hint takes its place, and gives it back.
        await pressed(pilot, "i", until=lambda: screen_of(app).session.state.hint is not None)
        assert not welcomed(app)
        await pilot.press("escape")
        assert welcomed(app)
        # Who has moved knows how.
        await pilot.press("right", "enter")
        assert not welcomed(app)
        assert app.services.store.words("state")["played"] == "chocobar"


@pytest.mark.usefixtures("newcomer")
async def test_a_newcomer_can_hide_what_is_told() -> None:
    async with running(app_of("chocobar:2x3")) as (app, pilot):
        await settled(pilot, lambda: welcomed(app))
        await pilot.press("escape")
        assert not welcomed(app)
        assert app.services.store.words("state")["played"] == "chocobar"


@pytest.mark.usefixtures("newcomer")
@pytest.mark.parametrize(("start", "seats"), [("chocobar:2x3", "random"), ("hexapawn:3x3", "human")])
async def test_neither_engines_nor_who_has_played_are_told(start: str, seats: str) -> None:
    async with running(app_of(start, seats, "random")) as (app, pilot):
        await pilot.pause()
        assert not welcomed(app)


async def test_who_waits_for_a_hint_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    found = threading.Event()

    hint = Chocobar.hint

    def slow(*arguments: Any) -> Hint[Any] | None:
        found.wait(20)
        return hint(*arguments)

    monkeypatch.setattr(Chocobar, "hint", slow)
    async with running(app_of("chocobar:3x4", "human", "human")) as (app, pilot):
        status = screen_of(app).query_one("#status", Static)
        await pilot.press("i")
        assert str(status.render()) == "Looking for a hint."
        found.set()
        await settled(pilot, lambda: screen_of(app).session.state.hint is not None)
        assert str(status.render()) != "Looking for a hint."


@pytest.mark.parametrize("seed", [0, 7])
async def test_a_seed_gives_the_same_match_in_the_shell_and_on_the_screen(
    seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = "fallible:3,random"
    words = ["--seats", seats, "--seed", str(seed), "--headless", "--json"]
    assert run(["watch", "chocobar:5x6", *words]) == 0
    printed = json.loads(capsys.readouterr().out)["matches"][0]["moves"]
    match = new_match(parse_game_id("chocobar:5x6"), seats.split(","), seed=seed)
    async with running(app_with(match)) as (app, pilot):
        await settled(pilot, lambda: isinstance(app.screen, MatchScreen))
        screen_of(app).session.state = replace(screen_of(app).session.state, speed=len(SPEEDS) - 1)
        await pressed(pilot, "p", until=lambda: match.result is not None)
        assert plies_of(app) == printed


async def test_in_a_watched_match_a_hint_is_for_whoever_is_to_move() -> None:
    async with running(app_of("chocobar:3x4", "perfect", "perfect")) as (app, pilot):
        await pilot.pause()
        screen = screen_of(app)
        await pressed(pilot, "i", until=lambda: screen.session.state.hint is not None)
        assert screen.session.state.paused
        await pilot.press("i")
        assert screen.board.view.hinted is not None
        await pressed(pilot, "full_stop", until=lambda: len(screen.match.plies) == 1)
        assert screen.session.state.hint is None
        # While the engines play they wait for it.
        screen.session.state = replace(screen.session.state, speed=0)
        await pilot.press("p")
        assert not screen.session.state.paused
        await pressed(pilot, "i", until=lambda: screen.session.state.hint is not None)
        assert screen.session.state.paused
        assert len(screen.match.plies) == 1


async def test_a_finished_match_gives_hints_for_its_earlier_positions() -> None:
    match = new_match(parse_game_id("chocobar:2x2"), ("human", "perfect"))
    for move in ("(2,2)", "(2,1)", "(1,2)"):
        match.play(match.game.parse_move(move, match.position))
    app = app_with(match)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        screen = screen_of(app)
        assert screen.match.result is not None
        await pilot.press("i")
        assert screen.session.state.hint is None
        assert "earlier" in said(app)
        for plies in (2, 1):
            await pilot.press("comma")
            assert len(screen.match.plies) == plies
            await pressed(pilot, "i", "i", until=lambda: screen.session.state.hint is not None)
            assert screen.board.view.hinted is not None
            await pilot.press("escape")


async def test_no_hint_is_given_while_the_opponent_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "think", lambda *_: None)
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pilot.pause()
        await pilot.press("l", "s", "enter", "i")
        assert said(app) == "It is not your turn."
        assert screen_of(app).session.state.hint_step == 0


async def test_what_is_copied_is_opened_again_and_a_wrong_move_is_refused_by_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pressed(
            pilot, "command:type", *"2,2", "enter", until=lambda: len(screen_of(app).match.plies) == 2
        )
        await pressed(
            pilot, "y", "command:write", *"one", "enter", until=lambda: (tmp_path / "one.match").exists()
        )
        record = screen_of(app).match.record()
        copied = app.clipboard
        assert match_file.read(copied) == record
        assert "X #" in copied
        await pilot.press("command:write", *"one.match", "enter")
        assert "already a file" in str(app.screen.query_one(".error", Static).content)
        await pilot.press("escape", "command:restart", "command:open_match")
        app.post_message(events.Paste(copied.replace("1. (2,2)", "1. (7,7)")))
        await pilot.press("enter")
        assert "Move 1, '(7,7)', cannot be played" in str(app.screen.query_one(".error", Static).content)
        await pilot.press("escape", "command:open_match")
        app.post_message(events.Paste(copied))
        await pressed(pilot, "enter", until=lambda: len(screen_of(app).match.plies) == 2)
        assert screen_of(app).match.moves == Match.from_record(record).moves
        before = len(app.services.store.matches())
        finished = play_out(new_match(parse_game_id("hexapawn:3x3"), ("random", "random"), seed=1))
        write_text("two.match", match_file.write(finished.record()))
        await pilot.press("command:open_match", *"two.match", "enter")
        await settled(pilot, lambda: screen_of(app).match.game.name == "hexapawn")
        assert screen_of(app).match.finished
        await settled(pilot, lambda: not screen_of(app).session.busy)
        assert len(app.services.store.matches()) == before, "a match from elsewhere is none of one's own"


async def test_on_the_end_card_the_result_is_copied_for_a_chat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "think", lambda *_: None)
    won = new_match(parse_game_id("chocobar:2x2"), ("human", "club"))
    for move in won.game.parse_moves("(2,2) (1,2) (2,1)", won.position):
        won.play(move)
    async with running(ArcadeApp(won)) as (app, pilot):
        await rested(pilot)
        await pilot.press("y")
        assert app.clipboard == chat_text(screen_of(app).match)
        assert app.clipboard.startswith("Chocobar 2x2: I beat Club in 3 moves\n🟩🟩 2 of 2 right\n")
        assert said(app) == "The result is copied. Paste it into a chat."
        await pilot.press("comma", "y")
        assert match_file.read(app.clipboard) == won.record(), "an earlier position: the match itself"


async def test_the_verdict_can_be_proved_again_from_the_palette(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(app_of()) as (app, pilot):
        await rested(pilot)
        prove = {command.title: command for command in app.get_system_commands(app.screen)}["Prove"].callback
        prove()
        await settled(pilot, lambda: any("Proved again" in each.message for each in app._notifications))
        assert said(app).startswith("Proved again: A plain search went through ")
        solver = get_game("chocobar").solver
        monkeypatch.setattr(solver, "verdict", lambda *_: DuelVerdict(Proof.EXACT, Value.LOSS, 6))
        prove()
        await settled(pilot, lambda: "DIFFERS" in said(app))
        assert "loses in 6 moves" in said(app)


async def test_work_in_the_title_line_gives_way_to_what_matters() -> None:
    async with running(app_of()) as (app, pilot):
        await pilot.pause()
        bar = app.screen.query_one(TitleBar)
        for busy, kept in (("working", True), ("w" * 60, False)):
            bar.show("Honshu 9x12 #260261", "move 22 of 24", busy)
            told = str(bar.render())
            assert (busy in told) == kept
            assert told.endswith("move 22 of 24  : more")
            assert len(told) == bar.content_size.width


@pytest.mark.parametrize(
    ("winners", "to_come", "title"),
    [
        ([], 0, "move 0"),
        ([], 2, "match 1 of 3, 0:0   move 0"),
        ([0, 1, 0], 1, "match 4 of 5, 2:1   move 0"),
        ([None], 0, "match 2 of 2, 0:0   move 0"),
    ],
)
async def test_the_title_of_a_series_has_the_score(
    winners: list[int | None], to_come: int, title: str
) -> None:
    match = new_match(parse_game_id("chocobar:3x4"), ("perfect", "random"))
    match.winners, match.to_come = winners, to_come
    async with running(app_with(match)) as (app, pilot):
        screen = expect(MatchScreen, app.screen)
        await pilot.pause()
        screen.session.state = replace(screen.session.state, paused=True)
        screen.show_title()
        assert screen.query_one(TitleBar)._words[1] == f"{title}, paused"


async def test_copy_of_running_match_has_no_marks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Engine, "think", lambda *_: None)
    match = new_match(parse_game_id("chocobar:3x4"), ("human", "human"))
    for text in ("2,2", "1,2"):
        match.play(match.game.parse_move(text, match.position))
        match.plies[-1].mark = Mark.THREW
    async with running(ArcadeApp(match)) as (app, pilot):
        app.change("coach", "quiet")
        match.coach = Coach.QUIET
        await pressed(pilot, "y")
        assert "1. (2,2) 2. (1,2) *" in app.clipboard
        await pressed(
            pilot, "command:write", *"one", "enter", until=lambda: (tmp_path / "one.match").exists()
        )
        assert "??" not in (tmp_path / "one.match").read_text()
        assert match.record().unaided


async def test_copy_while_looking_back_draws_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "think", lambda *_: None)
    won = new_match(parse_game_id("chocobar:2x2"), ("human", "club"))
    for move in won.game.parse_moves("(2,2) (1,2) (2,1)", won.position):
        won.play(move)
    end = str(won.position)
    async with running(ArcadeApp(won)) as (app, pilot):
        await rested(pilot)
        await pilot.press("comma", "comma", "y")
        assert app.clipboard.endswith(f"{{\n{end}\n}}\n")


async def test_status_after_an_engine_failed_offers_to_play_on(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(app_of("chocobar:3x4", "human", "random")) as (app, pilot):
        await rested(pilot)
        with monkeypatch.context() as broken:
            broken.setattr(RandomPlayer, "choose", failing(RuntimeError("no idea")))
            await pressed(pilot, "command:type", *"3,4", "enter", until=lambda: "no idea" in said(app))
        assert "is thinking" not in painted(app)
        assert "play on" in painted(app)
        await pressed(pilot, "p", until=lambda: len(screen_of(app).match.plies) == 2)

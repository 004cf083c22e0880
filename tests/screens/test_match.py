"""The match screen that all games share, shown on Chocobar."""

import re
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
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
from arcade.engines.explanations import Explanations
from arcade.engines.files import write_text
from arcade.engines.move_lists import parse_moves
from arcade.engines.players import RandomPlayer
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.verdict import DuelVerdict, Hint, Proof, Value
from arcade.play import files as match_file
from arcade.play.headless import play_to_end
from arcade.play.keymap import DEFAULT_KEYS
from arcade.play.match import Mark, Match, new_match
from arcade.play.sentences import chat_text, result_sentence
from arcade.play.state import SPEEDS, what_next
from arcade.screens.dialogs import Prompt, SeatsDialog
from arcade.screens.match import MatchScreen
from arcade.screens.menu import MenuScreen
from arcade.services import Services
from arcade.store.file import FILE_NAME
from arcade.store.store import open_store
from arcade.textual_fixes import Palette
from arcade.widgets.keys import KeyFooter, TitleBar
from arcade.widgets.panels import HintPanel, MoveListPanel, ValueGraph, VerdictPanel
from tests.narrow import expect
from tests.oracle import Slow
from tests.play.finished import finished_match, rows_of
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
from tools.actions import in_match

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


async def begun(pilot: Pilot[None], match: Match) -> Any:
    """Put another match in the place of the one on the screen; returns the board."""
    screen = expect(MatchScreen, pilot.app.screen)
    pilot.app.clear_notifications()
    screen.session.begin(match)
    board: Any = screen.board
    board.cursor = (0, 0)
    await rested(pilot)
    return board


def match_of(text: str, *seats: str, moves: str = "") -> Match:
    match = new_match(parse_game_id(text), seats or ("human", "perfect"))
    for move in parse_moves(match.game, moves, match.position):
        match.play(move)
    return match


def notes(app: ArcadeApp) -> list[str]:
    return [note.message for note in app._notifications]


@pytest.mark.parametrize("size", [(80, 24), (40, 24)])
async def test_match_is_played_by_keys_and_by_clicks(size: tuple[int, int]) -> None:
    app = app_of("chocobar:3x4")
    async with opened(app, size) as (pilot, screen):
        # The cursor begins where Enter is a legal move that eats one square.
        assert screen.board.cursor == (2, 3)  # type: ignore[attr-defined]  # Chocobar's is a grid
        await pilot.press(*["up", "left"] * 3, "enter")
        assert plies_of(app) == []
        assert len(notes(app)) == 1, "the poison is refused"
        await pressed(pilot, "right", "down")
        assert "Eats 6 squares, leaves 6" in screen.status()
        board = await begun(pilot, match_of("chocobar:2x2"))
        await pressed(pilot, "w", "h", "l", "s", "enter", until=lambda: len(screen.match.plies) == 2)
        await pilot.press("space")
        await settled(pilot, lambda: screen.match.result is not None)
        assert plies_of(app)[0] == "(2,2)"
        ended = str(screen.query_one(VerdictPanel).content)
        assert "You win: Second has nothing left but the poison." in ended
        board = await begun(pilot, match_of("chocobar:2x2"))
        await pilot.click("#board-0", offset=board.region_of((1, 1)).center)
        await settled(pilot, lambda: len(screen.match.plies) == 2)
        reply = (0, 1) if plies_of(app)[1] == "(2,1)" else (1, 0)
        await pilot.click("#board-0", offset=board.region_of(reply).center)
        await settled(pilot, lambda: screen.match.result is not None)
        assert screen.match.winner == "First"


async def test_too_small_terminal_shows_needed_size_and_preserves_state() -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pilot.press("left", "up")
        await resized(pilot, 30, 10)
        assert "needs 40x20" in str(app.screen.query_one("#too-small").render())
        await pilot.resize_terminal(80, 24)
        await settled(pilot, lambda: not app.screen.query("#too-small"))
        assert screen_of(app).board.cursor == (1, 2)  # type: ignore[attr-defined]  # Chocobar's is a grid
        # A click on what was just removed does no harm.
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


async def click_word(pilot: Pilot[None], selector: str, word: str) -> None:
    widget = pilot.app.screen.query_one(selector, Static)

    def drawn() -> list[str]:
        return [line.text for line in widget.render_lines(Region(0, 0, *widget.size))]

    def places() -> list[tuple[int, int]]:
        found = (re.finditer(rf"\b{word}\b", line) for line in drawn())
        return [(row, place.start()) for row, matches in enumerate(found) for place in matches]

    await settled(pilot, places)
    # The sentences before may have the same word.
    row, column = places()[-1]
    await clicked(pilot, selector, offset=(column + 1, row))


async def test_values_and_hints_work_by_keys_and_mouse(monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(app_of("chocobar:3x4")) as (pilot, screen):
        start, board = screen.match.position, screen.board
        panel, scroll = screen.query_one(HintPanel), screen.query_one("#hint-scroll")
        await settled(pilot, lambda: screen.match.analysis(start) is not None)
        assert "You win in 4 moves" in str(screen.query_one(VerdictPanel).content)
        assert not board.view.values
        await pilot.press("v")
        assert [str(each.move) for each in board.view.values if each.best] == ["(2,3)"]
        assert not board.view.lengths
        await pilot.press("v")
        assert board.view.lengths
        await pilot.press("v")
        assert not board.view.values
        # The three steps of a hint, and its line on the board.
        await pressed(pilot, "i", until=lambda: screen.session.state.hint is not None)
        assert "Look" in str(panel.content)
        assert "(2,3)" not in str(panel.content)
        assert board.view.hinted is None
        await pilot.press("i")
        assert "(2,3)" in str(panel.content)
        assert str(board.view.hinted) == "(2,3)"
        await pressed(pilot, "i")
        assert screen.session.state.hint_step == 3
        assert scroll.max_scroll_y == 0, "the last step is in sight in a small terminal"
        await pilot.press("full_stop", "full_stop")
        assert screen.session.state.walked == 2
        assert board.view.position != start
        assert screen.match.position == start
        await pilot.press("comma", "escape")
        assert board.view.position == start
        await pilot.press("escape")
        assert not panel.display
        assert screen.match.hints == [1, 0]
        # The same by mouse.
        await pressed(pilot, "i", until=lambda: screen.session.state.hint is not None)
        await click_word(pilot, "#hint", "show the move")
        await click_word(pilot, "#hint", "show the reason")
        assert screen.session.state.hint_step == 3
        await click_word(pilot, "#hint", "to see")
        await click_word(pilot, "#status", "on")
        assert screen.session.state.walked == 2
        await click_word(pilot, "#hint", "back")
        await click_word(pilot, "#status", "to the match")
        assert screen.session.state.walked == 0
        assert board.view.position == screen.match.position
        # Whoever waits for a hint is told so.
        found, hints = threading.Event(), Explanations.hints

        def slow(*arguments: Any) -> Iterator[Hint[Any]]:
            found.wait(20)
            return hints(*arguments)

        monkeypatch.setattr(Explanations, "hints", slow)
        await begun(pilot, match_of("chocobar:3x4", "human", "human"))
        status = screen.query_one("#status", Static)
        await pilot.press("i")
        await settled(pilot, lambda: str(status.render()) == "Looking for a hint.")
        found.set()
        await settled(pilot, lambda: screen.session.state.hint is not None)
        assert str(status.render()) != "Looking for a hint."


@pytest.mark.slow
async def test_engine_match_is_controlled_by_keys_and_mouse(monkeypatch: pytest.MonkeyPatch) -> None:
    seats = ("fallible:3", "random")
    expected = play_to_end(new_match(parse_game_id("chocobar:5x6"), seats, seed=7))
    app = app_with(new_match(parse_game_id("chocobar:5x6"), seats, seed=7))
    async with opened(app) as (pilot, screen):
        await rested(pilot)
        assert screen.scene.paused
        assert screen.match.plies == []
        await pressed(pilot, "full_stop", until=lambda: len(screen.match.plies) == 1)
        await pilot.press("plus", "minus", "minus")
        assert screen.session.state.speed == 1
        await pilot.press("p", "p")
        assert screen.scene.paused
        await click_word(pilot, "#status", "one move")
        await settled(pilot, lambda: len(screen.match.plies) == 2)
        await click_word(pilot, "#status", "continue")
        assert not screen.scene.paused
        await click_word(pilot, "#status", "faster")
        assert screen.session.state.speed == 2
        await click_word(pilot, "#status", "slower")
        assert screen.session.state.speed == 1
        await click_word(pilot, "#status", "pause")
        assert screen.scene.paused
        assert screen.query_one(TitleBar)._words[1] == screen.scene.progress
        screen.session.state = replace(screen.session.state, speed=len(SPEEDS) - 1)
        await pressed(pilot, "p", until=lambda: screen.match.result is not None)
        assert plies_of(app) == list(map(str, expected.moves)), "as without a screen"
        # The graph shows every move that was possible.
        await begun(pilot, match_of("chocobar:3x4", "random", "random"))
        await pressed(pilot, "command:graph", "p", until=lambda: screen.match.result is not None)
        await settled(pilot, lambda: all(ply.mark for ply in screen.match.plies))
        graph = screen.query_one(ValueGraph)
        assert graph.display
        assert not screen.query_one(MoveListPanel).display
        rows = graph.rows(screen.scene)
        assert len(rows) == len(screen.match.plies) + 2
        for row in rows[2:]:
            assert sum(text == screen.glyphs.played for text, _ in row) == 1
        # A jump to a move forgets none that follow it.
        total = len(screen.match.plies)
        await pressed(pilot, "command:graph")
        await clicked(pilot, "#moves", offset=(6, 0))
        assert (len(screen.match.plies), len(screen.match.undone)) == (1, total - 1)
        assert screen.scene.paused
        await pilot.press("full_stop")
        assert len(screen.match.plies) == 2
        await pilot.press("command:restart")
        assert len(screen.match.undone) == total
        # An engine that has failed is not said to think: it may play on.
        await begun(pilot, match_of("chocobar:3x4", "human", "random"))
        with monkeypatch.context() as broken:
            broken.setattr(RandomPlayer, "choose", failing(RuntimeError("no idea")))
            await pressed(
                pilot, "command:type", *"3,4", "enter", until=lambda: "no idea" in "".join(notes(app))
            )
        assert "is thinking" not in painted(app)
        assert "continue" in painted(app)
        await pressed(pilot, "p", until=lambda: len(screen.match.plies) == 2)


@pytest.mark.slow
async def test_clicks_beside_the_board_and_hidden_panels_leave_play_usable() -> None:
    app = app_of("chocobar:3x4", "human", "human")
    async with opened(app, (100, 50)) as (pilot, screen):
        await pilot.pause()
        # A click beside the board leaves the arrows to it.
        for selector in ("#moves", "#graph", "#verdict", "#seats", "#status"):
            await pilot.click(selector)
            await pilot.press("left", "up", "enter")
            assert plies_of(app) == ["(2,3)"], selector
            await pilot.click(selector, offset=(screen.query_one(selector).size.width - 2, 0))
            assert screen.board.has_focus, selector
            await pilot.press("command:restart", "right", "right")
        # The graph is offered where it is not in sight anyway.
        for lines, offered in ((24, True), (50, False)):
            await resized(pilot, 100, lines)
            await pilot.pause()
            active = {each.binding.action for each in app.screen.active_bindings.values() if each.enabled}
            assert (in_match("graph") in active) is offered
            assert screen.query_one(ValueGraph).display is not offered
        # What the end offers is clicked.
        await resized(pilot, 80, 24)
        await begun(pilot, match_of("chocobar:2x2", "human", "perfect"))
        await pilot.press("right", "enter")
        await rested(
            pilot, lambda: screen.match.result is not None and screen.match.plies[0].mark is not None
        )
        ended = str(screen.query_one(VerdictPanel).content)
        assert "You lose: you have nothing left but the poison." in ended
        assert "You gave the win away with move 1: (2,2) was right." in ended
        await pilot.press("Y")
        full = str(screen.query_one(VerdictPanel).content)
        assert "You gave the win away with (1,2) instead of (2,2), move 1: " in full
        await pilot.press("Y")
        assert str(screen.query_one(VerdictPanel).content) == ended
        assert not screen.query_one(MoveListPanel).display, "on a low screen the card takes its place"
        await click_word(pilot, "#verdict", "better moves")
        assert not screen.match.plies
        await settled(pilot, lambda: "Find a better move" in str(screen.query_one(VerdictPanel).content))
        # A scrollbar that comes later stands where the list does.
        long = match_of("chocobar:6x6", "human", "human")
        while len(long.plies) < 34:
            long.play(long.position.moves()[-1])
        await begun(pilot, long)
        moves = screen.query_one(MoveListPanel)
        await settled(pilot, lambda: moves.scroll_y > 0)
        moves.scroll_to(y=0, animate=False, immediate=True)
        moves.show_vertical_scrollbar = False
        assert moves.scroll_y == 0
        moves.show_vertical_scrollbar = True
        assert moves.vertical_scrollbar.position == moves.scroll_y > 0


@pytest.mark.slow
async def test_resigning_and_the_seats_move_and_open_dialogs_work() -> None:
    app = app_of("chocobar:3x4")
    async with opened(app) as (pilot, screen):
        footer = screen.query_one(KeyFooter)
        await settled(pilot, lambda: "Hint" in str(footer.render()))
        # Whoever resigns is asked, and can take it back.
        for key in ("q", "enter"):
            await pilot.press("command:resign", key)
            assert app.screen is screen
            assert screen.match.result is None
        await pressed(pilot, "command:resign", "y")
        assert result_sentence(screen.match) == "Second wins: First resigned."
        await pilot.press("u")
        assert screen.match.result is None
        # Who won does not change when the match is over.
        app.clear_notifications()
        await pressed(
            pilot,
            "command:resign",
            "y",
            "command:seats",
            until=lambda: "Hint" not in str(footer.render()),
        )
        assert app.screen is screen
        await pressed(pilot, "command:resign")
        assert app.screen is screen
        assert set(notes(app)) == {what_next(DEFAULT_KEYS)}
        assert screen.match.seats == ["human", "perfect"]
        await reached(pilot, SeatsDialog, "u", "command:seats")
        # The match may end while somebody looks at the seats.
        screen.match.resign(0)
        await pilot.click("#swap")
        await clicked(pilot, "#ok")
        assert screen.match.seats == ["human", "perfect"]
        # Before the end they are swapped.
        await begun(pilot, match_of("chocobar:3x4"))
        await pilot.press("command:seats")
        await pilot.click("#swap")
        await pilot.click("#ok")
        await settled(pilot, lambda: len(screen.match.plies) == 1)
        assert screen.match.seats == ["perfect", "human"]
        # A move is typed.
        await begun(pilot, match_of("chocobar:3x4"))
        await pressed(pilot, "command:type", *"9,9", "enter")
        assert not screen.match.plies
        # The error appears where the text was typed, so that it can be corrected.
        assert str(expect(Prompt, app.screen).query_one(".error", Static).content).endswith(".")
        await pilot.press(*["backspace"] * 3, *"2,3", "enter")
        await settled(pilot, lambda: len(screen.match.plies) == 2)
        assert plies_of(app)[0] == "(2,3)"
        # A new match on a board of another size begins.
        await begun(pilot, match_of("chocobar:3x4"))
        await pressed(pilot, "n")
        app.screen.query_one("#parameter-rows").focus()
        await pilot.press("home", "delete", "9", "9", "enter")
        assert "1 to 18" in str(app.screen.query_one(".error").render())
        await pressed(pilot, "home", "delete", "delete", "2", "enter")
        assert screen_of(app).match.start.game.parameters.text(screen_of(app).match.parameters) == "2x4"
        # A game ID and a position are opened.
        await pressed(pilot, "command:open_match", *"chocobar:2x5", "enter")
        assert screen_of(app).match.position.text() == "5.5"
        await pressed(pilot, "command:open_match", *"4.4.1", "enter")
        assert screen_of(app).match.position.text() == "4.4.1"
        await pressed(pilot, "command:open_match", *"1.2", "enter")
        assert str(expect(Prompt, app.screen).query_one(".error", Static).content).endswith(".")
        await pressed(pilot, "escape")
        assert screen_of(app).match.position.text() == "4.4.1"


async def test_open_match_resumes_at_next_start_or_from_menu() -> None:
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
        await reached(pilot, MenuScreen, "q")
        await pressed(pilot, "p")
        assert plies_of(app) == played
    with open_store() as store:
        assert len(store.matches()) == 1


@pytest.mark.slow
async def test_reviewing_a_listed_match_changes_nothing(data_folder: Path) -> None:
    app, match = app_with(), finished_match(resigned=False)
    app.services.save_match(match, None)
    before, tally = rows_of(data_folder), app.services.win_loss_counts()
    async with app.run_test(size=(80, 24)) as pilot:
        for keys in (
            "command:restart right right enter u",
            "m right enter down enter",
            "i comma i i i full_stop",
        ):
            await pilot.pause()
            app.screen.query_one("#recent").focus()
            await pilot.press("enter")
            await rested(pilot, lambda: isinstance(app.screen, MatchScreen))
            assert screen_of(app).match.record() == match.record()
            for key in keys.split():
                await pilot.press(key)
                await rested(pilot)
            await pilot.click("#moves", offset=(6, 0))
            await rested(pilot)
            await pressed(pilot, "escape", "q")
            assert isinstance(app.screen, MenuScreen), keys
            assert app.services.win_loss_counts() == tally, keys
            offered = {each.binding.description for each in app.screen.active_bindings.values()}
            assert "Continue" not in offered, keys
            assert rows_of(data_folder) == before, keys


async def test_damaged_data_file_is_reported_and_match_continues(data_folder: Path) -> None:
    data_folder.mkdir()
    (data_folder / FILE_NAME).write_text("no store " * 100)
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pilot.press("right", "right", "right", "enter")
        await settled(pilot, lambda: len(screen_of(app).match.plies) == 2)
        assert [FILE_NAME in note.message for note in app._notifications] == [True]
    assert (data_folder / FILE_NAME).read_text() == "no store " * 100


async def test_undo_and_quit_work_while_the_engine_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pilot.pause()
        monkeypatch.setitem(get_game("chocobar").__dict__, "solver", Slow())
        screen = screen_of(app)
        thinks = lambda: screen.session.busy and screen.match.player_to_move == "perfect"  # noqa: E731
        await pressed(pilot, "right", "right", "right", "enter", until=thinks)
        await pilot.press("u")
        assert screen.match.plies == []
        await pressed(pilot, "enter", until=thinks)
        # Waiting for the solver would never end.
        await reached(pilot, MenuScreen, "q")


async def test_command_list_help_title_bar_and_verification_work(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await rested(pilot)
        commands = {command.title: command for command in app.get_system_commands(app.screen)}
        for words in ("New", "Hint", "Values", "Copy", "Resign", "Play Chocobar", "Settings", "Quit"):
            assert words in commands
        await reached(pilot, Palette, "colon")
        await reached(pilot, MatchScreen, "escape")
        # The help names the live keys.
        await pressed(pilot, "question_mark")
        keys = {words: shown for shown, words in app.screen.rows}  # type: ignore[attr-defined]  # HelpScreen
        assert keys["Hint: where to look, which move, why"] == "i"
        assert "poisoned" in app.screen.rules  # type: ignore[attr-defined]  # HelpScreen
        await reached(pilot, MatchScreen, "q")
        # Work in the title line gives way to what matters.
        bar = app.screen.query_one(TitleBar)
        for busy, kept in (("working", True), ("w" * 60, False)):
            bar.show("Honshu 9x12 #260261", "move 22 of 24", busy)
            told = str(bar.render())
            assert (busy in told) == kept
            assert told.endswith("move 22 of 24  : more")
            assert len(told) == bar.content_size.width
        # The verdict can be proved again.
        prove = commands["Prove"].callback
        prove()
        await settled(pilot, lambda: any("Verified" in note for note in notes(app)))
        assert said(app).startswith("Verified: A brute-force search visited all reachable positions (")
        solver = get_game("chocobar").solver
        monkeypatch.setattr(solver, "verdict", lambda *_: DuelVerdict(Proof.EXACT, Value.LOSS, 6))
        prove()
        await settled(pilot, lambda: "WRONG" in said(app))
        assert "the other player wins in 3 moves" in said(app)


def welcomed(app: ArcadeApp) -> bool:
    panel = screen_of(app).query_one(HintPanel)
    return "Move  " in str(panel.content) and screen_of(app).query_one("#hint-scroll").display


async def test_first_match_explains_moving_hints_and_leaving(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Services, "has_seen", lambda self, game: game in self.state.played.split())
    async with running(app_of("chocobar:2x3", "random", "random")) as (app, pilot):
        await rested(pilot)
        assert not welcomed(app), "engines are told nothing"
        await begun(pilot, match_of("chocobar:2x3"))
        assert welcomed(app)
        words = str(screen_of(app).query_one(HintPanel).content)
        assert "Move  Use the arrow keys and" in words
        assert get_game("chocobar").teaching.goal in words
        assert get_game("chocobar").teaching.picture in words
        assert "R hide" in words
        footer = {entry.description for entry in screen_of(app).query_one(KeyFooter).entries}
        assert footer == {"Help", "Back", "New", "Hint", "Values"}, "and nothing that is only in the list"
        # A hint takes its place, and gives it back.
        await pressed(pilot, "i", until=lambda: screen_of(app).session.state.hint is not None)
        assert not welcomed(app)
        await pilot.press("escape")
        assert welcomed(app)
        # Who has moved knows how, in the next match too.
        await pilot.press("right", "enter")
        assert not welcomed(app)
        assert app.services.store.words("state")["played"] == "chocobar"
        await begun(pilot, match_of("chocobar:2x3"))
        assert not welcomed(app)
        # One key brings it back, also in place of a hint, and hides it.
        await pressed(pilot, "i", until=lambda: screen_of(app).session.state.hint is not None)
        await pilot.press("R")
        assert welcomed(app)
        await pilot.press("R")
        assert not welcomed(app)
        await pilot.press("R", "escape")
        assert not welcomed(app)
        await pilot.press("escape", "R", "right", "enter")
        assert not welcomed(app), "a move puts it away"
        # It can be put away.
        app.services.remember(played="")
        await begun(pilot, match_of("chocobar:2x3"))
        assert welcomed(app)
        await pilot.press("escape")
        assert not welcomed(app)
        assert app.services.store.words("state")["played"] == "chocobar"


async def test_copied_and_saved_matches_can_be_reopened(
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
        assert "already exists" in str(app.screen.query_one(".error", Static).content)
        # A wrong move is refused by its number.
        await pilot.press("escape", "command:restart", "command:open_match")
        app.post_message(events.Paste(copied.replace("1. (2,2)", "1. (7,7)")))
        await pilot.press("enter")
        assert "Move 1, '(7,7)', cannot be played" in str(app.screen.query_one(".error", Static).content)
        await pilot.press("escape", "command:open_match")
        app.post_message(events.Paste(copied))
        await pressed(pilot, "enter", until=lambda: len(screen_of(app).match.plies) == 2)
        assert screen_of(app).match.moves == Match.from_record(record).moves
        before = len(app.services.store.matches())
        finished = play_to_end(new_match(parse_game_id("hexapawn:3x3"), ("random", "random"), seed=1))
        write_text("two.match", match_file.write(finished.record()))
        await pilot.press("command:open_match", *"two.match", "enter")
        await settled(pilot, lambda: screen_of(app).match.game.name == "hexapawn")
        assert screen_of(app).match.finished
        await settled(pilot, lambda: not screen_of(app).session.busy)
        assert len(app.services.store.matches()) == before, "a match from elsewhere is none of one's own"


async def test_copied_text_depends_on_the_match_state(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    won = match_of("chocobar:2x2", "human", "club", moves="(2,2) (1,2) (2,1)")
    end = str(won.position)
    async with running(app_with(won)) as (app, pilot):
        await rested(pilot)
        # On the end card the result is copied for a chat.
        await pilot.press("y")
        assert app.clipboard == chat_text(screen_of(app).match)
        assert app.clipboard.startswith("Chocobar 2x2: I beat Club in 3 moves\n🟩🟩 2 of 2 right\n")
        assert said(app) == "Result copied. Paste it into a chat."
        # Looking back, the match itself is, with a drawing of its end.
        for _ in range(2):
            await pilot.press("comma", "y")
            assert match_file.read(app.clipboard) == won.record()
            assert app.clipboard.endswith(f"{{\n{end}\n}}\n")
        # A running match has no marks where its coach hides them.
        match = match_of("chocobar:3x4", "human", "human", moves="(2,2) (1,2)")
        for ply in match.plies:
            ply.mark = Mark.BLUNDER
        app.change("coach", "quiet")
        await begun(pilot, match)
        await pressed(pilot, "y")
        assert "1. (2,2) 2. (1,2) *" in app.clipboard
        await pressed(
            pilot, "command:write", *"one", "enter", until=lambda: (tmp_path / "one.match").exists()
        )
        assert "??" not in (tmp_path / "one.match").read_text()
        assert match.record().unaided


async def test_variation_and_punishment_are_shown_in_review() -> None:
    async with running(app_of("chocobar:4x5", "human", "human"), size=(100, 30)) as (app, pilot):
        await rested(pilot)
        screen, session = screen_of(app), screen_of(app).session
        for text in ("2,2", "4,1", "1,2", "2,1"):
            session.play(session.match.game.parse_move(text, session.branch))
            await rested(pilot)
        session.go_to(2)
        for text in ("1,4", "2,1"):
            session.play(session.match.game.parse_move(text, session.branch))
        await rested(pilot)
        moves = screen.query_one(MoveListPanel)
        rows = ["".join(text for text, _ in row).split() for row in moves.rows(screen.scene)]
        assert [row[0] for row in rows] == ["1", "3", "└"]
        assert rows[2] == ["└", "3", "(1,4)", "(2,1)"]
        # Its moves can be clicked, as those of the match.
        await pilot.click(MoveListPanel, offset=(moves.size.width // 4, 2))
        await rested(pilot)
        assert screen.scene.variation is not None
        assert (screen.scene.variation.tried, screen.scene.progress) == (1, "variation, move 3")
        # The board shows the mistake without leaving it.
        await pressed(pilot, "t", until=lambda: screen.scene.still is not None)
        assert screen.board.view == screen.scene.still
        await pressed(pilot, "t")
        assert screen.board.view == screen.scene.board
        assert screen.scene.variation.tried == 1

"""What a random finger found once, and must not find again."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import product
from typing import Any

import pytest
from textual import _time, events
from textual.screen import Screen
from textual.widgets import Input

from arcade.app import ArcadeApp
from arcade.engines.registry import get_game
from arcade.screens.dialogs import NewMatchDialog, Prompt, SettingsScreen
from arcade.screens.match import MatchScreen
from arcade.screens.menace.machines import MachinesDialog, WallScreen
from arcade.screens.menu import MenuScreen
from arcade.screens.navigation import ChooseMatch, OpenMatch
from arcade.textual_fixes import Palette
from arcade.widgets.board import GridBoard
from tests.engines.test_conformance import SMALL
from tests.screens.pilots import back_to_menu, match_of, running, top_screen
from tests.screens.starts import came, hand, key_event, resize, send, settle, until

pytestmark = pytest.mark.usefixtures("instant")


@pytest.mark.slow
@pytest.mark.usefixtures("drawn")
async def test_palette_takes_keys_while_it_opens_and_closes() -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        # Before the list is there.
        for key in ("pageup", "pagedown", "home", "end", "up", "down"):
            hand(app, *map(key_event, ("ctrl+p", "u", *[key] * 3)))
            await came(pilot, Palette)
            await send(pilot, *[key_event(key)] * 2)
            assert app.is_running, key
            await send(pilot, key_event("escape"))
            await until(pilot, lambda: not isinstance(app.screen, Palette))

        # It opens again while it closes.
        for _ in range(3):
            hand(app, *map(key_event, ("ctrl+p", "escape") * 5))
            await settle(pilot)
        assert len(app.screen_stack) == 1


async def test_clock_jumps_and_late_calls_do_not_crash(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app, done, away = ArcadeApp(warm=False), asyncio.Event(), iter(range(5))
    async with app.run_test():
        with monkeypatch.context() as context:
            # A second goes by from one look at the clock to the next, a few times. What is to be done
            # later is done all the same, such as an engine's move, for which a match waits.
            context.setattr(_time, "get_time", lambda: time.monotonic() + next(away, 5))
            app.call_later(MenuScreen.later, app.screen, 0.01, done.set)
            with suppress(TimeoutError):
                await asyncio.wait_for(done.wait(), 1)
        assert done.is_set()
        # What is not found any more when the arcade ends is no crash.
        app.call_later(app.screen.query_one, "#gone")
        app.exit()
    assert app.return_code == 0
    # A key that comes then is not heard.
    assert not app.screen_stack
    await app.on_event(key_event("q"))


@pytest.mark.slow
async def test_dialog_requested_twice_opens_and_closes_once() -> None:
    """As two messages ask that come before the screen has followed the first."""
    app = ArcadeApp(warm=False)
    asked: list[tuple[Callable[[], None], type[Screen[Any]]]] = [
        (partial(app.opener.choose_match, ChooseMatch(get_game("chocobar"))), NewMatchDialog),
        (app.action_command_palette, Palette),
        (app.action_settings, SettingsScreen),
    ]
    async with app.run_test() as pilot:
        for ask, opened in asked:
            ask()
            ask()
            await settle(pilot)
            assert [type(each) for each in app.screen_stack[1:]] == [opened]
            screen = app.screen
            for _ in range(2):
                screen.dismiss(None)
            await settle(pilot)
            assert len(app.screen_stack) == 1


@pytest.mark.usefixtures("instant_race")
async def test_double_click_plays_only_one_move(monkeypatch: pytest.MonkeyPatch) -> None:
    # On a busy machine the second click comes late.
    monkeypatch.setattr(ArcadeApp, "CLICK_CHAIN_TIME_THRESHOLD", 60)
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        for texts in SMALL.values():
            match = match_of(texts[0])
            app.open_match(OpenMatch(match))
            await settle(pilot)
            screen = top_screen(app, MatchScreen)
            assert screen.match is match
            board, move = screen.board, match.position.moves()[0]
            for _ in range(2):
                board.post_message(board.Play(board, move))
            await settle(pilot)
            assert [ply.move for ply in match.plies] == [move]
            assert not app._notifications

        # A double click of the mouse is one move, too.
        app.open_match(OpenMatch(match_of(SMALL["honshu"][0])))
        screen = await came(pilot, MatchScreen)
        board = screen.board
        assert isinstance(board, GridBoard)
        position = board.view.position
        rows, columns = map(range, board.shape)
        cell = next(cell for cell in product(rows, columns) if board.move_at(cell) in position.moves())
        at = board.region.offset + board.region_of(cell).offset
        for kind in (events.MouseMove, events.MouseDown, events.MouseUp) * 2:
            button = int(kind is not events.MouseMove)
            await send(pilot, kind(None, *at, 0, 0, button, False, False, False, *at))
        assert len(screen.match.plies) == 1
        assert not app._notifications


@pytest.mark.usefixtures("drawn")
async def test_closed_match_runs_no_jobs() -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        # It is left before it is painted.
        app.open_match(OpenMatch(match_of("chocobar:3x4")))
        screen = top_screen(app, MatchScreen)
        await until(pilot, lambda: screen.is_mounted)
        screen.action_leave()
        screen._painted()
        assert not screen.session.busy
        await until(pilot, lambda: len(app.screen_stack) == 1)

        # What opens it comes after it was left.
        app.open_match(OpenMatch(match_of("honshu:5x2#1", "human")))
        screen = top_screen(app, MatchScreen)
        await until(pilot, lambda: screen.is_mounted)
        await app.pop_screen()
        screen._open()
        screen.show()
        assert not screen.session.busy


@pytest.mark.slow
async def test_tiny_lists_and_huge_numbers_do_not_crash() -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        # Page keys in lists without a line.
        wall = WallScreen("menace")
        app.push_screen(wall)
        await until(pilot, lambda: wall.machine is not None)
        await send(pilot, key_event("c"))
        await until(pilot, lambda: isinstance(app.screen, MachinesDialog))
        await resize(pilot, 1, 1)
        await send(pilot, *map(key_event, ("pageup", "pagedown") * 2))
        await pilot.pause()
        await resize(pilot, 80, 24)
        app.opener.choose_match(ChooseMatch(get_game("honshu")))
        await settle(pilot)
        await send(pilot, key_event("shift+tab"), key_event("enter"))
        await resize(pilot, 1, 1)
        await send(pilot, *map(key_event, ("pageup", "pagedown") * 2))
        await pilot.pause()
        await resize(pilot, 80, 24)
        assert app.is_running
        await back_to_menu(pilot)

        # A long number pasted anywhere is refused.
        digits = "9" * 5000
        for text in (digits, f"chocobar:{digits}x3", f"honshu:{digits}", f"honshu#{digits}"):
            app.action_open_id()
            await settle(pilot)
            await send(pilot, events.Paste(text), key_event("enter"))
            # The error appears where the text was typed.
            assert isinstance(app.screen, Prompt), text[:12]
            await pilot.pause()
            await send(pilot, key_event("escape"))
            assert len(app.screen_stack) == 1, text[:12]
        for name in ("chocobar", "honshu", "tetromino"):
            app.opener.choose_match(ChooseMatch(get_game(name)))
            await settle(pilot)
            # Of the others only what takes a text.
            for widget in app.screen.focus_chain:
                if name == "chocobar" or isinstance(widget, Input):
                    widget.focus()
                    await send(pilot, events.Paste(digits))
            await pilot.pause()
            await send(pilot, key_event("ctrl+s"))
            await send(pilot, key_event("escape"), key_event("escape"))
        assert app.is_running

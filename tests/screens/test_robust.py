"""What a random finger found once, and must not find again."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from textual import _time, events
from textual._styles_cache import StylesCache
from textual.command import CommandList
from textual.screen import Screen

from arcade.app import ArcadeApp
from arcade.engines.registry import get_game, parse_game_id
from arcade.play.match import new_match
from arcade.screens.dialogs import NewMatchDialog, Prompt, SettingsScreen
from arcade.screens.machines import MachinesDialog, WallScreen
from arcade.screens.match import MatchScreen
from arcade.screens.menu import MenuScreen
from arcade.screens.navigation import ChooseMatch, OpenMatch
from arcade.terminal.app import Palette
from arcade.widgets.board import GridBoard
from tests.engines.test_conformance import SMALL
from tests.screens.honshu_fake import InstantRace
from tests.screens.pilots import running, top_screen
from tests.screens.starts import came, hand, key_event, resize, send, settle, until

pytestmark = pytest.mark.usefixtures("instant", "drawn")


async def test_the_palette_takes_keys_before_it_has_a_list() -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        for key in ("pageup", "pagedown", "home", "end", "up", "down"):
            hand(app, *map(key_event, ("ctrl+p", "u", *[key] * 5)))
            await came(pilot, Palette)
            for _ in range(5):
                await send(pilot, key_event(key))
            assert app.is_running, key
            await send(pilot, key_event("escape"))
            await until(pilot, lambda: not isinstance(app.screen, Palette))


async def test_a_key_on_its_way_to_a_list_of_commands_that_is_gone_does_nothing() -> None:
    app = ArcadeApp(warm=False)
    async with app.run_test() as pilot:
        app.action_command_palette()
        await until(pilot, lambda: isinstance(app.screen, Palette) and app.screen.query(CommandList))
        await app.screen.query(CommandList).remove()
        for action in ("command_list('page_down')", "cursor_down"):
            assert await app.run_action(action, app.screen)


async def test_what_is_not_found_any_more_when_the_arcade_ends_is_no_crash() -> None:
    app = ArcadeApp(warm=False)
    async with app.run_test():
        app.call_later(app.screen.query_one, "#gone")
        app.exit()
    assert app.return_code == 0


async def test_what_is_to_be_done_later_is_done_though_the_processor_is_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such as an engine's move, without which a match stands still for ever."""
    app, done, away = ArcadeApp(warm=False), asyncio.Event(), iter(range(5))
    async with app.run_test():
        with monkeypatch.context() as context:
            # A second goes by from one look at the clock to the next, a few times.
            context.setattr(_time, "get_time", lambda: time.monotonic() + next(away, 5))
            app.call_later(MenuScreen.later, app.screen, 0.01, done.set)
            with suppress(TimeoutError):
                await asyncio.wait_for(done.wait(), 1)
    assert done.is_set()


async def test_the_palette_opens_again_while_it_closes() -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        for _ in range(3):
            hand(app, *map(key_event, ("ctrl+p", "escape") * 5))
            await settle(pilot)
        assert len(app.screen_stack) == 1


async def test_what_is_asked_for_twice_opens_and_closes_once() -> None:
    """As two messages ask that come before the screen has followed the first."""
    app = ArcadeApp(warm=False)
    asked: list[tuple[Callable[[], None], type[Screen[Any]]]] = [
        (partial(app.choose_match, ChooseMatch(get_game("chocobar"))), NewMatchDialog),
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


async def test_a_second_click_on_a_move_plays_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", InstantRace())
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        for texts in SMALL.values():
            match = new_match(parse_game_id(texts[0]), ("human", "human"))
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


async def test_a_double_click_is_one_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(get_game("honshu").__dict__, "solver", InstantRace())
    # On a busy machine the second click comes late.
    monkeypatch.setattr(ArcadeApp, "CLICK_CHAIN_TIME_THRESHOLD", 60)
    app = ArcadeApp(new_match(parse_game_id(SMALL["honshu"][0]), ("human", "human")), warm=False)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await came(pilot, MatchScreen)
        board = screen.board
        assert isinstance(board, GridBoard)
        position = board.view.position
        cell = next(
            (row, column)
            for row in range(board.shape[0])
            for column in range(board.shape[1])
            if board.move_at((row, column)) in position.moves()
        )
        at = board.region.offset + board.region_of(cell).offset
        for kind in (events.MouseMove, events.MouseDown, events.MouseUp) * 2:
            button = int(kind is not events.MouseMove)
            await send(pilot, kind(None, *at, 0, 0, button, False, False, False, *at))
        assert len(screen.match.plies) == 1
        assert not app._notifications


async def test_a_key_that_comes_while_the_arcade_ends_is_not_heard() -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        await pilot.pause()
    assert not app.screen_stack
    await app.on_event(key_event("q"))


async def test_a_match_that_is_left_before_it_is_painted_is_not_worked_on() -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        app.open_match(OpenMatch(new_match(parse_game_id("chocobar:3x4"), ("human", "human"))))
        screen = top_screen(app, MatchScreen)
        await until(pilot, lambda: screen.is_mounted)
        screen.action_leave()
        screen._painted()
        assert not screen.session.busy


async def test_keys_are_lost_on_a_palette_without_its_list() -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        await send(pilot, key_event("ctrl+p"))
        await came(pilot, Palette)
        await app.screen.query(CommandList).remove()
        await send(pilot, *map(key_event, ("pagedown", "down", "enter")))
        assert isinstance(app.screen, Palette)


async def test_what_opens_a_match_may_come_after_it_was_left() -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        app.open_match(OpenMatch(new_match(parse_game_id("honshu:5x2#1"), ("human",))))
        screen = top_screen(app, MatchScreen)
        await until(pilot, lambda: screen.is_mounted)
        await app.pop_screen()
        screen._open()
        screen.show()
        assert not screen.session.busy


async def test_of_matches_that_are_left_nothing_drawn_is_kept() -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        for _ in range(8):
            app.open_match(OpenMatch(new_match(parse_game_id("chocobar:3x4"), ("human", "human"))))
            await came(pilot, MatchScreen)
            await send(pilot, key_event("q"))
            await until(pilot, lambda: not isinstance(app.screen, MatchScreen))
            await settle(pilot)
        # A dozen for each match where nothing lets go of them; the menu's own are half a dozen.
        assert StylesCache.get_inner_outer.cache_info().currsize < 50


async def test_lists_without_room_take_page_keys() -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        wall = WallScreen("menace")
        app.push_screen(wall)
        await until(pilot, lambda: wall.machine is not None)
        await send(pilot, key_event("c"))
        await until(pilot, lambda: isinstance(app.screen, MachinesDialog))
        await resize(pilot, 1, 1)
        for key in ("pageup", "pagedown") * 2:
            await send(pilot, key_event(key))
        await resize(pilot, 80, 24)
        app.choose_match(ChooseMatch(get_game("honshu")))
        await settle(pilot)
        await send(pilot, key_event("shift+tab"), key_event("enter"))
        await resize(pilot, 1, 1)
        for key in ("pageup", "pagedown") * 2:
            await send(pilot, key_event(key))
        assert app.is_running


async def test_a_long_number_pasted_anywhere_is_refused() -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        digits = "9" * 5000
        for text in (digits, f"chocobar:{digits}x3", f"honshu:{digits}", f"honshu#{digits}"):
            app.action_open_id()
            await settle(pilot)
            await send(pilot, events.Paste(text), key_event("enter"))
            # The error appears where the text was typed.
            assert isinstance(app.screen, Prompt)
            await send(pilot, key_event("escape"))
            assert len(app.screen_stack) == 1
        for name in ("chocobar", "honshu", "tetromino"):
            app.choose_match(ChooseMatch(get_game(name)))
            await settle(pilot)
            for _ in app.screen.focus_chain:
                await send(pilot, key_event("tab"), events.Paste(digits))
            await send(pilot, key_event("ctrl+s"))
            await send(pilot, key_event("escape"), key_event("escape"))
        assert app.is_running

"""The screens while another program has locked the saved games."""

import time
from collections.abc import Iterator

import pytest

from arcade.engines.registry import parse_game_id
from arcade.play.match import new_match
from arcade.screens.dialogs import LeaveUnsaved
from arcade.screens.menu import MenuScreen
from arcade.store.file import FILE_NAME
from arcade.store.store import open_store
from tests.narrow import present
from tests.play.test_locked_store import AGAIN, FAILED, Lock, saved_moves
from tests.screens.pilots import (
    app_of,
    app_with,
    painted,
    plies_of,
    pressed,
    reached,
    rested,
    running,
    said,
    settled,
)
from tests.screens.starts import hand, key_event, until


@pytest.fixture
def lock() -> Iterator[Lock]:
    """The lock, on a store with one match that is going on."""
    with open_store() as store:
        match = new_match(parse_game_id("chocobar:5x6"), ("human", "human"))
        match.play(match.position.moves()[-1])
        saved = store.save_match(match.record())
        store.set("in_play", str(saved[0]), "state")
        path = present(store.path)
    held = Lock(path)
    yield held
    held.release()


@pytest.mark.timed
async def test_first_paint_and_keys_do_not_wait_for_a_locked_file(lock: Lock) -> None:
    begun = time.monotonic()
    async with running(app_with()) as (app, pilot):
        await pilot.pause()
        assert "Chocobar" in painted(app)
        assert time.monotonic() - begun < 3
        await rested(pilot)
        for key in ("enter", "left", "up", "left"):
            begun = time.monotonic()
            await pressed(pilot, key)
            assert time.monotonic() - begun < 1


async def test_moves_made_while_the_file_is_locked_are_saved_by_themselves(lock: Lock) -> None:
    async with running(app_with()) as (app, pilot):
        await rested(pilot)
        folder = present(app.services.store.path).parent
        await pressed(pilot, "right", "enter", until=lambda: len(plies_of(app)) == 2)
        assert [len(moves) for moves in saved_moves(folder)] == [1]
        await settled(pilot, lambda: FAILED in said(app) if app._notifications else False)
        lock.release()
        await settled(pilot, lambda: said(app) == AGAIN)
        assert saved_moves(folder) == [plies_of(app)]


async def test_new_match_that_waits_is_in_the_menu_once_it_is_saved() -> None:
    app = app_of("chocobar:5x6")
    lock = Lock(present(app.services.store.path))
    async with running(app) as (_, pilot):
        await rested(pilot)
        await pressed(pilot, "right", "enter", until=lambda: len(plies_of(app)) == 1)
        menu = await reached(pilot, MenuScreen, "q")
        assert menu.saved == {}
        lock.release()
        await settled(pilot, lambda: len(menu.saved) == 1)


async def test_quitting_while_the_file_is_locked_asks_first() -> None:
    app = app_of("chocobar:5x6")
    folder = present(app.services.store.path).parent
    lock = Lock(folder / FILE_NAME)
    async with running(app) as (_, pilot):
        await rested(pilot)
        await pressed(pilot, "right", "enter", until=lambda: len(plies_of(app)) == 1)
        moves = plies_of(app)
        asked = await reached(pilot, LeaveUnsaved, "ctrl+q")
        assert "another program has locked the file. Leave although" in asked.question
        await pressed(pilot, "n", until=lambda: not isinstance(app.screen, LeaveUnsaved))
        lock.release()
        hand(app, key_event("ctrl+q"))
        await until(pilot, lambda: app._exit)
    assert app.farewell == ""
    assert saved_moves(folder) == [moves]


async def test_quitting_although_the_file_is_locked_leaves_the_match_in_a_file() -> None:
    app = app_of("chocobar:5x6")
    folder = present(app.services.store.path).parent
    lock = Lock(folder / FILE_NAME)
    async with running(app) as (_, pilot):
        await rested(pilot)
        await pressed(pilot, "right", "enter", until=lambda: len(plies_of(app)) == 1)
        await reached(pilot, LeaveUnsaved, "ctrl+q")
        hand(app, key_event("y"))
        await until(pilot, lambda: app._exit)
    (left,) = folder.glob("unsaved-*.match")
    assert str(left) in app.farewell
    lock.release()

"""The screens while another program has locked the saved games."""

import time
from collections.abc import Iterator
from functools import partialmethod

import pytest

from arcade.engines.registry import parse_game_id
from arcade.play.match import new_match
from arcade.screens.dialogs import Question
from arcade.screens.menu import MenuScreen
from arcade.services import Services
from arcade.store.file import FILE_NAME
from arcade.store.store import open_store
from tests.narrow import present
from tests.play.test_locked_store import AGAIN, FAILED, Lock, saved_moves
from tests.screens.pilots import (
    app_of,
    app_with,
    match_of,
    painted,
    play_next,
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


async def test_locked_file_does_not_delay_painting_or_keys(lock: Lock) -> None:
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


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The arcade gives up a locked file, says so and tries again much sooner."""
    for name in ("OPEN_SECONDS", "PROGRESS_INTERVAL", "RETRY_SECONDS"):
        monkeypatch.setattr(f"arcade.services.{name}", 0.1)
    monkeypatch.setattr(Services, "close", partialmethod(Services.close, 0.1))


@pytest.mark.usefixtures("hurried")
async def test_moves_made_while_file_is_locked_are_saved_later(lock: Lock) -> None:
    async with running(app_with()) as (app, pilot):
        await rested(pilot)
        folder = present(app.services.store.path).parent
        await pressed(pilot, "enter", until=lambda: len(plies_of(app)) == 2)
        assert [len(moves) for moves in saved_moves(folder)] == [1]
        await settled(pilot, lambda: FAILED in said(app) if app._notifications else False)
        lock.release()
        await settled(pilot, lambda: said(app) == AGAIN)
        assert saved_moves(folder) == [plies_of(app)]

        again = Lock(folder / FILE_NAME)
        await pressed(pilot, "enter", until=lambda: len(plies_of(app)) == 3)
        moves = plies_of(app)
        # Who quits meanwhile is asked first.
        asked = await reached(pilot, Question, "ctrl+q")
        assert "another program has locked the file. Leave although" in asked.question
        # Enter may have been pressed for something else.
        await pressed(pilot, "enter", until=lambda: not isinstance(app.screen, Question))
        assert [len(moves) for moves in saved_moves(folder)] == [2]
        again.release()
        hand(app, key_event("ctrl+q"))
        await until(pilot, lambda: app._exit)
    assert app.farewell == ""
    assert saved_moves(folder) == [moves]


@pytest.mark.usefixtures("hurried")
async def test_unsaved_match_is_written_elsewhere_on_quitting() -> None:
    app = app_of("chocobar:5x6")
    folder = present(app.services.store.path).parent
    lock = Lock(folder / FILE_NAME)
    async with running(app) as (_, pilot):
        await rested(pilot)
        await pressed(pilot, "right", "enter", until=lambda: len(plies_of(app)) == 1)
        menu = await reached(pilot, MenuScreen, "q")
        assert menu.saved == {}
        lock.release()
        # It is in the menu once it is saved.
        await settled(pilot, lambda: len(menu.saved) == 1)

        lock = Lock(folder / FILE_NAME)
        await play_next(pilot, match_of("chocobar:5x6"))
        await pressed(pilot, "right", "enter", until=lambda: len(plies_of(app)) == 1)
        await reached(pilot, Question, "ctrl+q")
        hand(app, key_event("y"))
        await until(pilot, lambda: app._exit)
    (left,) = folder.glob("unsaved-*.match")
    assert str(left) in app.farewell
    lock.release()

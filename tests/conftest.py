"""What all tests share."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from textual.app import App

from arcade.engines.game import Kind
from arcade.engines.registry import game_names, get_game
from arcade.settings import DEFAULTS, PLAYED
from tests.oracle import BruteForce

# Every app of a screen's test is a heap of new objects: looked through as often as by default they cost a
# quarter of the whole run.
gc.set_threshold(200_000, 20, 100)


def pytest_collection_finish() -> None:
    """What has been imported by now stays to the end: nobody need look at it again."""
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Nor at what is left: pytest would look through it five times, and be interrupted in it by xdist."""
    gc.freeze()


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test touches a person's own matches."""
    folder = tmp_path / "data"
    monkeypatch.setenv("ARCADE_DATA", str(folder))
    return folder


@pytest.fixture(autouse=True)
def old_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who sits here has played every game before, so nobody is told how to move."""
    monkeypatch.setitem(DEFAULTS, PLAYED, " ".join(game_names()))


@pytest.fixture
def instant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solvers without kernels: a busy kernel in the process would make every key press of a Pilot wait."""
    for name in game_names():
        game = get_game(name)
        if game.kind is Kind.DUEL:
            monkeypatch.setitem(game.__dict__, "solver", BruteForce())


@pytest.fixture(autouse=True)
def lasting_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a note must not vanish before a test has counted it."""
    monkeypatch.setattr(App, "NOTIFICATION_TIMEOUT", 3600)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A busy machine may paint or wake a thread later than a test waits; such tests may try again."""
    for item in items:
        if "screens" in item.path.parts or item.get_closest_marker("timed"):
            item.add_marker(pytest.mark.flaky(reruns=2))

"""What all tests share."""

import gc
import os
import signal
import sqlite3
import sys
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

from arcade.engines.game import RaceGame
from arcade.engines.position import Position
from arcade.engines.registry import game_names, get_game
from arcade.engines.verdict import Verdict
from arcade.services import Services
from arcade.store.settings import Settings
from arcade.store.store import Store, open_store
from tests.oracle import BruteForce
from tests.shell import Shell

# A shell may start the tests with Ctrl+C ignored, which a process and its children inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Without bytecode on disk every process of the tests would compile all modules anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Every app in a screen's test makes many new objects: scanning them at the default rate cost a
# quarter of the whole run. What is imported and collected is no garbage at all.
gc.set_threshold(500_000, 20, 100)
gc.disable()


DATA_FOLDERS = count()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fuzz-events", type=int, default=4, help="random events for each screen")
    parser.addoption("--fuzz-seed", type=int, default=2, help="seed of the random events")


def pytest_collection_finish() -> None:
    """Freeze the imports: they stay until the end, so the collector need not scan them."""
    gc.freeze()
    gc.enable()


def pytest_sessionfinish() -> None:
    """Freeze the rest: pytest would scan it five times, and xdist would interrupt it."""
    gc.freeze()


@pytest.fixture(autouse=True)
def data_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep tests away from the developer's own matches. Unlike `tmp_path`, this creates no folder."""
    folder = tmp_path_factory.getbasetemp() / f"data{next(DATA_FOLDERS)}"
    monkeypatch.setenv("ARCADE_DATA", str(folder))
    return folder


@pytest.fixture(autouse=True)
def working_ctrl_c() -> Iterator[None]:
    """An app that has ended ignores Ctrl+C, which child processes of later tests would inherit."""
    yield
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Unsynced(sqlite3.Connection):
    """A connection that leaves it to the system when its file is on the disk."""

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if statement.startswith("PRAGMA synchronous"):
            statement = "PRAGMA synchronous = OFF"
        elif statement == "BEGIN IMMEDIATE":
            super().execute("PRAGMA synchronous = OFF")
        return super().execute(statement, *values)


@pytest.fixture(autouse=True)
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a power failure could tell the difference, and each store would wait six times for the disk."""
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Unsynced))


@pytest.fixture(autouse=True)
def old_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """The person has played every game before, so no screen explains how to move."""
    monkeypatch.setattr(Services, "has_seen", lambda *_: True)


@pytest.fixture(autouse=True)
def open_coach(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdicts are shown from the start and no SAT solver runs, unless a test sets it otherwise."""
    read = Settings.from_texts
    usual = {"coach": "open", "bounds": "off"}
    monkeypatch.setattr(Settings, "from_texts", lambda texts: read({**usual, **texts}))


@pytest.fixture
def services(data_folder: Path) -> Iterator[Services]:
    made = Services(warm=False)
    yield made
    made.close()


@pytest.fixture
def store(data_folder: Path) -> Iterator[Store]:
    with open_store() as opened:
        yield opened


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)


TIC_TAC_TOE: dict[Position[Any], Verdict] = {}
"""The verdicts on MENACE's positions: so few that a brute force finds them all, once in a process."""


@pytest.fixture
def instant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solvers without kernels: a busy kernel in the process would make every key press of a Pilot wait."""
    for name in game_names():
        game = get_game(name)
        if not isinstance(game, RaceGame):
            seen = TIC_TAC_TOE if name == "menace" else None
            monkeypatch.setitem(game.__dict__, "solver", BruteForce(seen))


@pytest.fixture(autouse=True)
def lasting_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a note must not vanish before a test has counted it."""
    monkeypatch.setattr(App, "NOTIFICATION_TIMEOUT", 3600)

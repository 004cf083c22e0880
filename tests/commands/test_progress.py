"""Long commands show what they are doing; after Ctrl+C they print what they know and end with code 130."""

import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arcade.commands import common
from arcade.engines.menace.training import Training
from arcade.engines.registry import get_game
from arcade.study.tournament import Tournament
from tests.oracle import Slow
from tests.shell import Shell

Progress = list[str]


@pytest.fixture
def progress(monkeypatch: pytest.MonkeyPatch) -> Progress:
    """What a command has shown; its first progress makes the person press Ctrl+C."""
    shown: Progress = []
    person = threading.main_thread().ident
    assert person is not None

    def show(text: str) -> None:
        if text:
            shown.append(text)
            if len(shown) == 1:
                signal.pthread_kill(person, signal.SIGINT)

    monkeypatch.setattr(common, "show_progress", show)
    monkeypatch.setattr(common, "PROGRESS_DELAY", 0.05)
    monkeypatch.setattr(common, "PROGRESS_INTERVAL", 0.05)
    # The test itself must not end, wherever the signal comes.
    monkeypatch.setattr(common, "end_in_compiler", lambda _: None)
    monkeypatch.setattr("arcade.startup.end_in_compiler", lambda _: None)
    return shown


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that finds nothing, however long it works."""
    monkeypatch.setitem(get_game("chocobar").__dict__, "solver", Slow())


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("verdict chocobar:3x4", "Not known yet.\nNot proved.\n"),
        ("moves chocobar:3x4", "  (1,2)  unknown\n"),
        ("hint chocobar:3x4", "You stopped before a hint was found.\n"),
        ("line chocobar:3x4", "No line available: this position is not solved far enough.\n"),
        ("why chocobar:3x4", "Not known yet.\n"),
        ("verify chocobar:3x4", "The solver has no verdict to verify.\n"),
        ("puzzle chocobar --count 3", ""),
        ("watch chocobar:3x4 --headless", "1. Not finished.\n1 match: none finished.\n"),
    ],
)
def test_ctrl_c_stops_query_and_prints_known_result(
    line: str, known: str, progress: Progress, shell: Shell
) -> None:
    said, told = shell(*line.split(" "), code=130)
    assert progress
    assert known in said + told
    assert told.endswith("arcade: stopped.\n")


@pytest.mark.usefixtures("slow")
def test_json_output_is_complete_after_ctrl_c(progress: Progress, shell: Shell) -> None:
    found = shell.json("verdict", "chocobar:3x4", code=130)
    assert progress
    assert (found["value"], found["proof"]) == (None, "unknown")


@pytest.mark.usefixtures("slow")
def test_cancelled_picture_is_not_written(progress: Progress, shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "bar.svg"
    shell("picture", "chocobar:3x4", "--values", "--output", str(file), "--seconds", "60", code=130)
    assert progress == ["0 positions"]
    assert not file.exists()


def stand_still(*_: Any, **__: Any) -> Any:
    time.sleep(60)


def test_compilation_progress_is_shown(
    progress: Progress, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(get_game("chocobar").solver), "warm", stand_still)
    assert shell("warm", "chocobar", code=130) == ("", "arcade: stopped.\n")
    assert progress == ["compiling the solver of Chocobar"]


def test_tournament_progress_is_shown_before_first_match_ends(
    progress: Progress, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tournament, "play", stand_still)
    said, told = shell("tournament", "menace", "--players", "random,beginner", code=130)
    assert progress == ["0 of 20 matches"]
    assert "0 of 20 matches" in said
    assert told.endswith("arcade: stopped.\n")


def test_training_progress_is_shown_until_ctrl_c(
    progress: Progress, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def steps(*_: Any) -> Iterator[Any]:
        yield stand_still()

    monkeypatch.setattr(Training, "steps", steps)
    said, told = shell("menace", "train", "--games", "500", code=130)
    assert progress[0] in ("filling the boxes", "0 of 500 games")
    if progress[0] == "0 of 500 games":
        assert said.startswith("0 games against random, seed 1\n")
    assert told == "arcade: stopped.\n"


def test_import_progress_is_shown(
    progress: Progress, shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "matches"
    file.write_text("")
    monkeypatch.setattr("arcade.commands.matches.import_matches", stand_still)
    stopped = "Import stopped: no match saved. Import the file again for the rest.\narcade: stopped.\n"
    assert shell("matches", "import", str(file), code=130) == ("", stopped)
    assert progress == ["importing: no match saved"]


def test_quick_command_shows_no_progress(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: Progress = []
    monkeypatch.setattr(common, "show_progress", shown.append)
    monkeypatch.setattr(common, "PROGRESS_DELAY", 60)
    shell("verdict", "menace")
    shell("watch", "menace", "--headless")
    assert not any(shown)

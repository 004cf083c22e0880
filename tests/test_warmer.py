"""Waiting for kernels that compile beside the app."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.warmer import Warmer

GAME = "honshu"


def test_the_time_for_work_begins_when_its_kernels_are_compiled() -> None:
    control = Control(0.3)

    class Compiling(Warmer):
        """Is ready when the time for the work would have run out."""

        def ready(self, game: str) -> bool:
            return control.stopped

    assert Compiling("", lambda: None).wait(GAME, control)
    assert not control.stopped
    assert control.remaining is not None
    assert control.remaining > 0.1
    control.close()


def test_nobody_waits_for_cancelled_work() -> None:
    with Control() as control:
        control.cancel()
        assert not Warmer("", lambda: None).wait(GAME, control)
        assert not Warmer(None, lambda: None).wait(GAME, control)


def test_the_game_that_somebody_waits_for_is_compiled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    # Instead of a compiler: says that a game is ready, but at first never comes to an end with Hexapawn.
    program = (
        "import sys, time\n"
        "for name in sys.argv[1:]:\n"
        "    if name == 'hexapawn' and 'chocobar' in sys.argv: time.sleep(60)\n"
        "    print(name, 'ready', flush=True)\n"
    )
    started = subprocess.Popen

    def fake(command: list[str], **options: Any) -> subprocess.Popen[str]:
        asked.append(command[4:])
        return started([sys.executable, "-c", program, *command[4:]], **options)

    monkeypatch.setattr(subprocess, "Popen", fake)
    warmer = Warmer("", lambda: None)
    warmer.start()
    with Control(20) as control:
        assert warmer.wait("chocobar", control)
        assert warmer.wait(GAME, control)
        assert warmer.wait("hexapawn", control)
    while warmer.status:
        time.sleep(0.01)
    assert warmer.finished
    assert [names[0] for names in asked] == ["chocobar", GAME]
    assert "chocobar" not in asked[1]


def test_a_compiler_that_fails_makes_nobody_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: Any, **__: Any) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "Popen", missing)
    warmer = Warmer("", lambda: None)
    warmer.start()
    with Control(10) as control:
        assert warmer.wait(GAME, control)
    assert not warmer.finished

"""A newcomer's waiting times from `git clone`: `python -m benchmarks.first_minutes`. Needs git and make."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from arcade.app import ArcadeApp
from arcade.engines.control import Control
from arcade.engines.registry import GameID, get_game, parse_game_id
from arcade.engines.wording import full_moves
from arcade.play.path import path_of
from arcade.screens.games import screen_class
from arcade.screens.match import MatchScreen
from arcade.screens.menu import Card
from arcade.store.store import open_store
from benchmarks.table import Row, show
from tools.actions import typed
from tools.emulator import Terminal

PROJECT = Path(__file__).parent.parent
LONG = 180.0
"""After these seconds a step is broken."""


def _since(started: float) -> str:
    return f"{time.perf_counter() - started:.1f} s"


def _cold(clone: str, data: str) -> list[Row]:
    started = time.perf_counter()
    subprocess.run(["git", "clone", "--quiet", str(PROJECT), clone], check=True)
    found: list[Row] = [("git clone", _since(started), "")]
    # Inside another make, make prints its folder.
    play = ("env", "-u", "MAKELEVEL", "make", "play", f"PYTHON={sys.executable}")
    with Terminal(data=data, command=play, folder=clone) as terminal:
        terminal.wait("Installing")
        said = terminal.text
        terminal.wait(lambda text: text != said, LONG, "something behind it")
        terminal.wait("Bite the bar", LONG)
        found.append(("clone to menu, with the downloads of pip", _since(started), ""))
        found.append(
            (
                "lines printed during the installation",
                str(sum(map(bool, map(str.strip, said.splitlines())))),
                "1",
            )
        )
        return found + first_match(terminal)


def first_match(terminal: Terminal) -> list[Row]:
    won = _win(path_of(get_game("chocobar"))[0].start)
    menu = time.perf_counter()
    terminal.press(typed(Card, "open"))
    terminal.wait("Hint")
    opened = time.perf_counter()
    terminal.wait("move 0")
    terminal.press(typed(screen_class("chocobar").BOARD, "go(0, 1)", "go(1, 0)", "choose"))
    terminal.wait("move 1", LONG)
    found = [("menu to first move, no kernels compiled", _since(menu), "")]
    terminal.press(typed(MatchScreen, "undo"))
    terminal.wait(won, LONG)
    found.append(("match to first verdict, no kernels compiled", _since(opened), ""))
    terminal.wait(lambda text: "Preparing" not in text, LONG, "the end of the preparations")
    found.append(("match until all kernels are compiled", _since(opened), ""))
    terminal.press(typed(ArcadeApp, "quit"))
    terminal.ended(20)
    return found


def _win(start: GameID) -> str:
    """The verdict on the screen."""
    with Control() as control:
        plies = start.game.solver.verdict(start.start(), control).remoteness
    return f"You win in {full_moves(plies or 0)}"


def _warm(clone: str, data: str) -> list[Row]:
    large = "chocobar:8x10"
    won = _win(parse_game_id(large))
    with Terminal("play", large, data=data, command=(f"{clone}/.venv/bin/arcade",)) as terminal:
        terminal.wait("move 0")
        opened = _since(terminal.started)
        terminal.wait(won)
        return [
            ("start to match, kernels compiled", opened, ""),
            ("start to first verdict, kernels compiled", _since(terminal.started), ""),
        ]


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        clone, data = f"{folder}/clone", f"{folder}/data"
        with open_store(Path(data)) as store:
            store.set("coach", "open")
        return _cold(clone, data) + _warm(clone, data)


if __name__ == "__main__":
    show(rows())

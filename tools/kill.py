"""Kill the arcade at random moments and check what was saved: `python -m tools.kill [RUNS]`."""

from __future__ import annotations

import os
import random
import re
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from arcade.engines.menace.archive import from_json
from arcade.play.match import Match
from arcade.screens.match import MatchScreen
from arcade.store.store import open_store
from arcade.widgets.board import GridBoard
from tools.actions import typed
from tools.emulator import Terminal

GAMES = ("chocobar:8x10", "hexapawn:5x5", "tetromino:5x8", "menace")
KEYS = typed(GridBoard, *(f"go({way})" for way in ("0, 1", "0, -1", "1, 0", "-1, 0")), *3 * ("choose",))
"""Keys of a person: cursor keys and moves."""
TRAINED = 20_000_000


def shown_by(
    terminal: Terminal, pattern: str, seconds: float, keys: str = "", rng: random.Random | None = None
) -> int:
    """The largest number shown on the screen within some seconds while keys are pressed."""
    shown = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if rng is not None:
            terminal.press(rng.choice(keys))
        terminal.read(0.02)
        found = re.search(pattern, terminal.text)
        shown = max(shown, int(found[1].replace(",", ""))) if found else shown
    return shown


def kept_plies(folder: str) -> int:
    """The number of plies of the saved match after a replay; also checks the SQLite file."""
    with open_store(Path(folder)) as store:
        saved = store.matches(1)
    return len(Match.from_record(saved[0].record).plies) if saved else 0


def watched(rng: random.Random, game: str, folder: str) -> tuple[int, int]:
    """Engines play, fast."""
    with Terminal("watch", game, "--seats", "random,random", data=folder) as terminal:
        terminal.wait("s a move", 60)
        terminal.press(typed(MatchScreen, *3 * ("faster",)))
        shown = shown_by(terminal, r"move (\d+)", rng.uniform(0.1, 3.0))
        os.kill(terminal.process.pid, signal.SIGKILL)
    return shown, kept_plies(folder)


def played(rng: random.Random, game: str, folder: str) -> tuple[int, int]:
    """A person plays against an engine, with any keys."""
    with Terminal("play", game, "--seats", "human,random", data=folder) as terminal:
        terminal.wait("move 0", 60)
        shown = shown_by(terminal, r"move (\d+)", rng.uniform(0.5, 4.0), KEYS, rng)
        os.kill(terminal.process.pid, signal.SIGKILL)
    return shown, kept_plies(folder)


def trained(rng: random.Random, folder: str) -> tuple[int, int]:
    """Train a machine that is saved after each step, so only the games of one step may be lost."""
    arguments = ("menace", "train", "--save", "alice", "--games", str(TRAINED), "--step", "2000")
    with Terminal(*arguments, data=folder) as terminal:
        terminal.wait(" of ", 60)
        shown = shown_by(terminal, r"([\d,]+) of", rng.uniform(0.1, 3.0))
        os.kill(terminal.process.pid, signal.SIGKILL)
    with open_store(Path(folder)) as store:
        saved = store.machines()
        # It is saved for the first time after the first step.
        return shown, from_json(saved["alice"]).games if saved else 0


def killed(seed: int, folder: str) -> tuple[str, int, int]:
    """Kill one of them; returns its kind, what it had shown, and what was saved."""
    rng = random.Random(seed)
    game = GAMES[seed // 3 % len(GAMES)]
    if seed % 3 == 2:
        return "training", *trained(rng, folder)
    if seed % 3 == 1:
        return f"{game} played", *played(rng, game, folder)
    return f"{game} watched", *watched(rng, game, folder)


def main(runs: Annotated[int, typer.Argument(min=1)] = 50) -> None:
    """Kill the arcade at random moments, in so many runs, and check what was saved."""
    for seed in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            what, shown, kept = killed(seed, folder)
        print(f"run {seed}, {what}: {shown:,} shown, {kept:,} kept", flush=True)
        if kept < shown:
            sys.exit("Something was shown that was not kept.")
    print(f"{runs} runs, each killed at a random moment: nothing that was shown is lost.")


if __name__ == "__main__":
    typer.run(main)

"""Kill the arcade at random moments and check the saved data: `python -m tools.kill [RUNS]`."""

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
TRAINED = 20_000_000


def shown_by(
    terminal: Terminal, pattern: str, seconds: float, keys: str = "", rng: random.Random | None = None
) -> int:
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
    """Return the replayed plies of the saved match, and check the file."""
    with open_store(Path(folder)) as store:
        saved = store.matches(1)
    return len(Match.from_record(saved[0].record).plies) if saved else 0


def watched(rng: random.Random, game: str, folder: str) -> tuple[int, int]:
    with Terminal("watch", game, "--seats", "random,random", data=folder) as terminal:
        terminal.wait("s a move", 60)
        terminal.press(typed(MatchScreen, *3 * ("faster",)))
        shown = shown_by(terminal, r"move (\d+)", rng.uniform(0.1, 3.0))
        os.kill(terminal.process.pid, signal.SIGKILL)
    return shown, kept_plies(folder)


def played(rng: random.Random, game: str, folder: str) -> tuple[int, int]:
    with Terminal("play", game, "--seats", "human,random", data=folder) as terminal:
        terminal.wait("move 0", 60)
        shown = shown_by(terminal, r"move (\d+)", rng.uniform(0.5, 4.0), KEYS, rng)
        os.kill(terminal.process.pid, signal.SIGKILL)
    return shown, kept_plies(folder)


def trained(rng: random.Random, folder: str) -> tuple[int, int]:
    """Saved after each step, so only the games of one step may be lost."""
    arguments = ("menace", "train", "--save", "alice", "--games", str(TRAINED), "--step", "2000")
    with Terminal(*arguments, data=folder) as terminal:
        terminal.wait(" of ", 60)
        shown = shown_by(terminal, r"([\d,]+) of", rng.uniform(0.1, 3.0))
        os.kill(terminal.process.pid, signal.SIGKILL)
    with open_store(Path(folder)) as store:
        saved = store.machines()
        # The first save comes after the first step.
        return shown, from_json(saved["alice"]).games if saved else 0


def killed(seed: int, folder: str) -> tuple[str, int, int]:
    """Return the kind of run, the number shown and the number saved."""
    rng = random.Random(seed)
    game = GAMES[seed // 3 % len(GAMES)]
    if seed % 3 == 2:
        return "training", *trained(rng, folder)
    if seed % 3 == 1:
        return f"{game} played", *played(rng, game, folder)
    return f"{game} watched", *watched(rng, game, folder)


def main(runs: Annotated[int, typer.Argument(min=1)] = 50) -> None:
    for seed in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            what, shown, kept = killed(seed, folder)
        print(f"run {seed}, {what}: {shown:,} shown, {kept:,} saved", flush=True)
        if kept < shown:
            sys.exit("The arcade had shown something that it had not saved.")
    print(f"{runs} runs, each killed at a random moment: everything shown was saved.")


if __name__ == "__main__":
    typer.run(main)

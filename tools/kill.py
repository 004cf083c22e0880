"""Kills the arcade at random moments of matches and looks at what is kept: `python -m tools.kill [RUNS]`."""

from __future__ import annotations

import os
import random
import re
import signal
import sys
import tempfile
import time
from pathlib import Path

from arcade.match import Match
from arcade.store import open_store
from tests.terminal import Terminal

GAMES = ("chocobar:8x10", "hexapawn:5x5", "tetromino:5x8", "menace")


def killed_match(seed: int, folder: str) -> tuple[int, int]:
    """Let engines play, kill the program; returns the plies that were shown and those that were kept."""
    rng = random.Random(seed)
    with Terminal("watch", GAMES[seed % len(GAMES)], "--seats", "random,random", data=folder) as terminal:
        terminal.wait("paused", 60)
        terminal.press("+++p")
        shown = 0
        end = time.monotonic() + rng.uniform(0.1, 3.0)
        while time.monotonic() < end:
            terminal.read(0.02)
            title = re.search(r"ply (\d+)", terminal.text)
            shown = int(title[1]) if title else shown
        os.kill(terminal.process.pid, signal.SIGKILL)
    with open_store(Path(folder)) as store:
        saved = store.matches(1)
    return shown, len(Match.from_record(saved[0].record).plies) if saved else 0


def main() -> None:
    """Make so many runs, 50 by default."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    for seed in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            shown, kept = killed_match(seed, folder)
        print(f"run {seed}: {shown} plies shown, {kept} kept", flush=True)
        if kept < shown:
            sys.exit("A move was shown that was not kept.")


if __name__ == "__main__":
    main()

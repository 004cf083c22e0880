"""Response times in a real terminal: `python -m benchmarks.screens`."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arcade.engines.registry import ORDER
from arcade.store import open_store
from benchmarks.table import Row, show
from tests.terminal import Terminal, cpu_seconds, key_to_paint


@dataclass(frozen=True)
class Load:
    """A long computation, and keys pressed while it runs."""

    arguments: tuple[str, ...]
    begin: str = ""
    """Keys that start it on the screen opened by the arguments."""
    working: str = "thinking"
    """Text on the screen while it runs."""
    keys: str = "lh"
    """Keys that move something."""


LONGEST = {
    "chocobar": Load(("play", "chocobar:17x17")),
    "hexapawn": Load(("play", "hexapawn:8x8")),
    "tetromino": Load(("play", "tetromino:8x8")),
    "honshu": Load(("play", "honshu:16x20#1", "--seats", "solver,human")),
    # 300 runs of a million games in the laboratory.
    "menace": Load(("play", "menace"), "ejjjllllljjllllt", "of 300 runs", "jk"),
}
"""A long computation for each game."""

MOVES = {
    "chocobar": ("chocobar:8x10", "lj\r"),
    "hexapawn": ("hexapawn:4x4", "\rk\r"),
    "tetromino": ("tetromino:5x8 --seats human,beginner", "\r"),
    "honshu": ("honshu", "k\r"),
    "menace": ("menace --seats human,MENACE", "\r"),
}
"""A start of each game, with its seats where they matter, and the keys of a first move."""


EMPTY = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("nothing else")
Empty().run()
"""
"""The smallest Textual app."""


def start_up(data: str, runs: int = 9) -> list[Row]:
    """From starting Python to the first paint: an empty Textual app, the menu and a match by turns."""
    own: Sequence[str] = (sys.executable, "-m", "arcade")
    starts: dict[str, tuple[Sequence[str], str]] = {
        "empty": ((sys.executable, "-c", EMPTY), "nothing else"),
        "menu": (own, "Bite the bar"),
        "match": ((*own, "play", "chocobar"), "Hint"),
    }
    took: dict[str, list[float]] = {name: [] for name in starts}
    for _ in range(runs):
        for name, (command, seen) in starts.items():
            with Terminal(data=data, command=command) as terminal:
                terminal.wait(seen)
                took[name].append(time.perf_counter() - terminal.started)
    empty, menu, match = (statistics.median(each) for each in took.values())
    return [
        ("start to first paint, median", f"{menu * 1000:.0f} ms", "400 ms"),
        ("the same, in starts of an empty Textual app", f"{menu / empty:.2f}", "1.7"),
        ("start of a match from the shell, in the same unit", f"{match / empty:.2f}", "2.7"),
    ]


def first_verdict(data: str) -> list[Row]:
    """From starting Python to the verdict of the standard bar, kernels compiled."""
    with Terminal("play", "chocobar:8x10", data=data) as terminal:
        terminal.wait("You win in 45")
        return [
            ("start to first verdict, kernels warm", f"{time.perf_counter() - terminal.started:.2f} s", "")
        ]


def under_load(data: str, name: str, load: Load) -> list[Row]:
    """From a key to the first byte of its paint, and from ctrl+q to the end, while a solver works."""
    with Terminal(*load.arguments, data=data) as terminal:
        terminal.wait("Hint")
        terminal.press(load.begin)
        terminal.wait(load.working, 120)
        took = key_to_paint(terminal, load.keys, 100)
        ended = "" if load.working in terminal.text else " (the work had ended)"
        terminal.press("\x11")
        left = terminal.ended(20)
    what = " ".join(load.arguments[1:])
    middle, high = took[len(took) // 2] * 1000, took[int(len(took) * 0.95)] * 1000
    return [
        (f"{name}: key to paint while {what} is worked on, median", f"{middle:.1f} ms{ended}", ""),
        (f"{name}: the same, p95", f"{high:.1f} ms", "20 ms"),
        (f"{name}: quitting in the middle of it", f"{left:.2f} s", "1 s"),
    ]


def at_rest(data: str, name: str, seconds: float = 5.0) -> list[Row]:
    """Bytes written and processor time used when idle."""
    start, _ = MOVES[name]
    with Terminal("play", *start.split(), data=data) as terminal:
        terminal.wait("Hint")
        terminal.quiet(3.0, 120)
        before, written = cpu_seconds(terminal.process.pid), 0
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            written += len(terminal.read(left))
        used = cpu_seconds(terminal.process.pid) - before
    return [
        (f"{name}: bytes a second at rest", f"{written / seconds:.0f}", "0"),
        (f"{name}: processor at rest", f"{used / seconds * 100:.1f} %", "0 %"),
    ]


def sent_by_a_move(data: str, name: str, calm: bool) -> list[Row]:
    """Bytes that are written for a move, its answer and the verdict."""
    start, keys = MOVES[name]
    with open_store(Path(data)) as store:
        store.set("calm", "on" if calm else "off")
    with Terminal("play", *start.split(), data=data) as terminal:
        terminal.wait("Hint")
        terminal.quiet(3.0, 120)
        terminal.press(keys)
        moved = 0
        # A calm screen tells its progress once in two seconds.
        while written := len(terminal.read(2.5)):
            moved += written
        assert "move 0" not in terminal.text, "the keys were no move"
    what = f"{name}: bytes that a move, its answer and the verdict send{', calm' if calm else ''}"
    return [(what, f"{moved:,}", "4,000" if calm else "12,000")]


def rows() -> list[Row]:
    """Every figure: what, measured, limit."""
    with tempfile.TemporaryDirectory() as data:
        with open_store(Path(data)) as store:
            store.set("coach", "open")
            # How to move has been explained.
            store.set_state("played", " ".join(MOVES))
        with Terminal("play", "chocobar:3x4", data=data) as terminal:
            # Compile everything first, so that this is not measured.
            terminal.wait("You win")
            terminal.quiet(3.0, 240)
        found = start_up(data) + first_verdict(data)
        for name in ORDER:
            for calm in (True, False):
                found += sent_by_a_move(data, name, calm)
            found += at_rest(data, name) + under_load(data, name, LONGEST[name])
        return found


if __name__ == "__main__":
    show(rows())

"""What a person feels, measured in a real terminal: `python -m benchmarks.screens`."""

from __future__ import annotations

import statistics
import tempfile
import time

from arcade.engines.registry import game_names
from tests.terminal import Terminal, cpu_seconds, key_to_paint

Row = tuple[str, str, str]

LONGEST = {
    "chocobar": "chocobar:17x17",
    "hexapawn": "hexapawn:8x8",
    "tetromino": "tetromino:8x8",
    "honshu": "honshu:16x20#1",
}
"""A start of each game on which its solver works for a long time."""


def start_up(data: str, runs: int = 9) -> list[Row]:
    """From starting Python to the first card on the screen."""
    took = []
    for _ in range(runs):
        with Terminal(data=data) as terminal:
            terminal.wait("Bite the bar")
            took.append(time.perf_counter() - terminal.started)
    return [("start to first paint, median", f"{statistics.median(took) * 1000:.0f} ms", "400 ms")]


def first_verdict(data: str) -> list[Row]:
    """From starting Python to the verdict of the standard bar, kernels compiled."""
    with Terminal("play", "chocobar:8x10", data=data) as terminal:
        terminal.wait("You win in 45")
        return [
            ("start to first verdict, kernels warm", f"{time.perf_counter() - terminal.started:.2f} s", "")
        ]


def under_load(data: str, name: str, gameid: str) -> list[Row]:
    """From a key to the first byte of its paint, and from ctrl+q to the end, while a solver works."""
    with Terminal("play", gameid, data=data) as terminal:
        terminal.wait("thinking", 120)
        took = key_to_paint(terminal, "lh", 100)
        working = "" if "thinking" in terminal.text else " (the solve had ended)"
        terminal.press("\x11")
        ended = terminal.ended(20)
    return [
        (
            f"{name}: key to paint while it is solved, median",
            f"{took[len(took) // 2] * 1000:.1f} ms{working}",
            "",
        ),
        (f"{name}: the same, p95", f"{took[int(len(took) * 0.95)] * 1000:.1f} ms", "20 ms"),
        (f"{name}: quitting in mid-solve", f"{ended:.2f} s", "1 s"),
    ]


def at_rest(data: str, seconds: float = 5.0) -> list[Row]:
    """Bytes written and processor time used when nothing happens; bytes that a move sends."""
    with Terminal("play", "chocobar:8x10", data=data) as terminal:
        terminal.wait("You win in")
        terminal.quiet(3.0, 120)
        before, started, written = cpu_seconds(terminal.process.pid), time.perf_counter(), 0
        while time.perf_counter() - started < seconds:
            written += len(terminal.read(0.5))
        used = cpu_seconds(terminal.process.pid) - before
        terminal.press("lj\r")
        moved = 0
        while written_now := len(terminal.read(2.0)):
            moved += written_now
    return [
        ("bytes a second at rest", f"{written / seconds:.0f}", "0"),
        ("processor at rest", f"{used / seconds * 100:.1f} %", "0 %"),
        ("bytes that a bite and its answer send", f"{moved:,}", ""),
    ]


def rows() -> list[Row]:
    """Every figure: what, measured, limit."""
    with tempfile.TemporaryDirectory() as data:
        with Terminal("play", "chocobar:3x4", data=data) as terminal:
            # Compiles whatever is not compiled yet, so that it is not measured.
            terminal.wait("You win")
            terminal.quiet(3.0, 240)
        found = start_up(data) + first_verdict(data) + at_rest(data)
        for name, gameid in LONGEST.items():
            if name in game_names():
                found += under_load(data, name, gameid)
        return found


if __name__ == "__main__":
    from benchmarks.table import show

    show(rows())

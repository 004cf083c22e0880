"""Response times in a terminal: `python -m benchmarks.screens [--quick]`."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arcade.app import ArcadeApp
from arcade.engines.kernel_compiler import fingerprint
from arcade.engines.registry import ORDER
from arcade.screens.games import screen_class
from arcade.screens.menace.boxes import BoxWall
from arcade.screens.menace.laboratory import LaboratoryScreen
from arcade.screens.menace.screen import MenaceScreen
from arcade.store.store import open_store
from arcade.widgets.board import GridBoard
from arcade.widgets.forms import Dials
from benchmarks.table import Row, main
from tools.actions import typed
from tools.emulator import Terminal, cpu_seconds, key_to_paint


@dataclass(frozen=True)
class Load:
    match: str
    """A game ID with seats."""
    begin: tuple[tuple[str, str], ...] = ()
    """What to type to start, each with the text to wait for."""
    working: str = "thinking"
    keys: str = typed(GridBoard, "go(0, 1)", "go(0, -1)")


LONGEST = {
    "chocobar": Load("chocobar:17x17"),
    "hexapawn": Load("hexapawn:8x8"),
    "tetromino": Load("tetromino:8x8"),
    "honshu": Load("honshu:16x20#1 --seats solver,human"),
    "menace": Load(
        "menace --seats human,random",
        (
            (typed(MenaceScreen, "laboratory"), "Hint"),
            (typed(Dials, *2 * ("go(1)",), "type"), "‹"),
            ("100000000\r", "1 to 100,000,000"),
            (typed(LaboratoryScreen, "train"), "‹ 100,000,000"),
        ),
        "of 100,000,000",
        typed(Dials, "go(1)", "go(-1)"),
    ),
}

MOVES = {
    "chocobar": ("chocobar:8x10", ("go(0, 1)", "go(1, 0)", "choose")),
    "hexapawn": ("hexapawn:4x4", ("choose", "go(-1, 0)", "choose")),
    "tetromino": ("tetromino:5x8 --seats human,beginner", ("choose",)),
    "honshu": ("honshu", ("go(-1, 0)", "choose")),
    "menace": ("menace --seats human,MENACE", ("choose",)),
}
"""A start of each game, and actions of a first move."""


EMPTY = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("nothing else")
Empty().run()
"""


def start_up(data: str, runs: int = 9) -> list[Row]:
    """From starting Python to the first paint of an empty app, the menu and a match, in turn."""
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
        ("start of the menu until its first paint, median", f"{menu * 1000:.0f} ms", "400 ms"),
        ("start of the menu compared with an empty Textual app", f"{menu / empty:.2f}", "1.4"),
        ("start of a match compared with an empty Textual app", f"{match / empty:.2f}", "2.2"),
    ]


def first_verdict(data: str) -> list[Row]:
    with Terminal("play", "chocobar:8x10", data=data) as terminal:
        terminal.wait("You win in 23")
        return [
            (
                "start of chocobar:8x10 until its verdict, kernels compiled",
                f"{time.perf_counter() - terminal.started:.2f} s",
                "",
            )
        ]


def under_load(data: str, name: str, load: Load, keys: int) -> list[Row]:
    """From a key to its paint, and from quitting to the end, while a solver works."""
    with Terminal("play", *load.match.split(), data=data) as terminal:
        for begin, seen in load.begin:
            terminal.wait(seen)
            terminal.press(begin)
        terminal.wait(load.working, 120)
        took = key_to_paint(terminal, load.keys, keys)
        ended = "" if load.working in terminal.text else " (the work had ended)"
        terminal.press(typed(ArcadeApp, "quit"))
        left = terminal.ended(20)
    middle, high = took[len(took) // 2] * 1000, took[int(len(took) * 0.95)] * 1000
    return [
        (f"{name}: key to paint while busy ({load.match}), median", f"{middle:.1f} ms{ended}", ""),
        (f"{name}: key to paint while busy ({load.match}), 95th percentile", f"{high:.1f} ms", "20 ms"),
        (f"{name}: quit while busy ({load.match})", f"{left:.2f} s", "1 s"),
    ]


def on_the_wall(data: str, keys: int) -> list[Row]:
    with Terminal("play", "menace", "--seats", "human,random", data=data) as terminal:
        terminal.wait("Hint")
        terminal.press(typed(MenaceScreen, "boxes"))
        terminal.wait("304 boxes")
        took = key_to_paint(terminal, typed(BoxWall, "go_row(1)", "go_row(-1)"), keys)
    high = took[int(len(took) * 0.95)] * 1000
    return [("menace: key to paint on the wall of 304 boxes, 95th percentile", f"{high:.1f} ms", "50 ms")]


def in_a_match(data: str, name: str, pause: float, calm: bool) -> list[Row]:
    """Output and processor time at rest, and output for a move."""
    start, actions = MOVES[name]
    with open_store(Path(data)) as store:
        store.set("calm", "on" if calm else "off")
    with Terminal("play", *start.split(), data=data) as terminal:
        terminal.wait("Hint")
        terminal.quiet(pause, 120)
        used, before = cpu_seconds(terminal.process.pid), terminal.written
        end = time.perf_counter() + pause
        while (left := end - time.perf_counter()) > 0:
            terminal.read(left)
        used, at_rest = cpu_seconds(terminal.process.pid) - used, terminal.written
        terminal.press(typed(screen_class(name).BOARD, *actions))
        terminal.wait(lambda text: "move 0" not in text, what="a first move")
        terminal.quiet(pause, 120)
        moved = terminal.written - at_rest
    what = f"{name}: bytes sent for a move, the reply and the verdict"
    if calm:
        return [(f"{what}, with Calm on", f"{moved:,}", "4,000")]
    return [
        (what, f"{moved:,}", "12,000"),
        (f"{name}: bytes per second at rest", f"{(at_rest - before) / pause:.0f}", "0"),
        (f"{name}: processor use at rest", f"{used / pause * 100:.1f} %", "0 %"),
    ]


def rows(quick: bool = False) -> list[Row]:
    # A calm screen reports its progress every two seconds.
    keys, pause, games = (4, 1.0, ("chocobar",)) if quick else (100, 3.0, ORDER)
    with tempfile.TemporaryDirectory() as data:
        with open_store(Path(data)) as store:
            store.set("coach", "open")
            # Skip the explanation of how to move.
            store.set("played", " ".join(MOVES), "state")
            if quick:
                # Compile only this game.
                store.set("warmed", fingerprint(), "state")
        found: list[Row] = []
        if not quick:
            with Terminal("play", "chocobar:3x4", data=data) as terminal:
                # So that compiling is not measured.
                terminal.wait("You win")
                terminal.quiet(pause, 240)
            found += start_up(data) + first_verdict(data)
        for name in games:
            for calm in (False,) if quick else (True, False):
                found += in_a_match(data, name, pause, calm)
            found += under_load(data, name, LONGEST[name], keys)
        return found if quick else found + on_the_wall(data, keys)


if __name__ == "__main__":
    main(rows)

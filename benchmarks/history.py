"""A data file with 50,000 matches, and demonstration matches: `python -m benchmarks.history [--quick]`."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from arcade.engines.kernel_compiler import fingerprint
from arcade.engines.registry import parse_game_id
from arcade.play.match import new_match
from arcade.screens.history import HistoryScreen
from arcade.screens.menu import MenuScreen
from arcade.store.queries import Ending, Filter
from arcade.store.record import MatchRecord
from arcade.store.store import Store, open_store
from arcade.study.statistics import statistics as records_of
from benchmarks.table import Row, main
from tools.actions import typed
from tools.emulator import Terminal, cpu_seconds

MATCHES = 50_000
DIFFERENT = 400
"""Matches; the others repeat them at other times."""

PLAYERS = {
    "chocobar:8x10": ("club", "perfect"),
    "chocobar:4x5": ("casual", "depth:3"),
    "hexapawn:5x5": ("club", "expert"),
    "tetromino:5x8": ("beginner", "club"),
    "honshu:9x12": ("beginner",),
    "menace": ("MENACE", "perfect"),
}


def played(rng: random.Random) -> MatchRecord:
    name = rng.choice(list(PLAYERS))
    start = parse_game_id(f"{name}#{rng.randrange(50)}" if name.startswith("honshu") else name)
    seats = ["human", rng.choice(PLAYERS[name])]
    if name != "menace":
        rng.shuffle(seats)
    match = new_match(start, ["human", "random"])
    match.seats = seats
    match.takebacks = int(rng.random() < 0.3)
    while match.result is None:
        match.play(rng.choice(match.position.moves()))
    return match.record()


def fill(store: Store, number: int, seed: int = 1) -> None:
    rng = random.Random(seed)
    different = [played(rng) for _ in range(min(DIFFERENT, number))]
    now = time.time()
    with store.together():
        for index in range(number):
            id, _ = store.save_match(rng.choice(different), when=now - 600 * (number - index))
            if rng.random() < 0.25:
                store.save_level_data(id, "0:-9.512 3:-8.001 5:-6.25 7:-8.125")


def milliseconds(work: Callable[[], object], runs: int = 7) -> str:
    took = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        took.append(time.perf_counter() - started)
    return f"{statistics.median(took) * 1000:.0f} ms"


def asked(folder: Path, matches: int) -> list[Row]:
    def page(store: Store, wanted: Filter, offset: int = 0) -> None:
        store.count(wanted)
        store.listed(wanted, 100, offset)

    with open_store(folder) as store:
        words = Filter(text="perfect 8x10")
        won = Filter(ended=Ending.WON, unaided=True)
        return [
            ("list the newest 100 matches", milliseconds(lambda: page(store, Filter())), "300 ms"),
            (
                "list the oldest 100 matches",
                milliseconds(lambda: page(store, Filter(), max(matches - 100, 0))),
                "300 ms",
            ),
            ("search for two words", milliseconds(lambda: page(store, words)), "300 ms"),
            ("list matches won without help", milliseconds(lambda: page(store, won)), "300 ms"),
            ("compute all records", milliseconds(lambda: records_of(store)), ""),
        ]


def list_opens(folder: Path, runs: int) -> Row:
    took = []
    with Terminal(data=str(folder)) as terminal:
        terminal.wait("Bite the bar")
        for _ in range(runs):
            terminal.quiet(0.5)
            terminal.press(typed(MenuScreen, "history"))
            took.append(terminal.wait("Match history"))
            terminal.press(typed(HistoryScreen, "leave"))
            terminal.wait("Last matches")
    return "key in the menu to the match history", f"{statistics.median(took) * 1000:.0f} ms", "300 ms"


def menu(folders: dict[str, Path], runs: int = 9) -> list[Row]:
    took: dict[str, list[float]] = {name: [] for name in folders}
    for _ in range(runs):
        for name, folder in folders.items():
            with Terminal(data=str(folder)) as terminal:
                terminal.wait("Bite the bar")
                took[name].append(time.perf_counter() - terminal.started)
    return [
        (f"start of the menu with {name}", f"{statistics.median(each) * 1000:.0f} ms", "400 ms")
        for name, each in took.items()
    ]


def demonstration(folder: Path, seconds: float = 600.0) -> list[Row]:
    with Terminal(data=str(folder)) as terminal:
        terminal.wait("Demonstration", 90)
        pid, written = terminal.process.pid, terminal.written
        used, begun = cpu_seconds(pid), time.perf_counter()
        while (left := begun + seconds - time.perf_counter()) > 0:
            terminal.read(left)
        used, written = cpu_seconds(pid) - used, terminal.written - written
    return [
        (f"demonstration: processor use over {seconds:.0f} s", f"{used / seconds * 100:.2f} %", "0.5 %"),
        ("demonstration: bytes per second", f"{written / seconds:,.0f}", "2,000"),
    ]


def rows(quick: bool = False) -> list[Row]:
    matches = 20 if quick else MATCHES
    with tempfile.TemporaryDirectory() as data:
        folders = {f"{matches:,} matches": Path(data) / "large", "no matches": Path(data) / "empty"}
        for name, folder in folders.items():
            with open_store(folder) as store:
                store.set("warmed", fingerprint(), "state")
                if name != "no matches":
                    fill(store, matches)
        large, empty = folders.values()
        found = [*asked(large, matches), list_opens(large, 1 if quick else 5)]
        return found if quick else [*found, *menu(folders), *demonstration(empty)]


if __name__ == "__main__":
    main(rows)

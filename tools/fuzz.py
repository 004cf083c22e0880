"""A long run of the fuzzer over every screen: `python -m tools.fuzz [--events N] [--seed N] [SCREEN]...`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
import time
import traceback
from collections import Counter
from typing import Annotated

import typer

from arcade.engines.registry import game_names, get_game
from arcade.play.match import fewest_seats
from tests.oracle import BruteForce
from tests.screens.fuzz import fuzz
from tests.screens.starts import all_starts


def main(
    screens: Annotated[list[str] | None, typer.Argument(metavar="[SCREEN]...", help="Only these.")] = None,
    events: Annotated[int, typer.Option(help="How many each screen gets.")] = 2000,
    seed: Annotated[int, typer.Option(help="Of the events; with an odd one things move.")] = 1,
    solvers: Annotated[
        bool, typer.Option("--solvers", help="Use the real solvers, not stand-ins that answer at once.")
    ] = False,
) -> None:
    """Send random keys, texts, clicks, wheels and sizes to every screen."""
    if not solvers:
        for name in game_names():
            if fewest_seats(get_game(name)) == 2:
                get_game(name).__dict__["solver"] = BruteForce()
    total: Counter[str] = Counter()
    faults = 0
    wanted = [start for start in all_starts() if not screens or start.name in screens]
    for start in wanted:
        # Several starts of one class of screen share its events.
        name = start.screen.__name__
        share = -(-events // sum(each.screen is start.screen for each in wanted))
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            # Pictures of the screen are written to the home folder, exported machines to this one.
            os.environ |= {"ARCADE_DATA": f"{folder}/data", "HOME": folder, "XDG_DOWNLOAD_DIR": folder}
            started = time.perf_counter()
            try:
                seen, made = asyncio.run(fuzz([start], seed, share, animated=bool(seed % 2)))
            except AssertionError:
                faults += 1
                print(f"{start.name}: FAULT\n{traceback.format_exc()}", flush=True)
                continue
        total += seen
        took = time.perf_counter() - started
        print(
            f"{start.name}: {seen[name]} of {seen.total()} events on {name}, seed {seed}, {took:.0f} s, "
            f"{made} starts, no fault",
            flush=True,
        )
    print(f"seed {seed}, events by screen:")
    for name, count in total.most_common():
        print(f"  {name:<20}{count:>7}")
    if faults:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)

"""Quality and speed of Honshu's layouts: `python -m benchmarks.honshu [--quick]`."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from arcade.engines.control import Control
from arcade.engines.honshu import reference_methods as classic
from arcade.engines.honshu.game import GAME, load
from arcade.engines.honshu.rules import HonshuPosition, Move
from arcade.engines.honshu.solver import HonshuSolver, Solution
from arcade.engines.verdict import Proof
from benchmarks.table import Row, main

DATA = Path(__file__).parent.parent / "tests" / "data" / "honshu"
SEEDS = 10
LIMITS = {"Partie1": {20.0: 85, 46.0: 86}, "Partie2": {20.0: 91, 75.0: 92}}
"""Medians over ten seeds by millions of layouts. Two idle cores try 20 million in about 1.3 s."""
BEST_BEFORE = {"Partie1": 79, "Partie2": 92}

SOLVER = HonshuSolver()


def _solve(
    position: HonshuPosition, seed: int, seconds: float | None = None, layouts: int | None = None
) -> Solution:
    with Control() as control:
        return SOLVER.find_layout(position, control, seed=seed, seconds=seconds, layouts=layouts)


def _methods(position: HonshuPosition) -> list[tuple[str, int, float]]:
    def mixed(start: HonshuPosition, control: Control) -> list[Move]:
        return classic.mixed(2, start, control)

    methods: dict[str, Callable[[HonshuPosition, Control], list[Move]]] = {
        "in-order": classic.in_order,
        "expansion": classic.expansion,
        "greedy": classic.greedy,
        "mixed, last 2 tiles": mixed,
    }
    rated = []
    for name, method in methods.items():
        started = time.perf_counter()
        with Control(30) as control:
            moves = method(position, control)
        rated.append((name, position.after(moves).score.total, time.perf_counter() - started))
    return rated


def _compiled_in() -> float:
    """Processor seconds of a process that compiles every kernel."""
    with tempfile.TemporaryDirectory() as folder:
        started = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(
            [sys.executable, "-P", "-c", "from arcade.engines.honshu.game import GAME; GAME.solver.warm()"],
            check=True,
            env={**os.environ, "NUMBA_CACHE_DIR": folder},
        )
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - started


def _proofs(tiles: int, deals: int, seconds: float) -> tuple[int, list[float]]:
    """Number of random 9x9 deals proved, and seconds of each."""
    took = []
    proved = 0
    for seed in range(deals):
        solution = _solve(GAME.new(GAME.parameters.parse(f"9x{tiles}"), seed), 0, seconds)
        proved += solution.proof is Proof.EXACT
        took.append(solution.seconds)
    return proved, took


def rows(quick: bool = False) -> list[Row]:
    table: list[Row] = []
    if not quick:
        table.append(("compile all kernels, processor time", f"{_compiled_in():.1f} s", "12 s"))
    SOLVER.warm()
    seeds, long = (2, 0.1) if quick else (SEEDS, 60)
    for name, limits in ({"9x3": {0.1: 0}} if quick else LIMITS).items():
        position = GAME.new(GAME.parameters.parse(name)) if quick else load(str(DATA / name))
        for method, points, seconds in _methods(position):
            table.append((f"{name}: score of {method}", f"{points} in {seconds:.2f} s", ""))
        most = 0
        for millions, limit in limits.items():
            started = time.process_time()
            found = sorted(_solve(position, seed, layouts=int(millions * 1e6)).best for seed in range(seeds))
            each = (time.process_time() - started) / seeds
            most = max(most, found[-1])
            what = f"{name}: score of the solver, {millions:g} million layouts, median of {seeds} seeds"
            measured = f"{statistics.median(found):g} ({found[0]} to {found[-1]}), processor {each:.1f} s"
            table.append((what, measured, f"{limit} or more"))
        started = time.process_time()
        solution = _solve(position, 0, long)
        speed = solution.layouts / (time.process_time() - started) / 1e6
        most = max(most, solution.best)
        table.append((f"{name}: score of the solver after {long:g} s, seed 0", str(solution.best), ""))
        table.append(
            (f"{name}: best score of all these runs", str(most), f"{BEST_BEFORE.get(name, 0)} or more")
        )
        table.append((f"{name}: upper bound after {long:g} s", str(solution.bound), ""))
        table.append((f"{name}: layouts and nodes per second of processor time", f"{speed:.1f} million", ""))
        table.append((f"{name}: upper bound without a search", str(_solve(position, 0, 0).bound), ""))
    for tiles, deals in ((3, 1),) if quick else ((3, 10), (4, 10), (5, 6), (6, 1)):
        proved, took = _proofs(tiles, deals, long)
        measured = f"{proved} of {deals}, median {statistics.median(took):.1f} s, longest {max(took):.1f} s"
        table.append(
            (f"9x9 with {tiles} tiles: deals solved exactly", measured, "60 s" if tiles <= 4 else "")
        )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    table.append(("peak memory of the process", f"{peak:.0f} MB", ""))
    return table


if __name__ == "__main__":
    main(rows)

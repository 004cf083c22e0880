"""Time to solve every bar of Chomp: `python -m benchmarks.chocobar [--quick]`; `--large` adds 18x18."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from arcade.engines.chocobar.game import GAME
from arcade.engines.chocobar.rules import Bar
from arcade.engines.chocobar.solver import ChocobarSolver
from arcade.engines.chocobar.table import BarTable, RemotenessTable, ValueTable, memory_bytes
from arcade.engines.control import Control
from benchmarks.table import Row, main

SOURCE = Path(__file__).with_name("chocobar.c")

_PEAK = """
import time
from arcade.engines.chocobar.table import RemotenessTable, ValueTable, warm
from arcade.engines.control import Control
warm()
def peak(key):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(key)) / 1024
open("/proc/self/clear_refs", "w").write("5")
before = peak("VmRSS")
started = time.perf_counter()
with Control() as control:
    {kind}({rows}, {columns}).solve(control)
after = peak("VmHWM")
print(after - before, after, time.perf_counter() - started)
"""


def _seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _solve(kind: type[BarTable], rows: int, columns: int) -> float:
    """Seconds, with fresh memory."""

    def work() -> None:
        with Control() as control:
            kind(rows, columns).solve(control)

    return _seconds(work)


def _compiled(folder: str) -> Path | None:
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    program = Path(folder) / "chocobar"
    subprocess.run([gcc, "-O3", "-march=native", "-o", str(program), str(SOURCE)], check=True)
    return program


def _c(program: Path, method: str, rows: int, columns: int) -> float:
    """Seconds, with fresh memory."""
    line = subprocess.run(
        [str(program), method, str(rows), str(columns)], check=True, capture_output=True, text=True
    ).stdout
    return float(line.split()[2])


def _side_by_side(
    program: Path | None, kind: type[BarTable], method: str, size: tuple[int, int], runs: int
) -> tuple[float, float | None]:
    ours, others = [], []
    for _ in range(runs):
        ours.append(_solve(kind, *size))
        if program is not None:
            others.append(_c(program, method, *size))
    return min(ours), min(others) if others else None


def _peak(kind: type[BarTable], rows: int, columns: int) -> tuple[float, float, float]:
    """MiB added after warm-up, peak in MiB, and seconds. Linux only."""
    code = _PEAK.format(kind=kind.__name__, rows=rows, columns=columns)
    line = subprocess.run(
        [sys.executable, "-P", "-c", code], check=True, capture_output=True, text=True
    ).stdout
    added, peak, seconds = map(float, line.split())
    return added, peak, seconds


def _against(ours: float, other: float | None) -> str:
    return "no gcc here" if other is None else f"{ours / other:.2f}x of {other * 1000:,.1f} ms"


def rows(quick: bool = False) -> list[Row]:
    found: list[Row] = []
    GAME.solver.warm()
    with tempfile.TemporaryDirectory() as folder:
        program = _compiled(folder)
        sides = ((4, 1, ""),) if quick else ((10, 20, "50 ms"), (14, 5, "2500 ms"))
        for side, runs, limit in sides:
            size, name = (side, side), f"{side}x{side}"
            ours, other = _side_by_side(program, RemotenessTable, "plies", size, runs)
            found.append((f"solve all bars up to {name}, remoteness", f"{ours * 1000:,.1f} ms", limit))
            found.append((f"time compared with C, remoteness up to {name}", _against(ours, other), "1.6x"))
            ours, other = _side_by_side(program, ValueTable, "bits", size, runs)
            found.append((f"solve all bars up to {name}, values only", f"{ours * 1000:,.1f} ms", ""))
            found.append((f"time compared with C, values up to {name}", _against(ours, other), "1.6x"))
        kinds = ((ValueTable, "values"), (RemotenessTable, "remoteness"))
        for kind, what in kinds[: 1 if quick else None]:
            added, peak, _ = _peak(kind, *size)
            found.append(
                (f"memory added by {what} up to {name}", f"{added:.0f} MiB of {peak:.0f} MiB", "100 MB")
            )
        if "--large" in sys.argv[1:]:
            found += _large(program)
    return found + _asking(*((4, 5, 6) if quick else (8, 10, 14))) + _historical(3 if quick else 6)


def _large(program: Path | None) -> list[Row]:
    found: list[Row] = []
    for side in (16, 17, 18):
        added, _, ours = _peak(ValueTable, side, side)
        other = None if program is None else _c(program, "bits", side, side)
        found.append((f"solve all bars up to {side}x{side}, values only", f"{ours:,.1f} s", ""))
        found.append((f"time compared with C, values up to {side}x{side}", _against(ours, other), ""))
        told = memory_bytes(side, side, False) / 2**20
        found.append(
            (f"memory added by values up to {side}x{side}", f"{added:,.0f} MiB", f"estimate: {told:,.0f} MiB")
        )
    return found


def _asking(rows: int, columns: int, side: int) -> list[Row]:
    """Waiting times at a bar, and at one of `side` by `side` - 1 squares."""
    bar, solver = Bar.full(rows, columns), ChocobarSolver()
    large = Bar.full(side, side - 1)
    with Control() as control:
        first = _seconds(lambda: solver.moves(bar, control))
        again = min(_seconds(lambda: solver.moves(bar, control)) for _ in range(20))
        verdict = min(_seconds(lambda: solver.verdict(bar, control)) for _ in range(20))
        solver.verdict(large, control)
        largest = min(_seconds(lambda: solver.moves(large, control)) for _ in range(20))
        grundy = _seconds(lambda: solver.grundy(Bar.full(columns, columns), control))
    return [
        (f"verdicts of all bites, {rows}x{columns}, first time", f"{first * 1000:.1f} ms", ""),
        (f"verdicts of all bites, {rows}x{columns}, bars already solved", f"{again * 1000:.2f} ms", "5 ms"),
        (f"verdicts of all bites, {side}x{side - 1}, bars already solved", f"{largest * 1000:.2f} ms", ""),
        (f"verdict of {rows}x{columns}, bars already solved", f"{verdict * 1e6:.0f} us", ""),
        (f"Grundy numbers up to {columns}x{columns}", f"{grundy * 1000:.0f} ms", ""),
    ]


def _historical(side: int) -> list[Row]:
    found: list[Row] = []
    with Control() as control:
        solver = min(_seconds(lambda: RemotenessTable(side, side).solve(control)) for _ in range(20))
        for method in GAME.reference_methods.methods:
            if method.name in ("breakpoints", "arrays", "packed", "winning-strategy"):
                seconds = _seconds(partial(method.solve, Bar.full(side, side), control))
                measured = f"{seconds:.3f} s, {seconds / solver:,.0f}x the solver"
                found.append((f"report's method {method.name}, {side}x{side}", measured, ""))
    return found


if __name__ == "__main__":
    main(rows)

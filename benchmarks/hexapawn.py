"""Time to solve Hexapawn: `python -m benchmarks.hexapawn [--quick]`; `--ideas` measures the search ideas."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arcade.engines.control import Control
from arcade.engines.hexapawn.course import read_course, signed
from arcade.engines.hexapawn.game import GAME
from arcade.engines.hexapawn.reference_methods import MAP_COURSE, evaluate
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.hexapawn.search import Stack
from arcade.engines.hexapawn.solver import HexapawnSolver
from arcade.engines.hexapawn.table import HIGHEST, LOWEST, WON, HexapawnTable, empty_words, verdict_of
from benchmarks.table import Row, main, show

SOURCE = Path(__file__).with_suffix(".c")
COURSE = Path(__file__).parent.parent / "tests" / "data" / "hexapawn"

LIMITS = {
    (4, 4): 0.005,
    (5, 5): 0.1,
    (5, 6): 0.8,
    (7, 5): 1.2,
    (6, 6): 5.0,
    (5, 7): 3.5,
    (6, 7): 50.0,
}
"""Seconds for full boards, rows by columns."""
C_LIMIT = 1.6
"""Relative to C."""
MEMORY_LIMIT = 2048
"""MiB."""

KERNEL_BOARDS = {(5, 6): 18, (7, 5): 20, (6, 6): 21, (5, 7): 21}
"""Boards, and bits of a table's bucket."""

IDEAS = {
    "m": "mirror images only",
    "mo": "and back pawns first",
    "mor": "and runners",
    "mort": "and threats",
    "mortl": "and limits: all",
    "ortl": "all but mirror images",
    "mrtl": "all but back pawns first",
    "motl": "all but runners",
    "morl": "all but threats",
}

_SOLVE = """
import json, sys
from arcade.engines.control import Control
from arcade.engines.hexapawn.course import signed
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.hexapawn.solver import HexapawnSolver
solver = HexapawnSolver()
solver.warm()
with Control() as control:
    verdict = solver.verdict(PawnPosition.full(int(sys.argv[1]), int(sys.argv[2])), control)
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) / 1024
memory = sum(table.memory for table in solver._tables._tables.values()) / 2**20
print(json.dumps([signed(verdict), verdict.nodes, verdict.seconds, peak, memory]))
"""


def _duration(seconds: float) -> str:
    return f"{seconds * 1000:.3g} ms" if seconds < 0.1 else f"{seconds:.3g} s"


@contextmanager
def _compiled() -> Iterator[Path | None]:
    gcc = shutil.which("gcc")
    if gcc is None:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "hexapawn"
        subprocess.run([gcc, "-O3", "-march=native", "-o", program, SOURCE], check=True)
        yield program


def _run_c(program: Path, rows: int, columns: int, bits: int, ideas: str = "ltrmo") -> tuple[int, int, float]:
    """Value, positions visited and seconds."""
    done = subprocess.run(
        [program, str(rows), str(columns), str(bits), ideas], check=True, capture_output=True, text=True
    )
    value, visited, seconds = done.stdout.split()
    return int(value), int(visited), float(seconds)


def _run_kernel(rows: int, columns: int, bits: int) -> tuple[int, int, float]:
    """The same, for the same searches and table size."""
    table = HexapawnTable(empty_words(bits), bits)
    stack = Stack(PawnPosition.full(rows, columns), table)
    low, high = LOWEST, HIGHEST
    started = time.perf_counter()
    with Control() as control:
        while low < high:
            stack.start(low + 1 if low >= WON else high if high < WON else WON, low, high)
            found = stack.resume(1 << 40, control)
            assert found is not None
            low, high = found
    seconds = time.perf_counter() - started
    value = signed(verdict_of(low, high, False, 0))
    assert value is not None
    return value, control.nodes, seconds


def _solve_rows(quick: bool) -> Iterator[Row]:
    for (rows, columns), limit in list(LIMITS.items())[: 1 if quick else None]:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _SOLVE, str(rows), str(columns)],
            check=True,
            capture_output=True,
            text=True,
        )
        value, visited, seconds, peak, table = json.loads(done.stdout)
        yield (
            f"solve the full board {rows}x{columns}, value {value:+d}",
            f"{_duration(seconds)}, {visited:,} positions",
            _duration(limit),
        )
        if (rows, columns) == (6, 7):
            yield (
                f"peak memory for 6x7, with a table of {table:.0f} MiB",
                f"{peak:.0f} MiB",
                f"{MEMORY_LIMIT} MiB",
            )


def _c_rows(quick: bool) -> Iterator[Row]:
    """The kernel against C, and C without the search ideas."""
    with _compiled() as program:
        if program is None:
            yield "ratio to C", "no gcc here", f"{C_LIMIT}"
            return
        for (rows, columns), bits in ({(4, 4): 16} if quick else KERNEL_BOARDS).items():
            value, visited, seconds = min(
                (_run_c(program, rows, columns, bits) for _ in range(3)), key=lambda each: each[2]
            )
            kernel = min((_run_kernel(rows, columns, bits) for _ in range(3)), key=lambda each: each[2])
            assert kernel[:2] == (value, visited)
            yield (
                f"time compared with C, same method, {rows}x{columns}",
                f"{kernel[2] / seconds:.2f}x of {_duration(seconds)}",
                f"{C_LIMIT}x",
            )
            plain = _run_c(program, rows, columns, bits, "m")
            yield (
                f"time compared with C, table and mirror images only, {rows}x{columns}",
                f"{kernel[2] / plain[2]:.2f}x of {_duration(plain[2])}",
                f"{C_LIMIT}x",
            )


def _course_rows(quick: bool) -> Iterator[Row]:
    lines = (COURSE / "expected.tsv").read_text().splitlines()
    expected = dict(line.split("\t")[:2] for line in lines if not line.startswith("#"))
    expected = dict(list(expected.items())[: 1 if quick else None])
    boards = {name: read_course((COURSE / name).read_text()) for name in expected}
    solver = HexapawnSolver()
    solver.warm()
    with Control() as control:
        started = time.perf_counter()
        found = {name: signed(solver.verdict(board, control)) for name, board in boards.items()}
        fast = time.perf_counter() - started
        assert found == {name: int(value) for name, value in expected.items()}
        yield "values of the course's eight files", _duration(fast), "100 ms"
        started = time.perf_counter()
        counts = [evaluate(MAP_COURSE, board, control) for board in boards.values()]
        slow = time.perf_counter() - started
    calls = sum(each.calls for each in counts)
    measured = f"{_duration(slow)}, {calls:,} calls, {slow / fast:,.0f}x the solver"
    yield "the same eight by the course's method in Python", measured, ""


def _play_rows(quick: bool) -> Iterator[Row]:
    solver = HexapawnSolver()
    solver.warm()
    for size in ("4x4",) if quick else ("5x5", "5x6"):
        board = GAME.new(GAME.parameters.parse(size))
        with Control() as control:
            solver.verdict(board, control)
            started = time.perf_counter()
            solver.moves(board, control)
            analysed = time.perf_counter() - started
            solver.line(board, control)
            line = time.perf_counter() - started - analysed
        yield f"verdicts of all moves, {size}, position already solved", _duration(analysed), ""
        yield f"best line, {size}, position already solved", _duration(line), ""
    board = PawnPosition.full(8, 8)
    for seconds in (0.1,) if quick else (1, 10):
        with Control(seconds) as control:
            verdict = solver.verdict(board, control)
        least = verdict.limits()["at_least"]
        said = f"at least {least} plies" if verdict.value is None else str(verdict.value)
        yield f"proved of 8x8 after {seconds} s", f"{said}, {control.nodes:,} positions", ""
    worst = 0.0
    runs = 1 if quick else 5
    for _ in range(runs):
        with Control(0.3) as control:
            started = time.perf_counter()
            solver.verdict(board, control)
            worst = max(worst, time.perf_counter() - started - 0.3)
    yield f"delay until a stopped search of 8x8 ends, worst of {runs}", _duration(max(worst, 0.0)), "200 ms"


def rows(quick: bool = False) -> list[Row]:
    parts = (_course_rows, _play_rows, _c_rows, _solve_rows)
    return [row for part in parts for row in part(quick)]


def idea_rows() -> list[Row]:
    table: list[Row] = []
    with _compiled() as program:
        if program is None:
            return [("ideas", "no gcc here", "")]
        for ideas, words in IDEAS.items():
            results = [_run_c(program, size[0], size[1], 22, ideas) for size in ((6, 6), (5, 7))]
            first, second = (f"{visited:,} in {_duration(seconds)}" for _, visited, seconds in results)
            table.append((words, first, second))
    return table


if __name__ == "__main__":
    if "--ideas" in sys.argv:
        show(idea_rows())
    else:
        main(rows)

"""Time to solve Tetromino boards: `python -m benchmarks.tetromino`.

All times are processor seconds of one thread, or of the busier one of two. So other work on the computer
counts less. Every solver starts with an empty table, unless its row says otherwise.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from arcade.engines.control import Control
from arcade.engines.tetromino import reference_methods as classic
from arcade.engines.tetromino.game import GAME
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.tetromino.solver import TetrominoSolver, move_classes
from benchmarks.table import Row, show

SOURCE = Path(__file__).with_name("tetromino.c")
ARTICLE = 23.6
"""Seconds of the article's native OCaml for the first position of 5x8, on one core."""
SIZES = (("5x8", 7, "19", "0.4 s"), ("6x7", 3, "19", "2.5 s"), ("6x8", 1, "21", "15 s"))
"""Size, runs of which the best counts, binary logarithm of C's table, limit."""
EVERY = 6
"""Plies after every sixth of 115 first moves that are not symmetric, and the middle reply to each."""

_PEAK = """
from pathlib import Path
from arcade.engines.control import Control
from arcade.engines.tetromino.game import GAME, Tetromino
def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
GAME.solver.warm()
before = peak()
with Control() as control:
    Tetromino().solver.value(GAME.new(GAME.parameters.parse("6x8")), control)
print(peak() - before, peak())
"""


def _start(size: str) -> Tetrominoes:
    return GAME.new(GAME.parameters.parse(size))


def _seconds_of_value(solver: TetrominoSolver, position: Tetrominoes) -> float:
    with Control() as control:
        started = time.thread_time()
        solver.value(position, control)
        return time.thread_time() - started


def _seconds_of_moves(solver: TetrominoSolver, position: Tetrominoes) -> tuple[float, float]:
    """Seconds until every move has its value, and until it has its remoteness.

    Two threads share the work; the busier one is a player's waiting time.
    """

    def busier() -> float:
        own, all_threads = time.thread_time() - before[0], time.process_time() - before[1]
        return max(own, all_threads - own)

    with Control() as control:
        before = time.thread_time(), time.process_time()
        solver.move_values(position, control)
        valued = busier()
        solver.moves(position, control)
        return valued, busier()


def _compiled(folder: str) -> Path | None:
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    program = Path(folder) / "tetromino"
    subprocess.run([gcc, "-O3", "-march=native", "-o", str(program), str(SOURCE)], check=True)
    return program


def _c(program: Path, *arguments: str) -> float:
    """Processor seconds."""
    line = subprocess.run([str(program), *arguments], check=True, capture_output=True, text=True).stdout
    return float(line.split()[1])


def _boards(program: Path | None) -> list[Row]:
    found: list[Row] = []
    for size, runs, bits, limit in SIZES:
        ours, others = [], []
        for _ in range(runs):
            ours.append(_seconds_of_value(TetrominoSolver(), _start(size)))
            if program is not None:
                others.append(_c(program, size, bits))
        best = min(ours)
        against = f"{best / min(others):.2f}x of {min(others):.3f} s" if others else "no gcc here"
        found.append((f"value of the empty board, {size}", f"{best:.3f} s", limit))
        found.append((f"time compared with C, same method, {size}", against, ""))
    return found


def _moves() -> list[Row]:
    start = _start("5x8")
    both = [_seconds_of_moves(TetrominoSolver(), start) for _ in range(3)]
    found = [
        ("values of all 429 first moves, 5x8", f"{min(each[0] for each in both):.3f} s", "1.5 s"),
        ("remoteness of all 429 first moves, 5x8", f"{min(each[1] for each in both):.3f} s", "6 s"),
    ]
    later: list[Tetrominoes] = []
    chosen = [start.play(moves[0]) for moves in move_classes(start)][::EVERY]
    for position in chosen:
        replies = position.moves()
        later.append(position.play(replies[len(replies) // 2]))
    for what, positions, known in (
        ("second ply, after analysing the first", chosen, True),
        ("second ply, from an empty table", chosen, False),
        ("third ply, from an empty table", later, False),
    ):
        measured = []
        for position in positions:
            solver = TetrominoSolver()
            if known:
                _seconds_of_moves(solver, start)
            measured.append(_seconds_of_moves(solver, position))
        for index, name in enumerate(("values", "remoteness")):
            times = sorted(each[index] for each in measured)
            within = sum(each < 0.3 for each in times)
            figure = (
                f"median {median(times):.2f} s, worst {times[-1]:.2f} s, {within} of {len(times)} in time"
            )
            found.append((f"{name} of all moves, {what}", figure, "0.3 s"))
    return found


def _historical() -> list[Row]:
    position = _start("5x8")
    classic.warm()
    with Control() as control:
        started = time.thread_time()
        classic.plain(position, control)
        plain = time.thread_time() - started
        visited = control.nodes
    solver = min(_seconds_of_value(TetrominoSolver(), position) for _ in range(5))
    return [
        ("article's method plain, 5x8", f"{plain:.1f} s, {visited / 1e6:.0f} million positions", ""),
        ("article's own program in OCaml, 5x8", f"{ARTICLE} s", ""),
        ("plain compared with the solver, 5x8", f"{plain / solver:,.0f}x", ""),
    ]


def _memory() -> list[Row]:
    line = subprocess.run(
        [sys.executable, "-P", "-c", _PEAK], check=True, capture_output=True, text=True
    ).stdout
    added, peak = map(float, line.split())
    return [("memory added by the value of 6x8", f"{added:.0f} MiB of {peak:.0f} MiB", "1 GB")]


def rows() -> list[Row]:
    GAME.solver.warm()
    with tempfile.TemporaryDirectory() as folder:
        found = _boards(_compiled(folder))
    return found + _moves() + _historical() + _memory()


if __name__ == "__main__":
    show(rows())

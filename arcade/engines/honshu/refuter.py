"""A SAT solver in a process of its own, which can be stopped at once.

Run as a module, it reads one question in JSON from standard input and writes one answer. Inside CaDiCaL no
Python code runs, neither another thread nor a signal handler, so a thread of the app could not be stopped.

python-sat is the extra `prove`; nothing else in the arcade imports it.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec

from arcade.engines.control import Control
from arcade.engines.errors import InputError
from arcade.engines.honshu.formula import Formula, most
from arcade.engines.honshu.rules import HonshuPosition, Move, parse_move, parse_position

SOLVER = "CaDiCaL 1.9.5"

OPTIONS = {"stabilize": 0, "walk": 0, "chrono": 0}
"""Options of CaDiCaL for formulas that are unsatisfiable; measured, see docs/honshu.md."""

HOW = "To have the highest score proved, install one more solver: pip install 'solver-arcade[prove]'"
"""What to say where python-sat is missing."""

_PAUSE = 0.05
"""Seconds between two looks at the control."""
_PARENT_DEATH = 1
"""The option PR_SET_PDEATHSIG of Linux's prctl."""


def available() -> bool:
    """Whether python-sat is installed."""
    return find_spec("pysat") is not None


@dataclass(frozen=True, slots=True)
class Reply:
    """Whether a formula is satisfiable."""

    moves: tuple[Move, ...] | None
    """A layout with at most the loss of the formula; None if there is none."""
    seconds: float
    """Processor time of building and solving."""
    conflicts: int


def solve(formula: Formula) -> tuple[list[Move] | None, int]:
    """Solve a formula here and now; nothing can stop it.

    Returns:
        A layout whose loss is in the limit, None if there is none; and the number of conflicts.
    """
    from pysat.solvers import Cadical195

    with Cadical195() as solver:
        solver.configure(OPTIONS)
        for clause in formula.clauses:
            solver.add_clause(clause)
        while solver.solve():
            moves = formula.moves(solver.get_model())
            end = formula.position
            for move in moves:
                end = end.play(move)
            if end.score.total >= most(formula.position) - formula.loss:
                return moves, solver.accum_stats()["conflicts"]
            solver.add_clause(formula.forbid(moves))
        return None, solver.accum_stats()["conflicts"]


def ask(position: HonshuPosition, loss: int, case: int, control: Control) -> Reply | None:
    """Solve a formula in another process.

    Args:
        position, loss, case: see `formula.Formula`.
        control: kills the process when it stops.

    Returns:
        The answer; None when stopped.

    Raises:
        InputError: python-sat is missing or the process ended badly.
    """
    if not available():
        raise InputError(f"{HOW}.")
    question: str | None = json.dumps({"position": position.text(), "loss": loss, "case": case})
    process = subprocess.Popen(
        [sys.executable, "-m", "arcade.engines.honshu.refuter"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        while True:
            if control.stopped:
                return None
            try:
                written, _ = process.communicate(question, timeout=_PAUSE)
                break
            except subprocess.TimeoutExpired:
                question = None
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
    if process.returncode:
        raise InputError(f"The SAT solver ended with code {process.returncode}; perhaps memory is short.")
    answer = json.loads(written)
    moves = None if answer["moves"] is None else tuple(parse_move(move) for move in answer["moves"])
    return Reply(moves, answer["seconds"], answer["conflicts"])


def main() -> None:
    """Reply the question on standard input."""
    # Ctrl+C is for the parent, which then kills this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH, signal.SIGKILL)
    question = json.loads(sys.stdin.read())
    formula = Formula(parse_position(question["position"]), question["loss"], question["case"])
    moves, conflicts = solve(formula)
    found = None if moves is None else [str(move) for move in moves]
    print(json.dumps({"moves": found, "seconds": round(time.process_time(), 3), "conflicts": conflicts}))  # noqa: T201


if __name__ == "__main__":
    main()

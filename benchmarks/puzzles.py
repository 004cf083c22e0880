"""How long making a puzzle takes: `python -m benchmarks.puzzles`."""

from __future__ import annotations

import statistics
import time

from arcade.engines.control import Control
from arcade.engines.registry import ORDER, AnyGame, get_game
from arcade.puzzles.making import Maker
from arcade.puzzles.puzzle import GRADES
from benchmarks.table import Row, show

COUNT = 20
"""Puzzles of each kind."""
LIMIT = 0.5
"""Seconds that making one may take at the median."""


def _times(game: AnyGame, grade: int | None) -> list[float]:
    maker, times = Maker(game), []
    for seed in range(COUNT):
        started = time.perf_counter()
        with Control() as control:
            maker.make(seed, control, grade)
        times.append(time.perf_counter() - started)
    return times


def rows() -> list[Row]:
    """The median and the longest time for each game and grade."""
    found = []
    for name in ORDER:
        game = get_game(name)
        game.solver.warm()
        for grade in (None, *GRADES):
            times = _times(game, grade)
            kind = "any grade" if grade is None else f"grade {grade}"
            measured = f"{statistics.median(times):.3f} s, longest {max(times):.2f} s"
            found.append((f"{game.title}, {kind}: median of {COUNT}", measured, f"{LIMIT} s"))
    return found


if __name__ == "__main__":
    show(rows())

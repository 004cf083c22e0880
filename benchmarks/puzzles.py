"""Time to generate a puzzle: `python -m benchmarks.puzzles [--quick]`."""

from __future__ import annotations

import statistics
import time

from arcade.engines.control import Control
from arcade.engines.registry import ORDER, AnyGame, get_game
from arcade.study.puzzle_generator import GRADES, PuzzleGenerator
from benchmarks.table import Row, main

LIMIT = 0.5
"""Maximum median time in seconds."""


def _times(game: AnyGame, grade: int | None, count: int) -> list[float]:
    maker, times = PuzzleGenerator(game), []
    for seed in range(count):
        started = time.perf_counter()
        with Control() as control:
            maker.make(seed, control, grade)
        times.append(time.perf_counter() - started)
    return times


def rows(quick: bool = False) -> list[Row]:
    count, grades = (1, ()) if quick else (20, GRADES)
    found = []
    for name in ORDER:
        game = get_game(name)
        game.solver.warm()
        for grade in (None, *grades):
            times = _times(game, grade, count)
            kind = "any grade" if grade is None else f"grade {grade}"
            measured = f"{statistics.median(times):.3f} s, longest {max(times):.2f} s"
            found.append(
                (f"{game.title}, {kind}: generate a puzzle, median of {count}", measured, f"{LIMIT} s")
            )
    return found


if __name__ == "__main__":
    main(rows)

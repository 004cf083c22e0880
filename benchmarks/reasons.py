"""Time to explain a verdict: `python -m benchmarks.reasons [--quick]`.

The positions are up to 200 different ones from matches between two club players on each board of a path. Each
is explained in its own process with loaded kernels and empty caches. Times are processor times.
"""

from __future__ import annotations

import multiprocessing
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from arcade.engines.control import Control
from arcade.engines.registry import ORDER, get_game, parse_game_id
from arcade.library import play_matches
from benchmarks.table import Row, main

POSITIONS, MATCHES = 200, 100
LIMIT = 2.0
"""Seconds for 95 of 100 positions."""
STOP = 20.0
"""Seconds after which an explanation is stopped."""


def _drawn(board: str, count: int) -> list[str]:
    """IDs from the first matches between club players."""
    found: dict[str, None] = {}
    for match in play_matches(board, "club", "club", games=MATCHES, seed=1):
        for number in range(len(match.plies)):
            found[str(match.start.at(match.before(number)))] = None
        if len(found) >= count:
            break
    return list(found)[:count]


def _seconds(position: str) -> float:
    """Until a reason is known, or known to be too far."""
    game_id = parse_game_id(position)
    with Control(STOP) as control:
        started = time.process_time()
        game_id.game.explanations.reasons.why(game_id.start(), control)
        return time.process_time() - started


def _apart(work: Callable[[Any], Any], questions: Sequence[Any]) -> list[Any]:
    """Each in a process that has what is loaded here."""
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        return pool.map(work, questions, chunksize=1)


def rows(quick: bool = False) -> list[Row]:
    """95th percentile, median and longest time on each board."""
    found = []
    for name in ORDER:
        game = get_game(name)
        if not game.explanations.has_rules:
            continue
        game.solver.warm()
        boards = dict.fromkeys(":".join(filter(None, (name, step.board))) for step in game.practice.path)
        for board in list(boards)[: 1 if quick else None]:
            count = 3 if quick else POSITIONS
            positions = _apart(partial(_drawn, count=count), [board])[0]
            times = sorted(_apart(_seconds, positions))
            middle, high = statistics.median(times), times[-1 - len(times) // 20]
            measured = f"{high:.3f} s, median {middle:.3f} s, longest {times[-1]:.2f} s"
            found.append((f"{board}: 95th percentile of {len(times)}", measured, f"{LIMIT} s"))
    return found


if __name__ == "__main__":
    main(rows)

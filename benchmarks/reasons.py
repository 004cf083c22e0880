"""Time to explain a verdict: `python -m benchmarks.reasons [--quick]`.

The positions are up to 200 different ones from matches between two club players on each board of a path. Each
is explained in its own process with loaded kernels and empty caches. Times are processor times.
"""

from __future__ import annotations

import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
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


def path_boards(quick: bool) -> Iterator[str]:
    """Yield the boards of the paths of games with rules of thumb, each with a loaded solver."""
    for name in ORDER:
        game = get_game(name)
        if game.explanations.has_rules:
            game.solver.warm()
            boards = dict.fromkeys(":".join(filter(None, (name, step.board))) for step in game.practice.path)
            yield from list(boards)[: 1 if quick else None]


def times_row(what: str, times: Iterable[float], limit: float) -> Row:
    """95th percentile, median and longest time, in seconds."""
    ordered = sorted(times)
    middle, high = statistics.median(ordered), ordered[-1 - len(ordered) // 20]
    measured = f"{high:.3f} s, median {middle:.3f} s, longest {ordered[-1]:.2f} s"
    return (f"{what}: 95th percentile of {len(ordered)}", measured, f"{limit} s")


def rows(quick: bool = False) -> list[Row]:
    found = []
    for board in path_boards(quick):
        positions = _apart(partial(_drawn, count=3 if quick else POSITIONS), [board])[0]
        found.append(times_row(board, _apart(_seconds, positions), LIMIT))
    return found


if __name__ == "__main__":
    main(rows)

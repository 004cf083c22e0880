"""Prove again what the games' files of facts say, and write it: `python -m tools.facts [NAME]...`.

A name is like `hexapawn:6x7`, or a game for all of its facts; without any, all are proved, which takes two
hours on two cores and 17.5 GB, most of both for Hexapawn's 7x8. Each is written as soon as it is proved.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from arcade.engines.chocobar.rules import MAX_SIDE, Bar, bars_in
from arcade.engines.chocobar.solver import ChocobarSolver
from arcade.engines.control import Control
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.hexapawn.search import long_search
from arcade.engines.hexapawn.table import large_table
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.tetromino.solver import TetrominoSolver, move_classes, rank_of
from arcade.engines.verdict import Verdict

ENGINES = Path(__file__).parent.parent / "arcade" / "engines"


def fact(verdict: Verdict, command: str) -> dict[str, Any]:
    """A verdict as it is stored."""
    print(f"{command}: {verdict} {verdict.nodes:,} positions, {verdict.seconds:.1f} s", flush=True)
    return {**verdict.limits(), "proof": verdict.proof.value, "command": command}


def pawns(size: str, memory: int) -> dict[str, Any]:
    """The full board of a size of Hexapawn, by a search that knows no fact, with a table of `memory` MiB."""
    rows, columns = map(int, size.split("x"))
    with Control() as control:
        verdict = long_search(PawnPosition.full(rows, columns), large_table(memory), control)
    return fact(verdict, f"arcade hexapawn solve {size} --memory {memory}")


def bars(rows: int, columns: int) -> dict[str, Any]:
    """The full bar of a size of Chocobar, from the table of a larger one if there is one already."""
    with Control() as control:
        SOLVER.solve_with_remoteness(rows, columns, control)
        verdict = SOLVER.verdict(Bar.full(rows, columns), control)
    return fact(verdict, f"arcade chocobar openings {rows}x{columns} --remoteness")


def pieces(size: str) -> dict[str, Any]:
    """The empty board of a size of Tetromino."""
    width, height = map(int, size.split("x"))
    with Control() as control:
        verdict = TetrominoSolver().value(Tetrominoes(width, height), control)
    return fact(verdict, f"arcade tetromino value {size}")


def replies() -> dict[str, str]:
    """The rank after each reply to each first move on the standard board of Tetromino, as digits."""
    found = {}
    start = Tetrominoes(5, 8)
    for first, *_ in move_classes(start):
        began = time.perf_counter()
        with Control() as control:
            analysis = TetrominoSolver().moves(start.play(first), control)
        found[str(first)] = "".join(f"{rank_of(each.verdict):x}" for each in analysis)
        print(f"{first}: {len(analysis)} replies, {time.perf_counter() - began:.1f} s", flush=True)
    return found


LARGE_BARS = sorted(
    (
        (rows, columns)
        for columns in range(2, MAX_SIDE + 1)
        for rows in range(2, columns)
        if bars_in(rows, columns) > bars_in(14, 14)
    ),
    key=lambda size: bars_in(*size),
    reverse=True,
)
"""Full bars that take a second or longer; the table of the first answers for all. Squares need no search."""
SOLVER = ChocobarSolver()

FACTS: dict[str, tuple[str, str, Callable[[], Any]]] = {
    **{
        f"chocobar:{rows}x{columns}": ("boards", f"{rows}x{columns}", partial(bars, rows, columns))
        for rows, columns in LARGE_BARS
    },
    **{
        f"hexapawn:{size}": ("boards", size, partial(pawns, size, memory))
        for size, memory in (
            ("6x6", 64),
            ("7x6", 1024),
            ("6x7", 1024),
            ("8x6", 8192),
            ("7x7", 8192),
            ("6x8", 8192),
            ("7x8", 16384),
            ("8x7", 8192),
        )
    },
    **{
        f"tetromino:{size}": ("boards", size, partial(pieces, size)) for size in ("5x9", "7x7", "5x10", "7x8")
    },
    "tetromino:5x8": ("replies", "5x8", replies),
}
"""By name the section of the game's file, the key there, and what proves it."""


def main() -> None:
    """Prove the facts that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"of {', '.join(FACTS)}; or a game")
    arguments = parser.parse_args()
    wanted = arguments.names or FACTS
    known = {name.partition(":")[0] for name in FACTS}
    for name in wanted:
        if name not in FACTS and name not in known:
            parser.error(f"There is no fact {name!r}; the facts are {', '.join(FACTS)}.")
    for name, (section, key, prove) in FACTS.items():
        game = name.partition(":")[0]
        if name in wanted or game in wanted:
            proved = prove()
            file = ENGINES / game / "facts.json"
            facts = json.loads(file.read_text())
            facts[section] = dict(sorted((facts[section] | {key: proved}).items()))
            file.write_text(json.dumps(facts, indent=1) + "\n")


if __name__ == "__main__":
    main()

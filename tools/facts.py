"""Prove the stored facts of the games again and write them: `python -m tools.facts [NAME]...`.

A name is like `hexapawn:6x7`, or a game for all of its facts. Without a name, all facts are proved, which
takes two hours on two cores and 17.5 GB, mostly for Hexapawn's 7x8. Each fact is written as soon as it is
proved.
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
    print(f"{command}: {verdict} {verdict.nodes:,} positions, {verdict.seconds:.1f} s", flush=True)
    return {**verdict.limits(), "proof": verdict.proof.value, "command": command}


def pawns(size: str, memory: int) -> dict[str, Any]:
    """Without stored facts, in a table of `memory` MiB."""
    rows, columns = map(int, size.split("x"))
    with Control() as control:
        verdict = long_search(PawnPosition.full(rows, columns), large_table(memory), control)
    return fact(verdict, f"arcade hexapawn solve {size} --memory {memory}")


def bars(rows: int, columns: int) -> dict[str, Any]:
    with Control() as control:
        SOLVER.solve_with_remoteness(rows, columns, control)
        verdict = SOLVER.verdict(Bar.full(rows, columns), control)
    return fact(verdict, f"arcade chocobar openings {rows}x{columns} --remoteness")


def pieces(size: str) -> dict[str, Any]:
    width, height = map(int, size.split("x"))
    with Control() as control:
        verdict = TetrominoSolver().value(Tetrominoes(width, height), control)
    return fact(verdict, f"arcade tetromino value {size}")


def replies() -> dict[str, str]:
    """Ranks of replies to each first move on the standard board, as digits."""
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
"""Full bars of a second or more, without squares; the table of the first answers for all."""
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
"""Section and key of each fact, and the function that proves it."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"a fact ({', '.join(FACTS)}) or a game")
    arguments = parser.parse_args()
    wanted = arguments.names or FACTS
    known = {name.partition(":")[0] for name in FACTS}
    for name in wanted:
        if name not in FACTS and name not in known:
            parser.error(f"Unknown fact {name!r}. Choose from {', '.join(FACTS)}.")
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

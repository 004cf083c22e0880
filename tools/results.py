"""Extend docs/results.json with the verdicts of the solvers, and write docs/results.md from it.

Run `make results`, or `python -m tools.results [PART ...]`; `--help` lists the options. A run keeps stored
results, solves the missing boards, verifies those that are not fully verified, and searches for better
layouts. Boards run in parallel processes, or on a cluster whose workers run in this folder.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from arcade.commands.common import open_pool
from arcade.engines.control import Control
from arcade.engines.honshu.game import Honshu, load
from arcade.engines.honshu.upper_bound import facts, key
from arcade.engines.menace.opponents import PERFECT, RANDOM
from arcade.engines.move_lists import parse_moves
from arcade.engines.registry import parse_game_id
from arcade.engines.solver import stored
from arcade.engines.tetromino.game import GAME as TETROMINO
from arcade.engines.verdict import ScoreVerdict, value_keeping_moves
from arcade.proof.verify import SECONDS, Verification, verify
from benchmarks.menace import learned

ROOT = Path(__file__).parent.parent
FILE, PAGE = ROOT / "docs" / "results.json", ROOT / "docs" / "results.md"
DATA = ROOT / "tests" / "data"

Known = dict[str, Any]
"""Of one board, as in docs/results.json."""

CHOMP_SIDE, PAWN_SQUARES, PIECE_CELLS = 10, 36, 45
"""Bars up to 10x10; Hexapawn boards up to 36 squares, sides up to 10; Tetromino boards up to 45 cells."""
LARGEST_TWINS = 14
"""Side of the largest bar searched for two winning bites."""

HEAD = """\
# Results

These are the boards that the arcade has solved. `make results` writes this page from `docs/results.json`,
and each run extends it. Each row names the command that proves it. Lengths are in plies, so they count the
moves of both sides.

* *Verified* is the method by which `arcade verify` checked the verdict without the solver: `search` (brute
  force), `certificate`, or `in part` ([verifying](verifying.md)).
* *Other source* compares the verdict with results from outside this project. If there are none, the cell is
  empty.
"""


def boards() -> dict[str, list[str]]:
    chomp = [(m, n) for m in range(1, CHOMP_SIDE + 1) for n in range(max(2, m), CHOMP_SIDE + 1)]
    pawns = [(n, m) for n in range(2, PAWN_SQUARES + 1) for m in range(1, PAWN_SQUARES + 1)]
    sides = range(TETROMINO.parameters.known[0].low + 1, PIECE_CELLS + 1)
    return {
        "chocobar": [f"chocobar:{m}x{n}" for m, n in chomp],
        "hexapawn": [f"hexapawn:{n}x{m}" for n, m in pawns if n * m <= PAWN_SQUARES and n <= 10 and m <= 10],
        "tetromino": [f"tetromino:{w}x{h}" for w in sides for h in sides if w <= h and w * h <= PIECE_CELLS],
        "menace": ["menace"],
    }


def sources() -> dict[str, str]:
    """By game ID, as `words` writes them or its beginning."""
    wins, losses = "4x5 4x6 4x7 4x8 5x5 5x7 6x6", "4x10 5x6 5x8 6x7"
    found = {"menace": "tie", "tetromino:5x9": "tie"}
    found |= {f"tetromino:{size}": "win" for size in wins.split()}
    found |= {f"tetromino:{size}": "loss" for size in losses.split()}
    for name, game in (("chocobar/openings.tsv", "chocobar"), ("hexapawn/full_boards.tsv", "hexapawn")):
        for line in (DATA / name).read_text().splitlines():
            if not line.startswith("#"):
                rows, columns, plies, *_ = line.split("\t")
                value = "win" if int(plies) > 0 else "loss"
                found[f"{game}:{rows}x{columns}"] = f"{value} {abs(int(plies))}"
    return found


def solve(text: str, seconds: float, known: Known) -> Known:
    """Verdict, best moves and verification; stored ones are not repeated."""
    parsed = parse_game_id(text)
    position, solver = parsed.start(), parsed.game.solver
    if (known.get("verdict") or [None])[0] is None:
        with Control(20 * seconds) as control:
            found = solver.verdict(position, control)
            moves = value_keeping_moves(solver.moves(position, control))
            few = len(moves) <= 3 and not control.stopped
        # A lost board has no good moves.
        best = [str(move) for move in moves] if found.value == "win" and few else []
        known = {"verdict": [found.value, found.remoteness], "best": best, "moves": len(moves)}
    if known.get("proved") not in ("search", "certificate") and known["verdict"][0]:
        with Control() as control:
            again = verify(parsed, control, seconds=seconds)
        agreed(text, again)
        known["proved"] = again.method.value
    return known


def agreed(text: str, found: Verification) -> None:
    """Raise RuntimeError, which stops the run."""
    if found.agrees is False:
        raise RuntimeError(f"{text}: {found.finding}")


def boards_of(seconds: float) -> Callable[[tuple[str, Known]], Known]:
    """A pool's task with a limit in seconds."""
    return lambda board: solve(board[0], seconds, board[1])


def twins(found: Known) -> Known:
    """Up to 14x14, with more than one winning bite."""
    if found:
        return found
    solver = parse_game_id("chocobar").game.solver
    for rows in range(1, LARGEST_TWINS + 1):
        for columns in range(max(2, rows), LARGEST_TWINS + 1):
            text = f"chocobar:{rows}x{columns}"
            with Control() as control:
                bites = value_keeping_moves(solver.moves(parse_game_id(text).start(), control))
            if len(bites) > 1:
                found[text] = [str(bite) for bite in bites]
    return found


def layouts(name: str, seconds: float, known: Known) -> Known:
    game = Honshu()
    start = load(str(DATA / "honshu" / name))
    with Control(seconds) as control:
        found = game.solver.verdict(start, control)
        line = game.solver.line(start, control)
    assert isinstance(found, ScoreVerdict)
    assert found.bound is not None
    position = start
    if found.best is not None and found.best > known.get("best", 0):
        known = {**known, "best": found.best, "line": " ".join(map(str, line))}
    known = {**known, "bound": min(found.bound, facts()[key(start)].bound)}
    for move in parse_moves(game, known["line"], start):
        position = position.play(move)
    if game.points(position) != known["best"]:
        raise SystemExit(f"{name}: the moves do not reach {known['best']} points.")
    return {**known, "argument": game.explanations.score_argument(start)["limit"]}


def learning(known: Known) -> Known:
    """Shares in games 221 to 1,000 of 400 runs with 4, 3, 2, 1 beads."""
    for name, opponent in (("random", RANDOM), ("perfect", PERFECT)):
        if name not in known:
            shares, refused = learned(opponent, 400)
            known[name] = {"shares": shares, "refused": refused}
    return known


def words(known: Known) -> str:
    """For a column, for example "win 45"."""
    value, plies = known["verdict"]
    return " ".join(str(each) for each in (value, plies) if each is not None) or "unknown"


def duel_rows(name: str, found: dict[str, Known]) -> Iterator[str]:
    others = sources()
    yield "| board | first player | winning moves | verified | other source | command |"
    yield "|---|---|---|---|---|---|"
    for text, known in found.items():
        source = others.get(text)
        said = words(known)
        agrees = (
            ""
            if source is None
            else "agrees"
            if f"{said} ".startswith(f"{source} ")
            else f"DIFFERS: {source}"
        )
        best = ", ".join(known["best"]) or ("" if known["verdict"][0] != "win" else f"{known['moves']} moves")
        proved = (known.get("proved") or "").replace("partial", "in part")
        row = (text.partition(":")[2] or "3x3", said, best, proved, agrees)
        yield f"| {' | '.join(row)} | `arcade verify {text}` |"


def page(found: dict[str, Any]) -> Iterator[str]:
    yield HEAD
    for name, (title, said) in TABLES.items():
        yield f"## {title}\n"
        yield f"{said}\n"
        yield from duel_rows(name, found.get(name, {}))
        yield ""
    yield f"## Chocobar: bars with two winning bites, up to {LARGEST_TWINS}x{LARGEST_TWINS}\n"
    yield "The table of openings also has those of 8x10 and 9x10.\n"
    yield "| bar | winning bites | command |\n|---|---|---|"
    for text, bites in found.get("twins", {}).items():
        yield f"| {text.partition(':')[2]} | {', '.join(bites)} | `arcade moves {text}` |"
    yield "\n## Hexapawn: larger boards\n"
    yield "Each board was solved by a separate run. Seconds are processor time, except for 7x8 and 8x7: these"
    yield "are elapsed time with two threads. *Verified* is what the C program of the benchmarks has"
    yield "confirmed with other bounds.\n"
    yield "| board | first player | positions | seconds | date | verified | command |"
    yield "|---|---|---:|---:|---|---|---|"
    for size, known in found.get("large", {}).items():
        fact = stored("hexapawn").boards[size]
        counts = (f"{known[key]:,}" for key in ("positions", "seconds"))
        row = (size, f"{fact.value} {fact.remoteness}", *counts, known["date"], known["again"])
        yield f"| {' | '.join(row)} | `{fact.command}` |"
    yield "\n## Honshu: the published games\n"
    yield "| game | best score found | upper bound | upper bound by the rules alone | command |"
    yield "|---|---:|---:|---:|---|"
    for name, known in found.get("honshu", {}).items():
        command = f"`arcade honshu prove tests/data/honshu/{name} --recompute`"
        row = (name, *(str(known[key]) for key in ("best", "bound", "argument")))
        yield f"| {' | '.join(row)} | {command} |"
    yield "\nThe moves to the best scores:\n"
    yield from (f"* {name}: `{known['line']}`" for name, known in found.get("honshu", {}).items())
    yield "\n## MENACE: games 221 to 1,000 of 400 runs\n"
    yield "The boxes start with 4, 3, 2 or 1 beads per move. A win adds 3 beads, a tie adds 1, and a loss"
    yield "removes 1.\n"
    yield "| opponent | won / tied / lost | first box emptied | other source | command |"
    yield "|---|---|---:|---|---|"
    expected = {"random": "77 / 10 / 13 %", "perfect": "0 / 24 / 76 %, and 75 % of the runs"}
    for name, known in found.get("learning", {}).items():
        shares = " / ".join(f"{100 * each:.1f}" for each in known["shares"])
        row = (name, f"{shares} %", f"{100 * known['refused']:.0f} %", expected[name])
        yield f"| {' | '.join(row)} | `python -m benchmarks.menace` |"


TABLES = {
    "chocobar": (
        "Chocobar: every bar up to 10x10",
        "The first player wins all of them, by strategy stealing. Swapping rows and columns does not change\n"
        "the verdict. The other source is the table of openings in tests/data.",
    ),
    "hexapawn": (
        f"Hexapawn: every board up to {PAWN_SQUARES} squares with sides up to 10",
        "The other source is a table in tests/data, written by two independent programs. It agrees with\n"
        "Gardner (1962) on 3x3 and with the course's tests on 5x5.",
    ),
    "tetromino": (
        f"Tetromino: every board up to {PIECE_CELLS} cells that is at least four wide",
        "The other source is a search in C, which finds values only. For 5x8 it is also D. Guichard's\n"
        "article (2013), which prints the wrong winner ([original methods](original-methods.md#tetromino)).",
    ),
    "menace": ("Tic-tac-toe", "The other source is common knowledge."),
}
"""Title, and published results."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="*", help=f"{', '.join(boards())}, twins, honshu, learning")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="seconds to verify a verdict")
    parser.add_argument("--layouts", type=float, default=60, help="seconds to search for a layout")
    parser.add_argument("--workers", type=int, help="number of processes (default: one per core)")
    parser.add_argument("--cluster", help="address of a dask scheduler")
    arguments = parser.parse_args()
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    for part in arguments.part or [*boards(), "twins", "honshu", "learning"]:
        known = found.setdefault(part, {})
        if part == "twins":
            twins(known)
        elif part == "learning":
            learning(known)
        elif part == "honshu":
            for name in ("Partie1", "Partie2"):
                known[name] = layouts(name, arguments.layouts, known.get(name, {}))
        else:
            listed = boards()[part]
            questions = enumerate((text, known.get(text, {})) for text in listed)
            with Control() as control, open_pool(arguments.workers, arguments.cluster) as working:
                answers = working.work("tools.results:boards_of", arguments.seconds, questions, control)
                for number, answer in answers:
                    known[listed[number]] = answer
                    print(listed[number], words(answer), answer.get("proved"), flush=True)
            found[part] = {text: known[text] for text in listed}
        FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text("\n".join(page(found)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

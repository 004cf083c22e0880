"""Write the formulas whose refutation proves an upper bound of a Honshu game, for other programs to check.

    python -m tools.honshu_cnf GAME POINTS FOLDER

GAME is a game file or ID. If none of the DIMACS files in FOLDER is satisfiable, no map of the game scores
more than POINTS. To refute them and check the proof with CaDiCaL and drat-trim:

    cadical FILE.cnf FILE.drat; drat-trim FILE.cnf FILE.drat
"""

from __future__ import annotations

import argparse
from pathlib import Path

from arcade.commands.common import read_position
from arcade.engines.honshu.formula import UNLAID, Formula, cases, max_score
from arcade.engines.honshu.rules import HonshuPosition


def dimacs(formula: Formula) -> str:
    head = f"p cnf {formula.variables} {len(formula.clauses)}"
    return "\n".join([head, *(" ".join(map(str, (*clause, 0))) for clause in formula.clauses), ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("points", type=int, metavar="POINTS")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    start = read_position(given.game, HonshuPosition, "honshu")
    loss = max_score(start) - given.points - 1
    if loss < 0:
        parser.error(f"no map scores more than {max_score(start)} points anyway; choose a smaller number")
    given.folder.mkdir(parents=True, exist_ok=True)
    for case in cases(start, loss):
        file = given.folder / f"loss{loss}-{'unlaid' if case == UNLAID else f'root{case}'}.cnf"
        file.write_text(dimacs(Formula(start, loss, case)), "ascii")
        print(file)


if __name__ == "__main__":
    main()

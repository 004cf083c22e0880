"""Prove upper bounds of Honshu games and write them to the arcade's file of facts.

    python -m tools.honshu_facts [--seconds S] [--layout MOVES] GAME...

GAME is a game file or ID. Proved steps are saved in the data folder, as by `arcade honshu prove`, so both can
resume. MOVES is a layout to start from, if there is only one GAME (default: search for one). Facts of other
games do not change.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import arcade.engines.honshu
from arcade.commands.common import read_position
from arcade.engines.control import Control
from arcade.engines.files import write_text
from arcade.engines.honshu import upper_bound as refuter
from arcade.engines.honshu.game import GAME
from arcade.engines.honshu.rules import HonshuPosition
from arcade.engines.honshu.upper_bound import FACTS, Fact, UpperBoundProof, facts, key
from arcade.engines.move_lists import parse_moves
from arcade.engines.workers import LocalPool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--seconds", type=float, help="time for each game")
    parser.add_argument("--layout", help="the best layout known")
    given = parser.parse_args()
    for game in given.games:
        start = read_position(game, HonshuPosition, "honshu")
        proof = _prove(start, given.layout, given.seconds)
        facts.cache_clear()
        fact, kept = _fact(game, proof), facts().get(key(start))
        if kept is None or (fact.bound <= kept.bound and fact.best >= kept.best):
            _write({**facts(), key(start): fact})
        else:
            print(f"The stored fact, {kept.best} to {kept.bound}, is better and stays.")


def _prove(start: HonshuPosition, layout: str | None, seconds: float | None) -> UpperBoundProof:
    folder = refuter.proofs_folder()
    with Control(seconds) as control:
        found = GAME.solver.find_layout(start, control, seconds=0.0 if layout else 5.0)
        proof = UpperBoundProof(start, found.best, found.moves, found.bound)
        proof.resume(folder)
        if layout:
            proof.improve(tuple(parse_moves(GAME, layout, start)))
        for step in proof.tighten(control, LocalPool()):
            proof.save(folder)
            print(f"{proof.best} to {proof.bound}: {step.words}, {step.seconds:.1f} s", flush=True)
    return proof


def _fact(game: str, proof: UpperBoundProof) -> Fact:
    return Fact(
        game=key(proof.position),
        name=Path(game).name,
        bound=proof.bound,
        best=proof.best,
        moves=tuple(str(move) for move in proof.moves),
        solver=refuter.SOLVER,
        date=datetime.now(UTC).date().isoformat(),
        seconds=round(sum(step.seconds for step in proof.steps), 1),
    )


def _write(known: dict[str, Fact]) -> None:
    text = json.dumps({"facts": [asdict(fact) for fact in known.values()]}, indent=1)
    write_text(Path(arcade.engines.honshu.__file__).parent / "data" / FACTS, text + "\n")


if __name__ == "__main__":
    main()

"""Measure how well levels are estimated, with simulated players: `python -m tools.level [GAMEID ...]`.

The players look 1 to 12 moves ahead, and one move of ten is a slip. They play each opponent of the path from
both sides. `--persons K` and `--matches K` set the numbers of players and matches.
"""

from __future__ import annotations

import argparse
import bisect
import random
from statistics import mean

from arcade.engines.control import Control
from arcade.engines.players import RUNGS
from arcade.engines.registry import parse_game_id
from arcade.play.match import new_match
from arcade.study.review import Chances, chances, choices, level_of

STARTS = ("chocobar:5x6", "hexapawn:4x4", "tetromino:5x8", "menace")
SIGHTS = range(1, 13)
SLIPS = 0.1


def true_rung(sights: tuple[int, ...], plies: int) -> float:
    """Perhaps between two levels. Twice the last but one level's depth is the last level."""
    rungs = (*sights, 2 * sights[-1])
    above = bisect.bisect_right(rungs, plies)
    if above in (0, len(rungs)):
        return float(min(above, len(sights)))
    low, high = rungs[above - 1 : above + 1]
    return above - 1 + (plies - low) / (high - low)


def person_plays(
    start: str, plies: int, opponent: str, seat: int, rng: random.Random, met: set[str]
) -> Chances | None:
    """Of the person's moves in new positions, which are added to `met`."""
    match = new_match(parse_game_id(start), (opponent, opponent), seed=rng.randrange(1 << 30))
    game = match.game
    with Control() as control:
        while match.result is None:
            position = match.position
            if position.turn == seat:
                analysis = game.solver.moves(position, control)
                match.learn(position, analysis)
                moves = (
                    position.moves()
                    if rng.random() < SLIPS
                    else game.players.likely_moves(position, analysis, plies)
                )
                match.play(rng.choice(list(moves)))
                match.learn(position, analysis)
            else:
                match.play(match.player().choose(position, match.rng(), control))
    made = choices(match, seat, met)
    met.update(
        match.game.symmetries.canonical(position) for ply, position in match.steps() if ply.seat == seat
    )
    return chances(made) if made else None


def measured(start: str, persons: int, matches: int) -> tuple[list[float], dict[int, list[float]]]:
    """Errors of the estimates in levels, and estimates by the players' depth."""
    sights = parse_game_id(start).game.players.lookahead
    far: list[float] = []
    rungs: dict[int, list[float]] = {}
    for person in range(persons):
        rng = random.Random(f"{start} {person}")
        plies, met = SIGHTS[person % len(SIGHTS)], set[str]()
        told = [
            person_plays(start, plies, RUNGS[number // 2 % 4], number % 2, rng, met)
            for number in range(matches)
        ]
        found = level_of([(float(number), each) for number, each in enumerate(told) if each], sights)
        assert found is not None
        rungs.setdefault(plies, []).append(found.rung)
        far.append(abs(found.rung - true_rung(sights, plies)))
    return far, rungs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="*", default=STARTS)
    parser.add_argument("--persons", type=int, default=200)
    parser.add_argument("--matches", type=int, default=10)
    arguments = parser.parse_args()
    for start in arguments.game:
        far, rungs = measured(start, arguments.persons, arguments.matches)
        one, two = (sum(rungs_off <= most for rungs_off in far) / len(far) for most in (1, 2))
        print(f"{start}: within one step {one:.0%}, within two {two:.0%}", flush=True)
        sights = parse_game_id(start).game.players.lookahead
        for plies, found in rungs.items():
            print(f"  depth:{plies} is {true_rung(sights, plies):.1f}, estimated as {mean(found):.2f}")


if __name__ == "__main__":
    main()

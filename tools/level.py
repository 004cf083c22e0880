"""How well a level is estimated: players of a known sight, and how far they seem to see.

`python -m tools.level [MATCHES]`: so many for each level, against a club player, in turn on both sides.
"""

from __future__ import annotations

import sys

from arcade.engines.control import Control
from arcade.engines.registry import parse_game_id
from arcade.match.match import Match
from arcade.session.alone import play_out
from arcade.study.review import chances, choices, level_of

STARTS = ("hexapawn:5x5", "chocobar:5x6", "tetromino:5x5", "menace")
SIGHTS = (1, 3, 5, 7, 9)


def estimate(start: str, sight: int, matches: int) -> str:
    """How far a player that sees so many moves ahead seems to see."""
    known = []
    for number in range(matches):
        seat = number % 2
        seats = ("club", f"sees:{sight}") if seat else (f"sees:{sight}", "club")
        match = play_out(Match(parse_game_id(start), seats, seed=number))
        with Control() as control:
            for ply, position in match.steps():
                if ply.seat == seat:
                    control.renew(5.0)
                    match.learn(position, match.game.solver.analyse(position, control))
        known.append((float(number), chances(choices(match, seat))))
    found = level_of(known)
    return "nothing" if found is None else f"{found.sight.best} ({found.sight})"


def main(matches: int = 30) -> None:
    """Print a table."""
    for start in STARTS:
        print(
            start,
            *(f"sees:{sight} {estimate(start, sight, matches)}" for sight in SIGHTS),
            sep="  ",
            flush=True,
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))

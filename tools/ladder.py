"""Measure how even the steps between opponents are: `python -m tools.ladder [GAME ...] [--games K]`.

Adjacent players meet in a tournament on the standard board, or with `--path` on the boards of the path. The
output is the tables of benchmarks/MEASUREMENTS.md.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator, Sequence

from arcade.engines.control import Control, cores
from arcade.engines.players import PERFECT, RUNGS
from arcade.engines.registry import AnyGame, GameID, get_game, installed_games, is_listed
from arcade.engines.workers import LocalPool
from arcade.play.match import min_players
from arcade.play.path import LADDER, path_of
from arcade.study.tournament import Tournament

NAMES = (*RUNGS, PERFECT.name)


def climbed(game: AnyGame, names: Sequence[str], games: int, seed: int = 0, workers: int = 0) -> Tournament:
    """Play a tournament on the standard board in which each player meets the next stronger one.

    `names` are seat notations, the weakest first. `games` is the even number of matches of each pair.
    """
    start = GameID(game, game.parameters.parse(""))
    played = Tournament(start, names, games // 2, seed, ladder=True)
    with Control() as control:
        played.play(control, LocalPool(workers))
    return played


def stronger_scores(played: Tournament) -> list[float]:
    """Return the share of points, from 0 to 1, of the stronger player of each pair."""
    cross = played.cross()
    steps = itertools.pairwise(range(len(played.players)))
    return [(cross[higher][lower] or 0.0) / (2 * played.rounds) for lower, higher in steps]


def rows(games: Sequence[AnyGame], count: int) -> Iterator[str]:
    steps = [f"{one} - {other}" for one, other in itertools.pairwise(NAMES)]
    yield f"| game | look-ahead in moves | {' | '.join(steps)} |"
    yield "| --- | --- |" + " --- |" * len(steps)
    ratings = [f"| game | {' | '.join(NAMES)} |", "| --- |" + " --- |" * len(NAMES)]
    for game in games:
        played = climbed(game, NAMES, count, workers=cores())
        sees = ", ".join(map(str, game.players.lookahead)) if min_players(game) == 2 else "see below"
        yield f"| {game.title} | {sees} | {' | '.join(f'{each:.0%}' for each in stronger_scores(played))} |"
        rated = {each.player: each for each in played.standings()}
        cells = (f"{rated[name].rating:+.0f} ± {rated[name].high - rated[name].rating:.0f}" for name in NAMES)
        ratings.append(f"| {game.title} | {' | '.join(cells)} |")
    yield from ("", *ratings)


def path_rows(games: Sequence[AnyGame], count: int, workers: int = 0) -> Iterator[str]:
    yield f"| game | {' | '.join(f'{one} - {other}' for one, other in itertools.pairwise(LADDER))} |"
    yield "| --- |" + " --- |" * (len(LADDER) - 1)
    for game in games:
        cells = []
        for weaker, stronger in itertools.pairwise(path_of(game)):
            names = (weaker.opponent, stronger.opponent)
            played = Tournament(stronger.start, names, count // 2, ladder=True)
            with Control() as control:
                played.play(control, LocalPool(workers))
            cells.append(f"{stronger.board} {stronger_scores(played)[0]:.0%}".strip())
        yield f"| {game.title} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="*", help="name of a game (default: all games in the menu)")
    parser.add_argument("--games", type=int, default=200, help="matches for each step")
    parser.add_argument("--path", action="store_true", help="play on the boards of the path")
    arguments = parser.parse_args()
    chosen = [get_game(name) for name in arguments.game] or [
        each for each in installed_games() if is_listed(each.name)
    ]
    table = path_rows(chosen, arguments.games, cores()) if arguments.path else rows(chosen, arguments.games)
    for row in table:
        print(row, flush=True)


if __name__ == "__main__":
    main()

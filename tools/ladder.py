"""Measure how even the steps between opponents are: `python -m tools.ladder [GAME ...] [--games K]`.

Adjacent players meet in a tournament on the standard board of each game, or on the board of an ID such as
hexapawn:8x8. With `--path` they meet on the boards of the path. The output is the tables of
benchmarks/MEASUREMENTS.md.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Iterator, Sequence

from arcade.engines.control import Control, cores
from arcade.engines.players import PERFECT, RUNGS
from arcade.engines.registry import AnyGame, GameID, installed_games, is_listed, parse_game_id
from arcade.engines.workers import LocalPool
from arcade.play.match import min_players
from arcade.play.path import LADDER, path_of
from arcade.study.tournament import Z_95, Tournament

NAMES = (*RUNGS, PERFECT.name)


def climbed(
    start: GameID,
    names: Sequence[str],
    games: int,
    seed: int = 0,
    workers: int = 0,
    seconds: float | None = None,
) -> Tournament:
    """Each player meets the next stronger one.

    `names` are seat notations, the weakest first. `games` is even, for each pair. `seconds` limits a move
    (default: the player's own limit).
    """
    played = Tournament(start, names, games // 2, seed, ladder=True, seconds=seconds)
    with Control() as control:
        played.play(control, LocalPool(workers))
    return played


def half_width(share: float, games: int) -> float:
    """Of the 95 % interval of a share of points, as if none was a tie."""
    return Z_95 * math.sqrt(share * (1 - share) / games)


def stronger_scores(played: Tournament) -> list[float]:
    """From 0 to 1, for each pair."""
    cross = played.cross()
    steps = itertools.pairwise(range(len(played.players)))
    return [(cross[higher][lower] or 0.0) / (2 * played.rounds) for lower, higher in steps]


def rows(
    boards: Sequence[GameID], count: int, workers: int = 0, seconds: float | None = None
) -> Iterator[str]:
    steps = [f"{one} - {other}" for one, other in itertools.pairwise(NAMES)]
    yield f"| game | look-ahead in moves | {' | '.join(steps)} |"
    yield "| --- | --- |" + " --- |" * len(steps)
    ratings = [f"| game | {' | '.join(NAMES)} |", "| --- |" + " --- |" * len(NAMES)]
    for start in boards:
        game, board = start.game, start.game.parameters.text(start.parameters)
        named = (
            game.title
            if board == game.parameters.text(game.parameters.parse(""))
            else f"{game.title} {board}"
        )
        played = climbed(start, NAMES, count, workers=workers, seconds=seconds)
        sees = ", ".join(map(str, game.players.lookahead)) if min_players(game) == 2 else "see below"
        shares = (f"{each:.0%} ± {100 * half_width(each, count):.0f}" for each in stronger_scores(played))
        yield f"| {named} | {sees} | {' | '.join(shares)} |"
        rated = {each.player: each for each in played.standings()}
        cells = (f"{rated[name].rating:+.0f} ± {rated[name].high - rated[name].rating:.0f}" for name in NAMES)
        ratings.append(f"| {named} | {' | '.join(cells)} |")
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
    parser.add_argument("game", nargs="*", help="name or ID of a game (default: all games in the menu)")
    parser.add_argument("--games", type=int, default=200, help="matches for each step")
    parser.add_argument("--path", action="store_true", help="play on the boards of the path")
    parser.add_argument("--seconds", type=float, help="longest time for a move")
    parser.add_argument("--workers", type=int, default=cores(), help="processes that play; 0 plays here")
    arguments = parser.parse_args()
    names = arguments.game or [each.name for each in installed_games() if is_listed(each.name)]
    chosen = [parse_game_id(name) for name in names]
    count, workers = arguments.games, arguments.workers
    table = (
        path_rows([each.game for each in chosen], count, workers)
        if arguments.path
        else rows(chosen, count, workers, arguments.seconds)
    )
    for row in table:
        print(row, flush=True)


if __name__ == "__main__":
    main()

"""`arcade honshu`: layouts for game files by every method, random deals, and scores of moves."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcade.commands.common import JsonOption, check_seconds, commands, print_json, say
from arcade.engines.game import InputError
from arcade.files import write_file

if TYPE_CHECKING:
    from arcade.engines.control import Control
    from arcade.engines.honshu.rules import HonshuPosition, Move

app = commands("Layouts of Honshu: solve, compare, deal, score.")

GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAMEFILE", help="A game file, variants after commas; or a deal like 9x12#5 or a position."
    ),
]
TilesOption = Annotated[
    str | None,
    typer.Option("--tiles", metavar="FILE", help="The file with the tiles; else the published ones."),
]


class Method(StrEnum):
    """How a layout is found."""

    SOLVER = "solver"
    GREEDY = "greedy"
    IN_ORDER = "in-order"
    EXPANSION = "expansion"
    MIXED = "mixed"


@dataclass(frozen=True)
class _Found:
    moves: list[Move]
    end: HonshuPosition
    bound: int
    seconds: float

    @property
    def best(self) -> int:
        return self.end.score.total

    def json(self, method: Method) -> dict[str, Any]:
        return {
            "method": method.value,
            "best": self.best,
            "bound": self.bound,
            "proof": "exact" if self.best == self.bound else "bound",
            "score_by_rule": self.end.score.by_rule(),
            "moves": [str(move) for move in self.moves],
            "seconds": round(self.seconds, 6),
        }


def _start(game: str, tiles: str | None) -> HonshuPosition:
    from arcade.engines.honshu import GAME

    # Not Path.exists, which fails for a name that is too long.
    if os.path.exists(game.partition(",")[0]):
        return GAME.load(game, tiles)
    if tiles is not None:
        raise InputError(f"The option --tiles goes with a game file, and {game!r} is none.")
    parameters, position, seed = GAME.split_id(game)
    parsed = GAME.parse_parameters(parameters)
    return GAME.new(parsed, seed or 0) if position is None else GAME.parse_position(position, parsed)


def _find(start: HonshuPosition, method: Method, seconds: float, seed: int, first: int | None) -> _Found:
    from arcade.commands.watched import run_watched
    from arcade.engines.honshu import GAME, classic

    solver = GAME.solver
    solver.warm()
    bounds = [solver.simple_bound(start)]
    taken: list[float] = []

    def work(control: Control) -> list[Move]:
        began = time.perf_counter()
        if method is Method.SOLVER:
            solution = solver.solve(start, control, seed=seed, seconds=seconds)
            bounds.append(solution.bound)
            made = list(solution.moves)
        elif method is Method.MIXED:
            greedy = max(0, len(start.hand) - 2) if first is None else first
            made = classic.mixed(start, greedy, control)
        else:
            chosen = {
                Method.GREEDY: classic.greedy,
                Method.IN_ORDER: classic.in_order,
                Method.EXPANSION: classic.expansion,
            }[method]
            made = chosen(start)
        taken.append(time.perf_counter() - began)
        return made

    moves = run_watched(work, solver.progress, None if method is Method.SOLVER else seconds)
    end = start
    for move in moves:
        end = end.play(move)
    return _Found(moves, end, min(bounds), taken[0])


def _print_score(position: HonshuPosition) -> None:
    from arcade.engines.honshu.scoring import RULES, scored_rules

    for rule in scored_rules(position.variants):
        print(f"{RULES[rule]}\t{position.score.by_rule()[rule]}")
    print(f"Total\t{position.score.total}")


@app.command()
def solve(
    game: GameArgument,
    tiles: TilesOption = None,
    method: Annotated[Method, typer.Option("--method", help="How to find the layout.")] = Method.SOLVER,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", metavar="S", callback=check_seconds, help="Time for the solver, or for mixed."
        ),
    ] = 10.0,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Of the solver's chance.")] = 0,
    first: Annotated[
        int | None,
        typer.Option("--first", metavar="J", min=0, help="Tiles that mixed lays greedily; else all but two."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find a layout; print its score by rule, the moves and the map."""
    found = _find(_start(game, tiles), method, seconds, seed, first)
    if as_json:
        print_json(found.json(method))
        return
    _print_score(found.end)
    print(f"Bound\t{found.bound}")
    print(" ".join(str(move) for move in found.moves))
    print(found.end.picture())
    say(f"{found.seconds:.3f} seconds")


@app.command()
def compare(
    game: GameArgument,
    tiles: TilesOption = None,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", metavar="S", callback=check_seconds, help="Time for the solver, and for mixed."
        ),
    ] = 10.0,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Of the solver's chance.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Run every method; print a table of scores and times, and the bound."""
    start = _start(game, tiles)
    results = []
    for method in (Method.IN_ORDER, Method.EXPANSION, Method.GREEDY, Method.MIXED, Method.SOLVER):
        results.append((method, _find(start, method, seconds, seed, None)))
        say(f"{method.value} is done")
    bound = min(found.bound for _, found in results)
    if as_json:
        print_json({"methods": [found.json(method) for method, found in results], "bound": bound})
        return
    print("method\tscore\tseconds")
    for method, found in results:
        print(f"{method.value}\t{found.best}\t{found.seconds:.3f}")
    print(f"bound\t{bound}\t")


@app.command()
def deal(
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="The game file to write.")],
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Of the deal.")] = 0,
    parameters: Annotated[
        str, typer.Option("--size", metavar="NxK", help="Rows and columns of the board, and number of tiles.")
    ] = "9x12",
    tiles: Annotated[
        str | None, typer.Option("--tiles", metavar="FILE", help="Draw the hand from this file of tiles.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write a random game file. Without --tiles its tiles are random too: those of NxK#N, in FILE.tiles."""
    import random

    from arcade.engines.honshu import GAME
    from arcade.engines.honshu.tiles import Deal, TileSet, read_tiles

    checked = GAME.parse_parameters(parameters)
    if any(value is True for value in checked.values()):
        raise InputError("A game file cannot name variants; add them after its name when it is used.")
    files = {}
    if tiles is None:
        start = GAME.new(checked, seed)
        dealt = Deal(start.size, start.tiles, start.start)
        files[f"{output}.tiles"] = TileSet((start.start, *start.tiles)).text()
    else:
        drawn = random.Random(seed).choices(read_tiles(tiles).tiles, k=int(checked["tiles"]) + 1)
        dealt = Deal(int(checked["size"]), tuple(drawn[1:]), drawn[0])
    files[output] = dealt.text()
    # Tried before anything is written: no tiles without their game.
    write_file(output, "", "a")
    for name, text in files.items():
        write_file(name, text)
    if as_json:
        print_json({"game": output, "tiles": tiles or f"{output}.tiles"})
    else:
        print(f"{output}\t{tiles or f'{output}.tiles'}")


@app.command()
def score(
    game: GameArgument,
    moves: Annotated[
        list[str] | None, typer.Argument(metavar="[MOVES]...", help="Placements like 7r2@4,5.")
    ] = None,
    tiles: TilesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play moves by the rules; print the score by rule and the map."""
    from arcade.engines.honshu import GAME

    position = _start(game, tiles)
    for move in GAME.parse_moves(" ".join(moves or ()), position):
        position = position.play(move)
    if as_json:
        by_rule = position.score.by_rule()
        over = position.outcome() is not None
        print_json({"score": position.score.total, "score_by_rule": by_rule, "over": over})
        return
    _print_score(position)
    print(position.picture())

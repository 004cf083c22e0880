"""`arcade honshu`: layouts by every method, random deals, and scores of moves."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcade.commands import common as shell
from arcade.commands.common import out, say, whole
from arcade.engines.files import InputError

if TYPE_CHECKING:
    from arcade.engines.control import Control
    from arcade.engines.honshu.rules import HonshuPosition, Move

app = shell.commands("Layouts of Honshu: solve, compare, prove, deal, score.")

GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game ID, a game file (variants after commas), a deal like 9x12#5, or a position.",
    ),
]
SeedOption = Annotated[int, whole("--seed", "Random seed of the solver.", 0)]


class LayoutMethod(StrEnum):
    """A method that finds a layout."""

    SOLVER = "solver"
    GREEDY = "greedy"
    IN_ORDER = "in-order"
    EXPANSION = "expansion"
    MIXED = "mixed"


@dataclass(frozen=True)
class FoundLayout:
    """What a method has found."""

    moves: list[Move]
    end: HonshuPosition
    bound: int
    seconds: float

    @property
    def best(self) -> int:
        return self.end.score.total

    def json(self, method: LayoutMethod) -> dict[str, Any]:
        return {
            "method": method.value,
            **_limits(self.best, self.bound),
            "score_by_rule": self.end.score.by_rule(),
            "moves": [str(move) for move in self.moves],
            "seconds": round(self.seconds, 6),
        }


def _limits(best: int, bound: int) -> dict[str, Any]:
    return {"best": best, "bound": bound, "proof": "exact" if best == bound else "bound"}


def _start(game: str, tiles: str | None) -> HonshuPosition:
    from arcade.engines.honshu.rules import HonshuPosition

    return shell.read_position(game, HonshuPosition, "honshu", tiles)


def _find(
    start: HonshuPosition, method: LayoutMethod, seconds: float, seed: int, first: int | None
) -> FoundLayout:
    from arcade.engines.honshu import GAME
    from arcade.engines.honshu import documents as classic

    solver = GAME.solver
    solver.warm()
    limit = solver.limit(start)
    bounds = [solver.simple_bound(start), *([] if limit is None else [limit.bound])]
    taken: list[float] = []

    def work(control: Control) -> list[Move]:
        began = time.perf_counter()
        if method is LayoutMethod.SOLVER:
            solution = solver.solve(start, control, seed=seed, seconds=seconds)
            bounds.append(solution.bound)
            made = list(solution.moves)
        elif method is LayoutMethod.MIXED:
            greedy = max(0, len(start.hand) - 2) if first is None else first
            made = classic.mixed(start, greedy, control)
        elif method is LayoutMethod.GREEDY:
            made = classic.greedy(start)
        elif method is LayoutMethod.IN_ORDER:
            made = classic.in_order(start)
        else:
            made = classic.expansion(start)
        taken.append(time.perf_counter() - began)
        return made

    moves = shell.run_watched(work, solver.progress, None if method is LayoutMethod.SOLVER else seconds)
    return FoundLayout(moves, start.after(moves), min(bounds), taken[0])


def _score_lines(position: HonshuPosition) -> list[str]:
    from arcade.engines.honshu.rules import RULES, scored_rules

    by_rule = position.score.by_rule()
    lines = [f"{RULES[rule]}\t{by_rule[rule]}" for rule in scored_rules(position.variants)]
    return [*lines, f"Total\t{position.score.total}"]


@app.command()
def solve(
    game: GameArgument,
    tiles: shell.TilesOption = None,
    method: Annotated[
        LayoutMethod, shell.one_of("--method", LayoutMethod, "The method.")
    ] = LayoutMethod.SOLVER,
    seconds: Annotated[float, shell.deadline("Time limit for solver or mixed.")] = 10.0,
    seed: Annotated[int, whole("--seed", "Random seed of the solver.", 0)] = 0,
    first: Annotated[
        int | None, whole("--first", "Tiles that mixed places greedily; else all but two.", 0)
    ] = None,
    as_json: shell.JsonOption = False,
) -> None:
    """Find a layout; print its score by rule, the moves and the map."""
    layout = _find(_start(game, tiles), method, seconds, seed, first)
    lines = [*_score_lines(layout.end), f"Bound\t{layout.bound}", " ".join(map(str, layout.moves))]
    said = f"{layout.seconds:.3f} seconds"
    shell.answer(as_json, layout.json(method), *lines, *str(layout.end).splitlines(), said=said)


@app.command()
def compare(
    game: GameArgument,
    tiles: shell.TilesOption = None,
    seconds: Annotated[float, shell.deadline("Time limit for solver and for mixed.")] = 10.0,
    seed: SeedOption = 0,
    as_json: shell.JsonOption = False,
) -> None:
    """Print the scores and times of all methods, and the bound."""
    start = _start(game, tiles)
    results = []
    for method in (
        LayoutMethod.IN_ORDER,
        LayoutMethod.EXPANSION,
        LayoutMethod.GREEDY,
        LayoutMethod.MIXED,
        LayoutMethod.SOLVER,
    ):
        results.append((method, _find(start, method, seconds, seed, None)))
        say(f"{method.value} is done")
    bound = min(layout.bound for _, layout in results)
    shell.answer(
        as_json,
        {"methods": [layout.json(method) for method, layout in results], "bound": bound},
        "method\tscore\tseconds",
        *(f"{method.value}\t{layout.best}\t{layout.seconds:.3f}" for method, layout in results),
        f"bound\t{bound}\t",
    )


@app.command()
def prove(
    game: Annotated[
        str, typer.Argument(metavar="FILE|ID", help="A game file, a game ID, or a position.")
    ] = "honshu",
    tiles: shell.TilesOption = None,
    seconds: shell.SecondsOption = None,
    recompute: Annotated[
        bool, typer.Option("--recompute", help="Prove everything anew; use nothing that was proved before.")
    ] = False,
    as_json: shell.JsonOption = False,
) -> None:
    """Lower the limit of the score, one proof at a time. Ctrl+C stops it; the same command goes on."""
    from arcade.engines.honshu import GAME
    from arcade.engines.honshu import ceiling as refuter
    from arcade.engines.honshu.ceiling import Ceiling
    from arcade.store.file import data_folder

    start = _start(game, tiles)
    if not refuter.available():
        raise InputError(f"{refuter.HOW}.")
    solver = GAME.solver
    solver.warm()
    folder = data_folder() / "proofs"
    proved: list[Ceiling] = []

    def work(control: Control) -> Ceiling:
        for ceiling in solver.prove(start, folder, control, recompute):
            limits = f"best {ceiling.best}, limit {ceiling.bound}"
            step = f": {ceiling.steps[-1].words}, {ceiling.steps[-1].seconds:.1f} s" if proved else ""
            proved.append(ceiling)
            if not as_json:
                out(f"{limits}{step}", flush=True)
        return ceiling

    def progress(control: Control) -> str:
        if not proved:
            return solver.progress(control)
        return f"best {proved[0].best}, limit {proved[0].bound}, trying loss {proved[0].next_loss}"

    ceiling = shell.run_watched(work, progress, seconds, kept=True)
    moves = [str(move) for move in ceiling.moves]
    steps = [step.json() for step in ceiling.steps]
    shell.answer(
        as_json,
        {**_limits(ceiling.best, ceiling.bound), "moves": moves, "steps": steps},
        "The best score is proved." if ceiling.best == ceiling.bound else "There may be better scores.",
        " ".join(moves),
    )


@app.command()
def deal(
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="The game file to write.")],
    seed: Annotated[int, whole("--seed", "Random seed of the deal.", 0)] = 0,
    parameters: Annotated[
        str, typer.Option("--size", metavar="NxK", help="Size of the board and number of tiles.")
    ] = "9x12",
    tiles: Annotated[
        str | None, typer.Option("--tiles", metavar="FILE", help="Draw the hand from this file of tiles.")
    ] = None,
    force: shell.ForceOption = False,
    as_json: shell.JsonOption = False,
) -> None:
    """Write a random game file with its tiles. They are those of the deal NxK#N, or drawn from --tiles."""
    import random

    from arcade.engines.honshu import GAME
    from arcade.engines.honshu.tiles import Deal, read_tiles

    checked = GAME.parse_parameters(parameters)
    if any(value is True for value in checked.values()):
        raise InputError("A game file cannot contain variants; add them after its name when you use it.")
    if tiles is None:
        start = GAME.new(checked, seed)
        dealt = Deal(start.size, start.tiles, start.start)
    else:
        drawn = random.Random(seed).choices(read_tiles(tiles).tiles, k=int(checked["tiles"]) + 1)
        dealt = Deal(int(checked["size"]), tuple(drawn[1:]), drawn[0])
    shell.write_file(output, dealt.text(), force)
    shell.answer(as_json, {"game": "honshu", "id": f"honshu:{output}", "file": output}, output)


@app.command()
def score(
    game: GameArgument,
    moves: Annotated[
        list[str] | None, typer.Argument(metavar="MOVES", help="Placements like 7r2@4,5.")
    ] = None,
    tiles: shell.TilesOption = None,
    as_json: shell.JsonOption = False,
) -> None:
    """Play moves by the rules; print the score by rule and the map."""
    from arcade.engines.honshu import GAME

    position = _start(game, tiles)
    for move in GAME.parse_moves(" ".join(moves or ()), position):
        position = position.play(move)
    over = position.outcome() is not None
    known = {"score": position.score.total, "score_by_rule": position.score.by_rule(), "over": over}
    shell.answer(as_json, known, *_score_lines(position), *str(position).splitlines())

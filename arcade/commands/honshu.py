"""`arcade honshu`: the best layouts, their proofs, random deals, and scores of moves."""

import random
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcade.commands.common import (
    interruptible_work,
    open_pool,
    print_line,
    print_result,
    read_position,
    write_file,
)
from arcade.commands.options import (
    AsJson,
    Cluster,
    Force,
    Seconds,
    Workers,
    parse_seconds,
    whole_number,
)
from arcade.engines.control import Control
from arcade.engines.files import InputError, looks_like_file
from arcade.engines.honshu import upper_bound as refuter
from arcade.engines.honshu.game import GAME
from arcade.engines.honshu.rules import RULES, VARIANTS, HonshuPosition, scored_rules
from arcade.engines.honshu.tiles import Deal, read_tiles
from arcade.engines.honshu.upper_bound import UpperBoundProof, proofs_folder
from arcade.engines.move_lists import parse_moves

if TYPE_CHECKING:
    from arcade.engines.honshu.solver import HonshuSolver, Solution

app = typer.Typer(rich_markup_mode=None)

Layout = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="Game ID, deal (9x12#5), position or game file. Full form: FILE[,tiles=FILE][,VARIANT].",
    ),
]


def _limits(best: int, bound: int) -> dict[str, Any]:
    return {"best": best, "bound": bound, "proof": "exact" if best == bound else "bound"}


def _start(game: str) -> HonshuPosition:
    return read_position(game, HonshuPosition, "honshu")


def _score_lines(position: HonshuPosition) -> list[str]:
    by_rule = position.score.by_rule()
    lines = [f"{RULES[rule]}\t{by_rule[rule]}" for rule in scored_rules(position.variants)]
    return [*lines, f"Total\t{position.score.total}"]


@app.command()
def solve(
    game: Layout,
    seconds: Annotated[float, typer.Option(metavar="S", parser=parse_seconds, help="Time limit.")] = 10.0,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole_number(0),
            help="Start a new search with this seed instead of reusing the best known result.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Search for the best layout, print its map, moves and score for each rule, and save it."""
    start, solver = _start(game), GAME.solver

    def work(control: Control) -> "Solution":
        with control.paused():
            solver.warm(control.kernels)
        return solver.search(start, control, seconds, seed=seed)

    with interruptible_work(work, solver.progress) as found:
        _show_layout(solver, start, found, as_json)
        solver.keep(start, found)


def _show_layout(solver: "HonshuSolver", start: HonshuPosition, found: "Solution", as_json: bool) -> None:
    end = start.after(found.moves)
    moves = [str(move) for move in found.moves]
    known = solver.best_known(start) or found
    before = f"; the best layout found before scores {known.best}" if known.best > found.best else ""
    print_result(
        as_json,
        {
            **_limits(found.best, found.bound),
            "score_by_rule": end.score.by_rule(),
            "moves": moves,
            "seconds": round(found.seconds, 6),
        },
        *_score_lines(end),
        f"Bound\t{found.bound}",
        " ".join(moves),
        *str(end).splitlines(),
        said=f"{found.seconds:.3f} seconds{before}",
    )


@app.command()
def prove(
    game: Annotated[
        str,
        typer.Argument(
            metavar="FILE|ID", help="Game ID, position, or game file FILE[,tiles=FILE][,VARIANT]."
        ),
    ] = "honshu",
    seconds: Seconds = None,
    recompute: Annotated[
        bool, typer.Option("--recompute", help="Ignore earlier proofs and prove everything again.")
    ] = False,
    workers: Workers = None,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Prove tighter and tighter upper bounds on the score.

    Press Ctrl+C to stop. Run the command again to resume.
    """
    start = _start(game)
    if not refuter.available():
        raise InputError(f"{refuter.HOW}.")
    solver = GAME.solver
    proved: list[UpperBoundProof] = []

    def work(control: Control) -> UpperBoundProof:
        with open_pool(workers, cluster) as pool:
            with control.paused():
                solver.warm(control.kernels)
            for proof in solver.prove(start, proofs_folder(), control, recompute, pool):
                limits = f"best {proof.best}, upper bound {proof.bound}"
                step = f": {proof.steps[-1].words}, {proof.steps[-1].seconds:.1f} s" if proved else ""
                proved.append(proof)
                if not as_json:
                    print_line(f"{limits}{step}", flush=True)
        return proof

    def progress(control: Control) -> str:
        if not proved:
            return solver.progress(control)
        return f"best {proved[0].best}, upper bound {proved[0].bound}, trying loss {proved[0].next_loss}"

    with interruptible_work(work, progress, seconds, kept=True) as proof:
        moves = [str(move) for move in proof.moves]
        steps = [step.json() for step in proof.steps]
        print_result(
            as_json,
            {**_limits(proof.best, proof.bound), "moves": moves, "steps": steps},
            "The best score is proved." if proof.best == proof.bound else "There may be better scores.",
            " ".join(moves),
        )


@app.command()
def deal(
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="Game file to write.")],
    seed: Annotated[
        int, typer.Option(metavar="N", parser=whole_number(0), help="Random seed of the deal.")
    ] = 0,
    parameters: Annotated[
        str, typer.Option("--size", metavar="NxK", help="Board size and number of tiles.")
    ] = "9x12",
    tiles: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the hand from this tile file.")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Write a random game file with the tiles of the deal NxK#N, or with tiles drawn from --tiles."""
    checked = GAME.parameters.parse(parameters)
    numbers = [number for number, name in enumerate(VARIANTS, 1) if checked[name]]
    if len(numbers) > 1:
        raise InputError(
            "A game file can contain only one variant. Add others after its name when you use it."
        )
    variant = sum(numbers)
    if tiles is None:
        start = GAME.new(checked, seed)
        dealt = Deal(start.size, start.tiles, start.start, variant)
    else:
        drawn = random.Random(seed).choices(read_tiles(tiles).tiles, k=int(checked["tiles"]) + 1)
        dealt = Deal(int(checked["size"]), tuple(drawn[1:]), drawn[0], variant)
    write_file(output, dealt.text(), force)
    file = output if looks_like_file(output) else f"./{output}"
    print_result(as_json, {"game": "honshu", "id": f"honshu:{file}", "file": output}, output)


@app.command()
def score(
    game: Layout,
    moves: Annotated[
        list[str] | None, typer.Argument(metavar="MOVES", help="Placements such as 7r2@4,5.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play moves, and print the map and its score for each rule."""
    start = _start(game)
    position = start.after(parse_moves(GAME, " ".join(moves or ()), start))
    over = position.outcome() is not None
    known = {"score": position.score.total, "score_by_rule": position.score.by_rule(), "over": over}
    print_result(as_json, known, *_score_lines(position), *str(position).splitlines())

"""`arcade honshu`: the best layouts, their proof, random deals, and scores of moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arcade.commands import common as shell
from arcade.commands.common import out
from arcade.engines.files import InputError, looks_like_file

if TYPE_CHECKING:
    from arcade.engines.control import Control
    from arcade.engines.honshu.rules import HonshuPosition
    from arcade.engines.honshu.solver import HonshuSolver, Solution

app = shell.commands("Layouts of Honshu: solve, prove, deal, score.")


def _limits(best: int, bound: int) -> dict[str, Any]:
    return {"best": best, "bound": bound, "proof": "exact" if best == bound else "bound"}


def _start(game: str, tiles: str | None) -> HonshuPosition:
    from arcade.engines.honshu.rules import HonshuPosition

    return shell.read_position(game, HonshuPosition, "honshu", tiles)


def _score_lines(position: HonshuPosition) -> list[str]:
    from arcade.engines.honshu.rules import RULES, scored_rules

    by_rule = position.score.by_rule()
    lines = [f"{RULES[rule]}\t{by_rule[rule]}" for rule in scored_rules(position.variants)]
    return [*lines, f"Total\t{position.score.total}"]


@shell.command(app)
def solve(
    game: str, tiles: str | None = None, seconds: float = 10.0, seed: int | None = None, as_json: bool = False
) -> None:
    from arcade.engines.honshu import GAME

    start, solver = _start(game, tiles), GAME.solver

    def work(control: Control) -> Solution:
        solver.warm()
        return solver.search(start, control, seconds, seed=seed)

    with shell.watched(work, solver.progress) as found:
        _show_layout(solver, start, found, as_json)
        solver.keep(start, found)


def _show_layout(solver: HonshuSolver, start: HonshuPosition, found: Solution, as_json: bool) -> None:
    end = start.after(found.moves)
    moves = [str(move) for move in found.moves]
    known = solver.best_known(start) or found
    before = f"; the best found before is {known.best}" if known.best > found.best else ""
    shell.answer(
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


@shell.command(app)
def prove(
    game: str = "honshu",
    tiles: str | None = None,
    seconds: float | None = None,
    recompute: bool = False,
    workers: int | None = None,
    cluster: str | None = None,
    as_json: bool = False,
) -> None:
    from arcade.engines.honshu import GAME
    from arcade.engines.honshu import ceiling as refuter
    from arcade.engines.honshu.ceiling import Ceiling, proofs_folder

    start = _start(game, tiles)
    if not refuter.available():
        raise InputError(f"{refuter.HOW}.")
    solver = GAME.solver
    proved: list[Ceiling] = []

    def work(control: Control) -> Ceiling:
        with shell.crew(workers, cluster) as crew:
            solver.warm()
            for ceiling in solver.prove(start, proofs_folder(), control, recompute, crew):
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

    with shell.watched(work, progress, seconds, kept=True) as ceiling:
        moves = [str(move) for move in ceiling.moves]
        steps = [step.json() for step in ceiling.steps]
        shell.answer(
            as_json,
            {**_limits(ceiling.best, ceiling.bound), "moves": moves, "steps": steps},
            "The best score is proved." if ceiling.best == ceiling.bound else "There may be better scores.",
            " ".join(moves),
        )


@shell.command(app)
def deal(
    output: str,
    seed: int = 0,
    parameters: str = "9x12",
    tiles: str | None = None,
    force: bool = False,
    as_json: bool = False,
) -> None:
    import random

    from arcade.engines.honshu import GAME
    from arcade.engines.honshu.rules import VARIANTS
    from arcade.engines.honshu.tiles import Deal, read_tiles

    checked = GAME.parse_parameters(parameters)
    numbers = [number for number, name in enumerate(VARIANTS, 1) if checked[name]]
    if len(numbers) > 1:
        raise InputError("A game file can contain one variant; add others after its name when you use it.")
    variant = sum(numbers)
    if tiles is None:
        start = GAME.new(checked, seed)
        dealt = Deal(start.size, start.tiles, start.start, variant)
    else:
        drawn = random.Random(seed).choices(read_tiles(tiles).tiles, k=int(checked["tiles"]) + 1)
        dealt = Deal(int(checked["size"]), tuple(drawn[1:]), drawn[0], variant)
    shell.write_file(output, dealt.text(), force)
    file = output if looks_like_file(output) else f"./{output}"
    shell.answer(as_json, {"game": "honshu", "id": f"honshu:{file}", "file": output}, output)


@shell.command(app)
def score(game: str, moves: list[str] | None = None, tiles: str | None = None, as_json: bool = False) -> None:
    from arcade.engines.honshu import GAME

    start = _start(game, tiles)
    position = start.after(GAME.parse_moves(" ".join(moves or ()), start))
    over = position.outcome() is not None
    known = {"score": position.score.total, "score_by_rule": position.score.by_rule(), "over": over}
    shell.answer(as_json, known, *_score_lines(position), *str(position).splitlines())

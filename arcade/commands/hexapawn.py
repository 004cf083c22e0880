"""`arcade hexapawn`: position files of the course, and long searches."""

import sys
from typing import Annotated

import typer

from arcade.commands.analysis import headline, verdict_json
from arcade.commands.common import (
    check_memory,
    interruptible_work,
    print_error,
    print_result,
    read_position,
)
from arcade.commands.options import AsJson, Seconds, whole_number
from arcade.engines.control import Control, cores
from arcade.engines.files import InputError, read_text
from arcade.engines.hexapawn.course import read_course, signed
from arcade.engines.hexapawn.game import GAME
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.registry import GameID
from arcade.engines.verdict import DuelVerdict, Verdict
from arcade.engines.wording import quantity

app = typer.Typer(rich_markup_mode=None)

PositionFile = Annotated[
    str | None,
    typer.Argument(metavar="FILE", show_default="standard input", help="Position file."),
]


def _read(file: str | None) -> PawnPosition:
    if file is None and sys.stdin is not None and sys.stdin.isatty():
        print_error("Type rows, columns and the board, one line each; end with Ctrl-D.")
    return read_course(read_text(file))


@app.command()
def value(
    file: PositionFile = None,
    count: Annotated[
        bool, typer.Option("--count", help="Print the number of positions and seconds to standard error.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Print a position's value: k if White wins in k plies, or -k if Black does."""
    board = _read(file)

    def work(control: Control) -> tuple[Verdict, float]:
        with control.paused():
            GAME.solver.warm(control.kernels)
        started = control.seconds
        verdict = GAME.solver.verdict(board, control)
        return verdict, control.seconds - started

    with interruptible_work(work, GAME.solver.progress) as (verdict, seconds):
        number, positions = signed(verdict), verdict.nodes
        spent = {"positions": positions, "nodes": positions, "seconds": round(seconds, 6)}
        print_result(as_json, {"value": number, **spent}, *[str(number)] * (number is not None))
        if number is None:
            print_error(str(verdict))
        if count:
            print_error(f"{quantity(positions, 'position')} visited, {seconds:.3f} s.")


@app.command()
def solve(
    board: Annotated[str, typer.Argument(metavar="BOARD", help="Size such as 8x7, or a game ID.")],
    memory: Annotated[
        int,
        typer.Option(
            metavar="N",
            parser=whole_number(4, 262_144),
            help="Size of the table in MiB, rounded down to a power of two.",
        ),
    ] = 1024,
    winner: Annotated[bool, typer.Option("--winner", help="Stop once the winner is proved.")] = False,
    threads: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole_number(1, 64),
            show_default="one per core",
            help="Number of search threads.",
        ),
    ] = None,
    seconds: Seconds = None,
    as_json: AsJson = False,
) -> None:
    """Prove who wins and in how many plies, by search alone. Stored results are ignored."""
    from arcade.engines.hexapawn.search import long_search  # loads NumPy
    from arcade.engines.hexapawn.table import large_table  # loads NumPy

    position = read_position(board, PawnPosition, "hexapawn")
    if position.outcome() is not None:
        raise InputError(f"There is nothing to solve in {board}: the game is already over.")
    check_memory(memory << 20, "Use a smaller --memory. It is slower, but it also works.")
    table = large_table(memory)

    def work(control: Control) -> DuelVerdict:
        return long_search(position, table, control, winner, threads or min(cores(), 64))

    parsed = GameID.of(GAME, position)
    with interruptible_work(work, GAME.solver.progress, seconds) as verdict:
        known = verdict_json(parsed, position, verdict)
        said = f"{quantity(verdict.nodes, 'position')} in {verdict.seconds:.1f} seconds"
        shown = f"{headline(parsed, position, verdict)} ({verdict.proof_words})."
        print_result(as_json, known, shown, said=said)


@app.command("id")
def game_id(file: PositionFile = None, as_json: AsJson = False) -> None:
    """Print the game ID of a position, for other commands and the app."""
    board = _read(file)
    text = f"hexapawn:{board.size}:{board.text()}"
    print_result(as_json, {"game": "hexapawn", "id": text}, text)

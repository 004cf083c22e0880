"""`arcade tetromino`: a board's placements, and its value by the solver or the article's method."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from arcade.commands.common import (
    JsonOption,
    SecondsOption,
    commands,
    one_of,
    out,
    print_json,
    read_position,
    say,
)
from arcade.engines.files import InputError

if TYPE_CHECKING:
    from arcade.engines.control import Control
    from arcade.engines.verdict import Value

app = commands("Placements and values of tetromino boards.")

BoardArgument = Annotated[
    str,
    typer.Argument(
        metavar="BOARD",
        help="A game ID, or just 5x8, with hands 5x8,ILO-IST or a position 5x8:RANKS:HANDS:TURN.",
    ),
]


class SearchMethod(StrEnum):
    """A method for `value`."""

    SOLVER = "solver"
    PLAIN = "plain"


@app.command()
def placements(board: BoardArgument, as_json: JsonOption = False) -> None:
    """Print the number of placements of each piece. On an empty board, or on a position's free cells."""
    from arcade.engines.tetromino.board import PIECES
    from arcade.engines.tetromino.rules import Tetrominoes

    start = read_position(board, Tetrominoes, "tetromino")
    counts = {
        piece: sum(start.fits(placement) for placement, _ in placements)
        for piece, placements in zip(PIECES, start.board.by_piece, strict=True)
    }
    total = sum(counts.values())
    if as_json:
        print_json({**counts, "total": total})
        return
    for piece, count in counts.items():
        out(f"{piece}\t{count}")
    out(f"total\t{total}")


@app.command()
def value(
    board: BoardArgument,
    method: Annotated[
        SearchMethod, one_of("--method", SearchMethod, "The solver, or the article's recursion.")
    ] = (SearchMethod.SOLVER),
    seconds: SecondsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the value for the player to move: win, loss or tie. Effort goes to standard error.

    It is searched for: no stored fact is used.
    """
    from arcade.commands.common import run_watched
    from arcade.engines.tetromino.rules import Tetrominoes
    from arcade.engines.tetromino.solver import TetrominoSolver

    solver = TetrominoSolver()
    position = read_position(board, Tetrominoes, "tetromino")
    spent: list[tuple[int, float]] = []

    def work(control: Control) -> Value | None:
        if method is SearchMethod.PLAIN:
            from arcade.engines.tetromino import documents as classic

            classic.warm()
            before = control.seconds
            found = classic.plain(position, control)
        else:
            solver.warm()
            before = control.seconds
            found = solver.value(position, control).value
        spent.append((control.nodes, control.seconds - before))
        return found

    found = run_watched(work, solver.progress, seconds)
    if found is None:
        raise InputError(f"Ran out of time before finding the value of {board}.")
    positions, took = spent[0]
    if as_json:
        spent_json = {"positions": positions, "nodes": positions, "seconds": round(took, 6)}
        print_json({"value": found.value, "method": method.value, **spent_json})
        return
    out(found.value)
    say(f"{positions:,} positions in {took:.3f} seconds")

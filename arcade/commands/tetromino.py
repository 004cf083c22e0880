"""`arcade tetromino`: a board's placements, and its value."""

from typing import Annotated

import typer

from arcade.commands.common import print_result, read_position, run_interruptible
from arcade.commands.options import AsJson, Seconds
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.tetromino.board import PIECES
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.verdict import Value
from arcade.engines.wording import quantity

app = typer.Typer(rich_markup_mode=None)

Board = Annotated[
    str,
    typer.Argument(
        metavar="BOARD",
        help="Game ID, size (5x8), size and hands (5x8,ILO-IST) or position (5x8:RANKS:HANDS:TURN).",
    ),
]


@app.command()
def placements(board: Board, as_json: AsJson = False) -> None:
    """Print the number of placements of each piece. In a position, only free cells count."""
    start = read_position(board, Tetrominoes, "tetromino")
    counts = {
        piece: sum(start.fits(placement) for placement, _ in placements)
        for piece, placements in zip(PIECES, start.board.by_piece, strict=True)
    }
    known = {**counts, "total": sum(counts.values())}
    print_result(as_json, known, *(f"{piece}\t{count}" for piece, count in known.items()))


@app.command()
def value(board: Board, seconds: Seconds = None, as_json: AsJson = False) -> None:
    """Print the value for the player to move: win, loss or tie.

    The search uses no stored results. It reports the number of positions and the time on standard error.
    """
    from arcade.engines.tetromino.solver import TetrominoSolver  # loads NumPy

    solver = TetrominoSolver()
    position = read_position(board, Tetrominoes, "tetromino")

    def work(control: Control) -> tuple[Value | None, int, float]:
        with control.paused():
            solver.warm(control.kernels)
        before = control.seconds
        value = solver.value(position, control).value
        return value, control.nodes, control.seconds - before

    value, positions, took = run_interruptible(work, solver.progress, seconds)
    if value is None:
        raise InputError(f"Ran out of time before finding the value of {board}. Increase --seconds.")
    print_result(
        as_json,
        {
            "value": value.value,
            "positions": positions,
            "nodes": positions,
            "seconds": round(took, 6),
        },
        value.value,
        said=f"{quantity(positions, 'position')} in {took:.3f} seconds",
    )

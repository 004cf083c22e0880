"""`arcade tetromino`: a board's placements, and its value."""

from arcade.commands import common as shell
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.verdict import Value
from arcade.engines.wording import amount

app = shell.commands("Placements and values of tetromino boards.")


@shell.command(app)
def placements(board: str, as_json: bool = False) -> None:
    from arcade.engines.tetromino.board import PIECES
    from arcade.engines.tetromino.rules import Tetrominoes

    start = shell.read_position(board, Tetrominoes, "tetromino")
    counts = {
        piece: sum(start.fits(placement) for placement, _ in placements)
        for piece, placements in zip(PIECES, start.board.by_piece, strict=True)
    }
    known = {**counts, "total": sum(counts.values())}
    shell.answer(as_json, known, *(f"{piece}\t{count}" for piece, count in known.items()))


@shell.command(app)
def value(board: str, seconds: float | None = None, as_json: bool = False) -> None:
    from arcade.engines.tetromino.rules import Tetrominoes
    from arcade.engines.tetromino.solver import TetrominoSolver

    solver = TetrominoSolver()
    position = shell.read_position(board, Tetrominoes, "tetromino")

    def work(control: Control) -> tuple[Value | None, int, float]:
        solver.warm()
        before = control.seconds
        value = solver.value(position, control).value
        return value, control.nodes, control.seconds - before

    value, positions, took = shell.run_watched(work, solver.progress, seconds)
    if value is None:
        raise InputError(f"Ran out of time before finding the value of {board}.")
    shell.answer(
        as_json,
        {
            "value": value.value,
            "positions": positions,
            "nodes": positions,
            "seconds": round(took, 6),
        },
        value.value,
        said=f"{amount(positions, 'position')} in {took:.3f} seconds",
    )

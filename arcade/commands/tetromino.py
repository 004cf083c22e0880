"""`arcade tetromino`: the placements of a board, and its value by the solver or the article's method."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from arcade.commands.common import JsonOption, SecondsOption, commands, print_json, say
from arcade.engines.game import InputError

if TYPE_CHECKING:
    from arcade.engines.control import Control
    from arcade.engines.tetromino.rules import Tetrominoes
    from arcade.engines.verdict import Value

app = commands("Placements and values of tetromino boards.")

BoardArgument = Annotated[
    str,
    typer.Argument(
        metavar="BOARD", help="Size, e.g. 5x8, with hands 5x8,ILO-IST or a position 5x8:RANKS:HANDS:TURN."
    ),
]


class Method(StrEnum):
    """How `value` finds the value."""

    SOLVER = "solver"
    PLAIN = "plain"


def _position(text: str) -> Tetrominoes:
    from arcade.engines.tetromino import GAME

    size, colon, position = text.partition(":")
    parameters = GAME.parse_parameters(size)
    return GAME.parse_position(position, parameters) if colon else GAME.new(parameters)


@app.command()
def placements(board: BoardArgument, as_json: JsonOption = False) -> None:
    """Print how many placements each piece has: on the empty board, or on a position's free cells."""
    from arcade.engines.tetromino.pieces import PIECES

    start = _position(board)
    counts = {
        piece: sum(start.fits(placement) for placement, _ in placements)
        for piece, placements in zip(PIECES, start.board.by_piece, strict=True)
    }
    total = sum(counts.values())
    if as_json:
        print_json({**counts, "total": total})
        return
    for piece, count in counts.items():
        print(f"{piece}\t{count}")
    print(f"total\t{total}")


@app.command()
def value(
    board: BoardArgument,
    method: Annotated[Method, typer.Option("--method", help="The solver, or the article's recursion.")] = (
        Method.SOLVER
    ),
    seconds: SecondsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the value for the player to move: win, loss or tie. Effort goes to standard error."""
    from arcade.commands.watched import run_watched
    from arcade.engines.tetromino import GAME

    position = _position(board)
    spent: list[tuple[int, float]] = []

    def work(control: Control) -> Value | None:
        if method is Method.PLAIN:
            from arcade.engines.tetromino import classic

            classic.warm()
            before = control.seconds
            found = classic.plain(position, control)
        else:
            GAME.solver.warm()
            before = control.seconds
            found = GAME.solver.value(position, control).value
        spent.append((control.nodes, control.seconds - before))
        return found

    found = run_watched(work, GAME.solver.progress, seconds)
    if found is None:
        raise InputError(f"The time was too short: the value of {board} is not known yet.")
    nodes, took = spent[0]
    if as_json:
        print_json({"value": found.value, "method": method.value, "nodes": nodes, "seconds": round(took, 6)})
        return
    print(found.value)
    say(f"{nodes:,} positions in {took:.3f} seconds")

"""`arcade hexapawn`: the course's files of Hexapawn positions: their values, and their game IDs."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arcade.commands.common import JsonOption, commands, print_json, say
from arcade.engines.game import InputError

if TYPE_CHECKING:
    from arcade.engines.hexapawn.rules import Board

app = commands("The course's files of Hexapawn positions: their values, and their game IDs.")

FileArgument = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="A file in the course's format; else standard input.")
]
METHODS = ("solver", "naive", "list", "map")


def _read(file: Path | None) -> Board:
    """The position in a file or on standard input.

    Raises:
        InputError: the file cannot be read, or is not in the course's format.
    """
    from arcade.engines.hexapawn.course import read_course

    if file is None and sys.stdin is None:
        raise InputError("There is no standard input to read; name a file in the course's format.")
    if file is None and sys.stdin.isatty():
        say("Type rows, columns and the board, a line each; end with Ctrl-D.")
    try:
        data = sys.stdin.buffer.read() if file is None else file.read_bytes()
    except OSError as error:
        raise InputError(f"The file {str(file)!r} cannot be read: {error.strerror}.") from error
    try:
        return read_course(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(f"Line {line}: a byte that is no text must be P, p or a blank.") from error


@app.command()
def value(
    file: FileArgument = None,
    method: Annotated[
        str, typer.Option("--method", metavar="NAME", help="solver, or the report's naive, list or map.")
    ] = "solver",
    count: Annotated[
        bool, typer.Option("--count", help="Tell positions visited and seconds on standard error.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Print the value of a position: k when White wins in k plies, -k when White loses in k."""
    from arcade.engines.control import Control
    from arcade.engines.hexapawn import GAME
    from arcade.engines.hexapawn.classic import METHODS as CLASSIC
    from arcade.engines.hexapawn.game import signed

    if method not in METHODS:
        raise InputError(f"The method {method!r} must be one of {', '.join(METHODS)}.")
    board = _read(file)
    if method == "solver":
        GAME.solver.warm()
    started = time.perf_counter()
    with Control() as control:
        if method == "solver":
            verdict = GAME.solver.verdict(board, control)
            found, positions = signed(verdict), verdict.nodes
        else:
            counted = CLASSIC[method](board, control)
            found, positions = counted.value, counted.calls
    seconds = time.perf_counter() - started
    if as_json:
        result = {"value": found, "method": method, "nodes": positions, "seconds": round(seconds, 6)}
        print_json(result)
    else:
        print(found)
    if count:
        say(f"{positions:,} positions visited, {seconds:.3f} s.")


@app.command("id")
def game_id(file: FileArgument = None, as_json: JsonOption = False) -> None:
    """Print the game ID of a position, which every other command and the app take."""
    board = _read(file)
    text = f"hexapawn:{board.size}:{board.text()}"
    if as_json:
        print_json({"game": text})
    else:
        print(text)

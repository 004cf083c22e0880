"""`arcade hexapawn`: the course's files of positions, and searches that take long."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from arcade.commands.common import (
    JsonOption,
    SecondsOption,
    check_memory,
    commands,
    named,
    out,
    print_json,
    read_position,
    say,
    whole,
)
from arcade.engines.files import InputError, read_text

if TYPE_CHECKING:
    from arcade.engines.control import Control
    from arcade.engines.hexapawn.rules import PawnPosition

app = commands("Files of Hexapawn positions, and long searches.")

FileArgument = Annotated[
    str | None,
    typer.Argument(metavar="FILE", help="A file in the course's format; else standard input."),
]
METHODS = ("solver", "naive", "list", "map")


def _read(file: str | None) -> PawnPosition:
    """The position in a file or on standard input.

    Raises:
        InputError: the file cannot be read, or is not in the course's format.
    """
    from arcade.engines.hexapawn.course import read_course

    if file is None and sys.stdin is not None and sys.stdin.isatty():
        say("Type rows, columns and the board, one line each; end with Ctrl-D.")
    return read_course(read_text(file))


@app.command()
def value(
    file: FileArgument = None,
    method: Annotated[
        str, typer.Option("--method", metavar="NAME", help="solver, or the report's naive, list or map.")
    ] = "solver",
    count: Annotated[
        bool, typer.Option("--count", help="Print positions visited and seconds to standard error.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Print the value of a position. It is k if White wins in k plies, -k if White loses in k plies."""
    from arcade.commands.common import run_watched
    from arcade.engines.hexapawn import GAME
    from arcade.engines.hexapawn.documents import BY_NAME as CLASSIC
    from arcade.engines.hexapawn.game import signed

    if method not in METHODS:
        raise InputError(f"The method {method!r} must be one of {', '.join(METHODS)}.")
    board = _read(file)

    def work(control: Control) -> tuple[int | None, int, float]:
        if method == "solver":
            GAME.solver.warm()
            started = control.seconds
            verdict = GAME.solver.verdict(board, control)
            return signed(verdict), verdict.nodes, control.seconds - started
        started = control.seconds
        counted = CLASSIC[method](board, control)
        return counted.value, counted.calls, control.seconds - started

    found, positions, seconds = run_watched(work, GAME.solver.progress)
    if as_json:
        spent = {"positions": positions, "nodes": positions, "seconds": round(seconds, 6)}
        print_json({"value": found, "method": method, **spent})
    else:
        out(str(found))
    if count:
        say(f"{positions:,} positions visited, {seconds:.3f} s.")


@app.command()
def solve(
    board: Annotated[str, typer.Argument(metavar="BOARD", help="A size like 8x7, or a game ID.")],
    table: Annotated[
        str, typer.Option("--table", metavar="FILE", help="Keep the search in a file; the next call goes on.")
    ] = "",
    memory: Annotated[
        int, whole("--memory", "MiB of a new table, rounded down to a power of two.", 4, 1 << 18)
    ] = 1024,
    winner: Annotated[bool, typer.Option("--winner", help="Stop when it is proved who wins.")] = False,
    seconds: SecondsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Prove who wins and how soon, by search alone. No stored fact is used."""
    from arcade.commands.common import run_watched
    from arcade.engines.hexapawn import GAME
    from arcade.engines.hexapawn.rules import PawnPosition
    from arcade.engines.hexapawn.search import LongSearch
    from arcade.engines.registry import GameID

    position = read_position(board, PawnPosition, "hexapawn")
    if position.outcome() is not None:
        raise InputError(f"The game is over in {board}; there is nothing to solve.")
    if not table:
        check_memory(memory << 20)
    search = LongSearch(position, memory, table, winner)

    def progress(control: Control) -> str:
        return search.progress() or GAME.solver.progress(control)

    try:
        run_watched(search.run, progress, seconds, kept=bool(table))
    finally:
        search.save()
    if search.notice():
        say(search.notice())
    verdict = search.verdict()
    if as_json:
        parameters = GAME.parameters_of(position)
        print_json({**named(GameID(GAME, parameters, position.text())), **verdict.json()})
        return
    out(str(verdict))
    say(f"{verdict.nodes:,} positions in {verdict.seconds:.1f} seconds")


@app.command("id")
def game_id(file: FileArgument = None, as_json: JsonOption = False) -> None:
    """Print the game ID of a position. Other commands and the app take it."""
    board = _read(file)
    text = f"hexapawn:{board.size}:{board.text()}"
    if as_json:
        print_json({"game": "hexapawn", "id": text})
    else:
        out(text)

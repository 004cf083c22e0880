"""`arcade hexapawn`: the course's files of positions, and searches that take long."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from arcade.commands import common as shell
from arcade.commands.common import say
from arcade.engines.control import Control, cores
from arcade.engines.files import InputError, read_text
from arcade.engines.registry import GameID
from arcade.engines.wording import amount

if TYPE_CHECKING:
    from arcade.engines.hexapawn.rules import PawnPosition

app = shell.commands("Files of Hexapawn positions, and long searches.")

FileArgument = Annotated[
    str | None, typer.Argument(metavar="FILE", help="A file in the course's format; else standard input.")
]


def _read(file: str | None) -> PawnPosition:
    from arcade.engines.hexapawn.course import read_course

    if file is None and sys.stdin is not None and sys.stdin.isatty():
        say("Type rows, columns and the board, one line each; end with Ctrl-D.")
    return read_course(read_text(file))


@app.command()
def value(
    file: FileArgument = None,
    count: Annotated[
        bool, typer.Option("--count", help="Print positions visited and seconds to standard error.")
    ] = False,
    as_json: shell.JsonOption = False,
) -> None:
    """Print the value of a position. It is k if White wins in k plies, -k if White loses in k plies."""
    from arcade.engines.hexapawn import GAME
    from arcade.engines.hexapawn.game import signed

    board = _read(file)

    def work(control: Control) -> tuple[int | None, int, float]:
        GAME.solver.warm()
        started = control.seconds
        verdict = GAME.solver.verdict(board, control)
        return signed(verdict), verdict.nodes, control.seconds - started

    number, positions, seconds = shell.run_watched(work, GAME.solver.progress)
    spent = {"positions": positions, "nodes": positions, "seconds": round(seconds, 6)}
    shell.answer(as_json, {"value": number, **spent}, str(number))
    if count:
        say(f"{positions:,} positions visited, {seconds:.3f} s.")


@app.command()
def solve(
    board: Annotated[str, typer.Argument(metavar="BOARD", help="A size like 8x7, or a game ID.")],
    table: Annotated[
        str, typer.Option("--table", metavar="FILE", help="Keep the search in a file; the next call goes on.")
    ] = "",
    memory: Annotated[
        int, shell.whole("--memory", "MiB of a new table, rounded down to a power of two.", 4, 1 << 18)
    ] = 1024,
    winner: Annotated[bool, typer.Option("--winner", help="Stop when it is proved who wins.")] = False,
    threads: Annotated[
        int | None, shell.whole("--threads", "Threads that search together; else one a core.", 1, 64)
    ] = None,
    seconds: shell.SecondsOption = None,
    as_json: shell.JsonOption = False,
) -> None:
    """Prove who wins and how soon, by search alone. No stored fact is used."""
    from arcade.engines.hexapawn import GAME
    from arcade.engines.hexapawn.rules import PawnPosition
    from arcade.engines.hexapawn.search import LongSearch

    position = shell.read_position(board, PawnPosition, "hexapawn")
    if position.outcome() is not None:
        raise InputError(f"The game is over in {board}; there is nothing to solve.")
    if not table:
        shell.check_memory(memory << 20)
    search = LongSearch(position, memory, table, winner, threads or min(cores(), 64))

    def progress(control: Control) -> str:
        return search.progress() or GAME.solver.progress(control)

    try:
        shell.run_watched(search.run, progress, seconds, kept=bool(table))
    finally:
        search.save()
    if search.notice():
        say(search.notice())
    verdict = search.verdict()
    name = shell.named(GameID(GAME, GAME.parameters_of(position), position.text()))
    said = f"{amount(verdict.nodes, 'position')} in {verdict.seconds:.1f} seconds"
    shell.answer(as_json, {**name, **verdict.json()}, str(verdict), said=said)


@app.command("id")
def game_id(file: FileArgument = None, as_json: shell.JsonOption = False) -> None:
    """Print the game ID of a position. Other commands and the app take it."""
    board = _read(file)
    text = f"hexapawn:{board.size}:{board.text()}"
    shell.answer(as_json, {"game": "hexapawn", "id": text}, text)

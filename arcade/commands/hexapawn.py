"""`arcade hexapawn`: the course's files of positions, and searches that take long."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from arcade.commands import common as shell
from arcade.commands.common import say
from arcade.engines.control import Control, cores
from arcade.engines.files import InputError, read_text
from arcade.engines.registry import GameID
from arcade.engines.wording import amount

if TYPE_CHECKING:
    from arcade.engines.hexapawn.rules import PawnPosition
    from arcade.engines.verdict import DuelVerdict, Verdict

app = shell.commands("Files of Hexapawn positions, and long searches.")


def _read(file: str | None) -> PawnPosition:
    from arcade.engines.hexapawn.course import read_course

    if file is None and sys.stdin is not None and sys.stdin.isatty():
        say("Type rows, columns and the board, one line each; end with Ctrl-D.")
    return read_course(read_text(file))


@shell.command(app)
def value(file: str | None = None, count: bool = False, as_json: bool = False) -> None:
    from arcade.engines.hexapawn import GAME
    from arcade.engines.hexapawn.game import signed

    board = _read(file)

    def work(control: Control) -> tuple[Verdict, float]:
        GAME.solver.warm()
        started = control.seconds
        verdict = GAME.solver.verdict(board, control)
        return verdict, control.seconds - started

    with shell.watched(work, GAME.solver.progress) as (verdict, seconds):
        number, positions = signed(verdict), verdict.nodes
        spent = {"positions": positions, "nodes": positions, "seconds": round(seconds, 6)}
        shell.answer(as_json, {"value": number, **spent}, *[str(number)] * (number is not None))
        if number is None:
            say(str(verdict))
        if count:
            say(f"{amount(positions, 'position')} visited, {seconds:.3f} s.")


@shell.command(app)
def solve(
    board: str,
    memory: int = 1024,
    winner: bool = False,
    threads: int | None = None,
    seconds: float | None = None,
    as_json: bool = False,
) -> None:
    from arcade.engines.hexapawn import GAME
    from arcade.engines.hexapawn.rules import PawnPosition
    from arcade.engines.hexapawn.search import long_search
    from arcade.engines.hexapawn.table import large_table

    position = shell.read_position(board, PawnPosition, "hexapawn")
    if position.outcome() is not None:
        raise InputError(f"The game is over in {board}; there is nothing to solve.")
    shell.check_memory(memory << 20, "A smaller --memory is slower, but works too.")
    table = large_table(memory)

    def work(control: Control) -> DuelVerdict:
        return long_search(position, table, control, winner, threads or min(cores(), 64))

    with shell.watched(work, GAME.solver.progress, seconds) as verdict:
        name = shell.named(GameID.of(GAME, position))
        said = f"{amount(verdict.nodes, 'position')} in {verdict.seconds:.1f} seconds"
        shell.answer(as_json, {**name, **verdict.json()}, str(verdict), said=said)


@shell.command(app, "id")
def game_id(file: str | None = None, as_json: bool = False) -> None:
    board = _read(file)
    text = f"hexapawn:{board.size}:{board.text()}"
    shell.answer(as_json, {"game": "hexapawn", "id": text}, text)

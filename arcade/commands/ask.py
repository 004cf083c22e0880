"""What is true about a position: the commands verdict, moves, hint and line, of any game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import typer

from arcade.commands.common import (
    GameIDArgument,
    JsonOption,
    MovesOption,
    SecondsOption,
    TilesOption,
    print_json,
    read_id,
    say,
)
from arcade.commands.watched import run_watched
from arcade.engines.control import Control
from arcade.engines.game import InputError, Position, make_hint
from arcade.engines.registry import GameID
from arcade.engines.verdict import MoveVerdict, Verdict

Answer = TypeVar("Answer")

app = typer.Typer(rich_markup_mode=None)


def start_of(text: str, moves: str, tiles: str | None) -> tuple[GameID, Position[Any]]:
    """The game and the position that an ID and the options --moves and --tiles name."""
    parsed = read_id(text, tiles)
    position = parsed.start()
    for move in parsed.game.parse_moves(moves, position):
        position = position.play(move)
    return parsed, position


def ask(
    parsed: GameID, position: Position[Any], seconds: float | None, question: Callable[[Control], Answer]
) -> Answer:
    """Ask the solver, tell on standard error what it costs and how far it is, and let Ctrl+C end it."""
    solver = parsed.game.solver
    effort = solver.effort(position)
    if effort:
        say(effort)
    return run_watched(question, solver.progress, seconds)


@app.command()
def verdict(
    gameid: GameIDArgument,
    moves: MovesOption = "",
    seconds: SecondsOption = None,
    tiles: TilesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what a position is worth for the player to move."""
    from arcade.words import provenance, verdict_sentence

    parsed, position = start_of(gameid, moves, tiles)
    found = ask(parsed, position, seconds, lambda control: parsed.game.solver.verdict(position, control))
    if as_json:
        print_json({"game": parsed.game.name, **parsed.game.verdict_json(position, found)})
        return
    sides = parsed.game.sides
    print(f"{verdict_sentence(found, sides[position.turn], sides[1 - position.turn])}.")
    words = provenance(found)
    say(f"{words[0].upper()}{words[1:]}.")


def move_json(each: MoveVerdict[Any]) -> dict[str, Any]:
    """A move's verdict as `arcade moves --json` gives it."""
    found = each.verdict
    entry: dict[str, Any] = {
        "move": str(each.move),
        "value": None if found.value is None else found.value.value,
        "remoteness": found.remoteness,
        "best": each.best,
    }
    if found.best is not None or found.bound is not None:
        entry |= {"score": found.best, "bound": found.bound}
    return entry


def verdict_word(found: Verdict) -> str:
    """A move's verdict in a column, e.g. "win 45"."""
    if found.best is not None:
        return f"{found.best}" if found.bound is None else f"{found.best} (bound {found.bound})"
    if found.bound is not None:
        return f"at most {found.bound}"
    if found.value is None:
        return "unknown"
    if found.remoteness is not None:
        return f"{found.value.value} {found.remoteness}"
    limit = f" <={found.at_most}" if found.at_most is not None else ""
    return f"{found.value.value}{limit}"


@app.command(name="moves")
def list_moves(
    gameid: GameIDArgument,
    moves: MovesOption = "",
    seconds: SecondsOption = None,
    tiles: TilesOption = None,
    as_json: JsonOption = False,
) -> None:
    """List every legal move with what it is worth for the mover; * marks the best."""
    parsed, position = start_of(gameid, moves, tiles)
    analysis = ask(parsed, position, seconds, lambda control: parsed.game.solver.analyse(position, control))
    if as_json:
        print_json([move_json(each) for each in analysis])
        return
    width = max((len(str(each.move)) for each in analysis), default=0)
    for each in analysis:
        print(f"{'*' if each.best else ' '} {each.move!s:<{width}}  {verdict_word(each.verdict)}")


@app.command()
def hint(
    gameid: GameIDArgument,
    moves: MovesOption = "",
    seconds: SecondsOption = None,
    tiles: TilesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Give the hint for a position: where to look, which move, and why."""
    parsed, position = start_of(gameid, moves, tiles)
    if position.outcome() is not None:
        raise InputError("The game is over in this position, so there is no hint to give.")
    found = ask(parsed, position, seconds, lambda control: make_hint(parsed.game, position, control))
    if found is None:
        if as_json:
            print_json(None)
        say("Nothing could be proved in this time.")
        return
    line = [str(move) for move in found.line]
    if as_json:
        print_json({"where": found.where, "move": str(found.move), "why": found.why, "line": line})
        return
    print(f"{found.where}\nPlay {found.move}.\n{found.why}\n{' '.join(line)}")


@app.command()
def line(
    gameid: GameIDArgument,
    moves: MovesOption = "",
    seconds: SecondsOption = None,
    tiles: TilesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print best play by both sides to the end."""
    parsed, position = start_of(gameid, moves, tiles)
    moved = ask(parsed, position, seconds, lambda control: parsed.game.solver.line(position, control))
    found = [str(move) for move in moved]
    if as_json:
        print_json({"game": parsed.game.name, "line": found})
    else:
        print(" ".join(found))

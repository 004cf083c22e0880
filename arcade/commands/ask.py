"""The commands verdict, moves, hint and line, for positions of any game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import typer

from arcade.commands.common import (
    GameIDArgument,
    JsonOption,
    MovesOption,
    SecondsOption,
    TilesOption,
    named,
    out,
    print_json,
    read_id,
    run_watched,
    say,
)
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.position import Position
from arcade.engines.registry import GameID
from arcade.engines.verdict import DuelVerdict, MoveVerdict, ScoreVerdict, Verdict

Answer = TypeVar("Answer")

app = typer.Typer(rich_markup_mode=None)


def start_of(text: str, moves: str, tiles: str | None) -> tuple[GameID, Position[Any]]:
    """The game and position from an ID and the options --moves and --tiles."""
    parsed = read_id(text, tiles)
    position = parsed.start()
    for move in parsed.game.parse_moves(moves, position):
        position = position.play(move)
    return parsed, position


def ask(
    parsed: GameID, position: Position[Any], seconds: float | None, question: Callable[[Control], Answer]
) -> Answer:
    """Ask the solver, report cost and progress on standard error, and let Ctrl+C stop it."""
    solver = parsed.game.solver
    return run_watched(question, solver.progress, seconds, effort=solver.effort(position))


def verdict_json(parsed: GameID, position: Position[Any], found: Verdict) -> dict[str, Any]:
    whole = replace(parsed, position=position.text(), seed=None)
    known = {**named(whole), "parameters": parsed.parameters, "position": whole.position}
    return {**known, **found.json(), **parsed.game.facts(position, found)}


@app.command()
def verdict(
    gameid: GameIDArgument,
    moves: MovesOption = "",
    seconds: SecondsOption = None,
    tiles: TilesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the verdict of a position for the player to move."""
    parsed, position = start_of(gameid, moves, tiles)
    found = ask(parsed, position, seconds, lambda control: parsed.game.solver.verdict(position, control))
    if as_json:
        print_json(verdict_json(parsed, position, found))
        return
    sides = parsed.game.sides
    out(f"{found.sentence(sides[position.turn], sides[1 - position.turn])}.")
    words = found.provenance()
    say(f"{words[0].upper()}{words[1:]}.")


def move_json(each: MoveVerdict[Any]) -> dict[str, Any]:
    known = each.verdict.json()
    for work in ("positions", "nodes", "seconds"):
        del known[work]
    if isinstance(each.verdict, ScoreVerdict):
        # The reachable score, unlike a verdict's own "best"; in this list "best" marks the best moves.
        known["score"] = known.pop("best")
    return {"move": str(each.move), **known, "best": each.best}


def verdict_word(found: Verdict) -> str:
    """A move's verdict in a column, e.g. "win 45", or "win 9-21" where only limits are known."""
    if isinstance(found, ScoreVerdict):
        if found.best is None:
            return "unknown" if found.bound is None else f"at most {found.bound}"
        return f"{found.best}" if found.bound is None else f"{found.best} (bound {found.bound})"
    value = "unknown" if found.value is None else found.value.value
    if found.remoteness is not None:
        return f"{value} {found.remoteness}"
    if not isinstance(found, DuelVerdict):
        return value
    low, high = found.at_least or 0, found.at_most
    if high is not None:
        return f"{value} {low}-{high}" if low > 1 else f"{value} <={high}"
    return f"{value} >={low}" if low > 1 else value


@app.command(name="moves")
def list_moves(
    gameid: GameIDArgument,
    moves: MovesOption = "",
    seconds: SecondsOption = None,
    tiles: TilesOption = None,
    as_json: JsonOption = False,
) -> None:
    """List every legal move with its verdict. A * marks the best moves."""
    parsed, position = start_of(gameid, moves, tiles)
    analysis = ask(parsed, position, seconds, lambda control: parsed.game.solver.analyse(position, control))
    if as_json:
        print_json([move_json(each) for each in analysis])
        return
    width = max((len(str(each.move)) for each in analysis), default=0)
    for each in analysis:
        out(f"{'*' if each.best else ' '} {each.move!s:<{width}}  {verdict_word(each.verdict)}")


@app.command()
def hint(
    gameid: GameIDArgument,
    moves: MovesOption = "",
    seconds: SecondsOption = None,
    tiles: TilesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Give a hint: where to look, which move, and why."""
    parsed, position = start_of(gameid, moves, tiles)
    if position.outcome() is not None:
        raise InputError("The game is over in this position, so there is no hint.")
    found = ask(parsed, position, seconds, lambda control: parsed.game.hint(position, control))
    if found is None:
        if as_json:
            print_json(None)
        say("Ran out of time before finding a hint.")
        return
    line = [str(move) for move in found.line]
    if as_json:
        print_json({"where": found.where, "move": str(found.move), "why": found.why, "line": line})
        return
    out(found.where, f"Play {found.move}.", found.why, " ".join(line))


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
        print_json({**named(parsed), "line": found})
    elif found:
        out(" ".join(found))
    else:
        say(
            "The game is over."
            if position.outcome() is not None
            else "Ran out of time before finding a line."
        )

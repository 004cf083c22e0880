"""The command line. Results go to standard output, everything else to standard error."""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcade import __version__
from arcade.commands import ask
from arcade.commands.common import (
    AsciiOption,
    GameIDArgument,
    JsonOption,
    MovesOption,
    SeatsOption,
    SecondsOption,
    TilesOption,
    print_json,
    read_id,
    say,
)
from arcade.commands.refusal import sentence
from arcade.engines.game import InputError, Parameter
from arcade.engines.registry import AnyGame, game_names, get_game, installed_games
from arcade.startup import importing

if TYPE_CHECKING:
    from arcade.machines import Machines

app = typer.Typer(
    help="Small games of strategy against opponents that know the truth about them.",
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def arcade(
    context: typer.Context,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="FOLDER", help="Keep matches, settings and machines there."),
    ] = None,
    ascii: AsciiOption = False,
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
) -> None:
    """Without a command: open the menu."""
    if version:
        print(f"solver-arcade {__version__}")
        raise typer.Exit
    if data is not None:
        # Through the environment, so that the app's own helper process sees it too.
        os.environ["ARCADE_DATA"] = str(data)
    context.obj = ascii
    if context.invoked_subcommand is None:
        open_app(ascii=ascii)


def open_app(**options: Any) -> None:
    """Open the app, which needs a terminal.

    Raises:
        InputError: standard output or input is no terminal.
    """
    if not all(each is not None and each.isatty() for each in (sys.stdin, sys.stdout)):
        raise InputError(
            "The arcade's screens need a terminal; see arcade --help for the commands that do not."
        )
    with importing():
        from arcade.app import ArcadeApp

    ArcadeApp(**options).run()


@contextmanager
def kept_machines() -> Iterator[Machines]:
    """The machines of the store, which is opened only when one of them is asked for."""
    from arcade.machines import Machines
    from arcade.store import open_store

    machines = Machines(open_store)
    try:
        yield machines
    finally:
        machines.close()


@app.command()
def play(
    context: typer.Context,
    gameid: GameIDArgument,
    seats: SeatsOption = "",
    moves: MovesOption = "",
    tiles: TilesOption = None,
    ascii: AsciiOption = False,
) -> None:
    """Open a match in the app."""
    from arcade.match import Match

    parsed = read_id(gameid, tiles)
    with kept_machines() as machines:
        match = Match(parsed, seats.split(",") if seats else None, machines, random.randrange(1_000_000))
    for move in parsed.game.parse_moves(moves, match.position):
        match.play(move)
    open_app(opening=match, ascii=ascii or context.obj)


def preset_ids(game: AnyGame) -> list[str]:
    """The game IDs of a game's presets."""
    return [f"{game.name}:{each.parameters}" if each.parameters else game.name for each in game.presets]


def game_json(game: AnyGame) -> dict[str, Any]:
    """A game as `arcade games --json` lists it."""
    return {
        "game": game.name,
        "title": game.title,
        "summary": game.summary,
        "kind": game.kind.value,
        "parameters": [parameter_json(each) for each in game.parameters],
        "presets": preset_ids(game),
        "players": [each.name for each in game.player_kinds],
    }


def parameter_json(parameter: Parameter) -> dict[str, Any]:
    """A parameter for `arcade games --json`, without what does not apply to it."""
    described = asdict(parameter)
    if type(parameter.default) is not int:
        del described["low"], described["high"]
    return {key: value for key, value in described.items() if value not in ("", ())}


@app.command()
def games(as_json: JsonOption = False) -> None:
    """List the games with their parameters, presets and players."""
    installed = installed_games()
    if as_json:
        print_json([game_json(game) for game in installed])
        return
    for number, game in enumerate(installed):
        print("\n" * bool(number) + f"{game.name}: {game.summary}")
        for parameter in game.parameters:
            limits = f"{parameter.low} to {parameter.high}, " if type(parameter.default) is int else ""
            print(f"  {parameter.name}: {limits}default {parameter.default}")
        print(f"  presets: {', '.join(preset_ids(game))}")
        print(f"  players: {', '.join(each.name for each in game.player_kinds)}")


@app.command()
def warm(
    only: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Only these games.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Compile the solvers' kernels, so that nobody has to wait for them later."""
    took = {}
    for name in only or [game.name for game in installed_games()]:
        started = time.perf_counter()
        get_game(name).solver.warm()
        took[name] = round(time.perf_counter() - started, 3)
        if not as_json:
            print(f"{name} ready in {took[name]:.1f} s", flush=True)
    if as_json:
        print_json(took)


@app.command()
def watch(
    context: typer.Context,
    gameid: GameIDArgument,
    seats: SeatsOption = "",
    count: Annotated[
        int, typer.Option("--games", metavar="N", min=1, max=10**9, help="How many matches.")
    ] = 1,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Of the players' chance.")] = 0,
    headless: Annotated[bool, typer.Option("--headless", help="Print instead of opening the app.")] = False,
    seconds: SecondsOption = None,
    tiles: TilesOption = None,
    as_json: JsonOption = False,
    ascii: AsciiOption = False,
) -> None:
    """Watch engines play each other, in the app or, with --headless, as text."""
    from arcade.commands.headless import watch_headless
    from arcade.match import HUMAN, Match

    parsed = read_id(gameid, tiles)
    players = seats.split(",") if seats else [parsed.game.best_player, "random"]
    if HUMAN in players:
        raise InputError("The seats of arcade watch are engines; arcade play is for persons.")
    with kept_machines() as machines:
        match = Match(parsed, players, machines, seed)
        if headless or as_json:
            watch_headless(parsed, players, machines, count, seed, seconds, as_json)
            return
    open_app(opening=match, ascii=ascii or context.obj)


@cache
def command_line() -> Callable[..., Any]:
    """The whole command line, with the commands of any game and those of each game that is installed."""
    from importlib import import_module
    from importlib.util import find_spec

    app.add_typer(ask.app)
    for name in game_names():
        if find_spec(f"arcade.commands.{name}") is not None:
            app.add_typer(import_module(f"arcade.commands.{name}").app, name=name)
    return typer.main.get_command(app)


def drop_output() -> None:
    """Send what is left of standard output nowhere: Python must not complain when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(arguments: list[str]) -> int:
    """Run a command line; returns the exit code, 2 with one sentence on standard error for bad input."""
    try:
        code = command_line()(arguments, prog_name="arcade", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (InputError, typer.TyperException) as error:
        say(f"arcade: {sentence(error)}")
        return 2
    except (KeyboardInterrupt, typer.Abort):
        say("arcade: stopped.")
        return 130
    except BrokenPipeError:
        # The reader has gone, e.g. head.
        drop_output()
        return 0
    except OSError as error:
        # All other files are named where they are used; this is standard output, e.g. on a full disk.
        drop_output()
        say(f"arcade: The output cannot be written: {error.strerror}.")
        return 1
    return code if isinstance(code, int) else 0

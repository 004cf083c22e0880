"""`arcade games` and `arcade warm`: list the games, and compile their solvers ahead of time."""

import time
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

import typer

from arcade.commands.common import print_error, print_json, print_line, showing_progress
from arcade.commands.options import AsJson, complete_game
from arcade.engines.files import InputError
from arcade.engines.game import RaceGame
from arcade.engines.kernel_compiler import compile_kernels
from arcade.engines.parameters import Parameter
from arcade.engines.registry import AnyGame, get_game, installed_games, load_errors
from arcade.engines.seats import player_kinds

app = typer.Typer(rich_markup_mode=None)


def preset_ids(game: AnyGame) -> list[str]:
    return [f"{game.name}:{board}".removesuffix(":") for board in game.parameters.boards]


def game_json(game: AnyGame) -> dict[str, Any]:
    return {
        "game": game.name,
        "title": game.title,
        "summary": game.summary,
        "kind": "race" if isinstance(game, RaceGame) else "duel",
        "parameters": [parameter_json(parameter) for parameter in game.parameters],
        "presets": preset_ids(game),
        "players": [kind.name for kind in player_kinds(game)],
    }


def parameter_json(parameter: Parameter) -> dict[str, Any]:
    described = asdict(parameter)
    if type(parameter.default) is not int:
        del described["low"], described["high"]
    return {key: value for key, value in described.items() if value not in ("", ())}


@app.command()
def games(as_json: AsJson = False) -> None:
    """List the games with their parameters, presets and players."""
    installed = installed_games()
    for complaint in load_errors():
        print_error(complaint)
    if as_json:
        print_json([game_json(game) for game in installed])
        return
    for number, game in enumerate(installed):
        if number:
            print_line("")
        print_line(f"{game.name}: {game.summary}")
        for parameter in game.parameters:
            limits = f"{parameter.low} to {parameter.high}, " if type(parameter.default) is int else ""
            print_line(f"  {parameter.name}: {limits}default {parameter.default}")
        print_line(f"  presets: {', '.join(preset_ids(game))}")
        print_line("  players:")
        width = max(len(kind.name) for kind in player_kinds(game))
        print_line(*(f"    {kind.name:{width}}  {kind.summary}" for kind in player_kinds(game)))


@app.command()
def warm(
    only: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", autocompletion=complete_game, help="Compile only these games."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compile the solvers ahead of time."""
    took, unsaved = {}, ""
    # Check all names before compiling the first game.
    for game in [get_game(name) for name in only or ()] or installed_games():
        started = time.perf_counter()
        try:
            with showing_progress(partial("compiling the solver of {}".format, game.title)):
                compile_kernels(game.name)
        except InputError as error:
            unsaved = str(error)
        took[game.name] = round(time.perf_counter() - started, 3)
        if not as_json:
            print_line(f"{game.name} ready in {took[game.name]:.1f} s", flush=True)
    if as_json:
        print_json(took)
    if unsaved:
        print_error(f"arcade: {unsaved}")
        raise typer.Exit(1)

"""The command line. Results go to standard output, everything else to standard error."""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from arcade import __version__
from arcade.commands.watched import run_watched
from arcade.engines.control import Control
from arcade.engines.game import InputError, Kind, Parameter, Position, make_hint
from arcade.engines.registry import AnyGame, GameID, game_names, get_game, installed_games, parse_game_id
from arcade.engines.verdict import MoveVerdict, Verdict

if TYPE_CHECKING:
    from arcade.machines import Machines

Answer = TypeVar("Answer")

app = typer.Typer(
    help="Small games of strategy against opponents that know the truth about them.",
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
)

GameIDArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAMEID", help="e.g. chocobar:8x10, game:parameters:position or game:parameters#seed"
    ),
]
MovesOption = Annotated[str, typer.Option("--moves", metavar='"M1 M2 ..."', help="Play these moves first.")]
SecondsOption = Annotated[
    float | None,
    typer.Option("--seconds", metavar="S", min=0.0, help="Stop after so long with what is proved."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
TilesOption = Annotated[
    str | None, typer.Option("--tiles", metavar="FILE", help="The tiles of an ID that names a game file.")
]
SeatsOption = Annotated[
    str, typer.Option("--seats", metavar="A,B", help="Who plays, e.g. human,perfect or fallible:7,random.")
]


def say(text: str) -> None:
    """A line for a person, on standard error."""
    print(text, file=sys.stderr)


def print_json(value: object) -> None:
    """A result as JSON, on standard output."""
    print(json.dumps(value, ensure_ascii=False, indent=2))


@app.callback(invoke_without_command=True)
def arcade(
    context: typer.Context,
    data: Annotated[
        Path | None,
        typer.Option("--data", metavar="FOLDER", help="Keep matches, settings and machines there."),
    ] = None,
    ascii: Annotated[bool, typer.Option("--ascii", help="Draw boards in plain characters.")] = False,
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
    if not (sys.stdout.isatty() and sys.stdin.isatty()):
        raise InputError(
            "The arcade's screens need a terminal; see arcade --help for the commands that do not."
        )
    from arcade.app import ArcadeApp

    ArcadeApp(**options).run()


def read_id(text: str, tiles: str | None) -> GameID:
    """Read a game ID with the option --tiles."""
    if tiles is not None:
        get_game(text.partition(":")[0].partition("#")[0]).use_tiles(tiles)
    return parse_game_id(text)


def start_of(text: str, moves: str, tiles: str | None) -> tuple[GameID, Position[Any]]:
    """The game and the position that an ID and the options --moves and --tiles name."""
    parsed = read_id(text, tiles)
    position = parsed.start()
    for move in parsed.game.parse_moves(moves, position):
        position = position.play(move)
    return parsed, position


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
def play(
    context: typer.Context,
    gameid: GameIDArgument,
    seats: SeatsOption = "",
    moves: MovesOption = "",
    tiles: TilesOption = None,
) -> None:
    """Open a match in the app."""
    from arcade.match import Match

    parsed = read_id(gameid, tiles)
    with kept_machines() as machines:
        match = Match(parsed, seats.split(",") if seats else None, machines, random.randrange(1_000_000))
    for move in parsed.game.parse_moves(moves, match.position):
        match.play(move)
    open_app(opening=match, ascii=context.obj)


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


@app.command()
def watch(
    context: typer.Context,
    gameid: GameIDArgument,
    seats: SeatsOption = "",
    count: Annotated[int, typer.Option("--games", metavar="N", min=1, help="How many matches.")] = 1,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Of the players' chance.")] = 0,
    headless: Annotated[bool, typer.Option("--headless", help="Print instead of opening the app.")] = False,
    seconds: SecondsOption = None,
    tiles: TilesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Watch engines play each other, in the app or, with --headless, as text."""
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
    open_app(opening=match, ascii=context.obj)


def watch_headless(
    parsed: GameID,
    players: list[str],
    machines: Machines,
    count: int,
    seed: int,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Play matches and print them. Nothing of them is kept, so machines do not learn."""
    from arcade.match import Match

    played = []
    results: Counter[str] = Counter()
    for number in range(count):
        match = Match(parsed, players, machines)
        rng = random.Random(f"{seed}/{number}")
        while match.to_move is not None:
            with Control(seconds) as control:
                move = match.player().choose(match.position, rng, control)
            if move is None:
                match.resign(match.turn)
            else:
                match.play(move)
        result = match.result
        assert result is not None
        winner = "tie" if result.winner is None else match.game.sides[result.winner]
        if result.winner is None and match.game.kind is Kind.RACE and len(players) == 1:
            winner = "played"
        results[winner] += 1
        game: dict[str, Any] = {
            "moves": [str(ply.move) for ply in match.plies],
            "winner": result.winner,
            "reason": result.termination.value,
        }
        if result.scores:
            game["scores"] = list(result.scores)
        played.append(game)
        if not as_json:
            print(
                f"{number + 1}. {' '.join(str(ply.move) for ply in match.plies)}  {match.describe_result()}"
            )
    if as_json:
        print_json({"game": str(parsed), "seats": players, "matches": played, "summary": dict(results)})
        return
    print(
        f"{count} played, {','.join(players)}: "
        + ", ".join(f"{name} {number}" for name, number in results.most_common())
    )


def attach_games() -> None:
    """Attach the commands that belong to one game, for the games that are installed."""
    from importlib import import_module
    from importlib.util import find_spec

    for name in game_names():
        if find_spec(f"arcade.commands.{name}") is not None:
            app.add_typer(import_module(f"arcade.commands.{name}").app, name=name)


def run(arguments: list[str]) -> int:
    """Run a command line; returns the exit code, 2 with one sentence on standard error for bad input."""
    attach_games()
    try:
        code = app(arguments, prog_name="arcade", standalone_mode=False)
    except InputError as error:
        say(f"arcade: {error}")
        return 2
    except typer.TyperException as error:
        say(f"arcade: {error.format_message()}")
        return 2
    except (KeyboardInterrupt, typer.Abort):
        say("arcade: stopped.")
        return 130
    except BrokenPipeError:
        # The reader has gone, e.g. head; Python must not complain when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code if isinstance(code, int) else 0

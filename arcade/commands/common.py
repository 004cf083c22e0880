"""What shell commands share: options, and where output goes."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from arcade.engines.game import InputError
from arcade.engines.registry import GameID, get_game, parse_game_id

GameIDArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAMEID", help="e.g. chocobar:8x10, game:parameters:position or game:parameters#seed"
    ),
]
MovesOption = Annotated[str, typer.Option("--moves", metavar='"M1 M2 ..."', help="Play these moves first.")]
TilesOption = Annotated[
    str | None, typer.Option("--tiles", metavar="FILE", help="The tiles of an ID that names a game file.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
AsciiOption = Annotated[bool, typer.Option("--ascii", help="Draw boards in plain characters.")]
MOST_SECONDS = 1e9
"""Longest deadline, some thirty years: a clock that waits cannot be set to much more."""


def check_seconds(seconds: float | None) -> float | None:
    """Refuse a deadline that is none; for options of typer, whose own limits let through what is no number.

    Raises:
        InputError: it is negative, too large or not a number.
    """
    if seconds is not None and not 0 <= seconds <= MOST_SECONDS:
        raise InputError(f"The value of --seconds must be a number from 0 to {MOST_SECONDS:,.0f}.")
    return seconds


SecondsOption = Annotated[
    float | None,
    typer.Option(
        "--seconds", metavar="S", callback=check_seconds, help="Stop after so long with what is proved."
    ),
]
SeatsOption = Annotated[
    str, typer.Option("--seats", metavar="A,B", help="Who plays, e.g. human,perfect or fallible:7,random.")
]


def commands(help: str) -> typer.Typer:
    """A group of commands, to be filled."""
    return typer.Typer(help=help, no_args_is_help=True, rich_markup_mode=None)


def say(text: str) -> None:
    """A line for a person, on standard error."""
    print(text, file=sys.stderr)


def print_json(value: object) -> None:
    """A result as JSON, on standard output."""
    print(json.dumps(value, ensure_ascii=False, indent=2))


def read_id(text: str, tiles: str | None) -> GameID:
    """Read a game ID with the option --tiles."""
    if tiles is not None:
        get_game(text.partition(":")[0].partition("#")[0]).use_tiles(tiles)
    return parse_game_id(text)

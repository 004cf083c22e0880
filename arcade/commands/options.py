"""Arguments and options that several commands share."""

from collections.abc import Callable
from typing import Annotated

import typer

from arcade.engines.files import InputError
from arcade.engines.registry import game_names

MAX_NUMBER = 10**18
MAX_SECONDS = 1e9
"""Maximum time limit in seconds: about thirty years. Timers cannot wait much longer."""


def whole_number(low: int = -MAX_NUMBER, high: int = MAX_NUMBER) -> Callable[[str], int]:
    """Return a parser for whole numbers from `low` to `high`, both included."""

    def parse(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise typer.BadParameter(f"expected a whole number from {low:,} to {high:,}, found {text!r}")
        return number

    return parse


def parse_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    # NaN fails both comparisons.
    if not 0 <= seconds <= MAX_SECONDS:
        raise typer.BadParameter(f"expected a number from 0 to {MAX_SECONDS:,.0f}, found {text!r}")
    return seconds


def check_utf8(text: str | None) -> str | None:
    try:
        (text or "").encode()
    except UnicodeEncodeError:
        raise InputError(f"Invalid name {text!r}: expected UTF-8 text.") from None
    return text


def complete_game(incomplete: str) -> list[str]:
    return [name for name in game_names() if name.startswith(incomplete)]


GameId = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        autocompletion=complete_game,
        help="Game ID of the position, such as chocobar:8x10. "
        "Full form: GAME:PARAMETERS[:POSITION] or GAME:PARAMETERS#SEED.",
    ),
]
GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", autocompletion=complete_game, help="Name of the game, for example hexapawn."
    ),
]
Moves = Annotated[str, typer.Option(metavar='"M1 M2 ..."', help="Apply these moves to the position first.")]
Seconds = Annotated[
    float | None,
    typer.Option(
        metavar="S", parser=parse_seconds, help="Stop after S seconds and report the result so far."
    ),
]
MoveSeconds = Annotated[
    float | None, typer.Option(metavar="S", parser=parse_seconds, help="Time limit for each move.")
]
Seed = Annotated[int | None, typer.Option(metavar="N", parser=whole_number(), help="Random seed.")]
Workers = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        parser=whole_number(1, 1000),
        show_default="one per core",
        help="Number of parallel jobs.",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Run the jobs on the dask cluster with the scheduler at ADDRESS."),
]
PlainText = Annotated[bool, typer.Option("--plain", help="Use text mode instead of the full-screen app.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]

ChoiceSeed = Annotated[
    int | None,
    typer.Option(metavar="N", parser=whole_number(), help="Random seed of the players' choices."),
]

"""`arcade picture`: draw a position, or animate a match."""

from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from arcade.commands.common import (
    check_ending,
    check_file,
    open_store,
    run_interruptible,
    showing_progress,
    write_file,
)
from arcade.commands.machines import load_machines
from arcade.commands.options import MAX_NUMBER, Ascii, Force, Moves, Seconds, complete_game
from arcade.commands.play import opened
from arcade.engines.files import InputError
from arcade.engines.registry import parse_game_id
from arcade.play import files as match_file
from arcade.play.headless import look_back
from arcade.play.match import HUMAN, Match, min_players
from arcade.play.punishment import SEARCH_SECONDS, punishment, shown_mistake
from arcade.startup import importing

app = typer.Typer(rich_markup_mode=None)


class Shade(StrEnum):
    DARK = "dark"
    LIGHT = "light"


@app.command()
def picture(
    game_id: Annotated[
        str,
        typer.Argument(
            metavar="ID|FILE|NUMBER",
            autocompletion=complete_game,
            help="Game ID such as chocobar:8x10, a match file, or the number of a saved match.",
        ),
    ],
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="File to write, .svg or .txt (.svg with --animate or --punishment).",
        ),
    ],
    animate: Annotated[
        bool, typer.Option("--animate", help="Animate the whole match, with a mark for each move.")
    ] = False,
    punished: Annotated[
        bool,
        typer.Option(
            "--punishment",
            help="Animate a mistake, the reply and the missed move in a ten-second loop.",
        ),
    ] = False,
    moves: Moves = "",
    values: Annotated[bool, typer.Option("--values", help="Show the value of every move.")] = False,
    seconds: Seconds = 10.0,
    theme: Annotated[Shade, typer.Option(help="Colour theme.")] = Shade.DARK,
    force: Force = False,
    ascii: Ascii = False,
) -> None:
    """Draw a position, or animate a match."""
    moving = "--animate" if animate else "--punishment" if punished else ""
    endings = (".svg",) if moving else (".svg", ".txt")
    ending = check_ending(output, *endings, extra=f" with {moving}" if moving else "")
    if animate and punished:
        raise InputError("--punishment cannot be combined with --animate.")
    if moving and values:
        raise InputError(f"--values cannot be combined with {moving}.")
    check_file(output, force)
    match = _pictured(game_id, moves)
    named = game_id.isdecimal() or match_file.is_name(game_id)
    revealed = not named or match.record().revealed
    if values and not revealed:
        raise InputError(
            "--values requires a finished match: in an unfinished one, values would be help. "
            "Finish the match first, or remove --values."
        )
    if not revealed:
        match = Match.from_record(match.record().shown(), match.guests)
    if moving and not match.line:
        raise InputError(f"{moving} requires a match with moves. Name a match, or add --moves.")
    if punished and not match.finished:
        raise InputError("--punishment requires a finished match.")
    with importing():
        from arcade.screens import picture as drawing  # loads Textual
        from arcade.screens.svg import svg  # loads Textual

    if moving and revealed:
        run_interruptible(
            partial(look_back, match), lambda control: f"reviewing the moves, {control.seconds:.0f} s"
        )
    if animate:
        frames, ground = drawing.render_animation(match, theme, ascii)
    elif punished:
        number = shown_mistake(match)
        if number is None:
            raise InputError("--punishment requires a match with a mistake.")
        find = partial(punishment, match, number)
        stills = run_interruptible(find, match.game.solver.progress, SEARCH_SECONDS)
        if not stills:
            raise InputError("There is nothing to show with --punishment: the solver found no better map.")
        frames, ground = drawing.render_punishment(match, stills, theme, ascii)
    else:
        known = []
        if values:
            seen, solver = match.position_of(drawing.shown_board(match)), match.game.solver
            known = run_interruptible(lambda control: solver.moves(seen, control), solver.progress, seconds)
        frames, ground = drawing.render_image(match, known, theme, ascii)
    with showing_progress(lambda: "drawing the picture"):
        content = svg(frames, ground) if ending == ".svg" else frames[0].text()
    write_file(output, content, force)


def _pictured(game_id: str, moves: str) -> Match:
    seats = ""
    if game_id.isdecimal():
        if moves:
            raise InputError("--moves requires a game ID: a saved match already contains its moves.")
        if int(game_id) > MAX_NUMBER:
            raise InputError(f"Unknown match {game_id}. Run arcade matches list to see the numbers.")
        with open_store() as store, load_machines() as machines:
            return Match.from_record(store.match(int(game_id)).record, machines)
    if not match_file.is_name(game_id):
        seats = ",".join([HUMAN] * min_players(parse_game_id(game_id).game))
    return opened(game_id, seats, moves, None)

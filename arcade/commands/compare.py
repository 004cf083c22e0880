"""`arcade compare`: solving methods side by side."""

from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from arcade.commands.common import (
    check_ending,
    check_file,
    print_error,
    print_json,
    print_line,
    show_progress,
    showing_progress,
    write_file,
)
from arcade.commands.options import AsJson, Force, GameName, parse_seconds
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.registry import get_game
from arcade.study import comparison

if TYPE_CHECKING:
    from arcade.study.comparison import MethodRun

app = typer.Typer(rich_markup_mode=None)


def _complete_method(ctx: typer.Context, incomplete: str) -> list[str]:
    # Typer stops parsing at an option without a value.
    game = ctx.params["game"] or next(iter(ctx.args), "")
    with suppress(InputError):
        names = [method.name for method in comparison.methods_of(get_game(game)).methods]
        return [name for name in names if name.startswith(incomplete)]
    return []


@app.command()
def compare(
    game: GameName,
    boards: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="BOARD", help="Boards: sizes, files, positions or game IDs. They run from small to large."
        ),
    ] = None,
    methods: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            metavar="NAME",
            autocompletion=_complete_method,
            help="Run only this method. May be repeated.",
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(metavar="S", parser=parse_seconds, help="Time limit for each method on each board."),
    ] = 10.0,
    picture: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="Also plot the times in an SVG file.")
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Compare the time, positions and memory of other solving methods with those of the solver."""
    compared = get_game(game)
    if picture is not None:
        check_ending(picture, ".svg")
        comparison.check_picture()
        check_file(picture, force)
    chosen = comparison.chosen(compared, methods or ())
    ids = comparison.boards_of(compared, boards or comparison.methods_of(compared).boards)
    if not as_json:
        for method in chosen:
            print_error(f"{method.name}: {comparison.described(method)}")
    for method in chosen:
        with showing_progress(partial("preparing {}".format, method.name)):
            method.warm()
    trials: list[MethodRun] = []
    with Control() as control:
        try:
            for trial in comparison.compare(
                compared,
                ids,
                seconds,
                control,
                lambda board, name: show_progress(f"{board}, {name}"),
                methods or (),
            ):
                trials.append(trial)
        finally:
            show_progress("")
            if as_json:
                listed = [{"id": trial.board, **asdict(trial)} for trial in trials]
                print_json({"game": compared.name, "trials": listed})
            elif trials:
                print_line(*comparison.report_lines(compared, trials))
    if picture is not None:
        write_file(picture, comparison.picture(trials, compared), force)

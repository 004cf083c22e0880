"""The methods of the games' documents against the arcade's solvers."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from arcade.commands.common import (
    ForceOption,
    JsonOption,
    check_file,
    deadline,
    out,
    print_json,
    say,
    show_progress,
    write_file,
)
from arcade.engines.registry import get_game

if TYPE_CHECKING:
    from arcade.study.comparison import Trial

app = typer.Typer(rich_markup_mode=None)


@app.command()
def compare(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.")],
    sizes: Annotated[
        list[str] | None,
        typer.Argument(metavar="SIZE", help="Boards from small to large, e.g. 3x3 4x4 5x5."),
    ] = None,
    seconds: Annotated[float, deadline("Time limit for each method on each board.")] = 10.0,
    picture: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="Also draw the times into an SVG file.")
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Compare other methods with the solver. Shows time, positions, memory, and where each gives up."""
    from arcade.engines.control import Control
    from arcade.study import comparison

    found = get_game(game)
    if picture is not None:
        comparison.check_picture()
        check_file(picture, force)
    methods, usual = comparison.methods_of(found)
    boards = comparison.boards_of(found, sizes or usual)
    if not as_json:
        for each in methods:
            say(f"{each.name}: {each.summary}")
    for each in methods:
        each.warm()
    trials: list[Trial] = []
    with Control() as control:
        try:
            for trial in comparison.compare(
                found, boards, seconds, control, lambda board, name: show_progress(f"{board}, {name}")
            ):
                trials.append(trial)
        finally:
            show_progress("")
            if as_json:
                print_json(
                    {"game": found.name, "trials": [{"id": each.board, **asdict(each)} for each in trials]}
                )
            elif trials:
                out(*comparison.table_lines(trials), "", *comparison.chart(trials))
    if picture is not None:
        write_file(picture, comparison.picture(trials, found), force)

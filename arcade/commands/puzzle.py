"""`arcade puzzle`: print puzzles, or solve them in text mode."""

from datetime import date
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from arcade.commands.common import (
    print_json,
    print_line,
    print_text,
    run_interruptible,
)
from arcade.commands.options import AsJson, Seed, complete_game, whole_number
from arcade.commands.text_mode import solve_puzzles
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.registry import AnyGame, game_names, get_game, listed_games, random_seed
from arcade.engines.wording import quantity
from arcade.study.daily import map_of_day
from arcade.study.puzzle_generator import PuzzleGenerator
from arcade.study.puzzles import daily as puzzle_of_day
from arcade.study.puzzles import parse_day

app = typer.Typer(rich_markup_mode=None)


class PuzzleCommand(TyperCommand):
    """A command whose option --daily needs no value."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        filled: list[str] = []
        for word, following in zip(args, [*args, ""][1:], strict=True):
            filled.append(word)
            if word == "--daily" and (following[:1] in ("", "-") or following in game_names()):
                filled.append("today")
        return super().parse_args(ctx, filled)


def make_puzzles(
    made: list[Any], game: AnyGame, seed: int, count: int, grade: int | None, day: date | None
) -> None:
    """Append each puzzle to `made` when it is found, so that none is lost if Ctrl+C stops the search."""
    if day is not None and game.practice.daily_board:
        made.append(run_interruptible(lambda control: map_of_day(game, day, control), game.solver.progress))
        return
    maker, before = PuzzleGenerator(game), len(made)

    def work(control: Control) -> None:
        for number in range(count):
            puzzle = (
                maker.make(seed + number, control, grade)
                if day is None
                else puzzle_of_day(game, day, control)
            )
            if puzzle is not None:
                made.append(puzzle)

    run_interruptible(work, lambda _: f"{len(made) - before} of {quantity(count, 'puzzle')} of {game.title}")


@app.command(cls=PuzzleCommand)
def puzzle(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            autocompletion=complete_game,
            show_default="all games",
            help="Name of the game.",
        ),
    ] = None,
    daily: Annotated[
        str | None,
        typer.Option(metavar="[DATE]", show_default="today", help="Puzzle of a day, for example 2026-11-22."),
    ] = None,
    grade: Annotated[
        int | None,
        typer.Option(metavar="N", parser=whole_number(1, 5), help="Difficulty, from 1 (easy) to 5 (hard)."),
    ] = None,
    seed: Seed = None,
    count: Annotated[
        int | None, typer.Option(metavar="N", parser=whole_number(1, 1000), help="Number of puzzles.")
    ] = None,
    as_json: AsJson = False,
    plain: Annotated[bool, typer.Option("--plain", help="Solve the puzzles in text mode.")] = False,
) -> None:
    """Print puzzles (positions with exactly one good move). Use --json to include solutions."""
    day = None if daily is None else parse_day(daily)
    if day is not None and (grade, seed, count) != (None, None, None):
        raise InputError("--daily cannot be combined with --grade, --seed or --count.")
    if plain:
        if name is None or count is not None or as_json:
            raise InputError("--plain requires a game. It cannot be combined with --count or --json.")
        solve_puzzles(get_game(name), day, grade, seed)
        return
    games = [get_game(name)] if name is not None else listed_games()
    first = random_seed() if seed is None else seed
    made: list[Any] = []
    try:
        for game in games:
            make_puzzles(made, game, first, count or 1, grade, day)
    except KeyboardInterrupt:
        _print_puzzles(made, day, as_json)
        raise
    _print_puzzles(made, day, as_json)


def _print_puzzles(made: list[Any], day: date | None, as_json: bool) -> None:
    if as_json:
        dated = {} if day is None else {"day": day.isoformat()}
        print_json([{**puzzle.json(), **dated} for puzzle in made])
        return
    for number, puzzle in enumerate(made):
        if number:
            print_line("")
        print_line(f"{puzzle.title}{'' if day is None else f', {day}'}")
        print_text(str(puzzle.start))
        print_line(*puzzle.start.describe_hands(), puzzle.task, str(puzzle.id))

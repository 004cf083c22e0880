"""The command puzzle: positions of any game with one move to find."""

from __future__ import annotations

import random
from datetime import date
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from arcade.commands.common import (
    JsonOption,
    PlainOption,
    input_lines,
    out,
    out_text,
    print_json,
    run_watched,
    say_line,
    services_of_lines,
    whole,
)
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.registry import AnyGame, get_game, installed_games

app = typer.Typer(rich_markup_mode=None)

MOST = 1000
"""Most puzzles of each game in one call."""


class PuzzleCommand(TyperCommand):
    """A command whose option --daily may stand without its date."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        filled: list[str] = []
        for word, following in zip(args, [*args, ""][1:], strict=True):
            filled.append(word)
            if word == "--daily" and not following[:1].isdigit():
                filled.append("today")
        return super().parse_args(ctx, filled)


def puzzles(game: AnyGame, seed: int, count: int, grade: int | None, day: date | None) -> list[Any]:
    """Make puzzles, stopped by Ctrl+C."""
    from arcade.study.course import daily
    from arcade.study.making import Maker

    maker = Maker(game)

    def make(number: int, control: Control) -> Any:
        return maker.make(seed + number, control, grade) if day is None else daily(game, day, control)

    def work(control: Control) -> list[Any]:
        return [make(number, control) for number in range(count)]

    return run_watched(work, lambda _: f"{len(maker.made)} of {count} puzzles of {game.title}")


def solve_in_lines(game: AnyGame, day: date | None, grade: int | None, seed: int | None) -> None:
    """Let a person solve puzzles in lines of text."""
    from arcade.plain.study import PuzzleDialogue
    from arcade.study.course import Mode, PuzzleChoice, Round

    choice = PuzzleChoice(game, Mode.PRACTICE if day is None else Mode.DAILY, grade)
    with services_of_lines() as services:
        new = day is None and seed is None
        round = services.puzzle_round(choice) if new else Round(choice, seed or 0, day=day)
        PuzzleDialogue(round, services, say_line).run(input_lines())


@app.command(cls=PuzzleCommand)
def puzzle(
    name: Annotated[
        str | None, typer.Argument(metavar="GAME", help="The game; without it each game.")
    ] = None,
    daily: Annotated[
        str | None,
        typer.Option("--daily", metavar="[DATE]", help="The puzzle of a day, e.g. 2026-11-22, or of today."),
    ] = None,
    grade: Annotated[int | None, whole("--grade", "1, easy, to 5, hard.", 1, 5)] = None,
    seed: Annotated[int | None, whole("--seed", "Random seed.")] = None,
    count: Annotated[int | None, whole("--count", "Number of puzzles.", 1, MOST)] = None,
    as_json: JsonOption = False,
    plain: PlainOption = False,
) -> None:
    """Print puzzles: positions in which exactly one move is good. Only JSON tells the solution."""
    from arcade.study.course import parse_day

    day = None if daily is None else parse_day(daily)
    if day is not None and (grade, seed, count) != (None, None, None):
        raise InputError(
            "The date alone decides a daily puzzle, so --daily takes no --grade, --seed or --count."
        )
    if plain:
        if name is None or count is not None or as_json:
            raise InputError(
                "With --plain you solve puzzles of one game: name it; leave out --count and --json."
            )
        solve_in_lines(get_game(name), day, grade, seed)
        return
    games = [get_game(name)] if name is not None else [game for game in installed_games() if game.listed]
    first = random.randrange(1_000_000) if seed is None else seed
    found = [each for game in games for each in puzzles(game, first, count or 1, grade, day)]
    if as_json:
        dated = {} if day is None else {"day": day.isoformat()}
        print_json([{**each.json(), **dated} for each in found])
        return
    for number, each in enumerate(found):
        out(
            *[""] * bool(number),
            f"{each.game.title}, grade {each.grade} of 5{'' if day is None else f', {day}'}",
        )
        out_text(str(each.start))
        out(*each.start.describe_hands(), each.task, str(each.id))

"""`arcade stats`: your records."""

from functools import partial
from typing import Annotated

import typer

from arcade.commands.common import (
    interruptible_work,
    open_store,
    print_error,
    print_json,
    print_line,
)
from arcade.commands.machines import load_machines
from arcade.commands.options import AsJson
from arcade.engines.control import Control
from arcade.engines.registry import installed_games
from arcade.store.store import Store
from arcade.study.review import catch_up
from arcade.study.statistics import GameStatistics, Section, level_sentence, sections, statistics, summary

app = typer.Typer(rich_markup_mode=None)


def show_section(section: Section) -> None:
    columns, widths = section.columns
    for first, *rest in zip(*columns, strict=True):
        cells = [f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True)]
        print_line(f"  {'  '.join([f'{first:{widths[0]}}', *cells])}".rstrip())


def review_matches(store: Store, control: Control) -> None:
    with load_machines() as machines:
        for game in installed_games():
            if not control.stopped:
                catch_up(store, game, machines, control, lambda: True)


@app.command()
def stats(
    as_json: AsJson = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Print one line for each game, without tables.")
    ] = False,
) -> None:
    """Show your records: level, matches, streaks, scores and puzzles."""

    def progress(control: Control) -> str:
        return f"reviewing your latest matches, {control.seconds:.0f} s"

    with open_store() as store, interruptible_work(partial(review_matches, store), progress):
        records = [record for record in statistics(store) if as_json or not record.empty]
        _print_records(records, as_json, plain)


def _print_records(records: list[GameStatistics], as_json: bool, plain: bool) -> None:
    if as_json:
        print_json([record.json() for record in records])
        return
    for number, record in enumerate(records):
        if plain:
            print_line(summary(record))
            continue
        if number:
            print_line("")
        print_line(record.title)
        if record.level is not None:
            print_line(f"  {level_sentence(record.level)}")
        for section in sections(record):
            show_section(section)
    if not records:
        print_error("No records yet: finish a match first.")

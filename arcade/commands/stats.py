"""The commands stats and where: a person's records, and where they are kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from arcade.commands.common import JsonOption, kept_machines, out, print_json, run_watched, say
from arcade.engines.control import Control
from arcade.engines.registry import get_game, installed_games

if TYPE_CHECKING:
    from arcade.store.store import Store
    from arcade.study.statistics import Section

app = typer.Typer(rich_markup_mode=None)


def show_section(section: Section) -> None:
    """Print a small table in columns."""
    lines = [(section.title, *section.heads), *section.rows]
    count = max(map(len, lines))
    lines = [(*line, *[""] * (count - len(line))) for line in lines]
    widths = [max(len(line[column]) for line in lines) for column in range(count)]
    for first, *rest in lines:
        cells = [f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True)]
        out(f"  {'  '.join([f'{first:{widths[0]}}', *cells])}".rstrip())


def look_at_matches(store: Store) -> None:
    """Find out how far the person saw in the latest matches that no solver has looked at."""
    from arcade.study.review import catch_up

    def look(control: Control) -> None:
        with kept_machines() as machines:
            for game in installed_games():
                catch_up(store, game, machines, control, lambda: True)

    run_watched(look, lambda control: f"looking at your latest matches, {control.seconds:.0f} s")


@app.command()
def stats(as_json: JsonOption = False) -> None:
    """Show your records. Matches, streaks, scores, puzzles, and how far you see."""
    from arcade.store.store import open_store
    from arcade.study.statistics import level_sentence, sections, statistics

    with open_store() as store:
        look_at_matches(store)
        found = [each for each in statistics(store) if as_json or not each.empty]
    if as_json:
        print_json([each.json() for each in found])
        return
    for number, each in enumerate(found):
        out(*[""] * bool(number), each.title)
        if each.level is not None:
            out(f"  {level_sentence(each.level, get_game(each.game))}")
        for section in sections(each):
            show_section(section)
    if not found:
        say("You have not finished a match yet.")


@app.command()
def where(as_json: JsonOption = False) -> None:
    """Print where your matches, settings and machines are kept."""
    from arcade.store.file import FILE_NAME, data_folder

    file = data_folder() / FILE_NAME
    if as_json:
        print_json({"folder": str(file.parent), "file": str(file), "bytes": _size(file)})
        return
    out(str(file))


def _size(file: Path) -> int | None:
    return file.stat().st_size if file.exists() else None

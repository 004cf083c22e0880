"""What is kept: saved matches to list, show, export, import and delete; records; and where all this is."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from arcade.commands import common as shell
from arcade.commands.common import kept_machines, kept_store, out, print_json, say
from arcade.engines.control import Control
from arcade.engines.files import InputError, read_text
from arcade.engines.registry import get_game, installed_games
from arcade.engines.wording import capital
from arcade.engines.wording import matches as number_of_matches
from arcade.store.queries import Ending, Filter, MatchSummary, damaged_sentence

if TYPE_CHECKING:
    from arcade.store.store import Store
    from arcade.study.statistics import GameStatistics, Section

app = typer.Typer(rich_markup_mode=None)
matches = shell.commands("The saved matches: list, show, export, import, delete.")


@dataclass(frozen=True)
class MatchOptions:
    game: str = ""
    ended: Ending | None = None
    unaided: bool = False
    search: str = ""

    def filter(self) -> Filter:
        if self.game:
            get_game(self.game)
        if not self.search.isprintable():
            raise InputError(f"The words {self.search!r} of --search cannot be in any match.")
        return Filter(self.game, self.ended, self.unaided, text=self.search)


def moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def match_json(match: MatchSummary) -> dict[str, Any]:
    told = ("game", "size", "seats", "result", "seen", "plies", "unaided", "points", "best")
    known = {name: getattr(match, name) for name in told}
    return {"number": match.id, "time": round(match.updated), **known}


@shell.command(matches, "list")
def list_matches(wanted: MatchOptions, limit: int = 20, as_json: bool = False) -> None:
    chosen = wanted.filter()
    with kept_store() as store, shell.telling(lambda: "reading your matches"):
        count = store.count(chosen)
        rows = store.listed(chosen, limit)
    listed = [match for match in rows if match is not None]
    if as_json:
        print_json([match_json(match) for match in listed])
        return
    width = max((len(str(match.id)) for match in listed), default=0)
    titles = max((len(match.headline) for match in listed), default=0)
    for match in listed:
        helped = "" if match.unaided or "human" not in match.seats else ", with help"
        played = f"{match.headline:{titles}}  {match.opponents}{helped}"
        out(f"{match.id:{width}}  {moment(match.updated)}  {played}")
    if len(rows) > len(listed):
        say(damaged_sentence(len(rows) - len(listed)))
    if count > len(rows):
        say(f"{number_of_matches(count)} in all; --limit shows more.")
    elif not count:
        say("No match is saved yet." if chosen == Filter() else "There is no such match.")


@shell.command(matches)
def show(number: int, as_json: bool = False) -> None:
    from arcade.play.match import Match
    from arcade.play.sentences import help_sentence, match_text, star_sentence

    with kept_store() as store, kept_machines() as machines:
        saved = store.match(number)
        match = Match.from_record(saved.record, machines)
        line = next(filter(None, store.listed(Filter(id=number))), None)
    line = line or MatchSummary.of(number, saved.record, saved.updated)
    if as_json:
        record = saved.record.shown()
        replayed = {"moves": record.moves, "marks": record.marks}
        print_json({**match_json(line), "id": record.start, "start": record.start, **replayed})
        return
    out(moment(saved.updated))
    shell.out_text(match_text(match))
    out(*filter(None, [star_sentence(match), help_sentence(match)]))


@shell.command(matches)
def export(
    numbers: list[int] | None = None, file: str | None = None, force: bool = False, *, wanted: MatchOptions
) -> None:
    from arcade.play.exchange import export_matches
    from arcade.store.store import SavedMatches

    chosen = wanted.filter()
    if numbers and chosen != Filter():
        raise InputError("Choose the matches by their numbers or by options, not by both.")
    with kept_store() as store, shell.telling(lambda: "reading your matches"):
        one_each = dict.fromkeys(numbers or [])
        one_by_one = map(store.match, one_each)
        saved = SavedMatches(one_by_one) if one_each else store.matches(-1, chosen)
    text = export_matches(saved if one_each else reversed(saved))
    if file is None:
        shell.out_text(text)
    else:
        shell.write_file(file, text, force)
    if saved.unreadable:
        say(damaged_sentence(saved.unreadable))
    say(f"Exported {number_of_matches(len(saved))}.")


@shell.command(matches, "import")
def import_file(file: str, as_json: bool = False) -> None:
    from arcade.play.exchange import import_matches
    from arcade.store.store import MOST_BYTES

    text = read_text(None if file == "-" else file, "file of matches", MOST_BYTES)
    reached = "no match saved"

    def reach(words: str) -> None:
        nonlocal reached
        reached = words

    with kept_store() as store, kept_machines() as machines, shell.telling(lambda: f"importing: {reached}"):
        try:
            new, known = import_matches(store, text, machines, progress=reach)
        except KeyboardInterrupt:
            say(f"Import stopped: {reached}. Import the file again for the rest.")
            raise
    there = f"; {number_of_matches(known)} {'was' if known == 1 else 'were'} there already" if known else ""
    shell.answer(
        as_json, {"imported": new, "known": known}, said=f"Imported {number_of_matches(new)}{there}."
    )


@shell.command(matches)
def delete(
    numbers: list[int] | None = None, yes: bool = False, undo: bool = False, as_json: bool = False
) -> None:
    if undo == bool(numbers):
        raise InputError("Name the matches to delete by their numbers, or give --undo.")
    with kept_store() as store:
        if undo:
            done, word = store.restore_matches(), "restored"
        else:
            chosen = list(dict.fromkeys(numbers or []))
            if not yes and not _agreed(chosen):
                say("Nothing is deleted.")
                return
            store.delete_matches(chosen)
            done, word = len(chosen), "deleted"
    nothing = "There is nothing to bring back."
    said = nothing if undo and not done else f"{capital(word)} {number_of_matches(done)}."
    shell.answer(as_json, {word: done}, said=said)


def _agreed(numbers: Iterable[int]) -> bool:
    if sys.stdin is None or not sys.stdin.isatty():
        raise InputError("There is no terminal to ask at; give --yes to delete without being asked.")
    say(f"Delete {', '.join(map(str, numbers))}? Type y to delete, anything else to keep.")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def show_section(section: Section) -> None:
    columns, widths = section.columns
    for first, *rest in zip(*columns, strict=True):
        cells = [f"{cell:>{width}}" for cell, width in zip(rest, widths[1:], strict=True)]
        out(f"  {'  '.join([f'{first:{widths[0]}}', *cells])}".rstrip())


def look_at_matches(store: Store, control: Control) -> None:
    from arcade.study.review import catch_up

    with kept_machines() as machines:
        for game in installed_games():
            if not control.stopped:
                catch_up(store, game, machines, control, lambda: True)


@shell.command(app)
def stats(as_json: bool = False, plain: bool = False) -> None:
    from arcade.study.statistics import statistics

    def progress(control: Control) -> str:
        return f"looking at your latest matches, {control.seconds:.0f} s"

    with kept_store() as store, shell.watched(partial(look_at_matches, store), progress):
        records = [record for record in statistics(store) if as_json or not record.empty]
        _print_records(records, as_json, plain)


def _print_records(records: list[GameStatistics], as_json: bool, plain: bool) -> None:
    from arcade.study.statistics import level_sentence, sections, summary

    if as_json:
        print_json([record.json() for record in records])
        return
    for number, record in enumerate(records):
        if plain:
            out(summary(record))
            continue
        if number:
            out("")
        out(record.title)
        if record.level is not None:
            out(f"  {level_sentence(record.level)}")
        for section in sections(record):
            show_section(section)
    if not records:
        say("You have not finished a match that counts yet.")


@shell.command(app, "keys")
def list_keys() -> None:
    from arcade.engines.files import data_folder
    from arcade.play.keymap import KEYS, read_keys
    from arcade.play.keys import written
    from arcade.store.settings import SETTINGS_FILE

    folder = data_folder()
    used, wrong = read_keys(folder)
    out(f"# Lines that you change go to {folder / SETTINGS_FILE}, under the line [keys].", "[keys]")
    for name, key in KEYS.items():
        keys = written(used.table[name])
        line = f'{name} = "{keys}"' if keys else f'# {name} = ""'
        out(f"{line:27} # {key.meaning}")
    for sentence in wrong[:-1]:
        say(sentence)
    if wrong:
        raise InputError(wrong[-1])


@shell.command(app)
def where(as_json: bool = False) -> None:
    from arcade.engines.files import data_folder
    from arcade.store.file import FILE_NAME

    file = Path(os.path.abspath(data_folder() / FILE_NAME))
    size = file.stat().st_size if file.exists() else None
    shell.answer(as_json, {"folder": str(file.parent), "file": str(file), "bytes": size}, str(file))

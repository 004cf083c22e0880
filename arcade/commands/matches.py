"""The saved matches: list, show, export, import and delete them."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from arcade.commands.common import (
    ForceOption,
    JsonOption,
    commands,
    kept_machines,
    one_of,
    out,
    out_text,
    print_json,
    say,
    whole,
    whole_number,
    write_file,
)
from arcade.engines.files import InputError, read_text
from arcade.engines.registry import get_game
from arcade.engines.wording import matches as number_of_matches
from arcade.store.queries import Ending, Filter, MatchSummary, players, what

app = commands("The saved matches: list, show, export, import, delete.")

GameOption = Annotated[str, typer.Option("--game", metavar="GAME", help="Only matches of this game.")]
EndedOption = Annotated[
    Ending | None,
    one_of("--ended", Ending, "Only matches that ended so for you, or only unfinished ones."),
]
UnaidedOption = Annotated[bool, typer.Option("--unaided", help="Only matches that you played without help.")]
SearchOption = Annotated[
    str, typer.Option("--search", metavar="WORDS", help="Only matches with these words: game, size, players.")
]
NUMBER = whole_number("NUMBER", 1)
"""Reads the number of a match."""


def wanted(game: str, ended: Ending | None, unaided: bool, search: str) -> Filter:
    """Which matches the options ask for.

    Raises:
        InputError: there is no such game, or the words are no plain text.
    """
    if game:
        get_game(game)
    if not search.isprintable():
        raise InputError(f"The words {search!r} of --search cannot be in any match.")
    return Filter(game, ended, unaided, search)


def moment(seconds: float) -> str:
    """A time in the shell, e.g. "2026-01-31 21:14"."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def match_json(each: MatchSummary) -> dict[str, Any]:
    return {
        "number": each.id,
        "time": round(each.updated),
        "game": each.game,
        "size": each.size,
        "seats": each.seats,
        "result": each.result,
        "seen": each.seen,
        "plies": each.plies,
        "unaided": each.unaided,
        "points": each.points,
        "best": each.best,
        "sees": None if each.sees is None else [each.sees_low, each.sees, each.sees_high],
    }


@app.command(name="list")
def list_matches(
    game: GameOption = "",
    ended: EndedOption = None,
    unaided: UnaidedOption = False,
    search: SearchOption = "",
    limit: Annotated[int, whole("--limit", "At most this many.", 1)] = 20,
    as_json: JsonOption = False,
) -> None:
    """List saved matches, the latest first."""
    from arcade.store.store import open_store

    chosen = wanted(game, ended, unaided, search)
    with open_store() as store:
        count = store.count(chosen)
        listed = [each for each in store.listed(chosen, limit) if each is not None]
    if as_json:
        print_json([match_json(each) for each in listed])
        return
    width = max((len(str(each.id)) for each in listed), default=0)
    titles = max((len(what(each)) for each in listed), default=0)
    for each in listed:
        told = "" if each.unaided or "human" not in each.seats else ", with help"
        out(f"{each.id:{width}}  {moment(each.updated)}  {what(each):{titles}}  {players(each)}{told}")
    if count > len(listed):
        say(f"{number_of_matches(count)} in all; --limit shows more.")
    elif not count:
        say("No match is saved yet." if chosen == Filter() else "There is no such match.")


@app.command()
def show(
    number: Annotated[int, typer.Argument(metavar="NUMBER", parser=NUMBER)], as_json: JsonOption = False
) -> None:
    """Show a saved match with its moves."""
    from arcade.match.match import Match
    from arcade.store.store import open_store

    with open_store() as store, kept_machines() as machines:
        saved = store.match(number)
        match = Match.from_record(saved.record, machines)
        line = next(each for each in store.listed(Filter(id=number)) if each is not None)
    if as_json:
        record = saved.record
        print_json(
            {
                **match_json(line),
                "id": record.start,
                "start": record.start,
                "moves": record.moves,
                "marks": record.marks,
            }
        )
        return
    out(moment(saved.updated))
    out_text(str(match))
    used = match.help_used()
    if used:
        out(used)


@app.command()
def export(
    numbers: Annotated[
        list[int] | None,
        typer.Argument(metavar="NUMBER", parser=NUMBER, help="Only these matches."),
    ] = None,
    file: Annotated[str | None, typer.Option("--file", metavar="FILE", help="Write to this file.")] = None,
    force: ForceOption = False,
    game: GameOption = "",
    ended: EndedOption = None,
    unaided: UnaidedOption = False,
    search: SearchOption = "",
) -> None:
    """Write saved matches to a file or standard output. For arcade matches import."""
    from arcade.store.exchange import write
    from arcade.store.store import open_store

    chosen = wanted(game, ended, unaided, search)
    with open_store() as store:
        matches = [store.match(number) for number in numbers] if numbers else store.matches(-1, chosen)
    text = write(matches)
    if file is None:
        out_text(text)
    else:
        write_file(file, text, force)
    say(f"Exported {number_of_matches(len(matches))}.")


@app.command(name="import")
def import_file(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A file of exported matches; - for standard input.")
    ],
    as_json: JsonOption = False,
) -> None:
    """Read exported matches. Each is checked by replaying it; all are saved, or none."""
    from arcade.store.exchange import MOST_BYTES, import_matches
    from arcade.store.store import open_store

    text = read_text(None if file == "-" else file, "file of matches", MOST_BYTES)
    with open_store() as store, kept_machines() as machines:
        new, known = import_matches(store, text, machines)
    if as_json:
        print_json({"imported": new, "known": known})
        return
    there = f"; {number_of_matches(known)} {'was' if known == 1 else 'were'} there already" if known else ""
    say(f"Imported {number_of_matches(new)}{there}.")


@app.command()
def delete(
    numbers: Annotated[
        list[int] | None,
        typer.Argument(metavar="NUMBER", parser=NUMBER, help="The matches to delete."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Bring back what was deleted last.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Delete saved matches; --undo brings the last ones back."""
    from arcade.store.store import open_store

    if undo == bool(numbers):
        raise InputError("Name the matches to delete by their numbers, or give --undo.")
    with open_store() as store:
        if undo:
            done, word = store.restore_matches(), "restored"
        else:
            chosen = list(dict.fromkeys(numbers or []))
            if not yes and not _agreed(chosen):
                say("Nothing is deleted.")
                return
            store.delete_matches(chosen)
            done, word = len(chosen), "deleted"
    if as_json:
        print_json({word: done})
    elif undo and not done:
        say("There is nothing to bring back.")
    else:
        say(f"{word.capitalize()} {number_of_matches(done)}.")


def _agreed(numbers: Iterable[int]) -> bool:
    """Ask once.

    Raises:
        InputError: nobody is there to answer.
    """
    if sys.stdin is None or not sys.stdin.isatty():
        raise InputError("There is no terminal to ask at; give --yes to delete without a question.")
    named = ", ".join(map(str, numbers))
    say(f"Delete {named}? Type y to delete, anything else to keep.")
    return sys.stdin.readline().strip().lower() in ("y", "yes")

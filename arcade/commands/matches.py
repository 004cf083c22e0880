"""`arcade matches`: list, show, export, import and delete saved matches."""

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arcade.commands.common import (
    confirmed,
    open_store,
    print_error,
    print_json,
    print_line,
    print_result,
    print_text,
    showing_progress,
    write_file,
)
from arcade.commands.machines import load_machines
from arcade.commands.options import AsJson, Force, complete_game, whole_number
from arcade.engines.files import InputError, read_text
from arcade.engines.registry import get_game
from arcade.engines.wording import capitalize
from arcade.engines.wording import matches as number_of_matches
from arcade.play.exchange import export_matches, import_matches
from arcade.play.match import Match
from arcade.play.sentences import help_sentence, match_text, star_words
from arcade.store.queries import Ending, Filter, MatchSummary, damaged_sentence
from arcade.store.store import MAX_BYTES, SavedMatches

if TYPE_CHECKING:
    pass

app = typer.Typer(rich_markup_mode=None)

OfGame = Annotated[
    str,
    typer.Option("--game", metavar="GAME", autocompletion=complete_game, help="Only matches of this game."),
]
Ended = Annotated[
    Ending | None, typer.Option(help="Only matches that ended this way for you, or only unfinished ones.")
]
Unaided = Annotated[bool, typer.Option("--unaided", help="Only matches that you played without help.")]
Search = Annotated[
    str,
    typer.Option(metavar="WORDS", help="Only matches that contain these words (game, size or players)."),
]


def match_filter(game: str, ended: Ending | None, unaided: bool, search: str) -> Filter:
    if game:
        get_game(game)
    if not search.isprintable():
        raise InputError(f"--search must not contain control characters: {search!r}.")
    return Filter(game, ended, unaided, text=search)


def moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))


def match_json(match: MatchSummary) -> dict[str, Any]:
    told = ("game", "size", "seats", "result", "seen", "plies", "unaided", "points", "best")
    known = {name: getattr(match, name) for name in told}
    return {"number": match.id, "time": round(match.updated), **known}


@app.command("list")
def list_matches(
    game: OfGame = "",
    ended: Ended = None,
    unaided: Unaided = False,
    search: Search = "",
    limit: Annotated[
        int, typer.Option(metavar="N", parser=whole_number(1), help="Maximum number of matches.")
    ] = 20,
    as_json: AsJson = False,
) -> None:
    """List saved matches, the latest first."""
    chosen = match_filter(game, ended, unaided, search)
    with open_store() as store, showing_progress(lambda: "reading your matches"):
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
        print_line(f"{match.id:{width}}  {moment(match.updated)}  {played}")
    if len(rows) > len(listed):
        print_error(damaged_sentence(len(rows) - len(listed)))
    if count > len(rows):
        print_error(f"{number_of_matches(count)} in all. Use --limit to show more.")
    elif not count:
        print_error("No saved matches." if chosen == Filter() else "No matches found.")


@app.command()
def show(
    number: Annotated[
        int,
        typer.Argument(
            metavar="NUMBER", parser=whole_number(1), help="Number of the match, from arcade matches list."
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Show a saved match with its moves."""
    with open_store() as store, load_machines() as machines:
        saved = store.match(number)
        match = Match.from_record(saved.record, machines)
        line = next(filter(None, store.listed(Filter(id=number))), None)
    line = line or MatchSummary.of(number, saved.record, saved.updated)
    if as_json:
        record = saved.record.shown()
        replayed = {"moves": record.moves, "marks": record.marks}
        print_json({**match_json(line), "id": record.start, "start": record.start, **replayed})
        return
    print_line(moment(saved.updated))
    print_text(match_text(match))
    star = star_words(match)
    print_line(*filter(None, [star and f"{capitalize(star)}.", help_sentence(match)]))


@app.command()
def export(
    numbers: Annotated[
        list[int] | None,
        typer.Argument(metavar="NUMBER", parser=whole_number(1), help="Export only these matches."),
    ] = None,
    file: Annotated[str | None, typer.Option(metavar="FILE", help="Write to this file.")] = None,
    force: Force = False,
    game: OfGame = "",
    ended: Ended = None,
    unaided: Unaided = False,
    search: Search = "",
) -> None:
    """Write saved matches to a file or standard output. Read them with arcade matches import."""
    chosen = match_filter(game, ended, unaided, search)
    if numbers and chosen != Filter():
        raise InputError("Select matches either by number or by options, not both.")
    with open_store() as store, showing_progress(lambda: "reading your matches"):
        one_each = dict.fromkeys(numbers or [])
        one_by_one = map(store.match, one_each)
        saved = SavedMatches(one_by_one) if one_each else store.matches(-1, chosen)
    text = export_matches(saved if one_each else reversed(saved))
    if file is None:
        print_text(text)
    else:
        write_file(file, text, force)
    if saved.unreadable:
        print_error(damaged_sentence(saved.unreadable))
    print_error(f"Exported {number_of_matches(len(saved))}.")


@app.command("import")
def import_file(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="File of exported matches, or - for standard input.")
    ],
    as_json: AsJson = False,
) -> None:
    """Import matches from a file. If the file is damaged, nothing is imported."""
    text = read_text(None if file == "-" else file, "match file", MAX_BYTES)
    reached = "no match saved"

    def reach(words: str) -> None:
        nonlocal reached
        reached = words

    with (
        open_store() as store,
        load_machines() as machines,
        showing_progress(lambda: f"importing: {reached}"),
    ):
        try:
            new, known = import_matches(store, text, machines, progress=reach)
        except KeyboardInterrupt:
            print_error(f"Import stopped: {reached}. Import the file again for the rest.")
            raise
    there = f"; {number_of_matches(known)} {'was' if known == 1 else 'were'} already saved" if known else ""
    print_result(
        as_json, {"imported": new, "known": known}, said=f"Imported {number_of_matches(new)}{there}."
    )


@app.command()
def delete(
    numbers: Annotated[
        list[int] | None,
        typer.Argument(metavar="NUMBER", parser=whole_number(1), help="Matches to delete."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Restore the matches that were deleted last.")] = False,
    as_json: AsJson = False,
) -> None:
    """Delete saved matches. Use --undo to restore them."""
    if undo == bool(numbers):
        raise InputError("Give the numbers of the matches to delete, or --undo.")
    with open_store() as store:
        if undo:
            done, word = store.restore_matches(), "restored"
        else:
            chosen = list(dict.fromkeys(numbers or []))
            store.check_matches(chosen)
            if not yes and not confirmed(f"Delete {', '.join(map(str, chosen))}?"):
                print_error("Nothing was deleted.")
                return
            store.delete_matches(chosen)
            done, word = len(chosen), "deleted"
    nothing = "No deleted matches to restore."
    said = nothing if undo and not done else f"{capitalize(word)} {number_of_matches(done)}."
    print_result(as_json, {word: done}, said=said)

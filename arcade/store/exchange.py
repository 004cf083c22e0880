"""Write saved matches to a file for another arcade, and read them back, checking each by replaying it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from arcade.engines.files import InputError
from arcade.engines.registry import Guests
from arcade.match import files as match_file
from arcade.match.match import Match
from arcade.store.store import Saved, Store

MOST_BYTES = 500_000_000
"""The largest file to read: 50,000 long matches."""


def write(matches: Iterable[Saved]) -> str:
    """Matches as the text of one match file, each with the time when it was played."""
    return "\n".join(match_file.write(each.record, each.updated) for each in matches)


def import_matches(
    store: Store, text: str, guests: Guests, stopped: Callable[[], bool] = lambda: False
) -> tuple[int, int]:
    """Save the matches in a text as `write` writes it; one that is there already is not saved again.

    Returns how many were saved, and how many were there already. None are saved if `stopped`, which is asked
    before each match, or if one is damaged or its moves do not lead to its result, which raises InputError.
    Their guests need not exist any more.
    """
    checked = []
    try:
        for record, played in match_file.read_dated(text):
            if stopped():
                raise InputError("The import was stopped.")
            checked.append((Match.from_record(record, guests).record(), played))
    except InputError as error:
        raise InputError(f"Nothing is imported, because of match {len(checked) + 1}: {error}") from None
    new = 0
    with store.together():
        for record, played in checked:
            if not store.has(record, played):
                store.save_match(record, when=played)
                new += 1
    return new, len(checked) - new

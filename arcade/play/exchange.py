"""Export and import of saved matches as one match file."""

import time
from collections.abc import Callable, Iterable, Sequence

from arcade.engines.files import InputError
from arcade.engines.seats import Guests
from arcade.play.files import read_with_dates, write
from arcade.play.match import Match
from arcade.store.record import MatchRecord
from arcade.store.store import Saved, Store, origin_of


def export_matches(matches: Iterable[Saved]) -> str:
    return "\n".join(write(each.record, each.updated) for each in matches)


def import_matches(
    store: Store,
    text: str,
    guests: Guests,
    stopped: Callable[[], bool] = lambda: False,
    progress: Callable[[str], None] = lambda words: None,
) -> tuple[int, int]:
    """Save the matches of a match file, except those already in the store.

    Returns how many matches were saved, and how many were already in the store. Raises InputError if a match
    is damaged (then no match is saved), if the import fails, or if `stopped` returns True. If saving had
    begun, the message gives the number of saved matches.
    """
    if not text.strip():
        raise InputError("Nothing was imported: the file is empty.")
    checked = []
    try:
        for record, played in read_with_dates(text):
            if stopped():
                raise InputError("The import was stopped.")
            checked.append((Match.from_record(record, guests).record(), played))
            progress(f"{len(checked):,} matches read, none saved")
    except InputError as error:
        raise InputError(f"Nothing was imported. Match {len(checked) + 1}: {error}") from None
    checked = _oldest_first(checked)
    done = new = 0
    try:
        while done < len(checked):
            if stopped():
                raise InputError("The import was stopped.")
            with store.together():
                batch = _import_batch(store, checked[done : done + MAX_BATCH_SIZE])
            done += len(batch)
            new += sum(batch)
            progress(f"{done:,} of {len(checked):,} matches saved")
            if done < len(checked):
                time.sleep(REST_SECONDS)
    except InputError as error:
        raise InputError(
            f"{error} {done:,} of {len(checked):,} matches were saved. Import the file again for the rest."
        ) from None
    return new, len(checked) - new


MAX_BATCH_SIZE = 1000

BATCH_SECONDS = 0.02
"""Time limit for saving a batch of matches. Other programs can write to the file only between batches."""

REST_SECONDS = 0.005


def _import_batch(store: Store, checked: Sequence[tuple[MatchRecord, float | None]]) -> list[bool]:
    end = time.monotonic() + BATCH_SECONDS
    batch: list[bool] = []
    for record, played in checked:
        new = not store.has(record, played)
        if new:
            store.save_match(record, when=played, origin=origin_of(record, played))
        batch.append(new)
        if time.monotonic() >= end:
            break
    return batch


def _oldest_first(matches: list[tuple[MatchRecord, float | None]]) -> list[tuple[MatchRecord, float | None]]:
    """Return the matches with the oldest first. Files from older versions have the newest match first."""
    times = [played for _, played in matches if played is not None]
    return matches[::-1] if times == sorted(times, reverse=True) and times[:1] != times[-1:] else matches

"""Export saved matches to one match file, and import them from one."""

import time
from collections.abc import Callable, Iterable, Sequence

from arcade.engines.files import InputError
from arcade.engines.seats import Guests
from arcade.play.files import read_with_dates, write
from arcade.play.match import Match
from arcade.store.record import MatchRecord
from arcade.store.store import Saved, Store, origin_of


def export_matches(matches: Iterable[Saved]) -> str:
    """Matches as the text of one match file, each with the time when it was played."""
    return "\n".join(write(each.record, each.updated) for each in matches)


def import_matches(
    store: Store,
    text: str,
    guests: Guests,
    stopped: Callable[[], bool] = lambda: False,
    progress: Callable[[str], None] = lambda words: None,
) -> tuple[int, int]:
    """Save the matches in a text of `export_matches`; one that is there already is not saved again.

    Returns how many were saved, and how many were there already. None are saved if one is damaged or its
    moves do not lead to its result, which raises InputError. Their guests need not exist any more. They are
    received in the order of the file.

    They are saved in batches, between which others can write. `stopped` is asked before each match is read
    and before each batch. What was saved before then, or before a failure, stays; the InputError says how
    many that is. `progress` receives the same words after each match that was read, and after each batch.
    """
    checked = []
    try:
        for record, played in read_with_dates(text):
            if stopped():
                raise InputError("The import was stopped.")
            checked.append((Match.from_record(record, guests).record(), played))
            progress(f"{len(checked):,} matches read, none saved")
    except InputError as error:
        raise InputError(f"Nothing is imported, because of match {len(checked) + 1}: {error}") from None
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
            f"{error} {done:,} of {len(checked):,} matches are saved. Import the file again for the rest."
        ) from None
    return new, len(checked) - new


MAX_BATCH_SIZE = 1000

BATCH_SECONDS = 0.02
"""How long a batch of an import keeps others from writing."""

REST_SECONDS = 0.005
"""How long they can write between two batches."""


def _import_batch(store: Store, checked: Sequence[tuple[MatchRecord, float | None]]) -> list[bool]:
    """Import matches until the time of a batch is over; returns for each one whether it was new."""
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
    """Matches in the order of their file, which an older arcade has written the newest first."""
    times = [played for _, played in matches if played is not None]
    return matches[::-1] if times == sorted(times, reverse=True) and times[:1] != times[-1:] else matches

"""The store: saved matches, settings, machines, puzzles and tournaments."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, fields, replace
from itertools import count
from pathlib import Path
from typing import Literal

from arcade.engines.files import InputError, data_folder, package_text
from arcade.engines.parsing import convert
from arcade.engines.verdict import Value
from arcade.store.file import ALL, StoreFile, Wait, connect, decode, wait_a_little
from arcade.store.file import StoreError as StoreError
from arcade.store.file import StoreLockedError as StoreLockedError
from arcade.store.queries import DAY_SECONDS, FACTS, LAST_SECOND, SUMMARY, Filter, Finished, MatchSummary
from arcade.store.record import HUMAN, MAX_LENGTH, MatchRecord

SQL = dict(re.findall(r"^-- (\w+)\n(.+?);$", package_text(__package__, "queries.sql"), re.M | re.S))

WRITTEN = ("game", "record", "result", "updated", *FACTS)

PAGE = 100

MAX_BYTES = 500_000_000
"""Maximum size in bytes of a match file to import: enough for about 50,000 long matches."""

KEPT_SECONDS = 30 * DAY_SECONDS
KEPT_DELETIONS = 20
"""Number of latest deletions that stay in the trash after `KEPT_SECONDS`, in case the clock is wrong."""

SavedAs = tuple[int, int]

Words = Literal["settings", "state"]


@dataclass(frozen=True, slots=True)
class Saved:
    id: int
    revision: int
    record: MatchRecord
    updated: float
    """Time of the last change, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class PuzzleResult:
    game: str
    puzzle: str
    mode: str
    """The mode: daily, streak or practice. Older versions also saved "rush"."""
    day: str | None
    """Day of a daily puzzle, as YYYY-MM-DD in UTC; otherwise None."""
    grade: int
    solved: bool
    seconds: float
    updated: float


PUZZLE = tuple(field.name for field in fields(PuzzleResult))


def open_store(folder: Path | None = None, wait: Wait = wait_a_little) -> Store:
    """Open the data file in a folder (default: the data folder). See `Wait`, and `connect` for errors."""
    return Store(*connect(folder or data_folder(), wait), wait)


def _is_word(value: object) -> bool:
    return isinstance(value, str) and value.isprintable()


def _as_text(value: object) -> str:
    return decode(value) if isinstance(value, bytes) else str(value)


def _saved(id: int, revision: object, game: object, record: object, result: object, updated: object) -> Saved:
    if not isinstance(record, str):
        raise InputError("The saved match is damaged and cannot be read. Delete it, or import a copy.")
    read = MatchRecord.from_json(record)
    if (read.game, read.result) != (game, result):
        raise InputError("The saved match is damaged: its columns contradict it.")
    if not isinstance(revision, int) or not 0 < revision < 2**53:
        raise InputError(
            "The saved match is damaged: its revision is not a valid number. Delete it, or import a copy."
        )
    if not isinstance(updated, float) or not 0 <= updated <= LAST_SECOND:
        raise InputError(
            "The saved match is damaged: its time is not a valid number. Delete the match, or import a copy."
        )
    return Saved(id, revision, read, updated)


class SavedMatches(list[Saved]):
    """A list of saved matches, with the number of damaged ones that were left out."""

    def __init__(self, saved: Iterable[Saved] = (), unreadable: int = 0) -> None:
        super().__init__(saved)
        self.unreadable = unreadable


class Store(StoreFile):
    """The player's saved data. Its methods can raise StoreError. Times are in seconds since the epoch."""

    def save_match(
        self,
        record: MatchRecord,
        id: int | None = None,
        revision: int = 0,
        machines: Mapping[str, str] | None = None,
        when: float | None = None,
        origin: str | None = None,
    ) -> SavedAs:
        """Save a match and return its id and revision. A finished match is never overwritten.

        Args:
            id: the match to replace (default: save a new one)
            revision: the revision to replace; if another process has saved a later one, the match
                gets a new id
            machines: texts of machines to save with the match, by name
            when: the time of the match (default: now)
            origin: for an imported match, the result of `origin_of`
        """
        content = (
            record.game,
            record.to_json(),
            record.result,
            time.time() if when is None else when,
            *(value(record) for value in FACTS.values()),
        )
        with self.together() as connection:
            for name, machine in (machines or {}).items():
                self.save_machine(name, machine)
            written = None
            if id is not None:
                changed = connection.execute(
                    f"UPDATE matches SET revision = revision + 1, received = {SQL['next_received']},"
                    f" {' = ?, '.join(WRITTEN)} = ?"
                    " WHERE id = ? AND revision = ? AND result IS NULL",
                    (*content, id, revision),
                )
                written = (id, revision + 1) if changed.rowcount else None
            if written is None:
                row = connection.execute(
                    f"INSERT INTO matches (id, revision, received, origin, {', '.join(WRITTEN)})"
                    f" VALUES ({SQL['next_id']}, 1, {SQL['next_received']}, ?{', ?' * len(WRITTEN)})",
                    (origin, *content),
                )
                written = int(row.lastrowid or 0), 1
            if record.points is not None:
                self.save_best_score(record.start)
        return written

    def save_best_score(self, start: str, found: int | None = None) -> None:
        with self.together() as connection:
            points, best = connection.execute(SQL["known_best"], (start,)).fetchone()
            if points is not None and (best is not None or found is not None):
                known = max(each for each in (points, best, found) if each is not None)
                connection.execute(SQL["keep_best"], (known, start))

    def note_review(self, id: int, record: MatchRecord) -> None:
        """Save the marks and reasons of a match, unless the rest of its record has changed."""
        with self.together() as connection:
            row = connection.execute("SELECT record FROM matches WHERE id = ?", (id,)).fetchone()
            kept = MatchRecord.from_json(_as_text(row[0])) if row is not None else None
            found = {name: getattr(record, name) for name in ("marks", "rules", "reasons", "squares", "lost")}
            if kept is not None and replace(kept, **found) == record:
                connection.execute("UPDATE matches SET record = ? WHERE id = ?", (record.to_json(), id))

    def save_level_data(self, id: int, chances: str) -> None:
        """Save the level data of a match. `chances` is a text from `study.review.chances_text`."""
        self._write("UPDATE matches SET chances = ? WHERE id = ?", chances, id)

    def score(self, id: int, points: int) -> None:
        self._write("UPDATE matches SET points = ? WHERE id = ?", points, id)

    def has_finished(self, id: int, revision: int) -> bool:
        return bool(self._rows(SQL["has_finished"], id, revision))

    def has(self, record: MatchRecord, when: float | None) -> bool:
        """Return whether a match was already saved or imported. If `when` is given, its time must match."""
        # Match files round times to microseconds.
        time = (when, None, None) if when is None else (when, when - 1e-5, when + 1e-5)
        for (text,) in self._rows(SQL["has"], record.digest, *time, origin_of(record, when)):
            with suppress(InputError):
                MatchRecord.from_json(_as_text(text))
                return True
        return False

    def matches(self, limit: int = 20, wanted: Filter | None = None) -> SavedMatches:
        """Return the latest matches, up to `limit` (-1: all), without damaged ones."""
        saved: list[Saved] = []
        unreadable = 0
        where, values = ("1", []) if wanted is None else wanted.where()
        with self._reading() as connection:
            rows = connection.execute(
                f"{SQL['saved']} WHERE {where} ORDER BY received DESC", (MAX_LENGTH, *values)
            )
            for row in rows:
                try:
                    saved.append(_saved(*row))
                except InputError:
                    unreadable += 1
                if len(saved) == limit:
                    break
        return SavedMatches(saved, unreadable)

    def match(self, id: int) -> Saved:
        """Return a saved match. Raises InputError if it does not exist or is damaged."""
        rows = self._rows(f"{SQL['saved']} WHERE id = ?", MAX_LENGTH, id)
        if not rows:
            raise InputError(f"Unknown match {id}. Run arcade matches list to see the numbers.")
        return _saved(*rows[0])

    def listed(self, wanted: Filter, limit: int = -1, offset: int = 0) -> list[MatchSummary | None]:
        """Return up to `limit` summaries (-1: all), the latest first. For a damaged match, None is listed."""
        where, values = wanted.where()
        query = (
            f"SELECT {', '.join(SUMMARY)} FROM matches WHERE {where} ORDER BY received DESC LIMIT ? OFFSET ?"
        )
        return [MatchSummary.from_row(row) for row in self._rows(query, *values, limit, offset)]

    def each(self, wanted: Filter) -> Iterator[MatchSummary]:
        """Yield summaries, the latest first, without damaged matches."""
        for offset in count(0, PAGE):
            lines = self.listed(wanted, PAGE, offset)
            yield from filter(None, lines)
            if len(lines) < PAGE:
                return

    def count(self, wanted: Filter) -> int:
        where, values = wanted.where()
        ((number,),) = self._rows(f"SELECT count(*) FROM matches WHERE {where}", *values)
        return int(number)

    def finished(self) -> list[Finished]:
        """Return the finished matches of one human that count (`MatchRecord.counts`), the oldest first."""
        return list(map(Finished._make, self._rows(SQL["finished"])))

    def scores_alone(self, starts: Sequence[str]) -> dict[str, tuple[int, int | None]]:
        """Return the player's first solo score, and the best known score, for each start played alone."""
        marks = ", ".join("?" * len(starts))
        rows = self._rows(
            f"SELECT start, points, best FROM matches WHERE start IN ({marks}) AND points IS NOT NULL"
            f" AND seats = '{HUMAN}' AND counts = 1 ORDER BY received DESC",
            *starts,
        )
        return {
            start: (points, best)
            for start, points, best in rows
            if isinstance(points, int) and isinstance(best, int | None)
        }

    def check_matches(self, ids: Sequence[int]) -> None:
        """Raise InputError if a match does not exist. Damaged matches count as existing."""
        for id in ids:
            if not self._rows("SELECT 1 FROM matches WHERE id = ?", id):
                raise InputError(f"Unknown match {id}. Run arcade matches list to see the numbers.")

    def delete_matches(self, ids: Sequence[int]) -> None:
        """Move matches to the trash. If one of them does not exist, move none and raise InputError."""
        now = time.time()
        with self.together() as connection:
            self.check_matches(ids)
            ((deletion,),) = connection.execute("SELECT 1 + coalesce(max(deletion), 0) FROM trash")
            connection.execute(
                "DELETE FROM trash WHERE deleted < ? AND deletion <= ?",
                (now - KEPT_SECONDS, deletion - KEPT_DELETIONS),
            )
            for id in ids:
                connection.execute(
                    f"INSERT INTO trash ({ALL}, deleted, deletion)"
                    f" SELECT {ALL}, ?, ? FROM matches WHERE id = ?",
                    (now, deletion, id),
                )
                connection.execute("DELETE FROM matches WHERE id = ?", (id,))

    def restore_matches(self) -> int:
        latest = "deletion = (SELECT max(deletion) FROM trash)"
        with self.together() as connection:
            connection.execute(f"INSERT INTO matches ({ALL}) SELECT {ALL} FROM trash WHERE {latest}")
            return connection.execute(f"DELETE FROM trash WHERE {latest}").rowcount

    def unjudged(self, game: str, limit: int) -> list[int]:
        """Return the IDs of matches without level data among the last `limit` that can have level data.

        Only finished matches against engines, played without help, can have it.
        """
        return [id for (id,) in self._rows(SQL["unjudged"], game, limit)]

    def level_data(self, game: str, limit: int) -> list[tuple[str, float]]:
        """Return level data with times, from the last `limit` matches that can have it; see `unjudged`.

        The oldest match is first. Matches without level data are left out.
        """
        rows = self._rows(SQL["level_data"], game, limit)
        return [
            (chances, updated)
            for chances, updated in reversed(rows)
            if chances and _is_word(chances) and isinstance(updated, float)
        ]

    def beaten(self, game: str, perfect: str) -> set[tuple[str, str]]:
        """Return (board size, opponent) for all wins without help. A tie with `perfect` counts as a win."""
        return {(size, opponent) for size, opponent in self._rows(SQL["beaten"], game, perfect)}

    def unscored(self, game: str) -> list[int]:
        return [id for (id,) in self._rows(SQL["unscored"], game)]

    def win_loss_counts(self) -> dict[str, dict[str, int]]:
        counts: dict[str, dict[str, int]] = {}
        for game, person, result, number in self._rows(SQL["win_loss_counts"]):
            seen = Value(result) if person == 0 else Value(result).reversed
            row = counts.setdefault(_as_text(game), {"win": 0, "loss": 0, "tie": 0})
            row[seen] += number
        return counts

    def words(self, table: Words) -> dict[str, str]:
        rows = self._rows(f"SELECT name, value FROM {table}")
        return {name: value for name, value in rows if _is_word(name) and _is_word(value)}

    def set(self, name: str, value: str, table: Words = "settings") -> None:
        self._write(
            f"INSERT INTO {table} VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            name,
            value,
        )

    def save_machine(self, name: str, machine: str) -> None:
        self._write(SQL["keep_machine"], name, machine, time.time())

    def replace_machine(self, name: str, before: str | None, machine: str) -> None:
        """Save a machine in place of the text `before`, or as a new machine if `before` is None.

        Raises InputError if another process has changed or created the machine in the meantime.
        """
        with self.together():
            if self.machines(name).get(name) != before:
                raise InputError(
                    f"Another arcade has updated the machine {name}. Its version was kept, and recent "
                    "training in this arcade was lost."
                    if before is not None
                    else f"Another arcade has just created a machine {name}."
                )
            self.save_machine(name, machine)

    def machines(self, name: str | None = None) -> dict[str, str]:
        rows = self._rows(
            "SELECT name, machine FROM machines WHERE ? IS NULL OR name = ? ORDER BY name", name, name
        )
        return {name: _as_text(machine) for name, machine in rows if _is_word(name)}

    def machine_names(self) -> list[str]:
        return [name for (name,) in self._rows("SELECT name FROM machines ORDER BY name") if _is_word(name)]

    def delete_machine(self, name: str) -> None:
        """Delete a machine. Raises InputError if it does not exist."""
        if not self._write("DELETE FROM machines WHERE name = ?", name):
            known = ", ".join(self.machine_names()) or "none yet"
            raise InputError(f"Unknown machine {name!r}. Saved machines: {known}.")

    def add_puzzle(self, result: PuzzleResult) -> None:
        marks = ", ".join("?" * len(PUZZLE))
        self._write(f"INSERT INTO puzzles ({', '.join(PUZZLE)}) VALUES ({marks})", *astuple(result))

    def puzzles(self, game: str = "", mode: str = "", day: str = "") -> list[PuzzleResult]:
        """Return puzzle results, the oldest first, without damaged ones. An empty argument is ignored."""
        conditions = {"game": game, "mode": mode, "day": day}
        wanted = {name: value for name, value in conditions.items() if value}
        where = " AND ".join(f"{name} = ?" for name in wanted) or "1"
        query = f"SELECT {', '.join(PUZZLE)} FROM puzzles WHERE {where} ORDER BY id"
        results = []
        for row in self._rows(query, *wanted.values()):
            values = dict(zip(PUZZLE, row, strict=True))
            with suppress(InputError):
                results.append(convert(values | {"solved": values["solved"] == 1}, PuzzleResult))
        return results

    def save_tournament_match(self, tournament: str, number: int, record: MatchRecord) -> None:
        """Save a match of a tournament, unless one is already saved under this number."""
        self._write(
            "INSERT INTO bouts VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            *(tournament, number, record.to_json(), record.result, time.time()),
        )

    def tournament_matches(self, tournament: str) -> dict[int, MatchRecord]:
        """Return the matches of a tournament by number, without damaged ones."""
        rows = self._rows("SELECT number, record FROM bouts WHERE tournament = ? ORDER BY number", tournament)
        records = {}
        for number, text in rows:
            with suppress(InputError):
                records[number] = MatchRecord.from_json(_as_text(text))
        return records

    def tournaments(self) -> dict[str, int]:
        rows = self._rows(SQL["tournaments"])
        return {tournament: number for tournament, number in rows if _is_word(tournament)}


def origin_of(record: MatchRecord, when: float | None) -> str:
    """Return a text that identifies an imported match by its digest and, if known, its time."""
    return f"{record.digest} {when}"

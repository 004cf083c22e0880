"""What lasts: matches, settings and trained machines, in one SQLite file."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from arcade.engines.game import InputError

FILE_NAME = "arcade.sqlite"
APPLICATION_ID = 0x41524344
"""SQLite's application_id of our files, "ARCD" in ASCII: tells them from anybody else's."""
VERSION = 1
"""SQLite's user_version of our files, raised with every change of the tables."""

TABLES = """
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    revision INTEGER NOT NULL,
    game TEXT NOT NULL,
    record TEXT NOT NULL,
    result TEXT,
    updated REAL NOT NULL
);
CREATE INDEX matches_by_time ON matches (updated);
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE machines (name TEXT PRIMARY KEY, machine TEXT NOT NULL, updated REAL NOT NULL);
"""


class StoreError(InputError):
    """The store cannot be used: one sentence that names the file and what is wrong."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A match in the store."""

    id: int
    revision: int
    game: str
    record: dict[str, Any]
    """What `Match.record` wrote."""
    result: str | None
    """"win", "loss" or "tie" for the first seat; None while the match goes on."""
    updated: float
    """Seconds since the epoch."""


def data_folder() -> Path:
    """Where the store lives: the environment variable ARCADE_DATA, else the platform's folder."""
    named = os.environ.get("ARCADE_DATA")
    if named:
        return Path(named)
    import platformdirs

    return platformdirs.user_data_path("solver-arcade", appauthor=False)


def open_store(folder: Path | None = None) -> Store:
    """Open the store in a folder (by default `data_folder()`), making both when they are missing.

    Raises:
        StoreError: the file is damaged, not ours, or written by a newer version; it is left as it was.
    """
    path = (folder or data_folder()) / FILE_NAME
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = not path.exists() or path.stat().st_size == 0
        if not fresh:
            _check(path)
        connection = sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)
        try:
            if fresh:
                # Before WAL, so that the marks of our files stand in the file itself, where _check looks.
                _create(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            # NORMAL survives a killed process; only a power cut could lose the last move.
            connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
    except (OSError, sqlite3.Error) as error:
        # SQLite says no more than that it cannot open its file.
        barred = os.path.isdir(path.parent) and not os.access(path.parent, os.W_OK)
        reason = "nothing can be written to that folder" if barred else _said(error)
        raise StoreError(f"The saved games in {path} cannot be opened: {reason}.") from error
    return Store(connection, path)


def _said(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error).rstrip(".")


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    # Another arcade may have made the tables while this one waited for the lock.
    if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
        for statement in filter(str.strip, TABLES.split(";")):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _check(path: Path) -> None:
    """Look at an existing file without writing to it."""
    with path.open("rb") as file:
        header = file.read(100)
    if not header.startswith(b"SQLite format 3\0") or len(header) < 100:
        raise StoreError(f"{path} is no saved-games file of the arcade; it is left as it was.")
    # https://www.sqlite.org/fileformat.html: user_version at offset 60, application_id at 68, big-endian.
    version, application = (int.from_bytes(header[at : at + 4], "big") for at in (60, 68))
    if application != APPLICATION_ID:
        raise StoreError(f"{path} is another program's database; it is left as it was.")
    if version > VERSION:
        raise StoreError(
            f"{path} was written by a newer arcade (format {version}, this one reads {VERSION})."
        )
    # With nothing in a log beside the file, "immutable" keeps SQLite from making files of its own.
    mode = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "mode=ro&immutable=1"
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True, timeout=5)
    try:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        connection.execute(
            "SELECT id, revision, game, record, result, updated FROM matches LIMIT 1"
        ).fetchall()
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path} is damaged ({_said(error)}); it is left as it was.") from error
    finally:
        connection.close()
    if found != "ok":
        raise StoreError(f"{path} is damaged ({found.splitlines()[-1]}); it is left as it was.")


class Store:
    """The saved matches, settings and machines. Every method raises StoreError when the file fails."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self._connection = connection
        self._claim: sqlite3.Connection | None = None
        # One connection serves the threads, one transaction at a time.
        self._lock = threading.RLock()
        self.path = path
        """The file, or None when nothing will outlast this process."""

    @classmethod
    def in_memory(cls) -> Store:
        """A store that forgets everything when closed, for when the real one cannot be used."""
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        _create(connection)
        return cls(connection, None)

    def claim(self) -> bool:
        """Whether no other process has claimed this store; it is claimed until `close` or the process's end.

        The claim is a lock of SQLite's on an empty file beside the store, which the operating system
        drops however the process ends.
        """
        if self.path is None:
            return True
        try:
            self._claim = sqlite3.connect(
                self.path.with_suffix(".lock"), timeout=0, isolation_level=None, check_same_thread=False
            )
            self._claim.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            # Where a claim cannot be made at all, as on a full disk, nobody has made one.
            return getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY
        return True

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is read and written in this context is one transaction: no other arcade writes in between.

        Raises:
            StoreError: the file cannot be written; nothing of it is kept then.
        """
        with self._writing():
            yield

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._connection.in_transaction:
                # A part of what is done together.
                yield self._connection
                return
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self._connection
                    self._connection.execute("COMMIT")
                except BaseException:
                    # A full disk may have ended the transaction already.
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                raise StoreError(
                    f"{self.path or 'The store'} could not be written: {_said(error)}."
                ) from error

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        try:
            with self._lock:
                return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"{self.path or 'The store'} could not be read: {_said(error)}.") from error

    def save_match(
        self,
        record: dict[str, Any],
        id: int | None = None,
        revision: int = 0,
        machines: Mapping[str, str] | None = None,
    ) -> tuple[int, int]:
        """Write a match and commit it.

        Args:
            record: what `Match.record` wrote.
            id: the match that this continues, None for a new one.
            revision: the revision that the caller knows; when another arcade has written the match in the
                meantime, this one is saved beside it as a match of its own, so neither is lost.
            machines: machines that have learned from the match, as text by name; kept together with it.

        Returns:
            The id and revision to give the next time.
        """
        written = json.dumps(record)
        now = time.time()
        with self._writing() as connection:
            for name, machine in (machines or {}).items():
                self._keep_machine(connection, name, machine)
            if id is not None:
                changed = connection.execute(
                    "UPDATE matches SET revision = revision + 1, record = ?, result = ?, updated = ?"
                    " WHERE id = ? AND revision = ?",
                    (written, record["result"], now, id, revision),
                )
                if changed.rowcount:
                    return id, revision + 1
            row = connection.execute(
                "INSERT INTO matches (revision, game, record, result, updated) VALUES (1, ?, ?, ?, ?)",
                (record["game"], written, record["result"], now),
            )
            return int(row.lastrowid or 0), 1

    def matches(self, limit: int = 20) -> list[Saved]:
        """The matches played last, the newest first; rows that cannot be read are passed over."""
        rows = self._rows(
            "SELECT id, revision, game, record, result, updated FROM matches ORDER BY updated DESC LIMIT ?",
            limit,
        )
        saved = []
        for id, revision, game, record, result, updated in rows:
            try:
                read = json.loads(record)
            except ValueError:
                continue
            if isinstance(read, dict):
                saved.append(Saved(id, revision, game, read, result, updated))
        return saved

    def last_unfinished(self) -> Saved | None:
        """The match to continue: the newest one, if it is not over."""
        newest = self.matches(1)
        return newest[0] if newest and newest[0].result is None and newest[0].record.get("moves") else None

    def tally(self) -> dict[str, dict[str, int]]:
        """For each game how many finished matches a person won, lost and tied against an engine."""
        counts: dict[str, dict[str, int]] = {}
        for game, record, result in self._rows(
            "SELECT game, record, result FROM matches WHERE result IS NOT NULL"
        ):
            seats = json.loads(record).get("seats", [])
            if seats.count("human") != 1:
                continue
            seen = (
                result if seats[0] == "human" or result == "tie" else {"win": "loss", "loss": "win"}[result]
            )
            row = counts.setdefault(game, {"win": 0, "loss": 0, "tie": 0})
            row[seen] += 1
        return counts

    def settings(self) -> dict[str, str]:
        """All settings that were ever changed."""
        return dict(self._rows("SELECT name, value FROM settings"))

    def set(self, name: str, value: str) -> None:
        """Keep a setting."""
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                (name, value),
            )

    def save_machine(self, name: str, machine: str) -> None:
        """Keep a trained machine, as text, under its name."""
        with self._writing() as connection:
            self._keep_machine(connection, name, machine)

    def replace_machine(self, name: str, before: str | None, machine: str) -> None:
        """Keep a machine that was made from what was kept before, unless something else is kept by now.

        Args:
            name: of the machine.
            before: the text that it was made from; None when none was kept under the name.
            machine: its text.

        Raises:
            InputError: another arcade has changed or deleted it in the meantime, or made one of that name.
        """
        with self._writing() as connection:
            if self.machines(name).get(name) != before:
                raise InputError(
                    f"Another arcade has changed the machine {name} in the meantime; what it learned there "
                    "is kept, and what it learned here since then is not."
                    if before is not None
                    else f"There is a machine {name} already: another arcade has made it in the meantime."
                )
            self._keep_machine(connection, name, machine)

    @staticmethod
    def _keep_machine(connection: sqlite3.Connection, name: str, machine: str) -> None:
        connection.execute(
            "INSERT INTO machines VALUES (?, ?, ?) ON CONFLICT (name)"
            " DO UPDATE SET machine = excluded.machine, updated = excluded.updated",
            (name, machine, time.time()),
        )

    def load_machine(self, name: str) -> str:
        """The text that `save_machine` kept.

        Raises:
            InputError: there is no machine of that name.
        """
        rows = self._rows("SELECT machine FROM machines WHERE name = ?", name)
        if not rows:
            known = ", ".join(self.machine_names()) or "none yet"
            raise InputError(f"There is no machine {name!r}; the machines are: {known}.")
        return str(rows[0][0])

    def machines(self, name: str | None = None) -> dict[str, str]:
        """The texts of the machines by name, in alphabetical order; with `name` of this one at most."""
        return dict(
            self._rows(
                "SELECT name, machine FROM machines WHERE ? IS NULL OR name = ? ORDER BY name", name, name
            )
        )

    def machine_names(self) -> list[str]:
        """The names of all machines, in alphabetical order."""
        return [row[0] for row in self._rows("SELECT name FROM machines ORDER BY name")]

    def delete_machine(self, name: str) -> None:
        """Forget a machine.

        Raises:
            InputError: there is no machine of that name.
        """
        self.load_machine(name)
        with self._writing() as connection:
            connection.execute("DELETE FROM machines WHERE name = ?", (name,))

    def close(self) -> None:
        """Close the file and drop the claim."""
        self._connection.close()
        if self._claim is not None:
            self._claim.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

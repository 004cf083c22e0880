"""The file of the store: its tables, opening, checking and migration."""

import os
import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self

from arcade.engines.files import InputError, package_text
from arcade.engines.wording import printable
from arcade.match.record import MatchRecord
from arcade.store.queries import FACTS

FILE_NAME = "arcade.sqlite"
APPLICATION_ID = 0x41524344
"""SQLite's application_id of our files, "ARCD" in ASCII, which identifies them."""
VERSION = 4
"""SQLite's user_version of our files, raised with each change of the tables."""

ALL = (
    f"id, revision, game, record, result, updated, {', '.join(FACTS)},"
    " best, sees, sees_low, sees_high, chances, received, origin"
)

AT_ONCE = 1000
"""How many records are in memory at once during a migration."""

LARGEST_CHECKED = 16_000_000
"""Files up to this many bytes are checked completely when opened, in 20 ms. In larger files, damage is found
when the damaged part is read."""

FAILURES = (sqlite3.Error, UnicodeDecodeError)
"""Exceptions of SQLite; the second comes when its message quotes damaged text."""


class StoreError(InputError):
    """The store cannot be used; the message names the file and the problem."""


def connect(folder: Path) -> tuple[sqlite3.Connection, Path]:
    """Open the store's file in a folder, creating both if missing, and migrate it from an older version.

    A backup of the older version stays beside it. A file that is damaged, not ours, or from a newer version
    raises a StoreError and stays unchanged.
    """
    path = folder / FILE_NAME
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = not _holds_store(path)
        connection = sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)
        try:
            if fresh:
                # Before WAL, so that our ids are in the file itself, where _holds_store looks.
                create(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            # NORMAL survives a killed process; only a power failure could lose the last move.
            connection.execute("PRAGMA synchronous = NORMAL")
            _migrate(connection, path)
        except BaseException:
            connection.close()
            raise
    except (OSError, *FAILURES) as error:
        # SQLite only says that it cannot open its file.
        barred = os.path.isdir(path.parent) and not os.access(path.parent, os.W_OK)
        reason = "that folder is not writable" if barred else _said(error)
        raise StoreError(f"The saved games in {path} cannot be opened: {reason}.") from error
    return connection, path


def _said(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, UnicodeDecodeError):
        return "unreadable text"
    return printable(str(error)).rstrip(".")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _steps(after: int = 0, upto: int = VERSION) -> str:
    """The SQL that takes the tables from one version to another; version 0 has none."""
    versions = re.split(r"-- version \d+\n", package_text(__package__, "tables.sql"))
    return "".join(versions[1:][after:upto])


def _run(connection: sqlite3.Connection, statements: str) -> None:
    for statement in filter(str.strip, statements.split(";")):
        connection.execute(statement)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction: everything written in this context is saved, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A full disk may already have ended the transaction.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _tables(version: int) -> dict[str, str]:
    """The columns of each table of a version."""
    with closing(sqlite3.connect(":memory:")) as empty:
        _run(empty, _steps(0, version))
        names = [name for (name,) in empty.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {
            name: ", ".join(column for _, column, *_ in empty.execute(f"PRAGMA table_info({name})"))
            for name in names
        }


def create(connection: sqlite3.Connection) -> None:
    """Create the tables in an empty file, unless another arcade does so meanwhile."""
    with _transaction(connection):
        # Another arcade may have created the tables while this one waited for the lock.
        if _version(connection) == 0:
            _run(connection, _steps())
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    if _version(connection) == VERSION:
        return
    with _transaction(connection):
        # Another arcade may have migrated them while this one waited for the lock.
        before = _version(connection)
        if before < VERSION:
            _back_up(path, before)
            _run(connection, _steps(before))
            for table in ("matches", "trash"):
                _fill_in(connection, table)
            connection.execute(f"PRAGMA user_version = {VERSION}")


def _fill_in(connection: sqlite3.Connection, table: str) -> None:
    """Fill in what the records say; of damaged ones the columns stay empty."""
    last = -1
    filled = ", ".join(f"{name} = ?" for name in FACTS)
    # As a blob, because a damaged text would abort the statement.
    query = f"SELECT id, CAST(record AS BLOB) FROM {table} WHERE id > ? ORDER BY id LIMIT {AT_ONCE}"
    while rows := connection.execute(query, (last,)).fetchall():
        last = rows[-1][0]
        for id, record in rows:
            try:
                read = MatchRecord.from_json(decode(record))
            except InputError:
                continue
            values = [value(read) for value in FACTS.values()]
            connection.execute(f"UPDATE {table} SET {filled} WHERE id = ?", (*values, id))


def _back_up(path: Path, version: int) -> None:
    """Back up a store of an older version beside itself; the copy is complete or absent."""
    part = path.with_name(f"{path.name}.version-{version}.part")
    part.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as copy:
        source.backup(copy)
    part.replace(part.with_suffix(""))


def decode(raw: bytes) -> str:
    """Decode text from the file; an invalid byte becomes a surrogate, which every check refuses."""
    return raw.decode("utf-8", "surrogateescape")


def _holds_store(path: Path) -> bool:
    """Whether a file holds a store; the check changes nothing. StoreError: it is another one, or damaged."""
    if not path.exists() or path.stat().st_size == 0:
        return False
    with path.open("rb") as file:
        header = file.read(100)
    if not header.startswith(b"SQLite format 3\0") or len(header) < 100:
        raise StoreError(f"{path} is not a saved-games file of the arcade; it stays unchanged.")
    # https://www.sqlite.org/fileformat.html: user_version at offset 60, application_id at 68, big-endian.
    version, application = (int.from_bytes(header[at : at + 4], "big") for at in (60, 68))
    if application != APPLICATION_ID:
        raise StoreError(f"{path} is another program's database; it stays unchanged.")
    if version > VERSION:
        raise StoreError(f"{path} was written by a newer arcade (format {version}; this reads {VERSION}).")
    if version == 0:
        raise StoreError(f"{path} is damaged (its format is 0); it stays unchanged.")
    if path.with_name(f"{path.name}-journal").exists():
        # An arcade was killed while it created the file. SQLite rolls back.
        with closing(sqlite3.connect(path, timeout=5)) as connection:
            _version(connection)
        if path.stat().st_size == 0:
            return False
    # Without a log beside the file, "immutable" keeps SQLite from creating extra files.
    mode = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "mode=ro&immutable=1"
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True, timeout=5)
    try:
        for table, columns in _tables(version).items():
            connection.execute(f"SELECT {columns} FROM {table} LIMIT 0")
        small = path.stat().st_size <= LARGEST_CHECKED
        found = connection.execute("PRAGMA quick_check").fetchall() if small else []
    except FAILURES as error:
        raise StoreError(f"{path} is damaged ({_said(error)}); it stays unchanged.") from error
    finally:
        connection.close()
    for (fault,) in found:
        # Wrong values, such as "TEXT value in matches.updated", are caught when rows are read.
        if fault != "ok" and " value in " not in fault:
            raise StoreError(f"{path} is damaged ({printable(fault.splitlines()[-1])}); it stays unchanged.")
    return True


class StoreFile:
    """The open file, shared by threads. Every method raises StoreError when the file fails."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        connection.text_factory = decode
        self._connection = connection
        self._claim: sqlite3.Connection | None = None
        # The threads share one connection, one transaction at a time.
        self._lock = threading.RLock()
        self.path = path
        """The file, or None for a store in memory."""

    @classmethod
    def in_memory(cls) -> Self:
        """A store in memory, for when the real one cannot be used."""
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        create(connection)
        return cls(connection, None)

    def claim(self) -> bool:
        """Claim the store until this process ends, by an SQLite lock; False if another has it."""
        if self.path is None:
            return True
        try:
            self._claim = sqlite3.connect(
                self.path.with_suffix(".lock"), timeout=0, isolation_level=None, check_same_thread=False
            )
            self._claim.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            # If claiming is impossible, as on a full disk, nobody else has claimed it either.
            return getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY
        return True

    @contextmanager
    def together(self) -> Iterator[sqlite3.Connection]:
        """A transaction for reading and writing: no other arcade writes in between, and it is saved whole."""
        with self._lock:
            if self._connection.in_transaction:
                # Part of an outer transaction.
                yield self._connection
                return
            if self.path is not None and not self.path.exists():
                raise StoreError(f"{self.path} was removed. Start the arcade again to save matches.")
            try:
                with _transaction(self._connection):
                    yield self._connection
            except FAILURES as error:
                raise StoreError(
                    f"{self.path or 'The store'} could not be written: {_said(error)}."
                ) from error

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock:
                yield self._connection
        except FAILURES as error:
            raise StoreError(f"{self.path or 'The store'} could not be read: {_said(error)}.") from error

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._reading() as connection:
            return connection.execute(query, values).fetchall()

    def _write(self, statement: str, *values: Any) -> int:
        """How many rows it changed."""
        with self.together() as connection:
            return connection.execute(statement, values).rowcount

    def close(self) -> None:
        self._connection.close()
        if self._claim is not None:
            self._claim.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

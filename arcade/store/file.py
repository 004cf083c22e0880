"""Open, check and migrate the data file."""

import os
import re
import shutil
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

from arcade.engines.files import InputError, package_text
from arcade.engines.wording import printable
from arcade.store.queries import FACTS
from arcade.store.record import MatchRecord

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

T = TypeVar("T")

Wait = Callable[[float], bool]
"""Function that receives the seconds spent waiting for a lock so far, and returns False to give up."""

FILE_NAME = "arcade.sqlite"
APPLICATION_ID = 0x41524344
"""ID that marks a data file of the arcade: "ARCD" in ASCII."""
VERSION = 4
"""Version of the tables (SQLite's user_version). Each change to the tables increases it by 1."""

ALL = (
    f"id, revision, game, record, result, updated, {', '.join(FACTS)},"
    " best, sees, sees_low, sees_high, chances, received, origin"
)

AT_ONCE = 1000

MAX_CHECKED_BYTES = 16_000_000
"""Maximum size in bytes of a file that is checked for damage on opening. Such a check takes 20 ms."""

FAILURES = (sqlite3.Error, UnicodeDecodeError)
"""Exceptions from SQLite. UnicodeDecodeError is raised if an error message quotes damaged text."""

LOCK_SECONDS = 0.02
"""Seconds that SQLite waits for a lock: enough for another arcade to save a move, too few to notice."""

PATIENCE_SECONDS = 5.0

POLL_SECONDS = 0.02

LOCKED = "another program has locked the file"

ELSEWHERE = "To use another folder, give --data or set ARCADE_DATA."

NO_LOCKS = "its file system cannot lock files; choose another folder with --data or ARCADE_DATA"


class StoreError(InputError):
    """Raised if the data file cannot be used. The message names the file and the problem."""


class StoreLockedError(StoreError):
    """Raised if another program has locked the data file. A later attempt may succeed."""


def wait_a_little(seconds: float) -> bool:
    return seconds < PATIENCE_SECONDS


def connect(folder: Path, wait: Wait = wait_a_little) -> tuple[sqlite3.Connection, Path]:
    """Open the data file in a folder. Return the connection and the path of the file.

    Creates or migrates the file if necessary; a migration keeps a backup of the old file. Raises StoreError,
    and leaves the file unchanged, if it is damaged, has a newer format or belongs to another program.
    """
    path = folder / FILE_NAME

    def wait_for_lock(seconds: float) -> bool:
        # Without locks in the file system, SQLite reports another program's lock.
        return _can_lock(folder) and wait(seconds)

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = not _patiently(lambda: _holds_store(path), wait_for_lock)
        connection = _open(path)
        try:
            if fresh:
                # Before WAL, so that the file itself has the ids that _holds_store reads.
                create(connection, wait_for_lock)
            if not _patiently(lambda: _log_ahead(connection), wait_for_lock):
                connection.close()
                connection = _patiently(lambda: _without_log(path), wait_for_lock)
            _migrate(connection, path, wait_for_lock)
        except BaseException:
            connection.close()
            raise
    except (OSError, *FAILURES) as error:
        barred = os.path.isdir(path.parent) and not os.access(path.parent, os.W_OK)
        reason = "that folder is not writable" if barred else _said(error)
        if (
            not barred
            and _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_IOERR)
            and not _can_lock(folder)
        ):
            raise StoreError(f"Cannot open the data file {path}: {NO_LOCKS}.") from error
        kind = StoreLockedError if _is_locked(error) else StoreError
        raise kind(f"Cannot open the data file {path}: {reason}.") from error
    return connection, path


def _hold_stop() -> set[int]:
    """Block Ctrl+Z, because a suspended process would keep the file locked. Return the old signal mask."""
    if sys.platform == "win32" or not hasattr(signal, "pthread_sigmask"):
        return set()
    return {*signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTSTP})}


def _release_stop(signals: set[int]) -> None:
    if sys.platform != "win32" and hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_SETMASK, signals)


@contextmanager
def _unstopped() -> Iterator[None]:
    signals = _hold_stop()
    try:
        yield
    finally:
        _release_stop(signals)


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=LOCK_SECONDS, isolation_level=None, check_same_thread=False)


@_unstopped()
def _log_ahead(connection: sqlite3.Connection) -> bool:
    """Switch to write-ahead logging. Return False if shared memory does not work, as on network drives."""
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()
    except sqlite3.OperationalError as error:
        if _code(error) in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR):
            return False
        raise
    # NORMAL survives a killed process; only a power failure could lose the last move.
    connection.execute("PRAGMA synchronous = NORMAL")
    return True


@_unstopped()
def _without_log(path: Path) -> sqlite3.Connection:
    """Open the file with SQLite's rollback journal. A leftover write-ahead log is merged into the file."""
    connection = _open(path)
    try:
        # Without shared memory, only a process with exclusive access can read a log.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA locking_mode = NORMAL")
        connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


def _can_lock(folder: Path) -> bool:
    """Return whether the folder's file system can lock files. If this is unknown, return True."""
    if sys.platform == "win32" or fcntl is None:
        return True
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return False
    except OSError:
        pass
    return True


def _code(error: Exception) -> int | None:
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _is_locked(error: Exception) -> bool:
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _patiently(attempt: Callable[[], T], wait: Wait) -> T:
    begun = time.monotonic()
    while True:
        try:
            return attempt()
        except sqlite3.OperationalError as error:
            if not _is_locked(error) or not wait(time.monotonic() - begun):
                raise
        time.sleep(POLL_SECONDS)


def _said(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, UnicodeDecodeError):
        return "unreadable text"
    if _is_locked(error):
        return LOCKED
    return printable(str(error)).rstrip(".")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _steps(after: int = 0, upto: int = VERSION) -> str:
    versions = re.split(r"-- version \d+\n", package_text(__package__, "tables.sql"))
    return "".join(versions[1:][after:upto])


def _run(connection: sqlite3.Connection, statements: str) -> None:
    for statement in filter(str.strip, statements.split(";")):
        connection.execute(statement)


@contextmanager
def _transaction(connection: sqlite3.Connection, wait: Wait) -> Iterator[None]:

    def begin() -> set[int]:
        signals = _hold_stop()
        try:
            connection.execute("BEGIN IMMEDIATE")
        except BaseException:
            _release_stop(signals)
            raise
        return signals

    signals = _patiently(begin, wait)
    try:
        yield
        # With the older journal, a commit may wait for a reader.
        _patiently(lambda: connection.execute("COMMIT"), wait)
    except BaseException:
        # A full disk may already have ended the transaction.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    finally:
        _release_stop(signals)


def _tables(version: int) -> dict[str, str]:
    with closing(sqlite3.connect(":memory:")) as empty:
        _run(empty, _steps(0, version))
        names = [name for (name,) in empty.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {
            name: ", ".join(column for _, column, *_ in empty.execute(f"PRAGMA table_info({name})"))
            for name in names
        }


def create(connection: sqlite3.Connection, wait: Wait = wait_a_little) -> None:
    with _transaction(connection, wait):
        # Another process may have created the tables first.
        if _version(connection) == 0:
            _run(connection, _steps())
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")


def _migrate(connection: sqlite3.Connection, path: Path, wait: Wait) -> None:
    if _version(connection) == VERSION:
        return
    with _transaction(connection, wait):
        before = _version(connection)
        if before < VERSION:
            _back_up(path, before)
            _run(connection, _steps(before))
            for table in ("matches", "trash"):
                _fill_in(connection, table)
            connection.execute(f"PRAGMA user_version = {VERSION}")


def _fill_in(connection: sqlite3.Connection, table: str) -> None:
    """Fill the columns that are copied from records. For a damaged record, the columns stay empty."""
    last = -1
    filled = ", ".join(f"{name} = coalesce(?, {name})" for name in FACTS)
    # Damaged text would abort the statement, so read a blob.
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
    """Copy the file to a backup, completely or not at all."""
    part = path.with_name(f"{path.name}.version-{version}.part")
    part.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(part)) as copy:
        source.backup(copy)
    part.replace(part.with_suffix(""))


def decode(raw: bytes) -> str:
    """Decode UTF-8. An invalid byte becomes a surrogate, so that later checks reject the text."""
    return raw.decode("utf-8", "surrogateescape")


@_unstopped()
def _holds_store(path: Path) -> bool:
    """Return whether there is a data file, without changing it. An empty file counts as none.

    Raises StoreError if the file is damaged, has a newer format or belongs to another program.
    """
    if not path.exists() or path.stat().st_size == 0:
        return False
    with path.open("rb") as file:
        header = file.read(100)
    if not header.startswith(b"SQLite format 3\0") or len(header) < 100:
        raise StoreError(f"{path} is not a data file of the arcade and was not changed. {ELSEWHERE}")
    # https://www.sqlite.org/fileformat.html: user_version at offset 60, application_id at 68, big-endian.
    version, application = (int.from_bytes(header[at : at + 4], "big") for at in (60, 68))
    if application != APPLICATION_ID:
        raise StoreError(f"{path} is another program's database and was not changed. {ELSEWHERE}")
    if version > VERSION:
        raise StoreError(
            f"{path} was written by a newer arcade (format {version}; this one reads {VERSION}). "
            f"Update solver-arcade. {ELSEWHERE}"
        )
    if version == 0:
        raise StoreError(f"{path} is damaged (its format is 0) and was not changed. {ELSEWHERE}")
    if path.with_name(f"{path.name}-journal").exists():
        # SQLite rolls back what a killed process began to create.
        with closing(_open(path)) as connection:
            _version(connection)
        if path.stat().st_size == 0:
            return False
    log = path.with_name(f"{path.name}-wal")
    try:
        try:
            fault = _fault(path, version, "" if log.exists() else "&immutable=1")
        except sqlite3.OperationalError as error:
            if not log.exists() or _code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR):
                raise
            # The log's shared memory does not work here, so check a copy elsewhere.
            with tempfile.TemporaryDirectory() as folder:
                for part in (path, log):
                    shutil.copy(part, folder)
                fault = _fault(Path(folder, path.name), version)
    except FAILURES as error:
        if _code(error) not in (None, *DAMAGE):
            raise
        fault = _said(error)
    if fault:
        raise StoreError(f"{path} is damaged ({fault}) and was not changed. {ELSEWHERE}")
    return True


DAMAGE = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT)
"""Error codes that mean damage. SQLITE_ERROR occurs if tables or columns are missing."""


def _fault(path: Path, version: int, mode: str = "") -> str:
    """Describe the damage that SQLite finds, or return "". The mode "&immutable=1" creates no files."""
    uri = f"{path.resolve().as_uri()}?mode=ro{mode}"
    with closing(sqlite3.connect(uri, uri=True, timeout=LOCK_SECONDS)) as connection:
        for table, columns in _tables(version).items():
            connection.execute(f"SELECT {columns} FROM {table} LIMIT 0")
        small = path.stat().st_size <= MAX_CHECKED_BYTES
        found = connection.execute("PRAGMA quick_check").fetchall() if small else []
    for (fault,) in found:
        if fault != "ok" and " value in " not in fault:
            return printable(fault.splitlines()[-1])
    return ""


class StoreFile:
    """The open data file, which threads can share. Its methods can raise StoreError.

    If the file is locked, a method waits until `wait` returns False, and then raises StoreLockedError.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path | None, wait: Wait = wait_a_little) -> None:
        connection.text_factory = decode
        self._connection = connection
        self._wait = wait
        self._claim: sqlite3.Connection | None = None
        self._lock = threading.RLock()
        self.path = path
        """Path of the data file, or None for a store in memory."""

    @classmethod
    def in_memory(cls) -> Self:
        """Return a store in memory, for use in place of a data file."""
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        create(connection)
        return cls(connection, None)

    def claim(self) -> bool:
        """Claim the file for this process. Return False if another process has claimed it."""
        if self.path is None:
            return True
        try:
            self._claim = sqlite3.connect(
                self.path.with_suffix(".lock"), timeout=0, isolation_level=None, check_same_thread=False
            )
            self._claim.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            # Then no other process has claimed it either.
            return getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY
        return True

    @contextmanager
    def together(self) -> Iterator[sqlite3.Connection]:
        """Combine all writes of the body into one transaction."""
        with self._lock:
            if self._connection.in_transaction:
                yield self._connection
                return
            if self.path is not None and not self.path.exists():
                raise StoreError(f"{self.path} was removed. Start the arcade again to save matches.")
            try:
                with _transaction(self._connection, self._wait):
                    yield self._connection
            except FAILURES as error:
                raise self._failed("written", error) from error

    def _failed(self, what: str, error: Exception) -> StoreError:
        kind = StoreLockedError if _is_locked(error) else StoreError
        return kind(f"{self.path or 'The store'} could not be {what}: {_said(error)}.")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock:
                yield self._connection
        except FAILURES as error:
            raise self._failed("read", error) from error

    def _rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._reading() as connection:
            return _patiently(lambda: connection.execute(query, values).fetchall(), self._wait)

    def _write(self, statement: str, *values: Any) -> int:
        with self.together() as connection:
            return connection.execute(statement, values).rowcount

    @_unstopped()
    def close(self) -> None:
        # SQLite crashes if closed during another thread's query.
        with self._lock:
            self._connection.close()
        if self._claim is not None:
            self._claim.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

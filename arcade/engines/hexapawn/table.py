"""The scores of the search in plies and as verdicts, and its tables: in memory, where they grow, or in files.

`kernel` explains scores and entries; what is here of them are the same rules for Python.
"""

import ctypes
import hashlib
import json
import mmap
import os
import shutil
import signal
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.engines.control import Control
from arcade.engines.files import InputError, check_writable, named_path
from arcade.engines.hexapawn.book import book, fill
from arcade.engines.hexapawn.kernel import GROWTH_BITS, add_up, copy_buckets
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.verdict import DuelVerdict, Proof, Value

LOWEST, HIGHEST = 0, 255
WON = 128

LINE = 64
"""Bytes of a bucket of four entries, and of a cache line."""
LEAST_BITS, MOST_BITS = 16, 24
"""Bits of the bucket's number: from 4 MiB up to 1 GiB. `kernel` needs at least 16."""
BOOK_BITS = 20
"""Those of a new table of a board that has a book: 64 MiB, so that the entries' effort has its bits."""
OTHERS = 256 << 20
"""Most bytes of all tables other than the one used last."""
_COPIED_AT_ONCE = 1 << 13
"""Buckets copied between two checks of the control: 2 MiB of new memory, at most some 10 ms."""

HEAD = 4096
FORMAT = "hexapawn table 3"
MOST_PARTS = 1 << 14
"""Parts of a large table, each with a sum; the sums of a thread fit into a processor's cache."""
BUCKETS = 16
"""Buckets of a part, at least."""
THREADS = 64
"""Most threads that use one file."""
FREE = 0.1
"""The share of the free space of a disk that a new file leaves alone."""
_CHECKED_AT_ONCE = 16 << 20
"""Bytes checked between two looks at the control: some milliseconds, or as long as the disk takes."""
_MOST_FAULTS = 100
"""Failed accesses to a file of the right length, after which its disk must be full or broken."""


def plies_of(score: int, misere: bool) -> int:
    return 2 * (HIGHEST - score) + 1 - misere if score >= WON else 2 * score + misere


def score_after(score: int, misere: bool) -> int:
    """The other side's score after a move that gives the mover this score."""
    return HIGHEST + (score < WON) - misere - score


def verdict_of(low: int, high: int, misere: bool, room: int) -> DuelVerdict:
    """The verdict of a position whose score is proved to be `low` to `high`, with room for so many plies.

    EXACT if the limits are equal, UNKNOWN if nothing is proved. Else BOUND: `value` if the winner is proved;
    `at_least` and, with a value, `at_most` plies to the end under best play.
    """
    if (low, high) == (LOWEST, HIGHEST):
        return DuelVerdict()
    least, most = sorted((plies_of(low, misere), plies_of(high, misere)))
    if low < WON <= high:
        return DuelVerdict(Proof.BOUND, at_least=least)
    value = Value.WIN if low >= WON else Value.LOSS
    if low == high:
        return DuelVerdict(Proof.EXACT, value, least)
    return DuelVerdict(Proof.BOUND, value, at_least=least, at_most=min(most, room))


def limits_of(verdict: DuelVerdict) -> tuple[int, int]:
    """The lowest and highest score of a verdict of the plain game: the inverse of `verdict_of`."""
    least, most = (verdict.limits()[name] for name in ("at_least", "at_most"))
    if verdict.value is Value.WIN:
        return HIGHEST - (most - 1) // 2, HIGHEST - (least - 1) // 2
    return least // 2, most // 2


class HexapawnTable:
    """A transposition table that threads share; in a file it has sums, a row for each thread."""

    def __init__(
        self,
        words: NDArray[np.uint64],
        bucket_bits: int = LEAST_BITS,
        grows: bool = True,
        sums: NDArray[np.uint64] | None = None,
    ) -> None:
        self.words = words
        self.sums = sums
        self.bucket_bits = bucket_bits
        self.used = 0
        self._larger: NDArray[np.uint64] | None = None
        self._copied = 0
        self._grows = grows
        self._changed = threading.Condition()
        self._users = 0
        self._growing = False

    @property
    def memory(self) -> int:
        return self.words.nbytes + (0 if self._larger is None else self._larger.nbytes)

    @contextmanager
    def turn(self, control: Control) -> Iterator[bool]:
        """Use the table, with room to write; False if stopped. It grows when no thread uses it."""
        came = self._come(control)
        try:
            yield came
        finally:
            if came:
                with self._changed:
                    self._users -= 1
                    self._changed.notify_all()

    def count(self, stored: int) -> None:
        with self._changed:
            self.used += stored

    def _come(self, control: Control) -> bool:
        with self._changed:
            while self._growing or (self._full and self._users):
                if control.stopped:
                    return False
                self._changed.wait(0.05)
            if not self._full:
                self._users += 1
                return True
            self._growing = True
        grown = self._make_room(control)
        with self._changed:
            self._growing = False
            self._users += grown
            self._changed.notify_all()
        return grown

    @property
    def _full(self) -> bool:
        """Whether three quarters are used, and it may grow."""
        return self._grows and self.bucket_bits < MOST_BITS and self.used > 3 << self.bucket_bits

    def _make_room(self, control: Control) -> bool:
        """Grow fourfold until there is room; False if stopped, and then the next turn continues."""
        while self._full:
            if self._larger is None:
                self._larger = _unset_words(self.bucket_bits + GROWTH_BITS)
                self._copied = 0
            while self._copied < 1 << self.bucket_bits:
                if control.stopped:
                    return False
                end = self._copied + _COPIED_AT_ONCE
                copy_buckets(self.words, self._larger, self.bucket_bits, self._copied, end)
                self._copied = end
            self.words, self._larger = self._larger, None
            self.bucket_bits += GROWTH_BITS
        return True


def empty_words(bucket_bits: int = LEAST_BITS) -> NDArray[np.uint64]:
    """An empty table with its memory already allocated."""
    words = _unset_words(bucket_bits)
    words[:] = 0
    return words


def _unset_words(bucket_bits: int) -> NDArray[np.uint64]:
    """Uninitialised words for a table, aligned so that each bucket is one cache line."""
    whole = np.empty((LINE << bucket_bits) // 8 + LINE // 8, np.uint64)
    skip = -whole.ctypes.data % LINE // 8
    return whole[skip : skip + (8 << bucket_bits)]


def warm_tables() -> None:
    copy_buckets(np.zeros(8, np.uint64), np.zeros(8 << GROWTH_BITS, np.uint64), LEAST_BITS, 0, 1)


class Tables:
    """The tables in use; the least recently used go beyond `OTHERS`. `books`: fill in boards' books."""

    def __init__(self, books: bool = False) -> None:
        self._books = books
        self._tables: OrderedDict[tuple[int, int, bool, bool], HexapawnTable] = OrderedDict()
        self._changing = threading.Lock()

    def of(self, board: PawnPosition) -> HexapawnTable:
        key = board.rows, board.columns, board.misere, board.capture
        with self._changing:
            table = self._tables.get(key)
            if table is None:
                table = self._tables[key] = self._new(board)
            self._tables.move_to_end(key)
            while sum(other.memory for other in self._tables.values()) - table.memory > OTHERS:
                self._tables.popitem(last=False)
            return table

    def _new(self, board: PawnPosition) -> HexapawnTable:
        entries = None
        if self._books and not board.variants():
            with suppress(InputError):
                entries = book(board.size)
        if entries is None:
            return HexapawnTable(empty_words())
        table = HexapawnTable(empty_words(BOOK_BITS), BOOK_BITS)
        table.count(int((fill(table.words, BOOK_BITS, entries) >= 0).sum()))
        return table


class TableFile:
    """A table in a file, for one position and one user; raises InputError if it cannot be used."""

    def __init__(self, name: str, board: PawnPosition, bucket_bits: int) -> None:
        self._name = name
        self._cut = False
        self._faults = 0
        self.emptied = 0
        """The parts that were emptied because they did not match their checksums."""
        self.share_checked = 1.0
        self._about: dict[str, Any] = {
            "format": FORMAT,
            "position": board.text(),
            "bucket_bits": bucket_bits,
            "low": LOWEST,
            "high": HIGHEST,
            "positions": 0,
            "seconds": 0.0,
            "saved": 0,
        }
        check_writable(name)
        path = Path(os.path.realpath(named_path(name)))
        if path.exists() and not path.is_file():
            raise InputError(f"The file {name!r} cannot be used as a table: it is not a regular file.")
        try:
            self._file = path.open("r+b" if path.exists() else "x+b", buffering=0)
            self._lock()
            self._new = os.fstat(self._file.fileno()).st_size == 0
            if self._new:
                self._make(path)
            self._file.seek(0)
            self._about = self._newest(self._file.read(HEAD), os.fstat(self._file.fileno()).st_size)
            mapped = mmap.mmap(self._file.fileno(), 0)
        except OSError as error:
            raise InputError(f"The file {name!r} cannot be used as a table: {error.strerror}.") from None
        bits = int(self._about["bucket_bits"])
        self.parts = _parts(bits)
        self._sums = np.frombuffer(mapped, np.uint64, THREADS * self.parts, HEAD).reshape(THREADS, -1)
        words = np.frombuffer(mapped, np.uint64, offset=HEAD + self._sums.nbytes)
        self.table = HexapawnTable(words, bits, grows=False, sums=self._sums)

    def _lock(self) -> None:
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InputError(f"Another search is using the table in {self._name!r}.") from None

    def _make(self, path: Path) -> None:
        try:
            size, free = _size(self._about["bucket_bits"]), shutil.disk_usage(path.parent).free
            if size > (1 - FREE) * free:
                raise InputError(
                    f"The table in {self._name!r} would take {size / 1e6:,.0f} MB, and its disk has "
                    f"{free / 1e6:,.0f} MB free, of which a tenth stays free. Choose a smaller table."
                )
            # Room on the disk for all of it now, where the system can: no page of it can fail later.
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(self._file.fileno(), 0, size)
            else:
                os.ftruncate(self._file.fileno(), size)
            self._write_head()
        except BaseException:
            self._file.close()
            path.unlink()
            raise

    def _newest(self, head: bytes, size: int) -> dict[str, Any]:
        lines = [_parsed(head[at : at + HEAD // 2], size) for at in (0, HEAD // 2)]
        newest = max(filter(None, lines), key=lambda about: int(about["saved"]), default=None)
        if newest is None:
            raise InputError(
                f"The file {self._name!r} is not a table of Hexapawn, or it is old or damaged; "
                "name a new file, or delete it."
            )
        if newest["position"] != self._about["position"]:
            raise InputError(f"The table in {self._name!r} is for another position, {newest['position']}.")
        return newest

    def _write_head(self) -> None:
        text = json.dumps(self._about).encode()
        line = hashlib.sha256(text).hexdigest().encode() + b" " + text
        self._file.seek(self._about["saved"] % 2 * (HEAD // 2))
        self._file.write(line.ljust(HEAD // 2, b"\0"))

    @property
    def proved(self) -> tuple[int, int, int, float]:
        """The lowest and highest possible score, and positions visited and seconds of all searches so far."""
        about = self._about
        return about["low"], about["high"], about["positions"], about["seconds"]

    def save(self, low: int, high: int, positions: int, seconds: float) -> None:
        self._about |= {"low": low, "high": high, "positions": positions, "seconds": round(seconds, 1)}
        self._about["saved"] += 1
        self._write_head()

    def check(self, control: Control) -> bool:
        """Empty every part whose sum is wrong; False if stopped first. No deadline counts this time."""
        if self._new:
            return True
        words, sums = self.table.words, np.empty(self.parts, np.uint64)
        step = max(1, _CHECKED_AT_ONCE * self.parts // words.nbytes)
        with control.paused():
            for first in range(0, self.parts, step):
                if control.stopped:
                    return False
                self.share_checked = first / self.parts
                add_up(words, sums, first, min(first + step, self.parts))
            self.share_checked = 1.0
            wrong = sums != np.bitwise_xor.reduce(self._sums)
            words.reshape(self.parts, -1)[wrong] = 0
            self._sums[:, wrong] = 0
        self.emptied = int(wrong.sum())
        return True

    @property
    def cut(self) -> bool:
        """Whether somebody has cut off the file since it was opened; it gets its length back, with zeros."""
        size = _size(self.table.bucket_bits)
        if os.fstat(self._file.fileno()).st_size < size:
            os.ftruncate(self._file.fileno(), size)
            self._cut = True
        return self._cut

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Use the table. When somebody cuts off the file, this raises InputError and the process goes on.

        The system takes away the memory beyond the file's end while a kernel reads and writes it, and sends
        a signal to its thread. The signal's handler gives the file its length back and the kernel goes on,
        in zeros. Windows cuts off no file that is in use.
        """
        with _on_lost_memory(self._restore):
            yield
        if self.cut:
            raise InputError(
                f"The file {self._name!r} was cut off while it was in use. What was proved is kept, and the "
                "same command goes on with what is left of the table."
            )

    def _restore(self) -> None:
        self._faults += 1
        with suppress(OSError):
            _ = self.cut
        if self._faults > _MOST_FAULTS:
            os.write(2, b"arcade: The disk with the table is full or has failed.\n")
            os._exit(1)


def _parts(bucket_bits: int) -> int:
    return min((1 << bucket_bits) // BUCKETS, MOST_PARTS)


def _size(bucket_bits: int) -> int:
    return HEAD + THREADS * 8 * _parts(bucket_bits) + (LINE << bucket_bits)


@contextmanager
def _on_lost_memory(restore: Callable[[], None]) -> Iterator[None]:
    if not hasattr(signal, "SIGBUS"):
        yield
        return
    # Python calls a handler of its own only when the kernel has returned, which it never would.
    system, kind = ctypes.CDLL(None), ctypes.CFUNCTYPE(None, ctypes.c_int)
    system.signal.restype, system.signal.argtypes = ctypes.c_void_p, (ctypes.c_int, kind)
    handler = kind(lambda _: restore())
    before = system.signal(signal.SIGBUS, handler)
    try:
        yield
    finally:
        system.signal(signal.SIGBUS, kind(before or 0))


def _parsed(line: bytes, size: int) -> dict[str, Any] | None:
    """A line of the head, if it is whole and the file has the size that it needs."""
    digest, _, text = line.rstrip(b"\0").partition(b" ")
    if digest != hashlib.sha256(text).hexdigest().encode():
        return None
    about: dict[str, Any] = json.loads(text)
    return about if about["format"] == FORMAT and size == _size(about["bucket_bits"]) else None

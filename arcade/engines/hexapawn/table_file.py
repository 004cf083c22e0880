"""A table in a file: a search that takes days goes on after a stop, also after `kill -9`.

The file is mapped into memory, so what is stored survives the process without being written out. Its head has
two lines, 2048 bytes each, a SHA-256 and JSON, which are written in turn: the newer one that is whole counts.
Then come the sums and the words as `kernel` explains them.

Damage to a line of the head is noticed when the file is opened, damage to the rest before the next search
begins, unless it leaves a sum of 64 bits unchanged by chance. This says nothing about a file that somebody
made on purpose, nor about changes by others while a search is using it.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import mmap
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from arcade.engines.control import PREPARATION, Control
from arcade.engines.errors import InputError
from arcade.engines.files import check_writable
from arcade.engines.hexapawn.kernel import add_up
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.hexapawn.score import HIGHEST, LOWEST
from arcade.engines.hexapawn.table import LINE, HexapawnTable

HEAD = 4096
"""Bytes before the sums."""
FORMAT = "hexapawn table 2"
"""Changes when entries mean something else."""
MOST_PARTS = 1 << 14
"""Parts of a large table, each with a sum; the sums of a thread fit into a processor's cache."""
BUCKETS = 16
"""Buckets of a part, at least."""
THREADS = 2
"""Rows of sums."""
FREE = 0.1
"""The share of the free space of a disk that a new file leaves alone."""

_CHUNK = 16 << 20
"""Bytes checked between two looks at the control: some milliseconds, or as long as the disk takes."""
_MOST_FAULTS = 100
"""Failed accesses to a file of the right length, after which its disk must be full or broken."""


class TableFile:
    """A table in a file, for one position. Only one at a time can use a file.

    Args:
        name: of the file; it is made if there is none.
        board: the position.
        bucket_bits: of a new file; one that exists keeps its own.

    Raises:
        InputError: the file cannot be used, belongs to another position, or does not fit on the disk.
    """

    def __init__(self, name: str, board: PawnPosition, bucket_bits: int) -> None:
        self._name = name
        self._cut = False
        self._faults = 0
        self.emptied = 0
        """The parts that were emptied since they did not fit their sums."""
        self.share_checked = 1.0
        """0 to 1."""
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
        path = Path(os.path.realpath(name))
        if path.exists() and not path.is_file():
            raise InputError(f"The file {name!r} cannot be used as a table: it is no plain file.")
        try:
            self._file = path.open("r+b" if path.exists() else "x+b", buffering=0)
            self._lock()
            self._new = os.fstat(self._file.fileno()).st_size == 0
            if self._new:
                self._make(path)
            self._file.seek(0)
            head = self._file.read(HEAD)
            self._about = self._newest(head, os.fstat(self._file.fileno()).st_size)
            mapped = mmap.mmap(self._file.fileno(), 0)
        except OSError as error:
            raise InputError(f"The file {name!r} cannot be used as a table: {error.strerror}.") from None
        bits = int(self._about["bucket_bits"])
        self._sums = np.frombuffer(mapped, np.uint64, THREADS * _parts(bits), HEAD).reshape(THREADS, -1)
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
        """Fill a new file with zeros and a line of the head, or leave no file."""
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
        found = max(filter(None, lines), key=lambda about: int(about["saved"]), default=None)
        if found is None:
            raise InputError(
                f"The file {self._name!r} is no table of Hexapawn, or an old or damaged one; "
                "name a new file, or delete it."
            )
        if found["position"] != self._about["position"]:
            raise InputError(
                f"The table in {self._name!r} is for {found['position']}, not for {self._about['position']}."
            )
        return found

    def _write_head(self) -> None:
        text = json.dumps(self._about).encode()
        line = hashlib.sha256(text).hexdigest().encode() + b" " + text
        self._file.seek(self._about["saved"] % 2 * (HEAD // 2))
        self._file.write(line.ljust(HEAD // 2, b"\0"))

    @property
    def limits(self) -> tuple[int, int]:
        """The lowest and highest score that are still possible."""
        return self._about["low"], self._about["high"]

    @property
    def spent(self) -> tuple[int, float]:
        """Positions visited and seconds of all searches so far."""
        return self._about["positions"], self._about["seconds"]

    def save(self, low: int, high: int, positions: int, seconds: float) -> None:
        """Keep what is proved, and what all searches have spent so far."""
        self._about |= {"low": low, "high": high, "positions": positions, "seconds": round(seconds, 1)}
        self._about["saved"] += 1
        self._write_head()

    @property
    def parts(self) -> int:
        """The number of parts of the table."""
        return self._sums.shape[1]

    def check(self, control: Control) -> bool:
        """Empty every part whose sum is wrong; False if stopped first. No deadline counts this time."""
        if self._new:
            return True
        words, (mine, other) = self.table.words, self._sums
        found = np.empty_like(mine)
        step = max(1, _CHUNK * self.parts // words.nbytes)
        with PREPARATION:
            for first in range(0, self.parts, step):
                if control.stopped:
                    return False
                self.share_checked = first / self.parts
                add_up(words, found, first, min(first + step, self.parts))
            self.share_checked = 1.0
            wrong = found != mine ^ other
            for each in (words.reshape(self.parts, -1), mine, other):
                each[wrong] = 0
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
        """Use the table: who then cuts off the file does not end the process, but this raises an error.

        The kernels read and write memory that the system takes away with the file's end, and it tells so by
        a signal to the thread, in the middle of a kernel. The signal's handler gives the file its length back
        and the kernel goes on, in zeros. Windows cuts off no file that is in use.

        Raises:
            InputError: the file was cut off.
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
    """The bytes of a file."""
    return HEAD + THREADS * 8 * _parts(bucket_bits) + (LINE << bucket_bits)


@contextmanager
def _on_lost_memory(restore: Callable[[], None]) -> Iterator[None]:
    """Call a function in the thread that reads memory which its file no longer has, and then read again."""
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

"""Transposition tables: one for each size and variant, kept between calls, growing to a bounded size."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from arcade.engines.control import Control
from arcade.engines.hexapawn.kernel import GROWTH_BITS, copy_buckets
from arcade.engines.hexapawn.rules import Board

LINE = 64
"""Bytes of a bucket of four entries, and of a cache line."""

LEAST_BITS, MOST_BITS = 16, 24
"""Bits of the bucket's number: 4 MiB at first, 1 GiB at last. `kernel` needs at least 16."""

OTHERS = 256 << 20
"""Bytes that the tables may keep which are not those of the board asked for last."""

_CHUNK = 1 << 13
"""Buckets copied between two looks at the control: 2 MiB of new memory, at most some 10 ms."""


class Table:
    """A transposition table, and the turns that threads take at it.

    Args:
        words: of an empty table, from `empty_words`.
        bucket_bits: as given to `empty_words`.
    """

    def __init__(self, words: NDArray[np.uint64], bucket_bits: int = LEAST_BITS) -> None:
        self.words = words
        self.bucket_bits = bucket_bits
        self.used = 0
        """Entries that are taken, as the searches count them."""
        self._larger: NDArray[np.uint64] | None = None
        self._copied = 0
        self._next = threading.Lock()
        self._using = threading.Lock()

    @property
    def memory(self) -> int:
        """Bytes."""
        larger = 0 if self._larger is None else self._larger.nbytes
        return self.words.nbytes + larger

    @contextmanager
    def turn(self, control: Control) -> Iterator[bool]:
        """Wait for a turn at the table, with room to write; yields whether it came before a stop.

        Who waits comes next: a thread that has just had its turn cannot take another before that.
        """
        if not _acquire(self._next, control):
            yield False
            return
        try:
            came = _acquire(self._using, control)
        finally:
            self._next.release()
        if not came:
            yield False
            return
        try:
            yield self._make_room(control)
        finally:
            self._using.release()

    def _make_room(self, control: Control) -> bool:
        """Grow fourfold when three quarters are taken; False if stopped, and then the next turn goes on."""
        while self.bucket_bits < MOST_BITS and self.used > 3 << self.bucket_bits:
            if self._larger is None:
                self._larger = _unset_words(self.bucket_bits + GROWTH_BITS)
                self._copied = 0
            while self._copied < 1 << self.bucket_bits:
                if control.stopped:
                    return False
                copy_buckets(self.words, self._larger, self.bucket_bits, self._copied, self._copied + _CHUNK)
                self._copied += _CHUNK
            self.words, self._larger = self._larger, None
            self.bucket_bits += GROWTH_BITS
        return True


def empty_words(bucket_bits: int = LEAST_BITS) -> NDArray[np.uint64]:
    """An empty table, its memory taken from the system already."""
    words = _unset_words(bucket_bits)
    words[:] = 0
    return words


def _unset_words(bucket_bits: int) -> NDArray[np.uint64]:
    """Words for a table, aligned so that each bucket is one cache line, with anything in them."""
    whole = np.empty((LINE << bucket_bits) // 8 + LINE // 8, np.uint64)
    skip = -whole.ctypes.data % LINE // 8
    return whole[skip : skip + (8 << bucket_bits)]


def warm_tables() -> None:
    """Compile, or load, the kernel that a growing table uses."""
    old = np.zeros(8, np.uint64)
    copy_buckets(old, np.zeros(8 << GROWTH_BITS, np.uint64), LEAST_BITS, 0, 1)


def _acquire(lock: threading.Lock, control: Control) -> bool:
    while not lock.acquire(timeout=0.05):
        if control.stopped:
            return False
    return True


class Tables:
    """The tables in use; those not asked for longest go when the others take more than `OTHERS`."""

    def __init__(self) -> None:
        self._tables: OrderedDict[tuple[int, int, bool, bool], Table] = OrderedDict()
        self._spare: list[NDArray[np.uint64]] = []
        self._changing = threading.Lock()

    def reserve(self, count: int) -> None:
        """Take the memory of that many new tables from the system now, which can take 20 ms each."""
        with self._changing:
            while len(self._spare) < count:
                self._spare.append(empty_words())

    def of(self, board: Board) -> Table:
        """The table for boards of this size and variant."""
        key = board.rows, board.columns, board.misere, board.capture
        with self._changing:
            table = self._tables.get(key)
            if table is None:
                table = self._tables[key] = Table(self._spare.pop() if self._spare else empty_words())
            self._tables.move_to_end(key)
            while self._memory() - table.memory > OTHERS:
                self._tables.popitem(last=False)
            return table

    def _memory(self) -> int:
        return sum(table.memory for table in self._tables.values())

    @property
    def memory(self) -> int:
        """Bytes of all tables."""
        with self._changing:
            return self._memory()

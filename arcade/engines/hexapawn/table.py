"""Transposition tables: one for each size and variant, kept between calls, growing up to a limit."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from arcade.engines.control import Control
from arcade.engines.hexapawn.kernel import GROWTH_BITS, copy_buckets
from arcade.engines.hexapawn.rules import PawnPosition

LINE = 64
"""Bytes of a bucket of four entries, and of a cache line."""

LEAST_BITS, MOST_BITS = 16, 24
"""Bits of the bucket's number: from 4 MiB up to 1 GiB. `kernel` needs at least 16."""

OTHERS = 256 << 20
"""Most bytes of all tables other than the one used last."""

_CHUNK = 1 << 13
"""Buckets copied between two checks of the control: 2 MiB of new memory, at most some 10 ms."""


class HexapawnTable:
    """A transposition table that threads share.

    Args:
        words: the words of a table, e.g. from `empty_words`.
        bucket_bits: as given to `empty_words`.
        grows: whether it may grow when it is full.
        sums: of a table in a file, else None, as `kernel` explains them; a row for each thread.
    """

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
        """Used entries, as counted by the searches."""
        self._larger: NDArray[np.uint64] | None = None
        self._copied = 0
        self._grows = grows
        self._changed = threading.Condition()
        self._users = 0
        self._growing = False

    @property
    def memory(self) -> int:
        """Bytes."""
        larger = 0 if self._larger is None else self._larger.nbytes
        return self.words.nbytes + larger

    @contextmanager
    def turn(self, control: Control) -> Iterator[bool]:
        """Use the table beside other threads, with room to write; yields False if stopped first.

        It grows when nobody uses it: who comes then waits until everybody has had their turn.
        """
        came = self._come(control)
        try:
            yield came
        finally:
            if came:
                with self._changed:
                    self._users -= 1
                    self._changed.notify_all()

    def count(self, stored: int) -> None:
        """Count newly used entries, in a turn."""
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
        """Whether three quarters are used, and there may be more."""
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
                copy_buckets(self.words, self._larger, self.bucket_bits, self._copied, self._copied + _CHUNK)
                self._copied += _CHUNK
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
    """Compile or load the kernel that a growing table uses."""
    old = np.zeros(8, np.uint64)
    copy_buckets(old, np.zeros(8 << GROWTH_BITS, np.uint64), LEAST_BITS, 0, 1)


class Tables:
    """The tables in use; the least recently used go when the others exceed `OTHERS`."""

    def __init__(self) -> None:
        self._tables: OrderedDict[tuple[int, int, bool, bool], HexapawnTable] = OrderedDict()
        self._spare: list[NDArray[np.uint64]] = []
        self._changing = threading.Lock()

    def reserve(self, count: int) -> None:
        """Allocate the memory of this many new tables now, which can take 20 ms each."""
        with self._changing:
            while len(self._spare) < count:
                self._spare.append(empty_words())

    def of(self, board: PawnPosition) -> HexapawnTable:
        """The table for boards of this size and variant."""
        key = board.rows, board.columns, board.misere, board.capture
        with self._changing:
            table = self._tables.get(key)
            if table is None:
                table = self._tables[key] = HexapawnTable(self._spare.pop() if self._spare else empty_words())
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

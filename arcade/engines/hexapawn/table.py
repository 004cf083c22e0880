"""Convert scores to verdicts, and manage transposition tables. `kernel` describes the formats of both."""

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import numpy as np
from numpy.typing import NDArray

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.hexapawn.book import book, fill
from arcade.engines.hexapawn.kernel import GROWTH_BITS, copy_buckets
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.verdict import DuelVerdict, Proof, Value

LOWEST, HIGHEST = 0, 255
WON = 128

LINE = 64
MIN_BITS, MAX_BITS = 16, 24
"""Minimum and maximum of `bucket_bits` for a table that grows, from 4 MiB to 1 GiB."""
BOOK_BITS = 20
OTHERS = 256 << 20
"""Maximum total size in bytes of all tables except the most recently used one."""
_COPIED_AT_ONCE = 1 << 13
"""Buckets copied between two checks of the control. They fill 2 MiB of the larger table in up to 10 ms."""


def plies_of(score: int, misere: bool) -> int:
    return 2 * (HIGHEST - score) + 1 - misere if score >= WON else 2 * score + misere


def score_after(score: int, misere: bool) -> int:
    return HIGHEST + (score < WON) - misere - score


def verdict_of(low: int, high: int, misere: bool, max_plies: int) -> DuelVerdict:
    if (low, high) == (LOWEST, HIGHEST):
        return DuelVerdict()
    least, most = sorted((plies_of(low, misere), plies_of(high, misere)))
    if low < WON <= high:
        return DuelVerdict(Proof.BOUND, at_least=least)
    value = Value.WIN if low >= WON else Value.LOSS
    if low == high:
        return DuelVerdict(Proof.EXACT, value, least)
    return DuelVerdict(Proof.BOUND, value, at_least=least, at_most=min(most, max_plies))


def limits_of(verdict: DuelVerdict) -> tuple[int, int]:
    least, most = (verdict.limits()[name] for name in ("at_least", "at_most"))
    if verdict.value is Value.WIN:
        return HIGHEST - (most - 1) // 2, HIGHEST - (least - 1) // 2
    return least // 2, most // 2


class HexapawnTable:
    """A transposition table that threads share."""

    def __init__(
        self,
        words: NDArray[np.uint64],
        bucket_bits: int = MIN_BITS,
        grows: bool = True,
    ) -> None:
        self.words = words
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
        """Let a search use the table inside the context. A full table grows first, while no search uses it.

        Yields True, or False if stopped before the table is ready.
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
        return self._grows and self.bucket_bits < MAX_BITS and self.used > 3 << self.bucket_bits

    def _make_room(self, control: Control) -> bool:
        """Grow the table while it is too full. Return False if stopped."""
        while self._full:
            if self._larger is None:
                self._larger = _unset_words(self.bucket_bits + GROWTH_BITS)
                self._copied = 0
            while self._copied < 1 << self.bucket_bits:
                if control.stopped:
                    return False
                end = self._copied + _COPIED_AT_ONCE
                copy_buckets(self.words, self._larger, self.bucket_bits, self._copied, end, control=control)
                self._copied = end
            self.words, self._larger = self._larger, None
            self.bucket_bits += GROWTH_BITS
        return True


def large_table(memory: int) -> HexapawnTable:
    """Return a table of fixed size: `memory` MiB (4 or more), rounded down to a power of two.

    Raises InputError if there is not enough memory.
    """
    bits = ((memory << 20) // LINE).bit_length() - 1
    try:
        return HexapawnTable(empty_words(bits), bits, grows=False)
    except MemoryError:
        raise InputError(
            f"Not enough memory for a table of {(LINE << bits) >> 20} MiB. Use a smaller --memory."
        ) from None


def empty_words(bucket_bits: int = MIN_BITS) -> NDArray[np.uint64]:
    words = _unset_words(bucket_bits)
    words[:] = 0
    return words


def _unset_words(bucket_bits: int) -> NDArray[np.uint64]:
    """Return uninitialised words for a table, aligned so that each bucket is on one cache line."""
    whole = np.empty((LINE << bucket_bits) // 8 + LINE // 8, np.uint64)
    skip = -whole.ctypes.data % LINE // 8
    return whole[skip : skip + (8 << bucket_bits)]


def warm_tables(control: Control) -> None:
    old, new = np.zeros(8, np.uint64), np.zeros(8 << GROWTH_BITS, np.uint64)
    copy_buckets(old, new, MIN_BITS, 0, 1, control=control)


class Tables:
    """A table for each board size and variant. Beyond `OTHERS` bytes, the least recently used are dropped."""

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

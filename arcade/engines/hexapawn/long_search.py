"""A search for one position that may take days."""

from __future__ import annotations

from dataclasses import replace

from arcade.engines.control import Control
from arcade.engines.errors import InputError
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.hexapawn.search import SLICE, Inquiry
from arcade.engines.hexapawn.table import LINE, HexapawnTable, empty_words
from arcade.engines.hexapawn.table_file import TableFile
from arcade.engines.verdict import DuelVerdict

SAVED_EVERY = 1.0
"""Seconds between two times that the proved limits are written."""


class LongSearch:
    """A search with one large table, in a file if it is to go on another day.

    Args:
        board: a position that is not over.
        memory: MiB of the table, at least 4, rounded down to a power of two; a file that exists keeps its
            own.
        file: its name; empty to keep the table in memory.
        winner: whether to stop when it is proved who wins.

    Raises:
        InputError: the file cannot be used, or there is not so much memory.
    """

    def __init__(self, board: PawnPosition, memory: int, file: str = "", winner: bool = False) -> None:
        bits = ((memory << 20) // LINE).bit_length() - 1
        self._file = TableFile(file, board, bits) if file else None
        self._inquiry = Inquiry(board, self._file.table if self._file is not None else _table(bits))
        self._winner = winner
        self._positions, self._seconds = 0, 0.0
        if self._file is not None:
            self._inquiry.low, self._inquiry.high = self._file.limits
            self._positions, self._seconds = self._file.spent

    @property
    def done(self) -> bool:
        """Whether everything is proved that was asked for."""
        return self._inquiry.decided if self._winner else self._inquiry.proved

    def run(self, control: Control) -> None:
        """Search until it is done or the control stops it; a table in a file is checked before.

        Raises:
            InputError: the file was cut off.
        """
        if self._file is None:
            self._search(control)
            return
        with self._file.guarded():
            if self._file.check(control):
                self._search(control)

    def _search(self, control: Control) -> None:
        before, started = (self._positions, self._seconds), control.seconds
        saved = started
        with self._inquiry.helped(control):
            while not (self.done or control.stopped or (self._file is not None and self._file.cut)):
                self._inquiry.go_on(SLICE, control)
                self._inquiry.report(control)
                now = control.seconds
                self._positions, self._seconds = before[0] + control.nodes, before[1] + now - started
                if now - saved > SAVED_EVERY:
                    self.save()
                    saved = now
        self._positions = before[0] + control.nodes

    def save(self) -> None:
        """Write what is proved to the file, if there is one."""
        if self._file is not None:
            self._file.save(self._inquiry.low, self._inquiry.high, self._positions, self._seconds)

    def progress(self) -> str:
        """What is done before the search, in a few words; empty when it has begun."""
        share = 1.0 if self._file is None else self._file.share_checked
        return "" if share == 1 else f"checking the table, {share:.0%}"

    def notice(self) -> str:
        """A sentence about the table if some of it was lost, else nothing."""
        if self._file is None or not self._file.emptied:
            return ""
        return (
            f"{self._file.emptied:,} of the table's {self._file.parts:,} parts did not fit their checksums, "
            "as after a kill, when two threads wrote at once, or on a bad disk. They were emptied, and what "
            "they held is searched again."
        )

    def verdict(self) -> DuelVerdict:
        """What is proved so far, with the work of all days."""
        return replace(self._inquiry.verdict(), nodes=self._positions, seconds=self._seconds)


def _table(bucket_bits: int) -> HexapawnTable:
    try:
        return HexapawnTable(empty_words(bucket_bits), bucket_bits, grows=False)
    except MemoryError:
        raise InputError(f"There is no memory for a table of {(LINE << bucket_bits) >> 20} MiB.") from None

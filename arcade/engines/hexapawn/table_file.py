"""A transposition table in a file: a search that takes days goes on after a stop, also after `kill -9`.

The file is mapped into memory, so what is stored survives the process without being written out. Its head
has two lines of JSON, 2048 bytes each, which are written in turn: the newer one that is whole counts. Then
come the words as `kernel` explains them. An entry that was being written when the process died is not
believed, like one that another thread is writing.
"""

from __future__ import annotations

import json
import mmap
import os
from pathlib import Path
from typing import Any

import numpy as np

from arcade.engines.errors import InputError
from arcade.engines.files import check_writable
from arcade.engines.hexapawn.rules import PawnPosition
from arcade.engines.hexapawn.score import HIGHEST, LOWEST
from arcade.engines.hexapawn.table import LINE, HexapawnTable

HEAD = 4096
"""Bytes before the words."""
FORMAT = "hexapawn table 1"
"""Changes when entries mean something else."""


_FIELDS = ("format", "position", "bucket_bits", "low", "high", "positions", "seconds", "saved")


class TableFile:
    """A table in a file, for one position.

    Args:
        name: of the file; it is made if there is none.
        board: the position.
        bucket_bits: of a new file; one that exists keeps its own.

    Raises:
        InputError: the file cannot be used, or belongs to another position.
    """

    def __init__(self, name: str, board: PawnPosition, bucket_bits: int) -> None:
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
        try:
            with open(name, "r+b" if Path(name).exists() else "w+b") as file:
                if os.fstat(file.fileno()).st_size == 0:
                    # Room on the disk for all of it now: a page that cannot be written later would be fatal.
                    os.posix_fallocate(file.fileno(), 0, HEAD + (LINE << bucket_bits))
                    file.write(self._line())
                    file.seek(0)
                head = file.read(HEAD)
                self._about = self._newest(name, head, os.fstat(file.fileno()).st_size)
                self._map = mmap.mmap(file.fileno(), 0)
        except OSError as error:
            raise InputError(f"The file {name!r} cannot be used as a table: {error.strerror}.") from None
        words = np.frombuffer(self._map, np.uint64, offset=HEAD)
        self.table = HexapawnTable(words, int(self._about["bucket_bits"]), grows=False)

    def _newest(self, name: str, head: bytes, size: int) -> dict[str, Any]:
        lines = [_parsed(head[at : at + HEAD // 2], size) for at in (0, HEAD // 2)]
        found = max(filter(None, lines), key=lambda about: int(about["saved"]), default=None)
        if found is None:
            raise InputError(f"The file {name!r} is no table of Hexapawn; name a new file, or delete it.")
        if found["position"] != self._about["position"]:
            raise InputError(
                f"The table in {name!r} is for {found['position']}, not for {self._about['position']}."
            )
        return found

    def _line(self) -> bytes:
        return json.dumps(self._about).encode().ljust(HEAD // 2, b"\0")

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
        at = self._about["saved"] % 2 * (HEAD // 2)
        self._map[at : at + HEAD // 2] = self._line()


def _parsed(line: bytes, size: int) -> dict[str, Any] | None:
    """A line of the head, if it is whole and the file has the size that it needs."""
    try:
        about: dict[str, Any] = json.loads(line.rstrip(b"\0"))
        valid = (
            about["format"] == FORMAT
            and size == HEAD + (LINE << about["bucket_bits"])
            and LOWEST <= about["low"] <= about["high"] <= HIGHEST
            and about.keys() == {*_FIELDS}
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return about if valid else None

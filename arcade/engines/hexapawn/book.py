"""Load books of proven score bounds for large boards. docs/solvers/hexapawn.md describes the file format."""

import hashlib
import zlib
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arcade.engines.files import InputError
from arcade.engines.hexapawn import kernel
from arcade.engines.hexapawn.kernel import Words

Entries = NDArray[Any]
ENTRY = np.dtype([("own", "<u8"), ("opp", "<u8"), ("low", "u1"), ("high", "u1")])
_DIGEST = 32
_mixed, _guard = kernel.mixed.interpreted(), kernel.guard.interpreted()
_most_effort = kernel.most_effort.interpreted()


def packed(entries: Entries) -> bytes:
    ordered = np.sort(entries, order=("opp", "own"))
    data = zlib.compress(ordered.view(np.uint8).reshape(-1, ENTRY.itemsize).T.tobytes(), 9)
    return hashlib.sha256(data).digest() + data


def unpacked(data: bytes) -> Entries:
    """Unpack a book. Raises InputError if it is damaged."""
    if hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
        raise InputError("The board's book is damaged and is ignored. Reinstall the arcade to restore it.")
    columns = np.frombuffer(zlib.decompress(data[_DIGEST:]), np.uint8).reshape(ENTRY.itemsize, -1)
    return np.ascontiguousarray(columns.T).view(ENTRY)[:, 0]


@cache
def book(board: str) -> Entries | None:
    """Return the book of a board such as "7x7", or None if there is none.

    Raises InputError if the book is damaged.
    """
    file = files(__package__).joinpath("books", board)
    return unpacked(file.read_bytes()) if file.is_file() else None


def fill(words: Words, bucket_bits: int, entries: Entries) -> NDArray[np.int64]:
    """Store entries in the words of a table. Return the index of each entry's first word.

    The index is -1 for an entry that is left out because its bucket is full.
    """
    bits, opp = np.uint64(bucket_bits), entries["opp"]
    keys = _mixed(entries["own"], opp)
    bucket = (keys >> (np.uint64(64) - bits)).astype(np.int64)
    order = np.argsort(bucket, kind="stable")
    rank = np.arange(len(order)) - np.searchsorted(bucket[order], bucket[order])
    order, rank = order[rank < 4], rank[rank < 4]
    places = 8 * bucket[order] + 2 * rank
    bounds = entries["high"][order].astype(np.uint64) << np.uint64(8) | entries["low"][order]
    effort = np.uint64(_most_effort(bucket_bits) << 16)
    words[places] = (keys[order] << bits | effort | bounds) ^ _guard(opp[order])
    words[places + 1] = opp[order]
    found = np.full(len(entries), -1)
    found[order] = places
    return found

"""All positions of a Hexapawn board with their values, without rules of thumb.

Every move lowers the sum of the distances ahead of all pawns, called *room* here. Positions are found from
the largest room down, and evaluated in the opposite order. Of mirror images one is stored, with the mover's
pawns moving up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit, types
from numba.typed import Dict
from numpy.typing import NDArray

Keys = NDArray[np.int64]
Links = NDArray[np.int32]
Flags = NDArray[np.bool_]
Plies = NDArray[np.int16]

HALF = 32
"""Bits of a key for each side; the mover's pawns are the lower ones."""


@njit(cache=True)
def mirrored(pawns: int, rows: int, columns: int) -> int:
    image = 0
    for row in range(rows):
        for column in range(columns):
            image |= (pawns >> row * columns + column & 1) << row * columns + columns - 1 - column
    return image


@njit(cache=True)
def turned(pawns: int, squares: int) -> int:
    image = 0
    for square in range(squares):
        image |= (pawns >> square & 1) << squares - 1 - square
    return image


@njit(cache=True)
def key_of(own: int, opp: int, rows: int, columns: int) -> int:
    other = mirrored(own, rows, columns) | mirrored(opp, rows, columns) << HALF
    return min(own | opp << HALF, other)


@njit(cache=True)
def room(own: int, opp: int, rows: int, columns: int) -> int:
    ahead = 0
    for square in range(rows * columns):
        row = square // columns
        ahead += (own >> square & 1) * (rows - 1 - row) + (opp >> square & 1) * row
    return ahead


@njit(cache=True)
def after(own: int, opp: int, rows: int, columns: int, found: Keys) -> int:
    """Write the keys after each move. Return their number."""
    squares, count = rows * columns, 0
    if opp & (1 << columns) - 1:
        return 0
    for square in range(squares - columns):
        if not own >> square & 1:
            continue
        for aside in (-1, 0, 1):
            if not 0 <= square % columns + aside < columns:
                continue
            to = square + columns + aside
            taken = opp >> to & 1
            if taken != (aside != 0) or own >> to & 1:
                continue
            left, moved = opp & ~(1 << to), own ^ 1 << square ^ 1 << to
            found[count] = key_of(turned(left, squares), turned(moved, squares), rows, columns)
            count += 1
    return count


@njit(cache=True)
def _explore(start: int, rows: int, columns: int, most: int) -> tuple[Keys, Any]:
    """The largest room first."""
    index = Dict.empty(types.int64, types.int32)
    mask = (1 << HALF) - 1
    longest = room(start & mask, start >> HALF, rows, columns)
    layers: Any = [[np.int64(0) for _ in range(0)] for _ in range(longest + 1)]
    layers[longest].append(start)
    index[start] = np.int32(0)
    keys: Any = np.empty(most, np.int64)
    total = 0
    found: Any = np.empty(3 * columns * rows, np.int64)
    for ahead in range(longest, -1, -1):
        for key in layers[ahead]:
            index[key] = np.int32(total)
            keys[total] = key
            total += 1
            for at in range(after(key & mask, key >> HALF, rows, columns, found)):
                child = found[at]
                if child not in index:
                    index[child] = np.int32(0)
                    layers[room(child & mask, child >> HALF, rows, columns)].append(child)
    return keys[:total].copy(), index


@njit(cache=True)
def _link(keys: Keys, index: Any, rows: int, columns: int) -> tuple[Keys, Links]:
    mask = (1 << HALF) - 1
    found = np.empty(3 * columns * rows, np.int64)
    starts = np.zeros(len(keys) + 1, np.int64)
    for at, key in enumerate(keys):
        starts[at + 1] = starts[at] + after(key & mask, key >> HALF, rows, columns, found)
    children = np.empty(starts[-1], np.int32)
    for at, key in enumerate(keys):
        for number in range(after(key & mask, key >> HALF, rows, columns, found)):
            children[starts[at] + number] = index[found[number]]
    return starts, children


@njit(cache=True)
def work_back(starts: Keys, children: Links, ends: Flags) -> tuple[Flags, Plies]:
    """Whether each position is won, and the plies to positions in `ends`."""
    won = np.zeros(len(starts) - 1, np.bool_)
    plies = np.zeros(len(starts) - 1, np.int16)
    for at in range(len(won) - 1, -1, -1):
        least, most = 10_000, -1
        for child in children[starts[at] : starts[at + 1]]:
            if won[child]:
                most = max(most, plies[child])
            else:
                least = min(least, plies[child])
        won[at] = least < 10_000
        if not ends[at]:
            plies[at] = 1 + (least if won[at] else most)
    return won, plies


@dataclass(frozen=True)
class Pawns:
    """Each position comes before those that follow from it."""

    rows: int
    columns: int
    own: Keys
    """As in `PawnPosition`, of the player to move."""
    opp: Keys
    won: Flags
    """For the player to move."""
    starts: Keys
    children: Links
    """Those of position `i` run from `starts[i]` to `starts[i + 1]`."""

    def distances(self, ends: Flags) -> Plies:
        """Plies in which the winner can force a position in `ends`."""
        return work_back(self.starts, self.children, ends)[1]


def pawns(rows: int, columns: int, most: int = 20_000_000) -> Pawns:
    """Of a board of up to 31 squares."""
    row = (1 << columns) - 1
    start = row | row << (rows - 1) * columns + HALF
    keys, index = _explore(start, rows, columns, most)
    starts, children = _link(keys, index, rows, columns)
    nothing = np.zeros(len(keys), np.bool_)
    won, _ = work_back(starts, children, nothing)
    return Pawns(rows, columns, keys & (1 << HALF) - 1, keys >> HALF, won, starts, children)

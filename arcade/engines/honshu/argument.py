"""An upper limit of the final score from the rules alone, for who wants to check the solver's bound.

At the end some cells of the map and of the hand are hidden; a tile that was never laid counts as six hidden
cells. Each tile hides at least one cell, and what is visible fits on the board, so at least
max(tiles, visible + 6 * tiles - size * size) cells are hidden. No lake cell of the map can be. What stays
scores most if all villages are one, all forests one, and all lakes one; but a laid lake cell has at most two
neighbours outside its tile, so l of them leave at least (lakes of the map - 2 l) lakes.

Blocks: c cells have at most c - ceil(2 sqrt(c)) + 1 blocks of 2x2 (Harary and Harborth 1976).
"""

from __future__ import annotations

from collections import Counter
from math import isqrt

from arcade.engines.honshu.rules import HonshuPosition
from arcade.engines.honshu.scoring import forest_points, groups

_IMPOSSIBLE = -(10**6)


def limit(position: HonshuPosition) -> dict[str, int]:
    """The numbers of the argument: "limit" is the most points that the final map can score.

    The others are the cells that must be hidden, "hidden", and the cells of each terrain of map and hand.
    """
    board, variants = position.map, position.variants
    if position.outcome() is not None:
        return {"limit": position.score.total, "hidden": 0}
    shown = {letter: cells.bit_count() for letter, cells in board.terrains.items()}
    held = Counter("".join(tile.terrains for tile in position.hand))
    cells = {letter: shown[letter] + held[letter] for letter in shown}
    tiles, visible = len(position.hand), sum(shown.values())
    hidden = max(tiles, visible + 6 * tiles - position.size**2)
    lakes_now = len(groups(board.terrains["L"], position.stride))

    def village(count: int) -> int:
        return count + (4 * _blocks(count) if "squares" in variants else 0)

    def plains(count: int) -> int:
        return 4 * _blocks(count) if "plains" in variants else 0

    def forests(count: int) -> int:
        return forest_points(count) if "forests5" in variants else 2 * count

    def lakes(count: int) -> int:
        if "lakes2" in variants or not count:
            return 2 * count
        return 3 * (count - max(1, lakes_now - 2 * held["L"]))

    takes = 2 if "factories2" in variants else 1
    pairs = [_IMPOSSIBLE] * (cells["R"] + cells["U"] + 1)
    for resources in range(cells["R"] + 1):
        for factories in range(cells["U"] + 1):
            gone = cells["R"] - resources + cells["U"] - factories
            pairs[gone] = max(pairs[gone], 4 * min(resources, takes * factories))
    most = pairs
    for letter, points in (("P", plains), ("V", village), ("F", forests), ("L", lakes)):
        can_hide = held[letter] if letter == "L" else cells[letter]
        most = _together(most, [points(cells[letter] - gone) for gone in range(can_hide + 1)])
    return {"limit": most[hidden], "hidden": hidden, **cells}


def _together(one: list[int], other: list[int]) -> list[int]:
    """The most points of two kinds of cells by the number of cells hidden among both."""
    most = [_IMPOSSIBLE] * (len(one) + len(other) - 1)
    for gone, points in enumerate(one):
        for more, others in enumerate(other):
            most[gone + more] = max(most[gone + more], points + others)
    return most


def _blocks(cells: int) -> int:
    """The most 2x2 blocks of so many cells."""
    return cells - isqrt(4 * cells - 1) if cells else 0

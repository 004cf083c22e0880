"""Boards: cells, the placements of every piece, and the symmetries of the rectangle.

A set of cells has bit `rank * width + file` for each cell; the lower left cell is bit 0:

    5x8:   35 36 37 38 39    rank 8
           ..
            5  6  7  8  9    rank 2
            0  1  2  3  4    rank 1
            a  b  c  d  e
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from arcade.engines.tetromino.pieces import ORIENTATIONS, PIECES

LEAST_SIDE = 3
"""Smallest width and height of a board."""
MOST_CELLS = 64
"""Most cells of a board: the kernels keep a set of cells in one machine word."""
MOST_SIDE = MOST_CELLS // LEAST_SIDE
"""Largest width and height of a board."""


def cell_name(file: int, rank: int) -> str:
    """The name of a cell, e.g. "c5" for file 2, rank 4."""
    return f"{string.ascii_lowercase[file]}{rank + 1}"


@dataclass(frozen=True, slots=True)
class Placement:
    """A move: a piece in an orientation with its pivot on a cell; file and rank count from 0."""

    piece: str
    orientation: int
    """1 to the number of the piece's orientations."""
    file: int
    rank: int

    def __str__(self) -> str:
        return f"{self.piece}{self.orientation}@{cell_name(self.file, self.rank)}"

    @property
    def cells(self) -> tuple[tuple[int, int], ...]:
        """The four cells covered as (file, rank), which may lie off a board."""
        steps = ORIENTATIONS[self.piece][self.orientation - 1]
        return tuple((self.file + x, self.rank + y) for x, y in steps)


def cells_of(mask: int) -> Iterator[int]:
    """The numbers of the cells in a set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True)
class TetrominoGrid:
    """Facts that all positions of a board size share. Made by `board`, one per size."""

    width: int
    height: int

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.width * self.height

    def mask(self, placement: Placement) -> int | None:
        """The set of cells that a placement covers; None if it sticks out of the board."""
        mask = 0
        for file, rank in placement.cells:
            if not (0 <= file < self.width and 0 <= rank < self.height):
                return None
            mask |= 1 << rank * self.width + file
        return mask

    @cached_property
    def placements(self) -> dict[Placement, int]:
        """Every placement on the empty board with its set of cells: by piece, orientation, cell."""
        return {
            placement: mask
            for piece in PIECES
            for orientation in range(1, len(ORIENTATIONS[piece]) + 1)
            for rank in range(self.height)
            for file in range(self.width)
            for placement in [Placement(piece, orientation, file, rank)]
            if (mask := self.mask(placement)) is not None
        }

    @cached_property
    def by_piece(self) -> tuple[tuple[tuple[Placement, int], ...], ...]:
        """For each piece of `PIECES` its placements with their sets of cells."""
        return tuple(
            tuple(
                (placement, mask) for placement, mask in self.placements.items() if placement.piece == piece
            )
            for piece in PIECES
        )

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The symmetries of the rectangle, four or on a square eight, the identity first.

        Each gives for every cell the number of its image.
        """
        width, height = self.width, self.height
        found = []
        for swap in (False, True) if width == height else (False,):
            for flip_ranks in (False, True):
                for flip_files in (False, True):
                    image = []
                    for rank in range(height):
                        for file in range(width):
                            x = width - 1 - file if flip_files else file
                            y = height - 1 - rank if flip_ranks else rank
                            image.append(x * width + y if swap else y * width + x)
                    found.append(tuple(image))
        return tuple(found)


def image_of(mask: int, symmetry: tuple[int, ...]) -> int:
    """A set of cells after one of `TetrominoGrid.symmetries`."""
    image = 0
    for cell in cells_of(mask):
        image |= 1 << symmetry[cell]
    return image


@lru_cache(maxsize=64)
def board(width: int, height: int) -> TetrominoGrid:
    """The board of a size."""
    return TetrominoGrid(width, height)

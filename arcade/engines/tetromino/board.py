"""The five pieces, hands, and placements on a board."""

import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product

from arcade.engines.files import InputError
from arcade.engines.wording import join_words

PIECES = "ILOST"
"""The letters of the pieces. A letter's index is the bit of its piece in a hand."""

FULL_HAND = (1 << len(PIECES)) - 1

Cell = tuple[int, int]
"""A cell or a step as (file, rank)."""

# Orientation 1 of each piece as steps from its pivot, the cell that a player holds it by. The pivot stays
# in place when the piece is rotated or turned over, and names the placement in notation:
#
#      I          L        O         S         T
#                 #                            .
#    # * # #      *        # #        # #    # * #
#                 # #      * #      # *        #
_FIRST: dict[str, tuple[Cell, ...]] = {
    "I": ((-1, 0), (0, 0), (1, 0), (2, 0)),
    "L": ((0, 1), (0, 0), (0, -1), (1, -1)),
    "O": ((0, 0), (1, 0), (0, 1), (1, 1)),
    "S": ((-1, 0), (0, 0), (0, 1), (1, 1)),
    "T": ((-1, 0), (0, 0), (1, 0), (0, -1)),
}


def _rotated(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    return tuple((y, -x) for x, y in cells)


def _turned_over(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    return tuple((-x, y) for x, y in cells)


def _shape(cells: tuple[Cell, ...]) -> frozenset[Cell]:
    left, low = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - low) for x, y in cells)


def _orientations(first: tuple[Cell, ...]) -> tuple[tuple[Cell, ...], ...]:
    found: dict[frozenset[Cell], tuple[Cell, ...]] = {}
    for cells in (first, _turned_over(first)):
        for _ in range(4):
            found.setdefault(_shape(cells), cells)
            cells = _rotated(cells)
    return tuple(found.values())


ORIENTATIONS = {piece: _orientations(first) for piece, first in _FIRST.items()}
"""The cells of each piece's orientations 1, 2, ... as steps from the pivot.

L 5 to 8 are also known as J, and S 3 and 4 as Z.
"""


def _number_of(piece: str, cells: tuple[Cell, ...]) -> int:
    return [_shape(known) for known in ORIENTATIONS[piece]].index(_shape(cells)) + 1


def rotated(piece: str, orientation: int, quarters: int = 1) -> int:
    """Return the orientation after `quarters` quarter turns clockwise (counterclockwise if negative)."""
    cells = ORIENTATIONS[piece][orientation - 1]
    for _ in range(quarters % 4):
        cells = _rotated(cells)
    return _number_of(piece, cells)


def turned_over(piece: str, orientation: int) -> int:
    return _number_of(piece, _turned_over(ORIENTATIONS[piece][orientation - 1]))


def lying(piece: str, orientation: int) -> int:
    while len({y for _, y in ORIENTATIONS[piece][orientation - 1]}) > 2:
        orientation = rotated(piece, orientation)
    return orientation


def shape_words(piece: str, orientation: int) -> str:
    words = []
    for x, y in ORIENTATIONS[piece][orientation - 1]:
        sides = (y, "above" if y > 0 else "below"), (x, "right" if x > 0 else "left")
        words.append(" ".join(("", "two ")[abs(step) == 2] + name for step, name in sides if step))
    return join_words([word for word in words if word])


def pieces_in(hand: int) -> str:
    return "".join(piece for number, piece in enumerate(PIECES) if hand >> number & 1)


def parse_hand(text: str) -> int:
    hand = 0
    for letter in text.upper():
        if letter not in PIECES:
            raise InputError(f"The hand {text!r} contains {letter!r}. The pieces are {', '.join(PIECES)}.")
        bit = 1 << PIECES.index(letter)
        if hand & bit:
            raise InputError(f"The hand {text!r} contains {letter} twice. A hand can hold a piece only once.")
        hand |= bit
    return hand


def parse_hands(text: str) -> tuple[int, int]:
    """Read two hands like "ILO-IST". Either hand may be empty."""
    first, hyphen, second = text.partition("-")
    if not hyphen or "-" in second:
        raise InputError(f"The hands {text!r} must be two words with a hyphen between, like ILO-IST.")
    return parse_hand(first), parse_hand(second)


def hands_text(hands: tuple[int, int]) -> str:
    return f"{pieces_in(hands[0])}-{pieces_in(hands[1])}"


MAX_CELLS = 64
"""Maximum number of cells of a board, because a kernel's set of cells is one 64-bit word."""


def cell_name(file: int, rank: int) -> str:
    return f"{string.ascii_lowercase[file]}{rank + 1}"


@dataclass(frozen=True, slots=True)
class Placement:
    """A piece in one of its orientations, and the cell of its pivot. `file` and `rank` count from 0."""

    piece: str
    orientation: int
    """Number of the orientation, from 1."""
    file: int
    rank: int

    def __str__(self) -> str:
        return f"{self.piece}{self.orientation}@{cell_name(self.file, self.rank)}"

    @property
    def cells(self) -> tuple[tuple[int, int], ...]:
        """The covered cells as (file, rank), which may be off the board."""
        steps = ORIENTATIONS[self.piece][self.orientation - 1]
        return tuple((self.file + x, self.rank + y) for x, y in steps)


def cells_of(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True)
class TetrominoGrid:
    width: int
    height: int

    @property
    def cells(self) -> int:
        return self.width * self.height

    @cached_property
    def placements(self) -> dict[Placement, int]:
        """All placements with their cells as bit masks, ordered by piece, orientation and cell."""
        found = {}
        for piece, orientations in ORIENTATIONS.items():
            numbers = range(1, len(orientations) + 1)
            for number, rank, file in product(numbers, range(self.height), range(self.width)):
                placement = Placement(piece, number, file, rank)
                if all(0 <= x < self.width and 0 <= y < self.height for x, y in placement.cells):
                    found[placement] = sum(1 << y * self.width + x for x, y in placement.cells)
        return found

    @cached_property
    def by_piece(self) -> tuple[tuple[tuple[Placement, int], ...], ...]:
        return tuple(tuple(at for at in self.placements.items() if at[0].piece == piece) for piece in PIECES)

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """Images of all cells under four symmetries (eight on a square board), starting with the identity."""
        width, height = self.width, self.height
        found = []
        swaps = (False, True) if width == height else (False,)
        for swap, flip_ranks, flip_files in product(swaps, (False, True), (False, True)):
            image = []
            for rank, file in product(range(height), range(width)):
                x = width - 1 - file if flip_files else file
                y = height - 1 - rank if flip_ranks else rank
                image.append(x * width + y if swap else y * width + x)
            found.append(tuple(image))
        return tuple(found)

    @cached_property
    def _shapes(self) -> tuple[tuple[tuple[int, int, int, int], ...], ...]:
        """For each piece and orientation, a mask of possible lowest cells, and steps to the other cells."""
        found = []
        for placements in self.by_piece:
            lowest: dict[tuple[int, int, int], int] = {}
            for _, mask in placements:
                least, one, two, three = cells_of(mask)
                steps = one - least, two - least, three - least
                lowest[steps] = lowest.get(steps, 0) | 1 << least
            found.append(tuple((cells, *steps) for steps, cells in lowest.items()))
        return tuple(found)

    def live(self, free: int, hand: int) -> int:
        live = 0
        for number, shapes in enumerate(self._shapes):
            if hand >> number & 1:
                for lowest, one, two, three in shapes:
                    found = lowest & free & free >> one & free >> two & free >> three
                    live |= found | found << one | found << two | found << three
        return live

    @cached_property
    def _images(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each symmetry but the identity, the images of the 256 subsets of each group of eight cells."""
        found = []
        for symmetry in self.symmetries[1:]:
            tables = []
            for first in range(0, self.cells, 8):
                images = [0]
                for cell in symmetry[first : first + 8]:
                    images += [image | 1 << cell for image in images]
                tables.append(tuple(images))
            found.append(tuple(tables))
        return tuple(found)

    def canonical(self, mask: int) -> int:
        parts = mask.to_bytes(-(-self.cells // 8), "little")
        smallest = mask
        for tables in self._images:
            image = 0
            for table, part in zip(tables, parts, strict=True):
                image |= table[part]
            smallest = min(smallest, image)
        return smallest


def image_of(mask: int, symmetry: tuple[int, ...]) -> int:
    image = 0
    for cell in cells_of(mask):
        image |= 1 << symmetry[cell]
    return image


board = lru_cache(maxsize=64)(TetrominoGrid)

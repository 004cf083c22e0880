"""The rules of Honshu and their notation.

A set of cells is an int. An empty guard column follows each row, so that no shift wraps:

      bit   0   1   2   3   4  [5]        size 5, row 0; [5] is the guard column
            6   7   8   9  10 [11]        row 1
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from itertools import compress, product
from math import isqrt

from arcade.engines.files import InputError
from arcade.engines.honshu.tiles import CELLS, COLUMNS, HANDS, ROWS, SIZES, TERRAIN_NAMES, TERRAINS, Tile
from arcade.engines.position import Outcome, Position
from arcade.engines.wording import join_words, places, spelled_quantity

VARIANTS = ("lakes2", "plains", "factories2", "squares", "forests5")
"""The variants, in the order of their numbers in the original assignment."""


@dataclass(frozen=True, slots=True)
class Score:
    village: int = 0
    forests: int = 0
    lakes: int = 0
    factories: int = 0
    plains: int = 0
    squares: int = 0

    @property
    def total(self) -> int:
        return sum(self.by_rule().values())

    def by_rule(self) -> dict[str, int]:
        return {rule: getattr(self, rule) for rule in RULES}

    def __sub__(self, other: Score) -> Score:
        return Score(**{rule: getattr(self, rule) - getattr(other, rule) for rule in RULES})


RULES = {field.name: field.name.capitalize() for field in fields(Score)}


def scored_rules(variants: frozenset[str]) -> tuple[str, ...]:
    return tuple(rule for rule in RULES if rule not in ("plains", "squares") or rule in variants)


def groups(cells: int, stride: int) -> list[int]:
    parts = []
    while cells:
        before, group = 0, cells & -cells
        while group != before:
            before = group
            group = (group | group << 1 | group >> 1 | group << stride | group >> stride) & cells
        parts.append(group)
        cells ^= group
    return parts


def blocks(cells: int, stride: int) -> int:
    pairs = cells & cells >> 1
    return (pairs & pairs >> stride).bit_count()


def most_blocks(cells: int) -> int:
    """Return the most 2x2 blocks in c cells: c - ceil(2 sqrt(c)) + 1 (Harary and Harborth 1976)."""
    return cells - isqrt(4 * cells - 1) if cells else 0


def forest_points(cells: int) -> int:
    return cells * (cells + 1) // 2 if cells <= 5 else 15 + 5 * (cells - 5)


def most_points(letter: str, cells: int, variants: frozenset[str]) -> int:
    if letter == "F":
        return forest_points(cells) if "forests5" in variants else 2 * cells
    blocks_score = ("squares" if letter == "V" else "plains") in variants
    return cells * (letter == "V") + 4 * most_blocks(cells) * blocks_score


def largest_village(terrains: Mapping[str, int], stride: int, variants: frozenset[str]) -> int:
    square = "squares" in variants
    return max(
        groups(terrains["V"], stride),
        key=lambda group: (group.bit_count(), square and blocks(group, stride)),
        default=0,
    )


def score(terrains: Mapping[str, int], stride: int, variants: frozenset[str]) -> Score:
    """Return the score of a map. `stride` is the number of bits from a cell to the cell below it."""
    largest = largest_village(terrains, stride, variants)
    village = largest.bit_count()
    squares = 4 * blocks(largest, stride) if "squares" in variants else 0
    if "forests5" in variants:
        forests = sum(forest_points(group.bit_count()) for group in groups(terrains["F"], stride))
    else:
        forests = 2 * terrains["F"].bit_count()
    if "lakes2" in variants:
        lakes = 2 * terrains["L"].bit_count()
    else:
        lakes = 3 * (terrains["L"].bit_count() - len(groups(terrains["L"], stride)))
    takes = 2 if "factories2" in variants else 1
    factories = 4 * min(terrains["R"].bit_count(), takes * terrains["U"].bit_count())
    plains = 4 * blocks(terrains["P"], stride) if "plains" in variants else 0
    return Score(village, forests, lakes, factories, plains, squares)


_MOVE = re.compile(
    r"(?P<tile>[0-9]{1,9})\s*(?:r\s*(?P<rotation>[0-9]+))?\s*[@:]"
    r"\s*(?P<row>[0-9]+)\s*,\s*(?P<column>[0-9]+)",
    re.IGNORECASE,
)
_TILE = re.compile(rf"([0-9]{{1,9}})([{TERRAINS}]{{{CELLS}}})")


@dataclass(frozen=True, slots=True, order=True)
class Move:
    tile: int
    rotation: int
    """Quarter turns clockwise, 0 to 3."""
    row: int
    """Row of the top-left cell, counted from 0 at the top. (The notation counts from 1.)"""
    column: int

    def __str__(self) -> str:
        return f"{self.tile}r{self.rotation}@{self.row + 1},{self.column + 1}"


def parse_move(text: str) -> Move:
    """Read a placement such as 7r2@4,5: tile 7, two quarter turns, row 4, column 5.

    Raises InputError if the text is invalid.
    """
    match = _MOVE.fullmatch(text.strip())
    if match is None:
        raise InputError(
            f"The text {text.strip()[:40]!r} is not a placement. Write one like 7r2@4,5: "
            "tile 7, two quarter turns, top left cell in row 4 and column 5."
        )
    for what, most in ("rotation", 3), ("row", SIZES[1]), ("column", SIZES[1]):
        if match[what] and (len(match[what]) > 9 or int(match[what]) > most):
            raise InputError(f"The {what} in {text.strip()[:40]!r} must be at most {most}.")
    rotation = int(match["rotation"] or 0)
    return Move(int(match["tile"]), rotation, int(match["row"]) - 1, int(match["column"]) - 1)


@cache
def footprint(terrains: str, rotation: int, stride: int) -> tuple[tuple[str, int], ...]:
    cells = dict.fromkeys(TERRAINS, 0)
    for row, letters in enumerate(Tile(0, terrains).rotated(rotation)):
        for column, letter in enumerate(letters):
            cells[letter] |= 1 << row * stride + column
    return tuple((letter, mask) for letter, mask in cells.items() if mask)


def shape(rotation: int) -> tuple[int, int]:
    return (COLUMNS, ROWS) if rotation % 2 else (ROWS, COLUMNS)


@cache
def _rectangle(rows: int, columns: int, stride: int) -> int:
    return sum(((1 << columns) - 1) << row * stride for row in range(rows))


@dataclass(frozen=True)
class Map:
    terrains: dict[str, int]
    layers: tuple[int, ...]
    """Visible cells of each tile, the start tile first."""

    @cached_property
    def occupied(self) -> int:
        return sum(self.terrains.values())

    def lay(self, placed: Sequence[tuple[str, int]]) -> Map:
        covered = sum(mask for _, mask in placed)
        terrains = {letter: mask & ~covered for letter, mask in self.terrains.items()}
        for letter, mask in placed:
            terrains[letter] |= mask
        return Map(terrains, (*(layer & ~covered for layer in self.layers), covered))


@dataclass(frozen=True)
class HonshuPosition(Position[Move]):
    size: int
    """Number of rows and of columns, 5 to 16."""
    start: Tile
    tiles: tuple[Tile, ...]
    """The 1 to 20 tiles of the hand as dealt."""
    variants: frozenset[str] = frozenset()
    laid: tuple[Move, ...] = ()

    turn = 0

    @property
    def stride(self) -> int:
        """Number of bits from a cell to the cell below it."""
        return self.size + 1

    @cached_property
    def tile_of(self) -> dict[int, Tile]:
        return {tile.id: tile for tile in self.tiles}

    @cached_property
    def held(self) -> tuple[bool, ...]:
        gone = Counter(move.tile for move in self.laid)
        held = []
        for tile in self.tiles:
            held.append(not gone[tile.id])
            gone[tile.id] -= not held[-1]
        return tuple(held)

    @cached_property
    def hand(self) -> tuple[Tile, ...]:
        return tuple(compress(self.tiles, self.held))

    @cached_property
    def cells_in_play(self) -> dict[str, int]:
        """Number of cells of each terrain, on the map and in the hand."""
        hand = "".join(tile.terrains for tile in self.hand)
        return {letter: mask.bit_count() + hand.count(letter) for letter, mask in self.map.terrains.items()}

    @cached_property
    def map(self) -> Map:
        corner = start_corner(self.size)
        middle = corner * self.stride + corner
        placed = [(letter, mask << middle) for letter, mask in footprint(self.start.terrains, 0, self.stride)]
        board = Map(dict.fromkeys(TERRAINS, 0), ()).lay(placed)
        for move in self.laid:
            board = board.lay(self.cells_of(move))
        return board

    def cells_of(self, move: Move) -> list[tuple[str, int]]:
        shift = move.row * self.stride + move.column
        return [
            (letter, mask << shift)
            for letter, mask in footprint(self.tile_of[move.tile].terrains, move.rotation, self.stride)
        ]

    @cached_property
    def score(self) -> Score:
        return score(self.map.terrains, self.stride, self.variants)

    @property
    def scoring(self) -> dict[str, int]:
        terrains = self.map.terrains
        village = largest_village(terrains, self.stride, self.variants)
        factories = terrains["R"] | terrains["U"]
        cells = (village, terrains["F"], terrains["L"], factories, terrains["P"], village)
        return dict(zip(RULES, cells, strict=True))

    def terrain_at(self, row: int, column: int) -> str:
        bit = 1 << row * self.stride + column
        return next((letter for letter, mask in self.map.terrains.items() if mask & bit), "")

    def layer_at(self, row: int, column: int) -> int | None:
        """Return the tile visible in a cell: 0 for the start tile, i for the i-th tile laid, None if bare."""
        bit = 1 << row * self.stride + column
        return next((index for index, mask in enumerate(self.map.layers) if mask & bit), None)

    @cached_property
    def places(self) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
        """Top-left cells (row, column) where a tile fits upright, and those where it fits sideways."""
        return self._places(*shape(0)), self._places(*shape(1))

    def _places(self, rows: int, columns: int) -> tuple[tuple[int, int], ...]:
        board, rectangle = self.map, _rectangle(rows, columns, self.stride)
        fitting = []
        for row, column in product(range(self.size - rows + 1), range(self.size - columns + 1)):
            cells = rectangle << row * self.stride + column
            if not cells & board.occupied or cells & board.terrains["L"]:
                continue
            if all(layer & ~cells for layer in board.layers):
                fitting.append((row, column))
        return tuple(fitting)

    def placement_error(self, move: Move) -> str | None:
        """Return a sentence that says why a placement is illegal, or None if it is legal."""
        if all(tile.id != move.tile for tile in self.hand):
            return f"There is no tile {move.tile} in the hand."
        rows, columns = shape(move.rotation)
        if not (0 <= move.row <= self.size - rows and 0 <= move.column <= self.size - columns):
            return f"Tile {move.tile} would stick out of the board."
        cells = _rectangle(rows, columns, self.stride) << move.row * self.stride + move.column
        board = self.map
        if not cells & board.occupied:
            return f"Tile {move.tile} must overlap an earlier tile."
        if lake := cells & board.terrains["L"]:
            row, column = divmod((lake & -lake).bit_length() - 1, self.stride)
            return f"Tile {move.tile} would cover a lake: row {row + 1}, column {column + 1}."
        for index, layer in enumerate(board.layers):
            if not layer & ~cells:
                whose = f"tile {self.laid[index - 1].tile}" if index else "the start tile"
                return f"Tile {move.tile} would hide all of {whose}."
        return None

    def score_change(self, move: Move) -> Score:
        """Return the points that a move gains under each scoring rule. Lost points are negative."""
        return score(self.map.lay(self.cells_of(move)).terrains, self.stride, self.variants) - self.score

    @cached_property
    def _moves(self) -> tuple[Move, ...]:
        return tuple(
            Move(tile, rotation, row, column)
            for tile in sorted({tile.id for tile in self.hand})
            for rotation in range(4)
            for row, column in self.places[rotation % 2]
        )

    def moves(self) -> Sequence[Move]:
        return self._moves

    def play(self, move: Move) -> HonshuPosition:
        error = self.placement_error(move)
        if error is not None:
            raise ValueError(error)
        return HonshuPosition(self.size, self.start, self.tiles, self.variants, (*self.laid, move))

    def outcome(self) -> Outcome | None:
        if self.hand and any(self.places):
            return None
        reason = "no tile fits any more" if self.hand else "all tiles are placed"
        return Outcome(None, reason, self.score.total)

    def describe(self) -> list[str]:
        sentences = [f"The board has {self.size} rows and columns. Cells that are not listed are bare."]
        for row in range(self.size):
            shown: dict[str, list[int]] = {}
            for column in range(self.size):
                shown.setdefault(self.terrain_at(row, column), []).append(column)
            named = [
                f"{TERRAIN_NAMES[letter]} in {places('column', columns)}"
                for letter, columns in shown.items()
                if letter
            ]
            if named:
                sentences.append(f"Row {row + 1}: {'; '.join(named)}.")
        for index, layer in enumerate(self.map.layers):
            if layer.bit_count() == 1:
                row, column = divmod(layer.bit_length() - 1, self.stride)
                whose = f"Tile {self.laid[index - 1].tile}" if index else "The start tile"
                sentences.append(f"{whose} shows only row {row + 1}, column {column + 1}: do not cover it.")
        points = [f"{rule} {count}" for rule, count in self.score.by_rule().items() if count]
        sentences.append(f"The map scores {self.score.total}{f': {join_words(points)}' if points else ''}.")
        return [
            *sentences,
            *self.describe_hands(),
            f"The hand has {spelled_quantity(len(self.hand), 'tile')}.",
        ]

    def describe_hands(self) -> list[str]:
        return [_in_words(tile) for tile in dict.fromkeys(self.hand)]

    def describe_moves(self) -> list[str]:
        sentences = []
        if not self.moves():
            return []
        for rotation, fits in enumerate(self.places):
            height, width = shape(rotation)
            where: dict[int, list[int]] = {}
            for row, column in fits:
                where.setdefault(row, []).append(column)
            sentences.append(
                f"With r{rotation} or r{rotation + 2} a tile has {height} rows and {width} columns. "
                f"Its top left cell may be {'in:' if where else 'nowhere.'}"
            )
            sentences += [f"Row {row + 1}, {places('column', columns)}." for row, columns in where.items()]
        ids = [str(tile) for tile in sorted({tile.id for tile in self.hand})]
        return [*sentences, f"You hold {'tile' if len(ids) == 1 else 'tiles'} {join_words(ids)}."]

    def text(self) -> str:
        head = ",".join([str(self.size), *(name for name in VARIANTS if name in self.variants)])
        tiles = "+".join(str(tile) for tile in self.tiles)
        laid = "+".join(str(move) for move in self.laid)
        return f"{head}/{self.start}/{tiles}/{laid}"

    def __str__(self) -> str:
        return "\n".join(
            " ".join(self.terrain_at(row, column) or "." for column in range(self.size))
            for row in range(self.size)
        )


def _in_words(tile: Tile) -> str:
    rows = [" ".join(TERRAIN_NAMES[letter] for letter in row) for row in tile.rotated(0)]
    return f"Tile {tile.id}, from the top: {', '.join(rows)}."


def start_corner(size: int) -> int:
    """Return the row of the start tile's top-left cell, which is also its column.

    The middle right cell of the start tile is at the centre of the board.
    """
    return size // 2 - 1


def parse_position(text: str) -> HonshuPosition:
    parts = text.split("/")
    if len(parts) != 4:
        raise InputError(f"A position has four parts, size/start/tiles/placements, not {len(parts)}.")
    size, *variants = parts[0].split(",")
    if not (size.isascii() and size.isdecimal() and len(size) < 3 and SIZES[0] <= int(size) <= SIZES[1]):
        raise InputError(f"The size {size[:40]!r} must be a whole number from {SIZES[0]} to {SIZES[1]}.")
    start = _parse_tile(parts[1])
    tiles = tuple(_parse_tile(tile) for tile in parts[2].split("+"))
    if not HANDS[0] <= len(tiles) <= HANDS[1]:
        raise InputError(f"A hand must have {HANDS[0]} to {HANDS[1]} tiles, not {len(tiles)}.")
    if len({(tile.id, tile.terrains) for tile in tiles}) != len({tile.id for tile in tiles}):
        raise InputError("Two different tiles in the hand have the same number. Renumber one of them.")
    position = HonshuPosition(int(size), start, tiles, check_variants(variants))
    for number, word in enumerate(parts[3].split("+") if parts[3] else (), 1):
        try:
            position = position.play(parse_move(word))
        except ValueError as error:
            raise InputError(f"Placement {number}, {word[:40]!r}: {error}") from None
    return position


def check_variants(names: Sequence[str]) -> frozenset[str]:
    """Return the variants with these names. Raises InputError if a name is unknown or repeated."""
    for name in names:
        if name not in VARIANTS:
            raise InputError(f"Unknown variant {name[:40]!r}. Choose from {', '.join(VARIANTS)}.")
        if names.count(name) > 1:
            raise InputError(f"The variant {name!r} is given twice.")
    return frozenset(names)


def _parse_tile(text: str) -> Tile:
    match = _TILE.fullmatch(text)
    if match is None:
        raise InputError(
            f"The tile {text[:40]!r} is malformed. Write its number and six terrains row by row, "
            f"like 7VVPRPL. The terrains are {', '.join(TERRAINS)}."
        )
    return Tile(int(match[1]), match[2])

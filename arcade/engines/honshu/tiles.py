"""Terrains, tiles, and the file formats of the original assignment."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from arcade.engines.files import InputError, package_text, read_text
from arcade.engines.wording import quantity

TERRAINS = "PFLVRU"
"""Letters of the terrains: plain, forest, lake, village, resource and factory (French "usine")."""

TERRAIN_NAMES = dict(
    zip(TERRAINS, ("plain", "forest", "lake", "village", "resource", "factory"), strict=True)
)

ROWS, COLUMNS = 3, 2
CELLS = ROWS * COLUMNS

SIZES = (5, 16)
HANDS = (1, 20)
VARIANT_NUMBERS = 5


@dataclass(frozen=True, slots=True)
class Tile:
    id: int
    terrains: str

    def __str__(self) -> str:
        return f"{self.id}{self.terrains}"

    @property
    def is_half_turn(self) -> bool:
        return self.terrains == self.terrains[::-1]

    def rotated(self, rotation: int) -> tuple[str, ...]:
        """Return the rows after 0 to 3 quarter turns clockwise."""
        return _rotated(self.terrains, rotation)


@cache
def _rotated(terrains: str, rotation: int) -> tuple[str, ...]:
    rows = tuple(terrains[index : index + COLUMNS] for index in range(0, CELLS, COLUMNS))
    for _ in range(rotation):
        rows = tuple("".join(column) for column in zip(*reversed(rows), strict=True))
    return rows


@dataclass(frozen=True)
class TileSet:
    tiles: tuple[Tile, ...]

    @cached_property
    def by_id(self) -> Mapping[int, Tile]:
        return {tile.id: tile for tile in self.tiles}

    @cached_property
    def frequencies(self) -> tuple[int, ...]:
        counted = Counter("".join(tile.terrains for tile in self.tiles))
        return tuple(counted[terrain] for terrain in TERRAINS)

    def text(self) -> str:
        lines = [str(len(self.tiles))]
        for tile in self.tiles:
            lines += [str(tile.id), *(" ".join(row) for row in tile.rotated(0))]
        return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Deal:
    size: int
    hand: tuple[Tile, ...]
    start: Tile
    variant: int = 0
    """Number of the variant, from 1 to `VARIANT_NUMBERS`, or 0 for none."""

    def text(self) -> str:
        ids = " ".join(str(tile.id) for tile in self.hand)
        tiles = TileSet(tuple({tile.id: tile for tile in (self.start, *self.hand)}.values()))
        variant = f"{self.variant}\n" if self.variant else ""
        return f"{self.size} {len(self.hand)}\n{ids}\n{self.start.id}\n{variant}\n{tiles.text()}"


class _Lines:
    def __init__(self, text: str, name: str) -> None:
        self.name = name
        self.last = max(1, len(text.splitlines()))
        self.lines = [(at, line.strip()) for at, line in enumerate(text.splitlines(), 1) if line.strip()]
        self.next = 0

    def take(self, what: str) -> tuple[int, str]:
        if self.next == len(self.lines):
            raise self.bad(self.last, f"expected {what}, found the end of the file")
        self.next += 1
        return self.lines[self.next - 1]

    def end(self, after: str) -> None:
        if self.next < len(self.lines):
            number, line = self.lines[self.next]
            raise self.bad(number, f"expected nothing after {after}, found {line[:40]!r}")

    def bad(self, number: int, reason: str) -> InputError:
        return InputError(f"{self.name}, line {number}: {reason}.")

    def numbers(self, count: int, what: str) -> tuple[int, list[int]]:
        number, line = self.take(what)
        words = line.split()
        for word in words:
            if not (word.isascii() and word.isdecimal() and len(word) <= 9):
                raise self.bad(number, f"expected {what}, found {word[:40]!r}")
        if len(words) != count:
            raise self.bad(number, f"expected {what}, found {quantity(len(words), 'number')}")
        return number, [int(word) for word in words]


def parse_tiles(text: str, name: str = "The tile file") -> TileSet:
    """Read a tile set: the number of tiles, then an id and three lines for each tile.

    Raises InputError if the text is invalid.
    """
    return _tiles(_Lines(text, name))


def _tiles(lines: _Lines) -> TileSet:
    number, (count,) = lines.numbers(1, "the number of tiles")
    if count < 1:
        raise lines.bad(number, "expected at least one tile")
    tiles: list[Tile] = []
    ids: set[int] = set()
    for index in range(1, count + 1):
        number, (tile_id,) = lines.numbers(1, f"the id of tile {index} of {count}")
        if tile_id in ids:
            raise lines.bad(number, f"the id {tile_id} is already used by an earlier tile")
        terrains = ""
        for row in range(1, ROWS + 1):
            number, line = lines.take(f"row {row} of tile {tile_id}")
            letters = "".join(line.split()).upper()
            unknown = letters.strip(TERRAINS)[:1]
            if unknown:
                known = ", ".join(TERRAINS)
                raise lines.bad(number, f"{unknown!r} is not a terrain; the terrains are {known}")
            if len(letters) != COLUMNS:
                many = f"two terrains, found {len(letters)}"
                raise lines.bad(number, f"row {row} of tile {tile_id}: expected {many}")
            terrains += letters
        ids.add(tile_id)
        tiles.append(Tile(tile_id, terrains))
    lines.end("the last tile")
    return TileSet(tuple(tiles))


def parse_deal(text: str, tiles: TileSet | None = None, name: str = "The game file") -> Deal:
    """Read a game file. Raises InputError if it is invalid.

    The file has the board size and number of tiles, the ids of the hand, and the id of the start tile. A
    variant and a tile set may follow. The ids refer to `tiles` if given, otherwise to the file's tile set, or
    to the published tiles if the file has none.
    """
    lines = _Lines(text, name)
    number, (size, count) = lines.numbers(2, "the size of the board and the number of tiles")
    if not SIZES[0] <= size <= SIZES[1]:
        raise lines.bad(number, f"the size of the board must be {SIZES[0]} to {SIZES[1]}, not {size}")
    if not HANDS[0] <= count <= HANDS[1]:
        raise lines.bad(number, f"the number of tiles must be {HANDS[0]} to {HANDS[1]}, not {count}")
    hand_line, ids = lines.numbers(count, f"a line of {count} tile ids")
    start_line, (start,) = lines.numbers(1, "the id of the start tile")
    known = tiles or published_tiles()
    variant = _variant(lines)
    if lines.next < len(lines.lines):
        if tiles is not None:
            number = lines.lines[lines.next][0]
            raise lines.bad(number, "the file has its own tiles, so it cannot be combined with a tile file")
        known = _tiles(lines)
    hand = [_known(tile_id, known, lines, hand_line) for tile_id in ids]
    return Deal(size, tuple(hand), _known(start, known, lines, start_line), variant)


def _variant(lines: _Lines) -> int:
    """Return the variant in line 4, or 0 if the line is missing or starts a list of tiles."""
    rest = [line for _, line in lines.lines[lines.next :]]
    alone = len(rest) == 1 or (len(rest) > 2 and rest[1].isdecimal() and rest[2].isdecimal())
    if not alone:
        return 0
    number, (variant,) = lines.numbers(1, "the number of the variant")
    if not 1 <= variant <= VARIANT_NUMBERS:
        raise lines.bad(number, f"expected a variant from 1 to {VARIANT_NUMBERS}, found {variant}")
    return variant


def _known(tile_id: int, tiles: TileSet, lines: _Lines, number: int) -> Tile:
    tile = tiles.by_id.get(tile_id)
    if tile is None:
        ids = sorted(tiles.by_id)
        known = ", ".join(map(str, ids[:30])) + (f" and {len(ids) - 30} more" if len(ids) > 30 else "")
        if ids == list(range(ids[0], ids[-1] + 1)):
            known = f"{ids[0]} to {ids[-1]}"
        raise lines.bad(number, f"there is no tile {tile_id}; the tiles are {known}")
    return tile


def read_tiles(path: Path | str) -> TileSet:
    return parse_tiles(read_text(path, "tile file"), f"File {str(path)!r}")


@cache
def published_tiles() -> TileSet:
    """Return the published tiles. Their source is given in data/PROVENANCE.txt."""
    return parse_tiles(package_text(__package__, "data/tuiles"), "The published tiles")

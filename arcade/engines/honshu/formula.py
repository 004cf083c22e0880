"""SAT formulas that are satisfiable if a final map has a loss of at most B; see docs/solvers/honshu.md.

The loss of a map is `max_score` minus its score.

    `places[i][p]`  Tile i lies at p.                `covers[i][c]`  Tile i lies on cell c.
    `shows[i][c]`   Cell c shows tile i.             `seen[i][k]`    Cell k of tile i is visible.
    `above[i][j]`   Tile i is above tile j.          `counted[c]`    Cell c is in the counted village.

A generalized totalizer adds up the loss (Joshi, Martins and Manquinho 2015). With the variant `squares`, a
model may count a village that has more blocks but is not the largest. `Formula.forbid` excludes such a model.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations, product
from typing import NamedTuple

from arcade.engines.honshu.rules import HonshuPosition, Move, forest_points, most_blocks, most_points, shape
from arcade.engines.honshu.tiles import CELLS, COLUMNS, Tile

UNLAID = -1


Spot = tuple[int, int]
"""A tile of the hand and one of its cells, or -1 and a cell of the map, all by index."""


def max_score(position: HonshuPosition) -> int:
    cells, variants = position.cells_in_play, position.variants
    lakes = 2 * cells["L"] if "lakes2" in variants else 3 * max(0, cells["L"] - 1)
    return lakes + 4 * most_pairs(position) + sum(most_points(each, cells[each], variants) for each in "PFV")


def most_pairs(position: HonshuPosition) -> int:
    takes = 2 if "factories2" in position.variants else 1
    return min(position.cells_in_play["R"], takes * position.cells_in_play["U"])


def cases(position: HonshuPosition, loss: int) -> list[int]:
    """Return the cases to refute: `UNLAID`, in which tiles are left in the hand, then 0, 1 and so on.

    In case m, the first m cells of `_village_order` are not in the counted village, and the next cell, if
    any, is its root. The loss is then at least m.
    """
    return [UNLAID, *range(min(loss, len(_village_order(position))) + 1)]


def _village_order(position: HonshuPosition) -> list[Spot]:
    size = position.size
    ground = [(-1, cell) for cell in range(size**2) if position.terrain_at(*divmod(cell, size)) == "V"]
    hand = [tile.terrains for tile in position.hand]
    order = sorted(range(len(hand)), key=lambda tile: -hand[tile].count("V"))
    return ground + [(tile, k) for tile in order for k in range(CELLS) if hand[tile][k] == "V"]


class _Place(NamedTuple):
    at: int
    rotation: int
    row: int
    column: int
    cells: tuple[int, ...]


class Formula:
    """The clauses of one case, with literals as in the DIMACS format."""

    def __init__(self, position: HonshuPosition, loss: int, case: int) -> None:
        self.position = position
        self.loss = loss
        self.case = case
        self.clauses: list[list[int]] = []
        self.variables = 0
        self.size = position.size
        self.cells = range(self.size**2)
        self.hand = position.hand
        self.tiles = range(len(self.hand))
        self.near = [self._neighbours(cell) for cell in self.cells]
        self.ground = [position.terrain_at(*divmod(cell, self.size)) for cell in self.cells]
        self.layer = [position.layer_at(*divmod(cell, self.size)) for cell in self.cells]
        self.items: list[tuple[int, int]] = []
        self._place_tiles()
        self._stack()
        self._end()
        self._village()
        self._lakes()
        self._forests()
        self._pairs()
        self._blocks()
        self._limit_loss()

    def new(self) -> int:
        self.variables += 1
        return self.variables

    def add(self, *literals: int) -> None:
        self.clauses.append(list(literals))

    def _neighbours(self, cell: int) -> list[int]:
        row, column = divmod(cell, self.size)
        sides = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        return [r * self.size + c for r, c in sides if 0 <= r < self.size and 0 <= c < self.size]

    def _sum(self, items: Sequence[tuple[int, int]], limit: int) -> dict[int, int]:
        """Map each possible sum of the weights in `items` to a variable. Larger sums count as `limit`.

        The variable is true if the weights of the true literals add up to at least this sum.
        """
        if not items:
            return {}
        if len(items) == 1:
            return {min(items[0][0], limit): items[0][1]}
        middle = len(items) // 2
        left, right = self._sum(items[:middle], limit), self._sum(items[middle:], limit)
        sums = {min(a + b, limit) for a in (0, *left) for b in (0, *right)} - {0}
        total = {n: self.new() for n in sorted(sums)}
        ordered = sorted(sums)
        for low, high in pairwise(ordered):
            self.add(-total[high], total[low])
        for a, one in left.items():
            self.add(-one, total[a])
        for b, other in right.items():
            self.add(-other, total[b])
        for a, one in left.items():
            for b, other in right.items():
                self.add(-one, -other, total[min(a + b, limit)])
        return total

    def _levels(self, members: Sequence[int], roots: Sequence[int], most_steps: int) -> None:
        before = list(roots)
        for cell, root in enumerate(before):
            if root:
                self.add(-root, members[cell])
        for _ in range(most_steps):
            level = [0] * len(self.cells)
            for cell in self.cells:
                sources = list(filter(None, (before[near] for near in (cell, *self.near[cell]))))
                if not sources:
                    continue
                here = level[cell] = self.new()
                self.add(-here, members[cell])
                self.add(-here, *sources)
                for source in sources:
                    self.add(-source, -members[cell], here)
            before = level
        for cell, last in enumerate(before):
            self.add(*filter(None, (-members[cell], last)))

    def _place_tiles(self) -> None:
        self.places = [
            [_Place(self.new(), *place) for place in self._places_on_board(2 if tile.is_half_turn else 4)]
            for tile in self.hand
        ]
        self.laid = [self.new() for _ in self.tiles]
        self.covers = [[self.new() for _ in self.cells] for _ in self.tiles]
        upto: list[list[int]] = []
        for tile in self.tiles:
            self.add(-self.laid[tile], *(place.at for place in self.places[tile]))
            before = 0
            upto.append([])
            for place in self.places[tile]:
                here = self.new()
                upto[tile].append(here)
                self.add(-place.at, here)
                self.add(-place.at, self.laid[tile])
                if before:
                    self.add(-before, here)
                    self.add(-before, -place.at)
                    self.add(-here, before, place.at)
                else:
                    self.add(-here, place.at)
                before = here
            self._define(self.covers[tile], tile, range(CELLS))
            self._coordinates(tile)
        if self.case != UNLAID:
            for one, other in combinations(self.tiles, 2):
                if self.hand[one].terrains == self.hand[other].terrains:
                    for here, there in zip(upto[one], upto[other], strict=True):
                        self.add(-there, here)

    def _places_on_board(self, rotations: int) -> Iterator[tuple[int, int, int, tuple[int, ...]]]:
        for rotation in range(rotations):
            rows, columns = shape(rotation)
            parts = "".join(Tile(0, "012345").rotated(rotation))
            lies = [divmod(parts.index(part), columns) for part in sorted(parts)]
            for row, column in product(range(self.size - rows + 1), range(self.size - columns + 1)):
                cells = ((row + down) * self.size + column + across for down, across in lies)
                yield rotation, row, column, tuple(cells)

    def _coordinates(self, tile: int) -> None:
        """Add redundant variables for a tile's row, column and rotation, which shorten learned clauses."""
        for coordinate in ("row", "column"):
            at_least = [0, *(self.new() for _ in range(self.size - COLUMNS))]
            for low, high in pairwise(at_least[1:]):
                self.add(-high, low)
            for place in self.places[tile]:
                here = getattr(place, coordinate)
                if here:
                    self.add(-place.at, at_least[here])
                if here + 1 < len(at_least):
                    self.add(-place.at, -at_least[here + 1])
        turned = [self.new() for _ in range(4)]
        lying = self.new()
        for one, other in combinations(turned, 2):
            self.add(-one, -other)
        for rotation, here in enumerate(turned):
            self.add(-here, lying if rotation % 2 else -lying)
        for place in self.places[tile]:
            self.add(-place.at, turned[place.rotation])

    def _define(self, variables: Sequence[int], tile: int, parts: Sequence[int]) -> None:
        sources: list[list[int]] = [[] for _ in self.cells]
        for place in self.places[tile]:
            for k in parts:
                sources[place.cells[k]].append(place.at)
                self.add(-place.at, variables[place.cells[k]])
        for cell in self.cells:
            self.add(-variables[cell], *sources[cell])

    def _stack(self) -> None:
        self.shows = [[self.new() for _ in self.cells] for _ in self.tiles]
        self.bare = [self.new() if self.ground[cell] else 0 for cell in self.cells]
        self.above = [[self.new() if i != j else 0 for j in self.tiles] for i in self.tiles]
        self.seen = [[self.new() for _ in range(CELLS)] for _ in self.tiles]
        for i, j in combinations(self.tiles, 2):
            self.add(-self.above[i][j], -self.above[j][i])
        for i, j, k in permutations(self.tiles, 3):
            self.add(-self.above[i][j], -self.above[j][k], self.above[i][k])
        for cell in self.cells:
            self._show(cell)
        for tile in self.tiles:
            self._see(tile)
        for cell in self.cells:
            if self.ground[cell] == "L":
                self.add(self.bare[cell])
        for layer in range(len(self.position.map.layers)):
            self.add(*(self.bare[cell] for cell in self.cells if self.layer[cell] == layer))
        self._rest()

    def _show(self, cell: int) -> None:
        layers = [self.shows[tile][cell] for tile in self.tiles]
        for one, other in combinations(layers, 2):
            self.add(-one, -other)
        if self.bare[cell]:
            self.add(self.bare[cell], *layers)
        for tile in self.tiles:
            covers = self.covers[tile][cell]
            self.add(-self.shows[tile][cell], covers)
            self.add(-covers, *layers)
            if self.bare[cell]:
                self.add(-covers, -self.bare[cell])
            for other in self.tiles:
                if other != tile:
                    self.add(-self.shows[tile][cell], -self.covers[other][cell], self.above[tile][other])

    def _see(self, tile: int) -> None:
        for place in self.places[tile]:
            for k, cell in enumerate(place.cells):
                self.add(-place.at, -self.seen[tile][k], self.shows[tile][cell])
                self.add(-place.at, -self.shows[tile][cell], self.seen[tile][k])
        for k in range(CELLS):
            self.add(-self.seen[tile][k], self.laid[tile])
            if self.hand[tile].terrains[k] == "L":
                self.add(-self.laid[tile], self.seen[tile][k])
        self.add(-self.laid[tile], *self.seen[tile])

    def _rest(self) -> None:
        on: list[list[int]] = [[] for _ in self.tiles]
        for i, j in combinations(self.tiles, 2):
            both = [self.new() for _ in self.cells]
            for cell in self.cells:
                self.add(-both[cell], self.covers[i][cell])
                self.add(-both[cell], self.covers[j][cell])
            for one, other in ((i, j), (j, i)):
                over = self.new()
                on[one].append(over)
                self.add(-over, self.above[one][other])
                self.add(-over, *both)
        for tile in self.tiles:
            ground = [self.covers[tile][cell] for cell in self.cells if self.ground[cell]]
            self.add(-self.laid[tile], *on[tile], *ground)

    def _end(self) -> None:
        if self.case != UNLAID:
            for laid in self.laid:
                self.add(laid)
            return
        self.add(*(-laid for laid in self.laid))
        lake = self._visible("L")
        for *_, cells in self._places_on_board(2):
            self._blocked(cells, lake)

    def _blocked(self, cells: tuple[int, ...], lake: Sequence[int]) -> None:
        empty = self.new()
        reasons = [empty, *(lake[cell] for cell in cells)]
        for cell in cells:
            if self.ground[cell]:
                self.add(-empty)
            for tile in self.tiles:
                self.add(-empty, -self.covers[tile][cell])
        outside = [cell for cell in self.cells if cell not in cells]
        for tile in self.tiles:
            buries = self.new()
            reasons.append(buries)
            self.add(-buries, self.laid[tile])
            for cell in outside:
                self.add(-buries, -self.shows[tile][cell])
        for layer in range(len(self.position.map.layers)):
            buries = self.new()
            reasons.append(buries)
            for cell in outside:
                if self.layer[cell] == layer:
                    self.add(-buries, -self.bare[cell])
        self.add(*reasons)

    def _visible(self, terrain: str) -> list[int]:
        visible = [self.new() for _ in self.cells]
        for cell in self.cells:
            layers = [self.shows[tile][cell] for tile in self.tiles]
            bare = self.bare[cell]
            self.add(-visible[cell], *layers, *([bare] if bare else []))
            if bare:
                self.add(-bare, visible[cell] if self.ground[cell] == terrain else -visible[cell])
        for tile in self.tiles:
            parts = [k for k in range(CELLS) if self.hand[tile].terrains[k] == terrain]
            lies = [0] * len(self.cells)
            if parts:
                lies = [self.new() for _ in self.cells]
                self._define(lies, tile, parts)
            for cell in self.cells:
                shows = self.shows[tile][cell]
                if parts:
                    self.add(-shows, -visible[cell], lies[cell])
                    self.add(-shows, -lies[cell], visible[cell])
                else:
                    self.add(-shows, -visible[cell])
        return visible

    def _spots(self, terrain: str) -> list[Spot]:
        ground = [(-1, cell) for cell in self.cells if self.ground[cell] == terrain]
        return ground + [
            (tile, k) for tile in self.tiles for k in range(CELLS) if self.hand[tile].terrains[k] == terrain
        ]

    def _is_seen(self, spot: Spot) -> int:
        tile, k = spot
        return self.bare[k] if tile < 0 else self.seen[tile][k]

    def _village(self) -> None:
        order = _village_order(self.position)
        if not order:
            self.counted = [0] * len(self.cells)
            return
        shown = self._visible("V")
        self.counted = [self.new() for _ in self.cells]
        for cell in self.cells:
            self.add(-self.counted[cell], shown[cell])
        counts = {spot: self.new() for spot in order}
        for spot in order:
            tile, k = spot
            self.items.append((1, -counts[spot]))
            self.add(-counts[spot], self._is_seen(spot))
            if tile < 0:
                self.add(-counts[spot], self.counted[k])
                self.add(-self.bare[k], -self.counted[k], counts[spot])
            else:
                for place in self.places[tile]:
                    cell = place.cells[k]
                    self.add(-place.at, -counts[spot], self.counted[cell])
                    self.add(-place.at, -self.counted[cell], -self.shows[tile][cell], counts[spot])
        if self.case == len(order):
            for spot in order:
                self.add(-counts[spot])
            for cell in self.cells:
                self.add(-self.counted[cell])
        elif self.case == UNLAID:
            free = [self.new() for _ in self.cells]
            for one, other in combinations(free, 2):
                self.add(-one, -other)
            self._levels(self.counted, free, len(order) // 2)
        else:
            for spot in order[: self.case]:
                self.add(-counts[spot])
            self.add(counts[order[self.case]])
            self._levels(self.counted, self._roots_at(order[self.case]), len(order) - 1 - self.case)

    def _roots_at(self, spot: Spot) -> list[int]:
        tile, k = spot
        roots = [0] * len(self.cells)
        if tile < 0:
            roots[k] = self.counted[k]
            return roots
        sources: dict[int, list[int]] = {}
        for place in self.places[tile]:
            sources.setdefault(place.cells[k], []).append(place.at)
        for cell in sorted(sources):
            here = roots[cell] = self.new()
            self.add(-here, *sources[cell])
            for at in sources[cell]:
                self.add(-at, here)
        return roots

    def _lakes(self) -> None:
        spots = self._spots("L")
        if not spots:
            return
        for spot in spots:
            if spot[0] >= 0:
                self.items.append((2 if "lakes2" in self.position.variants else 3, -self._is_seen(spot)))
        if "lakes2" not in self.position.variants:
            shown = self._visible("L")
            roots = [self.new() for _ in self.cells]
            self.items += [(3, root) for root in roots]
            self._levels(shown, roots, len(spots) // 2)

    def _forests(self) -> None:
        spots = self._spots("F")
        growing = "forests5" in self.position.variants
        self.items += [(5 if growing else 2, -self._is_seen(spot)) for spot in spots]
        if not growing or not spots:
            return
        # A forest of s cells scores 5 s - 4, 3 more if s > 1, 2 if s > 2, and 1 if s > 3.
        shown = self._visible("F")
        roots = [self.new() for _ in self.cells]
        self._levels(shown, roots, len(spots) // 2)
        for cell, root in enumerate(roots):
            self.items.append((4, root))
            shapes = [frozenset([cell])]
            for points in (3, 2, 1):
                grown = {form | {near} for form in shapes for part in form for near in self.near[part]}
                shapes = sorted((form for form in grown if len(form) == 5 - points), key=sorted)
                larger = self.new()
                self.items.append((points, larger))
                for form in shapes:
                    self.add(-root, larger, *(-shown[part] for part in sorted(form) if part != cell))

    def _pairs(self) -> None:
        cells = self.position.cells_in_play
        takes = 2 if "factories2" in self.position.variants else 1
        pairs = most_pairs(self.position)
        missing = [self.new() for _ in range(min(pairs, self.loss // 4 + 1))]
        self.items += [(4, pair) for pair in missing]
        for terrain, per_cell in (("R", 1), ("U", takes)):
            hidden = [(1, -self._is_seen(spot)) for spot in self._spots(terrain)]
            for n, pair in enumerate(missing, 1):
                at_least = -(-(per_cell * cells[terrain] - pairs + n) // per_cell)
                self.add(-self._sum(hidden, at_least)[at_least], pair)

    def _blocks(self) -> None:
        cells, variants = self.position.cells_in_play, self.position.variants
        if "plains" in variants:
            self._count_blocks(self._visible("P"), most_blocks(cells["P"]))
        if "squares" in variants:
            self._count_blocks(self.counted, most_blocks(cells["V"]))

    def _count_blocks(self, shown: Sequence[int], ideal: int) -> None:
        if not ideal:
            return
        blocks = []
        for row, column in product(range(self.size - 1), repeat=2):
            corner = row * self.size + column
            block = self.new()
            blocks.append(block)
            for cell in (corner, corner + 1, corner + self.size, corner + self.size + 1):
                self.add(-block, shown[cell])
        missing = self._sum([(1, -block) for block in blocks], len(blocks))
        for n in range(1, ideal + 1):
            lost = self.new()
            self.items.append((4, lost))
            enough = [-missing[len(blocks) - n + 1]] if n <= len(blocks) else []
            self.add(*enough, lost)

    def _limit_loss(self) -> None:
        # The items count what is missing from 3 points a lake cell and 5 a forest cell.
        free = 0
        cells, variants = self.position.cells_in_play, self.position.variants
        if cells["L"] and "lakes2" not in variants:
            free += 3
        if "forests5" in variants:
            free += 5 * cells["F"] - forest_points(cells["F"])
        limit = self.loss + free
        total = self._sum(self.items, limit + 1)
        if limit + 1 in total:
            self.add(-total[limit + 1])

    def moves(self, model: Sequence[int]) -> list[Move]:
        true = {literal for literal in model if literal > 0}
        laid = []
        for tile in self.tiles:
            for place in self.places[tile]:
                if place.at in true:
                    laid.append((tile, Move(self.hand[tile].id, place.rotation, place.row, place.column)))
        ordered: list[Move] = []
        while laid:
            lowest = next(
                (tile, move)
                for tile, move in laid
                if all(self.above[tile][other] not in true for other, _ in laid if other != tile)
            )
            laid.remove(lowest)
            ordered.append(lowest[1])
        return ordered

    def fixed(self, moves: Sequence[Move]) -> list[int]:
        by_terrains: dict[str, list[tuple[int, int]]] = {}
        for number, move in enumerate(moves):
            shown = self.position.tile_of[move.tile]
            tile = self._equal(shown.terrains)[0]
            wanted = (move.rotation % (2 if shown.is_half_turn else 4), move.row, move.column)
            places = [place[1:4] for place in self.places[tile]]
            by_terrains.setdefault(shown.terrains, []).append((places.index(wanted), number))
        laid: dict[int, tuple[int, int]] = {}
        for terrains, placed in by_terrains.items():
            for tile, (index, number) in zip(self._equal(terrains), sorted(placed), strict=False):
                laid[number] = tile, index
        used = {tile for tile, _ in laid.values()}
        literals = [-self.laid[tile] for tile in self.tiles if tile not in used]
        literals += [self.places[tile][index].at for tile, index in laid.values()]
        for number, other in combinations(range(len(moves)), 2):
            (below, low), (above, high) = laid[number], laid[other]
            if set(self.places[below][low].cells) & set(self.places[above][high].cells):
                literals.append(self.above[above][below])
        return literals

    def _equal(self, terrains: str) -> list[int]:
        return [tile for tile in self.tiles if self.hand[tile].terrains == terrains]

    def forbid(self, moves: Sequence[Move]) -> list[int]:
        self.add(*(-literal for literal in self.fixed(moves)))
        return self.clauses[-1]

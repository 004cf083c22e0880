"""The proving kernel: an upper bound of the final score, and an exhaustive search that uses it.

The bound of a map with a hand of m tiles adds up what all visible cells and all cells of the hand could
score, and subtracts the least that must get hidden:

* every tile laid hides at least one visible cell, and what is visible at the end fits on the board, so at
  least max(m, visible + 6 m - size * size) cells disappear, of whatever terrain costs least; a tile that is
  never laid counts as six hidden cells;
* the village is at most all village cells that are left; a forest all forest cells;
* lakes are never hidden, and a lake cell of a tile has at most two neighbours outside its tile, so that
  at least
  lakes - 2 * (lake cells of the hand), and at least one, remain.

No final map that is reached from here scores more than this bound.

The search lays tiles on top of the stack in every order, with these cuts:

* placements after which the bound is not above the target are skipped;
* of two placements next to each other in the order that do not overlap, only one order is tried, for the map
  is the same (the tile that is first in the hand, of equal tiles the lower place, comes first);
* equal tiles are laid in the order of the hand, and a tile that is its own half turn in two rotations only.

`search` can be resumed, so that it can share a thread with annealing. Its array `q` has a row
of 16 numbers and a list of places for each depth:

      q[depth, 0]      legal places here, -1 before they are listed
      q[depth, 1]      next candidate: (4 * tile + rotation) * places + place
      q[depth, 2..4]   the tile, rotation and place that led to the next depth, -1 for none
      q[depth, 16..]   the places, 2 * corner + lying
"""

from __future__ import annotations

from arcade.engines.compiled import njit
from arcade.engines.control import DEPTH, NODES, STOP
from arcade.engines.honshu.annealer import (
    BASE,
    CHANGED,
    COUNTS,
    FACTORIES2,
    FACTORY,
    FOREST,
    FORESTS5,
    HAND,
    LAKE,
    LAKES2,
    NONE,
    PLACES,
    PLAIN,
    PLAINS4,
    POINTS,
    RESOURCE,
    SIZE,
    SQUARES,
    TERRAIN_OF,
    VILLAGE,
    WIDTH,
    Ints,
    count_points,
    find_places,
    lay,
    lift,
    score,
)

PLACES_COUNT, NEXT, TILE, ROTATION, PLACE, LIST = 0, 1, 2, 3, 4, 16
ROW = LIST + 2 * 14 * 15
"""Length of a row of `q`."""

RUNNING, PROVED, FOUND = 0, 1, 2
"""Results of `search`: out of budget or stopped; no score is above the target; one is."""


@njit(nogil=True)
def _least_loss(
    hidden: int,
    plains: int,
    villages: int,
    forests: int,
    lakes: int,
    resources: int,
    factories: int,
    takes: int,
    forest_cost: int,
    lake_cost: int,
) -> int:
    """The least loss of points when some number of cells must be hidden."""
    if hidden <= plains:
        return 0
    pairs = min(resources, takes * factories)
    least = 4 * pairs + 6 * hidden
    for r in range(min(hidden, resources) + 1):
        for f in range(min(hidden - r, factories) + 1):
            rest = hidden - r - f - plains
            loss = 4 * (pairs - min(resources - r, takes * (factories - f)))
            if rest > 0:
                take = min(rest, villages)
                loss += take
                rest -= take
                take = min(rest, forests)
                loss += take * forest_cost
                rest -= take
                loss += rest * lake_cost
                if rest > lakes:
                    continue
            least = min(least, loss)
    return least


@njit(nogil=True)
def most_blocks(cells: int) -> int:
    """Most 2x2 blocks that c cells can form: c - ceil(2 sqrt(c)) + 1, after Harary and Harborth (1976)."""
    if cells < 4:
        return 0
    root = 0
    while root * root < 4 * cells:
        root += 1
    return cells - root + 1


@njit(nogil=True, cache=True)
def bound(s: Ints, t: Ints, rest: Ints, left: int) -> int:
    """A proven upper bound of every final score that can be reached.

    Args:
        s, t: the map, see `annealer`.
        rest: cells of each terrain in the tiles that are left, by terrain code, shape (7,).
        left: the number of these tiles.
    """
    takes = 1 + t[FACTORIES2]
    visible = 0
    for terrain in range(1, 7):
        visible += s[COUNTS + terrain]
    hidden = max(left, visible + 6 * left - t[SIZE] * t[SIZE])
    plains = s[COUNTS + PLAIN] + rest[PLAIN]
    villages = s[COUNTS + VILLAGE] + rest[VILLAGE]
    forests = s[COUNTS + FOREST] + rest[FOREST]
    lakes = s[COUNTS + LAKE] + rest[LAKE]
    resources = s[COUNTS + RESOURCE] + rest[RESOURCE]
    factories = s[COUNTS + FACTORY] + rest[FACTORY]
    total = villages + 4 * min(resources, takes * factories)
    if t[SQUARES]:
        total += 4 * most_blocks(villages)
    if t[PLAINS4]:
        total += 4 * most_blocks(plains)
    forest_cost = 2
    if t[FORESTS5]:
        forest_cost = 1
        total += forests * (forests + 1) // 2 if forests <= 5 else 15 + 5 * (forests - 5)
    else:
        total += 2 * forests
    lake_cost = 2
    if t[LAKES2]:
        total += 2 * lakes
    elif lakes:
        if s[CHANGED + LAKE]:
            count_points(s, t, LAKE)
        # One lake cell of a map scores nothing, so one may be missing at no loss.
        lake_cost = 3 if s[COUNTS + LAKE] else 0
        now = s[COUNTS + LAKE] - s[POINTS + LAKE - 1] // 3
        total += 3 * (lakes - max(1, now - 2 * rest[LAKE]))
    return total - _least_loss(
        hidden, plains, villages, forests, rest[LAKE], resources, factories, takes, forest_cost, lake_cost
    )


@njit(nogil=True)
def _overlap(t: Ints, rotation: int, place: int, other_rotation: int, other_place: int) -> bool:
    width = t[WIDTH]
    row = (place >> 1) // width
    other_row = (other_place >> 1) // width
    column = (place >> 1) - row * width
    other_column = (other_place >> 1) - other_row * width
    rows, columns = 3 - (rotation & 1), 2 + (rotation & 1)
    other_rows, other_columns = 3 - (other_rotation & 1), 2 + (other_rotation & 1)
    return (
        row < other_row + other_rows
        and other_row < row + rows
        and column < other_column + other_columns
        and other_column < column + columns
    )


@njit(nogil=True, cache=True)
def search(
    s: Ints,
    t: Ints,
    q: Ints,
    rest: Ints,
    used: Ints,
    twins: Ints,
    halves: Ints,
    target: int,
    depth: int,
    budget: int,
    cells: Ints,
) -> tuple[int, int]:
    """Look for a final score above `target`; resumable.

    Args:
        s, t: the map at `depth`, see `annealer`.
        q: the stack, see above, shape (hand + 1, ROW), int64; q[0, 0] is -1 at the start.
        rest: cells of each terrain in the tiles that are left, shape (7,); kept up to date.
        used: which tiles are laid, shape (hand,); kept up to date.
        twins: the class of each tile, the index of the first that equals it, shape (hand,).
        halves: which tiles are their own half turn, shape (hand,).
        target: the score to beat.
        depth: tiles laid so far by the search.
        budget: nodes to visit before returning.
        cells: of a `Control`; NODES and DEPTH are written.

    Returns:
        RUNNING, PROVED or FOUND, and the depth. After FOUND `s` holds a map with a higher score, and the
        stack holds the way to it; after PROVED `s` is the map of the start.
    """
    hand = t[HAND]
    rank = t[BASE]
    nodes = 0
    while True:
        places = q[depth, PLACES_COUNT]
        if places < 0:
            nodes += 1
            if nodes >= budget or cells[STOP]:
                cells[NODES] += nodes
                cells[DEPTH] = depth
                return RUNNING, depth
            places = find_places(s, t) if depth < hand else 0
            q[depth, PLACES_COUNT] = places
            q[depth, NEXT] = 0
            for index in range(places):
                q[depth, LIST + index] = s[PLACES + index]
            if places == 0 and score(s, t, NONE) > target:
                cells[NODES] += nodes
                return FOUND, depth
        going = False
        candidate = q[depth, NEXT]
        end = 4 * hand * places
        while candidate < end:
            tile = candidate // (4 * places)
            rotation = candidate // places & 3
            twin = twins[tile]
            skip = used[tile] != 0
            if not skip and twin != tile:
                for each in range(twin, tile):
                    if twins[each] == twin and used[each] == 0:
                        skip = True
            if skip:
                candidate = 4 * places * (tile + 1)
                continue
            if halves[tile] and rotation > 1:
                candidate = 4 * places * (tile + 1)
                continue
            place = q[depth, LIST + candidate % places]
            candidate += 1
            if (place ^ rotation) & 1:
                continue
            if depth:
                before = q[depth - 1, TILE]
                first = twins[before]
                if (twin < first or (twin == first and place < q[depth - 1, PLACE])) and not _overlap(
                    t, rotation, place, q[depth - 1, ROTATION], q[depth - 1, PLACE]
                ):
                    continue
            lay(s, t, tile, rank + depth, rotation, place >> 1)
            used[tile] = 1
            for index in range(6):
                rest[t[TERRAIN_OF + 24 * tile + index]] -= 1
            left = hand - depth - 1
            points = bound(s, t, rest, left) if left else score(s, t, target + 1)
            if points > target:
                q[depth, NEXT] = candidate
                q[depth, TILE] = tile
                q[depth, ROTATION] = rotation
                q[depth, PLACE] = place
                depth += 1
                q[depth, PLACES_COUNT] = -1
                going = True
                break
            used[tile] = 0
            for index in range(6):
                rest[t[TERRAIN_OF + 24 * tile + index]] += 1
            lift(s, t, tile, rank + depth, rotation, place >> 1)
            nodes += 1
        if going:
            continue
        if depth == 0:
            cells[NODES] += nodes
            return PROVED, 0
        depth -= 1
        tile = q[depth, TILE]
        used[tile] = 0
        for index in range(6):
            rest[t[TERRAIN_OF + 24 * tile + index]] += 1
        lift(s, t, tile, rank + depth, q[depth, ROTATION], q[depth, PLACE] >> 1)


@njit(nogil=True, cache=True)
def rate(s: Ints, t: Ints, rest: Ints, listed: Ints, rates: Ints, cells: Ints) -> None:
    """For each legal move a bound of the final score, and with one or two tiles left its best final score.

    Args:
        s, t, rest: see `search`.
        listed: tile, rotation and corner of each move, shape (moves, 3).
        rates: for each move its best final score, `NONE` when not searched, and its bound; shape (moves, 2).
        cells: of a `Control`; once it stops no more moves are searched.
    """
    hand = t[HAND]
    rank = t[BASE]
    for index in range(len(listed)):
        tile, rotation, corner = listed[index, 0], listed[index, 1], listed[index, 2]
        lay(s, t, tile, rank, rotation, corner)
        points = score(s, t, NONE)
        rates[index, 0] = NONE
        rates[index, 1] = points
        if hand == 1:
            rates[index, 0] = points
        else:
            for each in range(6):
                rest[t[TERRAIN_OF + 24 * tile + each]] -= 1
            rates[index, 1] = bound(s, t, rest, hand - 1)
            for each in range(6):
                rest[t[TERRAIN_OF + 24 * tile + each]] += 1
        if hand == 2 and not cells[STOP]:
            last = 1 - tile
            places = find_places(s, t)
            most = NONE if places else points
            for place in range(places):
                spot = s[PLACES + place]
                for way in range(spot & 1, 4, 2):
                    lay(s, t, last, rank + 1, way, spot >> 1)
                    most = max(most, score(s, t, most))
                    lift(s, t, last, rank + 1, way, spot >> 1)
            rates[index, 0] = most
            rates[index, 1] = most
        lift(s, t, tile, rank, rotation, corner)

"""Check many puzzles by searches that share no code with the solvers, and that no two are symmetric.

    python -m tools.puzzles --count 1000 chocobar hexapawn tetromino honshu menace

Each position with a move to find is searched from the rules: that move keeps the value, and every other one
loses it. Chocobar, Hexapawn and MENACE are searched through the public rules. Tetromino and Honshu have too
many layouts for that, so they are searched as sets of cells. The output ends with the difficulties that
divide the puzzles into five equal parts (`Practice.grade_thresholds`).
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import Counter
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.honshu.rules import HonshuPosition
from arcade.engines.honshu.rules import Move as Laying
from arcade.engines.honshu.tiles import TERRAINS
from arcade.engines.position import Position
from arcade.engines.registry import get_game, parse_game_id
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.study.puzzle_generator import Puzzle, PuzzleGenerator, PuzzleStep, difficulty

Ints = NDArray[np.int64]
njit: Any = numba.njit
"""The arcade's kernels cannot call themselves."""
MOST_KEPT = 3_000_000
ENTRIES = 1 << 22


class Plain:
    """By recursion over the rules: 1 for a win of the player to move, 0 for a tie, -1 for a loss."""

    def __init__(self) -> None:
        self.known: dict[Position[Any], int] = {}

    def value(self, position: Position[Any]) -> int:
        known = self.known.get(position)
        if known is None:
            outcome = position.outcome()
            if outcome is not None:
                known = 0 if outcome.winner is None else 1 if outcome.winner == position.turn else -1
            else:
                known = -1
                for move in position.moves():
                    known = max(known, -self.value(position.play(move)))
                    if known == 1:
                        break
            if len(self.known) > MOST_KEPT:
                self.known.clear()
            self.known[position] = known
        return known

    def worth(self, position: Position[Any]) -> dict[Any, int]:
        return {move: -self.value(position.play(move)) for move in position.moves()}


@njit(cache=True)
def _tetromino(masks: Ints, first: Ints, occupied: int, mover: int, other: int, kept: Ints) -> int:
    """Return the value for the player to move.

    Args:
        masks: cells of every placement, by piece
        first: where the placements of each piece begin, and where the last ones end
        kept: known positions, stored completely
    """
    if mover == 0 and other == 0:
        return 0
    key = ((occupied << 5 | mover) << 5 | other) << 2
    slot = (key * 0x9E3779B97F4A7C1 >> 20) & (ENTRIES - 1)
    if kept[slot] & ~3 == key and kept[slot] & 3:
        return (kept[slot] & 3) - 2
    best = -1
    for piece in range(5):
        if mover >> piece & 1:
            for at in range(first[piece], first[piece + 1]):
                if masks[at] & occupied == 0:
                    value = -_tetromino(
                        masks, first, occupied | masks[at], other, mover & ~(1 << piece), kept
                    )
                    best = max(best, value)
                    if best == 1:
                        break
        if best == 1:
            break
    kept[slot] = key | (best + 2)
    return best


class Tetromino:
    """As `Plain`."""

    def __init__(self) -> None:
        self.kept = np.zeros(ENTRIES, np.int64)
        self.size = (0, 0)

    def worth(self, position: Tetrominoes) -> dict[Any, int]:
        if self.size != (position.width, position.height):
            self.size = (position.width, position.height)
            self.kept[:] = 0
        places: list[list[int]] = [[] for _ in range(5)]
        for move, mask in position.board.placements.items():
            places["ILOST".index(move.piece)].append(mask)
        first = np.cumsum([0, *map(len, places)])
        masks = np.array([mask for each in places for mask in each], np.int64)
        found = {}
        for move in position.moves():
            after = position.play(move)
            hands = after.hands[after.turn], after.hands[1 - after.turn]
            found[move] = -int(_tetromino(masks, first, after.occupied, *hands, self.kept))
        return found


@njit(cache=True)
def _spread(cells: int, start: int, stride: int) -> int:
    group = start
    while True:
        wider = (group | group << 1 | group >> 1 | group << stride | group >> stride) & cells
        if wider == group:
            return group
        group = wider


@njit(cache=True)
def _count(cells: int) -> int:
    number = 0
    while cells:
        cells &= cells - 1
        number += 1
    return number


@njit(cache=True)
def _points(shown: Ints, stride: int) -> int:
    """Cells of each terrain are in the order PFLVRU; without variants."""
    village, rest = 0, shown[3]
    while rest:
        group = _spread(shown[3], rest & -rest, stride)
        village = max(village, _count(group))
        rest &= ~group
    lakes, rest = 0, shown[2]
    while rest:
        group = _spread(shown[2], rest & -rest, stride)
        lakes += 3 * (_count(group) - 1)
        rest &= ~group
    return village + 2 * _count(shown[1]) + lakes + 4 * min(_count(shown[4]), _count(shown[5]))


@njit(cache=True)
def _most(shown: Ints, layers: Ints, count: int, places: Ints, of: Ints, left: int, stride: int) -> int:
    """Return the highest final score by trying all remaining tiles in every way and order.

    Args:
        shown: cells of each terrain, shape (6,)
        layers: visible cells of each tile, of which `count` are used
        places: cells of each placement, then of each terrain, shape (placements, 7)
        of: tile of each placement
        left: remaining tiles, one bit each
        stride: bits from a cell to the one below
    """
    occupied = 0
    for each in range(6):
        occupied |= shown[each]
    best = -1
    for at in range(len(places)):
        cells = places[at, 0]
        if not left >> of[at] & 1 or cells & occupied == 0 or cells & shown[2]:
            continue
        buried = False
        for each in range(count):
            if layers[each] & ~cells == 0:
                buried = True
        if buried:
            continue
        now = shown.copy()
        under = layers.copy()
        for each in range(6):
            now[each] = shown[each] & ~cells | places[at, 1 + each]
        for each in range(count):
            under[each] &= ~cells
        under[count] = cells
        best = max(best, _most(now, under, count + 1, places, of, left & ~(1 << of[at]), stride))
    return best if best >= 0 else _points(shown, stride)


class Layouts:
    def worth(self, position: HonshuPosition) -> dict[Any, int]:
        hand = list(position.hand)
        numbers = {tile.id: number for number, tile in enumerate(hand)}
        rows, of = [], []
        for tile in hand:
            for rotation in range(4):
                for row in range(position.size):
                    for column in range(position.size):
                        if (
                            row + 3 - rotation % 2 > position.size
                            or column + 2 + rotation % 2 > position.size
                        ):
                            continue
                        parts = dict(position.cells_of(Laying(tile.id, rotation, row, column)))
                        masks = [parts.get(letter, 0) for letter in "PFLVRU"]
                        rows.append([sum(masks), *masks])
                        of.append(numbers[tile.id])
        places, tiles = np.array(rows, np.int64), np.array(of, np.int64)
        found = {}
        for move in position.moves():
            after = position.play(move)
            shown = np.array([after.map.terrains[letter] for letter in "PFLVRU"], np.int64)
            layers = np.zeros(24, np.int64)
            layers[: len(after.map.layers)] = after.map.layers
            left = sum(1 << numbers[tile.id] for tile in after.hand)
            found[move] = int(_most(shown, layers, len(after.map.layers), places, tiles, left, after.stride))
        return found


def confirmed(step: PuzzleStep, worth: dict[Any, int]) -> bool:
    right = worth.pop(step.move)
    return bool(worth) and right > max(worth.values()) and (step.reply is None or right >= 0)


def check(puzzle: Puzzle, search: Any) -> str:
    """What is wrong with a puzzle, or ""."""
    if parse_game_id(str(puzzle.id)).start() != puzzle.start:
        return "its ID names another position"
    if puzzle.start.play(puzzle.steps[0].move).outcome() is not None:
        return "its first move ends the game"
    position = puzzle.start
    for number, step in enumerate(puzzle.steps, 1):
        if step.position != position:
            return f"step {number} does not follow from the one before"
        if not confirmed(step, search.worth(position)):
            return f"move {number}, {step.move}, is not the only good one"
        position = position.play(step.move)
        if step.reply is not None:
            position = position.play(step.reply)
    return ""


def main(name: str, count: int, seed: int) -> bool:
    game, rng = get_game(name), random.Random(seed)
    search: Any = {"tetromino": Tetromino, "honshu": Layouts}.get(name, Plain)()
    assert sorted(TERRAINS) == sorted("PFLVRU")
    game.solver.warm()
    maker, faults = PuzzleGenerator(game), 0
    made: list[Puzzle] = []
    took: list[float] = []
    started = time.perf_counter()
    with Control() as control:
        while len(made) < count:
            chosen, begun = rng.randrange(1 << 40), time.perf_counter()
            try:
                puzzle = maker.make(chosen, control)
            except InputError as error:
                print(f"  {error}")
                break
            took.append(time.perf_counter() - begun)
            assert puzzle is not None
            made.append(puzzle)
            fault = check(puzzle, search)
            if fault:
                faults += 1
                print(f"  {puzzle.id}, seed {chosen}: {fault}.")
    forms = {game.symmetries.canonical(puzzle.start) for puzzle in made}
    hard = sorted(difficulty(each.sees, each.tempting, len(each.steps[0].analysis)) for each in made)
    print(
        f"{name}: {len(made)} puzzles, {sum(len(each.steps) for each in made)} moves to find,"
        f" {faults} not confirmed, {len(made) - len(forms)} symmetric."
        f" Made in {1000 * statistics.median(took):.0f} ms (median), {1000 * max(took):.0f} ms (longest);"
        f" grades {sorted(Counter(each.grade for each in made).items())},"
        f" fifths {[hard[len(hard) * part // 5] for part in range(1, 5)]},"
        f" sees {min(each.sees for each in made)} to {max(each.sees for each in made)};"
        f" {time.perf_counter() - started:.0f} s in all",
        flush=True,
    )
    return not faults and len(forms) == len(made)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("games", nargs="+")
    given = parser.parse_args()
    right = [main(each, given.count, given.seed) for each in given.games]
    raise SystemExit(not all(right))

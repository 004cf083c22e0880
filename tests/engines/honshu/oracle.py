"""Honshu a second time, straight from the rules: maps as dictionaries of cells, scores by flood fill on sets.

Shares with the engine only the notation of moves and the words of tiles.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from arcade.engines.honshu.rules import HonshuPosition, Move, parse_move

Cell = tuple[int, int]


@dataclass
class Board:
    """A map: for each cell all that lies there, from the bottom up, as (number of the layer, terrain)."""

    size: int
    cells: dict[Cell, list[tuple[int, str]]] = field(default_factory=dict)
    layers: int = 0

    def visible(self) -> dict[Cell, str]:
        return {cell: stack[-1][1] for cell, stack in self.cells.items()}

    def put(self, placed: dict[Cell, str]) -> None:
        for cell, terrain in placed.items():
            self.cells.setdefault(cell, []).append((self.layers, terrain))
        self.layers += 1

    def legal(self, placed: dict[Cell, str]) -> bool:
        if not all(0 <= row < self.size and 0 <= column < self.size for row, column in placed):
            return False
        if not any(cell in self.cells for cell in placed):
            return False
        if any(cell in self.cells and self.cells[cell][-1][1] == "L" for cell in placed):
            return False
        seen = {stack[-1][0] for cell, stack in self.cells.items() if cell not in placed}
        return seen == set(range(self.layers))


@cache
def turned(terrains: str, rotation: int) -> Mapping[Cell, str]:
    """The cells of a tile turned clockwise: (row, column) goes to (column, rows - 1 - row)."""
    cells = {(index // 2, index % 2): terrain for index, terrain in enumerate(terrains)}
    for _ in range(rotation):
        rows = 1 + max(row for row, _ in cells)
        cells = {(column, rows - 1 - row): terrain for (row, column), terrain in cells.items()}
    return cells


def at(cells: Mapping[Cell, str], row: int, column: int) -> dict[Cell, str]:
    return {(row + r, column + c): terrain for (r, c), terrain in cells.items()}


def start(position: HonshuPosition) -> Board:
    board = Board(position.size)
    corner = position.size // 2 - 1
    board.put(at(turned(position.start.terrains, 0), corner, corner))
    return board


def placed(position: HonshuPosition, move: Move) -> dict[Cell, str]:
    terrains = next(tile.terrains for tile in position.tiles if tile.id == move.tile)
    return at(turned(terrains, move.rotation), move.row, move.column)


def board_of(position: HonshuPosition) -> Board:
    """The map of a position, every placement checked."""
    board = start(position)
    for move in position.laid:
        cells = placed(position, move)
        assert board.legal(cells), f"{move} breaks a rule"
        board.put(cells)
    return board


def groups(cells: set[Cell]) -> list[set[Cell]]:
    found = []
    left = set(cells)
    while left:
        group: set[Cell] = set()
        edge = {left.pop()}
        while edge:
            group |= edge
            edge = {
                near
                for row, column in edge
                for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
                if near in cells
            } - group
        left -= group
        found.append(group)
    return found


def squares(cells: set[Cell]) -> int:
    return sum({(r, c + 1), (r + 1, c), (r + 1, c + 1)} <= cells for r, c in cells)


def points(visible: dict[Cell, str], variants: frozenset[str]) -> dict[str, int]:
    """The score by rule."""
    of = {letter: {cell for cell, terrain in visible.items() if terrain == letter} for letter in "PFLVRU"}
    villages = groups(of["V"])
    largest = max((len(village) for village in villages), default=0)
    per_forest = [1, 2, 3, 4]
    forests = (
        sum(sum((per_forest + [5] * len(forest))[: len(forest)]) for forest in groups(of["F"]))
        if "forests5" in variants
        else 2 * len(of["F"])
    )
    lakes = 2 * len(of["L"]) if "lakes2" in variants else sum(3 * (len(lake) - 1) for lake in groups(of["L"]))
    pairs, free = 0, len(of["R"])
    for _ in of["U"]:
        taken = min(free, 2 if "factories2" in variants else 1)
        pairs, free = pairs + taken, free - taken
    return {
        "village": largest,
        "forests": forests,
        "lakes": lakes,
        "factories": 4 * pairs,
        "plains": 4 * squares(of["P"]) if "plains" in variants else 0,
        "squares": max((4 * squares(village) for village in villages if len(village) == largest), default=0)
        if "squares" in variants
        else 0,
    }


def final_score(game_file: str, moves: list[str]) -> int:
    """The score that moves reach in a game file, read, played and counted here alone."""
    words = Path(game_file).read_text().split()
    tiles = (Path(game_file).parent / "tuiles").read_text().split()
    terrains = {int(tiles[at]): "".join(tiles[at + 1 : at + 7]) for at in range(1, len(tiles), 7)}
    size, count = int(words[0]), int(words[1])
    hand = [int(word) for word in words[2 : 2 + count]]
    board = Board(size)
    board.put(at(turned(terrains[int(words[2 + count])], 0), size // 2 - 1, size // 2 - 1))
    for text in moves:
        move = parse_move(text)
        hand.remove(move.tile)
        cells = at(turned(terrains[move.tile], move.rotation), move.row, move.column)
        assert board.legal(cells), f"{text} breaks a rule"
        board.put(cells)
    assert not hand
    return sum(points(board.visible(), frozenset()).values())


def legal_moves(position: HonshuPosition, board: Board) -> list[Move]:
    left = [tile.id for tile in position.tiles]
    for move in position.laid:
        left.remove(move.tile)
    every = (
        Move(tile, rotation, row, column)
        for tile in sorted(set(left))
        for rotation in range(4)
        for row in range(position.size)
        for column in range(position.size)
    )
    return [move for move in every if board.legal(placed(position, move))]


@cache
def brute_force(position: HonshuPosition) -> int:
    """The highest final score, by the assignment's annex: all tiles, rotations and places.

    Boards that show the same with the same tiles left are searched once.
    """
    known: dict[object, int] = {}

    def best(board: Board, left: tuple[str, ...]) -> int:
        owners = frozenset(
            frozenset(cell for cell, stack in board.cells.items() if stack[-1][0] == layer)
            for layer in range(board.layers)
        )
        key = (tuple(sorted(board.visible().items())), owners, left)
        if key in known:
            return known[key]
        most = None
        for index, terrains in enumerate(left):
            if terrains in left[:index]:
                continue
            for rotation in range(4):
                rows, columns = (2, 3) if rotation % 2 else (3, 2)
                for row in range(board.size - rows + 1):
                    for column in range(board.size - columns + 1):
                        cells = at(turned(terrains, rotation), row, column)
                        if not board.legal(cells):
                            continue
                        after = Board(board.size, {c: list(s) for c, s in board.cells.items()}, board.layers)
                        after.put(cells)
                        found = best(after, left[:index] + left[index + 1 :])
                        most = found if most is None else max(most, found)
        if most is None:
            most = sum(points(board.visible(), position.variants).values())
        known[key] = most
        return most

    return best(board_of(position), tuple(tile.terrains for tile in position.hand))


def random_layout(position: HonshuPosition, rng: random.Random) -> HonshuPosition:
    """Random moves to the end."""
    while position.outcome() is None:
        position = random_move(position, rng)
    return position


def random_move(position: HonshuPosition, rng: random.Random) -> HonshuPosition:
    """The position after a random placement, drawn faster than from the list of all."""
    lying = rng.choice([index for index in (0, 1) if position.places[index]])
    row, column = rng.choice(position.places[lying])
    tile = rng.choice(position.hand)
    return position.play(Move(tile.id, lying + 2 * rng.randrange(2), row, column))

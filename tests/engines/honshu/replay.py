"""Honshu's question to a SAT solver a second time: the play step by step, and the score itself.

Shares with `arcade.engines.honshu.formula` nothing but the words of tiles. That formula speaks of tiles and
which lies above which, and counts what is lost; this one speaks of steps and of what each cell of the board
shows after each, and counts what is scored. It covers plays without variants that lay all tiles.
"""

from collections.abc import Sequence
from itertools import combinations

from arcade.engines.honshu.rules import HonshuPosition, Move
from tests.engines.honshu.oracle import Cell, at, start, turned

Literals = list[int]


class Replay:
    """Clauses that are satisfiable when some complete play from a deal scores at least `score`."""

    def __init__(self, position: HonshuPosition, score: int) -> None:
        assert not position.laid
        assert not position.variants
        self.clauses: list[Literals] = []
        self.variables = 0
        self.size = position.size
        self.board = [(row, column) for row in range(self.size) for column in range(self.size)]
        self.tiles = [tile.terrains for tile in position.tiles]
        self.ground = start(position).visible()
        self.possible = position.start.terrains + "".join(self.tiles)
        self._ids = [tile.id for tile in position.tiles]
        self._steps: list[tuple[Literals, dict[tuple[int, int, int], int]]] = []
        """For each step the literals of the tiles, and those of rotations, rows and columns from 0."""
        self._hidden: dict[str, Literals] = {letter: [] for letter in "FVRU"}
        """Literals that hold when a step hides a cell with the terrain."""
        self._play()
        self._score(score)

    def fixed(self, moves: Sequence[Move]) -> Literals:
        """What holds of these moves alone."""
        left, literals = dict(enumerate(self._ids)), []
        for (which, where), move in zip(self._steps, moves, strict=True):
            number = next(number for number, id in left.items() if id == move.tile)
            del left[number]
            literals += [which[number], where[move.rotation, move.row, move.column]]
        return literals

    def new(self, count: int) -> Literals:
        self.variables += count
        return list(range(self.variables - count + 1, self.variables + 1))

    def add(self, *literals: int) -> None:
        self.clauses.append(list(literals))

    def _one(self, literals: Literals) -> None:
        self.add(*literals)
        for one, other in combinations(literals, 2):
            self.add(-one, -other)

    def _play(self) -> None:
        steps = range(len(self.tiles))
        which = [self.new(len(self.tiles)) for _ in steps]
        for line in [*which, *(list(column) for column in zip(*which, strict=True))]:
            self._one(line)
        spots = [
            (rotation, row, column)
            for rotation in range(4)
            for row, column in self.board
            if all(cell in self.board for cell in at(turned("PPPPPP", rotation), row, column))
        ]
        shows = {cell: dict(zip("PFLVRU", self.new(6), strict=True)) for cell in self.board}
        for cell in self.board:
            for terrain, literal in shows[cell].items():
                self.add(literal if self.ground.get(cell) == terrain else -literal)
        marks = []
        for step in steps:
            where = self.new(len(spots))
            self._one(where)
            self._steps.append((which[step], dict(zip(spots, where, strict=True))))
            mark = dict(zip(self.board, self.new(len(self.board)), strict=True))
            marks.append(mark)
            letters = [dict(zip("PFLVRU", self.new(6), strict=True)) for _ in range(6)]
            for number, terrains in enumerate(self.tiles):
                for part, terrain in enumerate(terrains):
                    for letter, literal in letters[part].items():
                        self.add(-which[step][number], literal if letter == terrain else -literal)
            after = {cell: dict(zip("PFLVRU", self.new(6), strict=True)) for cell in self.board}
            for cell in self.board:
                for one, other in combinations(after[cell].values(), 2):
                    self.add(-one, -other)
                for terrain in "PFLVRU":
                    self.add(mark[cell], -shows[cell][terrain], after[cell][terrain])
                    self.add(mark[cell], shows[cell][terrain], -after[cell][terrain])
                self.add(-mark[cell], -shows[cell]["L"])
                for terrain, hidden in self._hidden.items():
                    hidden += self.new(1)
                    self.add(-mark[cell], -shows[cell][terrain], hidden[-1])
            hits = dict(zip(self.board, self.new(len(self.board)), strict=True))
            self.add(*hits.values())
            covering: dict[Cell, Literals] = {cell: [] for cell in self.board}
            for here, (rotation, row, column) in zip(where, spots, strict=True):
                parts = at(turned("012345", rotation), row, column)
                for cell in self.board:
                    if cell not in parts:
                        self.add(-here, -mark[cell])
                        continue
                    covering[cell].append(here)
                    self.add(-here, mark[cell])
                    for letter, literal in letters[int(parts[cell])].items():
                        self.add(-here, -literal, after[cell][letter])
            for cell in self.board:
                self.add(-hits[cell], mark[cell])
                self.add(-hits[cell], *shows[cell].values())
            shows = after
        self.final = shows
        self.add(*self._unmarked(list(self.ground), marks))
        for step in steps:
            last = self._unmarked(self.board, marks[step + 1 :])
            for cell, literal in zip(self.board, last, strict=True):
                self.add(-literal, marks[step][cell])
            self.add(*last)

    def _unmarked(self, cells: list[Cell], marks: list[dict[Cell, int]]) -> Literals:
        """For each cell a literal that implies that no step marks it."""
        found = self.new(len(cells))
        for cell, literal in zip(cells, found, strict=True):
            for mark in marks:
                self.add(-literal, -mark[cell])
        return found

    def _at_least(self, literals: Literals, most: int) -> Literals:
        """Literals 1.. that imply that at least so many hold."""
        before = [0] * (most + 1)
        for literal in literals:
            now = [0, *self.new(most)]
            for n in range(1, most + 1):
                self.add(-now[n], *filter(None, [before[n], literal]))
                if n > 1:
                    self.add(-now[n], *filter(None, [before[n], before[n - 1]]))
            before = now
        return before[1:]

    def _trees(self, members: dict[Cell, int], longest: int) -> Literals:
        """Every member is a root, or has a parent beside it that is nearer to a root."""
        roots = dict(zip(self.board, self.new(len(self.board)), strict=True))
        depth = {cell: self.new(longest) for cell in self.board}
        for cell in self.board:
            for low, high in zip(depth[cell], depth[cell][1:], strict=False):
                self.add(-high, low)
            row, column = cell
            parents = []
            for other in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                if other in depth:
                    (parent,) = self.new(1)
                    parents.append(parent)
                    self.add(-parent, members[other])
                    self.add(-parent, depth[cell][0])
                    for low, high in zip(depth[other], depth[cell][1:], strict=False):
                        self.add(-parent, -low, high)
                    self.add(-parent, -depth[other][-1])
            self.add(-members[cell], roots[cell], *parents)
        return list(roots.values())

    def _score(self, score: int) -> None:
        total = {letter: self.possible.count(letter) for letter in "PFLVRU"}
        counted = dict(zip(self.board, self.new(len(self.board)), strict=True))
        for cell in self.board:
            self.add(-counted[cell], self.final[cell]["V"])
        items: list[tuple[int, int]] = []
        if total["V"]:
            for one, other in combinations(self._trees(counted, max(1, total["V"] // 2)), 2):
                self.add(-one, -other)
            items += [(1, each) for each in self._at_least(list(counted.values()), total["V"])]
        forests = self._at_least([self.final[cell]["F"] for cell in self.board], total["F"])
        items += [(2, each) for each in forests]
        if total["L"]:
            roots = self._trees({cell: self.final[cell]["L"] for cell in self.board}, max(1, total["L"] // 2))
            # At least n cells are no root: at most so many lakes.
            bare = len(self.board) - total["L"]
            few = self._at_least([-root for root in roots], len(self.board) - 1)
            items += [(3, each) for each in few[bare:]]
        pairs = min(total["R"], total["U"])
        resources, factories = (
            self._at_least([self.final[cell][letter] for cell in self.board], total[letter])
            for letter in "RU"
        )
        for n in range(pairs):
            (pair,) = self.new(1)
            self.add(-pair, resources[n])
            self.add(-pair, factories[n])
            items.append((4, pair))
        spare = sum(weight for weight, _ in items) - score
        if spare < 0:
            self.add()
            return
        self._limit(items, spare)
        # Implied, since what is hidden stays hidden; without it no bound of a whole game falls in minutes.
        weights = {"V": 1, "F": 2, min("RU", key=lambda letter: total[letter]): 4}
        self._limit(
            [(weight, -each) for letter, weight in weights.items() for each in self._hidden[letter]], spare
        )

    def _limit(self, items: list[tuple[int, int]], spare: int) -> None:
        """The weights of the literals that do not hold sum to at most `spare`."""
        lost: Literals = [0] * spare
        for weight, literal in items:
            now = self.new(spare)
            for n in range(spare):
                if lost[n]:
                    self.add(-lost[n], now[n])
                    self.add(-lost[n], literal, *now[n + weight : n + weight + 1])
            self.add(literal, *now[weight - 1 : weight])
            lost = now

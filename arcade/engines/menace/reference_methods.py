"""The original report's four structures of boxes, without its program's mistakes.

See docs/original-methods.md. These boxes share no code with `box.py`, so that tests can compare the two.
"""

from __future__ import annotations

import gc
import random
import re
import time
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.menace.archive import from_json, to_json
from arcade.engines.menace.machine import Machine, Options
from arcade.engines.menace.rules import CELLS, SYMMETRIES, Cell, O, TicTacToe, X, image, mark_at, position
from arcade.engines.reference_methods import (
    Comparison,
    MethodResult,
    ReportedFinding,
    SolvingMethod,
    check_time,
)

if TYPE_CHECKING:
    from arcade.engines.menace.machine import AnyMachine

T = TypeVar("T")

# A board: 18 bits, cell i in bits 2i and 2i + 1; 0 empty, 1 X, 2 O. The beads: cell i in bits 7i to 7i + 6.

MAX_BEADS = 127
FIRST_BEADS = (4, 4, 3, 3, 2, 2, 1, 1, 1)
"""Beads for each empty cell, by the number of marks on the board."""
WRITTEN_BEADS = re.compile(r"[0-7]?[0-9a-f]{1,15}", re.ASCII)
REWARDS = (3, 1, -1)
"""Beads for a win, a tie and a loss."""

Permutation = tuple[int, ...]


PERMUTATIONS = tuple(cells for _, cells in SYMMETRIES)
"""Symmetries of the board: the identity, a quarter turn to the right, then the others."""


def in_base_3(board: int, cells: Permutation = PERMUTATIONS[0]) -> int:
    """Return the image of a board under `cells` as a number in base 3. Cell i is the digit of 3 ** i."""
    return sum(int(mark_at(board, at) * 3**to) for at, to in enumerate(cells))


@cache
def canonical(board: int) -> tuple[int, Permutation]:
    return min((image(board, cells), cells) for cells in PERMUTATIONS)


@cache
def index_of(board: int) -> tuple[int, Permutation]:
    """Return the smallest base-3 number among a board's symmetric images, and a symmetry that gives it."""
    return min((in_base_3(board, cells), cells) for cells in PERMUTATIONS)


@cache
def following(board: int) -> dict[int, int]:
    here = position(board)
    return {move.index: here.play(move).board for move in here.moves()}


@cache
def first_beads(board: int) -> int:
    moves = following(board)
    return sum(FIRST_BEADS[CELLS - len(moves)] << 7 * at for at in moves)


def boards_after(moves: Sequence[int]) -> Iterator[int]:
    board = 0
    yield board
    for at in moves:
        board = following(board)[at]
        yield board


Player = Callable[[Sequence[int], Sequence[int], random.Random], int | None]
"""A function that receives the moves played and the free cells. It returns a free cell, or None to resign."""


class Structure(ABC):
    """A learner that keeps its beads in boxes.

    In its methods, `moves` are the cells that X and O took, in order.
    """

    sides: ClassVar[Sequence[str]] = ("as X", "as O")
    measure: ClassVar[str] = "bytes"

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Size in bytes in the report's language: 24 per box and 8 per link, or 8 per entry of a table."""

    @abstractmethod
    def reset(self) -> None:
        """Fill all boxes with their first beads again."""

    @abstractmethod
    def free(self) -> int:
        """Free all boxes. Return the number of visits to boxes that this takes."""

    @abstractmethod
    def walk(self) -> Iterator[Any]:
        """Yield every box once, in a fixed order."""

    @abstractmethod
    def opened(self, moves: Sequence[int]) -> Iterator[tuple[Any, Permutation]]:
        """Yield the box for each board of a game, with the permutation that maps the board to the box."""

    @abstractmethod
    def beads(self, box: Any) -> int: ...

    @abstractmethod
    def put(self, box: Any, beads: int) -> None: ...

    def __len__(self) -> int:
        return sum(1 for _ in self.walk())

    def counts(self, moves: Sequence[int], free: Sequence[int]) -> list[int]:
        *_, (box, cells) = self.opened(moves)
        beads = self.beads(box)
        return [beads >> 7 * cells[at] & MAX_BEADS for at in free]

    def draw(self, moves: Sequence[int], free: Sequence[int], rng: random.Random) -> int | None:
        counts = self.counts(moves, free)
        return rng.choices(free, counts)[0] if any(counts) else None

    def reward(self, moves: Sequence[int], changes: Sequence[int]) -> None:
        """Add its player's entry in `changes` to the beads of each move, limited to 0 to 127."""
        for ply, (at, (box, cells)) in enumerate(zip(moves, self.opened(moves), strict=False)):
            self._change(box, cells[at], changes[ply % 2])

    def _change(self, box: Any, slot: int, change: int) -> None:
        beads = self.beads(box)
        old = beads >> 7 * slot & MAX_BEADS
        self.put(box, beads + (min(max(old + change, 0), MAX_BEADS) - old << 7 * slot))

    def save(self) -> str:
        """Return a line for each box with its beads in hexadecimal. The boards follow from the order."""
        return "".join(f"{self.beads(box):x}\n" for box in self.walk())

    @classmethod
    def load(cls, text: str) -> Self:
        loaded, lines = cls(), text.splitlines()
        for number, (box, line) in enumerate(zip_longest(loaded.walk(), lines, fillvalue=""), 1):
            if box == "":
                raise InputError(f"Line {number}: expected the end of the text, found {line!r}.")
            if not WRITTEN_BEADS.fullmatch(line):
                raise InputError(f"Line {number}: expected beads as a hexadecimal number, found {line!r}.")
            loaded.put(box, int(line, 16))
        return loaded


class Matchbox:
    __slots__ = ("beads", "board", "next")

    def __init__(self, board: int, beads: int) -> None:
        self.board = board
        self.beads = beads
        self.next: Sequence[Matchbox] = ()


class Linked(Structure):
    root: Matchbox

    @staticmethod
    @abstractmethod
    def in_box(board: int) -> tuple[int, Permutation]:
        """Return the board of the box for `board`, and the permutation from `board` to it."""

    def opened(self, moves: Sequence[int]) -> Iterator[tuple[Matchbox, Permutation]]:
        boxes: Sequence[Matchbox] = (self.root,)
        for board in boards_after(moves):
            shared, cells = self.in_box(board)
            for box in boxes:
                if box.board == shared:
                    break
            yield box, cells
            boxes = box.next

    @property
    def nbytes(self) -> int:
        return sum(24 + 8 * len(box.next) for box in self.walk())

    def beads(self, box: Matchbox) -> int:
        return box.beads

    def put(self, box: Matchbox, beads: int) -> None:
        box.beads = beads

    def reset(self) -> None:
        for box in self.walk():
            box.beads = first_beads(box.board)

    def free(self) -> int:
        boxes = list(self.walk())
        for box in boxes:
            box.next = ()
        self.root = Matchbox(0, 0)
        return len(boxes)


class Tree(Linked):
    """A game tree, with a box for each sequence of moves, even if several lead to the same board."""

    def __init__(self) -> None:
        self.root = _grown(0)

    @staticmethod
    def in_box(board: int) -> tuple[int, Permutation]:
        return board, PERMUTATIONS[0]

    def walk(self) -> Iterator[Matchbox]:
        waiting = [self.root]
        while waiting:
            box = waiting.pop()
            yield box
            waiting += reversed(box.next)


def _grown(board: int) -> Matchbox:
    box = Matchbox(board, first_beads(board))
    box.next = tuple([_grown(after) for after in following(board).values()])
    return box


class AllSymmetries(Tree):
    """The tree that the report wished for, which learns from each game and from its symmetric images."""

    def reward(self, moves: Sequence[int], changes: Sequence[int]) -> None:
        taught: set[tuple[int, ...]] = set()
        for cells in PERMUTATIONS:
            played = tuple(cells[at] for at in moves)
            for ply, (at, (box, _)) in enumerate(zip(played, self.opened(played), strict=False)):
                if played[: ply + 1] not in taught:
                    taught.add(played[: ply + 1])
                    self._change(box, at, changes[ply % 2])


class BoxGraph(Linked):
    """The graph of the original report, with one box for each set of symmetric boards."""

    in_box = staticmethod(canonical)

    def __init__(self) -> None:
        known: dict[int, Matchbox] = {}

        def box(board: int) -> Matchbox:
            found = known.get(board)
            if found is None:
                found = known[board] = Matchbox(board, first_beads(board))
                after = dict.fromkeys(canonical(each)[0] for each in following(board).values())
                found.next = tuple(map(box, after))
            return found

        self.root = box(0)

    def walk(self) -> Iterator[Matchbox]:
        met = {id(self.root)}
        waiting = [self.root]
        for box in waiting:
            yield box
            for after in box.next:
                if id(after) not in met:
                    met.add(id(after))
                    waiting.append(after)

    def ways(self) -> int:
        counts: dict[int, int] = {}

        def below(box: Matchbox) -> int:
            if id(box) not in counts:
                counts[id(box)] = 1 + sum(map(below, box.next))
            return counts[id(box)]

        return below(self.root)


class BoxTable(Structure):
    def __init__(self) -> None:
        self.words = array("Q", bytes(8 * 3**CELLS))
        self.boards: dict[int, int] = {}
        waiting = [0]
        for board in waiting:
            index, cells = index_of(board)
            if index not in self.boards:
                self.boards[index] = image(board, cells)
                waiting += following(board).values()
        self.reset()

    def walk(self) -> Iterator[int]:
        return iter(self.boards)

    def reset(self) -> None:
        for index, board in self.boards.items():
            self.words[index] = first_beads(board)

    @property
    def nbytes(self) -> int:
        return self.words.itemsize * len(self.words)

    def opened(self, moves: Sequence[int]) -> Iterator[tuple[int, Permutation]]:
        return map(index_of, boards_after(moves))

    def beads(self, box: int) -> int:
        return self.words[box]

    def put(self, box: int, beads: int) -> None:
        self.words[box] = beads

    def free(self) -> int:
        self.words, self.boards = array("Q"), {}
        return 1


class ArcadeBoxes:
    sides = ("as X",)
    measure = "bytes of the beads only"

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.machine: AnyMachine = Machine("a", Options())

    def __len__(self) -> int:
        return len(self.machine.boxes.boxes)

    @property
    def nbytes(self) -> int:
        return 8 * len(self)

    def draw(self, moves: Sequence[int], free: Sequence[int], rng: random.Random) -> int | None:
        draw = self.machine.draw(_played(moves), rng)
        return None if draw is None else draw.move.index

    def reward(self, moves: Sequence[int], changes: Sequence[int]) -> None:
        outcome = _played(moves).outcome()
        assert outcome is not None
        self.machine.learn(self.machine.retrace(_played(()), list(map(Cell, moves))), outcome)

    def save(self) -> str:
        return to_json(self.machine)

    @classmethod
    def load(cls, text: str) -> Self:
        loaded = cls.__new__(cls)
        loaded.machine = from_json(text)
        return loaded

    def free(self) -> int:
        del self.machine
        return 1


Learner = Structure | ArcadeBoxes


def _played(moves: Sequence[int]) -> TicTacToe:
    position = TicTacToe(0, 0)
    for at in moves:
        position = position.play(Cell(at))
    return position


LESSONS = 1000
TRIALS = 1000
SEEDS = (1, 2, 3)


def anything(moves: Sequence[int], free: Sequence[int], rng: random.Random) -> int:
    return rng.choice(free)


def game(players: Sequence[Player], rng: random.Random) -> tuple[list[int], int | None]:
    """Play a game. Return the cells taken, in order, and the winner: 0 for X, 1 for O, None for a tie."""
    moves: list[int] = []
    board = 0
    while True:
        after = following(board)
        turn = len(moves) % 2
        if not after:
            outcome = position(board).outcome()
            assert outcome is not None
            return moves, outcome.winner
        at = players[turn](moves, list(after), rng)
        if at is None:
            return moves, 1 - turn
        moves.append(at)
        board = after[at]


def teach(boxes: Learner, seed: int, players: Sequence[Player] = (anything, anything)) -> None:
    rng = random.Random(seed)
    for _ in range(LESSONS):
        moves, winner = game(players, rng)
        won = 1 if winner is None else 0 if winner == 0 else 2
        boxes.reward(moves, (REWARDS[won], REWARDS[2 - won]))


def results(player: Player, seed: int, side: int = 0) -> dict[str, int]:
    """Count the results of `TRIALS` games of `player`, as X (0) or O (1), against random moves."""
    rng = random.Random(seed)
    found = {"won": 0, "tied": 0, "lost": 0}
    for _ in range(TRIALS):
        _, winner = game((player, anything) if side == 0 else (anything, player), rng)
        found["tied" if winner is None else "won" if winner == side else "lost"] += 1
    return found


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    began = time.perf_counter()
    return work(), round(time.perf_counter() - began, 6)


def formats() -> dict[str, Any]:
    boards = met = {0}
    while met:
        met = {after for board in met for after in following(board).values()}
        boards = boards | met
    numbers = [in_base_3(board) for board in boards]
    powers = tuple(3**at for at in range(CELLS))
    quarter = PERMUTATIONS[1]
    cells = range(CELLS)

    def seconds(ternary: Callable[[], object], binary: Callable[[], object]) -> dict[str, float]:
        return {"base 3, 15 bits": _timed(ternary)[1], "2 bits a cell, 18 bits": _timed(binary)[1]}

    return {
        "boards": len(numbers),
        "seconds to read every cell": seconds(
            lambda: [n // powers[at] % 3 for n in numbers for at in cells],
            lambda: [b >> 2 * at & 3 for b in boards for at in cells],
        ),
        "seconds to mark a cell": seconds(
            lambda: [n + 2 * powers[at] for n in numbers for at in cells],
            lambda: [b | 2 << 2 * at for b in boards for at in cells],
        ),
        "seconds to turn": seconds(
            lambda: [sum(n // powers[at] % 3 * powers[quarter[at]] for at in cells) for n in numbers],
            lambda: [sum((b >> 2 * at & 3) << 2 * quarter[at] for at in cells) for b in boards],
        ),
    }


def _compare(make: type[Structure] | type[ArcadeBoxes], _: TicTacToe, control: Control) -> MethodResult:
    # Half a million boxes would keep the cycle collector busy.
    gc.disable()
    try:
        return _compared(make, control)
    finally:
        gc.enable()


def _compared(make: type[Structure] | type[ArcadeBoxes], control: Control) -> MethodResult:
    boxes, built = _timed(lambda: make())
    count, size = len(boxes), boxes.nbytes
    fresh = results(boxes.draw, SEEDS[0])
    learnt = {}
    for seed in SEEDS:
        check_time(control)
        learnt[f"seed {seed}"] = _taught_results(boxes, seed, (anything, anything))
    text, saved = _timed(boxes.save)
    loaded, read = _timed(lambda: make.load(text))
    visits, freed = _timed(boxes.free)
    details: dict[str, Any] = {
        "boxes": count,
        make.measure: size,
        "seconds": {"build": built, "save": saved, "load": read, "free": freed},
        "visits to free": visits,
        "with first beads": fresh,
        f"after {LESSONS} games between random players": learnt,
    }
    if isinstance(loaded, BoxGraph):
        details["visits without a list of boxes met"] = loaded.ways()
        details[f"after {LESSONS} games against itself"] = {
            f"seed {seed}": _taught_results(loaded, seed, (loaded.draw, loaded.draw)) for seed in SEEDS
        }
    if make is BoxTable:
        details["boards as numbers"] = formats()
    total = (f"{key} {sum(sides['as X'][key] for sides in learnt.values()):,}" for key in fresh)
    answer = f"{count:,} boxes; of {len(SEEDS) * TRIALS:,} games {', '.join(total)}"
    return MethodResult(answer, count, details=details)


def _taught_results(boxes: Learner, seed: int, players: Sequence[Player]) -> dict[str, dict[str, int]]:
    boxes.reset()
    teach(boxes, seed, players)
    return {name: results(boxes.draw, seed, side) for side, name in enumerate(boxes.sides)}


@lru_cache(maxsize=2)
def _self_taught(make: type[Structure]) -> Structure:
    boxes = make()
    teach(boxes, 1, (boxes.draw, boxes.draw))
    return boxes


def bead_drawn(make: type[Structure], here: TicTacToe, control: Control) -> Cell | None:
    """Return the cell of a drawn bead, or None to resign. The board is the random seed.

    The boxes were trained in games against themselves. The order of the moves is unknown, so a tree opens the
    box for the order in which each side took its cells in ascending order.
    """
    marks = [[at for at in range(CELLS) if mark_at(here.board, at) == mark] for mark in (X, O)]
    moves = [marks[ply % 2][ply // 2] for ply in range(sum(map(len, marks)))]
    drawn = _self_taught(make).draw(moves, list(following(here.board)), random.Random(here.board))
    return None if drawn is None else Cell(drawn)


COMPARISON = Comparison(
    methods=(
        SolvingMethod(
            name="tree",
            title="The report's tree",
            summary="The report's first structure: a box for each order of moves, with one parent.",
            remembers="a box for each order of moves",
            counts="boxes, those of ended games included",
            source="III a",
            run=partial(_compare, Tree),
            choose=partial(bead_drawn, Tree),
        ),
        SolvingMethod(
            name="table",
            title="The report's table",
            summary=(
                "The report's second structure: one array. The report found no index for it; here it is the "
                "least of eight numbers."
            ),
            remembers="a word for each number of nine digits in base 3",
            counts="boxes, those of ended games included",
            source="III b",
            run=partial(_compare, BoxTable),
            choose=partial(bead_drawn, BoxTable),
        ),
        SolvingMethod(
            name="graph",
            title="The report's graph",
            summary=(
                "The report's third structure, which it built: symmetric boards share a box, which can have "
                "several parents."
            ),
            remembers="a box for all symmetric boards",
            counts="boxes, those of ended games included",
            source="III c",
            run=partial(_compare, BoxGraph),
            choose=partial(bead_drawn, BoxGraph),
        ),
        SolvingMethod(
            name="all-symmetries",
            title="The report's all symmetries",
            summary=(
                "The structure that the report wished for: a tree with all symmetries, where each game "
                "teaches all of them."
            ),
            remembers="a box for each order of moves",
            counts="boxes, those of ended games included",
            source="Problèmes rencontrés",
            run=partial(_compare, AllSymmetries),
            choose=partial(bead_drawn, AllSymmetries),
        ),
        SolvingMethod(
            name="arcade",
            summary="The arcade's boxes, which work for any small game. Only those of X are counted here.",
            remembers="a box for all symmetric boards",
            counts="boxes, only those with a choice",
            run=partial(_compare, ArcadeBoxes),
        ),
    ),
    boards=("",),
    findings=(
        ReportedFinding(
            text=(
                "The report compares a tree, a table and a graph, and builds the graph. It has no figures, "
                "because its program never worked properly. It ends with the wish for a tree that keeps all "
                "symmetries and updates all of them."
            ),
        ),
    ),
)

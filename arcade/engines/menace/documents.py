"""The report's MENACE: beads packed into integers, and its four structures of boxes side by side.

* `Tree`: a box for each board as it is, with one father; a board that can be reached in several orders of
  moves has a box for each.
* `Table`: the boxes in one array, at an index that turning and mirroring do not change. The report found
  none; here it is the least of the eight numbers in base 3 that a board and its images make.
* `Graph`: a box for all boards that are alike, with several fathers. What the report built.
* `AllSymmetries`: the tree, in which a game teaches the boxes of all its images. What the report wished for.

Each has the boxes of both sides, so it can play either and train against itself. The mistakes of the report's
program are corrected: a shared box is saved, loaded and freed once, no shift or count overflows, and boards
are shown as they lie. It has its own copy of the rules and shares no code with `arcade.matchbox`, so that
each can be the oracle of the other.
"""

from __future__ import annotations

import gc
import random
import time
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, Self

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.game import OUT_OF_TIME, Finding, SolvingMethod, Work
from arcade.engines.position import Position

if TYPE_CHECKING:
    from arcade.engines.menace.rules import Cell, TicTacToe

# A board: 18 bits, cell i from the top left in bits 2i and 2i + 1; 0 empty, 1 X, 2 O.
# The beads of a box: 63 bits, cell i of the box's board in bits 7i to 7i + 6.

CELLS = 9
MOST = 127
X, O = 1, 2  # noqa: E741 - the mark is called O
FIRST_BEADS = (4, 4, 3, 3, 2, 2, 1, 1, 1)
"""First beads for each empty cell, by the number of marks on the board."""
REWARDS = (3, 1, -1)
"""Beads for the boxes of a side that has won, tied or lost."""

HEADER = "menace boxes 2"
"""The first line of saved boxes."""

Permutation = tuple[int, ...]
"""For each cell its image."""


# Boards.


def cell(board: int, at: int) -> int:
    """0 empty, 1 X, 2 O."""
    return board >> 2 * at & 3


def turned(cells: Permutation) -> Permutation:
    """The images after another turn right by a quarter: the top left cell goes to the top right."""
    return tuple(3 * (at % 3) + 2 - at // 3 for at in cells)


def _permutations() -> Iterator[Permutation]:
    for first in (tuple(range(CELLS)), (2, 1, 0, 5, 4, 3, 8, 7, 6)):
        for _ in range(4):
            yield first
            first = turned(first)


PERMUTATIONS = tuple(_permutations())
"""The eight symmetries of the board, the identity first."""


def image(board: int, cells: Permutation) -> int:
    return sum(cell(board, at) << 2 * to for at, to in enumerate(cells))


def in_base_3(board: int, cells: Permutation = PERMUTATIONS[0]) -> int:
    """The image of a board as a number in base 3, cell i being the digit of 3 ** i."""
    return sum(int(cell(board, at) * 3**to) for at, to in enumerate(cells))


@cache
def canonical(board: int) -> tuple[int, Permutation]:
    """The least image of a board, and a symmetry that leads there."""
    return min((image(board, cells), cells) for cells in PERMUTATIONS)


@cache
def index_of(board: int) -> tuple[int, Permutation]:
    """The number of a board in the table, the same for all its images, and the symmetry that leads there."""
    return min((in_base_3(board, cells), cells) for cells in PERMUTATIONS)


def wins(board: int, mark: int) -> bool:
    has = [cell(board, at) == mark for at in range(CELLS)]
    rows = any(all(has[3 * row : 3 * row + 3]) for row in range(3))
    columns = any(all(has[column::3]) for column in range(3))
    return rows or columns or all(has[0::4]) or all(has[2:7:2])


def empties(board: int) -> list[int]:
    return [at for at in range(CELLS) if not cell(board, at)]


@cache
def following(board: int) -> dict[int, int]:
    """The boards after each move, by its cell; none when the game is over."""
    if wins(board, X) or wins(board, O):
        return {}
    free = empties(board)
    mark = X if len(free) % 2 else O
    return {at: board | mark << 2 * at for at in free}


@cache
def first_beads(board: int) -> int:
    moves = following(board)
    return sum(FIRST_BEADS[CELLS - len(moves)] << 7 * at for at in moves)


# Boxes.


class Box:
    """A board, its beads, and the boxes after each move."""

    __slots__ = ("beads", "board", "next")

    def __init__(self, board: int, beads: int) -> None:
        self.board = board
        self.beads = beads
        self.next: Sequence[Box] = ()


class Boxes(ABC):
    """One of the report's structures, from the empty board on, with first beads."""

    @abstractmethod
    def __init__(self) -> None: ...

    @abstractmethod
    def __len__(self) -> int:
        """The number of boxes, those of games that are over included."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Bytes in the report's language: 24 for a box, 8 for a link, 8 for the beads in a table."""

    @abstractmethod
    def opened(self, moves: Sequence[int]) -> Iterator[tuple[Any, Permutation]]:
        """The boxes of all boards of a game, the empty and the last included, and how each lies in its box.

        Args:
            moves: the cells that X and O took in turn.
        """

    @abstractmethod
    def beads(self, box: Any) -> int: ...

    @abstractmethod
    def put(self, box: Any, beads: int) -> None: ...

    @abstractmethod
    def save(self) -> str: ...

    @classmethod
    @abstractmethod
    def load(cls, text: str) -> Self:
        """Read what `save` wrote.

        Raises:
            InputError: which line is bad and what was expected.
        """

    @abstractmethod
    def reset(self) -> None:
        """Put the first beads back into every box."""

    @abstractmethod
    def free(self) -> int:
        """Give every box back; returns how many were visited."""

    def counts(self, moves: Sequence[int], free: Sequence[int]) -> list[int]:
        """The beads for some cells after some moves."""
        *_, (box, cells) = self.opened(moves)
        beads = self.beads(box)
        return [beads >> 7 * cells[at] & MOST for at in free]

    def reward(self, moves: Sequence[int], changes: Sequence[int]) -> None:
        """Add or remove beads in the boxes of a game; counts stay within 0 to 127.

        Args:
            moves: the cells that X and O took in turn.
            changes: beads for each opened box of X, and of O; negative to remove them.
        """
        for ply, (at, (box, cells)) in enumerate(zip(moves, self.opened(moves), strict=False)):
            self._change(box, cells[at], changes[ply % 2])

    def _change(self, box: Any, slot: int, change: int) -> None:
        beads = self.beads(box)
        old = beads >> 7 * slot & MOST
        self.put(box, beads + (min(max(old + change, 0), MOST) - old << 7 * slot))


class Linked(Boxes):
    """Boxes with links from each to the next."""

    root: Box

    @abstractmethod
    def walk(self) -> Iterator[Box]:
        """Every box once."""

    def __len__(self) -> int:
        return sum(1 for _ in self.walk())

    @property
    def nbytes(self) -> int:
        return sum(24 + 8 * len(box.next) for box in self.walk())

    def beads(self, box: Box) -> int:
        return box.beads

    def put(self, box: Box, beads: int) -> None:
        box.beads = beads

    def reset(self) -> None:
        for box in self.walk():
            box.beads = first_beads(box.board)

    def free(self) -> int:
        visits = 0
        for box in list(self.walk()):
            box.next = ()
            visits += 1
        self.root = Box(0, 0)
        return visits


class Tree(Linked):
    """A box for each board as it is, and for each way to it."""

    def __init__(self) -> None:
        self.root = _grown(0)

    def walk(self) -> Iterator[Box]:
        waiting = [self.root]
        while waiting:
            box = waiting.pop()
            yield box
            waiting += reversed(box.next)

    def opened(self, moves: Sequence[int]) -> Iterator[tuple[Box, Permutation]]:
        box = self.root
        yield box, PERMUTATIONS[0]
        for at in moves:
            box = box.next[list(following(box.board)).index(at)]
            yield box, PERMUTATIONS[0]

    def save(self) -> str:
        """A line with the beads of each box, before those of its children: the rules tell the boards."""
        return "\n".join([HEADER, *(f"{box.beads:x}" for box in self.walk())]) + "\n"

    @classmethod
    def load(cls, text: str) -> Self:
        lines = _numbered(text)

        def box(board: int) -> Box:
            made = Box(board, _beads(*next(lines, (0, ""))))
            made.next = tuple([box(after) for after in following(board).values()])
            return made

        loaded = cls.__new__(cls)
        loaded.root = box(0)
        for number, line in lines:
            raise InputError(f"Line {number} must be the end, not {line!r}.")
        return loaded


def _grown(board: int) -> Box:
    box = Box(board, first_beads(board))
    box.next = tuple([_grown(after) for after in following(board).values()])
    return box


class AllSymmetries(Tree):
    """The same tree; what one game teaches is learnt in all its images."""

    def reward(self, moves: Sequence[int], changes: Sequence[int]) -> None:
        # Two images of a game may begin alike; what they share is taught once.
        taught: set[tuple[int, ...]] = set()
        for cells in PERMUTATIONS:
            played = tuple(cells[at] for at in moves)
            for ply, (at, (box, _)) in enumerate(zip(played, self.opened(played), strict=False)):
                if played[: ply + 1] not in taught:
                    taught.add(played[: ply + 1])
                    self._change(box, at, changes[ply % 2])


class Graph(Linked):
    """A box for all boards that are alike; whoever walks over it keeps a list of the boxes met."""

    def __init__(self) -> None:
        known: dict[int, Box] = {}

        def box(board: int) -> Box:
            found = known.get(board)
            if found is None:
                found = known[board] = Box(board, first_beads(board))
                after = dict.fromkeys(canonical(each)[0] for each in following(board).values())
                found.next = tuple(map(box, after))
            return found

        self.root = box(0)

    def walk(self) -> Iterator[Box]:
        met = {id(self.root)}
        waiting = [self.root]
        for box in waiting:
            yield box
            for after in box.next:
                if id(after) not in met:
                    met.add(id(after))
                    waiting.append(after)

    def ways(self) -> int:
        """How often a recursion would visit a box without a list of those met."""
        counts: dict[int, int] = {}

        def below(box: Box) -> int:
            if id(box) not in counts:
                counts[id(box)] = 1 + sum(map(below, box.next))
            return counts[id(box)]

        return below(self.root)

    def opened(self, moves: Sequence[int]) -> Iterator[tuple[Box, Permutation]]:
        box, board = self.root, 0
        yield box, canonical(board)[1]
        for at in moves:
            board = following(board)[at]
            alike, cells = canonical(board)
            box = next(after for after in box.next if after.board == alike)
            # The board in the box may lie turned: the symmetry also moves the cells.
            yield box, cells

    def save(self) -> str:
        """A line for each box: its beads, its board, and the numbers of the next; the root has number 0."""
        boxes = list(self.walk())
        number = {id(box): at for at, box in enumerate(boxes)}
        lines = (
            f"{box.beads:x} {box.board:05x} {','.join(str(number[id(after)]) for after in box.next)}".rstrip()
            for box in boxes
        )
        return "\n".join([HEADER, *lines]) + "\n"

    @classmethod
    def load(cls, text: str) -> Self:
        boxes: list[Box] = []
        links: list[tuple[int, list[int]]] = []
        for number, line in _numbered(text):
            beads, *words = line.split() or [""]
            try:
                board = int(words[0], 16)
                links.append((number, [int(word) for word in words[1].split(",")] if len(words) > 1 else []))
            except (IndexError, ValueError):
                raise InputError(
                    f"Line {number} must have beads, a board and the next boxes, not {line!r}."
                ) from None
            if not 0 <= board < 1 << 18 or len(words) > 2:
                raise InputError(f"Line {number} has a number out of its limits: {line!r}.")
            boxes.append(Box(board, _beads(number, beads)))
        for box, (number, numbers) in zip(boxes, links, strict=True):
            if not all(0 <= each < len(boxes) for each in numbers):
                raise InputError(f"Line {number} names a box that is not there.")
            box.next = tuple(boxes[each] for each in numbers)
        if not boxes:
            raise InputError("Line 2 must have a box.")
        loaded = cls.__new__(cls)
        loaded.root = boxes[0]
        return loaded


class Table(Boxes):
    """The beads of all boards in one array, those that are alike at one index, without links."""

    def __init__(self) -> None:
        self.words = array("Q", bytes(8 * 3**CELLS))
        self.used: set[int] = set()
        self.reset()

    def reset(self) -> None:
        met = set()
        waiting = [0]
        for board in waiting:
            index, cells = index_of(board)
            if index not in met:
                met.add(index)
                self.words[index] = first_beads(image(board, cells))
                waiting += following(board).values()
        self.used = met

    def __len__(self) -> int:
        return len(self.used)

    @property
    def nbytes(self) -> int:
        return self.words.itemsize * len(self.words)

    def opened(self, moves: Sequence[int]) -> Iterator[tuple[int, Permutation]]:
        board = 0
        yield index_of(board)
        for at in moves:
            board = following(board)[at]
            yield index_of(board)

    def beads(self, box: int) -> int:
        return self.words[box]

    def put(self, box: int, beads: int) -> None:
        self.words[box] = beads

    def save(self) -> str:
        """A line for each box: its index and its beads."""
        return "\n".join([HEADER, *(f"{index} {self.words[index]:x}" for index in sorted(self.used))]) + "\n"

    @classmethod
    def load(cls, text: str) -> Self:
        loaded = cls.__new__(cls)
        loaded.words, loaded.used = array("Q", bytes(8 * 3**CELLS)), set()
        for number, line in _numbered(text):
            index, _, beads = line.partition(" ")
            if not (index.isascii() and index.isdecimal()) or int(index) >= 3**CELLS:
                raise InputError(
                    f"Line {number} must have an index below {3**CELLS} and beads, not {line!r}."
                )
            loaded.words[int(index)] = _beads(number, beads)
            loaded.used.add(int(index))
        return loaded

    def free(self) -> int:
        self.words, self.used = array("Q"), set()
        return 1


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    lines = text.splitlines()
    if not lines or lines[0] != HEADER:
        raise InputError(f"Line 1 must be {HEADER!r}.")
    return iter(list(enumerate(lines[1:], 2)))


def _beads(number: int, word: str) -> int:
    try:
        beads = int(word, 16)
    except ValueError:
        raise InputError(f"Line {number} must have beads, not {word!r}.") from None
    if not 0 <= beads < 1 << 63:
        raise InputError(f"Line {number} has beads out of their limits: {word!r}.")
    return beads


# Games.

LESSONS = 1000
"""Games between random players from which each structure learns, and games against itself."""
TRIALS = 1000
"""Games against random play that show what it has learnt."""
SEEDS = (1, 2, 3)

Chooser = Callable[[Sequence[int], Sequence[int], random.Random], int | None]
"""A player: from the moves played and the free cells a cell; None to resign."""


def anything(moves: Sequence[int], free: Sequence[int], rng: random.Random) -> int:
    return rng.choice(free)


def drawing(boxes: Boxes) -> Chooser:
    """Who draws a bead."""

    def choose(moves: Sequence[int], free: Sequence[int], rng: random.Random) -> int | None:
        counts = boxes.counts(moves, free)
        return rng.choices(free, counts)[0] if any(counts) else None

    return choose


def game(players: Sequence[Chooser], rng: random.Random) -> tuple[list[int], int | None]:
    """Play a game; returns the cells taken in turn, and the winner: 0 for X, 1 for O, None for a tie."""
    moves: list[int] = []
    board = 0
    while True:
        after = following(board)
        turn = len(moves) % 2
        if not after:
            return moves, 1 - turn if wins(board, (O, X)[turn]) else None
        at = players[turn](moves, list(after), rng)
        if at is None:
            return moves, 1 - turn
        moves.append(at)
        board = after[at]


def teach(boxes: Boxes, seed: int, players: Sequence[Chooser] = (anything, anything)) -> None:
    """Reward the boxes of both sides after each of `LESSONS` games."""
    rng = random.Random(seed)
    for _ in range(LESSONS):
        moves, winner = game(players, rng)
        won = 1 if winner is None else 0 if winner == 0 else 2
        boxes.reward(moves, (REWARDS[won], REWARDS[2 - won]))


def results(player: Chooser, seed: int, side: int = 0) -> dict[str, int]:
    """How a player does in `TRIALS` games against random play, as X (0) or O (1)."""
    rng = random.Random(seed)
    found = {"won": 0, "tied": 0, "lost": 0}
    for _ in range(TRIALS):
        _, winner = game((player, anything) if side == 0 else (anything, player), rng)
        found["tied" if winner is None else "won" if winner == side else "lost"] += 1
    return found


# Side by side.


def formats() -> dict[str, Any]:
    """Boards in base 3 and with 2 bits for each cell: seconds of the same work on every board."""
    boards: list[int] = []
    waiting = [0]
    met = {0}
    for board in waiting:
        boards.append(board)
        waiting += (new := set(following(board).values()) - met)
        met |= new
    numbers = [in_base_3(board) for board in boards]
    powers = tuple(3**at for at in range(CELLS))
    quarter = PERMUTATIONS[1]
    cells = range(CELLS)
    work: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "read every cell": (
            lambda: [n // powers[at] % 3 for n in numbers for at in cells],
            lambda: [b >> 2 * at & 3 for b in boards for at in cells],
        ),
        "mark a cell": (
            lambda: [n + 2 * powers[at] for n in numbers for at in cells],
            lambda: [b | 2 << 2 * at for b in boards for at in cells],
        ),
        "turn": (
            lambda: [sum(n // powers[at] % 3 * powers[quarter[at]] for at in cells) for n in numbers],
            lambda: [sum((b >> 2 * at & 3) << 2 * quarter[at] for at in cells) for b in boards],
        ),
    }
    return {
        "boards": len(boards),
        **{
            f"seconds to {name}": {
                "base 3, 15 bits": _seconds(ternary),
                "2 bits a cell, 18 bits": _seconds(binary),
            }
            for name, (ternary, binary) in work.items()
        },
    }


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return round(time.perf_counter() - began, 6)


def _compare(make: type[Boxes], position: Position[Any], control: Control) -> Work:
    # Half a million boxes make the collector of cycles work for nothing: there are none.
    gc.disable()
    try:
        return _compared(make, control)
    finally:
        gc.enable()


def _compared(make: type[Boxes], control: Control) -> Work:
    boxes: list[Boxes] = []
    seconds = {"build": _seconds(lambda: boxes.append(make()))}
    count, size = len(boxes[0]), boxes[0].nbytes
    learnt: dict[str, Any] = {}
    total = dict.fromkeys(("won", "tied", "lost"), 0)
    player = drawing(boxes[0])
    fresh = results(player, SEEDS[0])
    for seed in SEEDS:
        if control.stopped:
            return Work("", count, OUT_OF_TIME)
        boxes[0].reset()
        teach(boxes[0], seed)
        as_x = results(player, seed)
        learnt[f"seed {seed}"] = {"as X": as_x, "as O": results(player, seed, 1)}
        for key, number in as_x.items():
            total[key] += number
    texts: list[str] = []
    seconds["save"] = _seconds(lambda: texts.append(boxes[0].save()))
    seconds["load"] = _seconds(lambda: boxes.append(make.load(texts[0])))
    visits: list[int] = []
    seconds["free"] = _seconds(lambda: visits.append(boxes[0].free()))
    details: dict[str, Any] = {
        "boxes": count,
        "bytes": size,
        "seconds": seconds,
        "visits to free": visits[0],
        "with first beads": fresh,
        f"after {LESSONS} games between random players": learnt,
    }
    if isinstance(boxes[1], Graph):
        details["visits without a list of boxes met"] = boxes[1].ways()
        details[f"after {LESSONS} games against itself"] = {
            f"seed {seed}": _self_taught(boxes[1], seed) for seed in SEEDS
        }
    if make is Table:
        details["boards as numbers"] = formats()
    return Work(_told(count, total), count, details=details)


def _self_taught(boxes: Boxes, seed: int) -> dict[str, Any]:
    player = drawing(boxes)
    boxes.reset()
    teach(boxes, seed, (player, player))
    return {"as X": results(player, seed), "as O": results(player, seed, 1)}


def _told(count: int, total: dict[str, int]) -> str:
    results = ", ".join(f"{key} {number:,}" for key, number in total.items())
    return f"{count:,} boxes; of {len(SEEDS) * TRIALS:,} games {results}"


def _arcade(position: Position[Any], control: Control) -> Work:
    """The arcade's boxes, which are X's alone, after the same games."""
    from arcade.engines.menace import GAME
    from arcade.engines.menace.rules import Cell
    from arcade.matchbox.archive import from_json, to_json
    from arcade.matchbox.machine import Machine, Options

    machines: list[Machine[TicTacToe, Cell]] = []
    seconds = {"build": _seconds(lambda: machines.append(Machine("a", Options())))}
    count = len(machines[0].boxes.boxes)
    learnt: dict[str, Any] = {}
    total = dict.fromkeys(("won", "tied", "lost"), 0)
    start = GAME.new({})
    for seed in SEEDS:
        if control.stopped:
            return Work("", count, OUT_OF_TIME)
        machine: Machine[TicTacToe, Cell] = Machine("a", Options())
        rng = random.Random(seed)
        for _ in range(LESSONS):
            cells = [Cell(at) for at in game((anything, anything), rng)[0]]
            end = start
            for move in cells:
                end = end.play(move)
            outcome = end.outcome()
            assert outcome is not None
            machine.learn(machine.retrace(start, cells), outcome)

        def choose(
            moves: Sequence[int],
            free: Sequence[int],
            rng: random.Random,
            machine: Machine[TicTacToe, Cell] = machine,
        ) -> int | None:
            position = start
            for at in moves:
                position = position.play(Cell(at))
            draw = machine.draw(position, rng)
            return None if draw is None else draw.move.index

        learnt[f"seed {seed}"] = {"as X": results(choose, seed)}
        for key, number in learnt[f"seed {seed}"]["as X"].items():
            total[key] += number
        machines[0] = machine
    texts: list[str] = []
    seconds["save"] = _seconds(lambda: texts.append(to_json(machines[0])))
    seconds["load"] = _seconds(lambda: from_json(texts[0]))
    seconds["free"] = _seconds(machines.clear)
    details = {
        "boxes": count,
        "bytes of the beads alone": 8 * count,
        "seconds": seconds,
        f"after {LESSONS} games between random players": learnt,
    }
    return Work(_told(count, total), count, details=details)


@lru_cache(maxsize=2)
def _taught(make: type[Boxes]) -> Boxes:
    boxes = make()
    player = drawing(boxes)
    teach(boxes, 1, (player, player))
    return boxes


def bead_drawn(make: type[Boxes], position: TicTacToe, control: Control) -> Cell | None:
    """The cell of a bead, drawn by a seed that is the board; None to resign.

    The boxes have learnt from games against themselves. A tree opens the box at which the marks were made in
    the order of their cells.
    """
    marks = [[at for at in range(CELLS) if cell(position.board, at) == mark] for mark in (X, O)]
    moves = [marks[ply % 2][ply // 2] for ply in range(sum(map(len, marks)))]
    drawn = drawing(_taught(make))(moves, empties(position.board), random.Random(position.board))
    return None if drawn is None else next(move for move in position.moves() if move.index == drawn)


def _method(name: str, make: type[Boxes], summary: str, remembers: str, source: str) -> SolvingMethod:
    return SolvingMethod(
        name,
        summary,
        partial(_compare, make),
        remembers=remembers,
        counts="boxes, those of ended games included",
        source=source,
        title=f"The report's {name.replace('-', ' ')}",
        choose=partial(bead_drawn, make),
    )


BOARDS = ("",)
METHODS = (
    _method(
        "tree",
        Tree,
        "The report's first structure: a box for each board as it is, with one father.",
        "a box for each order of moves",
        "III a",
    ),
    _method(
        "table",
        Table,
        "The report's second: one array, with the index that it did not find, the least of eight numbers.",
        "a word for each number of nine digits in base 3",
        "III b",
    ),
    _method(
        "graph",
        Graph,
        "The report's third, which it built: boards that are alike share a box, which has several fathers.",
        "a box for all boards that are alike",
        "III c",
    ),
    _method(
        "all-symmetries",
        AllSymmetries,
        "What the report wished it had built: a tree with all symmetries, which a game teaches all at once.",
        "a box for each order of moves",
        "Problèmes rencontrés",
    ),
    SolvingMethod(
        "arcade",
        "The arcade's boxes, made for any small game; here X's alone.",
        _arcade,
        remembers="a box for all boards that are alike",
        counts="boxes, those with a choice alone",
    ),
)
FINDINGS = (
    Finding(
        "The report weighs a tree, a table and a graph, and builds the graph. It has no figures, since its"
        " program never ran as it should, and ends with the wish for a tree that keeps all symmetries and"
        " updates all of them."
    ),
)

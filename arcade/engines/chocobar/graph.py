"""Game graphs as in the original report of 2009. docs/games/chocobar.md describes their files.

A file can state who loses at the final vertex. In the report, it is the player who moves there. In the
arcade's graphs, it is the player whose turn it is there.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import combinations_with_replacement
from pathlib import Path
from typing import NoReturn

from arcade.engines.control import Control
from arcade.engines.files import InputError, read_text
from arcade.engines.retrograde import work_back
from arcade.engines.verdict import Value
from arcade.engines.wording import quantity

MAX_VERTICES = 1_000_000

MAX_BYTES = 400_000_000
"""Maximum size of a file in bytes. The graph of an 11x11 bar takes 305 million."""


class Storage(StrEnum):
    LIST = "list"
    MATRIX = "matrix"


class Convention(StrEnum):
    MOVES = "whoever moves there loses"  # quotation
    IS = "whoever is there loses"  # quotation


class Edges:
    def __init__(self, successors: Sequence[Iterable[int]], storage: Storage) -> None:
        self.storage = storage
        self._rows: list[array[int]] | list[bytearray]
        if storage is Storage.LIST:
            self._rows = [array("I", sorted(set(targets))) for targets in successors]
        else:
            self._rows = [_matrix_row(targets, len(successors)) for targets in successors]

    def __len__(self) -> int:
        return len(self._rows)

    def successors(self, vertex: int) -> Sequence[int]:
        row = self._rows[vertex]
        return row if self.storage is Storage.LIST else [target for target, edge in enumerate(row) if edge]

    def joined(self, origin: int, target: int) -> bool:
        row = self._rows[origin]
        return target in row if self.storage is Storage.LIST else bool(row[target])

    @property
    def nbytes(self) -> int:
        return sum(4 * len(row) + 8 for row in self._rows) if self.storage is Storage.LIST else len(self) ** 2


def _matrix_row(targets: Iterable[int], count: int) -> bytearray:
    row = bytearray(count)
    for target in targets:
        row[target] = 1
    return row


@dataclass(frozen=True, eq=False)
class Graph:
    """A graph without cycles: every path from the initial vertex ends at the final one."""

    edges: Edges
    initial: int
    final: int
    names: tuple[str, ...]
    ending: Convention = Convention.MOVES
    silent: bool = False
    order: tuple[int, ...] = field(init=False, repr=False)
    """Reachable vertices, each before its successors."""

    def __post_init__(self) -> None:
        """Raise InputError if the graph has a cycle, a dead end or an edge from the final vertex."""
        if self.initial == self.final:
            raise InputError(
                f"The initial and final vertices must differ. Both are {self.named(self.initial)}."
            )
        if self.edges.successors(self.final):
            onward = self.edges.successors(self.final)[0]
            raise InputError(
                f"The game ends at {self.named(self.final)}, so this vertex cannot have an edge. "
                f"Remove its edge to {self.named(onward)}."
            )
        finished = self._depth_first()
        for vertex in finished:
            if vertex != self.final and not self.edges.successors(vertex):
                raise InputError(
                    f"Vertex {self.named(vertex)} has no edges, but can be reached from"
                    f" {self.named(self.initial)}. Every path must end at {self.named(self.final)}."
                )
        object.__setattr__(self, "order", tuple(reversed(finished)))

    def _depth_first(self) -> list[int]:
        finished: list[int] = []
        fresh, on_path, closed = 0, 1, 2
        state = bytearray(len(self.edges))
        state[self.initial] = on_path
        path: list[tuple[int, Iterator[int]]] = [(self.initial, iter(self.edges.successors(self.initial)))]
        while path:
            vertex, targets = path[-1]
            for target in targets:
                if state[target] == fresh:
                    state[target] = on_path
                    path.append((target, iter(self.edges.successors(target))))
                    break
                if state[target] == on_path:
                    vertices = [vertex for vertex, _ in path]
                    cycle = [*vertices[vertices.index(target) :], target]
                    raise InputError(f"The graph has the cycle {self.walk(cycle)}.")
            else:
                state[vertex] = closed
                finished.append(vertex)
                path.pop()
        return finished

    def named(self, vertex: int) -> str:
        name = self.names[vertex]
        return str(vertex) if name == str(vertex) else f"{vertex} ({name})"

    def walk(self, vertices: Sequence[int]) -> str:
        shown = [self.named(vertex) for vertex in vertices]
        if len(shown) > 12:
            shown[6:-6] = ["..."]
        return " -> ".join(shown)

    def won(self, plies: int) -> bool:
        return bool(plies % 2) == (self.ending is Convention.IS)

    @property
    def reading(self) -> str:
        if not self.silent:
            return ""
        return (
            "The file does not say who loses at its end, so the report's convention applies:"
            f" {Convention.MOVES}. A line {Convention.MOVES.value!r} or {Convention.IS.value!r} before the"
            " edges says which is meant."
        )

    @property
    def edge_count(self) -> int:
        return sum(len(self.edges.successors(vertex)) for vertex in range(len(self.edges)))

    def text(self, storage: Storage) -> str:
        count = len(self.edges)
        lines = [f"vertices {count}", f"initial {self.initial}", f"final {self.final}", self.ending.value]
        lines += [f"name {vertex} {name}" for vertex, name in enumerate(self.names) if name != str(vertex)]
        lines.append("lists" if storage is Storage.LIST else "matrix")
        for vertex in range(count):
            targets = self.edges.successors(vertex)
            if storage is Storage.LIST:
                lines.append(" ".join([f"{vertex}:", *map(str, targets)]))
            else:
                lines.append("".join(map(str, _matrix_row(targets, count))))
        return "\n".join(lines) + "\n"


def bar_graph(
    rows: int, columns: int, ending: Convention, storage: Storage, control: Control | None = None
) -> Graph | None:
    """Return the graph of a full bar with at least two squares, or None if stopped.

    Vertices are in lexicographic order of the squares eaten in each column. With `Convention.MOVES` the final
    vertex is the empty bar, otherwise the poison alone.
    """
    bars = list(combinations_with_replacement(range(rows + 1), columns))
    if ending is Convention.IS:
        bars.pop()
    number = {bar: at for at, bar in enumerate(bars)}
    successors = []
    for at, bar in enumerate(bars):
        if control is not None and at % 256 == 0 and control.stopped:
            return None
        after = []
        for column, eaten in enumerate(bar):
            for more in range(eaten + 1, rows + 1):
                bitten = (*bar[:column], *(max(more, other) for other in bar[column:]))
                if bitten in number:
                    after.append(number[bitten])
        successors.append(after)
    names = tuple(map(partial(bar_name, rows), bars))
    return Graph(Edges(successors, storage), 0, len(bars) - 1, names, ending)


def bar_name(rows: int, eaten: Iterable[int]) -> str:
    columns = tuple(eaten)
    lengths = (sum(row < rows - each for each in columns) for row in range(rows))
    return ".".join(str(length) for length in lengths if length) or "0"


class _Reader:
    def __init__(self, text: str, source: str, count: int | None = None) -> None:
        self.source = source
        self.number = 0
        self.count = count
        self.ends: dict[str, int] = {}
        self.names: dict[int, str] = {}
        self.ending: Convention | None = None
        self._lines = enumerate(text.splitlines(), 1)

    def lines(self) -> Iterator[list[str]]:
        for number, line in self._lines:
            words = line.partition("#")[0].split()
            if words:
                self.number = number
                yield words

    def fail(self, what: str) -> NoReturn:
        raise InputError(f"Line {self.number} of {self.source}: {what}")

    def number_of(self, word: str, what: str, low: int, high: int) -> int:
        if not (word.isascii() and word.isdecimal() and len(word) < 12 and low <= int(word) <= high):
            self.fail(f"{what} must be a whole number from {low} to {high}, not {word!r}.")
        return int(word)

    def vertex(self, word: str) -> int:
        if self.count is None:
            self.fail("The number of vertices must come first, as in 'vertices 12'.")
        return self.number_of(word, "The vertex", 0, self.count - 1)

    def head(self) -> Storage:
        for words in self.lines():
            match words:
                case ["vertices", count] if self.count is None:
                    self.count = self.number_of(count, "The number of vertices", 2, MAX_VERTICES)
                case ["initial" | "final" as which, vertex] if which not in self.ends:
                    self.ends[which] = self.vertex(vertex)
                case ["name", vertex, name] if self.vertex(vertex) not in self.names:
                    self.names[self.vertex(vertex)] = name
                case _ if " ".join(words) in Convention.__members__.values() and self.ending is None:
                    self.ending = Convention(" ".join(words))
                case ["lists" | "matrix" as way]:
                    for which in ("initial", "final"):
                        if which not in self.ends:
                            self.fail(f"There is no line '{which} VERTEX' before the edges.")
                    return Storage.LIST if way == "lists" else Storage.MATRIX
                case _:
                    self.fail(
                        f"{' '.join(words)[:40]!r} is not understood; expected 'vertices N', 'initial V',"
                        f" 'final V', {Convention.MOVES.value!r}, {Convention.IS.value!r}, 'name V WORD',"
                        " 'lists' or 'matrix', each at most once."
                    )
        raise InputError(f"{self.source} must have a line 'lists' or 'matrix' before its edges.")

    def lists(self, count: int) -> list[list[int]]:
        successors: list[list[int] | None] = [None] * count
        for words in self.lines():
            origin, colon, targets = " ".join(words).partition(":")
            if not colon:
                self.fail("The edges from a vertex must be written as 'FROM: TO TO ...'.")
            vertex = self.vertex(origin.strip())
            if successors[vertex] is not None:
                self.fail(f"The edges from vertex {vertex} are given a second time.")
            successors[vertex] = [self.vertex(word) for word in targets.split()]
        return [listed or [] for listed in successors]

    def matrix(self, count: int) -> list[list[int]]:
        successors: list[list[int]] = []
        for words in self.lines():
            row = "".join(words)
            if len(successors) == count:
                self.fail(f"The matrix has more than {count} rows.")
            if len(row) != count or set(row) - {"0", "1"}:
                self.fail(f"Row {len(successors)} of the matrix must be {count} digits, each 0 or 1.")
            successors.append([target for target, digit in enumerate(row) if digit == "1"])
        if len(successors) != count:
            raise InputError(
                f"The matrix in {self.source} has {quantity(len(successors), 'row')} instead of {count}."
            )
        return successors


def parse_graph(text: str, source: str = "the graph") -> Graph:
    reader = _Reader(text, source)
    storage = reader.head()
    count = reader.count or 0
    successors = reader.lists(count) if storage is Storage.LIST else reader.matrix(count)
    names = tuple(reader.names.get(vertex, str(vertex)) for vertex in range(count))
    ends = reader.ends["initial"], reader.ends["final"]
    silent = reader.ending is None
    return Graph(Edges(successors, storage), *ends, names, reader.ending or Convention.MOVES, silent)


def read_graph(path: str | Path) -> Graph:
    return parse_graph(read_text(path, "graph file", MAX_BYTES), repr(Path(path).name))


def remoteness(graph: Graph, control: Control | None = None) -> list[int] | None:
    """Return the plies from each vertex to the end (-1 if the vertex is unreachable), or None if stopped."""
    children = [graph.edges.successors(vertex) for vertex in range(len(graph.edges))]
    end = Value.LOSS if graph.ending is Convention.IS else Value.WIN
    solved = work_back(children, lambda _: end, control)
    if solved is None:
        return None
    reached = set(graph.order)
    return [-1 if plies is None or at not in reached else plies for at, (_, plies) in enumerate(solved)]


Strategy = tuple[int | None, ...]
"""For each vertex, the vertex to move to. It is None if the strategy has no move there."""


@dataclass(frozen=True, slots=True)
class Simulation:
    path: tuple[int, ...]
    winner: int
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    winning: bool
    why: str
    path: tuple[int, ...] = ()
    """A path on which the strategy fails. It is empty if the strategy wins."""


def simulate(graph: Graph, first: Strategy, second: Strategy) -> Simulation:
    path = [graph.initial]
    turn = 0
    while path[-1] != graph.final:
        answer, fault = _answer(graph, (first, second)[turn], path[-1])
        if fault:
            return Simulation(tuple(path), 1 - turn, fault)
        path.append(answer)
        turn = 1 - turn
    return Simulation(tuple(path), turn if graph.ending is Convention.MOVES else 1 - turn)


def is_winning_strategy(graph: Graph, strategy: Strategy) -> Check:
    came_from: dict[int, tuple[int, int]] = {}
    waiting = [graph.initial]
    seen = {graph.initial}

    def failing(before: str, after: str, *last: int) -> Check:
        path = [vertex]
        while path[-1] != graph.initial:
            path += reversed(came_from[path[-1]])
        path = [*reversed(path), *last]
        return Check(False, f"{before} {graph.walk(path)}{after}", tuple(path))

    while waiting:
        vertex = waiting.pop()
        if vertex == graph.final:
            if graph.ending is Convention.MOVES:
                continue
            return failing("The second player makes the last move on", ".")
        answer, fault = _answer(graph, strategy, vertex)
        if fault:
            return failing("It fails on", f": {fault}")
        if answer == graph.final and graph.ending is Convention.MOVES:
            return failing("The first player makes the last move on", ".", answer)
        for target in graph.edges.successors(answer):
            if target not in seen:
                seen.add(target)
                came_from[target] = (vertex, answer)
                waiting.append(target)
    where = quantity(len(seen), "vertex", "vertices")
    return Check(True, f"The first player wins against every reply, at {where} that can be reached.")


def _answer(graph: Graph, strategy: Strategy, vertex: int) -> tuple[int, str]:
    """Return the strategy's move and a sentence about its error. The sentence is "" if the move is valid."""
    target = strategy[vertex]
    here = graph.named(vertex)
    if target is None:
        return vertex, f"The strategy has no move at vertex {here}."
    if not graph.edges.joined(vertex, target):
        return target, f"The strategy moves from {here} to {graph.named(target)}, where no edge leads."
    return target, ""


def fastest_strategy(graph: Graph) -> Strategy:
    """Return the strategy that wins fastest. Raises InputError if the first player cannot win."""
    plies = remoteness(graph)
    assert plies is not None
    if not graph.won(plies[graph.initial]):
        raise InputError(
            f"The first player cannot win from vertex {graph.named(graph.initial)}:"
            f" the second player wins within {quantity(plies[graph.initial], 'move')}."
        )
    strategy: list[int | None] = [None] * len(graph.edges)
    for vertex in graph.order:
        targets = graph.edges.successors(vertex)
        lost = [target for target in targets if not graph.won(plies[target])]
        if lost:
            strategy[vertex] = min(lost, key=plies.__getitem__)
        elif targets:
            strategy[vertex] = max(targets, key=plies.__getitem__)
    return tuple(strategy)


def strategy_text(strategy: Sequence[int | None]) -> str:
    moves = [f"{vertex} {target}" for vertex, target in enumerate(strategy) if target is not None]
    return "\n".join(["strategy", *moves]) + "\n"


def parse_strategy(text: str, graph: Graph, source: str = "the strategy") -> Strategy:
    reader = _Reader(text, source, len(graph.edges))
    lines = reader.lines()
    first = next(lines, None)
    if first is None:
        raise InputError(f"{source} has no 'strategy' line.")
    if first != ["strategy"]:
        reader.fail("a strategy must begin with the line 'strategy'.")
    strategy: list[int | None] = [None] * len(graph.edges)
    for words in lines:
        if len(words) != 2 or not all(word.isascii() and word.isdecimal() for word in words):
            reader.fail(f"expected two vertex numbers 'FROM TO', not {' '.join(words)[:40]!r}.")
        origin, target = map(reader.vertex, words)
        if strategy[origin] is not None:
            reader.fail(f"the move from vertex {origin} is given a second time.")
        strategy[origin] = target
    return tuple(strategy)


def read_strategy(path: str | Path, graph: Graph) -> Strategy:
    return parse_strategy(read_text(path, "strategy file", MAX_BYTES), graph, repr(Path(path).name))

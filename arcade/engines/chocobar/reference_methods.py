"""The methods of the report of 2009: three ways to store a bar's eaten squares, game graphs, strategies.

    a bar of 3 x 4 after bites at      # # # #     breakpoints   (2,4), (3,2)
    (2,4) and (3,2); eaten: .          # # # .     array         0 1 1 2  eaten in each column
                                       # . . .     packed        0 + 1*4 + 1*4^2 + 2*4^3 = 148

The graph built from breakpoints ends at the poison, the other two graphs at the empty bar.
"""

import sys
import time
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from arcade.engines.chocobar.graph import (
    Convention,
    Edges,
    Graph,
    Storage,
    Strategy,
    bar_graph,
    bar_name,
    is_winning_strategy,
    remoteness,
)
from arcade.engines.chocobar.rules import Bar, Bite, bars_in
from arcade.engines.control import Control
from arcade.engines.reference_methods import (
    OUT_OF_TIME,
    Comparison,
    GaveUpError,
    MethodResult,
    ReportedFinding,
    SolvingMethod,
    check_time,
    in_time,
)
from arcade.engines.retrograde import work_back
from arcade.engines.verdict import Value

Breakpoints = tuple[tuple[int, int], ...]
State = TypeVar("State", bytes, int)

WORD = 1 << 64

MAX_BYTES = 1 << 30
"""Maximum size in bytes of the edges as lists. A matrix may take up to a sixteenth of this."""

MAX_SHOWN, SHOWN_OF_MANY = 200, 10


@dataclass(frozen=True)
class Made:
    successors: Sequence[Sequence[int]]
    start: int
    ending: Convention
    state_bytes: int


def held(states: Any) -> int:
    met: dict[int, Any] = {}
    waiting = [states]
    while waiting:
        one = waiting.pop()
        if id(one) not in met:
            met[id(one)] = one
            if isinstance(one, dict):
                waiting += one.values()
            if isinstance(one, list | tuple | dict):
                waiting += one
    return sum(map(sys.getsizeof, met.values()))


def add_breakpoint(bar: Breakpoints, row: int, column: int) -> Breakpoints | None:
    kept = [(row, column)]
    for i, j in bar:
        if i <= row and j <= column:
            return None
        if i < row or j < column:
            kept.append((i, j))
    kept.sort()
    return tuple(kept)


def break_line(bar: Breakpoints, rows: int, columns: int) -> list[tuple[int, int]]:

    def left(row: int, column: int) -> bool:
        inside = row <= rows and column <= columns
        return inside and not any(row >= i and column >= j for i, j in bar)

    squares = [(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    return [(i, j) for i, j in squares if left(i, j) and not left(i + 1, j + 1)]


class BreakpointGraph:
    """The graph that the report's recursion (a) builds.

    As printed, the recursion never joins a bar with ancestors that are found later. For 3x4, it finds only
    158 of 176 edges. By default, it works as intended: it joins these ancestors with the bar and with every
    bar that is one bite below it.
    """

    def __init__(self, rows: int, columns: int, control: Control, as_printed: bool = False) -> None:
        self.rows, self.columns = rows, columns
        self.control = control
        self.as_printed = as_printed
        self.after: dict[Breakpoints, dict[Breakpoints, None]] = {(): {}}
        self.before: dict[Breakpoints, list[Breakpoints]] = {(): []}
        self.tests = 0
        self.bite_from((), rows, columns)
        control.nodes = self.tests

    def bite_from(self, old: Breakpoints, row: int, column: int) -> None:
        current = None if row == column == 1 else add_breakpoint(old, row, column)
        if current is None:
            return
        if current in self.after:
            if self.as_printed:
                self.join(old, current)
            else:
                for son in (current, *self.after[current]):
                    self.join_ancestors(old, son)
            return
        self.after[current], self.before[current] = {}, []
        self.join_ancestors(old, current)
        for i, j in break_line(current, self.rows, self.columns):
            self.bite_from(current, i, j)

    def join(self, father: Breakpoints, son: Breakpoints) -> None:
        if son not in self.after[father]:
            self.after[father][son] = None
            self.before[son].append(father)

    def join_ancestors(self, father: Breakpoints, son: Breakpoints) -> None:
        if self.is_next_of(father, son):
            self.join(father, son)
            for ancestor in list(self.before[father]):
                self.join_ancestors(ancestor, son)

    def is_next_of(self, father: Breakpoints, son: Breakpoints) -> bool:
        self.tests += 1
        if self.tests % 1024 == 0:
            self.control.nodes = self.tests
            check_time(self.control)
        for row, column in son:  # noqa: SIM110 - this is the innermost loop
            if add_breakpoint(father, row, column) == son:
                return True
        return False


def _from_breakpoints(bar: Bar, control: Control) -> Made:
    rows, columns = _size(bar)
    graph = BreakpointGraph(rows, columns, control)
    states = held((graph.after, graph.before))
    number = {state: at for at, state in enumerate(graph.after)}
    ends = [columns, *bar.rows]
    start = tuple((row, ends[row] + 1) for row in range(1, rows + 1) if ends[row] < ends[row - 1])
    successors = [array("I", [number[son] for son in sons]) for sons in graph.after.values()]
    return Made(successors, number[start], Convention.IS, states)


def arrays(rows: int, columns: int) -> Iterator[bytes]:
    state = [0] * columns
    while True:
        yield bytes(state)
        if state[0] == rows:
            return
        column = max(j for j in range(columns) if state[j] < rows)
        state[column:] = [state[column] + 1] * (columns - column)


def is_son(son: bytes, father: bytes, as_printed: bool = False) -> bool:
    """Return True if one bite leads from `father` to `son`: all changed columns get the same number.

    If `as_printed`, it wrongly compares with the index of the first changed column instead of its number.
    """
    eaten = -1
    for column, (after, before) in enumerate(zip(son, father, strict=True)):
        if after < before:
            return False
        if eaten == -1:
            if after != before:
                eaten = column if as_printed else after
        elif after != before and after != eaten:
            return False
    return eaten != -1


def packed_bars(rows: int, columns: int) -> Iterator[int]:
    base = rows + 1
    state, last = 0, base**columns - 1
    yield state
    while state != last:
        unit = base ** (columns - 1)
        while state // unit % base == rows:
            unit //= base
        eaten = state // unit % base + 1
        state = state % unit + eaten * (base**columns - unit) // (base - 1)
        yield state


def is_packed_son(base: int, son: int, father: int) -> bool:
    eaten = 0
    while son:
        after, before = son % base, father % base
        if after < before:
            return False
        if not eaten:
            if after != before:
                eaten = after
        elif after != before and after != eaten:
            return False
        son //= base
        father //= base
    return bool(eaten)


def _from_pairs(
    states: Sequence[State], start: State, is_bite: Callable[[State, State], bool], control: Control
) -> Made:
    successors = []
    for at, father in enumerate(states):
        check_time(control)
        successors.append(
            array("I", [j for j, son in enumerate(states[at + 1 :], at + 1) if is_bite(son, father)])
        )
        control.nodes += len(states) - at - 1
    return Made(successors, states.index(start), Convention.MOVES, held(states))


def _eaten(bar: Bar) -> bytes:
    rows, columns = _size(bar)
    return bytes(rows - sum(length > column for length in bar.rows) for column in range(columns))


def _from_arrays(bar: Bar, control: Control) -> Made:
    return _from_pairs(list(arrays(*_size(bar))), _eaten(bar), is_son, control)


def _from_packed(bar: Bar, control: Control) -> Made:
    rows, columns = _size(bar)
    base = rows + 1
    start = sum(number * base**column for column, number in enumerate(_eaten(bar)))
    return _from_pairs(array("Q", packed_bars(rows, columns)), start, partial(is_packed_son, base), control)


@dataclass(frozen=True)
class Construction:
    strategy: Strategy
    visits: int
    untreated: int


def construct_winning_strategy(graph: Graph, control: Control) -> Construction:
    count = len(graph.edges)
    before: list[list[int]] = [[] for _ in range(count)]
    for vertex in range(count):
        for target in graph.edges.successors(vertex):
            before[target].append(vertex)
    strategy: list[int | None] = [None] * count
    won, treated = bytearray(count), bytearray(count)
    won[graph.final] = treated[graph.final] = 1
    waiting = deque(vertex for vertex in range(count) if vertex != graph.final)
    visits = 0
    while strategy[graph.initial] is None:
        vertex = waiting.popleft()
        if treated[vertex]:
            continue
        visits += 1
        if visits % 1024 == 0:
            check_time(control)
        targets = graph.edges.successors(vertex)
        if not all(won[target] for target in targets):
            waiting.append(vertex)
            continue
        treated[vertex] = 1
        strategy[vertex] = targets[0]
        for father in before[vertex]:
            won[father] = treated[father] = 1
            strategy[father] = vertex
    return Construction(tuple(strategy), visits, count - sum(treated))


def longest_game(graph: Graph, strategy: Strategy) -> int:
    plies = {graph.final: 0}
    for vertex in reversed(graph.order):
        target = strategy[vertex]
        if target is not None:
            replies = graph.edges.successors(target)
            plies[vertex] = 2 + max((plies.get(reply, 0) for reply in replies), default=0)
    return plies[graph.initial]


def _strategy(bar: Bar, control: Control) -> MethodResult:
    graph = _graph_from(bar, control)
    count = len(graph.edges)
    began = time.perf_counter()
    made = construct_winning_strategy(graph, control)
    on_lists = time.perf_counter() - began
    on_matrix = None
    if count**2 <= MAX_BYTES // 16:
        matrix = Edges([graph.edges.successors(vertex) for vertex in range(count)], Storage.MATRIX)
        began = time.perf_counter()
        construct_winning_strategy(Graph(matrix, graph.initial, graph.final, graph.names), control)
        on_matrix = round(time.perf_counter() - began, 6)
    plies = in_time(remoteness(graph, control))
    wins = is_winning_strategy(graph, made.strategy)
    shortest = plies[graph.initial] - 1
    length = longest_game(graph, made.strategy) - 1 if wins.winning else shortest
    details = {
        "visits": made.visits,
        "bound |V|^2 + |V|": count * (count + 1),
        "untreated states": made.untreated,
        "plies of its path": length,
        "plies of the shortest": shortest,
        "accepted by the check": wins.winning,
        "seconds on lists": round(on_lists, 6),
        "seconds on a matrix": on_matrix,
    }
    return MethodResult(_answer(length), made.visits, details=details)


def _graph_from(bar: Bar, control: Control) -> Graph:
    rows, columns = _size(bar)
    _check_size(rows, columns)
    graph = in_time(bar_graph(rows, columns, Convention.MOVES, Storage.LIST, control))
    if len(set(bar.rows)) == 1:
        return graph
    return Graph(graph.edges, graph.names.index(_name(bar)), graph.final, graph.names)


def strategy_move(bar: Bar, control: Control) -> Bite:
    moves = bar.moves()
    try:
        graph = _graph_from(bar, control)
        target = construct_winning_strategy(graph, control).strategy[graph.initial]
    except GaveUpError:
        return moves[-1]
    assert target is not None
    return next(bite for bite in moves if _name(bar.play(bite)) == graph.names[target])


def _name(bar: Bar) -> str:
    return ".".join(map(str, bar.rows))


def _size(bar: Bar) -> tuple[int, int]:
    return len(bar.rows), bar.rows[0]


def edge_count(rows: int, columns: int) -> int:
    """Count the bites on all bars, including bites at the poison.

    On average, a bar has half of the squares, because the eaten squares also form a bar.
    """
    return bars_in(rows, columns) * rows * columns // 2


def _check_size(rows: int, columns: int) -> None:
    needed = 4 * edge_count(rows, columns) + 8 * bars_in(rows, columns)
    if needed > MAX_BYTES:
        raise GaveUpError(f"would take {needed / 2**30:,.1f} GiB")


def _graph_method(
    make: Callable[[Bar, Control], Made], cube: int, bar: Bar, control: Control
) -> MethodResult:
    rows, columns = _size(bar)
    if make is _from_packed and (rows + 1) ** columns > WORD:
        size = f"a bar of {rows}x{columns} does not fit into 64 bits"
        raise GaveUpError(f"{size}: {rows + 1}^{columns} is over 2^64")
    _check_size(rows, columns)
    made = make(bar, control)
    details = {
        "vertices": len(made.successors),
        "edges": sum(map(len, made.successors)),
        f"n^{cube} |V|^2": max(rows, columns) ** cube * bars_in(rows, columns) ** 2,
        "bytes of the bars while it runs": made.state_bytes,
        "bytes of the bars afterwards": 0,
        "bytes of the edges as lists": Edges(made.successors, Storage.LIST).nbytes,
        "bytes of the edges as a matrix": len(made.successors) ** 2,
    }
    ends = Value.LOSS if made.ending is Convention.IS else Value.WIN
    plies = in_time(in_time(work_back(made.successors, lambda _: ends, control))[made.start][1])
    return MethodResult(_answer(plies - (made.ending is Convention.MOVES)), control.nodes, details=details)


def _as_printed(
    edges: Callable[[int, int, Control], Iterable[tuple[str, str]]],
    ending: Convention,
    bar: Bar,
    control: Control,
) -> MethodResult:
    rows, columns = _size(bar)
    _check_size(rows, columns)
    graph = in_time(bar_graph(rows, columns, ending, Storage.LIST, control))
    found = set(edges(rows, columns, control))
    bites = {
        (graph.names[vertex], graph.names[target])
        for vertex in graph.order
        for target in graph.edges.successors(vertex)
    }
    details = {
        "edges found": len(found),
        "edges": len(bites),
        "wrong": len(found - bites),
        "wrong edges": _told(found - bites),
        "missed": len(bites - found),
        "missed edges": _told(bites - found),
    }
    wrong = f", and {len(found - bites):,} wrong" * bool(found - bites)
    answer = f"{len(found & bites):,} of {len(bites):,} edges{wrong}"
    return MethodResult(answer, control.nodes, details=details)


def _told(edges: set[tuple[str, str]]) -> list[str]:
    return [" > ".join(edge) for edge in sorted(edges)][: None if len(edges) <= MAX_SHOWN else SHOWN_OF_MANY]


def _printed_pairs(rows: int, columns: int, control: Control) -> Iterator[tuple[str, str]]:
    bars = list(arrays(rows, columns))
    made = _from_pairs(bars, bars[0], partial(is_son, as_printed=True), control)
    for father, sons in enumerate(made.successors):
        for son in sons:
            yield bar_name(rows, bars[father]), bar_name(rows, bars[son])


def _printed_recursion(rows: int, columns: int, control: Control) -> Iterator[tuple[str, str]]:
    def name(bar: Breakpoints) -> str:
        lengths = (min((j - 1 for i, j in bar if i <= row), default=columns) for row in range(1, rows + 1))
        return ".".join(str(length) for length in lengths if length)

    for father, sons in BreakpointGraph(rows, columns, control, as_printed=True).after.items():
        for son in sons:
            yield name(father), name(son)


def _answer(plies: int) -> str:
    return f"{'win' if plies % 2 else 'loss'} in {plies}"


def _solver(bar: Bar, control: Control) -> MethodResult:
    from arcade.engines.chocobar.table import make_table  # loads NumPy

    rows, columns = _size(bar)
    # Solve the table of all bars, because the solver knows a full square without one.
    table = make_table(rows, columns)
    table.solve(control)
    found = table.look_up(bar.rows)
    if not table.done or found is None:
        raise GaveUpError(OUT_OF_TIME)
    value, plies = found
    return MethodResult(value.name.lower() if plies is None else _answer(plies), bars_in(rows, columns) - 1)


def _warm() -> None:
    from arcade.engines.chocobar.table import warm  # loads NumPy

    warm()


COMPARISON = Comparison(
    methods=(
        SolvingMethod(
            name="breakpoints",
            summary=(
                "The report's (a), by Rolland: bites at the front line, and arcs from all ancestors of each "
                "new bar."
            ),
            remembers="every bar as a list of breakpoints, with lists of the bars before and after it",
            counts="tests whether one bar comes next after another (isNextOf)",
            source="Génération de graphe, a",
            run=partial(_graph_method, _from_breakpoints, 3),
        ),
        SolvingMethod(
            name="breakpoints-as-printed",
            summary="The same as it is printed, which never joins a bar with ancestors that are found later.",
            remembers="the same",
            counts="tests whether one bar comes next after another (isNextOf)",
            source="Génération de graphe, a",
            run=partial(_as_printed, _printed_recursion, Convention.IS),
        ),
        SolvingMethod(
            name="arrays",
            summary=(
                "The report's (b), by Indrawati: each pair of bars in lexicographic order, as arrays of "
                "bytes."
            ),
            remembers="every bar as a byte for each column",
            counts="pairs of bars tested (estFils)",
            source="Génération de graphe, b",
            run=partial(_graph_method, _from_arrays, 1),
        ),
        SolvingMethod(
            name="arrays-as-printed",
            summary="The same with estFils as it is printed, which keeps an index instead of a value.",
            remembers="every bar as a byte for each column",
            counts="pairs of bars tested (estFils)",
            source="Génération de graphe, b",
            run=partial(_as_printed, _printed_pairs, Convention.MOVES),
        ),
        SolvingMethod(
            name="packed",
            summary="The report's (c), by Indrawati: the same pairs, each bar one integer of 64 bits.",
            remembers="every bar as 8 bytes",
            counts="pairs of bars tested (estFils)",
            source="Génération de graphe, c",
            run=partial(_graph_method, _from_packed, 1),
        ),
        SolvingMethod(
            name="winning-strategy",
            title="Winning strategy, as the report has it",
            summary=(
                "The report's constructWinningStrategy: lost and won bars from the end, until the start is "
                "decided."
            ),
            remembers="the graph, the strategy, and a queue of the bars to treat",
            counts="visits of bars in the queue",
            source="Construction de stratégie gagnante",
            run=_strategy,
            choose=strategy_move,
        ),
        SolvingMethod(
            name="solver",
            summary="The arcade's table of all bars.",
            remembers="the plies to the end of every bar, a byte each",
            counts="bars",
            run=_solver,
            warm=_warm,
        ),
    ),
    boards=("3x4", "4x4", "5x5", "6x6", "6x7", "7x7", "7x8", "8x8", "10x10", "12x12"),
    findings=(
        ReportedFinding(
            text=(
                "The report makes the graph in n^3 |V|^2 steps from breakpoints, its slowest way, and in n "
                "|V|^2 from arrays and from integers, which take the least room."
            ),
            ranking=("arrays", "breakpoints"),
        ),
        ReportedFinding(
            text="The same from integers.",
            ranking=("packed", "breakpoints"),
        ),
        ReportedFinding(
            text=(
                "The report bounds the visits of its winning strategy by |V|^2 + |V| and calls its path the "
                "shortest. That is true up to 6x6; at 6x7 it takes 29 moves instead of 27, at 7x8 21 instead "
                "of 19."
            ),
        ),
    ),
)

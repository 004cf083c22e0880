"""Strategies on game graphs, as in the report: for each vertex the vertex to move to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arcade.engines.chocobar.graph import MOST_BYTES, Graph, remoteness
from arcade.engines.errors import InputError
from arcade.engines.files import read_text

Strategy = tuple[int | None, ...]
"""For each vertex the vertex to move to; None where the strategy has no move."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """A match of two strategies."""

    path: tuple[int, ...]
    """The vertices from the initial one on."""
    winner: int
    """0 for the first player, 1 for the second."""
    fault: str = ""
    """A sentence on the loser's error if its strategy gave no legal move."""


@dataclass(frozen=True, slots=True)
class Check:
    """Whether a strategy wins for the first player against any play."""

    winning: bool
    why: str
    """A sentence; for a strategy that does not win, it shows a path on which it fails."""
    path: tuple[int, ...] = ()
    """The vertices of that path; empty for a winning strategy."""


def simulate(graph: Graph, first: Strategy, second: Strategy) -> Simulation:
    """Play two strategies against each other, move by move.

    A strategy without a legal move loses at once. The match always ends, since the graph has no cycle.
    """
    path = [graph.initial]
    turn = 0
    while path[-1] != graph.final:
        fault = _fault(graph, (first, second)[turn], path[-1])
        if fault:
            return Simulation(tuple(path), 1 - turn, fault)
        target = (first, second)[turn][path[-1]]
        assert target is not None
        path.append(target)
        turn = 1 - turn
    return Simulation(tuple(path), 1 - turn)


def is_winning_strategy(graph: Graph, strategy: Strategy) -> Check:
    """Check that this strategy wins for the first player against any play."""
    came_from: dict[int, tuple[int, ...]] = {}
    waiting = [graph.initial]
    seen = {graph.initial}
    reached = 0
    while waiting:
        vertex = waiting.pop()
        reached += 1
        if vertex == graph.final:
            path = _way(graph.initial, vertex, came_from)
            return Check(False, f"The second player makes the last move on {graph.walk(path)}.", path)
        fault = _fault(graph, strategy, vertex)
        if fault:
            path = _way(graph.initial, vertex, came_from)
            return Check(False, f"It fails on {graph.walk(path)}: {fault}", path)
        answer = strategy[vertex]
        assert answer is not None
        for target in graph.edges.successors(answer):
            if target not in seen:
                seen.add(target)
                came_from[target] = (vertex, answer)
                waiting.append(target)
    return Check(
        True, f"The first player wins against every reply, at all {reached} vertices that can be reached."
    )


def _way(initial: int, vertex: int, came_from: dict[int, tuple[int, ...]]) -> tuple[int, ...]:
    way = [vertex]
    while way[-1] != initial:
        before, answer = came_from[way[-1]]
        way += [answer, before]
    return tuple(reversed(way))


def _fault(graph: Graph, strategy: Strategy, vertex: int) -> str:
    """A sentence on what is wrong with a strategy's move at a vertex; empty if it is legal."""
    target = strategy[vertex]
    if target is None:
        return f"The strategy has no move at vertex {graph.named(vertex)}."
    if not graph.edges.joined(vertex, target):
        return f"The strategy moves from {graph.named(vertex)} to {graph.named(target)}, where no edge leads."
    return ""


def construct_winning_strategy(graph: Graph) -> Strategy:
    """The fastest win for the first player, worked back from the final vertex.

    A winning player moves to the lost vertex of least remoteness; a losing player delays the end.

    Raises:
        InputError: the first player cannot win.
    """
    plies = remoteness(graph)
    assert plies is not None
    if plies[graph.initial] % 2 == 0:
        raise InputError(
            f"The first player cannot win from vertex {graph.named(graph.initial)}:"
            f" the second player ends the game in {plies[graph.initial]} plies at the latest."
        )
    strategy: list[int | None] = [None] * len(graph.edges)
    for vertex in graph.order:
        targets = graph.edges.successors(vertex)
        lost = [target for target in targets if plies[target] % 2 == 0]
        if lost:
            strategy[vertex] = min(lost, key=plies.__getitem__)
        elif targets:
            strategy[vertex] = max(targets, key=plies.__getitem__)
    return tuple(strategy)


def strategy_text(strategy: Sequence[int | None]) -> str:
    """The strategy as the text that `parse_strategy` reads: a line `FROM TO` for each move."""
    moves = [f"{vertex} {target}" for vertex, target in enumerate(strategy) if target is not None]
    return "\n".join(["strategy", *moves]) + "\n"


def parse_strategy(text: str, graph: Graph, source: str = "the strategy") -> Strategy:
    """Read a strategy for a graph. `check` tests whether its moves are edges.

    Raises:
        InputError: which line is bad and what was expected.
    """
    count = len(graph.edges)
    strategy: list[int | None] = [None] * count
    headed = False
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        where = f"Line {number} of {source}"
        if not headed:
            if words != ["strategy"]:
                raise InputError(f"{where}: a strategy must begin with the line 'strategy'.")
            headed = True
            continue
        if len(words) != 2 or not all(
            word.isascii() and word.isdecimal() and len(word) < 13 for word in words
        ):
            raise InputError(f"{where}: expected two vertex numbers 'FROM TO', not {' '.join(words)[:40]!r}.")
        origin, target = map(int, words)
        for vertex in (origin, target):
            if vertex >= count:
                raise InputError(f"{where}: the vertex must be 0 to {count - 1}, not {vertex}.")
        if strategy[origin] is not None:
            raise InputError(f"{where}: the move from vertex {origin} is given a second time.")
        strategy[origin] = target
    if not headed:
        raise InputError(f"{source} has no line 'strategy'.")
    return tuple(strategy)


def read_strategy(path: str | Path, graph: Graph) -> Strategy:
    """Read a strategy from a file; see `parse_strategy`.

    Raises:
        InputError: the file cannot be read, or what is wrong in it.
    """
    return parse_strategy(read_text(path, "strategy file", MOST_BYTES), graph, repr(Path(path).name))

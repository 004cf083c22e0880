"""Retrograde analysis: solve every position of a small duel, working back from the final positions.

See K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9 (1986).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from arcade.engines.control import NODES, Control
from arcade.engines.position import M, P
from arcade.engines.solver import Solver
from arcade.engines.verdict import DuelVerdict, Proof, Value

MOST_POSITIONS = 150_000
"""Most positions of a small game. Tic-tac-toe has 5,478, Hexapawn 4x4 20,286, 5x4 118,133."""

MOST_KEPT = 1_000_000
"""A solver that holds more verdicts than this forgets them."""

Solved = tuple[Value, int | None]
"""A value and the remoteness in plies; None for an endless tie."""


def work_back(
    children: Sequence[Sequence[int]], endings: Callable[[int], Value], control: Control | None = None
) -> list[Solved] | None:
    """Solve a game given as a graph, which may have cycles: where nobody can force a win, it is a tie.

    `children` are the vertices after the moves of each, none where the game is over; then `endings` gives the
    value for the player to move. Returns for each vertex its value for the player to move, and the plies to
    the end when the winner hurries and the loser delays; both hurry to a tie. None if stopped.
    """
    parents: list[list[int]] = [[] for _ in children]
    for vertex, targets in enumerate(children):
        for target in targets:
            parents[target].append(vertex)
    waiting = [len(targets) for targets in children]
    values = [None if targets else endings(vertex) for vertex, targets in enumerate(children)]
    plies: list[int | None] = [None if value is None else 0 for value in values]
    decided = [vertex for vertex, value in enumerate(values) if value in (Value.WIN, Value.LOSS)]
    ties = [vertex for vertex, value in enumerate(values) if value is Value.TIE]
    # In order of remoteness: the first lost child gives the fastest win, the last won child the slowest loss.
    for count, vertex in enumerate(decided):
        if control is not None and count % 1024 == 0 and control.stopped:
            return None
        lost = values[vertex] is Value.LOSS
        for parent in parents[vertex]:
            waiting[parent] -= 1
            if values[parent] is None and (lost or not waiting[parent]):
                values[parent] = Value.WIN if lost else Value.LOSS
                plies[parent] = (plies[vertex] or 0) + 1
                decided.append(parent)
    # All remaining vertices are ties.
    for vertex in ties:
        for parent in parents[vertex]:
            if values[parent] is None:
                values[parent] = Value.TIE
                plies[parent] = (plies[vertex] or 0) + 1
                ties.append(parent)
    return [(value or Value.TIE, ply) for value, ply in zip(values, plies, strict=True)]


@dataclass(frozen=True)
class Explored(Generic[P, M]):
    """All positions reachable from a start, the start first, each before those found through it."""

    positions: list[P]
    index: dict[P, int]
    plies: list[int]
    """The fewest plies from the start to each position."""
    moves: list[tuple[M, ...]]
    children: list[tuple[int, ...]]


def explore(start: P, control: Control | None = None) -> Explored[P, M] | None:
    """Find all positions of a small game; None if there are more than `MOST_POSITIONS`, or if stopped."""
    graph: Explored[P, M] = Explored([start], {start: 0}, [0], [], [])
    for at, position in enumerate(graph.positions):
        if control is not None:
            control.cells[NODES] += 1
            if at % 256 == 0 and control.stopped:
                return None
        moves = tuple(position.moves())
        children = []
        for move in moves:
            after = position.play(move)
            child = graph.index.setdefault(after, len(graph.positions))
            if child == len(graph.positions):
                if child == MOST_POSITIONS:
                    return None
                graph.positions.append(after)
                graph.plies.append(graph.plies[at] + 1)
            children.append(child)
        graph.moves.append(moves)
        graph.children.append(tuple(children))
    return graph


class RetrogradeSolver(Solver[P, M]):
    """Solves any small duel and remembers every position it has visited.

    Safe for several threads: they share only a dictionary, and each only adds true entries.
    """

    compiled = False

    def __init__(self) -> None:
        self._known: dict[P, DuelVerdict] = {}

    def verdict(self, position: P, control: Control) -> DuelVerdict:
        started = time.perf_counter()
        return replace(self._verdict(position, control), seconds=time.perf_counter() - started)

    def _verdict(self, position: P, control: Control) -> DuelVerdict:
        known = self._known.get(position) or position.ending()
        if known is not None:
            return known
        before = control.nodes
        graph: Explored[P, M] | None = explore(position, control)
        if graph is None:
            reason = "" if control.stopped else f"it has more than {MOST_POSITIONS:,} positions"
            return DuelVerdict(reason=reason)
        solved = solve(graph, control)
        if solved is None:
            return DuelVerdict()
        if len(self._known) > MOST_KEPT:
            self._known = {}
        self._known.update(zip(graph.positions, solved, strict=True))
        return replace(solved[0], nodes=control.nodes - before)


def solve(graph: Explored[P, M], control: Control | None = None) -> list[DuelVerdict] | None:
    endings = {at: ending for at, position in enumerate(graph.positions) if (ending := position.ending())}
    solved = work_back(graph.children, lambda at: endings[at].value or Value.TIE, control)
    if solved is None:
        return None
    return [
        endings.get(at) or DuelVerdict(Proof.EXACT, value, plies) for at, (value, plies) in enumerate(solved)
    ]

"""Solve small duels by retrograde analysis.

K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9 (1986). The solver numbers the
positions, each of which takes about 200 bytes. It drops a `Position` object after playing its moves.
"""

from __future__ import annotations

import marshal
import random
import threading
import time
from array import array
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from math import sqrt
from operator import attrgetter
from typing import Any, Generic

from arcade.engines.control import Control
from arcade.engines.position import M, P, Position
from arcade.engines.solver import Analysis, Goal, Solver, solve_in_steps
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value, mark_best
from arcade.engines.win_search import WinSearch

MAX_POSITIONS = 150_000
"""Maximum number of positions in a game for matchbox machines."""

MAX_SOLVED = 2_500_000
"""Maximum number of positions in a game to solve. With rules in Python, this takes about a minute."""

MAX_SOLVED_IN_MATCH = 6_000
"""Maximum number of positions in a game that players solve during a match. Tic-tac-toe has 5,478."""

PROBE_SIZE = 20_000
"""Number of positions explored before the total is estimated from random matches."""

SAMPLED, SAMPLED_PLIES = 4_000, 100
"""Number of random matches for an estimate, and their maximum length in plies."""

MAX_CACHED_LARGE = 16
"""Maximum number of positions with cached results in games that are too large to solve."""

MAX_SEARCHED = 250_000
"""Maximum number of visits in a depth-first search, which take about 5 seconds and 80 MB."""

MAX_SEARCHED_PLIES = 99
"""Depth limit in plies of a depth-first search if the caller sets no other limit."""

_VALUES = (None, Value.WIN, Value.LOSS, Value.TIE)
_UNKNOWN, _WIN, _LOSS, _TIE = range(4)
_CODES = {value: code for code, value in enumerate(_VALUES)}


class AdjacencyLists:
    def __init__(self, rows: Iterable[Sequence[int]] = ()) -> None:
        self.ends = array("q", [0])
        self.numbers = array("i")
        for row in rows:
            self.append(row)

    def append(self, row: Iterable[int]) -> None:
        self.numbers.extend(iter(row))
        self.ends.append(len(self.numbers))

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, index: int) -> array[int]:
        return self.numbers[self.ends[index] : self.ends[index + 1]]

    def reversed_edges(self) -> AdjacencyLists:
        import numpy as np  # loads NumPy

        targets, ends = np.frombuffer(self.numbers, np.int32), np.frombuffer(self.ends, np.int64)
        sources = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(ends))
        made = AdjacencyLists()
        made.numbers = array("i", sources[np.argsort(targets, kind="stable")].tobytes())
        counts = np.bincount(targets, minlength=len(self))
        made.ends = array("q", np.concatenate(([0], np.cumsum(counts, dtype=np.int64))).tobytes())
        return made


def work_back(
    children: Sequence[Sequence[int]], endings: Callable[[int], Value], control: Control | None = None
) -> list[tuple[Value, int | None]] | None:
    """Solve a game given as a graph, which may have cycles.

    Return the value and the plies to the end for each vertex, or None if stopped. The winner hurries and
    the loser delays; in a tie, both hurry. The plies of an endless tie are None.

    Args:
        children: for each vertex, the vertices that its moves lead to
        endings: value of a final vertex for the player to move
    """
    ends = bytearray(_UNKNOWN if targets else _CODES[endings(at)] for at, targets in enumerate(children))
    solved = _work_back(AdjacencyLists(children), ends, control)
    if solved is None:
        return None
    return [
        (_VALUES[code] or Value.TIE, None if plies < 0 else plies)
        for code, plies in zip(*solved, strict=True)
    ]


def _work_back(
    children: AdjacencyLists, codes: bytearray, control: Control | None = None
) -> tuple[bytearray, array[int]] | None:
    """Return each vertex's value code and plies to the end, or None if stopped.

    An unsolved vertex has the code `_UNKNOWN`. Unknown plies are -1.
    """
    codes = bytearray(codes)
    parents = children.reversed_edges()
    waiting = array("i", (end - start for start, end in zip(children.ends, children.ends[1:], strict=False)))
    plies = array("i", (0 if code else -1 for code in codes))
    decided = array("i", (at for at, code in enumerate(codes) if code in (_WIN, _LOSS)))
    ties = array("i", (at for at, code in enumerate(codes) if code == _TIE))
    unknown = array("i", (at for at, code in enumerate(codes) if not code and not waiting[at]))

    def stopped(count: int) -> bool:
        return control is not None and count % 1024 == 0 and control.stopped

    # The first lost child gives the fastest win, the last won child the slowest loss.
    for count, vertex in enumerate(decided):
        if stopped(count):
            return None
        lost = codes[vertex] == _LOSS
        for parent in parents[vertex]:
            waiting[parent] -= 1
            if not codes[parent] and (lost or not waiting[parent]):
                codes[parent] = _WIN if lost else _LOSS
                plies[parent] = plies[vertex] + 1
                decided.append(parent)
    # Ties, unless a side may win in an unexplored part.
    reached = bytearray(len(codes))
    for count, vertex in enumerate(unknown):
        if stopped(count):
            return None
        for parent in parents[vertex]:
            if not codes[parent] and not reached[parent]:
                reached[parent] = 1
                unknown.append(parent)
    for count, vertex in enumerate(ties):
        if stopped(count):
            return None
        for parent in parents[vertex]:
            if not codes[parent] and not reached[parent]:
                codes[parent] = _TIE
                plies[parent] = plies[vertex] + 1
                ties.append(parent)
    for vertex in unknown:
        reached[vertex] = 1
    for vertex, code in enumerate(codes):
        if not code and not reached[vertex]:
            codes[vertex] = _TIE
    return codes, plies


@dataclass(frozen=True)
class StateSpace(Generic[P, M]):
    """A start and all positions that can follow it, in breadth-first order."""

    positions: list[P]
    index: dict[P, int]
    plies: list[int]
    """Minimum number of plies from the start."""
    moves: list[tuple[M, ...]]
    children: list[tuple[int, ...]]


def explore(start: P) -> StateSpace[P, M] | None:
    """Return the state space of a start, or None if it has more than `MAX_POSITIONS` positions."""
    graph: StateSpace[P, M] = StateSpace([start], {start: 0}, [0], [], [])
    for at, position in enumerate(graph.positions):
        moves = tuple(position.moves())
        children = []
        for move in moves:
            after = position.play(move)
            child = graph.index.setdefault(after, len(graph.positions))
            if child == len(graph.positions):
                if child == MAX_POSITIONS:
                    return None
                graph.positions.append(after)
                graph.plies.append(graph.plies[at] + 1)
            children.append(child)
        graph.moves.append(moves)
        graph.children.append(tuple(children))
    return graph


def solve(graph: StateSpace[P, M]) -> list[DuelVerdict]:
    endings = {at: ending for at, position in enumerate(graph.positions) if (ending := position.ending())}
    solved = work_back(graph.children, lambda at: endings[at].value or Value.TIE)
    assert solved is not None
    return [
        endings.get(at) or DuelVerdict(Proof.EXACT, value, plies) for at, (value, plies) in enumerate(solved)
    ]


def short_keys(example: Position[Any]) -> Callable[[Any], Hashable]:
    """Return a function that gives each position a small key. Only equal positions have equal keys."""
    if not is_dataclass(example):
        return lambda position: position
    names = [field.name for field in fields(example) if field.compare]
    read = attrgetter(*names) if names else lambda _: ()

    def key(position: Any) -> Hashable:
        try:
            # Marshal version 2 writes equal values alike, even if shared.
            return marshal.dumps(read(position), 2)
        except ValueError:
            return position

    return key


class PartialSolve(Generic[P, M]):
    """The part of a game that has been explored, in breadth-first order."""

    def __init__(self, start: P) -> None:
        self.start = start
        self.key = short_keys(start)
        self.numbers: dict[Hashable, int] = {self.key(start): 0}
        self._children = AdjacencyLists()
        self._codes = bytearray()
        self._plies = array("i")
        self._waiting = deque([start])
        self._depth, self._deeper_from = -1, 0

    @property
    def complete(self) -> bool:
        return not self._waiting

    def extend(self, control: Control, most: int, depth: int | None = None) -> bool:
        """Explore up to `most` positions, no deeper than `depth` plies if given. Return False if stopped."""
        numbers, key, waiting = self.numbers, self.key, self._waiting
        while waiting and len(numbers) <= most:
            at = len(self._codes)
            if at % 256 == 0 and control.stopped:
                return False
            if at == self._deeper_from:
                self._depth, self._deeper_from = self._depth + 1, len(numbers)
            control.nodes += 1
            position = waiting[0]
            moves = position.moves() if depth is None or self._depth < depth else ()
            children = []
            for move in moves:
                after = position.play(move)
                new = len(numbers)
                child = numbers.setdefault(key(after), new)
                if child == new:
                    waiting.append(after)
                children.append(child)
            ending = None if moves else position.ending()
            self._children.append(children)
            self._codes.append(_UNKNOWN if ending is None else _CODES[ending.value])
            waiting.popleft()
        return True

    def solve(self, control: Control | None = None) -> bool:
        """Solve the explored part, which must not be extended afterwards. Return False if stopped."""
        for _ in range(len(self.numbers) - len(self._codes)):
            self._children.append(())
            self._codes.append(_UNKNOWN)
        solved = _work_back(self._children, self._codes, control)
        if solved is None:
            return False
        self._codes, self._plies = solved
        self._children = AdjacencyLists()
        return True

    def verdict(self, position: P) -> DuelVerdict | None:
        number = self.numbers.get(self.key(position))
        if number is None or not self._plies or not self._codes[number]:
            return None
        plies = self._plies[number]
        return DuelVerdict(Proof.EXACT, _VALUES[self._codes[number]], None if plies < 0 else plies)


def least_positions(start: Position[Any], control: Control) -> int:
    """Return an estimated lower bound of the number of positions after a start, or 0 if stopped.

    If a ply has n positions, two random matches reach the same one with a probability of at least 1/n. So if
    p pairs of m matches do so, n is about m * m / 2p or more.
    """
    key, rng = short_keys(start), random.Random(0)
    met: list[Counter[Hashable]] = []
    least = 0
    for matches in range(1, SAMPLED + 1):
        position = start
        for ply in range(SAMPLED_PLIES):
            if control.stopped:
                return 0
            moves = position.moves()
            if not moves:
                break
            position = position.play(rng.choice(moves))
            if ply == len(met):
                met.append(Counter())
            met[ply][key(position)] += 1
        if matches % (SAMPLED // 8) == 0:
            found = [_least_of(counts.values()) for counts in met]
            apart = len(set().union(*met)) == sum(map(len, met))
            least = sum(found) if apart else max(found, default=0)
            if least > MAX_SOLVED:
                break
    return least


def _least_of(counts: Iterable[int]) -> int:
    """Return an estimated lower bound of the positions at a ply. `counts` has the visits to each of them."""
    listed = list(counts)
    matches, pairs = sum(listed), sum(count * (count - 1) for count in listed) / 2
    # Divide by an upper confidence limit of the meetings.
    return int(matches * (matches - 1) / 2 / (pairs + 2 * sqrt(pairs) + 3))


class RetrogradeSolver(Solver[P, M]):
    """A solver of any duel with up to `MAX_SOLVED` positions. Several threads may use it.

    In a larger duel, the solver proves only nearby results: wins and losses by depth-first search, ties by
    exploration.
    """

    compiled = False

    def __init__(self) -> None:
        self._solved: tuple[PartialSolve[P, M], ...] = ()
        self._stopped: PartialSolve[P, M] | None = None
        self._small: PartialSolve[P, M] | None = None
        self._near: PartialSolve[P, M] | None = None
        self._searched: tuple[P, int, Mapping[M, DuelVerdict]] | None = None
        """Start, depth in plies, and results of the latest search."""
        self._large: dict[P, tuple[DuelVerdict, list[MoveVerdict[M]]]] = {}
        self._lock = threading.Lock()

    def can_solve(self, position: P, control: Control) -> bool:
        """Return whether at most `MAX_SOLVED_IN_MATCH` positions can follow. This takes under a second."""
        small = self._small
        if small is not None and small.key(position) in small.numbers:
            return True
        latest = self._near
        if latest is not None and latest.start == position:
            return latest.complete
        near = PartialSolve[P, M](position)
        if not near.extend(control, MAX_SOLVED_IN_MATCH):
            return False
        self._near = near
        if near.complete:
            self._small = near
        return near.complete

    def solve(self, position: P, control: Control, goal: Goal = Goal.ALL) -> Iterator[Analysis[P, M]]:
        return solve_in_steps(position, control, goal, self._judge, self._judge_moves)

    def _judge(self, position: P, control: Control) -> DuelVerdict:
        started, before = time.perf_counter(), control.nodes
        verdict = position.ending() or self._known(position) or self._find(position, control)
        return replace(verdict, nodes=control.nodes - before, seconds=time.perf_counter() - started)

    def _judge_moves(self, position: P, control: Control) -> list[MoveVerdict[M]]:
        if self._known(position) is None:
            ahead = None
            timed = control.remaining is not None and position not in self._large
            if timed and not self.can_solve(position, control):
                ahead = self.look_ahead(position, MAX_SEARCHED_PLIES, control)
                if all(judged.verdict.known for judged in ahead):
                    return ahead
            self._judge(position, control)
            if self._known(position) is None:
                return (
                    self._large[position][1] if position in self._large else ahead or self._judged(position)
                )
        after = ((move, self._judge(position.play(move), control)) for move in position.moves())
        return mark_best((move, verdict.before_move()) for move, verdict in after)

    def look_ahead(self, position: P, plies: int, control: Control) -> list[MoveVerdict[M]]:
        """See `Solver.look_ahead`. If too many positions can follow, ties may stay unproved."""
        if self._known(position) is not None:
            return self._judge_moves(position, control)
        with self._lock:
            near, self._near = self._near, None
        if near is None or near.start != position:
            near = PartialSolve(position)
            near.extend(control, MAX_SOLVED_IN_MATCH, plies)
        complete = near.complete
        if not control.cancelled:
            near.solve()
        return self._judged(position, near, {} if complete else self._search(position, plies, control))

    def _search(self, position: P, plies: int, control: Control) -> Mapping[M, DuelVerdict]:
        latest = self._searched
        if latest is not None and latest[:2] == (position, plies):
            return latest[2]
        found = WinSearch[P, M](position, short_keys(position), MAX_SEARCHED).moves(plies, control)
        if not control.stopped:
            self._searched = position, plies, found
        return found

    def _judged(
        self, position: P, near: PartialSolve[P, M] | None = None, found: Mapping[M, DuelVerdict] = {}
    ) -> list[MoveVerdict[M]]:
        """Return the moves with their known verdicts, including those in `near` and `found`."""

        def verdict(move: M) -> DuelVerdict:
            if move in found:
                return found[move]
            after = position.play(move)
            known = after.ending() or self._known(after) or (near.verdict(after) if near else None)
            return (known or DuelVerdict()).before_move()

        return mark_best((move, verdict(move)) for move in position.moves())

    def _known(self, position: P) -> DuelVerdict | None:
        return next(filter(None, (partial.verdict(position) for partial in self._solved)), None)

    def _find(self, position: P, control: Control) -> DuelVerdict:
        if position in self._large:
            return self._large[position][0]
        with self._lock:
            partial, self._stopped = self._stopped, None
        if partial is None or partial.key(position) not in partial.numbers:
            partial = PartialSolve(position)
            if not partial.extend(control, PROBE_SIZE):
                return DuelVerdict()
            if not partial.complete and least_positions(position, control) > MAX_SOLVED:
                partial.solve()
                return self._too_large(position, partial, control, "by a sample of random matches, ")
        if not partial.extend(control, MAX_SOLVED) or not partial.solve(control):
            self._stopped = partial
            return DuelVerdict()
        if not partial.complete:
            return self._too_large(position, partial, control)
        with self._lock:
            kept = self._solved if sum(len(each.numbers) for each in self._solved) < MAX_SOLVED else ()
            self._solved = (partial, *kept)
        return partial.verdict(position) or DuelVerdict()

    def _too_large(
        self, position: P, partial: PartialSolve[P, M], control: Control, source: str = ""
    ) -> DuelVerdict:
        reason = f"{source}more than {MAX_SOLVED:,} positions can follow, too many to solve"
        moves = self._judged(position, partial, self._search(position, MAX_SEARCHED_PLIES, control))
        best = next((judged.verdict for judged in moves if judged.best), None)
        verdict = (
            DuelVerdict(reason=reason)
            if best is None
            else DuelVerdict(Proof.EXACT, best.value, best.remoteness)
        )
        if not control.stopped:
            with self._lock:
                if len(self._large) >= MAX_CACHED_LARGE:
                    self._large = {}
                self._large[position] = verdict, moves
        return verdict

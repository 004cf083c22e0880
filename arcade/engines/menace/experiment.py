"""Experiments: how machines learn over many games, and their strength computed without playing."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import add, sub
from typing import Any

import numpy as np

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.menace import box as beads
from arcade.engines.menace.box import Node, PositionGraph
from arcade.engines.menace.machine import AnyMachine, Machine, Stretch
from arcade.engines.menace.training import Ended, Opponent, Style, Training, default_step


@dataclass(frozen=True)
class Shares:
    """The chances of each outcome for a machine; they add up to 1."""

    win: float
    tie: float
    loss: float


def shares(machine: AnyMachine, opponent: Opponent) -> Shares:
    """A machine's chances if nobody learns; resigning is a loss. InputError if the opponent cannot play."""
    opponent.check(machine)
    graph = machine.boxes.graph
    seat = machine.options.seat
    reached = [0.0] * len(graph.nodes)
    reached[0] = 1.0
    ended: dict[int | None, float] = {seat: 0.0, 1 - seat: 0.0, None: 0.0}
    """By the winner, None for a tie."""
    for at in graph.order:
        node, chance = graph.nodes[at], reached[at]
        if not chance:
            continue
        outcome = node.position.outcome()
        if outcome is not None:
            ended[outcome.winner] += chance
            continue
        player = machine if node.position.turn == seat else opponent.machine
        weights = _chances(graph, opponent, node) if player is None else _drawn(player, node)
        if not any(weights):
            ended[1 - node.position.turn] += chance
        for child, weight in zip(node.children, weights, strict=True):
            reached[child] += chance * weight
    return Shares(ended[seat], ended[None], ended[1 - seat])


def _chances(graph: PositionGraph[Any, Any], opponent: Opponent, node: Node[Any, Any]) -> list[float]:
    if opponent.style is Style.RANDOM:
        return [1 / len(node.moves)] * len(node.moves)
    perfect, worse = graph.perfect(node), graph.worse(node)
    finds = opponent.chance if opponent.style is Style.FALLIBLE and worse else 1.0
    weights = [0.0] * len(node.moves)
    for number in perfect:
        weights[number] += finds / len(perfect)
    for number in worse:
        weights[number] += (1 - finds) / len(worse)
    return weights


def _drawn(machine: AnyMachine, node: Node[Any, Any]) -> Sequence[float]:
    """The chance of each move of a position, from the beads; all 0 if the box is empty."""
    opening = machine.boxes.open(node.position)
    if opening is None:
        return [1 / len(node.moves)] * len(node.moves)
    word = machine.beads[opening.box.index]
    everything = beads.total(word) or 1
    slots = {move: slot for slot, move in opening.moves.items()}
    return [beads.count(word, slots[move]) / everything if move in slots else 0.0 for move in node.moves]


MOST_RUNS = 1000


@dataclass(frozen=True)
class Point:
    games: int
    """Games from the start of the experiment to the end of the stretch."""
    win: float
    """Share of the stretch's games that the machine won, 0 to 1; `win`, `tie` and `loss` add up to 1."""
    tie: float
    loss: float
    """Includes resigned games and games that a machine refused to play."""
    first: tuple[tuple[float, ...], ...]
    """For each box of the first move the final beads in its nine slots, averaged over the runs."""

    @classmethod
    def of(cls, stretch: Stretch, games: int) -> Point:
        first = tuple(tuple(map(float, beads.unpack(word))) for word in stretch.first)
        return cls(games, *stretch.shares, first)


LEAST_WINDOW = 10
"""Shares of fewer games jump, and hide what is learned."""


@dataclass(frozen=True)
class Curve:
    points: Sequence[Point]
    games: int
    """Games on its whole width."""
    window: int
    """About how many games a share is of."""

    @classmethod
    def of(cls, points: Sequence[Point], games: int) -> Curve:
        """The curve of single games: each share is of a tenth of them."""
        window = max(games // 10, LEAST_WINDOW)
        return cls(smoothed(points, window), games, window)


def history_of(machine: AnyMachine) -> Curve:
    return Curve.of([Point.of(stretch, stretch.games) for stretch in machine.history], machine.games)


def smoothed(curve: Sequence[Point], window: int) -> list[Point]:
    """Each point with the shares of about the last `window` games, at least of its own stretch."""
    smooth: list[Point] = []
    inside: deque[tuple[float, ...]] = deque()
    total: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
    games = 0
    for point in curve:
        played, games = point.games - games, point.games
        inside.append((played, played * point.win, played * point.tie, played * point.loss))
        total = tuple(map(add, total, inside[-1]))
        while total[0] - inside[0][0] >= window:
            total = tuple(map(sub, total, inside.popleft()))
        win, tie, loss = (count / total[0] for count in total[1:])
        smooth.append(Point(games, win, tie, loss, point.first))
    return smooth


@dataclass
class Experiment:
    """Train a machine once, or many fresh machines of its kind one after another.

    With more than one run only the machine's options are used, and each run uses a copy of an opponent that
    learns and the next seed. There are `step` games between two points; None for about a hundred points.
    Raises InputError if the opponent cannot play against the machine, or a number is out of its limits.
    """

    machine: AnyMachine
    opponent: Opponent
    games: int
    seed: int
    runs: int = 1
    step: int | None = None

    def __post_init__(self) -> None:
        if self.games < 1:
            raise InputError(f"An experiment needs at least 1 game, not {self.games}.")
        if not 1 <= self.runs <= MOST_RUNS:
            raise InputError(f"An experiment must have 1 to {MOST_RUNS} runs, not {self.runs}.")
        self.opponent.check(self.machine)
        self.size = self.step or default_step(self.games)
        self.finished = 0
        self.refused = 0
        """Runs that ended because the machine's first box was empty."""
        self.played = 0
        self.ended: Ended | None = None
        points = -(-self.games // self.size)
        self._outcomes = np.zeros((points, 3))
        self._beads = np.zeros((points, len(self.machine.first), beads.SLOTS))
        self._running: list[Point] = []

    @property
    def curve(self) -> Sequence[Point]:
        """The curve of a single run so far, or the averages over the finished runs."""
        if self.runs == 1:
            return tuple(self._running)
        return [self._point(at) for at in range(len(self._outcomes))] if self.finished else []

    @property
    def shown(self) -> Curve:
        if self.runs == 1:
            return Curve.of(self.curve, self.games)
        return Curve(self.curve, self.games, self.size)

    def steps(self, control: Control) -> Iterator[None]:
        """Continue the experiment; between two steps the curve may be read and machines saved."""
        if self.runs == 1:
            training = Training(self.machine, self.opponent, self.games, self.seed, self.size)
            for step in training.steps(control):
                self.played = training.played
                self._running.append(Point.of(step, training.played))
                yield
            self._count_end(training.ended)
            return
        for run in range(self.runs):
            if control.stopped:
                self.ended = Ended.CANCELLED
                return
            self._one_of_many(run, control)
            yield

    def _one_of_many(self, run: int, control: Control) -> None:
        machine: AnyMachine = Machine(self.machine.name, self.machine.options)
        opponent = self.opponent
        if opponent.machine is not None and opponent.learns:
            opponent = Opponent(opponent.style, machine=_copy(opponent.machine), learns=True)
        training = Training(machine, opponent, self.games, self.seed + run, self.size)
        steps = training.run(control)
        self.played += training.played
        if training.ended is Ended.CANCELLED:
            # Half a run would distort the averages.
            self.ended = Ended.CANCELLED
            return
        for at in range(len(self._outcomes)):
            games = min(self.size, self.games - at * self.size)
            won, tied, first, missing = 0, 0, machine.first, games
            if at < len(steps):
                won, tied, first = steps[at].won, steps[at].tied, steps[at].first
                missing -= steps[at].played
            if training.ended is Ended.OPPONENT_REFUSED:
                # Who refuses loses the games that follow.
                won += missing
            self._outcomes[at] += (won, tied, games - won - tied)
            self._beads[at] += [beads.unpack(word) for word in first]
        self._count_end(training.ended)

    def _count_end(self, ended: Ended | None) -> None:
        self.ended = ended
        self.finished += 1
        self.refused += ended is Ended.REFUSED

    def _point(self, at: int) -> Point:
        win, tie, loss = (self._outcomes[at] / self._outcomes[at].sum()).tolist()
        first = tuple(map(tuple, (self._beads[at] / self.finished).tolist()))
        return Point(min((at + 1) * self.size, self.games), win, tie, loss, first)


def _copy(machine: AnyMachine) -> AnyMachine:
    copied: AnyMachine = Machine(machine.name, machine.options)
    copied.beads[:] = machine.beads
    return copied

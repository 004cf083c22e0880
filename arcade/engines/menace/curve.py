"""Learning curves."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from operator import add, sub

from arcade.engines.menace import box as beads
from arcade.engines.menace.machine import AnyMachine, TrainingInterval


@dataclass(frozen=True)
class Point:
    games: int
    win: float
    """Share of wins in the games that lead up to this point. `win`, `tie` and `loss` add up to 1."""
    tie: float
    loss: float
    """Share of losses, including games that the machine resigned or refused to play."""
    first: tuple[tuple[float, ...], ...]
    """Number of beads in each of the nine slots of each box for the first move, averaged over all runs."""

    @classmethod
    def of(cls, interval: TrainingInterval, games: int) -> Point:
        first = tuple(tuple(map(float, beads.unpack(word))) for word in interval.first)
        return cls(games, *interval.shares, first)


MIN_WINDOW = 10


@dataclass(frozen=True)
class Curve:
    points: Sequence[Point]
    window: int

    @classmethod
    def of(cls, points: Sequence[Point], games: int) -> Curve:
        window = max(games // 10, MIN_WINDOW)
        return cls(smoothed(points, window), window)


def history_of(machine: AnyMachine) -> Curve:
    return Curve.of([Point.of(interval, interval.games) for interval in machine.history], machine.games)


def smoothed(curve: Sequence[Point], window: int) -> list[Point]:
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

"""Learning curves: a machine's results and the beads of its first box over its games."""

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
    """Share of the interval's games that the machine won. `win`, `tie` and `loss` add up to 1."""
    tie: float
    loss: float
    """Includes resigned games and games that the machine refused to play."""
    first: tuple[tuple[float, ...], ...]
    """For each box of the first move, the final beads in its nine slots, averaged over the runs."""

    @classmethod
    def of(cls, interval: TrainingInterval, games: int) -> Point:
        first = tuple(tuple(map(float, beads.unpack(word))) for word in interval.first)
        return cls(games, *interval.shares, first)


MIN_WINDOW = 10
"""With fewer games in a share the curve would jump."""


@dataclass(frozen=True)
class Curve:
    points: Sequence[Point]
    window: int

    @classmethod
    def of(cls, points: Sequence[Point], games: int) -> Curve:
        """Make the curve of an experiment with a final number of games. Each share covers a tenth of them."""
        window = max(games // 10, MIN_WINDOW)
        return cls(smoothed(points, window), window)


def history_of(machine: AnyMachine) -> Curve:
    return Curve.of([Point.of(interval, interval.games) for interval in machine.history], machine.games)


def smoothed(curve: Sequence[Point], window: int) -> list[Point]:
    """Return the points with the shares of about the last `window` games."""
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

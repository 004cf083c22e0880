"""Average learning curves over many machines of one kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.menace import box as beads
from arcade.engines.menace.curve import Point
from arcade.engines.menace.machine import AnyMachine, Machine
from arcade.engines.menace.opponents import Opponent
from arcade.engines.menace.training import Ended, Training, default_step

MAX_RUNS = 1000


@dataclass
class Experiment:
    """An experiment that trains new machines with the options of `machine` and averages their curves.

    The runs use consecutive seeds, starting with `seed`. If the opponent learns, each run has its own copy of
    the opponent. The points of a curve are `step` games apart (default: a hundredth of `games`).

    Raises InputError if the opponent does not fit the machine, or if `games` or `runs` is out of range.
    """

    machine: AnyMachine
    opponent: Opponent
    games: int
    seed: int
    runs: int
    step: int | None = None

    def __post_init__(self) -> None:
        if self.games < 1:
            raise InputError(f"An experiment needs at least 1 game, not {self.games}.")
        if not 1 <= self.runs <= MAX_RUNS:
            raise InputError(f"An experiment must have 1 to {MAX_RUNS} runs, not {self.runs}.")
        self.opponent.check(self.machine)
        self.size = self.step or default_step(self.games)
        self.finished = 0
        self.refused = 0
        self.cancelled = False
        points = -(-self.games // self.size)
        self._outcomes = np.zeros((points, 3))
        self._beads = np.zeros((points, len(self.machine.first), beads.SLOTS))

    @property
    def curve(self) -> Sequence[Point]:
        return [self._point(at) for at in range(len(self._outcomes))] if self.finished else []

    def steps(self, control: Control) -> Iterator[None]:
        for run in range(self.runs):
            if control.stopped:
                self.cancelled = True
                return
            self._run(run, control)
            yield

    def _run(self, run: int, control: Control) -> None:
        machine: AnyMachine = Machine(self.machine.name, self.machine.options)
        opponent = self.opponent
        if opponent.machine is not None and opponent.learns:
            opponent = Opponent(opponent.style, machine=_copy(opponent.machine), learns=True)
        training = Training(machine, opponent, self.games, self.seed + run, self.size)
        steps = training.run(control)
        if training.ended is Ended.CANCELLED:
            # Half a run would distort the averages.
            self.cancelled = True
            return
        for at in range(len(self._outcomes)):
            games = min(self.size, self.games - at * self.size)
            won, tied, first, missing = 0, 0, machine.first, games
            if at < len(steps):
                won, tied, first = steps[at].won, steps[at].tied, steps[at].first
                missing -= steps[at].played
            if training.ended is Ended.OPPONENT_REFUSED:
                # A machine that refuses loses the remaining games.
                won += missing
            self._outcomes[at] += (won, tied, games - won - tied)
            self._beads[at] += [beads.unpack(word) for word in first]
        self.finished += 1
        self.refused += training.ended is Ended.REFUSED

    def _point(self, at: int) -> Point:
        win, tie, loss = (self._outcomes[at] / self._outcomes[at].sum()).tolist()
        first = tuple(map(tuple, (self._beads[at] / self.finished).tolist()))
        return Point(min((at + 1) * self.size, self.games), win, tie, loss, first)


def _copy(machine: AnyMachine) -> AnyMachine:
    copied: AnyMachine = Machine(machine.name, machine.options)
    copied.beads[:] = machine.beads
    return copied

"""Run the laboratory's trainings in a worker thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from arcade.engines.control import Control
from arcade.learning.experiment import Experiment
from arcade.learning.machine import AnyMachine
from arcade.learning.machines import Machines, Pupil
from arcade.screens.experiments import FRESH, NOBODY, Setup, machine_of, opponent_of

SPEEDS = (("game by game", 0.4), ("slow", 0.25), ("steady", 0.05), ("full speed", 0.0))
"""The names of the speeds, and the seconds between two steps."""

MOST_SINGLE = 10_000
"""Most games in a training with single-game steps; more would give the curve too many points."""

TELL_SECONDS = 0.1
"""Least seconds between two progress reports, unless the screen is calm."""


@dataclass
class Bench:
    """One machine in training."""

    machine: AnyMachine
    experiment: Experiment
    kept: list[Pupil] = field(default_factory=list)
    """The saved machines, which are saved again after each step."""


_OVER = object()


class Trainer:
    """A training of one machine, or of two for comparison.

    Args:
        setup: the dials.
        speed: an index of `SPEEDS`; may be changed while the training runs.
        machines: loads and saves machines.
        control: stops it.
        told: called in the training's thread when there is something new to show.
        pace: least seconds between two such calls.
    """

    def __init__(
        self,
        setup: Setup,
        speed: int,
        machines: Machines,
        control: Control,
        told: Callable[[], None],
        pace: float = TELL_SECONDS,
    ) -> None:
        self.setup = setup
        self.speed = speed
        self.control = control
        self.benches: list[Bench] = []
        """Filled when the training starts."""
        self.going = threading.Event()
        """Set while it is not paused."""
        self.going.set()
        self.measured: list[str] = []
        """A text on how the machines play in the end."""
        self._machines = machines
        self._told = told
        self._pace = pace

    def run(self) -> None:
        """In a thread: train until done or stopped; saved machines are always updated.

        Raises:
            InputError: a machine is missing or cannot play its opponent, or the store fails.
        """
        self.benches = [
            self._bench(name) for name in (self.setup.machine, self.setup.beside) if name != NOBODY
        ]
        running = [(bench, bench.experiment.steps(self.control)) for bench in self.benches]
        told = 0.0
        while running:
            begun = time.monotonic()
            for bench, steps in list(running):
                if next(steps, _OVER) is _OVER:
                    running.remove((bench, steps))
                for pupil in bench.kept:
                    pupil.keep(self._machines.store)
            if time.monotonic() - told >= self._pace:
                told = time.monotonic()
                self._told()
            if running:
                self._rest(begun)
        if not self.control.cancelled:
            self.measured = [words for bench in self.benches for words in measure(bench)]

    def _bench(self, name: str) -> Bench:
        setup, machines = self.setup, self._machines
        # Read before the machines, so that later changes by another arcade are not overwritten.
        texts = machines.store.machines()
        machine, opponent = machine_of(name, machines), opponent_of(setup, machines)
        single = SPEEDS[self.speed][0] == SPEEDS[0][0] and setup.runs == 1 and setup.games <= MOST_SINGLE
        step = 1 if single else None
        bench = Bench(machine, Experiment(machine, opponent, setup.games, setup.seed, setup.runs, step))
        if setup.runs == 1:
            if not name.startswith(FRESH):
                bench.kept.append(Pupil(machine, texts.get(name)))
            learns = opponent.machine is not None and opponent.learns
            # With a second machine the opponent exists twice, so neither copy is saved.
            if learns and not setup.opponent.startswith(FRESH) and setup.beside == NOBODY:
                assert opponent.machine is not None
                bench.kept.append(Pupil(opponent.machine, texts.get(opponent.machine.name)))
        return bench

    def _rest(self, begun: float) -> None:
        """Wait before the next step, as the speed says and while paused."""
        while not self.control.stopped:
            left = begun + SPEEDS[self.speed][1] - time.monotonic()
            if not self.going.is_set():
                self.going.wait(0.05)
            elif left > 0:
                time.sleep(min(left, 0.05))
            else:
                return

    def stop(self) -> None:
        """Stop it within some milliseconds; played games still count."""
        self.control.cancel()
        self.going.set()


def measure(bench: Bench) -> Sequence[str]:
    """The exact strength of a machine after a single run."""
    from arcade.learning.evaluation import shares
    from arcade.learning.opponents import PERFECT, RANDOM

    if bench.experiment.runs > 1:
        return []
    words = [f"{bench.machine.name} now, exactly, in per cent:"]
    for opponent in (RANDOM, PERFECT):
        chances = shares(bench.machine, opponent)
        win, tie, loss = (round(100 * each) for each in (chances.win, chances.tie, chances.loss))
        words.append(f"{opponent.style.value:<7} won {win}, tied {tie}, lost {loss}")
    if bench.machine.refuses:
        words.append("Its first box is empty, so it refuses to play.")
    return words

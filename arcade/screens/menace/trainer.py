"""A training run that the player sets up and watches."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.menace.chances import shares
from arcade.engines.menace.curve import Curve, Point
from arcade.engines.menace.machine import (
    AnyMachine,
    Machine,
    Options,
)
from arcade.engines.menace.opponents import PERFECT, RANDOM, Opponent, parse_opponent
from arcade.engines.menace.presets import HER, KINDS
from arcade.play.machines import Machines, TrainableMachine
from arcade.store.store import Store

if TYPE_CHECKING:
    from arcade.engines.menace.training import Ended

FRESH = "fresh "


OPPONENTS = ("random", "0.5", "0.8", "0.9", "perfect")
GAMES = (10, 30, 100, 300, 1_000, 3_000, 10_000, 20_000, 100_000, 1_000_000)
MAX_GAMES = 100_000_000


@dataclass(frozen=True)
class Setup:
    machine: str
    opponent: str = "random"
    games: int = 1_000
    both: bool = False


FRESH_NAMES = [FRESH + name for name in KINDS]


def machine_of(name: str, machines: Machines) -> AnyMachine:
    """Return a fresh machine or a copy of a saved one. Raises InputError if it is unknown or damaged."""
    if name.startswith(FRESH):
        kind = name.removeprefix(FRESH)
        if kind not in KINDS:
            raise InputError(f"Unknown kind of machine {kind!r}. Choose from {', '.join(KINDS)}.")
        return Machine(kind, KINDS[kind].options)
    return machines.copy(name)


def opponent_of(setup: Setup, machines: Machines) -> Opponent:
    if setup.opponent.startswith(FRESH):
        machine = machine_of(setup.opponent, machines)
        return parse_opponent(machine.name, lambda _: machine, setup.both)
    return parse_opponent(setup.opponent, machines.copy, setup.both)


def options_of(name: str, machines: Machines) -> Options | None:
    """Return a machine's options without loading the machine; None if they are unknown."""
    if name.startswith(FRESH):
        kind = KINDS.get(name.removeprefix(FRESH))
        return None if kind is None else kind.options
    head = machines.listed().get(name)
    if head is None:
        return None
    game, _, parameters = head.game_id.partition(":")
    return Options(game, parameters, head.seat)


def usual_games(name: str, machines: Machines) -> int:
    """Return the default number of games. With few boxes, more games would hide the learning."""
    options = options_of(name, machines)
    return 50 if options is not None and options.game_id == HER.game_id else Setup.games


def can_meet(machine: str, other: str, machines: Machines) -> bool:
    one, two = options_of(machine, machines), options_of(other, machines)
    return one is not None and two is not None and one.game_id == two.game_id and one.seat != two.seat


SPEEDS = (("game by game", 0.4), ("slow", 0.25), ("steady", 0.05), ("maximum", 0.0))
"""Names of the speeds, each with its seconds between two steps."""

MAX_SINGLE_STEPS = 10_000
"""Maximum number of games in a training whose curve has a point for each game."""

PROGRESS_INTERVAL = 0.1
"""Minimum seconds between two progress reports, unless the screen is calm."""


class Trainer:
    """A training run of one machine. `speed`, an index of `SPEEDS`, may change at any time.

    The training's thread calls `told` at most every `pace` seconds.
    """

    def __init__(
        self,
        setup: Setup,
        seed: int,
        speed: int,
        machines: Machines,
        control: Control,
        told: Callable[[], None],
        pace: float = PROGRESS_INTERVAL,
    ) -> None:
        self.setup = setup
        self.seed = seed
        self.speed = speed
        self.control = control
        self.machine: AnyMachine | None = None
        self.played = 0
        self.ended: Ended | None = None
        self.kept: list[TrainableMachine] = []
        self.going = threading.Event()
        self.going.set()
        self.measured: Sequence[str] = ()
        self._points: list[Point] = []
        self._machines = machines
        self._told = told
        self._pace = pace

    @property
    def curve(self) -> Curve:
        return Curve.of(tuple(self._points), self.setup.games)

    def run(self, store: Store | None = None) -> None:
        """Train until done or stopped, then save. Raises InputError if loading or saving a machine fails.

        Run this in its own thread. `store` belongs to that thread and may wait for a lock.
        """
        from arcade.engines.menace.training import Training  # loads NumPy

        setup, machines = self.setup, self._machines
        # Read first, so that later changes by another arcade are not overwritten.
        texts = machines.store.machines()
        machine, opponent = machine_of(setup.machine, machines), opponent_of(setup, machines)
        if not setup.machine.startswith(FRESH):
            self.kept.append(TrainableMachine(machine, texts.get(setup.machine)))
        if opponent.machine is not None and opponent.learns and not setup.opponent.startswith(FRESH):
            self.kept.append(TrainableMachine(opponent.machine, texts.get(opponent.machine.name)))
        single = SPEEDS[self.speed][0] == SPEEDS[0][0] and setup.games <= MAX_SINGLE_STEPS
        training = Training(machine, opponent, setup.games, self.seed, 1 if single else None)
        self.machine = machine
        begun, told = time.monotonic(), 0.0
        for step in training.steps(self.control):
            self._points.append(Point.of(step, training.played))
            self.played, self.ended = training.played, training.ended
            for learner in self.kept:
                learner.keep(store or machines.store)
            if time.monotonic() - told >= self._pace:
                told = time.monotonic()
                self._told()
            if self.ended is None:
                self._rest(begun)
            begun = time.monotonic()
        self.ended = training.ended
        if not self.control.cancelled:
            self.measured = measure(machine)

    def _rest(self, begun: float) -> None:
        while not self.control.stopped:
            left = begun + SPEEDS[self.speed][1] - time.monotonic()
            if not self.going.is_set():
                self.going.wait(0.05)
            elif left > 0:
                time.sleep(min(left, 0.05))
            else:
                return

    def stop(self) -> None:
        """Stop within milliseconds. Played games still count."""
        self.control.cancel()
        self.going.set()


def measure(machine: AnyMachine) -> Sequence[str]:
    words = [f"{machine.name}'s calculated results (%)", f"{'':15}  win  tie  loss"]
    for opponent in (RANDOM, PERFECT):
        chances = shares(machine, opponent)
        win, tie, loss = (round(100 * chance) for chance in (chances.win, chances.tie, chances.loss))
        words.append(f"against {opponent.style.value:<7}  {win:>3}  {tie:>3}  {loss:>4}")
    if machine.refuses:
        words.append("It has no bead for its first move, so it refuses to play.")
    return words

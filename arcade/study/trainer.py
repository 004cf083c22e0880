"""Trainings that a person sets up and watches: machines, opponents, ready-made experiments, the work."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from arcade.engines.control import Control
from arcade.engines.files import InputError, package_table
from arcade.engines.menace.experiment import Experiment, shares
from arcade.engines.menace.machine import (
    HER,
    HER_4X4,
    MICHIE,
    SCROGGS,
    AnyMachine,
    Machine,
    Options,
    Overflow,
)
from arcade.engines.menace.training import PERFECT, RANDOM, Opponent, parse_opponent
from arcade.play.machines import Machines, Pupil
from arcade.store.store import Store

FRESH = "fresh "
"""The start of the name of a machine that is made for an experiment and not saved."""

KINDS: dict[str, Options] = {
    "Michie": MICHIE,
    "Scroggs": SCROGGS,
    "Stopping": replace(SCROGGS, overflow=Overflow.STOP),
    "Every-cell": replace(MICHIE, distinct=False),
    "Second": replace(MICHIE, seat=1),
    "HER": HER,
    "HER-4x4": HER_4X4,
}

OPPONENTS = ("random", "0.5", "0.8", "0.9", "perfect")
GAMES = (10, 30, 100, 300, 1_000, 3_000, 10_000, 20_000, 100_000, 1_000_000)
MOST_GAMES = 100_000_000
RUNS = (1, 10, 30, 100, 300)
NOBODY = "nobody"


@dataclass(frozen=True)
class Setup:
    machine: str
    opponent: str = "random"
    games: int = 1_000
    seed: int = 1
    runs: int = 1
    beside: str = NOBODY
    """A second machine trained the same way, for comparison."""
    both: bool = False
    """Whether an opposing machine also learns."""


@dataclass(frozen=True)
class Exhibit:
    title: str
    setup: Setup
    words: str


EXHIBITS = tuple(
    Exhibit(table["title"], Setup(**table["setup"]), table["words"])
    for table in package_table(__package__, "exhibits.toml")["exhibit"]
)

FRESH_NAMES = [FRESH + name for name in KINDS]
"""The machines for experiments by their names on the dials."""


def machine_of(name: str, machines: Machines) -> AnyMachine:
    """The machine named on a dial: a fresh one, or a copy of a saved one; see `Machines.load`."""
    if name.startswith(FRESH):
        kind = name.removeprefix(FRESH)
        if kind not in KINDS:
            raise InputError(f"There is no fresh machine {kind!r}, only {', '.join(KINDS)}.")
        return Machine(kind, KINDS[kind])
    return machines.copy(name)


def opponent_of(setup: Setup, machines: Machines) -> Opponent:
    if setup.opponent.startswith(FRESH):
        machine = machine_of(setup.opponent, machines)
        return parse_opponent(machine.name, lambda _: machine, setup.both)
    return parse_opponent(setup.opponent, machines.copy, setup.both)


def options_of(name: str, machines: Machines) -> Options | None:
    """The options of a machine on a dial, without loading a saved one; None if unknown."""
    if name.startswith(FRESH):
        return KINDS.get(name.removeprefix(FRESH))
    head = machines.listed().get(name)
    if head is None:
        return None
    game, _, parameters = head.game_id.partition(":")
    return Options(game, parameters, head.seat)


def usual_games(name: str, machines: Machines) -> int:
    """How many games show best how a machine learns: with few boxes, more would hide the learning."""
    options = options_of(name, machines)
    return 50 if options is not None and options.game_id == KINDS["HER"].game_id else Setup.games


def can_meet(machine: str, other: str, machines: Machines) -> bool:
    """Whether two machines play opposite sides of the same game."""
    one, two = options_of(machine, machines), options_of(other, machines)
    return one is not None and two is not None and one.game_id == two.game_id and one.seat != two.seat


def can_compare(machine: str, other: str, machines: Machines) -> bool:
    """Whether two machines play the same side of the same game, so that they can be compared."""
    one, two = options_of(machine, machines), options_of(other, machines)
    if machine == other or one is None or two is None:
        return False
    return (one.game_id, one.seat) == (two.game_id, two.seat)


SPEEDS = (("game by game", 0.4), ("slow", 0.25), ("steady", 0.05), ("full speed", 0.0))
"""The names of the speeds, and the seconds between two steps."""

MOST_SINGLE = 10_000
"""Most games in a training with single-game steps; more would give the curve too many points."""

TELL_SECONDS = 0.1
"""Least seconds between two progress reports, unless the screen is calm."""


@dataclass
class Trainee:
    machine: AnyMachine
    experiment: Experiment
    kept: list[Pupil] = field(default_factory=list)
    """The saved machines, which are saved again after each step."""


_OVER = object()


class Trainer:
    """A training of one machine, or of two for comparison; `speed`, an index of `SPEEDS`, may change.

    `told` is called in the training's thread when there is news, at least `pace` seconds apart.
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
        self.trainees: list[Trainee] = []
        """Filled when the training starts."""
        self.going = threading.Event()
        self.going.set()
        self.measured: list[str] = []
        self._machines = machines
        self._told = told
        self._pace = pace

    def run(self, store: Store | None = None) -> None:
        """In a thread: train until done or stopped, and always save; InputError: a machine cannot play.

        `store` is the thread's own, which may wait for a lock.
        """
        self.trainees = [
            self._trainee(name) for name in (self.setup.machine, self.setup.beside) if name != NOBODY
        ]
        running = [(trainee, trainee.experiment.steps(self.control)) for trainee in self.trainees]
        told = 0.0
        while running:
            begun = time.monotonic()
            for trainee, steps in list(running):
                if next(steps, _OVER) is _OVER:
                    running.remove((trainee, steps))
                for pupil in trainee.kept:
                    pupil.keep(store or self._machines.store)
            if time.monotonic() - told >= self._pace:
                told = time.monotonic()
                self._told()
            if running:
                self._rest(begun)
        if not self.control.cancelled:
            self.measured = [words for trainee in self.trainees for words in measure(trainee)]

    def _trainee(self, name: str) -> Trainee:
        setup, machines = self.setup, self._machines
        # Read before the machines, so that later changes by another arcade are not overwritten.
        texts = machines.store.machines()
        machine, opponent = machine_of(name, machines), opponent_of(setup, machines)
        single = SPEEDS[self.speed][0] == SPEEDS[0][0] and setup.runs == 1 and setup.games <= MOST_SINGLE
        step = 1 if single else None
        trainee = Trainee(machine, Experiment(machine, opponent, setup.games, setup.seed, setup.runs, step))
        if setup.runs == 1:
            if not name.startswith(FRESH):
                trainee.kept.append(Pupil(machine, texts.get(name)))
            learns = opponent.machine is not None and opponent.learns
            # With a second machine the opponent exists twice, so neither copy is saved.
            if learns and not setup.opponent.startswith(FRESH) and setup.beside == NOBODY:
                assert opponent.machine is not None
                trainee.kept.append(Pupil(opponent.machine, texts.get(opponent.machine.name)))
        return trainee

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
        """Stop it within a few milliseconds; played games still count."""
        self.control.cancel()
        self.going.set()


def measure(trainee: Trainee) -> Sequence[str]:
    if trainee.experiment.runs > 1:
        return []
    words = [f"{trainee.machine.name} now, calculated, in per cent against"]
    for opponent in (RANDOM, PERFECT):
        chances = shares(trainee.machine, opponent)
        win, tie, loss = (round(100 * chance) for chance in (chances.win, chances.tie, chances.loss))
        words.append(f"{opponent.style.value:<7} won {win}, tied {tie}, lost {loss}")
    if trainee.machine.refuses:
        words.append("It has no bead for its first move, so it refuses to play.")
    return words

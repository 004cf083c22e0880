import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.menace.archive import from_json
from arcade.engines.menace.machine import AnyMachine, Machine, Options
from arcade.engines.menace.opponents import RANDOM, Opponent, parse_opponent
from arcade.engines.menace.training import Ended, Training
from arcade.play.machines import Machines
from arcade.screens.menace.trainer import FRESH_NAMES, SPEEDS, Setup, Trainer, machine_of
from arcade.store.store import Store, open_store

STEADY, FULL_SPEED = range(2, len(SPEEDS))


@pytest.fixture
def machines() -> Machines:
    return Machines(Store.in_memory)


def trainer_of(
    setup: Setup,
    machines: Machines,
    seed: int = 1,
    speed: int = FULL_SPEED,
    told: Callable[[], None] = lambda: None,
    pace: float = 1000.0,
) -> Trainer:
    return Trainer(setup, seed, speed, machines, Control(), told, pace)


def trained(setup: Setup, machines: Machines, seed: int = 1) -> Trainer:
    trainer = trainer_of(setup, machines, seed)
    trainer.run()
    return trainer


def oracle(opponent: Opponent, games: int, seed: int, options: Options | None = None) -> AnyMachine:
    """A machine after the same games, without a trainer."""
    machine: AnyMachine = Machine("oracle", options)
    Training(machine, opponent, games, seed).run(Control())
    return machine


def running(trainer: Trainer) -> threading.Thread:
    thread = threading.Thread(target=trainer.run)
    thread.start()
    return thread


# The boxes of HER-4x4 take seconds.
@pytest.mark.parametrize("name", [name for name in FRESH_NAMES if name != "fresh HER-4x4"])
def test_every_kind_of_fresh_machine_can_be_trained(name: str, machines: Machines) -> None:
    trainer = trained(Setup(name, games=10), machines)
    assert (trainer.played, trainer.ended) == (10, Ended.DONE)
    assert machines.store.machine_names() == [], "a fresh machine is not saved"


def test_training_matches_the_command_line_result(machines: Machines) -> None:
    trainer = trained(Setup("fresh Michie", "random", 500), machines, seed=7)
    assert trainer.machine is not None
    assert trainer.machine.beads == oracle(RANDOM, 500, 7).beads
    curve = trainer.curve
    assert (len(curve.points), curve.points[-1].games, curve.window) == (100, 500, 50)
    assert trainer.measured[0].startswith("Michie's calculated results (%)")
    assert len(trainer.measured) == 4


@pytest.mark.parametrize("games", [30, 20_000])
def test_lowest_speed_takes_single_game_steps_up_to_100(
    games: int, machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Trainer, "_rest", lambda self, begun: None)
    trainer = trainer_of(Setup("fresh Michie", games=games), machines, speed=0)
    trainer.run()
    assert len(trainer.curve.points) == min(games, 100)


def test_saved_machine_continues_training(machines: Machines) -> None:
    machines.keep(Machine("Ann"))
    for games in (10, 20):
        trained(Setup("Ann", "random", 10), machines)
        assert machines.load("Ann").games == games


def test_learning_opponent_is_saved_too(machines: Machines) -> None:
    machines.keep(Machine("Bob"))
    machines.keep(Machine("Eve", Options(seat=1)))
    trained(Setup("Bob", "Eve", 40, both=True), machines)
    bob, eve = machines.load("Bob"), machines.load("Eve")
    assert bob.games == eve.games == 40
    assert (bob.won, bob.tied) == (eve.lost, eve.tied)
    rival: Any = Machine("Eve", Options(seat=1))
    other = oracle(parse_opponent("Eve", lambda _: rival, True), 40, 1)
    assert (bob.beads, eve.beads) == (other.beads, rival.beads)


def test_opponent_without_learning_is_not_saved(machines: Machines) -> None:
    machines.keep(Machine("Eve", Options(seat=1)))
    trainer = trained(Setup("fresh Michie", "Eve", 40), machines)
    assert trainer.kept == []
    assert machines.load("Eve").games == 0


def test_missing_machine_is_refused(machines: Machines) -> None:
    with pytest.raises(InputError, match="Ann"):
        trained(Setup("Ann", "random", 100), machines)


def test_unknown_fresh_machine_is_refused(machines: Machines) -> None:
    with pytest.raises(InputError, match="Unknown kind of machine 'Foo'"):
        machine_of("fresh Foo", machines)


def test_machine_with_empty_first_box_is_saved_and_refuses(machines: Machines) -> None:
    machines.keep(Machine("Spent", Options(first_beads=(1,), rewards=(0, -1, -1))))
    trainer = trained(Setup("Spent", "perfect", 1_000), machines)
    assert trainer.ended is Ended.REFUSED
    assert trainer.played < 1_000
    assert [learner.machine.refuses for learner in trainer.kept] == [True]
    assert machines.load("Spent").refuses
    assert trainer.measured[-1].endswith("so it refuses to play.")
    again = trained(Setup("Spent", "perfect", 1_000), machines)
    assert (again.played, again.ended, again.curve.points) == (0, Ended.REFUSED, [])


def test_paused_training_plays_nothing_until_resumed(machines: Machines) -> None:
    started, waited = threading.Event(), threading.Event()
    trainer = trainer_of(Setup("fresh Michie", games=1_000), machines, told=started.set, pace=0.0)
    trainer.speed = STEADY
    wait, seen = trainer.going.wait, list[int]()

    def watched(timeout: float | None = None) -> bool:
        seen.append(trainer.played)
        if len(seen) > 3:
            waited.set()
        return wait(0.01)

    trainer.going.wait = watched  # type: ignore[method-assign]
    thread = running(trainer)
    assert started.wait(20)
    trainer.going.clear()
    assert waited.wait(20)
    assert len(set(seen)) == 1
    assert 0 < seen[0] < 1_000
    trainer.speed = FULL_SPEED
    trainer.going.set()
    thread.join(20)
    assert (trainer.played, trainer.ended) == (1_000, Ended.DONE)


@pytest.mark.parametrize("paused", [False, True])
def test_stopped_training_saves_the_games_played(paused: bool, machines: Machines) -> None:
    started = threading.Event()
    machines.keep(Machine("Bob"))
    trainer = trainer_of(Setup("Bob", games=100_000_000), machines, told=started.set, pace=0.0)
    thread = running(trainer)
    assert started.wait(20)
    if paused:
        trainer.going.clear()
    trainer.stop()
    thread.join(20)
    assert trainer.ended is Ended.CANCELLED
    assert machines.load("Bob").games == trainer.played > 0
    assert trainer.measured == ()


@pytest.mark.slow
def test_killed_training_loses_at_most_one_step(tmp_path: Path) -> None:
    """kill -9 in the middle of a training that keeps its machine after each step."""
    program = """
import sys
from pathlib import Path
from arcade.engines.control import Control
from arcade.engines.menace.machine import Machine
from arcade.play.machines import Machines
from arcade.screens.menace.trainer import Setup, Trainer
from arcade.store.store import open_store
machines = Machines(lambda: open_store(Path(sys.argv[1])))
machines.keep(Machine("Bob"))
trainer = Trainer(Setup("Bob", "random", 10**8), 1, 3, machines, Control(), lambda: None)
trainer._told = lambda: print(trainer.played, flush=True)
trainer.run()
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True, env=os.environ
    )
    assert process.stdout is not None
    told = [int(process.stdout.readline()) for _ in range(3)]
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    with open_store(tmp_path) as store:
        kept = from_json(store.machines()["Bob"])
    # Steps of this training have 100,000 games; each is written before it is told.
    assert kept.games >= told[-1] > 0
    assert kept.games % 100_000 == 0


def test_laboratory_does_not_import_numpy() -> None:
    """Loading it takes a tenth of a second, for which a screen would stand still."""
    program = "import sys, arcade.screens.menace.laboratory; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], env=os.environ).returncode == 0

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.menace.archive import from_json
from arcade.engines.menace.experiment import Experiment
from arcade.engines.menace.machine import Machine, Options
from arcade.engines.menace.training import parse_opponent
from arcade.play.machines import Machines
from arcade.store.store import Store, open_store
from arcade.study.trainer import EXHIBITS, NOBODY, SPEEDS, Setup, Trainer, machine_of, opponent_of


@pytest.mark.parametrize("exhibit", EXHIBITS, ids=lambda each: each.title)
def test_every_exhibit_can_be_run(exhibit: Any) -> None:
    machines = Machines(Store.in_memory)
    setup = exhibit.setup
    for name in (setup.machine, setup.beside):
        if name != NOBODY:
            Experiment(machine_of(name, machines), opponent_of(setup, machines), setup.games, 1, setup.runs)
    assert len(exhibit.title) <= 18


def test_a_trainer_killed_in_a_step_loses_no_more_than_the_step(tmp_path: Path) -> None:
    """kill -9 in the middle of a training that keeps its machine after each step."""
    program = """
import sys
from pathlib import Path
from arcade.engines.control import Control
from arcade.engines.menace.machine import Machine
from arcade.play.machines import Machines
from arcade.study.trainer import Setup, Trainer
from arcade.store.store import open_store
machines = Machines(lambda: open_store(Path(sys.argv[1])))
machines.keep(Machine("Bob"))
trainer = Trainer(Setup("Bob", "random", 10**8), 3, machines, Control(), lambda: None)
trainer._told = lambda: print(trainer.trainees[0].experiment.played, flush=True)
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


def test_opponents_that_learn_are_kept_too() -> None:
    machines = Machines(Store.in_memory)
    machines.keep(Machine("Bob"))
    machines.keep(Machine("Eve", Options(seat=1)))
    trainer = Trainer(Setup("Bob", "Eve", 200, both=True), len(SPEEDS) - 1, machines, Control(), lambda: None)
    trainer.run()
    bob, eve = machines.load("Bob"), machines.load("Eve")
    assert bob.games == eve.games == 200
    assert (bob.won, bob.tied) == (eve.lost, eve.tied)
    other: Any = Machine("x")
    rival: Any = Machine("Eve", Options(seat=1))
    for _ in Experiment(other, parse_opponent("Eve", lambda _: rival, True), 200, 1).steps(Control()):
        pass
    assert (bob.beads, eve.beads) == (other.beads, rival.beads)

"""Players that draw beads to choose a move."""

import random
from dataclasses import replace
from typing import Any

from arcade.engines.control import Control
from arcade.engines.game import Game
from arcade.engines.menace.machine import AnyMachine, Machine
from arcade.engines.menace.opponents import RANDOM
from arcade.engines.menace.presets import SCROGGS
from arcade.engines.parameters import Parameter
from arcade.engines.players import Player, PlayerKind
from arcade.engines.position import M, P, Position


class MachinePlayer(Player[P, M]):
    def __init__(self, machine: Machine[P, M]) -> None:
        self.machine = machine

    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        draw = self.machine.draw(position, rng)
        return None if draw is None else draw.move


class TrainedPlayer(Player[Position[Any], Any]):
    """A player that, before its first move, trains a machine with Scroggs' beads against random play."""

    def __init__(self, game: Game[Any, Any], thousands: int) -> None:
        self.game = game
        self.thousands = thousands
        self._machines: dict[int, AnyMachine] = {}

    def choose(self, position: Position[Any], rng: random.Random, control: Control) -> Any | None:
        if position.turn not in self._machines:
            # The caller's control could cut this training short and so make another player.
            with control.paused(), Control(kernels=control.kernels) as own:
                self._machines[position.turn] = self._trained(position.turn, own)
        return MachinePlayer(self._machines[position.turn]).choose(position, rng, control)

    def _trained(self, seat: int, control: Control) -> AnyMachine:
        options = replace(SCROGGS, game=self.game.name, seat=seat)
        machine: AnyMachine = Machine("matchboxes", options)
        if self.thousands:
            from arcade.engines.menace.training import Training  # loads NumPy

            Training(machine, RANDOM, 1000 * self.thousands, seed=1).run(control)
        return machine


MATCHBOXES = PlayerKind(
    "matchboxes",
    "Matchboxes",
    "Knows only its beads.",
    TrainedPlayer,
    Parameter("thousands", "Training", 20, 0, 1000, help="thousands of training games against random play"),
)

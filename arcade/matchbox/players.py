"""Machines as players of matches."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from arcade.engines.control import Control
from arcade.engines.game import Game
from arcade.engines.parameters import Parameter
from arcade.engines.players import Player, PlayerKind
from arcade.engines.position import M, P, Position
from arcade.matchbox.machine import SCROGGS, AnyMachine, Machine


class MachinePlayer(Player[P, M]):
    """A machine in a seat of a match."""

    def __init__(self, machine: Machine[P, M]) -> None:
        self.machine = machine

    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        draw = self.machine.draw(position, rng)
        return None if draw is None else draw.move


class TrainedPlayer(Player[Position[Any], Any]):
    """A machine with Scroggs' beads, trained against random play before its first move, and never after.

    It plays either side of a game with its default parameters, with one machine for each; 0 thousands of
    training games give fresh boxes.
    """

    def __init__(self, game: Game[Any, Any], thousands: int) -> None:
        self.game = game
        self.thousands = thousands
        self._machines: dict[int, AnyMachine] = {}

    def choose(self, position: Position[Any], rng: random.Random, control: Control) -> Any | None:
        machine = self._machines.get(position.turn)
        if machine is None:
            machine = self._trained(position.turn)
            self._machines[position.turn] = machine
        draw = machine.draw(position, rng)
        return None if draw is None else draw.move

    def _trained(self, seat: int) -> AnyMachine:
        options = replace(SCROGGS, game=self.game.name, seat=seat)
        machine: AnyMachine = Machine("matchboxes", options)
        if self.thousands:
            from arcade.matchbox.training import RANDOM, Training

            # Not the caller's control: a shorter training would give another player. It takes an instant.
            with Control() as control:
                Training(machine, RANDOM, 1000 * self.thousands, seed=1).run(control)
        return machine


MATCHBOXES = PlayerKind(
    "matchboxes",
    "Matchboxes",
    "Knows only its beads.",
    TrainedPlayer,
    Parameter("thousands", "Training", 20, 0, 1000, help="thousands of training games against random play"),
)

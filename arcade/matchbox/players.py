"""A machine's training opponents, and machines as players of matches."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.game import Game
from arcade.engines.parameters import Parameter
from arcade.engines.players import Player, PlayerKind
from arcade.engines.position import M, P, Position
from arcade.matchbox.machine import SCROGGS, AnyMachine, Machine


class Style(StrEnum):
    """How an opponent plays."""

    RANDOM = "random"
    """Any legal move with equal chance."""
    PERFECT = "perfect"
    """A best move that sets a trap if possible; see `PositionGraph.perfect`."""
    FALLIBLE = "fallible"
    """A best move with a given chance, else one of the others, as in `arcade.engines.players`."""
    MACHINE = "machine"


@dataclass(frozen=True)
class Opponent:
    """A training opponent."""

    style: Style
    chance: float = 1.0
    """For a fallible opponent: how often it finds a best move, 0 to 1."""
    machine: AnyMachine | None = None
    learns: bool = False

    def __str__(self) -> str:
        if self.style is Style.FALLIBLE:
            return f"{self.chance:g}"
        return self.machine.name if self.machine else self.style.value

    @property
    def threshold(self) -> int:
        """It plays a best move if 32 random bits are below this; 0 to 2**32."""
        return round(self.chance * 2**32)

    def check(self, machine: AnyMachine) -> None:
        """Check that the opponent can play against a machine.

        Raises:
            InputError: the other machine plays another game or the same side, or is the same machine.
        """
        if self.machine is None:
            return
        own, other = machine.options, self.machine.options
        if own.game_id != other.game_id:
            raise InputError(
                f"{machine.name} plays {own.game_id}, but {self.machine.name} plays {other.game_id}."
            )
        if own.seat == other.seat:
            side = "first" if own.seat == 0 else "second"
            raise InputError(f"{machine.name} and {self.machine.name} both move {side}, so they cannot meet.")


RANDOM = Opponent(Style.RANDOM)
PERFECT = Opponent(Style.PERFECT)


def parse_opponent(text: str, load: Callable[[str], AnyMachine], learns: bool = False) -> Opponent:
    """Read "random", "perfect", "0.8" for a best move in 80 % of the turns, or the name of a machine.

    Args:
        text: as typed.
        load: returns the machine with a name, or raises InputError.
        learns: whether an opposing machine also learns.

    Raises:
        InputError: the number is not from 0 to 1, or there is no such machine.
    """
    text = text.strip()
    if text in (Style.RANDOM, Style.PERFECT):
        return Opponent(Style(text))
    if text[:1].isdigit() or text[:1] in {".", "-", "+"}:
        try:
            chance = float(text)
        except ValueError:
            chance = -1.0
        if not 0 <= chance <= 1:
            raise InputError(
                f"The opponent {text!r} must be random, perfect, a number from 0 to 1, or a machine's name."
            )
        return Opponent(Style.FALLIBLE, chance)
    return Opponent(Style.MACHINE, machine=load(text), learns=learns)


class MachinePlayer(Player[P, M]):
    """A machine in a seat of a match."""

    def __init__(self, machine: Machine[P, M]) -> None:
        self.machine = machine

    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        draw = self.machine.draw(position, rng)
        return None if draw is None else draw.move


class TrainedPlayer(Player[Position[Any], Any]):
    """A machine with Scroggs' beads, trained against random play before its first move, and never after.

    It plays either side, with one machine for each.

    Args:
        game: a small game; machines are trained for its default parameters.
        thousands: thousands of training games, 0 for a machine with fresh boxes.
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
            from arcade.matchbox.training import Training

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

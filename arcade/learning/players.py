"""Machines as players of a match."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from arcade.engines.control import Control
from arcade.engines.errors import InputError
from arcade.engines.game import Game
from arcade.engines.parameters import Parameter
from arcade.engines.players import Player, PlayerKind
from arcade.engines.position import M, Outcome, P, Position
from arcade.learning.machine import AnyMachine, Change, Draw, Machine, Options


class MachinePlayer(Player[P, M]):
    """A machine in a seat of a match: it draws its moves, shows how, and learns from the outcome.

    `draws` are its moves of this match, oldest first. `last` is its last choice: a `Draw`, or None before its
    first move and after it found a box empty.
    """

    def __init__(self, machine: Machine[P, M]) -> None:
        self.machine = machine
        self.draws: list[Draw[P, M]] = []
        self.last: Draw[P, M] | None = None
        self.resigned = False
        """Whether it resigned at an empty box in its last turn."""

    def check(self, game_id: str, seat: int) -> None:
        """Check that the machine has boxes for a seat.

        Args:
            game_id: the match's game and parameters, without a position, as in `Options.game_id`.
            seat: 0 for the first player, 1 for the second.

        Raises:
            InputError: the machine plays another game, another board or the other side.
        """
        options, name = self.machine.options, self.machine.name
        if game_id != options.game_id:
            raise InputError(f"The machine {name} plays {options.game_id}, not {game_id}.")
        if seat != options.seat:
            side = ("first", "second")[options.seat]
            raise InputError(f"The machine {name} moves {side}, so it cannot take the other seat.")

    def choose(self, position: P, rng: random.Random, control: Control) -> M | None:
        """Draw a bead; None means it resigns at an empty box.

        After an undo it forgets the draws that were taken back.
        """
        graph = self.machine.boxes.graph
        ply = graph.nodes[graph.index[position]].ply if position in graph.index else 0
        self.draws = [draw for draw in self.draws if graph.nodes[graph.index[draw.position]].ply < ply]
        self.last = self.machine.draw(position, rng)
        self.resigned = self.last is None
        if self.last is None:
            return None
        if position in graph.index:
            self.draws.append(self.last)
        return self.last.move

    def retrace(self, start: P, moves: Sequence[M]) -> None:
        """Adopt a line of play as its own match so far, after a restart or when it takes over a seat.

        Raises:
            ValueError: a move is illegal.
        """
        self.draws = self.machine.retrace(start, moves)
        self.last = self.draws[-1] if self.draws else None
        self.resigned = False

    def reward(self, outcome: Outcome, resigned: bool = False) -> list[Change[P, M]]:
        """Learn from the match and get ready for the next; returns the change to each opened box, in order.

        Args:
            outcome: how the match ended.
            resigned: whether this machine gave up at an empty box.
        """
        changes = self.machine.learn(self.draws, outcome, resigned)
        self.draws, self.last, self.resigned = [], None, False
        return changes


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
        """Draw a bead; None means it resigns at an empty box."""
        machine = self._machines.get(position.turn)
        if machine is None:
            machine = self._trained(position.turn)
            self._machines[position.turn] = machine
        draw = machine.draw(position, rng)
        return None if draw is None else draw.move

    def _trained(self, seat: int) -> AnyMachine:
        machine: AnyMachine = Machine(
            "matchboxes",
            Options(self.game.name, seat=seat, first_beads=(8, 4, 2, 1)),
        )
        if self.thousands:
            from arcade.learning.opponents import RANDOM
            from arcade.learning.training import Training

            # Not the caller's control: a shorter training would give another player. It takes only an
            # instant.
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

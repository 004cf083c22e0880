"""Machines as players of a match."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from arcade.engines.control import Control
from arcade.engines.game import Game, InputError, M, Outcome, P, Parameter, Position, Termination
from arcade.engines.menace.machine import AnyMachine, Change, Draw, Machine, Options, Overflow
from arcade.engines.players import Player, PlayerKind


class MachinePlayer(Player[P, M]):
    """A machine in a seat of a match: draws its moves, shows how, and learns when told the outcome.

    `draws` are its moves of this match, oldest first. `last` is its last choice: a `Draw`, or None before
    the first and after a box was found empty.
    """

    def __init__(self, machine: Machine[P, M]) -> None:
        self.machine = machine
        self.draws: list[Draw[P, M]] = []
        self.last: Draw[P, M] | None = None
        self.resigned = False
        """Whether its last choice was to resign before an empty box."""

    def check(self, game_id: str, seat: int) -> None:
        """Refuse a seat for which the machine has no boxes.

        Args:
            game_id: the match's game and parameters, without a position, as `Options.game_id` has it.
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
        """Draw a bead; None to resign before an empty box.

        A position before or at that of an earlier draw, as after an undo, makes it forget that draw.
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
        """Take a line of play as its own match so far: after a restart, or when it takes over a seat.

        Raises:
            ValueError: a move is not legal.
        """
        self.draws = self.machine.retrace(start, moves)
        self.last = self.draws[-1] if self.draws else None
        self.resigned = False

    def reward(self, outcome: Outcome) -> list[Change[P, M]]:
        """Learn from the match and be ready for the next; what each opened box got or lost, in order."""
        gave_up = outcome.termination is Termination.EMPTY_BOX and outcome.winner != self.machine.options.seat
        changes = self.machine.learn(self.draws, outcome, gave_up)
        self.draws, self.last, self.resigned = [], None, False
        return changes


class TrainedPlayer(Player[Position[Any], Any]):
    """A machine with Scroggs' beads, trained against random play before its first move; it learns no more.

    It sits on whichever side is to move, with one machine for each.

    Args:
        game: a small game; its first parameters are those that machines are trained for.
        thousands: thousands of training games, 0 for a machine with fresh boxes.
    """

    def __init__(self, game: Game[Any, Any], thousands: int) -> None:
        self.game = game
        self.thousands = thousands
        self._machines: dict[int, AnyMachine] = {}

    def choose(self, position: Position[Any], rng: random.Random, control: Control) -> Any | None:
        """Draw a bead; None to resign before an empty box."""
        machine = self._machines.get(position.turn)
        if machine is None:
            machine = self._trained(position.turn)
            self._machines[position.turn] = machine
        draw = machine.draw(position, rng)
        return None if draw is None else draw.move

    def _trained(self, seat: int) -> AnyMachine:
        machine: AnyMachine = Machine(
            "matchboxes",
            Options(self.game.name, seat=seat, first_beads=(8, 4, 2, 1), overflow=Overflow.HALVE),
        )
        if self.thousands:
            from arcade.engines.menace.opponents import RANDOM
            from arcade.engines.menace.training import Training

            # Not the caller's control: half a training would be another player. It is over in an instant.
            with Control() as control:
                Training(machine, RANDOM, 1000 * self.thousands, seed=1).run(control)
        return machine


MATCHBOXES = PlayerKind(
    "matchboxes",
    "Matchboxes",
    "a trained machine, which knows only what its beads tell it",
    TrainedPlayer,
    Parameter("thousands", "Training", 20, 0, 1000, help="thousands of training games against random play"),
)

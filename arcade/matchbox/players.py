"""A machine's training opponents, and one training game played move by move."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.game import Game
from arcade.engines.parameters import Parameter
from arcade.engines.players import Player, PlayerKind
from arcade.engines.position import M, Outcome, P, Position
from arcade.matchbox.box import Node, PositionGraph
from arcade.matchbox.machine import EMPTY_BOX, AnyMachine, Bits, Change, Draw, Machine, Options, below


class Style(StrEnum):
    """How an opponent plays."""

    RANDOM = "random"
    """Any legal move with equal chance."""
    PERFECT = "perfect"
    """A best move that sets a trap if possible; see `PositionGraph.perfect`."""
    FALLIBLE = "fallible"
    """A best move with a given chance, else one of the others, as in `arcade.engines.players`."""
    MACHINE = "machine"
    """Another machine."""


@dataclass(frozen=True)
class Opponent:
    """A training opponent."""

    style: Style
    chance: float = 1.0
    """For a fallible opponent: how often it finds a best move, 0 to 1."""
    machine: AnyMachine | None = None
    learns: bool = False
    """For a machine: whether it also learns."""

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
        text: the text as typed.
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


@dataclass(frozen=True)
class Played(Generic[P, M]):
    """A training game, move by move."""

    start: P
    moves: tuple[M, ...]
    outcome: Outcome
    draws: tuple[Draw[P, M], ...]
    """The machine's own moves."""
    changes: tuple[Change[P, M], ...]
    """The changes to its boxes."""


def reply(graph: PositionGraph[P, M], opponent: Opponent, node: Node[P, M], bits: Bits) -> M:
    """The move of an opponent that is not a machine, from 32 random bits; a fallible one may take 32 more."""
    if opponent.style is Style.RANDOM:
        choice: Sequence[int] = range(len(node.moves))
    else:
        choice, worse = graph.perfect(node), graph.worse(node)
        if opponent.style is Style.FALLIBLE and worse and bits.getrandbits(32) >= opponent.threshold:
            choice = worse
    return node.moves[choice[below(bits, len(choice))]]


def chances(graph: PositionGraph[P, M], opponent: Opponent, node: Node[P, M]) -> list[float]:
    if opponent.style is Style.RANDOM:
        return [1 / len(node.moves)] * len(node.moves)
    perfect, worse = graph.perfect(node), graph.worse(node)
    finds = opponent.chance if opponent.style is Style.FALLIBLE and worse else 1.0
    found = [0.0] * len(node.moves)
    for number in perfect:
        found[number] += finds / len(perfect)
    for number in worse:
        found[number] += (1 - finds) / len(worse)
    return found


def play_game(machine: Machine[P, M], opponent: Opponent, bits: Bits) -> Played[P, M]:
    """Play one game from the start of the machine's game and let the machine learn from it.

    The same bits give the same game and the same beads as the kernel in `training`.
    """
    graph = machine.boxes.graph
    start = position = graph.nodes[0].position
    moves: list[M] = []
    draws: dict[int, list[Draw[P, M]]] = {0: [], 1: []}
    players = {machine.options.seat: machine, 1 - machine.options.seat: opponent.machine}
    outcome = position.outcome()
    resigned = False
    while outcome is None:
        turn = position.turn
        player = players[turn]
        if player is None:
            move = reply(graph, opponent, graph.nodes[graph.index[position]], bits)
        else:
            draw = player.draw(position, bits)
            if draw is None:
                outcome, resigned = Outcome(1 - turn, EMPTY_BOX), True
                break
            draws[turn].append(draw)
            move = draw.move
        moves.append(move)
        position = position.play(move)
        outcome = position.outcome()
    seat = machine.options.seat
    changes = machine.learn(draws[seat], outcome, resigned and outcome.winner != seat)
    if opponent.machine is not None and opponent.learns:
        opponent.machine.learn(draws[1 - seat], outcome, resigned and outcome.winner == seat)
    return Played(start, tuple(moves), outcome, tuple(draws[seat]), tuple(changes))


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
            from arcade.matchbox.training import Training

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

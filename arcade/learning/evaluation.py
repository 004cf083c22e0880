"""Compute a machine's strength exactly instead of playing games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arcade.learning import beads
from arcade.learning.graph import Node
from arcade.learning.machine import AnyMachine
from arcade.learning.opponents import Opponent, chances


@dataclass(frozen=True)
class Shares:
    """The chances of each outcome for a machine; they add up to 1."""

    win: float
    tie: float
    loss: float


def shares(machine: AnyMachine, opponent: Opponent) -> Shares:
    """The chances of a machine when neither it nor its opponent learns.

    Works back from the ends through all positions and weighs each move by its chance; resigning is a loss.

    Raises:
        InputError: the opponent cannot play against the machine.
    """
    opponent.check(machine)
    graph = machine.boxes.graph
    seat = machine.options.seat
    reached = [0.0] * len(graph.nodes)
    reached[0] = 1.0
    win = tie = loss = 0.0
    for at in graph.order:
        node, chance = graph.nodes[at], reached[at]
        if not chance:
            continue
        outcome = node.position.outcome()
        if outcome is not None:
            if outcome.winner is None:
                tie += chance
            elif outcome.winner == seat:
                win += chance
            else:
                loss += chance
            continue
        player = machine if node.position.turn == seat else opponent.machine
        weights = chances(graph, opponent, node) if player is None else _drawn(player, node)
        if not any(weights):
            if player is machine:
                loss += chance
            else:
                win += chance
        for child, weight in zip(node.children, weights, strict=True):
            reached[child] += chance * weight
    return Shares(win, tie, loss)


def _drawn(machine: AnyMachine, node: Node[Any, Any]) -> Sequence[float]:
    """The chance of each move of a position, from the beads; all 0 if the box is empty."""
    opening = machine.boxes.open(node.position)
    if opening is None:
        return [1 / len(node.moves)] * len(node.moves)
    word = machine.beads[opening.box.index]
    everything = beads.total(word) or 1
    slots = {move: slot for slot, move in opening.moves.items()}
    return [beads.count(word, slots[move]) / everything if move in slots else 0.0 for move in node.moves]

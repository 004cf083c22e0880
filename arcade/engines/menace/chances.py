"""A machine's exact chances of winning, tying and losing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arcade.engines.menace import box as beads
from arcade.engines.menace.box import Node, PositionGraph
from arcade.engines.menace.machine import AnyMachine
from arcade.engines.menace.opponents import Opponent, Style


@dataclass(frozen=True)
class Shares:
    win: float
    tie: float
    loss: float


def shares(machine: AnyMachine, opponent: Opponent) -> Shares:
    """Calculate a machine's chances against an opponent if neither side learns. Resigning counts as losing.

    Raises InputError if the opponent does not fit the machine.
    """
    opponent.check(machine)
    graph = machine.boxes.graph
    seat = machine.options.seat
    reached = [0.0] * len(graph.nodes)
    reached[0] = 1.0
    ended: dict[int | None, float] = {seat: 0.0, 1 - seat: 0.0, None: 0.0}
    """Probability by winner. The key None stands for a tie."""
    for at in graph.order:
        node, chance = graph.nodes[at], reached[at]
        if not chance:
            continue
        outcome = node.position.outcome()
        if outcome is not None:
            ended[outcome.winner] += chance
            continue
        player = machine if node.position.turn == seat else opponent.machine
        weights = _chances(graph, opponent, node) if player is None else _drawn(player, node)
        if not any(weights):
            ended[1 - node.position.turn] += chance
        for child, weight in zip(node.children, weights, strict=True):
            reached[child] += chance * weight
    return Shares(ended[seat], ended[None], ended[1 - seat])


def _chances(graph: PositionGraph[Any, Any], opponent: Opponent, node: Node[Any, Any]) -> list[float]:
    if opponent.style is Style.RANDOM:
        return [1 / len(node.moves)] * len(node.moves)
    perfect, worse = graph.perfect(node), graph.worse(node)
    finds = opponent.chance if opponent.style is Style.FALLIBLE and worse else 1.0
    weights = [0.0] * len(node.moves)
    for number in perfect:
        weights[number] += finds / len(perfect)
    for number in worse:
        weights[number] += (1 - finds) / len(worse)
    return weights


def _drawn(machine: AnyMachine, node: Node[Any, Any]) -> Sequence[float]:
    """Return the chance of each move. All chances are 0 if the box is empty."""
    opening = machine.boxes.open(node.position)
    if opening is None:
        return [1 / len(node.moves)] * len(node.moves)
    word = machine.beads[opening.box.index]
    everything = beads.total(word) or 1
    slots = {move: slot for slot, move in opening.moves.items()}
    return [beads.count(word, slots[move]) / everything if move in slots else 0.0 for move in node.moves]

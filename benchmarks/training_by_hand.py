"""Training games played move by move in Python, to check the kernel."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arcade.engines.menace.box import Node, PositionGraph
from arcade.engines.menace.machine import EMPTY_BOX, AnyMachine, BeadDraw, BoxUpdate, below
from arcade.engines.menace.opponents import Opponent, Style
from arcade.engines.position import Outcome, Position

MASK = (1 << 64) - 1


class SplitMix64(random.Random):
    """64 random bits per call, from a seed modulo 2**64.

    G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
    """

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.state = seed & MASK

    def getrandbits(self, k: int, /) -> int:
        """The top `k` bits, up to 64."""
        self.state = self.state + 0x9E3779B97F4A7C15 & MASK
        mixed = self.state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & MASK
        return (mixed ^ mixed >> 31) >> 64 - k


@dataclass(frozen=True)
class Played:
    start: Position[Any]
    moves: list[Any]
    outcome: Outcome
    draws: list[BeadDraw[Any, Any]]
    changes: list[BoxUpdate[Any, Any]]


def _reply(graph: PositionGraph[Any, Any], opponent: Opponent, node: Node[Any, Any], bits: SplitMix64) -> Any:
    """Takes 32 random bits, or 64 if fallible. `opponent` is no machine."""
    if opponent.style is Style.RANDOM:
        choice: Sequence[int] = range(len(node.moves))
    else:
        choice, worse = graph.perfect(node), graph.worse(node)
        if opponent.style is Style.FALLIBLE and worse and bits.getrandbits(32) >= opponent.threshold:
            choice = worse
    return node.moves[choice[below(bits, len(choice))]]


def play_game(machine: AnyMachine, opponent: Opponent, bits: SplitMix64) -> Played:
    graph = machine.boxes.graph
    start = position = graph.nodes[0].position
    moves: list[Any] = []
    draws: tuple[list[BeadDraw[Any, Any]], list[BeadDraw[Any, Any]]] = ([], [])
    seat = machine.options.seat
    outcome = position.outcome()
    resigned = False
    while outcome is None:
        turn = position.turn
        player = machine if turn == seat else opponent.machine
        if player is None:
            move = _reply(graph, opponent, graph.nodes[graph.index[position]], bits)
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
    changes = machine.learn(draws[seat], outcome, resigned and outcome.winner != seat)
    if opponent.machine is not None and opponent.learns:
        opponent.machine.learn(draws[1 - seat], outcome, resigned and outcome.winner == seat)
    return Played(start, moves, outcome, draws[seat], changes)

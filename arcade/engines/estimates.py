"""Estimate the values of moves by UCT, without proof.

L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006; M. Winands, Y. Björnsson and
J.-T. Saito, "Monte-Carlo tree search solver", CG 2008.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from arcade.engines.control import Control
from arcade.engines.position import M, P, Position

MAX_PLAYOUT_PLIES = 400
EXPLORATION = math.sqrt(2)
"""Weight of exploration in UCT, for results from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Estimates(Generic[M]):
    scores: Mapping[M, float]
    """Scores for the player to move, in the search's own unit. Larger is better; some moves may have none."""
    because: Callable[[M], str]
    """A function that returns the reason for a move's score, as a clause after "because", or "" for none."""

    @property
    def best(self) -> list[M]:
        top = max(self.scores.values())
        return [move for move, score in self.scores.items() if score == top]


@dataclass(slots=True)
class _Node:
    visits: int = 0
    total: float = 0.0
    """Sum of the results for the player whose move led to this node."""
    children: dict[Any, _Node] = field(default_factory=dict)
    untried: list[Any] | None = None
    won: bool | None = None
    """True if the player whose move led here wins by force, False if that player loses, None if unknown."""

    @property
    def average(self) -> float:
        return self.total / self.visits


class _Tree:
    def __init__(self, start: Position[Any], moves: Sequence[Any], rng: random.Random) -> None:
        self.start = start
        self.root = _Node(untried=rng.sample(moves, len(moves)))
        self._rng = rng
        self.race = False
        self._low, self._high = 0.0, 1.0

    def play(self) -> None:
        node, position = self.root, self.start
        path = [(node, 1 - position.turn)]
        while not node.untried and node.children and node.won is None:
            move, node = self._child(node)
            path.append((node, position.turn))
            position = position.play(move)
        if node.untried is None:
            node.untried = list(position.moves())
            self._rng.shuffle(node.untried)
        if node.untried:
            move = node.untried.pop()
            child = node.children[move] = _Node()
            path.append((child, position.turn))
            position = position.play(move)
            outcome = position.outcome()
            if outcome is not None and outcome.winner is not None:
                child.won = outcome.winner == path[-1][1]
                self._follow_back([node for node, _ in path])
        plies = 0
        while plies < MAX_PLAYOUT_PLIES and (moves := position.moves()):
            position = position.play(self._rng.choice(moves))
            plies += 1
        for node, mover in path:
            node.visits += 1
            node.total += self._result(position, mover)

    def _follow_back(self, path: list[_Node]) -> None:
        for node, child in zip(path[-2::-1], path[:0:-1], strict=True):
            if child.won:
                node.won = False
            elif not node.untried and all(each.won is False for each in node.children.values()):
                node.won = True
            else:
                break

    def _child(self, node: _Node) -> tuple[Any, _Node]:
        visits, span = math.log(node.visits), self._high - self._low or 1.0

        def worth(item: tuple[Any, _Node]) -> float:
            child = item[1]
            if child.won is not None:
                return math.inf if child.won else -math.inf
            return (child.average - self._low) / span + EXPLORATION * math.sqrt(visits / child.visits)

        return max(node.children.items(), key=worth)

    def _result(self, end: Position[Any], mover: int) -> float:
        """Return the result for `mover`: 1 for a win, 0.5 for a tie, 0 for a loss; in a race, the score."""
        outcome = end.outcome()
        if outcome is not None and outcome.score is not None:
            score = float(outcome.score)
            first = not self.race
            self.race = True
            self._low = score if first else min(self._low, score)
            self._high = score if first else max(self._high, score)
            return score
        return 0.5 if outcome is None or outcome.winner is None else float(outcome.winner == mover)


def playouts(
    position: P, moves: Sequence[M], matches: int, rng: random.Random, control: Control
) -> Estimates[M]:
    """Estimate the values of moves by playing up to `matches` random matches, but at least one per move.

    A move's score is the number of matches that began with it, infinity for a forced win, and -1 for a forced
    loss. If the control stops the search, some moves may have no match.
    """
    tree = _Tree(position, moves, rng)
    found = tree.root.children
    for _ in range(max(matches, len(moves))):
        if control.stopped or tree.root.won is not None:
            break
        control.nodes += 1
        tree.play()

    def score(move: M) -> float:
        node = found.get(move)
        if node is None:
            return 0
        return node.visits if node.won is None else math.inf if node.won else -1

    def because(move: M) -> str:
        if move not in found:
            return ""
        node = found[move]
        if node.won is not None:
            return f"the search says that it {'wins' if node.won else 'loses'} by force"
        if tree.race:
            return f"it leads to {node.average:.1f} points on average when you play on at random"
        return f"it wins {round(100 * node.average)} of 100 games in which both sides play on at random"

    return Estimates({move: score(move) for move in moves}, because)

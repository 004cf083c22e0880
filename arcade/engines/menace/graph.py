"""Every position of a small game, found by playing, with its value."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic

from arcade.engines.game import InputError, Kind, M, P
from arcade.engines.menace.symmetry import Geometry, geometry
from arcade.engines.registry import get_game
from arcade.engines.verdict import MoveVerdict, Proof, Value, Verdict, keeps_value, mark_best

MOST_POSITIONS = 150_000
"""A game with more positions is not small. Tic-tac-toe has 5,478, Hexapawn 4x4 20,286, 5x4 118,133."""


@dataclass(frozen=True)
class Node(Generic[P, M]):
    """A position with its place in the graph."""

    index: int
    position: P
    ply: int
    """The fewest plies from the start."""
    moves: tuple[M, ...]
    children: tuple[int, ...]
    """The index of the position after each move."""


class PositionGraph(Generic[P, M]):
    """All positions that can come about from a start, each as it lies on the board.

    Symmetric positions are kept apart: the machine must answer on the board as it was played.

    Args:
        start: the first position.
        kind: the game's kind.
        name: what the game is called in messages.
        geometry: its symmetries.

    Raises:
        InputError: the game is no duel, has more than `MOST_POSITIONS` positions, or can go in circles.
    """

    def __init__(self, start: P, kind: Kind, name: str, geometry: Geometry[P, M]) -> None:
        if kind is not Kind.DUEL:
            raise InputError(f"{name} has no opponent, so matchboxes cannot learn it.")
        self.geometry = geometry
        self.nodes: list[Node[P, M]] = []
        self.index: dict[P, int] = {start: 0}
        positions, plies = [start], [0]
        for at, position in enumerate(positions):
            moves = tuple(position.moves())
            children = []
            for move in moves:
                after = position.play(move)
                child = self.index.setdefault(after, len(positions))
                if child == len(positions):
                    positions.append(after)
                    plies.append(plies[at] + 1)
                children.append(child)
            self.nodes.append(Node(at, position, plies[at], moves, tuple(children)))
            if len(positions) > MOST_POSITIONS:
                raise InputError(
                    f"{name} has more than {MOST_POSITIONS:,} positions, too many for matchboxes."
                )
        self._perfect: dict[int, list[int]] = {}
        self.depth = 0
        """Plies of the longest game."""
        self.order: list[int] = []
        """All nodes, each before those that follow from it."""
        self.verdicts = self._solve(name)
        """The exact verdict of each node."""

    def _solve(self, name: str) -> list[Verdict]:
        """The verdict of every node, from the ends backwards."""
        parents: list[list[int]] = [[] for _ in self.nodes]
        waiting = [len(node.children) for node in self.nodes]
        for node in self.nodes:
            for child in node.children:
                parents[child].append(node.index)
        verdicts: list[Verdict | None] = [None] * len(self.nodes)
        depths = [0] * len(self.nodes)
        ready = [node.index for node in self.nodes if not node.children]
        for at in ready:
            node = self.nodes[at]
            after = [verdict.before_move() for child in node.children if (verdict := verdicts[child])]
            if after:
                best = max(after, key=lambda each: each.preference)
                verdicts[at] = Verdict(Proof.EXACT, best.value, best.remoteness)
            else:
                verdicts[at] = node.position.ending()
            for parent in parents[at]:
                depths[parent] = max(depths[parent], 1 + depths[at])
                waiting[parent] -= 1
                if waiting[parent] == 0:
                    ready.append(parent)
        solved = [verdict for verdict in verdicts if verdict is not None]
        if len(solved) < len(self.nodes):
            raise InputError(f"{name} can go in circles, so matchboxes cannot learn it.")
        self.depth = depths[0]
        self.order = ready[::-1]
        return solved

    def canonical(self, position: P) -> tuple[str, int]:
        """The text that comes last among those of the symmetric positions, and the symmetry that leads to it.

        The symmetry is a number in `geometry.symmetries`, the lowest of those that do.
        """
        text, number = max(
            (symmetry.position(position).text(), -number)
            for number, symmetry in enumerate(self.geometry.symmetries)
        )
        return text, -number

    def analyse(self, node: Node[P, M]) -> list[MoveVerdict[M]]:
        """Every move of a node with its exact verdict, as `Solver.analyse` would give it."""
        return mark_best(
            (move, self.verdicts[child].before_move())
            for move, child in zip(node.moves, node.children, strict=True)
        )

    def best(self, node: Node[P, M]) -> list[int]:
        """Which moves, by their number, no other beats, remoteness considered."""
        return [number for number, each in enumerate(self.analyse(node)) if each.best]

    def analyse_position(self, position: P) -> list[MoveVerdict[M]]:
        """`analyse` for a position of the graph as it lies on the board."""
        return self.analyse(self.nodes[self.index[position]])

    def worse(self, node: Node[P, M]) -> list[int]:
        """Which moves, by their number, some other move beats."""
        return [number for number, each in enumerate(self.analyse(node)) if not each.best]

    def perfect(self, node: Node[P, M]) -> list[int]:
        """Which moves, by their number, the perfect opponent of a training chooses among.

        Of the best moves those that set a trap, after which the fewest replies keep the other side's value,
        as `arcade.engines.players.PerfectPlayer` has it; of these one of each symmetric kind.
        """
        known = self._perfect.get(node.index)
        if known is not None:
            return known
        best = self.best(node)
        if len(best) > 1 and self.verdicts[node.index].value is not Value.WIN:
            holding = [len(self.keeping(self.nodes[node.children[number]])) for number in best]
            best = [number for number, each in zip(best, holding, strict=True) if each == min(holding)]
        kinds: dict[str, int] = {}
        if len(best) > 1:
            for number in best:
                kinds.setdefault(self.canonical(self.nodes[node.children[number]].position)[0], number)
        self._perfect[node.index] = list(kinds.values()) or best
        return self._perfect[node.index]

    def keeping(self, node: Node[P, M]) -> set[M]:
        """The moves after which the mover still has the value of the position."""
        return set(keeps_value(self.analyse(node)))


@lru_cache(maxsize=8)
def position_graph(name: str, parameters: str) -> PositionGraph[Any, Any]:
    """The graph of a game from its first position; kept, as finding it takes up to some seconds.

    Raises:
        InputError: there is no such game, the parameters are bad, or it is not small enough.
    """
    game = get_game(name)
    start = game.new(game.parse_parameters(parameters))
    title = f"{game.title} {parameters}" if parameters else game.title
    return PositionGraph(start, game.kind, title, geometry(game))

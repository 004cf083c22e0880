"""Every position of a small game, with its value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic

from arcade.engines.errors import InputError
from arcade.engines.game import Kind
from arcade.engines.position import M, P, Symmetry
from arcade.engines.registry import AnyGame, get_game
from arcade.engines.retrograde import MOST_POSITIONS, Explored, explore, solve
from arcade.engines.verdict import MoveVerdict, Value, keeps_value, mark_best


class Identity(Symmetry[P, M]):
    """The identity: it changes nothing."""

    name = "as it is"

    def position(self, position: P) -> P:
        """The same position."""
        return position

    def move(self, position: P, move: M) -> M:
        """The same move."""
        return move


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
    """All positions reachable from a start, as they appear on the board.

    Symmetric positions stay separate: the machine must answer on the actual board.

    Args:
        game: a duel.
        parameters: its parameters as in a game ID.

    Raises:
        InputError: the parameters are bad, or the game is not a duel, has more than `MOST_POSITIONS`
            positions, or can repeat a position.
    """

    def __init__(self, game: AnyGame, parameters: str) -> None:
        title = f"{game.title} {parameters}" if parameters else game.title
        if game.kind is not Kind.DUEL:
            raise InputError(f"{title} has no opponent, so matchboxes cannot learn it.")
        start = game.new(game.parse_parameters(parameters))
        found: Explored[P, M] | None = explore(start)
        if found is None:
            raise InputError(f"{title} has more than {MOST_POSITIONS:,} positions, too many for matchboxes.")
        self.symmetries: Sequence[Symmetry[P, M]] = symmetries_of(game, start)
        self.nodes = [
            Node(at, *each)
            for at, each in enumerate(
                zip(found.positions, found.plies, found.moves, found.children, strict=True)
            )
        ]
        self.index = found.index
        self.order = _order(found.children)
        """All nodes, each before its successors."""
        if len(self.order) < len(self.nodes):
            raise InputError(f"{title} can repeat a position, so matchboxes cannot learn it.")
        self.depth = _longest(found.children, self.order)
        """Plies of the longest game."""
        self.verdicts = solve(found) or []
        """The exact verdict of each node."""
        self._perfect: dict[int, list[int]] = {}

    def canonical(self, position: P) -> tuple[str, int]:
        """See `canonical`."""
        return canonical(self.symmetries, position)

    def analyse(self, node: Node[P, M]) -> list[MoveVerdict[M]]:
        """Every move of a node with its exact verdict, like `Solver.analyse`."""
        return mark_best(
            (move, self.verdicts[child].before_move())
            for move, child in zip(node.moves, node.children, strict=True)
        )

    def best(self, node: Node[P, M]) -> list[int]:
        """The numbers of the best moves, counting remoteness."""
        return [number for number, each in enumerate(self.analyse(node)) if each.best]

    def analyse_position(self, position: P) -> list[MoveVerdict[M]]:
        """`analyse` for a position of the graph."""
        return self.analyse(self.nodes[self.index[position]])

    def worse(self, node: Node[P, M]) -> list[int]:
        """The numbers of the moves that are not best."""
        return [number for number, each in enumerate(self.analyse(node)) if not each.best]

    def perfect(self, node: Node[P, M]) -> list[int]:
        """The numbers of the moves that the perfect training opponent chooses from.

        These are the best moves that set a trap, after which the fewest replies keep the other side's value,
        as in `arcade.engines.players.PerfectPlayer`; among symmetric ones only one.
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
        """The moves that keep the value of the position."""
        return set(keeps_value(self.analyse(node)))


def symmetries_of(game: AnyGame, start: P) -> Sequence[Symmetry[P, Any]]:
    """The symmetries of a game's boards, the identity first; they form a group."""
    return [Identity(), *game.symmetries(start)]


def canonical(symmetries: Sequence[Symmetry[P, Any]], position: P) -> tuple[str, int]:
    """The last text in order among those of the symmetric positions, and the symmetry that leads to it.

    The symmetry is an index into `symmetries`, the lowest of several.
    """
    text, number = max(
        (symmetry.position(position).text(), -number) for number, symmetry in enumerate(symmetries)
    )
    return text, -number


def _order(children: Sequence[Sequence[int]]) -> list[int]:
    """The vertices, each before its children, without those on a cycle and their successors."""
    waiting = [0] * len(children)
    for targets in children:
        for target in targets:
            waiting[target] += 1
    order = [0]
    for vertex in order:
        for target in children[vertex]:
            waiting[target] -= 1
            if not waiting[target]:
                order.append(target)
    return order


def _longest(children: Sequence[Sequence[int]], order: Sequence[int]) -> int:
    """The length of the longest path from the first vertex."""
    depths = [0] * len(children)
    for vertex in reversed(order):
        depths[vertex] = max((1 + depths[target] for target in children[vertex]), default=0)
    return depths[0]


@lru_cache(maxsize=8)
def position_graph(name: str, parameters: str) -> PositionGraph[Any, Any]:
    """The graph of a game from its first position; cached, since finding it can take seconds.

    Raises:
        InputError: there is no such game; see also `PositionGraph`.
    """
    return PositionGraph(get_game(name), parameters)

"""Search for wins within N plies, depth first, by iterative deepening with a transposition table.

The search first tries replies that refuted the same move elsewhere (J. Uiterwijk, "The countermove
heuristic", ICCA Journal 15, 1992).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Any, Generic

from arcade.engines.control import Control
from arcade.engines.position import M, P, Position
from arcade.engines.verdict import DuelVerdict, Proof, Value

_NEVER = 1 << 30


class _Node(Generic[P, M]):
    """A position in which the player to move can win within `win` plies, but not within `no_win` plies.

    Likewise, the player to move loses within `loss` plies, but not within `no_loss` plies.
    """

    __slots__ = ("children", "ending", "last", "loss", "moves", "no_loss", "no_win", "position", "win")

    def __init__(self, position: P, last: M | None = None) -> None:
        self.position = position
        self.last = last
        self.moves: list[M] | None = None
        self.children: dict[M, _Node[P, M]] = {}
        self.win = self.loss = _NEVER
        self.no_win = self.no_loss = 0
        self.ending = _ending(position)
        if self.ending is not None:
            self.no_win = self.no_loss = _NEVER
            if self.ending is Value.WIN:
                self.win = 0
            elif self.ending is Value.LOSS:
                self.loss = 0


def _ending(position: Position[Any]) -> Value | None:
    ending = position.ending()
    return None if ending is None else ending.value


class _StoppedError(Exception):
    pass


class WinSearch(Generic[P, M]):
    """A search for forced wins and losses. It never proves a tie."""

    def __init__(self, start: P, key: Callable[[P], Hashable], most: int) -> None:
        """Start a search. `key` must return equal keys only for equal positions. `most` limits the visits."""
        self._root = _Node[P, M](start)
        self._key = key
        self._most = most
        self._nodes: dict[Hashable, _Node[P, M]] = {}
        self._answers: defaultdict[M, int] = defaultdict(int)
        self._replies: defaultdict[M | None, defaultdict[M, int]] = defaultdict(lambda: defaultdict(int))
        """Number of times that a move answered another move, as `_replies[last][move]`."""
        self._visited = self._steps = 0

    def moves(self, plies: int, control: Control) -> dict[M, DuelVerdict]:
        """Return exact verdicts of moves that win or lose by force within `plies`, counting the move.

        The shortest wins and losses come first. If stopped, or if the maximum number of visits is reached,
        some moves are missing.
        """
        found: dict[M, DuelVerdict] = {}
        root = self._root
        try:
            for depth in range(plies):
                for move in self._moves(root, control):
                    if move in found:
                        continue
                    if self._child_loses(root, move, depth, control):
                        found[move] = DuelVerdict(Proof.EXACT, Value.WIN, depth + 1)
                    elif self._child_wins(root, move, depth, control):
                        found[move] = DuelVerdict(Proof.EXACT, Value.LOSS, depth + 1)
                if len(found) == len(self._moves(root, control)):
                    break
        except _StoppedError:
            pass
        return found

    def _wins(self, node: _Node[P, M], plies: int, control: Control) -> bool:
        if plies >= node.win:
            return True
        if plies <= node.no_win or node.loss < _NEVER:
            return False
        for move in self._moves(node, control):
            if self._child_loses(node, move, plies - 1, control):
                node.win = plies
                self._answer(node, move)
                return True
        node.no_win = plies
        return False

    def _loses(self, node: _Node[P, M], plies: int, control: Control) -> bool:
        if plies >= node.loss:
            return True
        if plies <= node.no_loss or node.win < _NEVER:
            return False
        for move in self._moves(node, control):
            if not self._child_wins(node, move, plies - 1, control):
                node.no_loss = plies
                self._answer(node, move)
                return False
        node.loss = plies
        return True

    def _child_wins(self, node: _Node[P, M], move: M, plies: int, control: Control) -> bool:
        if plies == 0:
            return self._child_ending(node, move, control) is Value.WIN
        return self._wins(self._child(node, move, control), plies, control)

    def _child_loses(self, node: _Node[P, M], move: M, plies: int, control: Control) -> bool:
        if plies == 0:
            return self._child_ending(node, move, control) is Value.LOSS
        return self._loses(self._child(node, move, control), plies, control)

    def _child_ending(self, node: _Node[P, M], move: M, control: Control) -> Value | None:
        """Return a child's value if the game is over there, otherwise None.

        No node is created, because most positions at the depth limit are not worth a node.
        """
        child = node.children.get(move)
        if child is not None:
            return child.ending
        self._visit(control)
        return _ending(node.position.play(move))

    def _child(self, node: _Node[P, M], move: M, control: Control) -> _Node[P, M]:
        child = node.children.get(move)
        if child is None:
            self._visit(control)
            after = node.position.play(move)
            key = self._key(after)
            child = self._nodes.get(key)
            if child is None:
                child = self._nodes[key] = _Node(after, move)
            node.children[move] = child
        return child

    def _visit(self, control: Control) -> None:
        self._check(control)
        if self._visited >= self._most:
            raise _StoppedError
        self._visited += 1
        control.nodes += 1

    def _check(self, control: Control) -> None:
        self._steps += 1
        if self._steps % 32 == 0 and control.stopped:
            raise _StoppedError

    def _moves(self, node: _Node[P, M], control: Control) -> tuple[M, ...]:
        self._check(control)
        if node.moves is None:
            by_answers = sorted(node.position.moves(), key=self._answers.__getitem__, reverse=True)
            node.moves = sorted(by_answers, key=self._replies[node.last].__getitem__, reverse=True)
        return tuple(node.moves)

    def _answer(self, node: _Node[P, M], move: M) -> None:
        """Record a move that decided a node's result, to try it first there and earlier in other nodes."""
        self._answers[move] += 1
        self._replies[node.last][move] += 1
        if node.moves is not None:
            node.moves.remove(move)
            node.moves.insert(0, move)

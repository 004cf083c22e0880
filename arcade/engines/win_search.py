"""Depth-first search for forced wins in any duel, with iterative deepening and a transposition table.

It asks only whether a side can force a win within N plies. So to refute a move, one reply is enough, and the
search sees further than an exploration of all positions. Of the replies it first tries those that answered
the same move elsewhere (J. Uiterwijk, "The countermove heuristic", ICCA Journal 15, 1992).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic

from arcade.engines.control import Control
from arcade.engines.position import M, P
from arcade.engines.verdict import DuelVerdict, Proof, Value

_NEVER = 1 << 30
"""More plies than a game lasts."""


class _Node(Generic[P, M]):
    """A position with the proved answers about its player to move.

    This player can force a win within `win` plies, but not within `no_win`. The opponent can force one within
    `loss` plies, but not within `no_loss`.
    """

    __slots__ = ("children", "last", "loss", "moves", "no_loss", "no_win", "position", "win")

    def __init__(self, position: P, last: M | None = None) -> None:
        self.position = position
        self.last = last
        """The move by which the search first reached the position."""
        self.moves: list[M] | None = None
        """The legal moves in the order in which to try them; None until they are needed."""
        self.children: dict[M, _Node[P, M]] = {}
        """The positions that are needed so far, by the move that leads there."""
        self.win = self.loss = _NEVER
        self.no_win = self.no_loss = 0
        ending = position.ending()
        if ending is not None:
            self.no_win = self.no_loss = _NEVER
            if ending.value is Value.WIN:
                self.win = 0
            elif ending.value is Value.LOSS:
                self.loss = 0


class _StoppedError(Exception):
    pass


class WinSearch(Generic[P, M]):
    """A search for forced wins and losses after one position. It never proves a tie."""

    def __init__(self, start: P, key: Callable[[P], Hashable], most: int) -> None:
        """Take `key`, which returns equal keys only for equal positions, and a limit of the positions."""
        self._root = _Node[P, M](start)
        self._key = key
        self._most = most
        self._nodes: dict[Hashable, _Node[P, M]] = {}
        self._answers: defaultdict[M, int] = defaultdict(int)
        """How often a move answered a question."""
        self._replies: defaultdict[M | None, defaultdict[M, int]] = defaultdict(lambda: defaultdict(int))
        """How often a move did so in reply to another: `_replies[last][move]`."""
        self._steps = 0

    def moves(self, plies: int, control: Control) -> dict[M, DuelVerdict]:
        """Return the verdicts of moves that win or lose by force within `plies`, counting the move.

        They are exact. The nearest are found first, until the control stops the search or the limit of the
        positions is reached.
        """
        found: dict[M, DuelVerdict] = {}
        try:
            for depth in range(plies):
                for move, child in self._children(self._root, control):
                    if move in found:
                        continue
                    if self._loses(child, depth, control):
                        found[move] = DuelVerdict(Proof.EXACT, Value.WIN, depth + 1)
                    elif self._wins(child, depth, control):
                        found[move] = DuelVerdict(Proof.EXACT, Value.LOSS, depth + 1)
                if len(found) == len(self._root.children):
                    break
        except _StoppedError:
            pass
        return found

    def _wins(self, node: _Node[P, M], plies: int, control: Control) -> bool:
        """Return True if the player to move can force a win within `plies`."""
        if plies >= node.win:
            return True
        if plies <= node.no_win or node.loss < _NEVER:
            return False
        for move, child in self._children(node, control):
            if self._loses(child, plies - 1, control):
                node.win = plies
                self._answer(node, move)
                return True
        node.no_win = plies
        return False

    def _loses(self, node: _Node[P, M], plies: int, control: Control) -> bool:
        """Return True if the player to move cannot prevent a loss within `plies`."""
        if plies >= node.loss:
            return True
        if plies <= node.no_loss or node.win < _NEVER:
            return False
        for move, child in self._children(node, control):
            if not self._wins(child, plies - 1, control):
                node.no_loss = plies
                self._answer(node, move)
                return False
        node.loss = plies
        return True

    def _answer(self, node: _Node[P, M], move: M) -> None:
        """Try a move first when its node is asked again, and sooner in other nodes."""
        self._answers[move] += 1
        self._replies[node.last][move] += 1
        if node.moves is not None:
            node.moves.remove(move)
            node.moves.insert(0, move)

    def _children(self, node: _Node[P, M], control: Control) -> Iterator[tuple[M, _Node[P, M]]]:
        if node.moves is None:
            by_answers = sorted(node.position.moves(), key=self._answers.__getitem__, reverse=True)
            node.moves = sorted(by_answers, key=self._replies[node.last].__getitem__, reverse=True)
        for move in tuple(node.moves):
            self._steps += 1
            if self._steps % 32 == 0 and control.stopped:
                raise _StoppedError
            child = node.children.get(move)
            if child is None:
                after = node.position.play(move)
                key = self._key(after)
                child = self._nodes.get(key)
                if child is None:
                    if len(self._nodes) >= self._most:
                        raise _StoppedError
                    control.nodes += 1
                    child = self._nodes[key] = _Node(after, move)
                node.children[move] = child
            yield move, child

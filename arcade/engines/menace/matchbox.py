"""The boxes of a machine: one for each position in which it is to move, symmetric ones sharing one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, Generic

from arcade.engines.game import InputError, M, P
from arcade.engines.menace import beads
from arcade.engines.menace.graph import Node, PositionGraph, position_graph
from arcade.engines.menace.symmetry import Symmetry
from arcade.engines.registry import get_game
from arcade.engines.verdict import MoveVerdict, Value


class BoxSet(StrEnum):
    """For which positions there is a box. Elsewhere the machine plays any legal move, all alike."""

    ALL = "all"
    """Every position in which the machine is to move; 338 for X in tic-tac-toe."""
    CHOICE = "choice"
    """Only where there is more than one move; 304 for X, the set of most machines that were built."""
    HOPE = "hope"
    """And only where not every move loses to the next reply; 287 for X, Michie's count."""


BOX_SET_NAMES = {"338": BoxSet.ALL, "304": BoxSet.CHOICE, "287": BoxSet.HOPE} | {
    str(each): each for each in BoxSet
}
"""What people call the sets: by the number of boxes that X needs, or by their own names."""


def parse_box_set(text: str) -> BoxSet:
    """Read "304" or "choice".

    Raises:
        InputError: there is no such set.
    """
    found = BOX_SET_NAMES.get(text.strip().lower())
    if found is None:
        raise InputError(f"There is no box set {text!r}; the sets are {', '.join(BOX_SET_NAMES)}.")
    return found


@dataclass(frozen=True)
class Box(Generic[P, M]):
    """A box, without its beads: those belong to a machine."""

    index: int
    """Its place in `Boxes.boxes` and in a machine's beads."""
    position: P
    """The one of its symmetric positions that stands on it: the one whose text comes last."""
    stage: int
    """Which of the machine's moves it serves, at the earliest: 1 for the first."""
    moves: Mapping[int, M]
    """The move of the box's position for each slot that holds beads, slots rising."""
    leader: Mapping[int, int]
    """For the slot of every legal move the slot whose beads speak for it: its own, or that of a move that
    the position's own symmetry takes it to."""

    def counts(self, word: int) -> dict[M, int]:
        """The beads of a word by move."""
        return {move: beads.count(word, slot) for slot, move in self.moves.items()}


@dataclass(frozen=True)
class Opening(Generic[P, M]):
    """A box, opened for a position as it lies on the board."""

    box: Box[P, M]
    symmetry: Symmetry[P, M]
    """What turns the board into the box's position."""
    moves: Mapping[int, M]
    """The move on the board for each slot that holds beads."""
    slots: Mapping[M, int]
    """The slot whose beads speak for each legal move on the board."""


class Boxes(Generic[P, M]):
    """The boxes that a machine needs for one side of one game, found by playing the game.

    Args:
        game: the game's name.
        parameters: its parameters as in a game ID.
        seat: 0 for a machine that moves first, 1 for one that moves second.
        box_set: which positions get a box.
        distinct: whether of moves that differ only by the position's own symmetry one alone gets beads.

    Raises:
        InputError: the game is not small enough, or a position has more than nine moves that need beads.
    """

    def __init__(self, game: str, parameters: str, seat: int, box_set: BoxSet, distinct: bool) -> None:
        self.graph: PositionGraph[P, M] = position_graph(game, parameters)
        self.title = get_game(game).title
        self.seat = seat
        found: dict[str, tuple[int, Node[P, M]]] = {}
        homes: list[tuple[int, str, int]] = []
        for node in self._turns(box_set):
            text, number = self.graph.canonical(node.position)
            homes.append((node.index, text, number))
            stage = 1 + (node.ply - seat) // 2
            if text not in found or stage < found[text][0]:
                found[text] = stage, node
        ordered = sorted(sorted(found, reverse=True), key=lambda text: found[text][0])
        self.boxes: tuple[Box[P, M], ...] = tuple(
            self._box(index, found[text][0], self._seen(found[text][1], text), distinct)
            for index, text in enumerate(ordered)
        )
        """All boxes, by stage."""
        self.first = tuple(box for box in self.boxes if box.stage == 1)
        """The boxes of the machine's first move, which are the first ones: one when it begins."""
        self._by_text = {text: self.boxes[index] for index, text in enumerate(ordered)}
        self._good: dict[int, list[int]] = {}
        self._homes = {
            self.graph.nodes[at].position: (self._by_text[text], number) for at, text, number in homes
        }

    def _turns(self, box_set: BoxSet) -> Iterator[Node[P, M]]:
        """The nodes that get a box."""
        for node in self.graph.nodes:
            if node.position.turn != self.seat or not node.moves:
                continue
            if box_set is not BoxSet.ALL and len(node.moves) == 1:
                continue
            verdict = self.graph.verdicts[node.index]
            if box_set is BoxSet.HOPE and verdict.value is Value.LOSS and verdict.remoteness == 2:
                continue
            yield node

    def _seen(self, node: Node[P, M], text: str) -> P:
        images = (symmetry.position(node.position) for symmetry in self.graph.geometry.symmetries)
        return next(image for image in images if image.text() == text)

    def _box(self, index: int, stage: int, position: P, distinct: bool) -> Box[P, M]:
        slot_of = {move: self.graph.geometry.slot(position, move) for move in position.moves()}
        leader = {slot: slot for slot in slot_of.values()}
        if distinct:
            own = [each for each in self.graph.geometry.symmetries if each.position(position) == position]
            for move, slot in slot_of.items():
                leader[slot] = min(slot_of[each.move(position, move)] for each in own)
        moves = {slot: move for move, slot in sorted(slot_of.items(), key=lambda pair: pair[1])}
        moves = {slot: move for slot, move in moves.items() if leader[slot] == slot}
        if max(moves) >= beads.SLOTS:
            raise InputError(
                f"{self.title} has a position with {len(moves)} moves, "
                f"but a box holds beads for {beads.SLOTS} at most."
            )
        return Box(index, position, stage, moves, leader)

    def open(self, position: P) -> Opening[P, M] | None:
        """The box of a position on the board, or None when it has none."""
        home = self._homes.get(position)
        if home is None:
            return None
        box, number = home
        symmetry = self.graph.geometry.symmetries[number]
        played: dict[int, M] = {}
        slots: dict[M, int] = {}
        for move in position.moves():
            slot = self.graph.geometry.slot(box.position, symmetry.move(position, move))
            slots[move] = box.leader[slot]
            if slot in box.moves:
                played[slot] = move
        return Opening(box, symmetry, {slot: played[slot] for slot in box.moves}, slots)

    def find(self, text: str) -> Box[P, M] | None:
        """The box on which the position of this exact text stands."""
        return self._by_text.get(text)

    def first_beads(self, by_stage: Sequence[int]) -> Iterator[int]:
        """The word of each fresh box: so many beads for each move; later stages get the last number."""
        for box in self.boxes:
            number = by_stage[min(box.stage, len(by_stage)) - 1]
            yield beads.pack(dict.fromkeys(box.moves, number))

    def analyse(self, box: Box[P, M]) -> list[MoveVerdict[M]]:
        """What perfect play says of every legal move of the box's position, in the order of its moves."""
        return self.graph.analyse_position(box.position)

    def error(self, box: Box[P, M], word: int) -> float | None:
        """The chance, 0 to 1, that the box plays a move that gives the value of the position away.

        None for an empty box, which resigns.
        """
        everything = beads.total(word)
        if not everything:
            return None
        good = self._good.get(box.index)
        if good is None:
            keeping = self.graph.keeping(self.graph.nodes[self.graph.index[box.position]])
            good = [slot for slot, move in box.moves.items() if move in keeping]
            self._good[box.index] = good
        return 1 - sum(beads.count(word, slot) for slot in good) / everything


@lru_cache(maxsize=16)
def find_boxes(game: str, parameters: str, seat: int, box_set: BoxSet, distinct: bool) -> Boxes[Any, Any]:
    """The boxes for one side of a game; kept, as machines of a kind share them.

    Raises:
        InputError: see `Boxes`.
    """
    return Boxes(game, parameters, seat, box_set, distinct)

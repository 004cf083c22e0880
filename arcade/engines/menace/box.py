"""The boxes of a machine and the positions they belong to. A box's beads are packed into a 64-bit integer."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from graphlib import CycleError, TopologicalSorter
from itertools import islice
from typing import Any, Generic

from arcade.engines.files import InputError
from arcade.engines.game import RaceGame
from arcade.engines.position import M, P, Position, Symmetry
from arcade.engines.registry import AnyGame, get_game
from arcade.engines.retrograde import MAX_POSITIONS, StateSpace, explore, solve
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Value, mark_best, value_keeping_moves

# Seven bits for each of nine slots. A slot stands for a move of the box's position; in tic-tac-toe, for
# the cell of that number.
#
#     bit   63   | 62 .. 56 | 55 .. 49 | ... | 13 .. 7 | 6 .. 0
#     slot  none |    8     |    7     | ... |    1    |   0

SLOTS = 9
SLOT_BITS = 7
MAX_BEADS = (1 << SLOT_BITS) - 1
"""Maximum number of beads of one colour in a box. (The minimum is 0.)"""


def count(word: int, slot: int) -> int:
    return word >> SLOT_BITS * slot & MAX_BEADS


def add(word: int, slot: int, change: int) -> int:
    """Add `change` beads to a slot, and keep its count within 0 to 127. Return the new word."""
    old = count(word, slot)
    new = min(max(old + change, 0), MAX_BEADS)
    return word + (new - old << SLOT_BITS * slot)


def halve(word: int) -> int:
    """Halve the beads of every colour, rounding up so that no colour disappears. Return the new word."""
    return pack({slot: (beads + 1) // 2 for slot, beads in enumerate(unpack(word))})


def total(word: int) -> int:
    return sum(unpack(word))


def unpack(word: int) -> tuple[int, ...]:
    return tuple(count(word, slot) for slot in range(SLOTS))


def pack(counts: Mapping[int, int]) -> int:
    """Pack one count (0 to 127) per slot into a word."""
    return sum(beads << SLOT_BITS * slot for slot, beads in counts.items())


@dataclass(frozen=True)
class Node(Generic[P, M]):
    index: int
    position: P
    ply: int
    moves: tuple[M, ...]
    children: tuple[int, ...]


class PositionGraph(Generic[P, M]):
    """All positions of a duel with their exact verdicts.

    Raises InputError if the game is a race, is too large or can repeat a position.
    """

    def __init__(self, name: str, parameters: str) -> None:
        game = get_game(name)
        title = f"{game.title} {parameters}" if parameters else game.title
        start = game.new(game.parameters.parse(parameters))
        if isinstance(game, RaceGame):
            raise InputError(f"{title} has no opponent, so matchboxes cannot learn it.")
        explored: StateSpace[P, M] | None = explore(start)
        if explored is None:
            raise InputError(f"{title} has more than {MAX_POSITIONS:,} positions, too many for matchboxes.")
        self.symmetries: Sequence[Symmetry[P, M]] = symmetries_of(game, start)
        columns = zip(explored.positions, explored.plies, explored.moves, explored.children, strict=True)
        self.nodes = [Node(at, *column) for at, column in enumerate(columns)]
        self.index = explored.index
        try:
            ends_first = list(TopologicalSorter(dict(enumerate(explored.children))).static_order())
        except CycleError:
            raise InputError(f"Matchboxes cannot learn {title}, because its positions can repeat.") from None
        self.order = ends_first[::-1]
        left = [0] * len(self.nodes)
        for at in ends_first:
            left[at] = max((1 + left[child] for child in explored.children[at]), default=0)
        self.depth = left[0]
        self.verdicts = solve(explored)
        self._perfect: dict[int, list[int]] = {}

    def canonical(self, position: P) -> tuple[str, int]:
        return canonical(self.symmetries, position)

    def analyse(self, position: P) -> list[MoveVerdict[M]]:
        node = self.nodes[self.index[position]]
        after = map(self._before_move.__getitem__, node.children)
        return mark_best(zip(node.moves, after, strict=True))

    @cached_property
    def _before_move(self) -> list[DuelVerdict]:
        return [verdict.before_move() for verdict in self.verdicts]

    def keeping(self, position: P) -> set[M]:
        return set(value_keeping_moves(self.analyse(position)))

    def best(self, node: Node[P, M]) -> list[int]:
        return [number for number, move in enumerate(self.analyse(node.position)) if move.best]

    def worse(self, node: Node[P, M]) -> list[int]:
        return [number for number, move in enumerate(self.analyse(node.position)) if not move.best]

    def perfect(self, node: Node[P, M]) -> list[int]:
        """Return the indices in `node.moves` of the moves that `players.PerfectPlayer` chooses from.

        Of several symmetric moves, only the first is included.
        """
        known = self._perfect.get(node.index)
        if known is not None:
            return known
        best = self.best(node)
        if len(best) > 1 and self.verdicts[node.index].value is not Value.WIN:
            replies = [len(self.keeping(self._after(node, number))) for number in best]
            best = [number for number, count in zip(best, replies, strict=True) if count == min(replies)]
        kinds: dict[str, int] = {}
        if len(best) > 1:
            for number in best:
                kinds.setdefault(self.canonical(self._after(node, number))[0], number)
        self._perfect[node.index] = list(kinds.values()) or best
        return self._perfect[node.index]

    def _after(self, node: Node[P, M], number: int) -> P:
        return self.nodes[node.children[number]].position


def symmetries_of(game: AnyGame, start: P) -> Sequence[Symmetry[P, Any]]:
    identity = Symmetry[P, Any]("as it is", lambda position: position, lambda _, move: move)
    return [identity, *game.symmetries.transforms(start)]


def canonical(symmetries: Sequence[Symmetry[P, Any]], position: P) -> tuple[str, int]:
    """Return the text that sorts last among a position's symmetric images, and the index of its symmetry."""
    text, at = max((each.position(position).text(), -at) for at, each in enumerate(symmetries))
    return text, -at


position_graph: Callable[[str, str], PositionGraph[Any, Any]] = lru_cache(maxsize=8)(PositionGraph)
"""Return the position graph of a game. Graphs are cached, because building one can take seconds."""

LOOK = 200


class BoxSet(StrEnum):
    """The choice of positions that have a box. In all others, every legal move has an equal chance."""

    ALL = "all"
    """Every position with the machine to move: 338 boxes for X."""
    CHOICE = "choice"
    """Positions with more than one move: 304 boxes for X."""
    NOT_LOST = "hope"
    """CHOICE without the positions where every move loses at once: 287 boxes for X, Michie's count."""


BOX_SET_NAMES = {"338": BoxSet.ALL, "304": BoxSet.CHOICE, "287": BoxSet.NOT_LOST} | {
    str(box_set): box_set for box_set in BoxSet
}
"""Box sets by the number of boxes that X needs, and by name."""


def parse_box_set(text: str) -> BoxSet:
    """Return the box set for a text such as "304" or "choice". Raises InputError for any other text."""
    box_set = BOX_SET_NAMES.get(text.strip().lower())
    if box_set is None:
        raise InputError(f"Unknown box set {text!r}. Choose from {', '.join(BOX_SET_NAMES)}.")
    return box_set


@dataclass(frozen=True)
class Box(Generic[P, M]):
    index: int
    position: P
    """The position whose text sorts last among the symmetric positions that share the box."""
    stage: int
    """The earliest of the machine's moves, counted from 1, at which it can open the box."""
    moves: Mapping[int, M]
    """The moves that have beads, by slot and in slot order."""
    leader: Mapping[int, int]
    """For the slot of each legal move, the slot that holds its beads. Symmetric moves can share a slot."""

    def fresh(self, by_stage: Sequence[int]) -> int:
        """Return the packed beads of a new box.

        `by_stage` lists the beads per move for each stage. Stages beyond its end use the last entry.
        """
        return pack(dict.fromkeys(self.moves, by_stage[min(self.stage, len(by_stage)) - 1]))

    def counts(self, word: int) -> dict[M, int]:
        return {move: count(word, slot) for slot, move in self.moves.items()}


@dataclass(frozen=True)
class Opening(Generic[P, M]):
    box: Box[P, M]
    symmetry: Symmetry[P, M]
    moves: Mapping[int, M]
    slots: Mapping[M, int]


class Boxes(Generic[P, M]):
    """The boxes of one side. If `distinct` is True, symmetric moves share beads.

    Raises InputError if the game does not fit into boxes.
    """

    def __init__(self, game: str, parameters: str, seat: int, box_set: BoxSet, distinct: bool) -> None:
        self.graph: PositionGraph[P, M] = position_graph(game, parameters)
        self.game: AnyGame = get_game(game)
        self.seat = seat
        earliest: dict[str, tuple[int, Node[P, M]]] = {}
        homes: list[tuple[P, str, int]] = []
        for node in self._turns(box_set):
            text, number = self.graph.canonical(node.position)
            homes.append((node.position, text, number))
            stage = 1 + (node.ply - seat) // 2
            if text not in earliest or stage < earliest[text][0]:
                earliest[text] = stage, node
        ordered = sorted(sorted(earliest, reverse=True), key=lambda text: earliest[text][0])
        self.boxes: tuple[Box[P, M], ...] = tuple(
            self._box(index, earliest[text][0], self._seen(earliest[text][1], text), distinct)
            for index, text in enumerate(ordered)
        )
        self.first = tuple(box for box in self.boxes if box.stage == 1)
        self.by_text = dict(zip(ordered, self.boxes, strict=True))
        self._good: dict[int, list[int]] = {}
        self._homes = {position: (self.by_text[text], number) for position, text, number in homes}

    def _turns(self, box_set: BoxSet) -> Iterator[Node[P, M]]:
        for node in self.graph.nodes:
            if node.position.turn != self.seat or not node.moves:
                continue
            if box_set is not BoxSet.ALL and len(node.moves) == 1:
                continue
            verdict = self.graph.verdicts[node.index]
            if box_set is BoxSet.NOT_LOST and verdict.value is Value.LOSS and verdict.remoteness == 2:
                continue
            yield node

    def _seen(self, node: Node[P, M], text: str) -> P:
        images = (symmetry.position(node.position) for symmetry in self.graph.symmetries)
        return next(image for image in images if image.text() == text)

    def _box(self, index: int, stage: int, position: P, distinct: bool) -> Box[P, M]:
        slot_of = {move: self.game.encoding.move_index(position, move) for move in position.moves()}
        leader = {slot: slot for slot in slot_of.values()}
        if distinct:
            own = [symmetry for symmetry in self.graph.symmetries if symmetry.position(position) == position]
            for move, slot in slot_of.items():
                leader[slot] = min(slot_of[symmetry.move(position, move)] for symmetry in own)
        moves = {slot: move for move, slot in sorted(slot_of.items(), key=lambda pair: pair[1])}
        moves = {slot: move for slot, move in moves.items() if leader[slot] == slot}
        if max(moves) >= SLOTS:
            raise InputError(
                f"{self.game.title} needs {max(moves) + 1} bead colours, but a box has room for only {SLOTS}."
            )
        return Box(index, position, stage, moves, leader)

    def open(self, position: P) -> Opening[P, M] | None:
        home = self._homes.get(position)
        if home is None:
            return None
        box, number = home
        symmetry = self.graph.symmetries[number]
        played: dict[int, M] = {}
        slots: dict[M, int] = {}
        for move in position.moves():
            slot = self.game.encoding.move_index(box.position, symmetry.move(position, move))
            slots[move] = box.leader[slot]
            if slot in box.moves:
                played[slot] = move
        return Opening(box, symmetry, {slot: played[slot] for slot in box.moves}, slots)

    def first_beads(self, by_stage: Sequence[int]) -> Iterator[int]:
        return (box.fresh(by_stage) for box in self.boxes)

    def error(self, box: Box[P, M], word: int) -> float | None:
        """Return the chance (0 to 1) of drawing a move that loses value, or None if the box is empty."""
        everything = total(word)
        if not everything:
            return None
        good = self._good.get(box.index)
        if good is None:
            keeping = self.graph.keeping(box.position)
            good = [slot for slot, move in box.moves.items() if move in keeping]
            self._good[box.index] = good
        return 1 - sum(count(word, slot) for slot in good) / everything


def missing_box(game: str, parameters: str, seat: int, box_set: BoxSet, kept: Container[str]) -> str | None:
    """Return the text of a position that needs a box but is missing from `kept`, or None if none is found.

    Only the first `LOOK` positions are checked, because checking all of them can take seconds or be
    impossible. Raises InputError if the game or its parameters are invalid.
    """
    played = get_game(game)
    start = played.new(played.parameters.parse(parameters))
    if isinstance(played, RaceGame):
        return None
    symmetries = symmetries_of(played, start)
    seen, waiting = {start}, [start]
    for position in islice(waiting, LOOK):
        after = [position.play(move) for move in position.moves()]
        for child in after:
            if child not in seen:
                seen.add(child)
                waiting.append(child)
        if position.turn != seat or not after or (box_set is not BoxSet.ALL and len(after) == 1):
            continue
        text, _ = canonical(symmetries, position)
        if text not in kept and not (box_set is BoxSet.NOT_LOST and all(map(_won_at_once, after))):
            return text
    return None


def _won_at_once(position: Position[Any]) -> bool:
    ends = [after.outcome() for after in (position, *map(position.play, position.moves()))]
    return any(end is not None and end.winner == position.turn for end in ends)


find_boxes: Callable[[str, str, int, BoxSet, bool], Boxes[Any, Any]] = lru_cache(maxsize=16)(Boxes)
"""Return the boxes for the arguments of `Boxes`. They are cached and shared between machines."""

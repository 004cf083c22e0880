"""The student report's MENACE: a graph of boxes over boards and beads packed into integers.

Kept as in the report, with its mistakes corrected: each box is built, saved and loaded only once, even if
many boxes lead to it, and no shift or count overflows. It has its own copy of the rules and shares no code
with `arcade.matchbox`, so that it can be the oracle of its tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.game import SolvingMethod, Work
from arcade.engines.position import Position

# A board: 18 bits, cell i from the top left in bits 2i and 2i + 1; 0 empty, 1 X, 2 O.
# The beads of a box: 63 bits, cell i of the box's board in bits 7i to 7i + 6.

CELLS = 9
MOST = 127
X, O = 1, 2  # noqa: E741 - the mark is called O

HEADER = "menace boxes 1"
"""The first line of a saved graph."""


@dataclass(eq=False)
class TreeBox:
    """A box for X, with links to every possible next box in a game."""

    board: int
    """The smallest of the eight turned or mirrored forms of the board."""
    beads: int
    next: list[TreeBox] = field(default_factory=list)


def cell(board: int, at: int) -> int:
    """0 empty, 1 X, 2 O."""
    return board >> 2 * at & 3


def turned(board: int) -> int:
    """The board turned right by a quarter: the top left cell goes to the top right."""
    return sum(cell(board, 3 * (2 - at % 3) + at // 3) << 2 * at for at in range(CELLS))


def mirrored(board: int) -> int:
    return sum(cell(board, 3 * (at // 3) + 2 - at % 3) << 2 * at for at in range(CELLS))


def images(board: int) -> Iterator[int]:
    """The eight turned or mirrored forms of a board, with repeats."""
    for one in (board, mirrored(board)):
        for _ in range(4):
            yield one
            one = turned(one)


def canonical(board: int) -> int:
    return min(images(board))


def wins(board: int, mark: int) -> bool:
    has = [cell(board, at) == mark for at in range(CELLS)]
    rows = any(all(has[3 * row : 3 * row + 3]) for row in range(3))
    columns = any(all(has[column::3]) for column in range(3))
    return rows or columns or all(has[0::4]) or all(has[2:7:2])


def empties(board: int) -> list[int]:
    return [at for at in range(CELLS) if not cell(board, at)]


def following(board: int) -> list[int]:
    """The canonical boards that X can face next, after each move of X and each reply of O, without repeats.

    Boards with one empty cell leave no choice and have no box.
    """
    found: dict[int, None] = {}
    for at in empties(board):
        after = board | X << 2 * at
        if not wins(after, X):
            for reply in empties(after):
                answered = after | O << 2 * reply
                if not wins(answered, O) and len(empties(answered)) > 1:
                    found[canonical(answered)] = None
    return list(found)


def build(first_beads: Sequence[int] = (4, 3, 2, 1)) -> TreeBox:
    """The graph of all boxes from the empty board on; a box that follows several others is one object.

    The stage of a box, the first to the fourth move of X, sets the number of beads for each empty cell.
    """
    known: dict[int, TreeBox] = {}

    def box(board: int) -> TreeBox:
        found = known.get(board)
        if found is None:
            free = empties(board)
            beads = sum(first_beads[(CELLS - len(free)) // 2] << 7 * at for at in free)
            found = known[board] = TreeBox(board, beads)
            found.next = [box(after) for after in following(board)]
        return found

    return box(0)


def walk(root: TreeBox) -> Iterator[TreeBox]:
    """Every reachable box once, each before the boxes it leads to first."""
    met = {id(root)}
    waiting = [root]
    for box in waiting:
        yield box
        for after in box.next:
            if id(after) not in met:
                met.add(id(after))
                waiting.append(after)


def save(root: TreeBox) -> str:
    """The graph as text: one line for each box with its board, its beads and the numbers of the next boxes.

    Boxes are numbered from 0, the root's number, in the order of the lines.
    """
    boxes = list(walk(root))
    number = {id(box): at for at, box in enumerate(boxes)}
    lines = (
        f"{box.board:05x} {box.beads:016x} {','.join(str(number[id(after)]) for after in box.next)}".rstrip()
        for box in boxes
    )
    return "\n".join([HEADER, *lines]) + "\n"


def load(text: str) -> TreeBox:
    """Read what `save` wrote; boxes that were shared are shared again.

    Raises:
        InputError: which line is bad and what was expected.
    """
    lines = text.splitlines()
    if not lines or lines[0] != HEADER or len(lines) < 2:
        raise InputError(f"Line 1 must be {HEADER!r}, and a box must follow.")
    boxes: list[TreeBox] = []
    links: list[list[int]] = []
    for at, line in enumerate(lines[1:], 2):
        words = line.split()
        try:
            board, beads = int(words[0], 16), int(words[1], 16)
            links.append([int(word) for word in words[2].split(",")] if len(words) == 3 else [])
        except (IndexError, ValueError):
            raise InputError(
                f"Line {at} must have a board, beads and the next boxes, not {line!r}."
            ) from None
        good = 0 <= board < 1 << 18 and 0 <= beads < 1 << 63 and len(words) <= 3
        if not good or not all(0 <= link < len(lines) - 1 for link in links[-1]):
            raise InputError(f"Line {at} has a number out of its limits: {line!r}.")
        boxes.append(TreeBox(board, beads))
    for box, numbers in zip(boxes, links, strict=True):
        box.next = [boxes[number] for number in numbers]
    return boxes[0]


def reward(root: TreeBox, moves: Sequence[int], change: int) -> None:
    """Add or remove beads in the boxes of X in a game; counts stay within 0 to 127.

    Args:
        root: the graph's root.
        moves: the cells that X and O took in turn, on the board as played.
        change: beads for each opened box; negative to remove them.
    """
    boxes = {box.board: box for box in walk(root)}
    board = 0
    for ply, at in enumerate(moves):
        box = boxes.get(canonical(board)) if ply % 2 == 0 else None
        if box is not None:
            # The symmetry from the board to its box also moves the cell of the bead; a third kind of mark
            # shows where it goes.
            marked = board | 3 << 2 * at
            seen = next(
                other for one, other in zip(images(board), images(marked), strict=True) if one == box.board
            )
            shift = 7 * next(spot for spot in range(CELLS) if cell(seen, spot) == 3)
            old = box.beads >> shift & MOST
            new = min(max(old + change, 0), MOST)
            box.beads += (new - old) << shift
        board |= (X, O)[ply % 2] << 2 * at


def _report(position: Position[Any], control: Control) -> Work:
    boxes = sum(1 for _ in walk(build()))
    return Work(f"{boxes} boxes", boxes)


def _arcade(position: Position[Any], control: Control) -> Work:
    from arcade.matchbox.box import Boxes
    from arcade.matchbox.machine import PRESETS

    options = next(preset.options for preset in PRESETS if preset.name == "michie")
    boxes: Boxes[Any, Any] = Boxes("menace", "", 0, options.box_set, True)
    return Work(f"{len(boxes.boxes)} boxes", len(boxes.graph.nodes))


BOARDS = ("",)
METHODS = (
    SolvingMethod("report", "The report's graph of boxes.", _report),
    SolvingMethod("arcade", "The arcade's boxes, made for any small game.", _arcade),
)

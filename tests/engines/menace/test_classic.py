"""The report's graph of boxes: built, walked, saved and loaded once each; and an oracle for the machines."""

from __future__ import annotations

import random

import pytest

from arcade.engines.files import InputError
from arcade.engines.menace import GAME, Cell, TicTacToe
from arcade.engines.menace import documents as classic
from arcade.engines.menace.rules import SYMMETRIES, image
from arcade.matchbox import box as beads
from arcade.matchbox.machine import Machine, Options


def test_the_graph_has_each_box_once_and_shares_it() -> None:
    root = classic.build()
    boxes = list(classic.walk(root))
    assert len(boxes) == len({box.board for box in boxes}) == 304
    links = sum(len(box.next) for box in boxes)
    # A tree would visit a box as often as a path leads to it.
    assert links > len(boxes) - 1
    assert sum(sum(beads.unpack(box.beads)) for box in boxes) == 1917


def paths(box: classic.TreeBox) -> int:
    return 1 + sum(paths(after) for after in box.next)


def test_saving_visits_a_shared_box_once() -> None:
    root = classic.build()
    text = classic.save(root)
    assert len(text.splitlines()) == 1 + 304
    assert paths(root) > 1000


def test_loading_gives_the_same_graph() -> None:
    root = classic.build()
    random.seed(1)
    for box in classic.walk(root):
        box.beads = random.getrandbits(63)
    again = classic.load(classic.save(root))
    before, after = list(classic.walk(root)), list(classic.walk(again))
    assert [(box.board, box.beads) for box in before] == [(box.board, box.beads) for box in after]
    for one, other in zip(before, after, strict=True):
        assert [box.board for box in one.next] == [box.board for box in other.next]
    assert classic.save(again) == classic.save(root)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("menace boxes 1\n", 1),
        ("menace boxes 1\n00000 0 5\n", 2),
        ("menace boxes 1\n00000 0 0\nzz\n", 3),
        ("menace boxes 1\n40000 0\n", 2),
        ("menace boxes 1\n0 8000000000000000\n", 2),
        ("menace boxes 1\n0 0 0 0\n", 2),
    ],
)
def test_a_damaged_graph_is_refused(text: str, line: int) -> None:
    with pytest.raises(InputError, match=rf"^Line {line} .*\.$"):
        classic.load(text)


def test_the_boxes_are_those_of_the_machine() -> None:
    machine: Machine[TicTacToe, Cell] = Machine("a", Options(distinct=False))
    theirs = {box.board for box in classic.walk(classic.build())}
    ours = {min(image(box.position.board, cells) for _, cells in SYMMETRIES) for box in machine.boxes.boxes}
    assert ours == theirs


def test_turning_and_mirroring_make_eight() -> None:
    board = GAME.parse_position("XO.......").board
    seen = {TicTacToe(each, 0).text() for each in classic.images(board)}
    assert len(seen) == 8
    assert TicTacToe(classic.turned(board), 0).text() == "..X..O..."
    assert {image(board, cells) for _, cells in SYMMETRIES} == set(classic.images(board))


def orbit_sums(board: int, word: int) -> dict[int, int]:
    """Beads by the board that a move leads to, symmetric moves together."""
    sums: dict[int, int] = {}
    for cell in range(9):
        if not board >> 2 * cell & 3:
            after = classic.canonical(board | 1 << 2 * cell)
            sums[after] = sums.get(after, 0) + beads.count(word, cell)
    return sums


def test_both_learn_the_same_from_a_thousand_games() -> None:
    """Random games, rewarded in the report's graph and in a machine with beads for every cell."""
    machine: Machine[TicTacToe, Cell] = Machine("a", Options(distinct=False, first_beads=(60, 60, 60, 60)))
    root = classic.build((60, 60, 60, 60))
    rng = random.Random(1)
    for _ in range(1000):
        position, moves = GAME.new({}), []
        while (outcome := position.outcome()) is None:
            moves.append(rng.choice(position.moves()))
            position = position.play(moves[-1])
        machine.learn(machine.retrace(GAME.new({}), moves), outcome)
        change = 1 if outcome.winner is None else 3 if outcome.winner == 0 else -1
        classic.reward(root, [move.index for move in moves], change)
    learned = {box.board: box.beads for box in classic.walk(root)}
    unclipped = 0
    for box, word in zip(machine.boxes.boxes, machine.beads, strict=True):
        other = learned[classic.canonical(box.position.board)]
        ours, theirs = (
            orbit_sums(box.position.board, word),
            orbit_sums(classic.canonical(box.position.board), other),
        )
        counts = (*beads.unpack(word), *beads.unpack(other))
        # A count at its limit may be reached by one symmetric move and not by the other.
        if 127 not in counts and all(counts[cell] for cell in box.moves):
            assert ours == theirs
            unclipped += 1
    assert unclipped > 280

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcade.engines.menace import box as beads
from arcade.engines.menace.box import Boxes, BoxSet, find_boxes, parse_box_set
from arcade.engines.menace.game import GAME
from arcade.engines.menace.rules import O, X, threats
from arcade.engines.registry import game_names
from tests.refusals import refused

needs_hexapawn = pytest.mark.skipif("hexapawn" not in game_names(), reason="Hexapawn is not installed")

MICHIE = (4, 3, 2, 1)


def stages(boxes: Boxes[Any, Any]) -> list[int]:
    return [count for _, count in sorted(Counter(box.stage for box in boxes.boxes).items())]


def all_beads(words: Iterable[int]) -> int:
    return sum(beads.total(word) for word in words)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("338", [1, 12, 108, 183, 34]), ("304", [1, 12, 108, 183]), ("287", [1, 12, 108, 166])],
)
def test_box_sets_have_their_named_size(name: str, expected: list[int]) -> None:
    boxes = find_boxes("menace", "", 0, parse_box_set(name), True)
    assert stages(boxes) == expected
    assert len(boxes.boxes) == int(name)


def test_box_set_287_omits_double_threats() -> None:
    """The spec's own words, checked on the boards: O has two threats and X cannot win at once."""
    choice = find_boxes("menace", "", 0, BoxSet.CHOICE, True)
    hope = find_boxes("menace", "", 0, BoxSet.NOT_LOST, True)
    left_out = {box.position for box in choice.boxes} - {box.position for box in hope.boxes}
    lost = {
        box.position
        for box in choice.boxes
        if len(threats(box.position.board, O)) > 1 and not threats(box.position.board, X)
    }
    assert left_out == lost
    assert len(lost) == 17


def test_fresh_boxes_hold_the_published_bead_counts() -> None:
    for distinct, expected in ((True, 1720), (False, 1917)):
        boxes = find_boxes("menace", "", 0, BoxSet.CHOICE, distinct)
        assert all_beads(boxes.first_beads(MICHIE)) == expected


def test_empty_board_offers_corner_edge_and_centre() -> None:
    box = find_boxes("menace", "", 0, BoxSet.CHOICE, True).boxes[0]
    assert [str(move) for move in box.moves.values()] == ["a3", "b3", "b2"]
    assert sorted(Counter(box.leader.values()).values()) == [1, 4, 4]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("distinct", [True, False])
def test_every_board_opens_an_equivalent_box(seat: int, distinct: bool) -> None:
    """A bead's move on the board leads where its move on the box leads, seen through the symmetry."""
    boxes = find_boxes("menace", "", seat, BoxSet.ALL, distinct)
    canonical = cache(boxes.graph.canonical)
    opened = 0
    for node in boxes.graph.nodes:
        opening = boxes.open(node.position)
        assert (opening is None) == (node.position.turn != seat or not node.moves)
        if opening is None:
            continue
        opened += 1
        assert opening.symmetry.position(node.position) == opening.box.position
        assert list(opening.moves) == list(opening.box.moves)
        for slot, move in opening.moves.items():
            after = opening.box.position.play(opening.box.moves[slot])
            assert opening.symmetry.position(node.position.play(move)) == after
        assert set(opening.slots) == set(node.moves)
        for move, slot in opening.slots.items():
            speaks = node.position.play(opening.moves[slot])
            assert canonical(node.position.play(move))[0] == canonical(speaks)[0]
    assert opened == sum(node.position.turn == seat and bool(node.moves) for node in boxes.graph.nodes)


def test_boxes_are_sorted_by_stage_and_found_by_text() -> None:
    boxes = find_boxes("menace", "", 0, BoxSet.CHOICE, True)
    assert [box.stage for box in boxes.boxes] == sorted(box.stage for box in boxes.boxes)
    assert "X.O......" in boxes.by_text
    assert "..X......" not in boxes.by_text


def test_box_error_is_the_share_of_mistake_beads() -> None:
    boxes = find_boxes("menace", "", 0, BoxSet.CHOICE, True)
    box = boxes.by_text["X.O......"]
    by_name = {str(move): slot for slot, move in box.moves.items()}
    # Only a2, a1 and c1 win; the verdicts are checked against minimax in test_rules.
    assert boxes.error(box, beads.pack({by_name["a2"]: 3, by_name["b3"]: 1})) == pytest.approx(0.25)
    assert boxes.error(box, beads.pack({by_name["c1"]: 7})) == 0
    assert boxes.error(box, 0) is None


@needs_hexapawn
def test_her_has_nineteen_boxes() -> None:
    assert stages(find_boxes("hexapawn", "3x3", 1, BoxSet.ALL, True)) == [2, 10, 7]


@pytest.mark.slow
@needs_hexapawn
@pytest.mark.parametrize("parameters", ["3x3", "3x4", "4x4"])
@pytest.mark.parametrize("seat", [0, 1])
def test_mirrored_hexapawn_positions_are_treated_as_equal(parameters: str, seat: int) -> None:
    boxes = find_boxes("hexapawn", parameters, seat, BoxSet.CHOICE, True)
    for node in boxes.graph.nodes[:: 1 + len(boxes.graph.nodes) // 500]:
        for symmetry in boxes.graph.symmetries:
            seen = symmetry.position(node.position)
            assert symmetry.position(seen) == node.position
            assert boxes.graph.canonical(seen)[0] == boxes.graph.canonical(node.position)[0]
            for move, child in zip(node.moves, node.children, strict=True):
                after = seen.play(symmetry.move(node.position, move))
                assert after == symmetry.position(boxes.graph.nodes[child].position)


def test_unsupported_games_and_box_sets_are_refused() -> None:
    if "honshu" in game_names():
        refused("no opponent", find_boxes, "honshu", "", 0, BoxSet.ALL, True)
    refused("Unknown box set", parse_box_set, "305")


def test_box_move_limit_counts_symmetric_moves() -> None:
    says = "needs 15 bead colours, but a box has room for only 9"
    refused(says, find_boxes, "chocobar", "4x4", 0, BoxSet.ALL, True)


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(-300, 300)), max_size=40))
def test_bead_changes_stay_in_their_slot_and_within_limits(changes: list[tuple[int, int]]) -> None:
    word, model = 0, [0] * 9
    for slot, change in changes:
        word = beads.add(word, slot, change)
        model[slot] = min(127, max(0, model[slot] + change))
        assert list(beads.unpack(word)) == model
    assert 0 <= word < 1 << 63
    assert beads.total(word) == sum(model)
    assert beads.unpack(beads.halve(word)) == tuple((count + 1) // 2 for count in model)
    assert beads.pack(dict(enumerate(model))) == word


def test_box_moves_are_legal_in_its_position() -> None:
    for seat in (0, 1):
        for box in find_boxes("menace", "", seat, BoxSet.NOT_LOST, True).boxes:
            assert set(box.moves.values()) <= set(box.position.moves())
            assert GAME.parse_position(box.position.text()) == box.position

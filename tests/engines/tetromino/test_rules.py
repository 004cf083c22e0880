import random

import pytest

from arcade.engines.files import InputError
from arcade.engines.tetromino.board import (
    FULL_HAND,
    ORIENTATIONS,
    PIECES,
    Placement,
    board,
    cells_of,
    hands_text,
    image_of,
    parse_hands,
    rotated,
    turned_over,
)
from arcade.engines.tetromino.game import GAME
from arcade.engines.tetromino.rules import Tetrominoes
from tests.engines.tetromino.brute import WAYS, layings
from tests.narrow import present
from tests.refusals import refused, refuses

START = GAME.new(GAME.parameters.parse("5x8"))


def shape(cells: tuple[tuple[int, int], ...]) -> frozenset[tuple[int, int]]:
    left, low = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - low) for x, y in cells)


def test_pieces_have_nineteen_orientations() -> None:
    assert {piece: len(each) for piece, each in ORIENTATIONS.items()} == {
        "I": 2,
        "L": 8,
        "O": 1,
        "S": 4,
        "T": 4,
    }
    for piece, orientations in ORIENTATIONS.items():
        assert {shape(cells) for cells in orientations} == WAYS[piece]


def test_standard_board_placement_counts_match_the_article() -> None:
    counts = {piece: len(each) for piece, each in zip(PIECES, START.board.by_piece, strict=True)}
    assert counts == {"I": 41, "L": 180, "O": 28, "S": 90, "T": 90}
    assert len(START.moves()) == 429


@pytest.mark.parametrize("size", [(3, 3), (3, 7), (4, 5), (5, 8), (8, 8), (21, 3)])
def test_placements_match_the_oracle_without_duplicates(size: tuple[int, int]) -> None:
    width, height = size
    free = frozenset((x, y) for x in range(width) for y in range(height))
    for piece, placements in zip(PIECES, board(width, height).by_piece, strict=True):
        mine = [frozenset(placement.cells) for placement, _ in placements]
        assert len(set(mine)) == len(mine)
        assert set(mine) == set(layings(free, piece))
        for placement, mask in placements:
            assert {(cell % width, cell // width) for cell in cells_of(mask)} == set(placement.cells)


def test_rotations_and_flips_are_reversible() -> None:
    for piece, orientations in ORIENTATIONS.items():
        for number in range(1, len(orientations) + 1):
            assert rotated(piece, number, 4) == number
            assert rotated(piece, rotated(piece, number), -1) == number
            assert turned_over(piece, turned_over(piece, number)) == number
    assert [rotated("L", number) for number in range(1, 9)] == [2, 3, 4, 1, 6, 7, 8, 5]
    assert [turned_over("L", number) for number in (1, 5)] == [5, 1]
    assert [turned_over("S", number) for number in (1, 3)] == [3, 1]


def test_placement_covers_its_pivot() -> None:
    assert Placement("T", 2, 2, 4).cells == ((2, 5), (2, 4), (2, 3), (1, 4))
    for placement in START.board.placements:
        assert (placement.file, placement.rank) in placement.cells


def test_moves_are_parsed_from_text() -> None:
    move = GAME.parse_move("T2@c5")
    assert move == Placement("T", 2, 2, 4)
    for other in ("t2@C5", "T2c5", " t2c5 "):
        assert GAME.parse_move(other) == move
    assert GAME.parse_move("O@a1") == Placement("O", 1, 0, 0)
    corner = GAME.parse_position("##.../##.../#####:T-T:1")
    assert str(corner.moves()[0]) == "T1@d3"
    only = GAME.parse_position("####/#..#/#..#:LO-T:1")
    assert GAME.parse_move("O", only) == Placement("O", 1, 1, 0)
    refused("matches no legal move", GAME.parse_move, "L", only)
    refused("is ambiguous: it matches 41 placements", GAME.parse_move, "I", START)


test_malformed_moves_are_refused_with_reason = refuses(
    GAME.parse_move,
    ("T5@c5", "orientations 1 to 4"),
    ("O2@c5", "only orientation 1"),
    ("J1@c5", "must be a piece"),
    ("T2@5c", "must be a piece"),
    ("T2", "must be a piece"),
)


@pytest.mark.parametrize("size", ["3x21", "21x3"])
def test_moves_on_the_longest_boards_round_trip(size: str) -> None:
    moves = GAME.new(GAME.parameters.parse(size)).moves()
    assert {str(move).partition("@")[2] for move in moves} >= {"b20" if size == "3x21" else "t2"}
    assert all(GAME.parse_move(str(move)) == move for move in moves)


def test_region_hint_names_the_half_of_the_board() -> None:
    corner = GAME.parse_position("..###/..###/#####/#####/####./####./####./####.:O-I:1")
    region = GAME.explanations.hint_region
    assert region(corner, corner.moves()[0]).says == "Look in the upper half of the board."
    other = GAME.parse_position("..###/..###/#####/#####/####./####./####./####.:I-O:1")
    assert region(other, other.moves()[0]).says == "Look in the lower half of the board."
    both = GAME.parse_position("#####/#####/####./####./####./####./#####/#####:I-O:1")
    assert region(both, both.moves()[0]).says == "Look in the middle of the board."


def test_illegal_moves_are_refused_with_a_reason() -> None:
    after = START.play(GAME.parse_move("T2@c5"))
    with pytest.raises(ValueError, match="already covered"):
        after.play(GAME.parse_move("O1@c5"))
    with pytest.raises(ValueError, match="sticks out of the 5x8 board"):
        after.play(GAME.parse_move("O1@e1"))
    again = after.play(GAME.parse_move("O1@a1"))
    with pytest.raises(ValueError, match=r"First does not hold T\. The hand is I, L, O, S"):
        again.play(GAME.parse_move("T1@b8"))


def test_position_text_round_trips() -> None:
    text = "...../...../..#../.##../..#../...../...../.....:ILOS-ILOST:2"
    position = START.play(GAME.parse_move("T2@c5"))
    assert position.text() == text
    assert GAME.parse_position(text) == position
    assert GAME.parse_position(text, GAME.parameters.parse("5x8")) == position
    assert GAME.parse_position(
        "...../...../...../.....", GAME.parameters.parse("5x4,IL-T")
    ).hands == parse_hands("IL-T")


@pytest.mark.parametrize(
    ("parameters", "text", "says"),
    [
        (None, ".../..", "Row 1 of the position, '..', must have 3 cells"),
        (None, ".../x../...", "contain only '#' and '.'"),
        (None, ".../.../...:IL:1", "hyphen"),
        (None, ".../.../...:IX-L:1", "contains 'X'"),
        (None, ".../.../...:II-L:1", "contains I twice"),
        (None, ".../.../...:I-L:3", "turn must be 1 or 2, not '3'"),
        (None, ".../...", "Height must be 3 to 21"),
        ("4x4", ".../.../...", "is 3x3, but must be 4x4"),
        ("3x3,I-L", ".../.../...:O-L:1", "may contain only I-L"),
        (None, "/".join(["." * 9] * 8), "has 72 cells"),
    ],
)
def test_invalid_positions_are_refused_with_reason(parameters: str | None, text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        GAME.parse_position(text, None if parameters is None else GAME.parameters.parse(parameters))


def test_parameters_round_trip() -> None:
    for text in ("5x8", "3x21", "8x8", "5x8,ILO-IST", "6x6,-I"):
        assert GAME.parameters.text(GAME.parameters.parse(text)) == text
    assert GAME.parameters.text(GAME.parameters.parse("5x8,TSOLI-ilost")) == "5x8"
    assert hands_text((FULL_HAND, 0)) == "ILOST-"


def test_stuck_player_loses_and_empty_hands_tie() -> None:
    stuck = present(GAME.parse_position("##./#.#/...:IOT-L:2").outcome())
    assert (stuck.winner, stuck.reason) == (0, "Second has no piece that fits")
    empty = present(GAME.parse_position("..../..../....:-L:1").outcome())
    assert (empty.winner, empty.reason) == (1, "First has no piece left")
    done = present(GAME.parse_position("..../..../....:-:1").outcome())
    assert (done.winner, done.reason) == (None, "all pieces are placed")


def test_placement_history_is_not_part_of_the_position() -> None:
    moves = [GAME.parse_move(word) for word in ("O1@a1", "L1@d4")]
    there = START.play(moves[0]).play(moves[1])
    assert there.laid == tuple(moves)
    assert GAME.parse_position(there.text()) == there
    assert GAME.parse_position(there.text()).laid == ()


def test_dead_cells_are_unreachable_by_any_piece() -> None:
    rng = random.Random(7)
    for _ in range(50):
        position = START
        for _ in range(rng.randrange(2, 8)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.moves()))
        free = frozenset((cell % 5, cell // 5) for cell in range(40) if not position.occupied >> cell & 1)
        hands = position.hands[0] | position.hands[1]
        reached = {
            cell
            for number, piece in enumerate(PIECES)
            if hands >> number & 1
            for cells in layings(free, piece)
            for cell in cells
        }
        assert {(cell % 5, cell // 5) for cell in cells_of(position.dead_cells())} == free - reached


def test_rectangle_has_four_symmetries_and_square_eight() -> None:
    assert len(board(5, 8).symmetries) == 4
    assert len(board(6, 6).symmetries) == 8
    for size in ((5, 8), (6, 6)):
        this = board(*size)
        masks = set(this.placements.values())
        for symmetry in this.symmetries:
            assert sorted(symmetry) == list(range(this.cells))
            assert {image_of(mask, symmetry) for mask in masks} == masks


def test_placements_are_listed_for_either_player() -> None:
    position = Tetrominoes(4, 4, hands=parse_hands("I-O"))
    assert {move.piece for move in position.placements(0)} == {"I"}
    assert {move.piece for move in position.placements(1)} == {"O"}
    assert position.fits(GAME.parse_move("T1@b4"))
    assert not position.fits(GAME.parse_move("T1@a4"))

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arcade.engines.files import InputError
from arcade.engines.honshu.game import GAME
from arcade.engines.honshu.rules import (
    VARIANTS,
    HonshuPosition,
    Move,
    Score,
    forest_points,
    parse_move,
    parse_position,
)
from arcade.engines.honshu.tiles import Tile
from arcade.engines.parameters import ParameterValue
from tests.engines.honshu.oracle import board_of, legal_moves, placed, points, random_layout, random_move
from tests.narrow import present
from tests.refusals import refused


def deal(
    rng: random.Random, sizes: tuple[int, int] = (5, 12), tiles: tuple[int, int] = (1, 14)
) -> HonshuPosition:
    size: dict[str, ParameterValue] = {"size": rng.randint(*sizes), "tiles": rng.randint(*tiles)}
    variants: dict[str, ParameterValue] = {name: True for name in VARIANTS if rng.random() < 0.3}
    return GAME.new(size | variants, rng.randrange(10**6))


def test_random_layout_scores_match_the_oracle() -> None:
    rng = random.Random(5)
    seen: set[str] = set()
    maps = 0
    while maps < 2_000:
        position = deal(rng)
        while position.outcome() is None:
            position = random_move(position, rng)
            visible = {
                (row, column): position.terrain_at(row, column)
                for row in range(position.size)
                for column in range(position.size)
                if position.terrain_at(row, column)
            }
            expected = points(visible, position.variants)
            assert position.score.by_rule() == expected
            seen |= {rule for rule, value in expected.items() if value}
            maps += 1
        assert {cell: stack[-1][1] for cell, stack in board_of(position).cells.items()} == visible
    assert seen == set(Score().by_rule())


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 8))
def test_legal_moves_match_the_oracle(seed: int, moves: int) -> None:
    rng = random.Random(seed)
    position = deal(rng, (5, 8), (1, 10))
    for _ in range(moves):
        if position.outcome() is not None:
            break
        position = position.play(rng.choice(position.moves()))
    board = board_of(position)
    expected = legal_moves(position, board)
    assert sorted(position.moves()) == expected
    assert (position.outcome() is None) == bool(expected)
    for move in rng.sample(expected, min(5, len(expected))):
        before = points(board.visible(), position.variants)
        after = points({**board.visible(), **placed(position, move)}, position.variants)
        change = {rule: after[rule] - before[rule] for rule in after}
        assert position.score_change(move).by_rule() == change
        assert position.play(move).score - position.score == position.score_change(move)


def position_of(*tiles: str, start: str = "PPPPPP", size: int = 9, laid: str = "") -> HonshuPosition:
    hand = "+".join(f"{number}{terrains}" for number, terrains in enumerate(tiles, 1))
    return parse_position(f"{size}/0{start}/{hand}/{laid}")


def test_start_tile_is_placed_at_the_centre() -> None:
    for size, corner in ((5, 1), (6, 2), (9, 3), (10, 4), (16, 7)):
        position = position_of("VVVVVV", size=size)
        lit = [(r, c) for r in range(size) for c in range(size) if position.terrain_at(r, c)]
        assert lit[0] == (corner, corner)
        assert lit[-1] == (corner + 2, corner + 1)


def test_rotations_turn_clockwise() -> None:
    tile = Tile(1, "PFLVRU")
    assert tile.rotated(0) == ("PF", "LV", "RU")
    assert tile.rotated(1) == ("RLP", "UVF")
    assert tile.rotated(2) == ("UR", "VL", "FP")
    assert tile.rotated(3) == ("FVU", "PLR")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("2r0@4,4", "There is no tile 2 in the hand."),
        ("1r0@8,1", "Tile 1 would stick out of the board."),
        ("1r1@4,8", "Tile 1 would stick out of the board."),
        ("1r0@0,4", "Tile 1 would stick out of the board."),
        ("1r0@1,1", "Tile 1 must overlap an earlier tile."),
        ("1r0@4,4", "Tile 1 would cover a lake: row 4, column 4."),
    ],
)
def test_illegal_placements_are_refused_with_reason(move: str, reason: str) -> None:
    position = position_of("VVVVVV", start="LPPPPP")
    assert position.placement_error(parse_move(move)) == reason
    with pytest.raises(ValueError, match=reason.replace(".", r"\.")):
        position.play(parse_move(move))


def test_no_tile_may_be_covered_completely() -> None:
    position = position_of("VVVVVV", "FFFFFF")
    hidden = "Tile {} would hide all of {}."
    assert position.placement_error(parse_move("1r0@4,4")) == hidden.format(1, "the start tile")
    position = position.play(parse_move("1r0@5,4"))
    assert position.placement_error(parse_move("2r0@5,4")) == hidden.format(2, "tile 1")
    assert position.placement_error(parse_move("2r0@2,4")) == hidden.format(2, "the start tile")


def test_match_ends_when_no_tile_fits() -> None:
    outcome = present(position_of("VVVVVV", start="LLLLLL").outcome())
    assert (outcome.reason, outcome.score, outcome.winner) == ("no tile fits any more", 15, None)
    ended = present(position_of("VVVVVV", laid="1r0@5,4").outcome())
    assert (ended.reason, ended.score) == ("all tiles are placed", 6)


def test_hand_may_hold_the_same_tile_twice() -> None:
    position = parse_position("9/0PPPPPP/3VVVVVV+3VVVVVV/3r0@5,4")
    assert [tile.id for tile in position.hand] == [3]
    assert {move.tile for move in position.moves()} == {3}
    assert parse_position(position.text()) == position


def test_forest_of_each_size_scores_the_expected_points() -> None:
    assert [forest_points(cells) for cells in range(9)] == [0, 1, 3, 6, 10, 15, 20, 25, 30]


@pytest.mark.parametrize("text", ["7r2@4,5", "7R2@4,5", " 7 r2 @ 4, 5", "7r2:4,5"])
def test_moves_are_parsed_in_loose_notations(text: str) -> None:
    assert parse_move(text) == Move(7, 2, 3, 4)


def test_move_without_rotation_is_unrotated() -> None:
    assert str(parse_move("12@3,4")) == "12r0@3,4"


@pytest.mark.parametrize("text", ["7r4@4,5", "7r2@4", "r2@4,5", "7r2@4,5,6", "7r2@-1,5", "٣r0@1,1"])
def test_malformed_moves_are_refused(text: str) -> None:
    refused(r"^[A-Z].*\.$", parse_move, text)


@pytest.mark.parametrize(
    "text",
    [
        "9/0PPPPPP/1VVVVVV",
        "4/0PPPPPP/1VVVVVV/",
        "17/0PPPPPP/1VVVVVV/",
        "x/0PPPPPP/1VVVVVV/",
        "9,hills/0PPPPPP/1VVVVVV/",
        "9,plains,plains/0PPPPPP/1VVVVVV/",
        "9/PPPPPP/1VVVVVV/",
        "9/0PPPPPX/1VVVVVV/",
        "9/0PPPPPP//",
        "9/0PPPPPP/1VVVVVV+1VVVVVP/",
        "9/0PPPPPP/" + "+".join(f"{n}VVVVVV" for n in range(21)) + "/",
        "9/0PPPPPP/1VVVVVV/1r0@1,1",
        "9/0PPPPPP/1VVVVVV/1r0@5,4+1r0@5,4",
        "9/0PPPPPP/1VVVVVV/zz",
        "999999999999999999999/0PPPPPP/1VVVVVV/",
    ],
)
def test_invalid_positions_are_refused(text: str) -> None:
    refused(r"^[A-Z][^\n]*\.$", parse_position, text)


def test_finished_map_describes_no_moves() -> None:
    position = parse_position("9/0PPPPPP/1VVVVVV/")
    ready = position.play(position.moves()[0])
    assert position.describe_moves()[-1] == "You hold tile 1."
    assert ready.describe_moves() == []


def test_position_must_match_its_parameters() -> None:
    text = "9,plains/0PPPPPP/1VVVVVV/"
    assert GAME.parse_position(text, GAME.parameters.parse("9x1,plains")).text() == text
    with pytest.raises(InputError, match="9x1,plains"):
        GAME.parse_position(text, GAME.parameters.parse("9x1"))
    report, other = (GAME.new(GAME.parameters.parse(size), 3) for size in ("9x11,report", "9x11"))
    for parameters in ("9x11,report", "9x11"):
        assert GAME.parse_position(report.text(), GAME.parameters.parse(parameters)) == report
    with pytest.raises(InputError, match="belongs to the board 9x11, not 9x11,report"):
        GAME.parse_position(other.text(), GAME.parameters.parse("9x11,report"))


@pytest.mark.parametrize("size", [5, 9, 16])
def test_region_hint_names_the_part_of_the_board(size: int) -> None:
    position = position_of("VVVVVV", size=size)
    thirds = ("upper", "middle", "lower"), ("left", "middle", "right")
    for rotation, rows, columns in ((0, 3, 2), (1, 2, 3)):
        for row in range(size - rows + 1):
            for column in range(size - columns + 1):
                words = GAME.explanations.hint_region(position, Move(1, rotation, row, column)).says
                middles = (row + rows / 2, column + columns / 2)
                parts = [
                    names[min(2, int(3 * middle / size))]
                    for names, middle in zip(thirds, middles, strict=True)
                ]
                part = "centre" if parts == ["middle", "middle"] else " ".join(parts)
                assert f"in the {part} of the board" in words
                assert ("on its side" in words) == (rotation == 1)


def test_deals_follow_the_published_frequencies() -> None:
    drawn = "".join(
        tile.terrains for seed in range(200) for tile in GAME.new(GAME.parameters.parse("9x20"), seed).tiles
    )
    share = {letter: drawn.count(letter) / len(drawn) for letter in "PFLVRU"}
    expected = {"P": 26, "F": 16, "L": 13, "V": 44, "R": 15, "U": 12}
    assert sum(expected.values()) == 126
    for letter, count in expected.items():
        assert share[letter] == pytest.approx(count / 126, abs=0.01)


def test_random_layouts_are_legal_and_round_trip() -> None:
    rng = random.Random(11)
    for _ in range(100):
        position = random_layout(deal(rng, (5, 16), (1, 20)), rng)
        board_of(position)
        assert parse_position(position.text()) == position

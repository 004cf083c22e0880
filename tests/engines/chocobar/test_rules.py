import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arcade.engines.chocobar.game import GAME
from arcade.engines.chocobar.rules import Bar, Bite, parse_bar, transpose
from arcade.engines.position import Outcome
from arcade.engines.registry import parse_game_id
from tests.engines.chocobar.brute import all_bars, bitten, random_bar
from tests.refusals import refused, refuses

staircases = st.lists(st.integers(1, 18), min_size=1, max_size=18).map(
    lambda lengths: Bar(tuple(sorted(lengths, reverse=True)))
)


def test_bite_removes_squares_below_and_right() -> None:
    bar = Bar.full(8, 10).play(Bite(4, 9))
    assert bar == Bar((10, 10, 10, 8, 8, 8, 8, 8), 1)
    assert bar.play(Bite(6, 1)) == Bar((10, 10, 10, 8, 8), 0)
    assert bar.play(Bite(1, 2)) == Bar((1,) * 8, 0)


@pytest.mark.parametrize("rows", all_bars(3, 4))
def test_legal_bites_match_brute_force(rows: tuple[int, ...]) -> None:
    bar = Bar(rows)
    assert {bar.play(move).rows for move in bar.moves()} == bitten(rows)
    assert len(bar.moves()) == sum(bar.rows) - 1
    assert bar.moves() == sorted(bar.moves())


def test_player_left_with_the_poison_loses() -> None:
    assert Bar((1,), 0).outcome() == Outcome(1, "First has nothing left but the poison")
    assert Bar((1,), 1).outcome() == Outcome(0, "Second has nothing left but the poison")
    assert Bar((2,)).outcome() is None
    assert Bar((1,)).moves() == []
    with pytest.raises(ValueError, match="poison"):
        Bar((2, 1)).play(Bite(1, 1))


@given(staircases)
def test_transposing_twice_restores_the_bar(bar: Bar) -> None:
    assert transpose(transpose(bar.rows)) == bar.rows
    assert sum(transpose(bar.rows)) == sum(bar.rows)


@given(staircases, st.integers(0, 1))
def test_bar_text_round_trips(bar: Bar, turn: int) -> None:
    bar = Bar(bar.rows, turn)
    assert parse_bar(bar.text()) == bar


def test_trailing_empty_rows_are_accepted() -> None:
    assert parse_bar("3.2.0.0") == Bar((3, 2))
    assert parse_bar("3.2:1") == Bar((3, 2))
    assert parse_bar("3.2:2") == Bar((3, 2), 1)
    assert parse_game_id("chocobar:8x10:10.10.10.8.8").start() == Bar((10, 10, 10, 8, 8))


test_invalid_bars_are_refused_with_reason = refuses(
    parse_bar,
    ("", "Row 1"),
    ("0", "no poison"),
    ("0.0", "no poison"),
    ("3.4", "Row 2 of '3.4' has 4 squares, but the row above has only 3"),
    ("3.0.1", "Row 3"),
    ("19", "from 0 to 18"),
    ("9" * 30, "from 0 to 18"),
    (".".join(["1"] * 19), "19 rows"),
    ("3.x", "not 'x'"),
    ("3.-1", "not '-1'"),
    ("3:3", "must be 1 or 2"),
    ("3.2.", "Row 3"),
    ("٣", "whole number"),
)


@pytest.mark.parametrize("text", ["(4,9)", "4,9", "4 9", "4.9", "(4, 9)", " ( 4 , 9 ) ", "4;9", "(4 9)"])
def test_bites_are_parsed_in_several_notations(text: str) -> None:
    assert GAME.parse_move(text) == Bite(4, 9)


@pytest.mark.parametrize("text", ["(4,9", "4,9)", "49", "4", "a,b", "4,-9", "0,3", "3,0", "4,,9", "4 9 1"])
def test_malformed_bites_are_refused(text: str) -> None:
    refused(text.replace("(", r"\(").replace(")", r"\)"), GAME.parse_move, text)


test_invalid_sizes_are_refused = refuses(
    parse_game_id,
    ("chocobar:1x1", "only the poison"),
    ("chocobar:19x3", "Rows must be 1 to 18, not 19"),
    ("chocobar:3x19", "Columns must be 1 to 18, not 19"),
    ("chocobar:3x4:5", "5 columns, too many for a bar of 3x4"),
    ("chocobar:3x4:1.1.1.1", "4 rows, too many for a bar of 3x4"),
)


def test_default_bar_is_8x10() -> None:
    assert parse_game_id("chocobar").start() == Bar.full(8, 10)


@given(st.integers())
def test_region_hint_agrees_with_the_move(seed: int) -> None:
    bar = random_bar(random.Random(seed), 9, 9)
    height, width = len(bar.rows), bar.rows[0]
    for move in bar.moves():
        words = GAME.explanations.hint_region(bar, move).says
        assert words.endswith(".")
        if "top row" in words:
            assert move.row == 1
        if "first column" in words:
            assert move.column == 1
        if "lower" in words:
            assert 2 * move.row > height
        if "upper" in words:
            assert 2 * move.row <= height
        if "right" in words:
            assert 2 * move.column > width
        if "left" in words.replace("what is left", ""):
            assert 2 * move.column <= width

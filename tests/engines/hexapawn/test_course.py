from __future__ import annotations

import random
from pathlib import Path

import pytest

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.hexapawn import GAME
from arcade.engines.hexapawn.course import read_course, write_course
from arcade.engines.hexapawn.documents import BY_NAME, value_map
from arcade.engines.hexapawn.game import signed
from arcade.engines.hexapawn.rules import PawnPosition
from tests.engines.hexapawn.brute import Rows, replies
from tests.engines.hexapawn.positions import random_board, rows_of, truth

DATA = Path(__file__).parents[2] / "data" / "hexapawn"


def expectations() -> list[tuple[str, int]]:
    lines = (DATA / "expected.tsv").read_text().splitlines()
    return [(line.split("\t")[0], int(line.split("\t")[1])) for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(("name", "expected"), expectations())
def test_the_course_files(name: str, expected: int) -> None:
    board = read_course((DATA / name).read_text())
    with Control() as control:
        assert signed(GAME.solver.verdict(board, control)) == expected


def test_all_files_are_expected() -> None:
    assert {name for name, _ in expectations()} == {path.name for path in DATA.glob("Config*")}


def test_the_example_of_the_specification() -> None:
    board = read_course("3\n4\n p p\npP\n  PP\n")
    assert board.text() == ".p.p/pP../..PP:w"
    assert read_course("3\r\n4\r\n p p\r\npP\r\n  PP      \r\n\r\n\n  \n") == board


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Line 1: the number of rows is missing."),
        ("\n4\n", "Line 1: the number of rows is missing."),
        ("3\n", "Line 2: the number of columns is missing."),
        ("3\n\n p p\n", "Line 2: the number of columns is missing."),
        ("x\n4\n", "Line 1: 'x' must be the number of rows, alone on its line."),
        ("3 4\n p p\n", "Line 1: '3 4' must be the number of rows, alone on its line."),
        ("3\n-4\n", "Line 2: '-4' must be the number of columns, alone on its line."),
        ("3\n p p\npP\n", "Line 2: 'p p' must be the number of columns, alone on its line."),
        ("3\n²\n", "Line 2: '²' must be the number of columns, alone on its line."),
        ("3\n99999999999999\n", "Line 2: 9999... is too many columns for a board."),
        ("9\n9\n", "Lines 1 and 2: a board has at most 64 squares, and 9x9 has 81."),
        ("1\n4\nPPPP\n", "Lines 1 and 2: a board has at least 2 rows and 1 column, not 1x4."),
        ("3\n4\n p p\npX\n  PP\n", "Line 4: 'X' must be P, p or a space."),
        ("3\n4\n p p\npP\n\t PP\n", "Line 5: '\\t' must be P, p or a space."),
        ("3\n4\n p p\npP\n", "Line 5: row 3 of the 3 rows of the board is missing."),
        (
            "3\n4\n p p\npP\n  PP\n\n P\n",
            "Line 7: the board has 3 rows, so there must be no pawn below them.",
        ),
        ("3\n4\n p p p\npP\n  PP\n", "Line 3: there must be no pawn in column 6, since the board has 4."),
        (
            "3\n4\nPp p\npP\n  PP\n",
            "Line 3: a white pawn cannot stand on a3, its last row, with White to move: the game would "
            "already be over.",
        ),
        (
            "64\n1\n" + "p\n" * 22 + " \n" * 20 + "P\n" * 22,
            "Line 3: the pawns have room for 2310 plies, and a position may have room for at most 254.",
        ),
    ],
)
def test_bad_files_get_one_sentence_with_the_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_course(text)
    assert str(caught.value) == message


def test_what_is_written_is_read_back() -> None:
    rng = random.Random(5)
    for _ in range(100):
        board = random_board(rng, rng.randint(2, 5), rng.randint(1, 5), (False, False))
        again = read_course(write_course(board))
        assert again == (board.turned() if board.turn else board)


@pytest.mark.parametrize("method", BY_NAME)
def test_the_methods_of_the_report_agree_with_the_brute_force(method: str) -> None:
    rng = random.Random(11)
    for _ in range(150):
        board = random_board(rng, rng.randint(2, 4), rng.randint(1, 3), (False, False))
        with Control() as control:
            found = BY_NAME[method](board, control)
        wins, plies = truth(board)
        assert found.value == (plies if wins else -plies)


def naive_calls(rows: Rows, known: dict[Rows, int]) -> int:
    """How often the naive recursion calls itself from a position, counted without doing it."""
    if rows not in known:
        known[rows] = 1
        if "p" not in rows[-1]:
            known[rows] += sum(naive_calls(each, known) for each in replies(rows, False))
    return known[rows]


def test_calls_are_counted_as_the_course_counts_them() -> None:
    board = read_course((DATA / "Config4x4_11").read_text())
    with Control() as control:
        counts = {name: method(board, control) for name, method in BY_NAME.items()}
    assert counts["naive"].calls == naive_calls(rows_of(board), {})
    assert counts["naive"].kept == 0
    assert counts["list"] == counts["map"]
    assert counts["map"].kept < counts["map"].calls < counts["naive"].calls
    board = read_course((DATA / "Config5X5_15").read_text())
    with Control() as control:
        assert value_map(board, control).calls == 813_830


def test_classic_methods_stop_and_know_their_limits() -> None:
    with Control(0.1) as control:
        found = BY_NAME["naive"](PawnPosition.full(5, 5), control)
    assert found.value is None
    assert found.calls > 1000
    with Control() as control, pytest.raises(ValueError, match="only the plain game"):
        BY_NAME["map"](PawnPosition.full(3, 3, misere=True), control)

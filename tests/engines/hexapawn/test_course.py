from __future__ import annotations

import random
from pathlib import Path

import pytest

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.hexapawn.course import read_course, signed
from arcade.engines.hexapawn.game import GAME
from arcade.engines.hexapawn.reference_methods import (
    MAP,
    MAP_COURSE,
    MAP_STOP,
    NAIVE,
    NAIVE_MEMO_AS_CODED,
    SUCCESSORS,
    SUCCESSORS_AS_CODED,
    Recursion,
    evaluate,
    move_of,
)
from arcade.engines.hexapawn.rules import BLACK, PawnPosition
from tests.engines.hexapawn.brute import Rows, replies
from tests.engines.hexapawn.positions import random_board, rows_of, truth

DATA = Path(__file__).parents[2] / "data" / "hexapawn"


def write_course(board: PawnPosition) -> str:
    """The position in the course's format, seen from the side to move, which is White there."""
    if board.turn == BLACK:
        board = board.turned()
    rows = "\n".join(board.lines()).replace(".", " ")
    return f"{board.rows}\n{board.columns}\n{rows}\n"


def expectations() -> list[tuple[str, int]]:
    lines = (DATA / "expected.tsv").read_text().splitlines()
    return [(line.split("\t")[0], int(line.split("\t")[1])) for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(("name", "expected"), expectations())
def test_course_files_have_expected_values(name: str, expected: int) -> None:
    board = read_course((DATA / name).read_text())
    with Control() as control:
        assert signed(GAME.solver.verdict(board, control)) == expected


def test_every_course_file_has_an_expected_value() -> None:
    assert {name for name, _ in expectations()} == {path.name for path in DATA.glob("Config*")}


def test_specification_example_is_parsed() -> None:
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
        ("x\n4\n", "Line 1: expected only the number of rows, found 'x'."),
        ("3 4\n p p\n", "Line 1: expected only the number of rows, found '3 4'."),
        ("3\n-4\n", "Line 2: expected only the number of columns, found '-4'."),
        ("3\n p p\npP\n", "Line 2: expected only the number of columns, found 'p p'."),
        ("3\n²\n", "Line 2: expected only the number of columns, found '²'."),
        ("3\n99999999999999\n", "Line 2: a board cannot have 9999... columns."),
        ("9\n9\n", "Lines 1 and 2: a board has at most 64 squares, and 9x9 has 81."),
        ("1\n4\nPPPP\n", "Lines 1 and 2: a board has at least 2 rows and 1 column, not 1x4."),
        ("3\n4\n p p\npX\n  PP\n", "Line 4: expected P, p or a space, found 'X'."),
        ("3\n4\n p p\npP\n\t PP\n", "Line 5: expected P, p or a space, found '\\t'."),
        ("3\n4\n p p\npP\n", "Line 5: row 3 of 3 rows is missing."),
        (
            "3\n4\n p p\npP\n  PP\n\n P\n",
            "Line 7: there is a pawn below the board, which has 3 rows.",
        ),
        ("3\n4\n p p p\npP\n  PP\n", "Line 3: there is a pawn in column 6, but the last column is 4."),
        (
            "3\n4\nPp p\npP\n  PP\n",
            "Line 3: White has a pawn on its last row (a3), so the game is over. Move or remove the pawn.",
        ),
        (
            "64\n1\n" + "p\n" * 22 + " \n" * 20 + "P\n" * 22,
            "Line 3: a game from here could last 2,310 moves. The limit is 254.",
        ),
    ],
)
def test_invalid_course_files_are_rejected_with_the_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_course(text)
    assert str(caught.value) == message


def test_course_format_round_trips() -> None:
    rng = random.Random(5)
    for _ in range(100):
        board = random_board(rng, rng.randint(2, 5), rng.randint(1, 5), (False, False))
        again = read_course(write_course(board))
        assert again == (board.turned() if board.turn else board)


RECURSIONS: dict[str, Recursion] = {
    "naive": NAIVE,
    "naive-memo-as-coded": NAIVE_MEMO_AS_CODED,
    "successors": SUCCESSORS,
    "successors-as-coded": SUCCESSORS_AS_CODED,
    "map": MAP,
    "map-stop": MAP_STOP,
    "map-course": MAP_COURSE,
}
SOUND = [name for name in RECURSIONS if name != "naive-memo-as-coded"]


@pytest.mark.parametrize("name", SOUND)
def test_report_methods_match_brute_force(name: str) -> None:
    rng = random.Random(11)
    for _ in range(150):
        board = random_board(rng, rng.randint(2, 4), rng.randint(1, 3), (False, False))
        with Control() as control:
            found = evaluate(RECURSIONS[name], board, control)
        wins, plies = truth(board)
        assert found.value == (plies if wins else -plies)


def test_recursion_call_counts_match_the_report() -> None:
    board = read_course((DATA / "Config5x5_3").read_text())
    assert board.text() == "...../pp.pp/PPp../...P./....P:w"
    counts = {name: evaluate(recursion, board, Control()) for name, recursion in RECURSIONS.items()}
    assert {name: count.calls for name, count in counts.items()} == {
        "naive": 179_073,
        "naive-memo-as-coded": 1_247,
        "successors": 3_516,
        "successors-as-coded": 16_287,
        "map": 1_247,
        "map-stop": 1_238,
        "map-course": 10_735,
    }
    assert {count.value for count in counts.values()} == {3}
    forgetful = ("naive", "successors", "successors-as-coded")
    assert {name for name, count in counts.items() if not count.kept} == set(forgetful)


def test_naive_memo_as_coded_gives_three_known_wrong_values() -> None:
    wrong = {}
    for name, expected in expectations():
        # The full board takes half a minute, and comes out right.
        if name != "Config5X5_19.txt":
            value = evaluate(NAIVE_MEMO_AS_CODED, read_course((DATA / name).read_text()), Control()).value
            if value != expected:
                wrong[name] = value
    assert wrong == {"Config3x4_minus2": 1, "Config4x4_11": 3, "Config5X5_15": 13}


@pytest.mark.parametrize("name", SOUND)
def test_report_method_players_choose_a_best_move(name: str) -> None:
    rng = random.Random(12)
    for _ in range(40):
        board = random_board(rng, rng.randint(2, 4), rng.randint(1, 3), (False, False))
        if board.outcome() is None:
            best = [each.move for each in GAME.solver.moves(board, Control()) if each.best]
            assert move_of(RECURSIONS[name], board, Control()) in best


def naive_calls(rows: Rows, known: dict[Rows, int]) -> int:
    """How often the naive recursion calls itself from a position, counted without doing it."""
    if rows not in known:
        known[rows] = 1
        if "p" not in rows[-1]:
            known[rows] += sum(naive_calls(each, known) for each in replies(rows, False))
    return known[rows]


def test_recursion_call_counts_match_the_course() -> None:
    board = read_course((DATA / "Config4x4_11").read_text())
    naive, kept = (evaluate(recursion, board, Control()) for recursion in (NAIVE, MAP_COURSE))
    assert naive.calls == naive_calls(rows_of(board), {})
    assert kept.kept < kept.calls < naive.calls
    board = read_course((DATA / "Config5X5_15").read_text())
    assert evaluate(MAP_COURSE, board, Control()).calls == 813_830


def test_report_methods_stop_at_deadline_and_reject_misere() -> None:
    with Control(0.1) as control:
        found = evaluate(NAIVE, PawnPosition.full(5, 5), control)
    assert found.value is None
    assert found.calls > 1000
    misere = PawnPosition.full(3, 3, misere=True)
    with pytest.raises(ValueError, match="only by the standard rules"):
        evaluate(MAP_COURSE, misere, Control())
    assert move_of(MAP_COURSE, misere, Control()) in misere.moves()

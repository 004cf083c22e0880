"""The lists of deliberate faults, kept honest as the code moves; `python -m tools.faults` plants them."""

import ast
import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from arcade.engines.registry import ORDER
from tools.faults.__main__ import main
from tools.faults.planting import ROOT, Copy, Fault, FaultError, caught_by, games, read_faults


def test_each_game_has_at_least_ten_distinct_faults() -> None:
    assert games() == sorted(ORDER)
    for game in games():
        faults = read_faults(game)
        assert len(faults) >= 10
        assert len({fault.name for fault in faults}) == len(faults)


@pytest.mark.parametrize("fault", [fault for game in games() for fault in read_faults(game)], ids=str)
def test_every_fault_can_be_planted(fault: Fault) -> None:
    before = (ROOT / fault.file).read_text("utf-8")
    after = fault.planted(before)
    assert after != before
    ast.parse(after)
    if fault.guard:
        file, _, test = fault.guard.partition("::")
        assert re.search(
            rf"^(async )?def {test}\(|^{test} = ", (ROOT / "tests" / file).read_text("utf-8"), re.M
        )


def test_fault_matching_zero_or_two_places_is_refused() -> None:
    fault = Fault("chess", 3, "castles twice", "chess.py", "castle()", "")
    for text in ("", "castle() or castle()"):
        with pytest.raises(FaultError, match=r"^Fault 3 of chess: 'castle\(\)' must occur once in chess.py"):
            fault.planted(text)
    with pytest.raises(FaultError, match=r"Unknown game 'chess'\. Choose from chocobar, "):
        read_faults("chess")


@pytest.mark.parametrize(
    ("code", "printed", "caught"),
    [
        (0, "tests/a.py::test_b PASSED [ 50%]\n", ""),
        (
            1,
            "tests/a.py::test_b FAILED [ 50%]\nFAILED tests/a.py::test_b[x y] - assert 1\n",
            "tests/a.py::test_b[x y]",
        ),
        (2, "ERROR tests/a.py - SyntaxError\n", "tests/a.py"),
        (
            None,
            "tests/a.py::test_b PASSED [ 50%]\ntests/a.py::test_c[x y] ",
            "hangs in tests/a.py::test_c[x y]",
        ),
        (-11, "tests/a.py::test_b ", "crashes in tests/a.py::test_b"),
    ],
)
def test_pytest_output_names_the_catching_test(code: int | None, printed: str, caught: str) -> None:
    assert caught_by(code, printed) == caught


def test_run_without_tests_is_an_error() -> None:
    with pytest.raises(FaultError, match="exit code 5"):
        caught_by(5, "no tests ran")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess"], "Unknown game 'chess'"),
        (["menace", "--only", "99"], "Unknown fault 99 of menace. Choose from 1 to "),
    ],
)
def test_unknown_game_or_fault_is_refused(words: list[str], said: str) -> None:
    app = typer.Typer()
    app.command()(main)
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert result.stderr.startswith(said)


def test_copy_holds_the_fault_only_while_planted(tmp_path: Path) -> None:
    copy = Copy(tmp_path, 0)
    fault = read_faults("menace")[0]
    planted = copy.root / fault.file
    before = planted.read_text("utf-8")
    assert before == (ROOT / fault.file).read_text("utf-8")
    with copy.planted(fault):
        assert planted.read_text("utf-8") == fault.planted(before)
    assert planted.read_text("utf-8") == before

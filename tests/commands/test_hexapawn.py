from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from arcade.commands.hexapawn import app
from arcade.engines.files import InputError
from arcade.engines.registry import parse_game_id

DATA = Path(__file__).parents[1] / "data" / "hexapawn"
EXAMPLE = "3\n4\n p p\npP\n  PP\n"


def test_value_command_solves_every_assignment_file_from_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    # Where kernels are compiled first, the command says so on standard error.
    monkeypatch.setattr("arcade.commands.common.say_preparing", lambda: None)
    for line in (DATA / "expected.tsv").read_text().splitlines():
        if not line.startswith("#"):
            name, expected, _ = line.split("\t")
            result = CliRunner().invoke(app, ["value"], input=(DATA / name).read_bytes())
            assert (result.exit_code, result.stdout, result.stderr) == (0, f"{expected}\n", "")


def test_count_option_reports_positions_visited() -> None:
    result = CliRunner().invoke(app, ["value", "--count"], input=EXAMPLE)
    assert result.exit_code == 0
    assert result.stdout == "-2\n"
    assert "1 position visited" in result.stderr
    result = CliRunner().invoke(app, ["value", "--json"], input=EXAMPLE)
    assert json.loads(result.stdout).keys() == {"value", "positions", "nodes", "seconds"}
    assert json.loads(result.stdout)["value"] == -2


def test_board_file_gives_expected_value_and_id(tmp_path: Path) -> None:
    file = tmp_path / "board"
    file.write_text(EXAMPLE)
    assert CliRunner().invoke(app, ["value", str(file)]).stdout == "-2\n"
    assert parse_game_id(f"hexapawn:{file}").start().text() == ".p.p/pP../..PP:w"
    result = CliRunner().invoke(app, ["id", str(file)])
    assert result.stdout == "hexapawn:3x4:.p.p/pP../..PP:w\n"
    assert parse_game_id(result.stdout).start().text() == ".p.p/pP../..PP:w"
    result = CliRunner().invoke(app, ["id", "--json"], input=EXAMPLE)
    assert json.loads(result.stdout)["id"] == "hexapawn:3x4:.p.p/pP../..PP:w"


@pytest.mark.parametrize(
    ("arguments", "data", "message"),
    [
        (["value"], b"3\n4\n p p\npQ\n  PP\n", "Line 4: expected P, p or a space, found 'Q'."),
        (["id"], b"3\n4\n p p\n", "Line 4: row 2 of 3 rows is missing."),
        (["value"], b"3\n4\n\xff p\n", "Standard input is not UTF-8 text: line 3"),
        (["value", "/nowhere/at/all"], b"", "Cannot read the file '/nowhere/at/all':"),
    ],
)
def test_invalid_or_unreadable_board_is_refused(arguments: list[str], data: bytes, message: str) -> None:
    result = CliRunner().invoke(app, arguments, input=data)
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)
    assert result.stdout == ""

"""`arcade tetromino`."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from arcade.commands.tetromino import app
from arcade.engines.files import InputError

run = CliRunner()


def test_placements_are_counted_by_piece() -> None:
    result = run.invoke(app, ["placements", "5x8"])
    assert result.exit_code == 0
    assert result.stdout == "I\t41\nL\t180\nO\t28\nS\t90\nT\t90\ntotal\t429\n"
    found = json.loads(run.invoke(app, ["placements", "5x8", "--json"]).stdout)
    assert found == {"I": 41, "L": 180, "O": 28, "S": 90, "T": 90, "total": 429}


def test_placements_of_a_position() -> None:
    found = json.loads(run.invoke(app, ["placements", "4x3:####/#..#/#..#:LO-T:1", "--json"]).stdout)
    assert found == {"I": 0, "L": 0, "O": 1, "S": 0, "T": 0, "total": 1}


@pytest.mark.parametrize("method", ["solver", "plain"])
def test_the_value_of_a_board(method: str) -> None:
    result = run.invoke(app, ["value", "5x6", "--method", method])
    assert result.exit_code == 0
    assert result.stdout == "loss\n"
    found = json.loads(run.invoke(app, ["value", "4x7", "--method", method, "--json"]).stdout)
    assert (found["value"], found["method"]) == ("win", method)


def test_too_short_a_time_is_said() -> None:
    result = run.invoke(app, ["value", "8x8", "--seconds", "0.05"])
    assert isinstance(result.exception, InputError)
    assert "Ran out of time" in str(result.exception)


def test_a_bad_board_is_said() -> None:
    result = run.invoke(app, ["value", "9x9"])
    assert isinstance(result.exception, InputError)
    assert "81 cells" in str(result.exception)

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from arcade.commands import common
from arcade.commands.chocobar import app
from arcade.commands.common import run_interruptible
from arcade.engines.chocobar.game import GAME
from arcade.engines.chocobar.solver import ChocobarSolver
from arcade.engines.control import Control
from arcade.engines.files import InputError

OPENINGS = Path(__file__).parents[1] / "data" / "chocobar" / "openings.tsv"
run = CliRunner().invoke


def output(*arguments: str, code: int = 0) -> str:
    result = run(app, list(arguments))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code
    return result.stdout


def output_json(*arguments: str, code: int = 0) -> Any:
    return json.loads(output(*arguments, "--json", code=code))


def test_openings_match_the_data_file() -> None:
    assert output("openings", "9x10") == OPENINGS.read_text()


def test_openings_json_lists_each_board_with_winning_moves() -> None:
    listed = output_json("openings", "3x2")
    assert len(listed) == 5
    assert listed[-1] == {
        "rows": 3,
        "columns": 2,
        "remoteness": 5,
        "winning": [{"move": "(3,2)", "remoteness": 5}],
    }


def test_remoteness_option_adds_lengths_or_reports_missing_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.engines.chocobar.table.MAX_WITH_REMOTENESS", 10)
    monkeypatch.setattr(GAME, "solver", ChocobarSolver())
    assert output("openings", "3x5").splitlines()[-1] == "3\t5\t-\t(3,4)"
    assert output("openings", "3x5", "--remoteness").splitlines()[-1] == "3\t5\t11\t(3,4)[11]"
    monkeypatch.setattr("os.sysconf", lambda name: 4096)
    with pytest.raises(InputError, match=r"needs 9,075 MB of memory, but this computer has 17 MB\."):
        output("openings", "18x18", "--remoteness")


def test_openings_command_reports_running_out_of_time() -> None:
    with pytest.raises(InputError, match="Ran out of time"):
        output("openings", "11x18", "--seconds", "0")


def test_grundy_command_prints_number_or_reports_limit() -> None:
    assert output("grundy", "8x10") == "51\n"
    assert output_json("grundy", "4x4:4.1")["grundy"] == 2
    with pytest.raises(InputError, match="too large for Grundy numbers"):
        output("grundy", "18x18")
    with pytest.raises(InputError, match="Ran out of time"):
        output("grundy", "13x14", "--seconds", "0")


@pytest.mark.parametrize("storage", ["list", "matrix"])
def test_strategy_of_a_graph_passes_check_and_simulation(tmp_path: Path, storage: str) -> None:
    graph, first, second = (str(tmp_path / name) for name in ("graph", "first", "second"))
    output("graph", "3x4", "--storage", storage, "-o", graph)
    assert output("graph", "3x4", "--storage", storage) == Path(graph).read_text()
    assert "whoever is there loses" in Path(graph).read_text().splitlines()
    output("strategy", graph, "-o", first)
    assert output("strategy", graph) == Path(first).read_text()
    assert output("check", graph, first).startswith("Winning. The first player wins")
    checked = output_json("check", graph, first)
    assert checked["winning"] is True
    match = output("simulate", graph, first, first).splitlines()
    assert match[-1] == "The first player wins."
    assert len(match) == 7 + 2
    assert output_json("simulate", graph, first, first)["winner"] == 1
    Path(second).write_text("strategy\n")
    assert output("check", graph, second, code=1).startswith("Not winning. It fails on ")
    lost = output_json("simulate", graph, second, first)
    assert lost["winner"] == 2
    assert "no move at vertex" in lost["fault"]


def test_graph_and_strategy_json_have_the_expected_size(tmp_path: Path) -> None:
    graph = str(tmp_path / "graph")
    described = output_json("graph", "3x4", "-o", graph)
    assert {key: described[key] for key in ("vertices", "edges")} == {"vertices": 34, "edges": 176}
    moves = output_json("strategy", graph)["moves"]
    assert len(moves) == 33


def test_strategy_for_lost_first_player_is_refused(tmp_path: Path) -> None:
    graph = tmp_path / "graph"
    graph.write_text("vertices 3\ninitial 2\nfinal 0\nwhoever is there loses\nlists\n2: 1\n1: 0\n")
    with pytest.raises(InputError, match="The first player cannot win from vertex 2"):
        output("strategy", str(graph))


def test_graph_without_losing_convention_uses_the_default_with_a_note(tmp_path: Path) -> None:
    graph, strategy = tmp_path / "graph", tmp_path / "strategy"
    strategy.write_text("strategy\n2 1\n1 0\n")
    winners = []
    for line in ("", "whoever moves there loses\n", "whoever is there loses\n"):
        graph.write_text(f"vertices 3\ninitial 2\nfinal 0\n{line}lists\n2: 1 0\n1: 0\n")
        result = run(app, ["simulate", str(graph), str(strategy), str(strategy), "--json"])
        winners.append((json.loads(result.stdout)["winner"], json.loads(result.stdout)["ending"]))
        assert ("the report's convention applies: whoever moves there loses." in result.stderr) == (not line)
        checked = run(app, ["check", str(graph), str(strategy)])
        assert checked.stdout.startswith("Winning" if "is there" not in line else "Not winning")
        assert ("the report's convention applies" in checked.stderr) == (not line)
    moves, there = "whoever moves there loses", "whoever is there loses"
    assert winners == [(1, moves), (1, moves), (2, there)]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["graph", "3"], "Unknown board '3'. Write a board like 8x10"),
        (["graph", "3x4", "-o", "/nowhere/at/all"], "Cannot write"),
        (["graph", "9x9", "--seconds", "0"], "out of time"),
        (["strategy", "/nowhere"], "Cannot read"),
        (["graph", "1x1"], "only the poison"),
        (["grundy", ""], "is empty"),
        (["graph", "3x4:4.4.1"], "Expected a full bar"),
        (["openings", "chocobar:3x4:4.4.1"], "Expected a full bar"),
    ],
)
def test_invalid_input_is_refused_in_one_sentence(arguments: list[str], says: str) -> None:
    with pytest.raises(InputError) as caught:
        output(*arguments)
    assert says in str(caught.value)
    assert str(caught.value).endswith(".")


def test_ctrl_c_ends_work_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Control] = []

    def interrupted(_: object, seconds: float) -> None:
        raise KeyboardInterrupt

    def work(control: Control) -> None:
        seen.append(control)
        while not control.stopped:
            time.sleep(0.001)

    monkeypatch.setattr(common, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_interruptible(work, lambda control: "")
    assert seen[0].cancelled


def test_error_raised_by_work_is_propagated() -> None:
    def work(control: Control) -> None:
        raise InputError("No.")

    with pytest.raises(InputError, match="No"):
        run_interruptible(work, lambda control: "")
    assert run_interruptible(lambda control: 3, lambda control: "") == 3

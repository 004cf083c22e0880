"""`arcade honshu`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from arcade.commands.honshu import app
from arcade.engines.files import InputError
from arcade.engines.honshu.game import GAME, load
from arcade.engines.honshu.rules import HonshuPosition
from arcade.engines.honshu.solver import HonshuSolver, Solution
from arcade.engines.honshu.tiles import Deal, read_tiles
from arcade.engines.move_lists import parse_moves
from arcade.engines.registry import parse_game_id
from tests.engines.honshu.oracle import final_score

DATA = Path(__file__).parent.parent / "data" / "honshu"
PARTIE1 = str(DATA / "Partie1")
TILES = str(DATA / "tuiles")

run = CliRunner()


def solved(*arguments: str) -> dict[str, Any]:
    result = run.invoke(app, [*arguments, "--json"])
    assert result.exit_code == 0, result.exception
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_solved_layout_has_the_reported_score() -> None:
    found = solved("solve", f"{PARTIE1},tiles={TILES}", "--seconds", "0.5")
    assert found["best"] == sum(found["score_by_rule"].values()) <= found["bound"]
    assert len(found["moves"]) == 12
    assert final_score(PARTIE1, found["moves"]) == found["best"]


def test_best_solution_is_remembered_across_runs(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = solved("solve", "9x12#77", "--seconds", "0.4")
    start = parse_game_id("honshu:9x12#77").start()
    assert isinstance(start, HonshuPosition)
    later = start.after(parse_moves(GAME, " ".join(found["moves"][:3]), start))
    # A solver of another run knows what is on disk, and so do positions on the way there.
    other = HonshuSolver()
    for position in (start, later):
        known = other.best_known(position)
        assert known is not None
        assert known.best == found["best"]
        assert position.after(known.moves).score.total == found["best"]
    # Another search by hand that finds less does not make it forget.
    monkeypatch.setitem(GAME.__dict__, "solver", HonshuSolver())
    GAME.solver.keep(start, Solution(1, 200, (), 0, 0.0))
    known = HonshuSolver().best_known(start)
    assert known is not None
    assert known.best == found["best"]
    (file,) = (data_folder / "proofs").iterdir()
    file.write_text("damaged")
    assert HonshuSolver().best_known(start) is None


def test_solve_prints_rule_scores_moves_and_map() -> None:
    result = run.invoke(app, ["solve", "5x2#1", "--seconds", "1"])
    lines = result.stdout.splitlines()
    assert [line.split("\t")[0] for line in lines[:6]] == [
        "Village", "Forests", "Lakes", "Factories", "Total", "Bound",
    ]  # fmt: skip
    assert len(lines) == 7 + 5
    again = run.invoke(app, ["score", "5x2#1", *lines[6].split()])
    assert again.stdout.splitlines() == lines[:5] + lines[7:]


def test_deal_file_is_written_and_read(tmp_path: Path) -> None:
    file = tmp_path / "deal"
    assert run.invoke(app, ["deal", "--seed", "7", "--size", "6x3", "-o", str(file)]).exit_code == 0
    assert load(str(file)) == parse_game_id("honshu:6x3#7").start()
    assert solved("score", str(file)) == solved("score", "6x3#7")
    assert file.read_text().splitlines()[:3] == ["6 3", "1 2 3", "0"]


def test_deal_uses_tiles_from_file(tmp_path: Path) -> None:
    file = tmp_path / "deal"
    assert solved("deal", "--seed", "7", "--tiles", TILES, "-o", str(file))["file"] == str(file)
    dealt = load(str(file))
    assert len(dealt.hand) == 12
    assert {dealt.start, *dealt.hand} <= set(read_tiles(TILES).tiles)


def test_deal_file_cannot_be_combined_with_a_tiles_file(tmp_path: Path) -> None:
    file = str(tmp_path / "deal")
    run.invoke(app, ["deal", "--size", "6x3", "-o", file])
    error = run.invoke(app, ["score", f"{file},tiles={TILES}"]).exception
    assert str(error) == (
        f"File {file!r}, line 5: the file has its own tiles, so it cannot be combined with a tile file."
    )


@pytest.mark.slow
@pytest.mark.parametrize("command", [["solve", "--seed", "1", "--seconds", "60"], ["score"]])
@pytest.mark.parametrize("text", ["5x2#1", "5x2:{position}", "{position}", "{file}", "{file},plains"])
def test_game_id_may_omit_the_game_name(command: list[str], text: str, tmp_path: Path) -> None:
    start = GAME.new(GAME.parameters.parse("5x2"), 1)
    (tmp_path / "deal").write_text(Deal(5, start.tiles, start.start).text())
    text = text.format(position=start.text(), file=tmp_path / "deal")
    short, full = (solved(*command, each) for each in (text, f"honshu:{text}"))
    for found in (short, full):
        found.pop("seconds", None)
    assert short == full


def test_illegal_move_is_refused() -> None:
    result = run.invoke(app, ["score", PARTIE1, "7r0@1,1"])
    assert isinstance(result.exception, InputError)
    assert str(result.exception) == ("Move 1, '7r0@1,1': Tile 7 must overlap an earlier tile.")


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve", "nowhere"],
        ["solve", "4x3"],
        ["solve", f"{PARTIE1},tiles=nowhere"],
        ["solve", f"9x12,tiles={TILES}"],
        ["solve", "chocobar:3x4"],
        ["solve", f"{PARTIE1},hills"],
        ["deal", "--size", "9x12,lakes2,plains", "-o", "x"],
        ["deal", "-o", "/nowhere/at/all"],
    ],
)
def test_invalid_input_is_refused_in_one_sentence(arguments: list[str]) -> None:
    error = run.invoke(app, arguments).exception
    assert isinstance(error, InputError)
    assert str(error)[0].isupper()
    assert str(error).endswith(".")
    assert "\n" not in str(error)

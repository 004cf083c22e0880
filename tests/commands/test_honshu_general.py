"""The general commands with Honshu, whose IDs may name files and whose verdicts are scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.shell import Shell

DATA = Path(__file__).parents[1] / "data" / "honshu"
PARTIE1 = f"honshu:{DATA / 'Partie1'}"
TILED = f"{PARTIE1},tiles={DATA / 'tuiles'}"


def test_verdict_json_has_consistent_score_best_bound_and_proof(shell: Shell) -> None:
    found = shell.json("verdict", "honshu:6x3#7", "--seconds", "0.3")
    assert found["score"] <= found["best"] <= found["bound"]
    assert found["proof"] == ("exact" if found["best"] == found["bound"] else "bound")


def test_moves_command_lists_a_score_or_bound_for_each_move(shell: Shell) -> None:
    found = shell.json("moves", "honshu:6x3#7", "--seconds", "0.3")
    assert any(each["best"] for each in found)
    assert all(each["score"] is None or each["score"] <= each["bound"] for each in found)
    listed, _ = shell("moves", "honshu:6x3#7", "--seconds", "0.3")
    assert "at most" in listed
    assert "unknown" not in listed


def test_game_file_is_read_with_its_tiles(tmp_path: Path, shell: Shell) -> None:
    tiles, game = tmp_path / "tiles", tmp_path / "game"
    tiles.write_text("1\n5\nVV\nVV\nVV\n")
    game.write_text("9 2\n5 5\n5\n")
    found = shell.json("verdict", f"honshu:{game},tiles={tiles}", "--seconds", "1")
    # Three tiles of villages: each hides at least a cell of another, so that 16 of 18 are left at most.
    assert (found["best"], found["bound"], found["proof"]) == (16, 16, "exact")
    line = shell.json("line", TILED, "--seconds", "0.3")
    assert len(line["line"]) == 12


def test_race_from_game_file_can_be_watched(shell: Shell) -> None:
    found = shell.json(
        "watch",
        TILED,
        "--seats",
        "greedy,in-order",
    )
    assert len(found["matches"][0]["moves"]) == 24
    assert len(found["matches"][0]["scores"]) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["verdict", "honshu:9x12,tiles=./x"], "Unknown variant 'tiles=./x'. Choose from lakes2"),
        (["verdict", f"{PARTIE1},tiles=nowhere"], "'nowhere'"),
        (["verdict", f"{PARTIE1},tiles="], "''"),
        (["line", f"{PARTIE1},tiles={DATA / 'tuiles_mauvais_terrain'}"], "line 4"),
        (["verdict", "honshu:nowhere"], "'nowhere'"),
    ],
)
def test_error_names_the_invalid_game_or_tiles_file(arguments: list[str], said: str, shell: Shell) -> None:
    assert said in shell.refused(*arguments)

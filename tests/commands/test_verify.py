import json
from pathlib import Path
from typing import Any

import pytest

from arcade.engines.control import Control
from arcade.engines.position import Position
from arcade.engines.registry import get_game
from arcade.engines.verdict import DuelVerdict, Proof, Value
from tests.shell import Shell


def test_verify_reports_result_and_method(shell: Shell) -> None:
    assert shell("verify", "hexapawn:3x3", "--moves", "a2")[0] == (
        "Black wins in 3 plies.\nVerified: A brute-force search visited all reachable positions (53).\n"
    )
    found = shell.json("verify", "hexapawn:3x3")
    assert found.keys() == {"agrees", "method", "positions", "finding", "verdict"}
    assert (found["agrees"], found["method"], found["positions"]) == (True, "search", 135)
    said = shell.json("verdict", "hexapawn:3x3")
    for work in ("positions", "nodes", "seconds"):
        del said[work], found["verdict"][work]
    assert found["verdict"] == said


def test_certificate_is_checked_without_the_solver(
    tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "proof"
    assert "which proves the verdict" in shell("verify", "hexapawn:4x4", "--certificate", str(file))[0]
    monkeypatch.setitem(get_game("hexapawn").__dict__, "solver", None)
    checking = ("verify", "--check", str(file))
    assert shell(*checking)[0] == (
        "hexapawn:4x4:pppp/..../..../PPPP:w: White wins within 11 plies; Black does not lose before ply 11.\n"
        "Verified: Every claim holds.\n"
    )
    text = file.read_text()
    file.write_text(text.replace('"plies": 11', '"plies": 9', 1))
    found = shell.json(*checking, code=1)
    assert found["agrees"] is False
    assert found["claims"][0] == "White wins within 9 plies"
    file.write_text(text)
    nothing = "Partly verified: The checker ran out of time."
    assert nothing in shell(*checking, "--seconds", "0")[0]
    entry = json.loads(next(line for line in text.splitlines() if line.startswith("[")).rstrip(","))
    file.write_text(text.replace(json.dumps(entry), json.dumps([entry[0], None, entry[2]])))
    held = "Partly verified: Every claim holds except for 1 position left open"
    assert held in shell(*checking)[0]
    found = shell.json(*checking)
    assert (found["agrees"], found["method"]) == (None, "partial")


def test_wrong_solver_verdict_is_reported(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(position: Position[Any], control: Control) -> DuelVerdict:
        return DuelVerdict(Proof.EXACT, Value.WIN, 5)

    monkeypatch.setattr(get_game("hexapawn").solver, "verdict", wrong)
    assert "\nWRONG: Solver: " in shell("verify", "hexapawn:3x3", code=1)[0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Give a position to verify, for example hexapawn:4x4, or a certificate with --check."),
        (["menace", "--check", "f"], "--check can be combined only with --seconds and --json"),
        (["--check", "/nowhere/at/all"], "Cannot read the certificate '/nowhere/at/all'"),
        (["--check", "/etc/hostname"], "Cannot read the certificate: it is not valid JSON"),
        (["menace", "--depth", "-1"], "Wrong value for --depth: expected a whole number from 0 to 1,000"),
        (["menace", "--certificate", "/nowhere/at/all"], "/nowhere/at/all"),
        (["chess"], "chess"),
    ],
)
def test_invalid_verify_arguments_are_refused(words: list[str], message: str, shell: Shell) -> None:
    assert message in shell.refused("verify", *words)

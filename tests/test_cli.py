from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from arcade.cli import run
from arcade.engines.registry import get_game


def json_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_verdict_of_the_standard_bar(capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of(capsys, "verdict", "chocobar:8x10")
    assert list(found) == ["game", "value", "remoteness", "proof", "nodes", "seconds"]
    assert (found["game"], found["value"], found["remoteness"], found["proof"]) == (
        "chocobar",
        "win",
        45,
        "exact",
    )


def test_exactly_two_bites_win_on_the_standard_bar(capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of(capsys, "moves", "chocobar:8x10")
    assert len(found) == 79
    winning = {each["move"]: each for each in found if each["value"] == "win"}
    assert list(winning) == ["(4,9)", "(5,6)"]
    assert winning["(5,6)"] == {"move": "(5,6)", "value": "win", "remoteness": 45, "best": True}
    assert winning["(4,9)"] == {"move": "(4,9)", "value": "win", "remoteness": 55, "best": False}


def test_moves_are_played_first(capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of(capsys, "verdict", "chocobar:8x10", "--moves", "(5,6) 1,2")
    assert (found["value"], found["remoteness"]) == ("win", 1)


def test_hint_and_line_lead_to_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    hint = json_of(capsys, "hint", "chocobar:5x6")
    assert hint["move"] == "(3,4)"
    assert hint["move"] not in hint["where"]
    line = json_of(capsys, "line", "chocobar:5x6")
    assert line["line"] == hint["line"]
    assert len(line["line"]) == 15


def test_results_go_to_standard_output_and_the_rest_to_standard_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["verdict", "chocobar:3x4"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "First wins in 7 plies.\n"
    assert captured.err.startswith("Proved")


def test_a_deadline_of_nothing_still_tells_the_truth(capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of(capsys, "verdict", "chocobar:18x17", "--seconds", "0.01")
    assert found["proof"] != "exact"
    assert found["remoteness"] is None


def test_watched_matches_repeat_with_their_seed(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (
        "watch",
        "chocobar:5x6",
        "--seats",
        "perfect,random",
        "--games",
        "5",
        "--seed",
        "3",
        "--headless",
    )
    first = json_of(capsys, *arguments)
    assert first == json_of(capsys, *arguments)
    assert first["summary"] == {"First": 5}
    other = json_of(capsys, *arguments[:-2], "4", "--headless")
    assert other["matches"] != first["matches"]
    assert run(list(arguments)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6
    assert lines[-1] == "5 played, perfect,random: First 5"


def test_games_lists_what_can_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    found = {each["game"]: each for each in json_of(capsys, "games")}
    chocobar = found["chocobar"]
    assert chocobar["presets"][2] == "chocobar:8x10"
    assert [each["name"] for each in chocobar["parameters"]] == ["rows", "columns"]
    assert chocobar["players"] == ["perfect", "fallible", "random"]
    assert run(["games"]) == 0
    assert "chocobar: Bite the bar" in capsys.readouterr().out


def test_warm_says_each_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["warm", "chocobar"]) == 0
    assert capsys.readouterr().out.startswith("chocobar ready in ")
    assert get_game("chocobar").solver.warm() is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["verdict"], "GAMEID"),
        (["verdict", "chess:8x8"], "chess"),
        (["verdict", "chocobar:0x10"], "Rows"),
        (["verdict", "chocobar:8x10:9.10"], "9"),
        (["verdict", "chocobar:3x3:3.3.3.3"], "4 rows"),
        (["verdict", "chocobar:8x10#3"], "#seed"),
        (["verdict", "chocobar:8x10", "--moves", "(1,2) (8,8)"], "Move 2, '(8,8)'"),
        (["verdict", "chocobar:8x10", "--moves", "castle"], "'castle'"),
        (["verdict", "chocobar:8x10", "--seconds", "soon"], "seconds"),
        (["verdict", "chocobar:8x10", "--seconds", "-1"], "seconds"),
        (["verdict", "chocobar:8x10", "--loud"], "--loud"),
        (["moves", "chocobar:"], None),
        (["hint", "chocobar:2x2:1"], "over"),
        (["watch", "chocobar:3x4", "--seats", "perfect", "--headless"], "2 seats"),
        (["watch", "chocobar:3x4", "--seats", "human,perfect", "--headless"], "engines"),
        (["watch", "chocobar:3x4", "--seats", "fallible:10,random", "--headless"], "1 to 9"),
        (["watch", "chocobar:3x4", "--seats", "perfect:3,random", "--headless"], "perfect:3"),
        (["watch", "chocobar:3x4", "--games", "0", "--headless"], "games"),
        (["warm", "poker"], "poker"),
        (["dance"], "dance"),
        (["play", "chocobar:3x4"], "terminal"),
        ([], "terminal"),
    ],
)
def test_bad_arguments_get_one_sentence_and_exit_code_2(
    arguments: list[str], said: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    if said is None:
        assert run(arguments) == 0
        return
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("arcade: ")
    assert captured.err.count("\n") == 1
    assert said in captured.err


def test_data_names_the_folder(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("ARCADE_DATA", "before")
    assert run(["--data", str(tmp_path), "games"]) == 0
    assert os.environ["ARCADE_DATA"] == str(tmp_path)


def shell(arguments: str) -> subprocess.CompletedProcess[str]:
    """The arcade as a shell runs it, with what is said of its files."""
    return subprocess.run(
        f"{sys.executable} -m arcade {arguments}", shell=True, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("command", ["games", "verdict menace --json", "menace boxes"])
def test_output_to_a_full_disk_is_said(command: str) -> None:
    done = shell(f"{command} > /dev/full")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "arcade: The output cannot be written: No space left on device."
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("games <&-", 0),
        ("games >&-", 0),
        ("hexapawn value <&-", 2),
        ("<&-", 2),
        (">&-", 2),
        ("nonsense 2>&-", 2),
    ],
)
def test_closed_standard_files_make_no_traceback(arguments: str, code: int) -> None:
    done = shell(arguments)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["play chocobar:3x4", "watch chocobar:3x4 --seats perfect,random"])
@pytest.mark.parametrize("where", ["before", "after", "nowhere"])
def test_plain_characters_are_asked_for_on_either_side_of_the_command(
    command: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr("arcade.cli.open_app", lambda opening, ascii: asked.append(ascii))
    line = {"before": f"--ascii {command}", "after": f"{command} --ascii", "nowhere": command}[where]
    assert run(line.split()) == 0
    assert asked == [where != "nowhere"]


@pytest.mark.parametrize(
    "environment", ["LC_ALL=C PYTHONIOENCODING=ascii", "LC_ALL=POSIX PYTHONUTF8=0 PYTHONCOERCECLOCALE=0"]
)
def test_a_terminal_of_few_characters_makes_no_traceback(environment: str) -> None:
    for command in (
        "--help",
        "games",
        "menace list",
        "hint tetromino:4x4",
        "honshu score 5x2#1",
        "verdict nix€",
    ):
        done = subprocess.run(
            f"{environment} {sys.executable} -m arcade {command}",
            shell=True,
            capture_output=True,
            check=False,
        )
        assert b"Traceback" not in done.stderr
        assert done.returncode == (2 if "nix" in command else 0)

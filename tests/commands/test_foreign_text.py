"""Nothing that a file, a name or an argument holds changes how the terminal works."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from arcade.cli import run
from arcade.commands import common
from arcade.engines.wording import printable
from tests.shell import Shell

EVIL = "\x1b]0;PWNED\x07\x9b2J\u202e\u2066"
"""Sets the title, clears the screen, turns the direction of text around."""

SHOWN = r"\x1b]0;PWNED\x07\x9b2J\u202e\u2066"

GRAPH = f"vertices 3\ninitial 0\nfinal 2\nname 0 {EVIL}\nname 1 {EVIL}1\nlists\n0: 1\n1: 2\n"
CIRCLE = GRAPH.replace("1: 2", "1: 0 2")
STUCK = GRAPH.replace("1: 2", "")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files with evil names and evil contents."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"graph": GRAPH, "circle": CIRCLE, "stuck": STUCK, "none": EVIL}.items():
        Path(name).write_text(text)
        Path(f"{name}{EVIL}").write_text(text)
    Path(f"drawn{EVIL}.txt").touch()
    Path("first").write_text("strategy\n0 1\n1 2\n")
    Path("second").write_text("strategy\n1 0\n")
    Path(f"course{EVIL}").write_text("3\n3\nppp\n   \nPPP\n")
    return tmp_path


def answers(given: Sequence[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What a command writes on both outputs; every character of it can be printed."""
    run(list(given))
    output, errors = capsys.readouterr()
    both = output + errors
    assert both
    assert "Traceback" not in both
    assert re.sub("[\n\t]", "", both).isprintable(), both
    return both


@pytest.mark.parametrize(
    "given",
    [
        ["chocobar", "simulate", "graph", "first", "second"],
        ["chocobar", "simulate", "graph", "second", "first"],
        ["chocobar", "check", "graph", "second"],
        ["chocobar", "strategy", "graph"],
        ["chocobar", "strategy", "circle"],
        ["chocobar", "strategy", "stuck"],
        ["chocobar", "strategy", "none"],
        ["chocobar", "strategy", f"none{EVIL}"],
        ["chocobar", "check", f"graph{EVIL}", f"none{EVIL}"],
        ["chocobar", "check", "graph", f"missing{EVIL}"],
        ["chocobar", "graph", "2x2", "-o", f"new{EVIL}"],
        ["chocobar", "graph", "2x2", "-o", f"graph{EVIL}"],
        ["chocobar", "strategy", "graph", "-o", f"graph{EVIL}", "--force"],
        ["picture", "chocobar:2x2", "-o", f"drawn{EVIL}.txt"],
        ["picture", "chocobar:2x2", "-o", f"drawn{EVIL}"],
        ["matches", "export", "--file", f"graph{EVIL}"],
        ["compare", "menace", "--svg", f"graph{EVIL}"],
        ["--plain", "play", f"chocobar:{EVIL}"],
        ["--plain", "--seats", EVIL],
        ["games", "--data", EVIL],
        ["serve", "--host", EVIL],
        ["verdict", "graph:circle"],
        ["verdict", f"graph:none{EVIL}"],
        ["verdict", f"graph:missing{EVIL}"],
        ["verdict", f"graph:graph{EVIL}", "--moves", f">2 {EVIL}"],
        ["moves", f"graph:graph{EVIL}"],
        ["line", f"graph:graph{EVIL}"],
        ["hint", f"graph:graph{EVIL}"],
        ["verdict", EVIL],
        ["verdict", f"chocobar:{EVIL}"],
        ["verdict", f"chocobar:3x4:{EVIL}"],
        ["verdict", f"menace:{EVIL}"],
        ["warm", EVIL],
        [EVIL],
        [f"--{EVIL}"],
        ["games", f"--{EVIL}"],
        ["games", EVIL],
        ["verdict", "chocobar:3x4", "--seconds", EVIL],
        ["watch", "chocobar:3x4", "--seats", f"{EVIL},random", "--headless"],
        ["hexapawn", "value", f"none{EVIL}"],
        ["hexapawn", "id", f"course{EVIL}"],
        ["honshu", "deal", "-o", f"deal{EVIL}"],
        ["honshu", "deal", "-o", f"no{EVIL}/deal"],
        ["honshu", "score", f"none{EVIL}"],
        ["honshu", "score", f"no{EVIL}"],
        ["menace", "import", f"none{EVIL}"],
        ["menace", "export", "MENACE", f"new{EVIL}"],
        ["menace", "show", EVIL, "........."],
        ["menace", "train", "--opponent", EVIL],
        ["menace", "train", "--save", EVIL],
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_control_characters_are_escaped_in_all_output(
    given: list[str], as_json: bool, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers([*given, "--json"] if as_json else given, capsys)


def test_names_are_escaped_in_text_but_not_in_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"0\t0 ({SHOWN})\n" in answers(["chocobar", "simulate", "graph", "first", "second"], capsys)
    assert f"'none{SHOWN}'" in answers(["chocobar", "strategy", f"none{EVIL}"], capsys)
    run(["honshu", "deal", "-o", f"deal{EVIL}", "--json"])
    assert json.loads(capsys.readouterr().out)["file"] == f"deal{EVIL}"


def test_printable_text_is_left_unchanged() -> None:
    assert printable("3×3, ▴ É 木 \\x1b") == "3×3, ▴ É 木 \\x1b"
    assert printable("a\nb\tc\x7f\x85\u2028\udcff") == r"a\nb\tc\x7f\x85\u2028\udcff"


def test_json_output_is_printable_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    value = {"name": f"{EVIL}\x7f\udcff×"}
    common.print_json(value)
    written = capsys.readouterr().out
    assert json.loads(written) == value
    assert written.isascii()
    assert written.replace("\n", "").isprintable()


def arcade(*words: str | bytes, environment: str = "") -> subprocess.CompletedProcess[bytes]:
    names = dict(each.split("=") for each in environment.split())
    return subprocess.run(
        [sys.executable, "-m", "arcade", *words], env=os.environ | names, capture_output=True, check=False
    )


@pytest.mark.parametrize(
    "words",
    [
        [b"menace", b"show", b"al\xff", b"........."],
        [b"menace", b"boxes", b"al\xff"],
        [b"menace", b"delete", b"al\xff"],
        [b"menace", b"export", b"al\xff", b"file"],
        [b"menace", b"train", b"--opponent", b"al\xff"],
        [b"menace", b"train", b"--save", b"al\xff"],
        [b"watch", b"menace", b"--seats", b"al\xff,random", b"--headless"],
        [b"verdict", b"\xff"],
        [b"verdict", b"graph:\xff"],
        [b"verdict", b"honshu:\xff"],
        [b"verdict", b"graph:~nobody\xff"],
        [b"\xff"],
        [b"warm", b"\xff"],
        [b"honshu", b"deal", b"-o", b"\xff/\xff"],
    ],
)
def test_undecodable_names_are_refused_in_one_sentence(words: list[bytes], shell: Shell) -> None:
    assert r"\udcff" in shell.refused(*map(os.fsdecode, words))


def test_file_with_undecodable_name_is_read_and_written(tmp_path: Path, shell: Shell) -> None:
    deal, graph = (os.fsdecode(os.fsencode(tmp_path) + name) for name in (b"/al\xff", b"/gr\xff"))
    shell("honshu", "deal", "-o", deal, "--size", "5x2")
    shell("honshu", "score", f"honshu:{deal}")
    shell.json("chocobar", "graph", "2x2", "-o", graph)
    for command in ("verdict", "moves", "watch"):
        output, errors = shell(command, f"graph:{graph}", "--json")
        assert json.loads(output)
        assert not errors
    # The names reach a process of its own as bytes.
    done = arcade(b"verdict", b"graph:" + os.fsencode(graph), b"--json")
    assert (done.returncode, done.stderr) == (0, b"")
    done = arcade(b"verdict", b"graph:\xff")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert rb"\udcff" in done.stderr


@pytest.mark.parametrize("command", ["games --json", "--help", "verdict nix€"])
def test_ascii_encoding_keeps_json_intact_and_causes_no_traceback(command: str, shell: Shell) -> None:
    done = arcade(*command.split(), environment="PYTHONIOENCODING=ascii PYTHONUTF8=0")
    assert done.returncode == (2 if "nix" in command else 0)
    assert b"Traceback" not in done.stderr
    assert done.stdout.isascii()
    if "--json" in command:
        assert json.loads(done.stdout) == json.loads(shell(*command.split())[0])

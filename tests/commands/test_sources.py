"""A verdict that was proved before names a command that proves it again, and it works."""

import re
import shlex
from pathlib import Path

import pytest

from arcade.cli import run
from arcade.engines.control import Control
from arcade.engines.registry import parse_game_id
from arcade.engines.solver import stored
from tests.shell import Shell

PARTIE1 = Path(__file__).parents[1] / "data" / "honshu" / "Partie1"


def again(id: str) -> list[str]:
    """The words of the command that the verdict of a position names."""
    parsed = parse_game_id(id)
    with Control(10) as control:
        source = parsed.game.solver.verdict(parsed.start(), control).source
    return shlex.split(re.findall(r"arcade (.*?)(?: proves it again)?$", source)[0])


@pytest.mark.parametrize(
    ("id", "says"),
    [
        ("chocobar:12x17", "Ran out of time"),
        ("hexapawn:6x6", "positions in"),
        ("hexapawn:7x8", "positions in"),
        ("tetromino:5x9", "Ran out of time"),
    ],
)
def test_command_in_a_stored_verdict_starts_its_proof(
    id: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words, (game, _, board) = again(id), id.partition(":")
    assert " ".join(["arcade", *words]) == stored(game).boards[board].command
    assert board in words
    # The whole proof takes minutes.
    if "--memory" in words:
        words[words.index("--memory") + 1] = "4"
    run([*words, "--seconds", "0.01"])
    assert says in capsys.readouterr().err


def test_honshu_proof_command_works_for_any_file_name(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pysat")
    (tmp_path / "mine.txt").write_text(PARTIE1.read_text())
    monkeypatch.chdir(tmp_path)
    words = again("honshu:mine.txt")
    monkeypatch.chdir("/")
    assert words[:2] == ["honshu", "prove"]
    assert words[3:] == ["--recompute"]
    shown, _ = shell(*words, "--seconds", "0.5")
    assert "bound 9" in shown


def test_search_exceeding_memory_suggests_a_smaller_memory_option(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sysconf", lambda _: 1000)
    said = shell.refused("hexapawn", "solve", "7x8", "--memory", "16384")
    assert said.endswith("this computer has 1 MB. Use a smaller --memory. It is slower, but it also works.\n")

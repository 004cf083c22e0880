"""Games of one's own in files that are named on the command line."""

import itertools
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from arcade.engines import game_files
from arcade.engines.registry import rescan, take_folder
from arcade.services import Services
from arcade.widgets.panels import HintPanel
from tests.screens.pilots import app_of, running, settled
from tests.shell import Shell, python
from tests.test_registry import GAME

NAME = "treblecross"
SMALL = GAME.replace('"Cells", 7', '"Cells", 5').replace('"Seven", "7"', '"Four", "4"').replace('"11"', '"5"')
"""The same on shorter rows, for what looks at all their positions."""
FIRST, SECOND = 'return Row("." * int(parameters["cells"]))', "1 - self.turn)\n\n    def outcome"


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test knows the games of another one."""
    # Set first, so that the end of the test takes away what a command sets.
    monkeypatch.setenv(game_files.VARIABLE, "")
    monkeypatch.delenv(game_files.VARIABLE)
    rescan()
    yield
    monkeypatch.undo()
    rescan()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The game of the page in a file, as the page says."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / f"{NAME}.py").write_text(GAME)
    return folder / f"{NAME}.py"


def test_documented_game_file_works_in_every_command(file: Path, shell: Shell) -> None:
    assert NAME not in shell("games")[0]
    said, _ = shell("check", str(file))
    assert said.count("Holds: ") == len(said.splitlines()) - 2
    assert said.endswith("All checks have passed.\n")
    rescan()
    games = ("--games", str(file.parent))
    assert shell.json(*games, "verify", f"{NAME}:8")["agrees"] is True
    (puzzle,) = shell.json(*games, "puzzle", NAME, "--count", "1", "--seed", "1")
    assert puzzle["id"].startswith(f"{NAME}:11:=")
    assert shell.json(*games, "verdict", puzzle["id"])["value"] in ("win", "loss", "tie")
    assert NAME in shell(*games, "games")[0]
    # Whoever has the middle of seven cells wins.
    command = ("-m", "arcade", *games, "play", f"{NAME}:7", "--plain", "--seats", "human,perfect")
    assert "You play 4." in python(*command, input="4\nlook\n").stdout


def test_check_reports_the_failing_position(file: Path, shell: Shell) -> None:
    file.write_text(SMALL.replace(SECOND, SECOND.replace("1 - self.turn", "self.turn")))
    said, _ = shell("check", str(file), code=1)
    assert f"the turn passes. In {NAME}:5:=...../0: after a move" in said
    answer = shell.json("check", str(file), code=1)
    assert answer["agrees"] is False
    assert len([each for each in answer["checks"] if each["holds"] is False]) == int(said.split()[-3])


def test_check_names_an_invalid_preset(file: Path, shell: Shell) -> None:
    file.write_text(SMALL.replace('"Four", "4"', '"Four", "cells=4"'))
    _, error = shell("check", str(file), code=2)
    assert error.startswith("arcade: The preset 'cells=4': ")


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("if move not in self.moves():", "if move < 1:", "others raise an error with a sentence"),
        (
            'f"Cell {move} is not free."',
            'f"{move} is not free"',
            "start with a capital and end with a full stop",
        ),
        ("        return self.cells\n", '        return "the same"\n', "have different descriptions"),
        (
            "    def __str__",
            '    def text(self) -> str:\n        return "a b"\n\n    def __str__',
            "read back",
        ),
        ('summary = "Make', 'summary = "make', "a summary"),
        ("turn: int = 0", "turn: int = 0\n    __hash__ = lambda self: id(self)", "read back from"),
    ],
)
def test_check_finds_each_fault(file: Path, shell: Shell, old: str, new: str, rule: str) -> None:
    assert old in SMALL
    file.write_text(SMALL.replace(old, new))
    said, _ = shell("check", str(file), code=1)
    assert any(line.startswith("FAILS") and rule in line for line in said.splitlines())


def test_crash_in_game_file_reports_its_line(file: Path, shell: Shell) -> None:
    file.write_text(GAME.replace('"X" + self.cells[move:]', '"X" + self.cels[move:]'))
    line = GAME[: GAME.index('"X" + self.cells[move:]')].count("\n") + 1
    out, said = shell("--games", str(file.parent), "verdict", NAME, code=1)
    assert out == ""
    assert said.startswith(f"arcade: The game '{NAME}' failed in line {line}: AttributeError: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("called", "content", "why"),
    [
        ("a.py", "x = (", "line 1: '(' was never closed"),
        ("a.py", "x = [1 2]", "Perhaps you forgot a comma."),
        ("a.py", "x = 3", "it defines no game"),
        ("a.py", "x = 1\nraise SystemExit(2)", "line 2: SystemExit: 2"),
        ("a.py", "import nothing_of_that_name", "line 1: ModuleNotFoundError"),
        ("a.py", "print('\\0'\0)", "Cannot load"),
        ("a.py", GAME, f"must be called {NAME}.py"),
        ("a.py", 'raise ValueError("one\\ntwo\\x1b[2J")', r"line 1: ValueError: one two\\x1b[2J"),
        (f"{NAME}.py", GAME + "SECOND = Treblecross()\n", "it defines 2 games"),
        (f"{NAME}.py", GAME.replace('    title = "Treblecross"\n', ""), "the title of its game must be"),
        (f"{NAME}.py", GAME.replace("ParameterSet(", "dict("), "must be a ParameterSet, not a dict"),
        (f"{NAME}.py", GAME.replace(FIRST, "return 3"), "of type int, not a Position"),
        (f"{NAME}.py", GAME.replace('["cells"]', '["cell"]'), "KeyError: 'cell'"),
        (
            f"{NAME}.py",
            GAME.replace("turn: int = 0", "turn: int = 0\n    a: object = object()"),
            "no default",
        ),
        ("chocobar.py", GAME, "Another game is already named 'chocobar'"),
        ("a\x1b[31mb.py", GAME, "has an invalid name"),
    ],
    ids=itertools.count(),
)
def test_invalid_game_file_is_refused_in_one_sentence(
    tmp_path: Path, shell: Shell, called: str, content: str, why: str
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / called).write_text(content)
    for words in (("check", str(folder / called)), ("--games", str(folder), "games")):
        said = shell.refused(*words)
        rescan()
        assert why.replace("\\\\", "\\") in said
        assert said[:-1].isprintable()


def test_invalid_game_folder_or_path_is_refused(tmp_path: Path, shell: Shell) -> None:
    assert "No such file" in shell.refused("--games", str(tmp_path / "none"), "games")
    assert "contains no .py files" in shell.refused("--games", str(tmp_path), "games")
    assert "not a valid folder name" in shell.refused("--games", "a\0b", "games")
    assert "No such file" in shell.refused("check", str(tmp_path / "none.py"))
    assert "Expected a .py file" in shell.refused("check", str(tmp_path))


def test_game_files_in_data_folder_are_ignored(data_folder: Path, shell: Shell) -> None:
    """Earlier versions ran the games in this folder, and kept consent to run them in this file."""
    games = data_folder / "games"
    games.mkdir(parents=True)
    content = f"open({str(data_folder / 'ran')!r}, 'w')\n{GAME}"
    (games / f"{NAME}.py").write_text(content)
    (data_folder / "games.json").write_text(json.dumps({sha256(content.encode()).hexdigest(): True}))
    out, said = shell("games")
    assert NAME not in out
    assert said == ""
    assert f"Unknown game '{NAME}'" in shell.refused("verdict", NAME)
    assert not (data_folder / "ran").exists()


async def test_first_match_without_goal_shows_the_summary(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Services, "has_seen", lambda *_: False)
    take_folder(str(file.parent))
    async with running(app_of(f"{NAME}:7", "human", "random"), (100, 40)) as (app, pilot):
        await settled(pilot, lambda: "Make three crosses" in str(app.screen.query_one(HintPanel).content))

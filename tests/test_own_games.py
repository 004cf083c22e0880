"""Games of one's own in files: named on the command line, or beside the store, run with consent."""

import itertools
import os
import sys
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pexpect
import pytest

from arcade.commands import own_games
from arcade.engines import game_files
from arcade.engines.registry import game_names, look_again
from arcade.screens.dialogs import Consent
from arcade.screens.menu import Card
from arcade.services import Services
from arcade.widgets.panels import HintPanel
from tests.screens.pilots import app_of, app_with, running, settled
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
    monkeypatch.setattr(own_games, "_put_off", set())
    look_again()
    yield
    monkeypatch.undo()
    look_again()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The game of the page in a file, as the page says."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / f"{NAME}.py").write_text(GAME)
    return folder / f"{NAME}.py"


@pytest.fixture
def kept(data_folder: Path) -> Path:
    """The same, beside the store."""
    (data_folder / "games").mkdir(parents=True)
    (data_folder / "games" / f"{NAME}.py").write_text(GAME)
    return data_folder / "games" / f"{NAME}.py"


def test_the_file_of_the_page_goes_through_every_command(file: Path, shell: Shell) -> None:
    assert NAME not in shell("games")[0]
    said, _ = shell("check", str(file))
    assert said.count("Holds: ") == len(said.splitlines()) - 2
    assert said.endswith("The arcade can rely on this game.\n")
    look_again()
    games = ("--games", str(file.parent))
    assert shell.json(*games, "verify", f"{NAME}:8")["agrees"] is True
    (puzzle,) = shell.json(*games, "puzzle", NAME, "--count", "1", "--seed", "1")
    assert puzzle["id"].startswith(f"{NAME}:11:=")
    assert shell.json(*games, "verdict", puzzle["id"])["value"] in ("win", "loss", "tie")
    assert NAME in shell(*games, "games")[0]
    # Whoever has the middle of seven cells wins.
    command = ("-m", "arcade", *games, "play", f"{NAME}:7", "--plain", "--seats", "human,perfect")
    assert "You play 4." in python(*command, input="4\nlook\n").stdout


def test_check_names_the_position_where_something_fails(file: Path, shell: Shell) -> None:
    file.write_text(SMALL.replace(SECOND, SECOND.replace("1 - self.turn", "self.turn")))
    said, _ = shell("check", str(file), code=1)
    assert f"the other player is next. In {NAME}:5:=...../0: after a move" in said
    answer = shell.json("check", str(file), code=1)
    assert answer["agrees"] is False
    assert len([each for each in answer["checks"] if each["holds"] is False]) == int(said.split()[-3])


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("if move not in self.moves():", "if move < 1:", "others are refused with a sentence"),
        ("        return self.cells\n", '        return "the same"\n', "tell it from others"),
        (
            "    def __str__",
            '    def text(self) -> str:\n        return "a b"\n\n    def __str__',
            "read back",
        ),
        ('summary = "Make', 'summary = "make', "describes itself"),
        ("turn: int = 0", "turn: int = 0\n    __hash__ = lambda self: id(self)", "read back from"),
    ],
)
def test_check_finds_each_fault(file: Path, shell: Shell, old: str, new: str, rule: str) -> None:
    assert old in SMALL
    file.write_text(SMALL.replace(old, new))
    said, _ = shell("check", str(file), code=1)
    assert any(line.startswith("FAILS") and rule in line for line in said.splitlines())


def test_a_game_that_fails_while_it_is_played_says_where(file: Path, shell: Shell) -> None:
    file.write_text(GAME.replace('"X" + self.cells[move:]', '"X" + self.cels[move:]'))
    line = GAME[: GAME.index('"X" + self.cells[move:]')].count("\n") + 1
    out, said = shell("--games", str(file.parent), "verdict", NAME, code=1)
    assert out == ""
    assert said.startswith(f"arcade: The game '{NAME}' has failed, line {line}: AttributeError: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("called", "content", "why"),
    [
        ("a.py", "x = (", "line 1: '(' was never closed"),
        ("a.py", "x = [1 2]", "Perhaps you forgot a comma."),
        ("a.py", "x = 3", "it has no game"),
        ("a.py", "x = 1\nraise SystemExit(2)", "line 2: SystemExit: 2"),
        ("a.py", "import nothing_of_that_name", "line 1: ModuleNotFoundError"),
        ("a.py", "print('\\0'\0)", "cannot be loaded"),
        ("a.py", GAME, f"must be called {NAME}.py"),
        ("a.py", 'raise ValueError("one\\ntwo\\x1b[2J")', r"line 1: ValueError: one two\\x1b[2J"),
        (f"{NAME}.py", GAME + "SECOND = Treblecross()\n", "it has 2 games"),
        (f"{NAME}.py", GAME.replace('    title = "Treblecross"\n', ""), "has no title"),
        (f"{NAME}.py", GAME.replace(FIRST, "return 3"), "of type int, not a Position"),
        (f"{NAME}.py", GAME.replace('["cells"]', '["cell"]'), "KeyError: 'cell'"),
        (
            f"{NAME}.py",
            GAME.replace("turn: int = 0", "turn: int = 0\n    a: object = object()"),
            "no default",
        ),
        ("chocobar.py", GAME, "there is another game 'chocobar'"),
        ("a\x1b[31mb.py", GAME, "has a bad name"),
    ],
    ids=itertools.count(),
)
def test_a_file_that_is_no_game_gets_one_sentence(
    tmp_path: Path, shell: Shell, called: str, content: str, why: str
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / called).write_text(content)
    for words in (("check", str(folder / called)), ("--games", str(folder), "games")):
        said = shell.refused(*words)
        look_again()
        assert why.replace("\\\\", "\\") in said
        assert said[:-1].isprintable()


def test_a_folder_that_is_none_and_a_file_that_is_none(tmp_path: Path, shell: Shell) -> None:
    assert "No such file" in shell.refused("--games", str(tmp_path / "none"), "games")
    assert "has no games" in shell.refused("--games", str(tmp_path), "games")
    assert "cannot have this name" in shell.refused("--games", "a\0b", "games")
    assert "No such file" in shell.refused("check", str(tmp_path / "none.py"))
    assert "is a .py file" in shell.refused("check", str(tmp_path))


def test_beside_the_store_nothing_runs_unasked(kept: Path, data_folder: Path, shell: Shell) -> None:
    """Without a terminal nobody is asked."""
    kept.write_text(f"open({str(data_folder / 'ran')!r}, 'w')\n{GAME}")
    out, said = shell("games")
    assert NAME not in out
    assert f"The game '{NAME}' of the file" in said
    assert f"The game '{NAME}' of the file" in shell.refused("verdict", NAME)
    assert not (data_folder / "ran").exists()


@pytest.mark.parametrize("yes", [True, False])
def test_an_answer_is_kept_for_just_this_content(kept: Path, shell: Shell, yes: bool) -> None:
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return "yes" if yes else "no"

    for _ in range(2):
        own_games.decide(ask)
        assert len(asked) == 1
        assert (NAME in game_names()) == yes
    (kept.parent / "copy.py").write_text(GAME)
    own_games.decide(ask)
    assert len(asked) == 1
    kept.write_text(GAME.replace("Seven", "Just seven"))
    look_again()
    assert NAME not in game_names()
    own_games.decide(ask)
    assert len(asked) == 2


def test_no_control_character_of_a_name_reaches_the_terminal(data_folder: Path) -> None:
    (data_folder / "games").mkdir(parents=True)
    (data_folder / "games" / "a\x1b[2J\u202e.py").write_text(GAME)
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return ""

    own_games.decide(ask)
    assert asked[0].isprintable()
    assert r"a\x1b[2J\u202e.py in " in asked[0]


def test_line_mode_asks_and_takes_another_line_for_a_command(
    kept: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def menu(typed: str) -> str:
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(typed.encode()), "utf-8"))
        # As a new process, which has put off nothing.
        own_games._put_off.clear()
        look_again()
        return shell("--plain")[0]

    said = menu("help\nquit\n")
    assert "Type yes or no." in said.splitlines()[0]
    assert "Usage: arcade" in said
    said = menu("yes\nquit\n")
    assert f"{NAME}: Make three crosses in a row." in said
    assert "Type yes or no." not in menu("quit\n")


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_terminal_is_asked_once(kept: Path, data_folder: Path, answer: str) -> None:
    def verdict() -> "pexpect.spawn[str]":
        return pexpect.spawn(
            sys.executable,
            ["-m", "arcade", "verdict", f"{NAME}:7"],
            env=os.environ | {"ARCADE_DATA": str(data_folder)},
            encoding="utf-8",
            timeout=60,
        )

    for first in (True, False):
        child = verdict()
        if first:
            child.expect("Type yes or no")
            child.sendline(answer)
        child.expect("First wins in 5 plies" if answer == "yes" else "There is no game")
        assert "Type yes or no" not in child.before
        child.expect(pexpect.EOF)
        assert "Type yes or no" not in child.before
        child.close()


@pytest.mark.parametrize("key", ["y", "n", "escape"])
async def test_the_screen_asks(kept: Path, key: str) -> None:
    async with running(app_with(), (100, 40)) as (app, pilot):
        await settled(pilot, lambda: isinstance(app.screen, Consent))
        await pilot.press("enter")
        assert isinstance(app.screen, Consent)
        await pilot.press(key)
        await settled(pilot, lambda: not isinstance(app.screen, Consent))
        wanted = key == "y"
        await settled(pilot, lambda: bool(app.screen.query(f"#card-{NAME}")) == wanted)
        assert app.screen.query(Card)
        assert app.focused is not None
    assert [file.consent for file in game_files.own_files()] == [{"y": True, "n": False, "escape": None}[key]]


async def test_without_a_goal_the_first_match_shows_the_summary(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Services, "knows", lambda *_: False)
    own_games.take_folder(str(file.parent))
    async with running(app_of(f"{NAME}:7", "human", "random"), (100, 40)) as (app, pilot):
        await settled(pilot, lambda: "Make three crosses" in str(app.screen.query_one(HintPanel).content))

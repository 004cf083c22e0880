"""Games are found by being installed: here a package that pip might have put there."""

import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest

from arcade.engines.registry import ORDER, entries, game_names, get_game, parse_game_id, rescan
from tests.refusals import refused
from tests.shell import Shell, program, python

PAGE = Path(__file__).parent.parent / "docs" / "adding-a-game.md"
GAME = PAGE.read_text("utf-8").split("```python\n")[1].split("```")[0]
"""The game that the page is about."""


def install(
    folder: Path, module: str, name: str = "treblecross", package: str = "treblecross"
) -> dict[str, str]:
    """What pip leaves behind of a package, and the environment that finds it."""
    (folder / f"{package}.py").write_text(module)
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[arcade.games]\n{name} = {package}:GAME\n")
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}


Install: TypeAlias = Callable[..., None]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs a package as `install` does, for the rest of the test; nothing of it is known after it."""

    def forget() -> None:
        sys.modules.pop("treblecross", None)
        importlib.invalidate_caches()
        entries.cache_clear()
        rescan()

    def put(module: str, name: str = "treblecross") -> None:
        install(tmp_path, module, name)
        monkeypatch.syspath_prepend(tmp_path)
        forget()

    yield put
    monkeypatch.undo()
    forget()


def called(name: str) -> str:
    """The game of the page under another name."""
    return GAME.replace('name = "treblecross"', f"name = {name!r}")


@pytest.mark.slow
def test_installed_game_appears_in_commands_and_menu(tmp_path: Path) -> None:
    environment = install(tmp_path, GAME)
    walk = """
        import asyncio
        from arcade.cli import run
        assert not run(["games", "--json"])
        print()
        assert not run(["line", "treblecross:7"])
        from arcade.app import ArcadeApp
        from arcade.screens.match import MatchScreen
        from arcade.screens.menu import Card, MenuScreen
        from tests.screens.pilots import settled
        async def main():
            app = ArcadeApp(warm=False)
            async with app.run_test(size=(80, 40)) as pilot:
                app.screen.query_one("#card-treblecross", Card).focus()
                await pilot.press("enter")
                await settled(pilot, lambda: not isinstance(app.screen, MenuScreen))
                await pilot.press("enter")
                await settled(pilot, lambda: isinstance(app.screen, MatchScreen))
                await pilot.press("down", "down", "enter")
                await settled(pilot, lambda: len(app.screen.match.plies) == 2)
                print([str(ply.move) for ply in app.screen.match.plies])
        asyncio.run(main())
    """
    *games, line, played = program(walk, environment=environment).splitlines()
    assert "treblecross" in [each["game"] for each in json.loads("\n".join(games))]
    assert line.split()[0] == "4"
    assert played.startswith("['2', ")


@pytest.mark.slow
def test_documented_game_passes_conformance_suite(tmp_path: Path) -> None:
    """Its game passes the conformance suite as every other does."""
    suite = str(Path(__file__).parent / "engines" / "test_conformance.py")
    options = ("-m", "pytest", "-k", "treblecross", "-p", "no:cacheprovider")
    said = python(*options, suite, environment=install(tmp_path, GAME)).stdout
    assert " passed" in said
    assert " failed" not in said


@pytest.mark.parametrize(
    ("module", "said"),
    [("import nothing_of_that_name", "Cannot load"), ("GAME = 3", "is not a Game")],
)
def test_broken_package_does_not_affect_other_games(
    installed: Install, shell: Shell, module: str, said: str
) -> None:
    installed(module)
    assert "chocobar" in shell("games")[0]
    assert said in shell.refused("verdict", "treblecross:3")


def test_game_may_share_a_name_with_an_arcade_module(tmp_path: Path, shell: Shell) -> None:
    """Nothing of the arcade is taken for its commands, and its name for no command."""
    names = ("common", "verdict", "app")
    for name in names:
        environment = install(tmp_path, called(name), name, f"its_{name}")
    commands = f"""
        from arcade.cli import run
        assert not run(["--help"])
        for name in {names}:
            print("==")
            assert not run(["verdict", name + ":6", "--json"])
    """
    before, *verdicts = program(commands, environment=environment).split("==\n")
    assert before == shell("--help")[0]
    assert [json.loads(each)["value"] for each in verdicts] == ["loss"] * len(names)


@pytest.mark.parametrize("name", ["ask.common", "a:b", "é", "\x1b[2J"])
def test_invalid_game_name_does_not_affect_other_games(installed: Install, shell: Shell, name: str) -> None:
    before = shell.json("games")
    installed(called(name), name)
    assert shell.json("games") == before
    shell.refused("warm", name)


def test_invalid_game_name_error_explains_the_rule(installed: Install, shell: Shell) -> None:
    installed(GAME, "a.b")
    assert shell.refused("verdict", "a.b:8") == (
        "arcade: The game 'a.b' of treblecross:GAME has an invalid name: "
        "it must start with a letter from A to Z or a to z. Such letters, digits, - and _ may follow.\n"
    )


def test_game_installed_under_another_name_is_refused(installed: Install, shell: Shell) -> None:
    installed(GAME, "mine")
    assert "mine" not in shell("games")[0]
    said = (
        "The game in treblecross:GAME is named 'treblecross' but installed as 'mine'. Use one name for both."
    )
    assert shell.refused("verdict", "mine:8") == f"arcade: {said}\n"


def test_package_cannot_replace_a_built_in_game(installed: Install, shell: Shell) -> None:
    installed(called("chocobar"), "chocobar")
    assert shell.json("verdict", "chocobar:3x4")["remoteness"] == 7


def test_built_in_games_are_listed_first() -> None:
    own = [name for name in game_names() if name in ORDER]
    assert list(game_names()[: len(own)]) == [name for name in ORDER if name in own]


def test_unknown_game_error_lists_known_games() -> None:
    refused(r"'chess'.*chocobar", get_game, "chess")
    refused("''", parse_game_id, "")


def test_package_with_unreadable_entry_points_is_skipped(tmp_path: Path, installed: Install) -> None:
    (tmp_path / "folder-1.0.dist-info" / "entry_points.txt").mkdir(parents=True)
    (tmp_path / "loop-1.0.dist-info").mkdir()
    (tmp_path / "loop-1.0.dist-info" / "entry_points.txt").symlink_to("entry_points.txt")
    barred = tmp_path / "barred-1.0.dist-info" / "entry_points.txt"
    barred.parent.mkdir()
    barred.write_text("[arcade.games]\nbarred = nowhere:GAME\n")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "pipe-1.0.dist-info").mkdir()
    (tmp_path / "pipe-1.0.dist-info" / "entry_points.txt").symlink_to(tmp_path / "pipe")
    read = Path.read_text

    def barring(file: Path, *given: str) -> str:
        if file == barred:
            raise PermissionError(13, "Permission denied")
        return read(file, *given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "read_text", barring)
        installed(GAME)
        assert "treblecross" in game_names()
        assert "barred" not in game_names()

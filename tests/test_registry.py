"""Games are found by being installed: here a package that pip might have put there."""

import json
import os
import sys
from pathlib import Path

import pytest

from arcade.engines.registry import ORDER, game_names, get_game, parse_game_id
from tests.refusals import refused
from tests.shell import program, python

PAGE = Path(__file__).parent.parent / "docs" / "adding-a-game.md"
GAME = PAGE.read_text("utf-8").split("```python\n")[1].split("```")[0]
"""The game that the page is about."""


def install(folder: Path, module: str, entry_point: str, name: str = "treblecross") -> dict[str, str]:
    """What pip leaves behind of a package, and the environment that finds it."""
    (folder / "treblecross.py").write_text(module)
    about = folder / "treblecross-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: treblecross\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[arcade.games]\n{name} = {entry_point}\n")
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}


@pytest.fixture(scope="module")
def before() -> tuple[str, str]:
    """The help and the games of the arcade by itself."""
    return arcade(dict(os.environ), "--help"), arcade(dict(os.environ), "games", "--json")


def arcade(environment: dict[str, str], *arguments: str) -> str:
    return python("-m", "arcade", *arguments, environment=environment).stdout


def refusal(environment: dict[str, str], *arguments: str) -> str:
    """The one sentence on standard error by which a command is refused."""
    said = python("-m", "arcade", *arguments, environment=environment, code=2).stderr
    assert said.count("\n") == 1
    assert "Traceback" not in said
    return said


def test_an_installed_game_is_in_every_command_and_in_the_menu(tmp_path: Path) -> None:
    environment = install(tmp_path, GAME, "treblecross:GAME")
    assert "treblecross" in [each["game"] for each in json.loads(arcade(environment, "games", "--json"))]
    assert arcade(environment, "line", "treblecross:7").split()[0] == "4"
    walk = """
        import asyncio
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
    assert program(walk, environment=environment).startswith("['2', ")


def test_the_page_about_adding_a_game_keeps_its_word(tmp_path: Path) -> None:
    """Its game passes the conformance suite as every other does."""
    suite = str(Path(__file__).parent / "engines" / "test_conformance.py")
    options = ("-m", "pytest", "-k", "treblecross", "-p", "no:cacheprovider")
    said = python(*options, suite, environment=install(tmp_path, GAME, "treblecross:GAME")).stdout
    assert " passed" in said
    assert " failed" not in said


@pytest.mark.parametrize(
    ("module", "entry_point", "said"),
    [
        ("import nothing_of_that_name", "treblecross:GAME", "cannot be loaded"),
        ("GAME = 3", "treblecross:GAME", "is not a Game"),
    ],
)
def test_a_broken_package_harms_nothing_else(
    tmp_path: Path, module: str, entry_point: str, said: str
) -> None:
    environment = install(tmp_path, module, entry_point)
    assert "chocobar" in arcade(environment, "games")
    assert said in refusal(environment, "verdict", "treblecross:3")


OF_THE_ARCADE = ["common", "verdict", "app"]


@pytest.mark.parametrize("name", OF_THE_ARCADE)
def test_a_game_may_be_called_as_a_part_of_the_arcade(
    tmp_path: Path, name: str, before: tuple[str, str]
) -> None:
    """Nothing of the arcade is taken for its commands, and its name for no command."""
    environment = install(
        tmp_path, GAME.replace('name = "treblecross"', f'name = "{name}"'), "treblecross:GAME", name
    )
    assert arcade(environment, "--help") == before[0]
    assert json.loads(arcade(environment, "verdict", f"{name}:6", "--json"))["value"] == "loss"


@pytest.mark.parametrize("name", ["ask.common", "a:b", "é", "\x1b[2J"])
def test_a_name_that_no_game_can_have_harms_nothing_else(
    tmp_path: Path, name: str, before: tuple[str, str]
) -> None:
    environment = install(
        tmp_path, GAME.replace('name = "treblecross"', f"name = {name!r}"), "treblecross:GAME", name
    )
    assert json.loads(arcade(environment, "games", "--json")) == json.loads(before[1])
    refusal(environment, "warm", name)


def test_a_name_that_no_game_can_have_is_explained(tmp_path: Path) -> None:
    environment = install(tmp_path, GAME, "treblecross:GAME", "a.b")
    assert refusal(environment, "verdict", "a.b:8") == (
        "arcade: The game 'a.b' of treblecross:GAME has a bad name: "
        "it must start with a letter and have only letters, digits, - and _.\n"
    )


def test_a_game_is_installed_under_its_own_name(tmp_path: Path) -> None:
    environment = install(tmp_path, GAME, "treblecross:GAME", "mine")
    assert "mine" not in arcade(environment, "games")
    said = "arcade: The game of treblecross:GAME is named 'treblecross' but installed as 'mine'.\n"
    assert refusal(environment, "verdict", "mine:8") == said


def test_no_package_replaces_a_game_of_the_arcade(tmp_path: Path) -> None:
    environment = install(
        tmp_path, GAME.replace('name = "treblecross"', 'name = "chocobar"'), "treblecross:GAME", "chocobar"
    )
    assert json.loads(arcade(environment, "verdict", "chocobar:3x4", "--json"))["remoteness"] == 7


def test_the_arcades_own_games_come_first() -> None:
    own = [name for name in game_names() if name in ORDER]
    assert list(game_names()[: len(own)]) == [name for name in ORDER if name in own]


def test_unknown_games_are_named_with_those_there_are() -> None:
    refused(r"'chess'.*chocobar", get_game, "chess")
    refused("''", parse_game_id, "")

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

import arcade
from arcade.engines.registry import ORDER, game_names
from tests.shell import program

GAMES = [name for name in ORDER if name in game_names()]


def imported(text: str) -> set[str]:
    report = f"{text}\nimport sys\nprint(*sys.modules)"
    return set(program(report).splitlines()[-1].split())


NEITHER = {"textual", "numba"}
UNTOUCHED = {
    "an_engine": (
        "import sys\nsys.modules['textual'] = sys.modules['rich'] = None\n"
        + "\n".join(
            f"import arcade.engines.{name} as game\ngame.GAME.new(game.GAME.parse_parameters(''))"
            for name in GAMES
        ),
        {"numba"},
    ),
    "the_command_line": (
        "from arcade.cli import run\nassert not run(['--help']) + run(['games']) + run(['--version'])",
        NEITHER,
    ),
    "headless_commands": (
        "from arcade.cli import run\nassert run(['verdict', 'chocobar:3x4']) == 0",
        {"textual"},
    ),
    "the_first_paint_of_the_menu": (
        """
import os, sys
from arcade.app import ArcadeApp
def painted(app, screen, drawn):
    if any(words.size for words in screen.query("Card .summary")):
        print(*sys.modules, file=sys.__stdout__, flush=True)
        os._exit(0)
ArcadeApp._display = painted
ArcadeApp().run(headless=True)
""",
        {
            *("numpy", "numba", "email", "ctypes", "zipfile"),
            *("arcade.engines.game", "arcade.play.match", "arcade.play.session", "arcade.widgets.board"),
        },
    ),
    "work_before_its_thread_begins": (
        "from arcade.engines.control import Control\n"
        "with Control(60) as control: control.cancel(); assert control.stopped and not control.nodes",
        {"numpy", "numba"},
    ),
    "the_library": ("import arcade; arcade.load('hexapawn:4x4'); arcade.games()", {*NEITHER, "rich"}),
    "the_players_of_tetromino": (
        "from arcade.engines.tetromino import GAME\nassert len(GAME.player_kinds) == 11",
        {"numba"},
    ),
    "menace_and_its_machines": (
        "import arcade.engines.menace, arcade.play.machines, arcade.engines.menace.archive\n"
        "arcade.engines.menace.GAME.make_solver()",
        NEITHER,
    ),
}
"""Programs, and what none of them may import."""


@pytest.mark.parametrize("who", UNTOUCHED)
def test_what_is_not_needed_is_not_imported(who: str) -> None:
    text, untouched = UNTOUCHED[who]
    modules = imported(text)
    assert "arcade" in modules
    assert not untouched & modules


def test_all_below_the_screens_works_with_textual_uninstalled() -> None:
    text = """
import pkgutil, sys
sys.modules['textual'] = sys.modules['rich'] = None
import arcade
from importlib import import_module
rooms = ('engines', 'proof', 'store', 'play', 'study', 'services', 'library')
for room in rooms:
    module = import_module(f'arcade.{room}')
    for each in pkgutil.walk_packages(getattr(module, '__path__', []), f'arcade.{room}.'):
        import_module(each.name)
position = arcade.load('hexapawn:3x3')
assert arcade.verdict(position).remoteness == 6
assert [match.winner for match in arcade.play_matches('menace', 'perfect', 'perfect')] == [None]
from arcade.engines.registry import parse_game_id
from arcade.engines.control import Control
from arcade.proof.verify import verify
assert verify(parse_game_id('hexapawn:3x3'), Control()).agrees
"""
    assert "arcade" in imported(text)


PACKAGE = Path(arcade.__file__).parent


def module_name(file: Path) -> str:
    return ".".join([*file.relative_to(PACKAGE.parent).with_suffix("").parts]).removesuffix(".__init__")


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def test_no_two_public_classes_share_a_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for file in PACKAGE.rglob("*.py"):
        for node in tree_of(file).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module_name(file))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_private_modules_of_textual_are_imported_in_one_file_only() -> None:
    private = re.compile(r"^\s*(?:from|import) textual(?:\.\w+)*\._", re.MULTILINE)
    found = [module_name(file) for file in PACKAGE.rglob("*.py") if private.search(file.read_text("utf-8"))]
    assert found == ["arcade.textual_fixes"]


def test_at_most_three_classes_stand_between_a_screen_and_textuals() -> None:
    from textual.screen import Screen

    from arcade.screens.games import screen_class
    from arcade.textual_fixes import FixedScreen

    # Textual's own, fixed.
    assert FixedScreen.__mro__[1] is Screen
    for name in GAMES:
        own = screen_class(name)
        assert len(own.__mro__[1 : own.__mro__.index(FixedScreen)]) <= 3

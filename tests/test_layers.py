import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
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
            f"import arcade.engines.{name}.game as game\ngame.GAME.new(game.GAME.parameters.parse(''))"
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
        "from arcade.engines.seats import player_kinds\n"
        "from arcade.engines.tetromino.game import GAME\nassert len(player_kinds(GAME)) == 11",
        {"numba"},
    ),
    "menace_and_its_machines": (
        "import arcade.play.machines, arcade.engines.menace.archive\n"
        "from arcade.engines.menace.game import GAME; GAME.solver",
        NEITHER,
    ),
}
"""Programs, and what none of them may import."""


@pytest.mark.parametrize("who", UNTOUCHED)
def test_startup_imports_no_unneeded_modules(who: str) -> None:
    text, untouched = UNTOUCHED[who]
    modules = imported(text)
    assert "arcade" in modules
    assert not untouched & modules


def test_packages_below_screens_work_without_textual() -> None:
    text = """
import pkgutil, sys
sys.modules['textual'] = sys.modules['rich'] = None
import arcade
from importlib import import_module
rooms = ('engines', 'proof', 'store', 'play', 'study', 'services', 'matches', 'studies', 'library')
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


@cache
def nodes_of(file: Path) -> list[ast.AST]:
    return list(ast.walk(tree_of(file)))


def test_public_class_names_are_unique() -> None:
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


def test_screens_have_at_most_three_intermediate_base_classes() -> None:
    from textual.screen import Screen

    from arcade.screens.games import screen_class
    from arcade.textual_fixes import FixedScreen

    # Textual's own, fixed.
    assert FixedScreen.__mro__[1] is Screen
    for name in GAMES:
        own = screen_class(name)
        assert len(own.__mro__[1 : own.__mro__.index(FixedScreen)]) <= 3


def modules_imported(nodes: list[ast.AST]) -> set[str]:
    """The names that a file's imports give to modules."""
    names = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {each.asname or each.name.partition(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for each in node.names:
                with suppress(ModuleNotFoundError):
                    if find_spec(f"{node.module}.{each.name}"):
                        names.add(each.asname or each.name)
    return names


def root_of(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def changed_by(node: ast.AST) -> Iterator[ast.expr]:
    """The objects that a statement or a call changes in place."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign | ast.Delete):
        targets = node.targets
    elif isinstance(node, ast.AugAssign | ast.AnnAssign):
        targets = [node.target]
    for target in targets:
        if isinstance(target, ast.Subscript):
            yield target.value
        elif isinstance(target, ast.Attribute):
            yield target
    # `module.add(...)` is a function's call.
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
        called = node.func.value
        if isinstance(called, ast.Attribute) or root_of(called).isupper():
            yield called


CHANGING = {"append", "add", "update", "pop", "clear", "setdefault", "extend", "insert", "remove", "discard"}

WRITTEN = {
    # The environment is for child processes, and for Textual and numba, which read theirs when imported.
    "arcade.__main__": {"os.environ", "sys.path"},
    "arcade.cli": {"os.environ"},
    "arcade.engines.game_files": {"os.environ", "sys.modules"},
    # Numba's settings, which are its own module.
    "arcade.engines.kernel_cache": {"SETTINGS._config_fname"},
}
"""State of the whole process that a module may write, as no argument reaches who reads it."""


def test_module_state_is_never_changed_after_import() -> None:
    found = []
    for file in PACKAGE.rglob("*.py"):
        nodes, name = nodes_of(file), module_name(file)
        shared = modules_imported(nodes) | {"cls"}
        for made in tree_of(file).body:
            if isinstance(made, ast.ClassDef):
                shared.add(made.name)
            elif isinstance(made, ast.Assign | ast.AnnAssign):
                targets = made.targets if isinstance(made, ast.Assign) else [made.target]
                shared |= {each.id for each in targets if isinstance(each, ast.Name)}
        for node in nodes:
            if isinstance(node, ast.Global):
                found.append(f"{name}:{node.lineno}: global")
            for changed in changed_by(node):
                if root_of(changed) in shared and ast.unparse(changed) not in WRITTEN.get(name, ()):
                    found.append(f"{name}: {ast.unparse(changed)}")
    assert found == []


HEAVY = {
    *("NumPy", "numba", "Textual", "Typer", "aiohttp", "matplotlib", "msgspec", "markdown-it"),
    *("ctypes", "email", "OpenSSL", "platformdirs", "termios", "tomllib", "the SAT solver"),
}
"""Libraries that a start waits for, and one that not every system has."""

LATER = {
    "arcade": {"arcade"},
    "arcade.cli": {"arcade.commands.menu"},
    "arcade.__main__": {"arcade.matches", "arcade.screens"},
    "arcade.app": {"arcade.screens.match_opening", "arcade.screens.opening"},
    "arcade.screens.menu": {"arcade.study.lessons"},
    "arcade.screens.menace.open_box": {
        "arcade.screens.menace.charts",
        "arcade.screens.menace.laboratory",
    },
    # A game is checked when it is loaded; the menu names games without loading them.
    "arcade.engines.registry": {"arcade.engines.game"},
    "arcade.engines.game_files": {"arcade.engines.game", "arcade.engines.position"},
    # Nothing of matches, machines and studies is needed to draw the menu.
    "arcade.services": {"arcade.play", "arcade.study"},
}
"""The other modules that may be imported in a function, or their packages: a start does not need them."""


def is_later(module: str, imported: ast.Import | ast.ImportFrom) -> bool:
    named = imported.module if isinstance(imported, ast.ImportFrom) else imported.names[0].name
    return any(f"{named}.".startswith(f"{each}.") for each in LATER.get(module, ()))


def test_local_import_comment_names_the_delayed_library() -> None:
    found = []
    for file in PACKAGE.rglob("*.py"):
        lines, name = file.read_text("utf-8").splitlines(), module_name(file)
        functions = (node for node in nodes_of(file) if isinstance(node, FUNCTIONS))
        local = {
            inner.lineno: inner
            for function in functions
            for inner in ast.walk(function)
            if isinstance(inner, ast.Import | ast.ImportFrom)
        }
        for number, node in sorted(local.items()):
            reason = lines[number - 1].rpartition("  # ")[2]
            if reason not in {f"loads {library}" for library in HEAVY} and not is_later(name, node):
                found.append(f"{name}:{number}: {lines[number - 1].strip()}")
    assert found == []


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

"""Who imports what; import-linter checks the rest."""

from __future__ import annotations

import subprocess
import sys

import pytest

from arcade.engines.registry import ORDER, game_names

GAMES = [name for name in ORDER if name in game_names()]


def imported(program: str) -> set[str]:
    report = f"{program}\nimport sys\nprint(' '.join({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("name", GAMES)
def test_an_engine_needs_no_textual_and_numba_only_to_solve(name: str) -> None:
    blocked = "import sys\nsys.modules['textual'] = sys.modules['rich'] = None\n"
    modules = imported(
        f"{blocked}import arcade.engines.{name} as game\ngame.GAME.new(game.GAME.parse_parameters(''))"
    )
    assert "arcade" in modules
    assert "numba" not in modules


@pytest.mark.parametrize("arguments", [["--help"], ["games"], ["--version"]])
def test_the_command_line_imports_neither_textual_nor_numba(arguments: list[str]) -> None:
    modules = imported(f"from arcade.cli import run\nassert run({arguments}) == 0")
    assert not {"textual", "numba"} & modules


def test_headless_commands_import_no_textual() -> None:
    modules = imported("from arcade.cli import run\nassert run(['verdict', 'chocobar:3x4']) == 0")
    assert "textual" not in modules


def test_the_menu_needs_no_numba() -> None:
    assert "numba" not in imported("from arcade.app import ArcadeApp\nArcadeApp()")

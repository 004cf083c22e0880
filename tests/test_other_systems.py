"""The arcade where a system has neither the modules nor the names of POSIX, as on Windows."""

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import mypy
import pytest

from tests.shell import python

STUBS = Path(mypy.__file__).parent / "typeshed" / "stdlib"

KEPT = {"setpriority", "PRIO_PROCESS"}
"""Used on Linux only, where a thread has a priority of its own."""

ELSEWHERE = """
import asyncio, importlib, json, pkgutil, sys, types
import numba.core.caching, platformdirs, rich.markdown, textual.pilot, textual.widgets, typer
for module, names in json.loads(sys.argv[1]).items():
    there = vars(importlib.import_module(module))
    sys.modules[module] = types.ModuleType(module)
    vars(sys.modules[module]).update({name: there[name] for name in there if name not in names})
for module in ("fcntl", "grp", "pwd", "resource", "termios", "tty"):
    sys.modules[module] = None

import arcade
found = [each.name for each in pkgutil.walk_packages(arcade.__path__, "arcade.")]
for name in found:
    if name != "arcade.__main__":
        importlib.import_module(name)
print(len(found), "modules;", arcade.verdict(arcade.load("chocobar:3x4")))

from arcade.app import ArcadeApp
from arcade.engines.registry import parse_game_id
from arcade.play.match import Match, new_match

async def play():
    app = ArcadeApp(new_match(parse_game_id("chocobar:3x4"), ("human", "perfect")), warm=False)
    async with app.run_test() as pilot:
        app.action_repaint()
        app.screen.session.play(app.screen.match.position.moves()[-1])
        while len(app.screen.match.plies) < 2:
            await pilot.pause(0.01)
        print(app.screen.match.plies[0].move, "is answered")

asyncio.run(play())
"""


def names(block: list[ast.stmt], platform: str) -> Iterator[str]:
    """The names that a stub has for a platform."""
    system = SimpleNamespace(platform=platform, version_info=sys.version_info)
    for each in block:
        if isinstance(each, ast.If):
            holds = eval(ast.unparse(each.test), {"sys": system})
            yield from names(each.body if holds else each.orelse, platform)
        elif isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            yield each.target.id
        elif isinstance(each, ast.FunctionDef | ast.ClassDef):
            yield each.name


def missing(stub: str) -> list[str]:
    block = ast.parse((STUBS / stub).read_text("utf-8")).body
    return sorted({*names(block, "linux")} - {*names(block, "win32")} - KEPT)


@pytest.mark.slow
def test_arcade_works_without_posix_only_functions() -> None:
    lacking = {"os": missing("os/__init__.pyi"), "signal": missing("signal.pyi")}
    assert "nice" in lacking["os"]
    assert "SIGHUP" in lacking["signal"]
    # As on Windows, Textual does not choose the driver that needs a POSIX terminal.
    environment = {"TEXTUAL_DRIVER": "textual.drivers.headless_driver:HeadlessDriver"}
    done = python("-c", ELSEWHERE, json.dumps(lacking), environment=environment, timeout=120)
    assert not done.stderr
    modules, played = done.stdout.splitlines()
    assert modules.endswith("modules; First wins in 7 plies (proved).")
    assert played.endswith("is answered")

"""A short run of the fuzzer over every screen; `python -m tools.fuzz` makes a long one."""

import importlib
import pkgutil
from pathlib import Path
from typing import Any

import pytest
from textual.screen import Screen

import arcade.screens
from arcade.textual_fixes import Palette
from tests.screens.fuzz import fuzz
from tests.screens.starts import all_starts

EVENTS = 4
PARTS = 4
"""So many arcades share the screens."""

pytestmark = pytest.mark.usefixtures("instant", "drawn")


def test_the_fuzzer_comes_to_every_screen() -> None:
    found: set[type[Screen[Any]]] = {Palette}
    for each in pkgutil.iter_modules(arcade.screens.__path__, "arcade.screens."):
        found |= {
            value
            for value in vars(importlib.import_module(each.name)).values()
            if isinstance(value, type) and issubclass(value, Screen) and value.__module__ == each.name
        }
    # A class that others are made from is tried as these.
    last = {
        each for each in found if not any(other is not each and issubclass(other, each) for other in found)
    }
    assert last <= {start.screen for start in all_starts()}


@pytest.mark.parametrize("part", range(PARTS))
async def test_nothing_breaks_a_screen(part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    starts = [*{start.screen: start for start in all_starts()}.values()]
    await fuzz(starts[part::PARTS], 1, EVENTS)

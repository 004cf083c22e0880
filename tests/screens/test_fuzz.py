"""Random keys, texts, clicks and sizes for every screen; a long run:

    pytest tests/screens/test_fuzz.py --fuzz-events 2000 --fuzz-seed 1 --timeout 0

With an odd seed things move, and engines take a moment.
"""

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

PARTS = 4
"""So many arcades share the screens."""

pytestmark = [pytest.mark.usefixtures("instant", "drawn"), pytest.mark.slow]


def test_fuzzer_covers_every_screen() -> None:
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
async def test_random_events_do_not_break_a_screen(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("HOME", "XDG_DOWNLOAD_DIR"):
        # Pictures of the screen are written there.
        monkeypatch.setenv(name, str(tmp_path))
    events, seed = pytestconfig.getoption("fuzz_events"), pytestconfig.getoption("fuzz_seed")
    starts = [*{start.screen: start for start in all_starts()}.values()]
    await fuzz(starts[part::PARTS], seed, events, animated=bool(seed % 2))

"""Play many matches in one arcade and print its memory: `python -m tools.memory [MATCHES]`.

Engines play all games in turn with visible verdicts. After each match come its review and the menu.
"""

from __future__ import annotations

import asyncio
import gc
import os
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from arcade.app import ArcadeApp
from arcade.engines.registry import parse_game_id
from arcade.play.match import new_match
from arcade.screens.match import MatchScreen
from arcade.screens.menu import MenuScreen
from arcade.screens.navigation import OpenMatch
from tools.actions import act, rested, settled

GAMES = {
    "chocobar:8x10": ("casual", "beginner"),
    "hexapawn:4x5": ("casual", "beginner"),
    "tetromino:4x6": ("casual", "beginner"),
    "honshu:6x3": ("casual",),
    "menace": ("matchboxes", "casual"),
}
STEP = 50
"""Matches between two measurements."""


def resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


async def play(matches: int) -> None:
    app = ArcadeApp(warm=False)
    app.services.settings = app.services.settings.changed("calm", "on").changed("coach", "open")
    async with app.run_test(size=(100, 34)) as pilot:
        started = time.perf_counter()
        for number in range(matches + 1):
            if number % STEP == 0:
                gc.collect()
                print(
                    f"{number} matches: {resident():.0f} MiB, {len(gc.get_objects()):,} objects, "
                    f"{time.perf_counter() - started:.0f} s",
                    flush=True,
                )
            text, seats = list(GAMES.items())[number % len(GAMES)]
            match = new_match(
                parse_game_id(f"{text}#{number + 1}" if text.startswith("honshu") else text), seats
            )
            app.open_match(OpenMatch(match))
            await settled(pilot, lambda: isinstance(app.screen, MatchScreen) and app.screen.is_mounted)
            await act(pilot, *["faster"] * 3)
            if not app.services.settings.animated:
                # No demonstration starts.
                await act(pilot, "pause")
            await settled(pilot, partial(getattr, match, "finished"), 120)
            # The solver reviews every move.
            await rested(pilot)
            await act(pilot, "leave")
            await settled(pilot, lambda: isinstance(app.screen, MenuScreen))


def main(matches: Annotated[int, typer.Argument(min=0)] = 500) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ARCADE_DATA"] = folder
        asyncio.run(play(matches))


if __name__ == "__main__":
    typer.run(main)

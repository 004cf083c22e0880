"""A long run of the fuzzer over every screen: `python -m tools.fuzz [--events 2000] [--seed 1] [GAME]...`."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from functools import partial
from typing import Annotated

import typer

from arcade.app import ArcadeApp
from arcade.engines.game import Kind
from arcade.engines.registry import game_names, get_game, parse_game_id
from arcade.match import Match
from tests.engines.test_conformance import SMALL
from tests.oracle import BruteForce
from tests.screens.fuzz import fuzz


def make_app(name: str) -> ArcadeApp:
    """The app with a small match of a game, or with the menu."""
    app = ArcadeApp(Match(parse_game_id(SMALL[name][0])) if name in SMALL else None, warm=False)
    app.settings["animation"] = "off"
    return app


def main(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME|menu]...")] = None,
    events: Annotated[int, typer.Option(help="How many for each screen.")] = 2000,
    seed: Annotated[int, typer.Option(help="Of the events.")] = 1,
) -> None:
    """Send random keys, clicks, wheels and sizes to the screens, with engines that answer at once."""
    os.environ["ARCADE_DATA"] = tempfile.mkdtemp()
    for name in game_names():
        if get_game(name).kind is Kind.DUEL:
            get_game(name).__dict__["solver"] = BruteForce()
    for name in games or ["menu", *(name for name in game_names() if name in SMALL)]:
        started = time.perf_counter()
        made = asyncio.run(fuzz(partial(make_app, name), seed, events))
        took = time.perf_counter() - started
        print(
            f"{name}: {events} events with seed {seed} in {took:.0f} s, {made} starts, no fault", flush=True
        )


if __name__ == "__main__":
    typer.run(main)

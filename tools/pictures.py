"""Takes the pictures that the README shows, real screens of real matches: `make pictures`."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from textual.pilot import Pilot

from arcade.app import ArcadeApp
from arcade.engines.registry import game_names, get_game, parse_game_id
from arcade.machines import Machines
from arcade.match import Match
from arcade.screens.laboratory import LaboratoryScreen
from arcade.screens.match import MatchScreen
from arcade.settings import PLAYED
from arcade.store import Store

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"


@dataclass(frozen=True)
class Picture:
    """A picture: a match, what is pressed, and how large the terminal is."""

    name: str
    game: str = ""
    """A game ID; the menu when empty."""
    moves: str = ""
    seats: tuple[str, ...] | None = None
    keys: tuple[str, ...] = ()
    size: tuple[int, int] = (100, 30)
    theme: str = "arcade-dark"
    newcomer: bool = False
    """Whether this is the first match of the person who plays it."""


PICTURES = (
    Picture("menu"),
    Picture("first-match", "chocobar:6x7", size=(80, 24), newcomer=True),
    Picture("new-match", "hexapawn:5x5", keys=("n",), size=(80, 24)),
    Picture("help", "hexapawn:4x4", keys=("question_mark",), size=(80, 24)),
    Picture("settings", keys=("S",), size=(80, 24)),
    Picture("commands", "tetromino:4x5", keys=("colon",), size=(80, 24)),
    Picture("chocobar", "chocobar:8x10", "(3,9) (6,7)", keys=("v", "right", "right", "down", "down", "down")),
    Picture("chocobar-hint", "chocobar:8x10", "(3,9) (6,7)", keys=("i", "i", "i"), size=(80, 24)),
    Picture("chocobar-graph", "chocobar:8x10", "", ("perfect", "fallible:6"), ("g", *["full_stop"] * 40)),
    Picture("hexapawn", "hexapawn:4x4", "b2 c3", keys=("v",)),
    Picture("hexapawn-setup", "hexapawn:5x6", "b2 c4 d2", keys=("e", "up", "up"), size=(80, 24)),
    Picture("tetromino", "tetromino:5x8", "T2@c5 L1@b2", keys=("v", "3", "up", "up")),
    Picture("honshu", "honshu:9x12#7", "", ("greedy", "in-order"), ("full_stop",) * 24, (120, 40)),
    Picture("menace", "menace", "b2", ("human", "MENACE")),
    Picture("menace-wall", "menace", "b2", ("human", "MENACE"), ("b",)),
    Picture("menace-laboratory", "menace", keys=("e", *"jjjll", "t")),
    Picture("chocobar-light", "chocobar:5x6", "(3,4)", keys=("v",), size=(80, 24), theme="arcade-light"),
    Picture("honshu-light", "honshu:9x12#7", "", ("solver",), ("full_stop",) * 12, (100, 30), "arcade-light"),
)


async def rest(pilot: Pilot[None], longest: float = 60.0) -> None:
    """Wait until no worker of the screen has anything more to say."""
    end = time.monotonic() + longest
    await pilot.pause(0.05)
    while (
        isinstance(screen := pilot.app.screen, MatchScreen | LaboratoryScreen)
        and screen.busy
        and time.monotonic() < end
    ):
        await pilot.pause(0.05)
    await pilot.pause()


async def take(picture: Picture) -> str:
    """The picture as SVG."""
    opening = None
    if picture.game:
        guests = Machines(Store.in_memory)
        opening = Match(parse_game_id(picture.game), picture.seats, guests)
        for move in opening.game.parse_moves(picture.moves, opening.position):
            opening.play(move)
    with tempfile.TemporaryDirectory() as folder:
        app = ArcadeApp(opening, Path(folder), warm=False)
        app.settings["animation"] = "off"
        app.settings[PLAYED] = "" if picture.newcomer else " ".join(game_names())
        app.theme = picture.theme
        async with app.run_test(size=picture.size) as pilot:
            await rest(pilot)
            for key in picture.keys:
                await pilot.press(key)
                await rest(pilot)
            return app.export_screenshot(title="solver-arcade")


def main() -> None:
    """Take the pictures that are named, or all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for picture in PICTURES:
        if len(sys.argv) > 1 and picture.name not in sys.argv[1:]:
            continue
        if picture.game:
            get_game(picture.game.partition(":")[0]).solver.warm()
        (FOLDER / f"{picture.name}.svg").write_text(asyncio.run(take(picture)), encoding="utf-8")
        print(picture.name)


if __name__ == "__main__":
    main()

"""Make the README's pictures from real matches: `make pictures`."""

from __future__ import annotations

import asyncio
import shlex
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.screen import Screen

from arcade.app import ArcadeApp
from arcade.cli import run
from arcade.engines.control import Control
from arcade.engines.players import PERFECT, RUNGS
from arcade.engines.registry import game_names, get_game, parse_game_id
from arcade.learning.machines import Machines
from arcade.match import HUMAN, Match
from arcade.screens.laboratory import LaboratoryScreen
from arcade.screens.match import MatchScreen
from arcade.screens.menu import MenuScreen
from arcade.screens.puzzles import PuzzleScreen
from arcade.screens.records import RecordsScreen
from arcade.session.alone import play_out
from arcade.session.tournament import Tournament
from arcade.store import Store

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"


@dataclass(frozen=True)
class Picture:
    """A picture: a match, the keys to press, and the terminal's size."""

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
    veteran: bool = False
    """Whether the person has played some matches before."""
    waiting: bool = False
    """Whether nobody has touched the menu for a while."""


PICTURES = (
    Picture("menu"),
    Picture("first-match", "chocobar:6x7", size=(80, 24), newcomer=True),
    Picture("records", keys=("r",), veteran=True),
    Picture("history", keys=("m",), size=(80, 24), veteran=True),
    Picture("demonstration", size=(80, 24), waiting=True),
    Picture("chocobar", "chocobar:8x10", "(3,9) (6,7)", keys=("v", "right", "right", "down", "down", "down")),
    Picture("chocobar-hint", "chocobar:8x10", "(3,9) (6,7)", keys=("i", "i", "i"), size=(80, 24)),
    Picture("hexapawn", "hexapawn:4x4", "b2 c3", keys=("v",)),
    Picture("hexapawn-setup", "hexapawn:5x6", "b2 c4 d2", keys=("e", "up", "up"), size=(80, 24)),
    Picture("tetromino", "tetromino:5x8", "T2@c5 L1@b2", keys=("v", "3", "up", "up")),
    Picture("honshu", "honshu:9x12#7", "", ("greedy", "in-order"), ("full_stop",) * 24, (120, 40)),
    Picture("menace", "menace", "b2", ("human", "MENACE")),
    Picture("menace-wall", "menace", "b2", ("human", "MENACE"), ("b",)),
    Picture("menace-laboratory", "menace", keys=("e", *"jjjll", "t")),
    Picture("puzzle", keys=("right", "P", "down", "down", "down", "down", "enter")),
    Picture("tournament", keys=("right", "T"), veteran=True),
)


BOARDS = {
    "board-chocobar": "chocobar:5x6 --moves 3,4 --values",
    "board-hexapawn": "hexapawn:4x4 --moves 'b2 c3' --values",
    "board-tetromino": "tetromino:5x8 --moves 'T2@c5 L1@b2 S1@b7' --theme light",
    "board-honshu": "honshu:7x6#7 --moves '2r3@3,4 3r3@4,5 6r0@4,2 1r3@6,3' --theme light",
    "board-menace": "menace:X.O.X.... --values",
}
"""What `arcade picture` draws, with its arguments."""


def is_busy(screen: Screen[Any]) -> bool:
    """Whether a screen still waits for work."""
    if isinstance(screen, MatchScreen):
        return screen.session.busy
    if isinstance(screen, PuzzleScreen | RecordsScreen):
        return bool(screen.jobs.controls)
    return isinstance(screen, LaboratoryScreen) and screen.busy


async def rest(pilot: Pilot[None], longest: float = 60.0) -> None:
    """Wait until the screen's workers are done."""
    end = time.monotonic() + longest
    await pilot.pause(0.05)
    while is_busy(pilot.app.screen) and time.monotonic() < end:
        await pilot.pause(0.05)
    await pilot.pause()


def play_before(store: Store) -> None:
    """Save the matches of a person who learns to look ahead, one a day up to now."""
    now, days = time.time(), 40
    for day in range(days):
        who = f"sees:{1 + day // 8}"
        opponent = ("casual", "club", "expert")[day % 3]
        seats = (who, opponent) if day % 2 else (opponent, who)
        match = play_out(Match(parse_game_id("hexapawn:4x4"), seats, seed=day))
        seated = tuple(HUMAN if each == who else each for each in seats)
        record = replace(match.record(), seats=seated, takebacks=int(day % 7 == 0))
        store.save_match(record, when=now - 86_400 * (days - day))
    for seed in range(5):
        start = f"honshu:7x6#{seed}"
        race = play_out(Match(parse_game_id(start), ("beginner",), seed=seed))
        store.save_match(replace(race.record(), seats=(HUMAN,)), when=now - 5000 + 1000 * seed)
        best = play_out(Match(parse_game_id(start), ("solver",), seed=seed))
        assert best.ending is not None
        store.note_best(start, best.ending.scores[0])
    Tournament(parse_game_id("hexapawn:4x4"), (*RUNGS, PERFECT.name), 5, 1).play(Control(), store=store)


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
        app.services.settings = replace(app.services.settings, animation=False)
        played = "" if picture.newcomer else " ".join(game_names())
        app.services.state = replace(app.services.state, played=played)
        app.theme = picture.theme
        if picture.veteran:
            play_before(app.services.store)
        async with app.run_test(size=picture.size) as pilot:
            await rest(pilot)
            for key in picture.keys:
                await pilot.press(key)
                await rest(pilot)
            if picture.waiting and isinstance(app.screen, MenuScreen):
                app.screen.demonstrate()
                await rest(pilot)
                await pilot.pause(13)
            return app.export_screenshot(title="solver-arcade")


def main() -> None:
    """Make the named pictures, or all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for picture in PICTURES:
        if len(sys.argv) > 1 and picture.name not in sys.argv[1:]:
            continue
        if picture.game:
            get_game(picture.game.partition(":")[0]).solver.warm()
        (FOLDER / f"{picture.name}.svg").write_text(asyncio.run(take(picture)), encoding="utf-8")
        print(picture.name)
    for name, arguments in BOARDS.items():
        if len(sys.argv) == 1 or name in sys.argv[1:]:
            run(["picture", *shlex.split(arguments), "-o", str(FOLDER / f"{name}.svg")])
            print(name)


if __name__ == "__main__":
    main()

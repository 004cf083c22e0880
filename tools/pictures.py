"""Make the pictures of README.md and docs from real matches: `make pictures`.

A picture that would show a refusal, a dialog or a notice is not written, and the exit code is 1.
"""

from __future__ import annotations

import asyncio
import re
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen

from arcade.app import ArcadeApp
from arcade.cli import run
from arcade.engines.control import Control
from arcade.engines.move_lists import parse_moves
from arcade.engines.players import PERFECT, RUNGS
from arcade.engines.registry import game_names, get_game, parse_game_id
from arcade.play import files as match_file
from arcade.play.headless import play_to_end
from arcade.play.machines import Machines
from arcade.play.match import HUMAN, new_match
from arcade.play.path import path_of
from arcade.screens.exercises import PuzzleScreen
from arcade.screens.history import RecordsScreen
from arcade.screens.match import MatchScreen
from arcade.screens.menace.laboratory import LaboratoryScreen
from arcade.screens.menu import Card, MenuScreen
from arcade.store.store import Store, open_store
from arcade.study.tournament import Tournament
from arcade.widgets.board import Board, GridBoard
from tools.actions import act

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"


MAX_SECONDS = 60.0
"""For a screen to be complete."""
REFUSAL = re.compile(r"This screen needs \d+x\d+")


class PictureError(Exception):
    """A picture must not be published."""


@dataclass(frozen=True)
class Picture:
    name: str
    game: str = ""
    """A game ID, or "" for the menu."""
    moves: str = ""
    seats: tuple[str, ...] | None = None
    actions: tuple[str, ...] = ()
    """Each for the screen on top."""
    at: tuple[int, int] | None = None
    size: tuple[int, int] = (100, 30)
    theme: str = "arcade-dark"
    newcomer: bool = False
    veteran: bool = False


SMALL = (80, 24)

FIRST = path_of(get_game("chocobar"))[0]

PICTURES = (
    Picture("menu"),
    Picture("first-match", str(FIRST.start), seats=FIRST.seats, size=SMALL, newcomer=True),
    Picture("records", actions=("records",), veteran=True),
    Picture("history", actions=("history",), size=SMALL, veteran=True),
    Picture("chocobar", "chocobar:8x10", "(5,6) (4,9)", None, ("values",), (3, 2)),
    Picture("chocobar-hint", "chocobar:5x6", "(3,4) (2,6)", None, ("hint",) * 3, size=SMALL),
    Picture("hexapawn", "hexapawn:4x4", "a2 b3", None, ("values",)),
    Picture("hexapawn-setup", "hexapawn:5x6", "b2 c4 d2", None, ("edit",), (2, 0), SMALL),
    Picture("tetromino", "tetromino:5x8", "T2@c5", None, ("values", "take('O')"), (1, 1)),
    Picture("honshu", "honshu:9x12#7", "", ("beginner", "club"), ("forward",) * 24, size=(120, 40)),
    Picture("menace", "menace", "b2", ("human", "MENACE")),
    Picture("menace-wall", "menace", "b2", ("human", "MENACE"), ("boxes",)),
    Picture("menace-laboratory", "menace", actions=("laboratory", *2 * ("go(1)",), "turn(1)", "train")),
    Picture("puzzle", actions=("walk(1)", "puzzles", *3 * ("cursor_down",), "select")),
    Picture("tournament", actions=("walk(1)", "tournament"), veteran=True),
)


BOARDS = {
    "board-chocobar": "chocobar:5x6 --moves 3,4 --values",
    "board-hexapawn": "hexapawn:4x4 --moves 'b2 c3' --values",
    "board-tetromino": "tetromino:5x8 --moves 'T2@c5 L1@b2 S1@b7' --theme light",
    "board-honshu": "honshu:7x6#7 --moves '2r3@3,4 3r3@4,5 6r0@4,2 1r3@6,3' --theme light",
    "board-menace": "menace:X.O.X.... --values",
    "punishment": "hexapawn:4x4 --moves 'c2 b3 d2 c3 a2 cxd2 axb3 d1' --punishment",
}
"""Arguments of `arcade picture`."""

MATCHES = {
    "match": ("chocobar:5x6", ("club", "casual"), "3,4 1,4 5,3 4,3 2,3 3,2 3,1 1,3 2,2 2,1 1,2"),
}
"""For `arcade picture --animate`: start, players, moves."""


def is_busy(screen: Screen[Any]) -> bool:
    if isinstance(screen, MatchScreen | PuzzleScreen):
        return screen.session.busy
    if isinstance(screen, RecordsScreen):
        return bool(screen.jobs.controls)
    return isinstance(screen, LaboratoryScreen) and screen.busy


def is_complete(screen: Screen[Any]) -> bool:
    """The screen has mounted all after its first paint."""
    cards = screen.query(Card)
    return bool(cards or not isinstance(screen, MenuScreen)) and all(card.query(Board) for card in cards)


async def rest(pilot: Pilot[None]) -> None:
    end, before = time.monotonic() + MAX_SECONDS, None
    while True:
        await pilot.pause(0.05)
        screen = pilot.app.screen
        shown = screen._compositor.render_strips()
        if is_complete(screen) and not is_busy(screen) and shown == before:
            return
        if time.monotonic() > end:
            raise PictureError(f"it is not complete after {MAX_SECONDS:g} s; there is\n{text_of(screen)}")
        before = shown


def text_of(screen: Screen[Any]) -> str:
    return "\n".join(strip.text.rstrip() for strip in screen._compositor.render_strips())


def check(app: ArcadeApp) -> None:
    """Raise PictureError for a refusal, a part of a board, a dialog or a notice."""
    if refused := REFUSAL.search(text_of(app.screen)):
        raise PictureError(f"it shows {refused[0]!r}")
    if any(board.fit(board.size) is None for board in app.screen.query(Board) if not board.small):
        raise PictureError("it shows only a part of the board")
    if isinstance(app.screen, ModalScreen):
        raise PictureError(f"a dialog lies over it:\n{text_of(app.screen)}")
    if app._notifications:
        raise PictureError(f"a notice lies over it: {next(iter(app._notifications)).message!r}")


def play_before(store: Store) -> None:
    """Save the matches of a player who learns to look ahead, one a day."""
    now, days = time.time(), 40
    for day in range(days):
        who = f"depth:{1 + day // 8}"
        opponent = ("casual", "club", "expert")[day % 3]
        seats = (who, opponent) if day % 2 else (opponent, who)
        match = play_to_end(new_match(parse_game_id("hexapawn:4x4"), seats, seed=day))
        seated = tuple(HUMAN if each == who else each for each in seats)
        record = replace(match.record(), seats=seated, takebacks=int(day % 7 == 0))
        store.save_match(record, when=now - 86_400 * (days - day))
    for seed in range(5):
        start = f"honshu:7x6#{seed}"
        race = play_to_end(new_match(parse_game_id(start), ("beginner",), seed=seed))
        store.save_match(replace(race.record(), seats=(HUMAN,)), when=now - 5000 + 1000 * seed)
        best = play_to_end(new_match(parse_game_id(start), ("solver",), seed=seed))
        assert best.ending is not None
        store.save_best_score(start, best.ending.scores[0])
    Tournament(parse_game_id("hexapawn:4x4"), (*RUNGS, PERFECT.name), 5, 1).play(Control(), store=store)


def data_for(picture: Picture, folder: Path) -> Path:
    """The veteran's matches are played once."""
    own, before = folder / picture.name, folder / "before"
    if picture.veteran:
        if not before.exists():
            with open_store(before) as store:
                play_before(store)
        shutil.copytree(before, own)
    return own


async def take(picture: Picture, folder: Path) -> str:
    """As SVG. Raises PictureError, or AssertionError if an action is unavailable."""
    opening = None
    if picture.game:
        guests = Machines(Store.in_memory)
        opening = new_match(parse_game_id(picture.game), picture.seats, guests)
        opening.game.solver.warm()
        for move in parse_moves(opening.game, picture.moves, opening.position):
            opening.play(move)
    app = ArcadeApp(opening, folder, warm=False)
    app.services.settings = replace(app.services.settings, calm=True)
    played = "" if picture.newcomer else " ".join(game_names())
    app.services.state = replace(app.services.state, played=played)
    app.theme = picture.theme
    async with app.run_test(size=picture.size) as pilot:
        await rest(pilot)
        for action in picture.actions:
            await act(pilot, action)
            await rest(pilot)
        if picture.at is not None:
            grid = app.screen.query_one(Board)
            assert isinstance(grid, GridBoard), "no cursor can be moved there"
            grid.cursor = picture.at
            await rest(pilot)
        check(app)
        return app.export_screenshot(title="solver-arcade")


def drawn_by_command(name: str, folder: Path) -> str:
    if name in MATCHES:
        start, seats, moves = MATCHES[name]
        match = new_match(parse_game_id(start), seats)
        for move in parse_moves(match.game, moves, match.position):
            match.play(move)
        arguments = [match_file.write_file(str(folder / name), match.record()), "--animate"]
    else:
        arguments = shlex.split(BOARDS[name])
    file = folder / f"{name}.svg"
    if code := run(["picture", *arguments, "-o", str(file)]):
        raise PictureError(f"`arcade picture {shlex.join(arguments)}` ended with code {code}")
    return file.read_text("utf-8")


def main(names: Sequence[str], folder: Path = FOLDER) -> int:
    """Return 1 if a picture failed, 2 for an unknown name."""
    screens = {picture.name: picture for picture in PICTURES}
    known = [*screens, *BOARDS, *MATCHES]
    if unknown := [name for name in names if name not in known]:
        print(f"Unknown picture {unknown[0]!r}. Choose from {', '.join(known)}.", file=sys.stderr)
        return 2
    failed = False
    with tempfile.TemporaryDirectory() as data:
        for name in names or known:
            try:
                if name in screens:
                    drawn = asyncio.run(take(screens[name], data_for(screens[name], Path(data))))
                else:
                    drawn = drawn_by_command(name, Path(data))
            except (PictureError, AssertionError) as error:
                failed = True
                print(f"{name}: not written, because {error}", file=sys.stderr)
            else:
                (folder / f"{name}.svg").write_text(drawn, encoding="utf-8")
                print(name, flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

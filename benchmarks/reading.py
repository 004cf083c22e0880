"""Words, numbers and keys to read in a match at 80x24: `python -m benchmarks.reading [--quick]`."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.cells import cell_len
from textual.geometry import Region
from textual.screen import Screen

from arcade.app import ArcadeApp
from arcade.engines.registry import ORDER, get_game
from arcade.matches import usual_match
from arcade.play.match import new_match
from arcade.screens.match import MatchScreen
from arcade.screens.navigation import OpenMatch
from arcade.widgets.board import Board
from arcade.widgets.keys import KeyFooter
from benchmarks.table import Row, main
from tools.actions import act, rested

SIZE = (80, 24)
DEAL = 3
"""The seed of a dealt start."""
SEEDS = {"hexapawn": 5}
"""Of the person's moves: a win at Hexapawn; the others are lost or tied."""
MIDDLE = 1
"""Moves of the person before the middle."""


@dataclass(frozen=True)
class Load:
    words: int
    numbers: int
    """With a digit, such as moves."""
    keys: int


def _cells(screen: Screen[object]) -> Iterator[list[tuple[str, bool]]]:
    """Characters of each line, and whether they name a key; boards are blank."""
    boards = [board.region for board in screen.query(Board)]
    footers = [footer.region for footer in screen.query(KeyFooter)]
    for y, strip in enumerate(screen._compositor.render_strips()):
        line: list[tuple[str, bool]] = []
        for text, style, _ in strip:
            for character in text:
                at = Region(len(line), y, 1, 1)
                hidden = any(region.contains_region(at) for region in boards)
                linked = "@click" in (style.meta if style else {})
                inside = any(region.contains_region(at) for region in footers)
                key = style is not None and bool(style.bold) and (linked or inside)
                line += [(" " if hidden else character, key)] * cell_len(character)
        yield line


def load_of(screen: Screen[object]) -> Load:
    """Without boards."""
    words = numbers = keys = 0
    for line in _cells(screen):
        token = ""
        named = False
        for character, key in [*line, (" ", False)]:
            if not character.isspace() and (not token or key == named):
                token, named = token + character, key
                continue
            keys += bool(token) and named
            numbers += not named and any(map(str.isdigit, token))
            words += not named and any(map(str.isalpha, token)) and not any(map(str.isdigit, token))
            token, named = ("", False) if character.isspace() else (character, key)
    return Load(words, numbers, keys)


async def moments(
    name: str, folder: Path, size: tuple[int, int] = SIZE
) -> AsyncIterator[tuple[str, ArcadeApp]]:
    """Moments of a newcomer's first match, with the app."""
    game, chance = get_game(name), random.Random(SEEDS.get(name, 3))
    app = ArcadeApp(None, folder, warm=False)
    app.services.settings = replace(app.services.settings, calm=True)
    usual = usual_match(app.services, game)
    start = replace(usual.start, seed=DEAL) if game.parameters.seeded else usual.start
    match = new_match(start, tuple(usual.seats), app.services.machines, seed=1)
    game.solver.warm()
    async with app.run_test(size=size) as pilot:
        app.open_match(OpenMatch(match))
        await rested(pilot, lambda: isinstance(app.screen, MatchScreen) and app.screen.is_mounted)
        yield "first match", app
        screen = app.screen
        assert isinstance(screen, MatchScreen)
        while screen.story:
            screen.action_go_on()
        own = 0
        await rested(pilot, lambda: screen.scene.move_refusal is None)
        while not screen.scene.finished:
            position = screen.match.position
            moves = position.moves()
            open_ends = [move for move in moves if position.play(move).outcome() is None]
            screen.on_board_play(Board.Play(screen.board, chance.choice(open_ends or moves)))
            await rested(pilot, lambda: screen.scene.finished or screen.scene.move_refusal is None)
            own += 1
            if own == MIDDLE and not screen.scene.finished:
                yield "middle", app
        yield "end", app
        await act(pilot, "back")
        await rested(pilot)
        yield "review, looking back", app
        if screen.refusal("review") is None:
            await act(pilot, "review")
            await rested(pilot)
            yield "review, with a question", app


async def _loads(names: tuple[str, ...]) -> list[Row]:
    rows = []
    for name in names:
        with TemporaryDirectory() as folder:
            async for moment, app in moments(name, Path(folder)):
                load = load_of(app.screen)
                told = f"{load.words} words, {load.numbers} numbers, {load.keys} keys"
                rows.append((f"{name}: {moment}", told, ""))
    return rows


def rows(quick: bool = False) -> list[Row]:
    """Quickly: one game."""
    return asyncio.run(_loads(("chocobar",) if quick else tuple(ORDER)))


if __name__ == "__main__":
    main(rows)

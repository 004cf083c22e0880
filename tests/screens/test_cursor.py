from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from arcade.engines.control import Control
from arcade.engines.registry import get_game
from arcade.play.headless import look_back, play_to_end
from arcade.play.scene import BoardScene
from arcade.screens.chocobar import ChocobarBoard
from arcade.screens.demonstration import DemonstrationScreen
from arcade.screens.match import MatchScreen
from arcade.widgets.board import Board
from arcade.widgets.keys import Shortcuts
from tests.engines.test_conformance import SMALL
from tests.narrow import present
from tests.screens.pilots import (
    app_of,
    app_with,
    at_rest,
    match_of,
    play_next,
    pressed,
    reached,
    running,
)

pytestmark = pytest.mark.usefixtures("instant", "instant_race")


async def cursor_is_drawn(pilot: Pilot[Any]) -> bool:
    """Whether the board looks otherwise without the focus; in characters, colours aside."""
    screen = pilot.app.screen
    board = screen.board if isinstance(screen, MatchScreen) else screen.query_one(Board)
    seen = []
    for focused in (board, None, board):
        screen.set_focus(focused)
        await pilot.pause()
        seen.append([board.render_line(y).text for y in range(board.size.height)])
    return seen[0] != seen[1]


@pytest.mark.slow
async def test_review_shows_the_cursor_after_it_is_moved() -> None:
    async with running(app_with()) as (_, pilot):
        for name in ("chocobar", "hexapawn", "tetromino", "honshu"):
            seats = ("random", "random")[: 1 if name == "honshu" else 2]
            screen = await play_next(pilot, play_to_end(match_of(SMALL[name][0], *seats)))
            assert not await cursor_is_drawn(pilot), name
            await pilot.press("comma")
            assert not await cursor_is_drawn(pilot), name
            before = screen.board.view.position
            # A move that nobody has seen is not made.
            await pilot.press("enter")
            assert screen.board.view.position == before, name
            assert await cursor_is_drawn(pilot), name

        # Who is asked for a better move sees the whole board first, and all ways on.
        match = match_of("chocobar:3x4", "random", "random")
        for word in ("3,2", "2,4", "1,3", "3,1", "1,2", "2,1"):
            match.play(match.game.parse_move(word, match.position))
        look_back(match, Control())
        screen = await play_next(pilot, match)
        await pilot.press("m")
        assert screen.session.state.question is not None
        assert not await cursor_is_drawn(pilot)
        status = screen.query_one("#status", Shortcuts)
        assert len(str(status.render())) <= status.content_size.width
        await pilot.press("down")
        assert await cursor_is_drawn(pilot)
        screen.session.play(match.better_moves(screen.session.branch)[0])
        await pilot.pause()
        ways = str(status.render()).splitlines()[-1]
        assert "Esc" in ways
        assert len(ways) <= status.content_size.width


async def test_watched_match_shows_no_cursor() -> None:
    async with at_rest(app_of("hexapawn:3x3", "random", "random")) as (app, pilot):
        assert not await cursor_is_drawn(pilot)
        app.push_screen(DemonstrationScreen([get_game("hexapawn")], 1))
        await reached(pilot, DemonstrationScreen)
        assert not await cursor_is_drawn(pilot)


@pytest.mark.slow
async def test_enter_plays_the_hinted_move(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(app_with()) as (_, pilot):
        for texts in SMALL.values():
            await play_hint(pilot, texts[-1])
        # On the screen of a game that has none of its own.
        monkeypatch.setattr("arcade.screens.games.screen_class", lambda name: MatchScreen)
        await play_hint(pilot, SMALL["chocobar"][-1])


async def play_hint(pilot: Pilot[Any], text: str) -> None:
    screen = await play_next(pilot, match_of(text))
    await pressed(pilot, "i", until=lambda: screen.session.state.hint is not None)
    hint = present(screen.session.state.hint)
    await pilot.press("i", "enter")
    if not screen.match.plies and screen.match.game.name == "hexapawn":
        # The first one takes the pawn.
        await pilot.press("enter")
    assert [str(ply.move) for ply in screen.match.plies] == [str(hint.move)], text


def test_missed_move_does_not_move_the_cursor() -> None:
    position = get_game("chocobar").new({})
    view = BoardScene(position, position, playable=True)
    board, move = ChocobarBoard(view), position.moves()[5]
    before = board.cursor
    board.show(replace(view, hinted=move, missed=True))
    assert board.view.hinted == move
    assert board.cursor == before
    board.show(view)
    board.show(replace(view, hinted=move))
    assert board.move_at(board.cursor) == move

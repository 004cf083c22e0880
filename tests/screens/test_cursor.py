from typing import Any

import pytest
from textual.pilot import Pilot

from arcade.engines.control import Control
from arcade.engines.registry import get_game, parse_game_id
from arcade.play.headless import look_back, play_out
from arcade.play.match import new_match
from arcade.screens.demonstration import DemonstrationScreen
from arcade.screens.match import MatchScreen
from arcade.widgets.board import Board
from arcade.widgets.keys import Shortcuts
from tests.engines.test_conformance import SMALL
from tests.narrow import expect
from tests.screens.pilots import app_of, app_with, at_rest, plies_of, pressed, reached, top_screen

pytestmark = pytest.mark.usefixtures("instant")


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


@pytest.mark.parametrize("name", ["chocobar", "hexapawn", "tetromino", "honshu"])
async def test_in_review_a_cursor_comes_when_somebody_moves_it(name: str) -> None:
    seats = ("random", "random")[: 1 if name == "honshu" else 2]
    app = app_with(play_out(new_match(parse_game_id(SMALL[name][0]), seats, seed=1)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert not await cursor_is_drawn(pilot)
        await pilot.press("comma")
        assert not await cursor_is_drawn(pilot)
        board = expect(MatchScreen, app.screen).board
        before = board.view.position
        # A move that nobody has seen is not made.
        await pilot.press("enter")
        assert board.view.position == before
        assert await cursor_is_drawn(pilot)


async def test_who_is_asked_for_a_better_move_sees_the_whole_board_first_and_all_ways_on() -> None:
    match = new_match(parse_game_id("chocobar:3x4"), ("random", "random"), seed=1)
    for word in ("3,2", "2,4", "1,3", "3,1", "1,2", "2,1"):
        match.play(match.game.parse_move(word, match.position))
    look_back(match, Control())
    async with app_with(match).run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("m")
        screen = expect(MatchScreen, pilot.app.screen)
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


async def test_who_watches_sees_no_cursor() -> None:
    async with at_rest(app_with(new_match(parse_game_id("hexapawn:3x3"), ("random", "random")))) as (
        app,
        pilot,
    ):
        assert not await cursor_is_drawn(pilot)
        app.push_screen(DemonstrationScreen([get_game("hexapawn")], 1))
        await reached(pilot, DemonstrationScreen)
        assert not await cursor_is_drawn(pilot)


@pytest.mark.parametrize("name", [*SMALL, "plain"])
async def test_after_a_hint_enter_plays_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "plain":
        monkeypatch.setattr("arcade.screens.games.screen_class", lambda name: MatchScreen)
    text = SMALL.get(name, SMALL["chocobar"])[-1]
    async with at_rest(app_of(text)) as (app, pilot):
        screen = top_screen(app, MatchScreen)
        await pressed(pilot, "i", until=lambda: screen.session.state.hint is not None)
        hint = screen.session.state.hint
        assert hint is not None
        await pilot.press("i", "enter")
        if not screen.match.plies and name == "hexapawn":
            # The first one takes the pawn.
            await pilot.press("enter")
        assert plies_of(app) == [str(hint.move)]

"""Only the left button of the mouse does anything, on every board and every screen."""

from itertools import product
from typing import Any

import pytest
from textual import events
from textual.geometry import Offset
from textual.message import Message
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import OptionList

from arcade.app import ArcadeApp
from arcade.engines.registry import get_game
from arcade.play.match import HUMAN
from arcade.screens.exercises import LessonScreen
from arcade.screens.hexapawn.board import PawnBoard
from arcade.screens.honshu.panels import Hand
from arcade.screens.match import MatchScreen
from arcade.services import Services
from arcade.study.lessons import LessonProgress
from arcade.widgets.board import Board, GridBoard, ListBoard
from tests.screens.pilots import (
    app_with,
    back_to_menu,
    match_of,
    play_next,
    plies_of,
    reached,
    rested,
    running,
    settled,
)
from tests.screens.starts import all_starts, burst, send, settle

pytestmark = pytest.mark.usefixtures("instant", "instant_race")

LEFT, MIDDLE, RIGHT = 1, 2, 3

OTHERS = (MIDDLE, RIGHT)

GAMES = {
    "chocobar": "chocobar:3x4",
    "hexapawn": "hexapawn:3x3",
    "tetromino": "tetromino:4x5",
    "honshu": "honshu:5x2#1",
    "menace": "menace",
}


@pytest.fixture(autouse=True)
def knowing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who has played before: nothing is explained, and the first click plays."""
    monkeypatch.setattr(Services, "has_seen", lambda services, game: True)


def mouse(kind: type[events.MouseEvent], at: tuple[int, int], button: int = 0) -> events.MouseEvent:
    return kind(None, *at, 0, 0, button, False, False, False, *at)


async def click(pilot: Pilot[Any], at: tuple[int, int], button: int, times: int = 1) -> None:
    """Click a place of the screen as a driver tells it."""
    pressed = (mouse(events.MouseDown, at, button), mouse(events.MouseUp, at, button))
    await send(pilot, mouse(events.MouseMove, at), *pressed * times)
    await rested(pilot)


async def place_of_a_move(pilot: Pilot[Any], board: Board) -> tuple[int, int]:
    """Where a left click on the board plays a move."""
    board.preview_move(board.view.position.moves()[0])
    await settle(pilot)
    if not isinstance(board, GridBoard):
        return board.query_one(OptionList).content_region.offset
    if board.position.text().startswith("ppp"):
        # A click on a square that a pawn can go to selects the pawn first.
        await pilot.press("enter")
    rows, columns = board.shape
    cells = product(range(rows), range(columns))
    cell = next(cell for cell in cells if board.aimed(cell) == board.cursor)
    return board.region.offset + board.region_of(cell).offset


def state_of(board: Board) -> tuple[object, ...]:
    names = ("cursor", "selected", "piece", "orientation", "orientations", "index", "rotation")
    return tuple(str(getattr(board, name, None)) for name in names)


async def test_only_left_clicks_on_a_board_play_moves() -> None:
    async with running(app_with(), (100, 34)) as (app, pilot):
        for name, text in GAMES.items():
            board = (await play_next(pilot, match_of(text, *[HUMAN] * len(get_game(name).sides[:2])))).board
            at = await place_of_a_move(pilot, board)
            await send(pilot, mouse(events.MouseMove, at))
            before = state_of(board)
            for button, times in product(OTHERS, (1, 2)):
                await click(pilot, at, button, times)
                assert (plies_of(app), state_of(board)) == ([], before), (name, button)
            await click(pilot, at, LEFT)
            assert len(plies_of(app)) == 1, name


async def test_only_left_clicks_work_on_move_list_and_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("arcade.screens.chocobar.ChocobarScreen.BOARD", ListBoard)
    async with running(app_with(), (100, 34)) as (app, pilot):
        screen = await play_next(pilot, match_of(GAMES["chocobar"]))
        at = await place_of_a_move(pilot, screen.board)
        for button in OTHERS:
            await click(pilot, at, button)
            assert plies_of(app) == [], button
        await click(pilot, at, LEFT)
        assert len(plies_of(app)) == 1

        screen = await play_next(pilot, match_of(GAMES["honshu"]))
        at = next(hand.region.offset for hand in screen.query(Hand) if hand.region) + Offset(0, 1)
        for button in OTHERS:
            await click(pilot, at, button)
            assert state_of(screen.board)[-2:] == ("0", "0"), button
        await click(pilot, at, LEFT)
        assert state_of(screen.board)[-2:] == ("0", "1")


async def test_other_mouse_buttons_do_nothing_in_lessons() -> None:
    async with running(ArcadeApp(warm=False), (100, 34)) as (app, pilot):
        for name in GAMES:
            if not get_game(name).teaching.lessons:
                continue
            lesson = LessonScreen(app.services, LessonProgress(get_game(name)))
            app.push_screen(lesson)
            await settle(pilot)
            board = lesson.board
            middle = board.region.offset + Offset(board.size.width // 2, board.size.height // 2)
            for button in OTHERS:
                await click(pilot, middle, button)
                await click(pilot, await place_of_a_move(pilot, board), button)
                assert (lesson.session.course.tried, lesson.session.course.solved) == (None, False), (
                    name,
                    button,
                )
            await back_to_menu(pilot)


@pytest.mark.slow
async def test_widgets_ignore_other_mouse_buttons(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    post = Widget.post_message

    def listen(widget: Widget, message: Message) -> bool:
        if isinstance(message, events.MouseDown | events.MouseUp | events.Click):
            heard.append(f"{widget} hears {message}")
        return post(widget, message)

    monkeypatch.setattr(Widget, "post_message", listen)
    async with running(ArcadeApp(warm=False), (100, 34)) as (app, pilot):
        for start in {start.screen: start for start in all_starts()}.values():
            await start.open(pilot)
            await settle(pilot)
            focused, opened = app.focused, [*app.screen_stack]
            for at in product((5, 85), (0, 16, 33)):
                pressed = ((kind, button) for button in OTHERS for kind in (events.MouseDown, events.MouseUp))
                await burst(pilot, *(mouse(kind, at, button) for kind, button in pressed))
            assert not heard, start.name
            assert (app.focused, app.screen_stack) == (focused, opened), start.name
            await send(pilot, mouse(events.MouseDown, (50, 16), LEFT), mouse(events.MouseUp, (50, 16), LEFT))
            assert heard or app.screen_stack != opened, start.name
            heard.clear()
            await back_to_menu(pilot)


async def test_dragged_pawn_moves_to_the_square_where_it_is_dropped() -> None:
    async with running(app_with(match_of("hexapawn:3x3"))) as (app, pilot):
        board = app.screen.query_one(PawnBoard)
        where = {
            cell: board.region.offset + board.region_of(cell).center for cell in ((2, 0), (1, 0), (0, 2))
        }
        places = {cell: (int(at.x), int(at.y)) for cell, at in where.items()}

        async def drag(*cells: tuple[int, int]) -> None:
            moves = [mouse(events.MouseMove, places[cell], LEFT) for cell in cells[1:]]
            ends = (
                mouse(events.MouseDown, places[cells[0]], LEFT),
                mouse(events.MouseUp, places[cells[-1]], LEFT),
            )
            await send(pilot, ends[0], *moves, ends[1])
            await rested(pilot)

        await drag((2, 0), (0, 2))
        assert plies_of(app) == [], "no pawn can go there"
        await drag((2, 0), (1, 0))
        assert plies_of(app) == ["a2"]


@pytest.mark.slow
@pytest.mark.parametrize("text", ["honshu:12x5#1", "tetromino:4x16"])
async def test_wheel_over_a_scroll_bar_scrolls_the_board(text: str) -> None:
    async with running(app_with(match_of(text)), size=(40, 20)) as (_, pilot):
        board: Any = (await reached(pilot, MatchScreen)).board
        await settled(pilot, lambda: board.max_scroll_y)
        board.scroll_to(y=0, animate=False)
        held = board.move_at(board.cursor)
        bar = board.vertical_scrollbar
        x, y = bar.region.offset
        for kind in (events.MouseScrollDown, events.MouseScrollUp):
            for _ in range(2 * board.max_scroll_y):
                await send(pilot, kind(None, x, y, 0, 0, 0, False, False, False, x, y))
            down = kind is events.MouseScrollDown
            assert board.scroll_offset.y == (board.max_scroll_y if down else 0)
        assert board.move_at(board.cursor) == held
        await send(pilot, events.MouseScrollDown(None, 5, 5, 0, 0, 0, False, False, False, 5, 5))
        assert board.move_at(board.cursor) != held

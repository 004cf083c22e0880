import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from textual.geometry import Offset, Region
from textual.pilot import Pilot

from arcade.app import ArcadeApp
from arcade.engines.registry import get_game, installed_games, parse_game_id
from arcade.play.match import new_match
from arcade.screens.base import ENTER_REST
from arcade.screens.dialogs import HelpScreen, NewMatchDialog
from arcade.screens.exercises import LessonScreen
from arcade.screens.honshu.board import HonshuMap
from arcade.screens.match import MatchScreen
from arcade.screens.menu import Card, MenuScreen
from arcade.screens.navigation import OpenLessons, OpenMatch
from arcade.screens.tetromino import TetrominoBoard
from arcade.study.lessons import lessons_of
from arcade.widgets.board import Board, GridBoard
from tests.narrow import expect
from tests.screens.pilots import at_rest, running, top_screen
from tests.screens.starts import came, key_event, resize, send, settle, until

TAUGHT = [game.name for game in installed_games() if game.teaching.lessons]


def lesson_screen(pilot: Pilot[Any]) -> LessonScreen:
    return top_screen(pilot.app, LessonScreen)


def app_for(name: str) -> ArcadeApp:
    return ArcadeApp(warm=False, learning=get_game(name))


async def opened(pilot: Pilot[Any]) -> LessonScreen:
    await came(pilot, LessonScreen)
    return lesson_screen(pilot)


async def learn(pilot: Pilot[Any], name: str) -> LessonScreen:
    """Open the lessons of a game from the menu."""
    pilot.app.post_message(OpenLessons(get_game(name)))
    return await opened(pilot)


async def press(pilot: Pilot[Any], *keys: str) -> None:
    await send(pilot, *map(key_event, keys))


def grid(screen: LessonScreen) -> GridBoard[Any]:
    assert isinstance(screen.board, GridBoard)
    return screen.board


async def walk(pilot: Pilot[Any], board: GridBoard[Any], row: int, column: int) -> None:
    for _ in range(40):
        if board.cursor == (row, column):
            return
        down, right = row - board.cursor[0], column - board.cursor[1]
        await press(pilot, ("down" if down > 0 else "up") if down else ("right" if right > 0 else "left"))
    raise AssertionError(f"the cursor is at {board.cursor}, not at {(row, column)}")


async def play_by_keys(pilot: Pilot[Any], screen: LessonScreen, move: Any) -> None:
    board, name = grid(screen), screen.game.name
    rows = board.shape[0]
    if name == "hexapawn":
        back = 1 if screen.session.course.position.turn else -1
        await walk(pilot, board, rows - 1 - (move.to_row + back), move.column)
        await press(pilot, "enter")
        await walk(pilot, board, rows - 1 - move.to_row, move.to_column)
    elif isinstance(board, TetrominoBoard):
        await press(pilot, str("ILOST".index(move.piece) + 1))
        for _ in range(8):
            if board.orientation == move.orientation:
                break
            await press(pilot, "e" if board.orientation % 4 else "f")
        await walk(pilot, board, rows - 1 - move.rank, move.file)
    elif isinstance(board, HonshuMap):
        while board.tile is not None and board.tile.id != move.tile:
            await press(pilot, "tab")
        while board.rotation != move.rotation:
            await press(pilot, "e")
        await walk(pilot, board, move.row, move.column)
    elif name == "chocobar":
        await walk(pilot, board, move.row - 1, move.column - 1)
    else:
        await walk(pilot, board, *divmod(move.index, 3))
    await press(pilot, "enter")


def middle(region: Region) -> tuple[int, int]:
    return region.x + region.width // 2, region.y + region.height // 2


def answer(screen: LessonScreen) -> Any:
    return min(screen.session.course.lesson.answers, key=str)


def no_answer(screen: LessonScreen) -> Any:
    course = screen.session.course
    return min(set(course.position.moves()) - course.lesson.answers, key=str, default=None)


async def all_is_seen(pilot: Pilot[Any]) -> None:
    lesson = pilot.app.screen.query_one("#task")
    await until(pilot, lambda: lesson.max_scroll_y == 0)


def words(screen: LessonScreen) -> str:
    return screen.text().plain


async def play(screen: LessonScreen, pilot: Pilot[Any], move: Any) -> None:
    screen.board.post_message(Board.Play(screen.board, move))
    await settle(pilot)


async def check_room(pilot: Pilot[Any], screen: LessonScreen) -> None:
    """No text of a lesson has to be scrolled, and its board has room, before and after a wrong move."""
    lesson = screen.session.course.lesson
    await all_is_seen(pilot)
    assert screen.board.fit(screen.board.size) is not None, lesson.name
    wrong = no_answer(screen)
    if wrong is not None:
        await play(screen, pilot, wrong)
        assert lesson.wrong in words(screen)
        await all_is_seen(pilot)


def learned(app: ArcadeApp, name: str, lessons: int) -> bool:
    """Whether the card of a game says that all its lessons are done."""
    return f"Learn {lessons}/{lessons}" in str(app.screen.query_one(f"#card-{name}", Card).border_subtitle)


async def test_second_enter_does_not_skip_the_praise_of_a_lesson() -> None:
    async with at_rest(ArcadeApp(warm=False)) as (_, pilot):
        screen = await learn(pilot, "chocobar")
        lesson = screen.session.course.lesson
        await play(screen, pilot, answer(screen))
        await pilot.press("enter")
        assert screen.session.course.lesson is lesson
        await asyncio.sleep(ENTER_REST)
        await pilot.press("enter")
        assert screen.session.course.lesson is not lesson


async def test_all_lessons_can_be_completed_by_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.screens.exercises.ENTER_REST", 0.0)
    async with at_rest(ArcadeApp(warm=False)) as (app, pilot):
        for name in TAUGHT:
            lessons = lessons_of(get_game(name))
            screen = await learn(pilot, name)
            for number, lesson in enumerate(lessons):
                assert screen.session.course.lesson is lesson
                await check_room(pilot, screen)
                await play_by_keys(pilot, screen, answer(screen))
                assert screen.session.course.solved, lesson.name
                assert lesson.why in words(screen)
                await all_is_seen(pilot)
                assert len(app.services.learned(name)) == number + 1
                await press(pilot, "enter")
            await until(pilot, lambda: isinstance(app.screen, NewMatchDialog))
            await came(pilot, MenuScreen, "escape")
            # A narrow card has no room for numbers.
            await resize(pilot, 100, 24)
            await until(pilot, partial(learned, app, name, len(lessons)))
            await resize(pilot, 80, 24)


@pytest.mark.usefixtures("drawn")
async def test_lesson_texts_fit_a_large_terminal_without_scrolling() -> None:
    async with running(ArcadeApp(warm=False), size=(120, 40)) as (_, pilot):
        for name in TAUGHT:
            screen = await learn(pilot, name)
            for lesson in lessons_of(get_game(name)):
                assert screen.session.course.lesson is lesson
                await check_room(pilot, screen)
                await play(screen, pilot, answer(screen))
                await all_is_seen(pilot)
                await press(pilot, "full_stop")
            await came(pilot, MenuScreen, "q")


@pytest.mark.slow
async def test_chocobar_lessons_can_be_completed_by_mouse() -> None:
    async with at_rest(ArcadeApp(warm=False)) as (app, pilot):
        card = app.screen.query_one("#card-chocobar", Card)

        async def click_learn(done: str) -> LessonScreen:
            await resize(pilot, 100, 24)
            await until(pilot, lambda: f"Learn {done}" in str(card.border_subtitle))
            region = card.region
            assert await pilot.click(offset=Offset(region.right - 25, region.bottom - 1))
            return await opened(pilot)

        screen, at = await click_learn("0/6"), 0
        while not (screen.session.course.last and screen.session.course.solved):
            # Each second one in a larger terminal.
            await resize(pilot, *((120, 40) if at % 2 else (80, 24)))
            board, move = grid(screen), answer(screen)
            cell = board.region_of((move.row - 1, move.column - 1))
            # A second click on a right move goes no further.
            await pilot.click(board, offset=middle(cell), times=1 if at else 2)
            assert (screen.session.course.index, screen.session.course.solved) == (at, True)
            if not at:
                await pilot.click(board, offset=middle(cell))
                assert (screen.session.course.index, screen.session.course.solved) == (at, True)
            if not screen.session.course.last:
                await pilot.click("#actions", offset=(8, 0))
                assert not screen.session.course.solved
                at += 1
        await pilot.click("#actions", offset=(8, 0))
        await until(pilot, lambda: isinstance(app.screen, NewMatchDialog))
        await came(pilot, MenuScreen, "escape")
        assert app.size.width == 120
        await click_learn("6/6")


async def test_lesson_supports_hand_clicks_help_and_ascii_beads() -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        # A click on the hand acts on the board.
        screen = await learn(pilot, "tetromino")
        board = expect(TetrominoBoard, screen.board)
        before = board.orientation
        await pilot.click("#hand", offset=(2, 7))
        assert board.orientation != before
        screen = await learn(pilot, "honshu")
        tiles = expect(HonshuMap, screen.board)
        await pilot.click("#hand Hand", offset=(1, 2))
        assert tiles.rotation == 1
        await pilot.click("#hand Shortcuts", offset=(11, 0))
        assert tiles.rotation == 2

        # The help says what lessons are.
        assert "# Lessons" in screen.help_rules()
        assert "# Honshu" in screen.help_rules()
        await came(pilot, HelpScreen, "question_mark")
        await came(pilot, LessonScreen, "escape")

        # Beads are plain where boards are.
        app.change("ascii", "on")
        screen = await learn(pilot, "menace")
        await press(pilot, *["full_stop"] * 3)
        assert "b2  ooooooo" in words(screen)


async def test_lessons_resume_and_commands_open_other_lessons() -> None:
    async with at_rest(ArcadeApp(warm=False), size=(100, 24)) as (app, pilot):
        await press(pilot, "right", "L")
        screen = await opened(pilot)
        assert screen.game.name == "hexapawn"
        await play(screen, pilot, answer(screen))
        await came(pilot, MenuScreen, "escape")
        card = app.screen.query_one("#card-hexapawn", Card)
        await until(pilot, lambda: "Learn 1/6" in str(card.border_subtitle))
        await press(pilot, "L")
        screen = await opened(pilot)
        assert screen.session.course.index == 1
        await press(pilot, "full_stop", "comma", "comma", "comma")
        assert screen.session.course.index == 0

        # From a lesson the list of commands leads to another game.
        def choose(title: str) -> None:
            commands = app.get_system_commands(app.screen)
            next(each for each in commands if each.title == title).callback()

        choose("Learn Chocobar")
        await until(pilot, lambda: lesson_screen(pilot).game.name == "chocobar")
        await came(pilot, MenuScreen, "q")

        # From a match it leads to the lessons and back.
        app.open_match(OpenMatch(new_match(parse_game_id("chocobar:3x4"), ["human", "human"])))
        await came(pilot, MatchScreen)
        choose("Learn Chocobar")
        await opened(pilot)
        await came(pilot, MatchScreen, "q")


async def test_missing_or_unreadable_lessons_do_not_break_the_menu(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lessons_of.cache_clear()
    for name, file in ("menace", ""), ("hexapawn", "none.toml"):
        game = get_game(name)
        monkeypatch.setattr(game, "teaching", replace(game.teaching, lessons=file))
    async with at_rest(ArcadeApp(warm=False)) as (app, pilot):
        card = app.screen.query_one("#card-menace", Card)
        assert "Learn" not in str(card.border_subtitle)
        card.focus()
        await press(pilot, "L")
        assert isinstance(app.screen, MenuScreen)
        assert all(each.title != "Learn MENACE" for each in app.get_system_commands(card.screen))

        said = "Cannot read the lessons of Hexapawn"
        await until(pilot, lambda: any(said in each.message for each in app._notifications))
        app.clear_notifications()
        app.screen.query_one("#card-hexapawn", Card).focus()
        await press(pilot, "L")
        await until(pilot, lambda: any(said in each.message for each in app._notifications))
        assert isinstance(app.screen, MenuScreen)


SHOWN = {"chocobar": 1, "hexapawn": 3, "tetromino": 2, "honshu": 1, "menace": 4}
"""The lesson of each game in its picture."""


@pytest.mark.parametrize("name", TAUGHT)
def test_lesson_of_each_game_matches_its_picture(snap_compare: Callable[..., bool], name: str) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        screen = await opened(pilot)
        await press(pilot, *["full_stop"] * SHOWN[name])
        if name == "hexapawn":
            await play(screen, pilot, no_answer(screen))
        if name == "chocobar":
            await play(screen, pilot, answer(screen))

    assert snap_compare(app_for(name), terminal_size=(80, 24), run_before=go)

from collections.abc import Callable
from datetime import date
from functools import partial
from importlib import import_module
from itertools import product
from typing import Any

import pytest
from textual.content import Content
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.widgets import OptionList

from arcade.app import ArcadeApp
from arcade.engines.compiled import Kernel
from arcade.engines.registry import get_game
from arcade.screens.dialogs import HelpScreen
from arcade.screens.exercises import PuzzleScreen, PuzzlesDialog
from arcade.screens.menu import Card, MenuScreen
from arcade.screens.navigation import OpenPuzzles
from arcade.study.puzzles import DAILY, PRACTICE, STREAK, Mode, PuzzleAttempt, PuzzleChoice
from arcade.widgets.board import Board, GridBoard
from tests.narrow import expect, present
from tests.screens.pilots import app_with, resized, running, top_screen
from tests.screens.starts import came, settle, until
from tests.screens.test_lessons import middle, press, walk


@pytest.fixture(autouse=True)
def enter_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.screens.exercises.ENTER_REST", 0.0)


async def puzzle(pilot: Pilot[Any]) -> PuzzleScreen:
    await until(
        pilot,
        lambda: (
            isinstance(pilot.app.screen, PuzzleScreen)
            and pilot.app.screen.is_mounted
            and (pilot.app.screen.scene.heading or pilot.app.screen.scene.trouble)
        ),
    )
    await settle(pilot)
    return top_screen(pilot.app, PuzzleScreen)


async def begin(pilot: Pilot[Any], mode: Mode, name: str = "menace", **given: Any) -> PuzzleScreen:
    expect(ArcadeApp, pilot.app).opener.open_puzzles(OpenPuzzles(PuzzleChoice(get_game(name), mode, **given)))
    return await puzzle(pilot)


async def play(pilot: Pilot[Any], screen: PuzzleScreen, move: Any) -> None:
    screen.board.post_message(Board.Play(screen.board, move))
    await settle(pilot)


async def solve(pilot: Pilot[Any], screen: PuzzleScreen) -> None:
    attempt = present(screen.session.round.attempt)
    while not attempt.done:
        await play(pilot, screen, attempt.step.move)


def wrong(screen: PuzzleScreen) -> Any:
    step = present(screen.session.round.attempt).step
    return next(move for move in step.position.moves() if move != step.move)


def has_puzzles(card: Card) -> bool:
    return "Puzzles" in str(card.border_subtitle)


def has_next(screen: PuzzleScreen, before: PuzzleAttempt) -> bool:
    """Whether another puzzle than `before` is on the screen."""
    return not screen.scene.making and screen.session.round.attempt is not before


async def test_daily_puzzles_are_solved_by_keys() -> None:
    async with running(app_with()) as (app, pilot):
        app.screen.query_one("#card-menace", Card).focus()
        await came(pilot, PuzzlesDialog, "P")
        await press(pilot, "enter")
        screen = await puzzle(pilot)
        attempt, board = screen.session.round.attempt, screen.board
        assert attempt is not None
        assert isinstance(board, GridBoard)
        assert attempt.puzzle.task in screen.text().plain

        # The clock stands still under another screen.
        assert screen.session.round.watch.running
        await came(pilot, HelpScreen, "question_mark")
        assert not screen.session.round.watch.running
        await press(pilot, "escape")
        await until(pilot, lambda: app.screen is screen and screen.session.round.watch.running)
        assert screen.board.view.playable

        while not attempt.done:
            await walk(pilot, board, *divmod(attempt.step.move.index, 3))
            await press(pilot, "enter")
            await settle(pilot)
        saved = app.services.puzzle_results("menace")
        assert [(each.mode, each.solved, each.puzzle) for each in saved] == [
            ("daily", True, str(attempt.puzzle.id))
        ]
        await press(pilot, "y")
        assert app.clipboard == screen.session.round.line()
        await press(pilot, "enter")
        await until(
            pilot, lambda: isinstance(app.screen, PuzzleScreen) and app.screen.game.name == "chocobar"
        )
        await came(pilot, MenuScreen, "q")

        # Other puzzles take the place of these.
        screen = await begin(pilot, PRACTICE, own=True)
        assert "You have no mistakes in MENACE yet" in screen.text().plain
        await came(pilot, PuzzlesDialog, "n")
        await press(pilot, "right", "down", "down", "enter")
        await until(pilot, lambda: isinstance(app.screen, PuzzleScreen) and app.screen is not screen)
        other = await puzzle(pilot)
        played = other.session.round
        assert (other.game.name, played.mode, played.grade) == ("chocobar", PRACTICE, 1)
        await came(pilot, MenuScreen, "q")


@pytest.mark.slow
async def test_practice_explains_mistakes_and_gives_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    def compiled(self: Kernel) -> Any:
        raise AssertionError(f"{self.__name__} is compiled here, which stops the screen")

    async with running(app_with()) as (app, pilot):
        # A puzzle is made before anything is compiled.
        with monkeypatch.context() as patched:
            patched.setattr(Kernel, "compiled", property(compiled))
            # With this seed the puzzle needs a search.
            patched.setattr("arcade.studies.random_seed", lambda: 5)
            patched.setattr(app.services.compiler, "ready", lambda game: False)
            patched.setattr(app.services.compiler, "hurry", lambda game: None)
            screen = await begin(pilot, PRACTICE, "hexapawn", grade=1)
            assert screen.session.round.attempt is not None

        # A mistake and hints are told without scrolling.
        screen = await begin(pilot, PRACTICE, grade=3)
        attempt, move = present(screen.session.round.attempt), wrong(screen)
        await play(pilot, screen, move)
        assert f"Not {move}. {attempt.wrong_words()} Try again." in screen.text().plain
        await press(pilot, "i", "i")
        assert screen.board.view.hinted == attempt.step.move
        await solve(pilot, screen)
        assert [each.solved for each in app.services.puzzle_results("menace")] == [False]
        assert screen.query_one("#task").max_scroll_y == 0

        # A click on the board of a solved puzzle does nothing.
        for name, seed in (("chocobar", 5), ("menace", 1)):
            with monkeypatch.context() as patched:
                patched.setattr("arcade.studies.random_seed", partial(int, seed))
                screen = await begin(pilot, PRACTICE, name)
            await solve(pilot, screen)
            attempt, saved = present(screen.session.round.attempt), app.services.puzzle_results(name)
            board = screen.board
            assert isinstance(board, GridBoard)
            rows, columns = board.shape
            cells = product(range(rows), range(columns))
            free = next(cell for cell in cells if board.move_at(cell) is not None)
            await pilot.click(board, offset=middle(board.region_of(free)))
            await settle(pilot)
            assert screen.session.round.attempt is attempt, name
            assert attempt.solved, name
            assert app.services.puzzle_results(name) == saved, name

        # When a puzzle names its move, Enter plays it.
        monkeypatch.setattr("arcade.studies.random_seed", lambda: 7)
        for name in ("chocobar", "hexapawn", "tetromino", "menace"):
            screen = await begin(pilot, PRACTICE, name)
            attempt = present(screen.session.round.attempt)
            await press(pilot, "i", "i", "enter")
            if attempt.tried is None and attempt.position == attempt.puzzle.start and name == "hexapawn":
                # The first one takes the pawn.
                await press(pilot, "enter")
            await settle(pilot)
            assert attempt.last is not None, name
            assert not attempt.mistakes, name


async def test_mistake_ends_a_streak() -> None:
    async with running(app_with()) as (app, pilot):
        # A streak is played by mouse alone.
        for size in ((80, 24), (120, 40)):
            await resized(pilot, *size)
            card = app.screen.query_one("#card-menace", Card)
            await until(pilot, partial(has_puzzles, card))
            words = Content.from_markup(card.border_subtitle or "").plain
            left = card.region.right - 3 - len(words)
            await pilot.click(offset=Offset(left + words.index("Puzzles"), card.region.bottom - 1))
            await came(pilot, PuzzlesDialog)
            listed = app.screen.query_one(OptionList)
            assert listed.max_scroll_y == 0, "all choices are in sight"
            await pilot.click(OptionList, offset=(5, listed.content_region.y - listed.region.y + 1))
            screen = await puzzle(pilot)
            assert screen.session.round.mode is STREAK
            first, board = present(screen.session.round.attempt), screen.board
            assert isinstance(board, GridBoard)
            while not first.done:
                await pilot.click(board, offset=middle(board.region_of(divmod(first.step.move.index, 3))))
                await settle(pilot)
            assert first.solved
            await pilot.click("#actions", offset=(2, 0))
            await until(pilot, partial(has_next, screen, first))
            assert screen.session.round.number == 2
            await came(pilot, MenuScreen, "q")

        # After a mistake another one begins.
        screen = await begin(pilot, STREAK)
        await play(pilot, screen, wrong(screen))
        assert screen.scene.over
        await press(pilot, "enter")
        await until(pilot, lambda: app.screen is not screen)
        screen = await puzzle(pilot)
        assert screen.session.round.mode is STREAK


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A day and a seed that never change."""
    monkeypatch.setattr("arcade.studies.random_seed", lambda: 5)
    modules = ("arcade.study.puzzles", "arcade.studies", "arcade.screens.exercises", "arcade.screens.opening")
    for module in [import_module(name) for name in modules]:
        monkeypatch.setattr(module, "today", lambda: date(2026, 11, 26))
    monkeypatch.setattr("arcade.study.puzzles.Stopwatch.seconds", 41.0)


def test_puzzle_dialog_matches_its_picture(snap_compare: Callable[..., bool], settled: None) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        screen = await begin(pilot, DAILY)
        await solve(pilot, screen)
        await came(pilot, PuzzlesDialog, "n")

    assert snap_compare(app_with(), terminal_size=(80, 24), run_before=go)


@pytest.mark.parametrize("name", ["hexapawn", "tetromino"])
def test_puzzle_matches_its_picture(snap_compare: Callable[..., bool], settled: None, name: str) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        screen = await begin(pilot, DAILY, name)
        if name == "tetromino":
            await play(pilot, screen, wrong(screen))
        else:
            await solve(pilot, screen)

    size = (80, 24) if name == "hexapawn" else (120, 40)
    assert snap_compare(app_with(), terminal_size=size, run_before=go)

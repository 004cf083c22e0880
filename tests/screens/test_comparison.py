"""The comparison of methods in the app."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from arcade.app import ArcadeApp
from arcade.engines.control import Control
from arcade.engines.reference_methods import OUT_OF_TIME
from arcade.engines.registry import AnyGame, get_game
from arcade.screens.comparison import LIMITS, ComparisonScreen
from arcade.screens.menu import Card, MenuScreen
from arcade.screens.navigation import OpenComparison
from arcade.study import comparison
from arcade.study.comparison import Trial, chosen
from tests.screens.pilots import reached, said, set_up, settled, top_screen

TRIALS = [
    Trial(f"honshu:{size}", method, f"score {number}", 10.0 ** (number - 4), 1000 * number, number << 20)
    for number, size in enumerate(("5x2#1", "6x4#1"), 1)
    for method in ("greedy", "solver")
] + [Trial("honshu:7x6#1", "greedy", gave_up=OUT_OF_TIME)]


def on_top(app: ArcadeApp) -> ComparisonScreen:
    return top_screen(app, ComparisonScreen)


def rows(screen: ComparisonScreen) -> list[list[str]]:
    return [[cell.plain for cell in screen.table.get_row_at(row)] for row in range(screen.table.row_count)]


def now(screen: ComparisonScreen) -> str:
    return str(screen.query_one("#now", Static).content)


def drawn(screen: ComparisonScreen) -> str:
    return str(screen.query_one("#chart Static", Static).content)


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """A comparison that goes on until it is cancelled, after the rows of `TRIALS`; the boards that it got."""
    got: list[Sequence[str]] = []

    def compare(
        game: AnyGame,
        boards: Sequence[str],
        seconds: float,
        control: Control,
        told: Callable[[str, str], None],
    ) -> Iterator[Trial]:
        got.append(boards)
        yield from TRIALS
        while not control.stopped:
            told("honshu:7x6#1", "solver")
            time.sleep(0.005)

    monkeypatch.setattr(comparison, "compare", compare)
    return got


async def test_methods_are_compared_from_the_menu_and_one_that_fails_is_named(
    app: ArcadeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot, lambda: bool(app.screen.query(Card)))
        app.screen.query_one("#card-menace").focus()
        await reached(pilot, ComparisonScreen, "command:compare")
        screen = on_top(app)
        assert "table: " in drawn(screen)
        screen.seconds = LIMITS[-1]
        # Those with a tree take seconds.
        with monkeypatch.context() as patched:
            patched.setattr(comparison, "chosen", lambda game, _: chosen(game, ("table", "arcade")))
            await pilot.press("p")
            assert screen.busy
            await settled(pilot, lambda: not screen.busy)
        assert now(screen).startswith("Finished.")
        assert [(row[1], row[5].partition(";")[0]) for row in rows(screen)] == [
            ("table", "765 boxes"),
            ("arcade", "304 boxes"),
        ]
        assert "visits to free: 1" in drawn(screen)
        await pilot.press("y")
        assert app.clipboard.splitlines()[1].split()[:2] == ["menace", "table"]
        assert "Time, a factor of 10" in app.clipboard
        await reached(pilot, MenuScreen, "q")

        # A method that fails is named.
        def broken(*_: object) -> Iterator[Trial]:
            yield TRIALS[0]
            raise RuntimeError("The method greedy has failed on honshu:6x4#1.")

        with monkeypatch.context() as patched:
            patched.setattr(comparison, "compare", broken)
            app.open_comparison(OpenComparison(get_game("honshu")))
            await reached(pilot, ComparisonScreen)
            await pilot.press("p")
            await settled(pilot, lambda: not on_top(app).busy)
        assert said(app) == "The method greedy has failed on honshu:6x4#1."
        assert len(rows(on_top(app))) == 1


async def test_a_running_comparison_shows_its_rows_and_ends_at_once(
    app: ArcadeApp, endless: list[Sequence[str]]
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        app.open_comparison(OpenComparison(get_game("menace")))
        await reached(pilot, ComparisonScreen)
        screen = on_top(app)
        while screen.game.name != "honshu":
            await pilot.press("right")
        # Fewer boards, then own ones; a wrong one is refused in the dialog.
        await pilot.press("down", "left", "left")
        assert screen.sizes == ("5x2#1", "6x4#1")
        await pilot.press("enter", *"5x2 nine", "enter")
        assert "'nine'" in str(app.screen.query_one(".error", Static).content)
        await pilot.press(*["backspace"] * 4, *"6x4", "enter")
        await settled(pilot, lambda: app.screen is screen)
        await pilot.press("p")
        await settled(pilot, lambda: now(screen) == "7x6#1: solver is at work, 0 s of 5 s. x stops.")
        assert endless == [["honshu:5x2", "honshu:6x4"]]
        assert [row[0] for row in rows(screen)] == ["5x2#1"] * 2 + ["6x4#1"] * 2 + ["7x6#1"]
        assert rows(screen)[-1][2:] == ["gave up", "-", "-", OUT_OF_TIME]
        assert rows(screen)[2][2:] == ["0.010000", "2,000", "2.0", "score 2"]
        await pilot.press("up", "right")
        assert said(app) == "A comparison is running; x stops it."
        control = screen.jobs.controls["compare"]
        await pilot.press("x")
        assert control.cancelled
        assert not screen.busy
        assert now(screen).startswith("Stopped.")
        assert len(rows(screen)) == len(TRIALS)
        # Another game begins with nothing.
        await pilot.press("right")
        assert rows(screen) == []
        await pilot.press("p")
        await settled(pilot, lambda: len(rows(screen)) == len(TRIALS))
        control = screen.jobs.controls["compare"]
        await pilot.press("q")
        await settled(pilot, lambda: control.cancelled)


@pytest.mark.parametrize("settings", [{}, {"ascii": "on"}], ids=["80x24", "plain"])
def test_a_comparison_looks_like_this(
    app: ArcadeApp,
    endless: list[Sequence[str]],
    snap_compare: Callable[..., bool],
    settings: dict[str, str],
) -> None:
    set_up(app, **settings)

    async def before(pilot: Pilot[Any]) -> None:
        app.open_comparison(OpenComparison(get_game("honshu")))
        await reached(pilot, ComparisonScreen)
        await pilot.press("p")
        await settled(pilot, lambda: len(rows(on_top(app))) == len(TRIALS))
        # A table widens its columns when it is idle.
        last = on_top(app).table.ordered_columns[-1]
        await settled(pilot, lambda: last.content_width >= len(OUT_OF_TIME))
        await pilot.press("x")
        await settled(pilot, lambda: not on_top(app).busy)

    assert snap_compare(app, terminal_size=(80, 24), run_before=before)

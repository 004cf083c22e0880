import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static

from arcade.app import MAX_PASTE_LENGTH, ArcadeApp
from arcade.screens.base import ArcadeScreen, Dialog
from arcade.screens.dialogs import Prompt
from arcade.screens.games import screen_class
from arcade.screens.match import MatchScreen
from arcade.screens.menace.boxes import BoxPanel
from arcade.screens.menace.laboratory import LaboratoryScreen
from arcade.screens.menace.machines import BoxDialog, WallScreen
from arcade.screens.menu import Card, MenuScreen
from arcade.services import Services
from arcade.textual_fixes import Palette
from tests.screens.pilots import (
    app_with,
    back_to_menu,
    match_of,
    play_next,
    plies_of,
    running,
    said,
    top_screen,
)
from tests.screens.starts import came, hand, key_event, resize, send, settle, until

pytestmark = pytest.mark.usefixtures("instant")

SMALL = (59, 19)
"""Columns and lines that are too few for every full screen."""


@pytest.mark.slow
async def test_typed_ahead_input_reaches_newly_opened_screens() -> None:
    async with running(app_with()) as (app, pilot):
        await settle(pilot)
        # From the menu to a move.
        hand(app, *map(key_event, ("enter", "h", "w", "enter")))
        await until(pilot, lambda: isinstance(app.screen, MatchScreen) and plies_of(app))
        assert plies_of(app)[0] == "(3,4)"

        # A move and its prompt.
        await play_next(pilot, match_of("chocobar:3x4"))
        hand(app, *map(key_event, ("command:type", *"2,3", "enter", "command:type", *"1,4", "enter")))
        await until(pilot, lambda: isinstance(app.screen, MatchScreen) and len(plies_of(app)) == 2)
        assert plies_of(app) == ["(2,3)", "(1,4)"]

        # In the menu Enter opens the card that the arrow before it leads to.
        await back_to_menu(pilot)
        app.screen.query_one("#card-hexapawn", Card).focus()
        await settle(pilot)
        hand(app, *map(key_event, ("left", "enter")))
        await until(pilot, lambda: isinstance(app.screen, MatchScreen))
        assert top_screen(app, MatchScreen).match.game.name == "chocobar"

        # Pasted text follows the key that asks for it.
        await back_to_menu(pilot)
        hand(app, key_event("o"), events.Paste("chocobar:5x4"), key_event("enter"))
        await until(pilot, lambda: isinstance(app.screen, MatchScreen))
        assert str(top_screen(app, MatchScreen).match.start).startswith("chocobar:5x4")

        # Keys for a box wait until it is there.
        await back_to_menu(pilot)
        wall = WallScreen("menace")
        app.push_screen(wall)
        await until(pilot, lambda: wall.machine is not None)
        hand(app, *map(key_event, ("enter", "right", "right", "left")))
        await until(pilot, lambda: isinstance(app.screen, BoxDialog) and app.screen.query(BoxPanel))
        await settle(pilot)
        assert top_screen(app, BoxDialog).at == 1

        # A text without end is not pasted.
        await back_to_menu(pilot)
        app.action_open_id()
        await until(pilot, lambda: isinstance(app.screen, Prompt) and app.screen.query(Input))
        await send(pilot, events.Paste("a2 " * MAX_PASTE_LENGTH), events.Paste("b3"))
        assert app.screen.query_one(Input).value == "b3"
        assert "too long to paste" in said(app)


async def test_busy_screen_still_receives_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arcade.textual_fixes.MAX_WAIT_SECONDS", 0.05)

    class Restless(Static):
        class Again(Message):
            pass

        def on_mount(self) -> None:
            self.post_message(self.Again())

        async def on_restless_again(self) -> None:
            self.post_message(self.Again())
            await asyncio.sleep(0)

    async with running(ArcadeApp(warm=False)) as (app, pilot):
        await app.screen.mount(Restless())
        hand(app, *map(key_event, ("o", "x", "y")))
        await until(pilot, lambda: isinstance(app.screen, Prompt) and app.screen.query(Input))
        await until(pilot, lambda: not app._heard)
        hand(app, key_event("escape"))
        await until(pilot, lambda: isinstance(app.screen, MenuScreen))
        app.exit()


SCREENS: dict[type[ArcadeScreen], Callable[[], ArcadeScreen | None]] = {
    MatchScreen: lambda: screen_class("chocobar")(Services(warm=False), match_of("chocobar:3x4")),
    WallScreen: lambda: WallScreen("menace"),
    LaboratoryScreen: lambda: LaboratoryScreen("menace"),
    MenuScreen: lambda: None,
}


async def test_only_q_works_on_a_too_small_screen() -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        # The menu comes last, because q ends the arcade there.
        for kind, made in SCREENS.items():
            screen = made()
            if screen is not None:
                app.push_screen(screen)
            await came(pilot, kind)
            await resize(pilot, *SMALL)
            top, focused = app.screen, app.screen.focused
            keys = (
                "enter",
                "space",
                "l",
                "o",
                "S",
                "n",
                "u",
                "t",
                "c",
                "e",
                "b",
                "v",
                "question_mark",
                "tab",
            )
            for key in (*keys, "ctrl+p", "colon", "escape", "x", "y"):
                await send(pilot, key_event(key))
            await send(pilot, events.Paste("chocobar"))
            assert app.screen is top
            assert top.focused is focused
            assert not isinstance(top, MatchScreen) or not (top.match.plies or top.session.state.values_shown)
            assert not isinstance(top, LaboratoryScreen) or not top.busy
            await send(pilot, key_event("q"))
            if kind is MenuScreen:
                await send(pilot, key_event("q"))
            await until(pilot, partial(gone, app, top))
            if kind is not MenuScreen:
                await resize(pilot, 80, 24)


def gone(app: ArcadeApp, screen: Screen[Any]) -> bool:
    return not app.is_running or app.screen is not screen


async def test_resizes_and_mouse_moves_leave_the_app_responsive(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(app_with(match_of("chocobar:18x18")), size=(60, 20)) as (app, pilot):
        # A board that is too large for the screen scrolls, so that no move is made blindly.
        board: Any = (await came(pilot, MatchScreen)).board
        assert board.fit(board.size) is None
        await send(pilot, *map(key_event, ("w",) * 17))
        await pilot.pause()
        assert board.size.region.contains_region(board.region_of((0, 17)))
        assert not board.size.region.contains_region(board.region_of((17, 17)))
        await send(pilot, key_event("enter"))
        assert plies_of(app) == ["(1,18)"]
        await resize(pilot, 160, 50)
        await pilot.pause()
        assert board.size.region.contains_region(board.region_of((17, 0)))

        # A click beside a terminal that has shrunk is none.
        await play_next(pilot, match_of("chocobar:3x4"))
        app.action_command_palette()
        await came(pilot, Palette)
        palette = app.screen
        await resize(pilot, 40, 12)
        palette.post_message(events.Click(palette, 100, 30, 0, 0, 1, False, False, False, 100, 30))
        await settle(pilot)
        assert app._exception is None

        # Of mouse moves that wait only the last counts.
        await resize(pilot, 80, 24)
        await play_next(pilot, match_of("chocobar:3x4"))
        forwarded: list[events.Event] = []
        forward = MatchScreen._forward_event

        def counted(screen: MatchScreen, event: events.Event) -> None:
            forwarded.append(event)
            forward(screen, event)

        monkeypatch.setattr(MatchScreen, "_forward_event", counted)
        moves = [events.MouseMove(None, x, 5, 0, 0, 0, False, False, False, x, 5) for x in range(3, 43)]
        hand(app, key_event("v"), *moves)
        await until(pilot, lambda: app.mouse_position.x == 42)
        assert len(forwarded) < len(moves) // 2

        # A size that the terminal no longer has is not answered: two of them, each answered by another of
        # its size, would alternate forever.
        for place in (0, 1):
            await resize(pilot, 100, 30)
            sized = app.screen_stack[place]
            size, old = Size(100, 30), Size(80, 24)
            lay_out, seen = sized._refresh_layout, list[Size | None]()

            def laid_out(
                size: Size | None = None,
                scroll: bool = False,
                lay_out: Callable[..., None] = lay_out,
                seen: list[Size | None] = seen,
            ) -> None:
                seen.append(size)
                assert len(seen) < 50, "the screen answers itself forever"
                lay_out(size, scroll)

            monkeypatch.setattr(sized, "_refresh_layout", laid_out)
            for each in (size, old, size, old):
                sized.post_message(events.Resize(each, each))
                # Without a message between them the second would take the place of the first.
                sized.post_message(Late.Asked())
            await settle(pilot)
            assert old not in seen
            assert sized.size == size
            assert sized.has_class("-wide")


class Late(Static):
    """A widget that fails when it is asked for something."""

    class Asked(Message):
        pass

    def on_late_asked(self) -> None:
        raise LookupError("too late")


class LateDialog(Dialog[None]):
    def compose(self) -> ComposeResult:
        yield Late()


async def test_errors_in_removed_widgets_are_ignored() -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        for removed in ("widget", "screen"):
            await app.push_screen(LateDialog())
            late = app.screen.query_one(Late)
            late.post_message(Late.Asked())
            if removed == "widget":
                late.remove()
            else:
                app.screen.dismiss(None)
            await settle(pilot)
            assert app.is_running, removed
            assert app._exception is None, removed
        await back_to_menu(pilot)

        # A worker of a screen that has gone may fail.
        await app.push_screen(LateDialog())
        dialog = app.screen

        async def work() -> None:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                # As Textual's list of commands does when it is told to stop.
                dialog.query_one(OptionList)

        worker = dialog.run_worker(work())
        await settle(pilot)
        dialog.dismiss(None)
        await until(pilot, lambda: worker.is_finished)
        await settle(pilot)
        assert app.is_running
        assert app._exception is None


async def test_error_in_a_live_widget_ends_with_exit_code() -> None:
    app = ArcadeApp(warm=False)

    async def ask() -> None:
        async with app.run_test() as pilot:
            await app.push_screen(LateDialog())
            app.screen.query_one(Late).post_message(Late.Asked())
            await until(pilot, lambda: not app.is_running)

    with pytest.raises(LookupError, match="too late"):
        await ask()
    assert app.return_code == 1

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static
from textual.widgets._toast import Toast

from arcade.app import ArcadeApp
from arcade.engines.registry import parse_game_id
from arcade.play.match import new_match
from arcade.screens.chocobar import ChocobarBoard
from arcade.screens.dialogs import Question
from arcade.screens.match import MatchScreen
from arcade.screens.menace.machines import NewMachineDialog
from arcade.screens.navigation import OpenTeaching
from tests.narrow import expect
from tests.screens.pilots import pressed, running, said, settled

pytestmark = pytest.mark.usefixtures("instant")

TYPED = "[/x]"
"""What a reader of markup would stumble over."""


def make_app(folder: Path) -> ArcadeApp:
    return ArcadeApp(new_match(parse_game_id("chocobar:3x4"), ["human", "human"]), folder, warm=False)


def notices(app: ArcadeApp) -> list[str]:
    return [str(each.render()) for each in app.screen.query(Toast)]


async def cleared(pilot: Pilot[None]) -> None:
    """Let all notices go."""
    pilot.app.clear_notifications()
    await settled(pilot, lambda: not pilot.app.screen.query(Toast))


async def test_typed_text_is_quoted_unchanged_in_errors(tmp_path: Path) -> None:
    async with running(make_app(tmp_path), notifications=True) as (app, pilot):
        await pressed(pilot, "command:type", *TYPED, "enter")
        assert TYPED in str(app.screen.query_one(".error", Static).render())
        # Dialogs repeat it, too.
        await app.push_screen(Question(f"Write over {TYPED}?"))
        await app.push_screen(NewMachineDialog())
        app.screen.query_one("#name", Input).value = TYPED
        await pressed(pilot, "enter")
        assert TYPED in str(app.screen.query_one(".error", Static).render())


async def test_repeated_notices_are_shown_once(tmp_path: Path) -> None:
    async with running(make_app(tmp_path), notifications=True) as (app, pilot):
        await pressed(pilot, "ctrl+c")
        assert notices(app) == ["Press Ctrl+Q to quit. Your matches are saved."]

        for keys in ("uuuu", "umum"):
            await cleared(pilot)
            await pressed(pilot, *keys)
            assert len(notices(app)) == len(set(keys))
            assert len(set(notices(app))) == len(notices(app))
            # All are refusals, in one colour.
            assert {each.severity for each in app._notifications} == {"warning"}

        # One that is on the screen is not shown again.
        await cleared(pilot)
        for words in ("one", "two", "one", "one"):
            app.notify(words)
            await pilot.pause()
        assert notices(app) == ["one", "two"]

        # It cannot act on the terminal.
        app.notify("a \x1b]0;name\x07 and \u202e this")
        await pilot.pause()
        assert said(app) == "a \\x1b]0;name\\x07 and \\u202e this"


async def test_screenshot_notice_names_the_saved_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(make_app(tmp_path), notifications=True) as (app, pilot):
        monkeypatch.setattr("textual.app.user_downloads_path", lambda: tmp_path)
        app.deliver_screenshot("match.svg")
        await settled(pilot, lambda: bool(notices(app)))
        assert notices(app) == [f"The picture was saved as {tmp_path / 'match.svg'}."]

        # Without a folder for downloads it goes home.
        home = tmp_path / "home"
        home.mkdir()
        monkeypatch.setattr("platformdirs.user_downloads_path", lambda: tmp_path / "none")
        monkeypatch.setattr("pathlib.Path.home", lambda: home)
        app.save_picture()
        await settled(pilot, lambda: str(home) in said(app))
        assert list(home.glob("*.svg"))


async def test_notice_hides_neither_board_nor_panels_and_stays_on_its_screen(tmp_path: Path) -> None:
    async with running(make_app(tmp_path), (80, 24), notifications=True) as (app, pilot):
        await pressed(pilot, "u")
        await settled(pilot, lambda: bool(app.screen.query(Toast)))
        toast, screen = app.screen.query_one(Toast).region, app.screen
        assert toast.overlaps(screen.query_one("#status").region), "it replaces the line below the board"
        assert not toast.overlaps(screen.query_one("#side").region)
        board = expect(ChocobarBoard, screen.query_one("#board-0"))
        last = board.region_of((board.shape[0] - 1, 0)).translate(board.region.offset)
        assert not toast.overlaps(last)
        # Another screen is not about it.
        app.screen.post_message(OpenTeaching(expect(MatchScreen, screen).match))
        await settled(pilot, lambda: app.screen is not screen)
        assert notices(app) == []

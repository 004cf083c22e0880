import io
import sys

import pytest
from textual.widgets import Input

from arcade.app import ArcadeApp
from arcade.engines.registry import parse_game_id
from arcade.play.match import new_match
from arcade.screens.navigation import OpenMatch
from arcade.widgets.glyphs import plain
from tests.screens.pilots import app_with, running, set_up

pytestmark = pytest.mark.usefixtures("instant", "instant_race")


def strange(app: ArcadeApp) -> set[str]:
    strips = app.screen._compositor.render_strips()
    return {character for strip in strips for character in strip.text if not character.isascii()}


@pytest.mark.slow
async def test_ascii_mode_shows_only_ascii_on_every_screen() -> None:
    app = ArcadeApp(warm=False, ascii=True)
    set_up(app, calm="on")
    seen: dict[str, set[str]] = {}
    async with app.run_test(size=(80, 24)) as pilot:

        async def look(what: str) -> None:
            await pilot.pause()
            seen[what] = strange(app)

        await look("menu")
        for key, what in (
            ("question_mark", "help"),
            ("S", "settings"),
            ("colon", "palette"),
            ("o", "prompt"),
            ("enter", "new match"),
            ("L", "lessons"),
        ):
            await pilot.press(key)
            await look(what)
            await pilot.press("escape" if what != "lessons" else "q")
        for start in ("chocobar:3x4", "hexapawn:3x3", "tetromino:4x4", "honshu:5x3", "menace"):
            app.open_match(OpenMatch(new_match(parse_game_id(start), ("human", "random"))))
            await look(start)
            await pilot.press("command:graph")
            app.notify("A notice.")
            await look(f"{start}, graph")
            await pilot.press("q")
        for command in app.get_system_commands(app.screen):
            if command.title in ("Laboratory", "All boxes"):
                command.callback()
                await look(command.title)
                await pilot.press("q")
    assert {what: each for what, each in seen.items() if each} == {}


def test_ascii_text_has_the_same_length() -> None:
    assert plain("café 日本 ╭─╮ …") == "cafe ???? +-+ ."


@pytest.mark.parametrize(("encoding", "plain"), [("iso-8859-1", True), ("ascii", True), ("UTF-8", False)])
def test_ascii_mode_depends_on_terminal_encoding(
    monkeypatch: pytest.MonkeyPatch, encoding: str, plain: bool
) -> None:
    monkeypatch.setattr(sys, "__stderr__", io.TextIOWrapper(io.BytesIO(), encoding))
    assert ArcadeApp(warm=False).ascii == plain


async def test_ascii_mode_can_be_turned_on_and_off() -> None:
    async with running(app_with(calm="off")) as (app, pilot):
        await pilot.press("S")
        assert strange(app)
        app.change("ascii", "on")
        await pilot.pause()
        assert not strange(app)
        app.change("ascii", "off")
        await pilot.pause()
        assert strange(app)
        await pilot.press("escape")

        # A cursor blinks unless it is calm.
        for calm in ("on", "off"):
            app.change("calm", calm)
            await pilot.press("colon")
            assert app.screen.query_one(Input).cursor_blink == (calm == "off")
            await pilot.press("escape")

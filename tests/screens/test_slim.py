from collections.abc import Callable
from typing import Any

import pytest
from textual.geometry import Region
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Button

from arcade.app import ArcadeApp
from arcade.engines.registry import get_game
from arcade.screens.dialogs import NewMatchDialog, SettingsScreen
from arcade.screens.menu import MenuScreen
from arcade.screens.navigation import ChooseMatch, OpenMatch, OpenTournament
from arcade.screens.tournament import NewTournamentDialog
from arcade.services import Services
from tests.narrow import expect
from tests.screens.pilots import app_with, match_of, painted, play_next, reached, rested, settled
from tests.screens.starts import finished_tournament

pytestmark = pytest.mark.usefixtures("instant")

SIZE = (60, 20)


def shows(app: ArcadeApp, words: str) -> Callable[[], bool]:
    return lambda: words in painted(app)


async def on_top(pilot: Pilot[Any], kind: type[Screen[Any]]) -> str:
    """What is painted when a screen of a kind is on top."""
    app = expect(ArcadeApp, pilot.app)
    await reached(pilot, kind)
    await settled(pilot, lambda: all(button.region for button in app.screen.query(Button) if button.display))
    for button in app.screen.query(Button):
        assert Region(0, 0, *SIZE).contains_region(button.region), button
        assert not button.region.overlaps(app.screen.query(".fields").first().region)
    return " ".join(painted(app).split())


@pytest.mark.slow
async def test_all_screens_fit_a_slim_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_with()
    app.animation_level = "none"
    async with app.run_test(size=SIZE) as pilot:
        await on_top(pilot, MenuScreen)
        await settled(pilot, shows(app, "Learn"))
        menu = " ".join(painted(app).split())
        assert "…" not in menu
        assert "poison." in menu
        assert "tic-tac-toe." in menu

        app.action_settings()
        await on_top(pilot, SettingsScreen)
        await pilot.press("escape")
        app.opener.choose_match(ChooseMatch(get_game("hexapawn")))
        await on_top(pilot, NewMatchDialog)
        await pilot.press("escape")
        finished_tournament(app.services, ("beginner", "random"))
        app.opener.open_tournament(OpenTournament(get_game("hexapawn")))
        await settled(pilot, shows(app, "finished"))
        assert "Tournament hexapawn:3x3 2 of 2 matches, finished : more" in " ".join(painted(app).split())
        await pilot.press("n")
        assert "Gardner's, 3 by 3" in await on_top(pilot, NewTournamentDialog)
        app.screen.query_one("#others").focus()
        await settled(pilot, shows(app, "Others, such as depth:3"))

        await play_next(pilot, match_of("chocobar:2x3"))
        assert "Your move." in " ".join(painted(app).split())
        monkeypatch.setattr(Services, "has_seen", lambda *_: False)
        for text, said in (
            ("menace", "all boxes"),
            ("honshu:5x2#1", "show Right"),
        ):
            app.open_match(OpenMatch(match_of(text)))
            await rested(pilot, shows(app, said))
            shown = painted(app)
            assert said in shown
            assert "R hide" in shown
            assert "laboratory" in shown or "L l" not in shown

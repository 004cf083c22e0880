"""No question is lost, whatever is on the screen when it comes."""

from functools import partial

import pytest

from arcade.app import ArcadeApp
from arcade.engines.menace.machine import Machine, Options
from arcade.engines.registry import get_game, parse_game_id
from arcade.play.match import new_match
from arcade.screens.base import open_screen
from arcade.screens.dialogs import NewMatchDialog, Prompt, Question
from arcade.screens.exercises import PuzzlesDialog
from arcade.screens.match import MatchScreen
from arcade.screens.menace.laboratory import LaboratoryScreen
from arcade.screens.menace.machines import WallScreen
from arcade.screens.menace.trainer import Setup
from arcade.screens.menu import MenuScreen
from arcade.screens.navigation import ChooseMatch, ChoosePuzzles
from arcade.services import Services
from tests.screens.pilots import app_with, reached, running, settled

pytestmark = pytest.mark.usefixtures("instant")


@pytest.fixture(autouse=True)
def knowing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player who has played before, so no story is shown."""
    monkeypatch.setattr(Services, "has_seen", lambda services, game: True)


def asked(app: ArcadeApp) -> list[str]:
    return [screen.question for screen in app.screen_stack if isinstance(screen, Question)]


@pytest.mark.slow
async def test_each_question_is_asked_once_over_any_screen() -> None:
    async with running(app_with()) as (app, pilot):
        await reached(pilot, MenuScreen)
        # Of two questions in a row each is asked and answered.
        answers: list[object] = []
        for name in ("first", "second"):
            open_screen(app, Question(name), answers.append, partial(answers.append, f"{name} not answered"))
        await settled(pilot, lambda: asked(app) == ["first", "second"])
        await pilot.press("y")
        await settled(pilot, lambda: asked(app) == ["first"])
        # The same question is not asked again.
        open_screen(app, Question("first"))
        await settled(pilot, lambda: asked(app) == ["first"])
        await pilot.press("escape")
        await settled(pilot, lambda: len(answers) == 2)
        assert answers == [True, "first not answered"]

        # A dialog for another game opens over one of its kind.
        for message, kind in ((ChooseMatch, NewMatchDialog), (ChoosePuzzles, PuzzlesDialog)):
            for name in ("chocobar", "hexapawn", "hexapawn"):
                app.post_message(message(get_game(name)))
                await pilot.pause()
            games = [screen.game.name for screen in app.screen_stack if isinstance(screen, kind)]
            assert games == ["chocobar", "hexapawn"]
            await pilot.press("escape", "escape")
        await reached(pilot, MenuScreen)

        # What a person opens asks over another prompt.
        open_screen(app, Prompt("Your move"))
        await reached(pilot, Prompt)
        app.action_open_id()
        await settled(pilot, lambda: app.screen.query("Input"))
        assert [screen.heading for screen in app.screen_stack if isinstance(screen, Prompt)] == [
            "Your move",
            "Game ID, position, match or file",
        ]


async def test_empty_machine_question_waits_for_its_match() -> None:
    app = app_with()
    app.opening = new_match(parse_game_id("menace"), ("human", "human"), app.services.machines)

    async def refuse(match: MatchScreen) -> None:
        """Seat a machine whose first box is empty, under the wall."""
        empty = app.services.machines.copy("MENACE")
        empty.beads[0] = 0
        empty.won = 7
        app.services.machines.keep(empty)
        app.push_screen(WallScreen("menace"))
        match.session.set_players(["MENACE", "human"])

    async with running(app) as (_, pilot):
        match = await reached(pilot, MatchScreen)
        # It asks no more when another match has begun.
        await refuse(match)
        await settled(pilot, lambda: match.session.state.paused)
        match.session.begin(new_match(parse_game_id("menace"), ("human", "human"), app.services.machines))
        await reached(pilot, MatchScreen, "q")
        assert asked(app) == []

        await refuse(match)
        app.push_screen(Question("Delete HER?"))
        await settled(pilot, lambda: asked(app) == ["Delete HER?"])
        await settled(pilot, lambda: match.session.state.paused)
        await reached(pilot, WallScreen, "n")
        assert asked(app) == []
        question = await reached(pilot, Question, "q")
        assert question.question.startswith("The first box of MENACE is empty")
        await reached(pilot, MatchScreen, "y")
        await settled(pilot, lambda: match.match.plies)
        assert not app.services.machines.load("MENACE").refuses
        # The menu's cursor is on the game of the match that was opened from the shell.
        menu = await reached(pilot, MenuScreen, "q")
        assert menu.focused is menu.query_one("#card-menace")


async def test_laboratory_question_waits_for_its_screen() -> None:
    app = app_with()
    app.services.machines.keep(Machine("Spent", Options(first_beads=(1,), rewards=(0, -1, -1))))
    async with running(app) as (_, pilot):
        laboratory = LaboratoryScreen("menace")
        app.push_screen(laboratory)
        await settled(pilot, lambda: laboratory.is_mounted)
        laboratory.change(Setup("Spent", "perfect", 1_000))
        app.push_screen(WallScreen("menace"))
        app.push_screen(Question("Delete HER?"))
        await settled(pilot, lambda: asked(app) == ["Delete HER?"])
        laboratory.action_train()
        await settled(pilot, lambda: not laboratory.busy)
        await reached(pilot, WallScreen, "n")
        question = await reached(pilot, Question, "q")
        assert question.question.startswith("Out of beads for the first move: Spent.")
        await reached(pilot, LaboratoryScreen, "y")
        assert not app.services.machines.load("Spent").refuses

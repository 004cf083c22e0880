import importlib
import pkgutil

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Button, Input, Label, OptionList, Select, Static

from arcade import screens, widgets
from arcade.app import ArcadeApp
from arcade.engines.reference_methods import HISTORY
from arcade.engines.registry import parse_game_id
from arcade.engines.seats import player_kinds
from arcade.play.match import new_match
from arcade.screens.dialogs import (
    MORE,
    NOBODY,
    HelpScreen,
    NewMatchDialog,
    SeatChoice,
    SeatsDialog,
    SettingsScreen,
)
from arcade.screens.match import MatchScreen
from arcade.screens.menu import MenuScreen
from arcade.screens.navigation import ChooseMatch, OpenMatch
from arcade.screens.tournament import NewTournamentDialog
from arcade.store.store import open_store
from arcade.widgets.forms import MAX_DIGITS, Choice, NumberField, Row
from arcade.widgets.keys import KeyFooter
from tests.narrow import expect
from tests.screens.pilots import app_with, at_rest, clicked, pressed, reached, resized, rested, running
from tests.screens.starts import burst, came, key_event, send

pytestmark = pytest.mark.usefixtures("instant")


def app_of(text: str = "") -> ArcadeApp:
    return app_with(new_match(parse_game_id(text), ("human", "perfect")) if text else None)


async def choose(pilot: Pilot[None], field: str, option: int) -> None:
    await clicked(pilot, field)
    # Under the frame.
    await clicked(pilot, f"{field} OptionList", offset=(3, option + 1))


async def list_all(pilot: Pilot[None], seat: SeatChoice) -> None:
    """Choose the last line of a list of players, which opens the list of all."""
    choice = seat.query_one(Select)
    choice.focus()
    await pressed(pilot, "enter", "end", "enter", until=lambda: not seat.few and choice.expanded)
    await pilot.press("escape")


def choices_of(seat: SeatChoice) -> dict[str, str]:
    return {str(who): str(prompt) for prompt, who in seat.query_one(Select)._options}


def rows_shown(app: ArcadeApp, everything: bool = False) -> list[str]:
    """The titles of the fields on the screen."""
    rows = [row for row in app.screen.query(Row) if everything or row.region.height]
    return [str(row.query(Label).first().content) for row in rows]


def check_commands(app: ArcadeApp) -> None:
    """The list of commands names each once, with its key."""
    commands = list(app.get_system_commands(app.screen))
    titles = [each.title for each in commands]
    assert len(titles) == len(set(titles))
    assert not {"Commands", "Focus Next", "Copy selected text", "Up", "Down"} & set(titles)
    helps = {each.title: each.help for each in commands}
    assert helps["Help"].endswith("(?)")
    assert helps["Quit"].endswith("(Ctrl+Q)")
    assert all(each[0].isupper() for each in helps.values())


async def click_the_rim(app: ArcadeApp, pilot: Pilot[None]) -> None:
    """A click on the rim closes a dialog."""
    dialog = app.screen.query_one(".dialog")
    assert "Esc closes" in str(dialog.border_subtitle)
    name = type(app.screen).__name__
    await clicked(pilot, offset=(dialog.region.right - 6, dialog.region.bottom - 1))
    assert isinstance(app.screen, MenuScreen), name


async def test_settings_and_dialogs_work_by_keys_and_clicks() -> None:
    async with running(app_of()) as (app, pilot):
        check_commands(app)
        # Settings by keys.
        await reached(pilot, SettingsScreen, "S")
        await pressed(pilot, "down", "down", "enter", "down", "enter")
        assert app.ascii
        await pressed(pilot, "up", "enter", "up", "enter")
        assert app.services.settings.animated
        await click_the_rim(app, pilot)

        # By clicks, told in words.
        app.change("ascii", "off")
        await clicked(pilot, "TitleBar")
        await pilot.press("escape")
        app.action_settings()
        await pilot.pause()
        await choose(pilot, "#ascii", 1)
        assert app.ascii
        assert app.screen.query_one("#ascii", Choice).value == "on"
        await pilot.click("Button")
        assert isinstance(app.screen, MenuScreen)

        for open_it in ("question_mark", "o", "n"):
            await pressed(pilot, open_it)
            await click_the_rim(app, pilot)

        # The list of commands keeps to the middle of a wide terminal.
        await resized(pilot, 160, 50)
        await pressed(pilot, "colon")
        listed = app.screen.query_one(OptionList)
        assert listed.region.width <= 76
        assert abs(listed.region.x + listed.region.width // 2 - 80) <= 1


SHOWN_FIRST = {
    "chocobar": ["Board", "Player 1", "Player 2"],
    "hexapawn": ["Board", "Player 1, White", "Player 2, Black"],
    "honshu": ["Board", "Player 1, Left", "Player 2, Right"],
    "menace": ["Player 1, X", "Player 2, O"],
    "tetromino": ["Board", "Player 1", "Player 2"],
}


@pytest.mark.slow
async def test_new_match_dialog_is_short_and_offers_last_opponent() -> None:
    async with running(app_of()) as (app, pilot):
        for name, first in SHOWN_FIRST.items():
            game = parse_game_id(name).game
            app.opener.choose_match(ChooseMatch(game))
            await pilot.pause()
            assert rows_shown(app) == first, name
            for select in app.screen.query("#preset").results(Select):
                select.value = "custom"
                await pilot.pause()
            shown = rows_shown(app, everything=True)
            assert {*first, *(each.title for each in game.parameters)} <= set(shown), name
            assert rows_shown(app) == shown[: len(rows_shown(app))], "the rest is below"
            await reached(pilot, MenuScreen, "escape")

        async def asked() -> SeatChoice:
            app.opener.choose_match(ChooseMatch(parse_game_id("hexapawn").game))
            await pilot.pause()
            return app.screen.query(SeatChoice).last()

        opponent = await asked()
        assert opponent.chosen == "beginner"
        await list_all(pilot, opponent)
        opponent.query_one(Select).value = "depth"
        await pilot.pause()
        opponent.query_one(Input).value = "3"
        await clicked(pilot, "#ok")
        assert isinstance(app.screen, MatchScreen)
        assert app.screen.match.seats == ["human", "depth:3"]
        await pressed(pilot, "q")
        opponent = await asked()
        assert opponent.chosen == "depth:3"
        await list_all(pilot, opponent)
        assert opponent.chosen == "depth:3"


@pytest.mark.slow
async def test_match_dialogs_list_players_in_order_and_show_focus() -> None:
    async with at_rest(app_of("hexapawn:3x3")) as (app, pilot):

        async def check_opponents(*machines: str) -> None:
            """They are listed from weak to strong, and later each with its line."""
            seat = app.screen.query(SeatChoice).last()
            listed = choices_of(seat)
            first = ["human", "beginner", "casual", "club", "expert", "perfect", *machines]
            assert list(listed) == [*first, MORE]
            assert "keyboard" in listed["human"]
            await list_all(pilot, seat)
            listed = choices_of(seat)
            assert MORE not in listed
            # The methods of history come last.
            told = [HISTORY in words for words in listed.values()]
            assert any(told)
            assert told == sorted(told)
            assert " ".join(listed["beginner"].split()) == "Beginner Sees a win or loss 2 moves ahead."
            for kind in player_kinds(parse_game_id("hexapawn").game):
                assert kind.summary in listed[kind.name]

        await reached(pilot, SeatsDialog, "command:seats")
        await check_opponents("HER")
        await pilot.press("escape")
        await reached(pilot, NewMatchDialog, "n")
        # Tab leads only to what can be seen to have the focus.
        for _ in app.screen.focus_chain:
            assert isinstance(app.focused, Button | Input | Select)
            await pilot.press("tab")
        await check_opponents("HER")

        app.screen.query_one("#preset", Select).value = "custom"
        await pilot.pause()
        # A list of choices is framed, and its words stand under the chosen one.
        for select in app.screen.query(Select):
            select.focus()
            await pressed(pilot, "enter")
            choices = select.query_one(OptionList)
            assert choices.styles.border_top[0] == "round"
            current = select.query_one("SelectCurrent #label")
            assert choices.content_region.x == current.region.x
            await pressed(pilot, "escape")

        # The level belongs to the player that is chosen now.
        opponent = app.screen.query(SeatChoice).last()
        first = opponent.chosen
        for who, chosen in (("depth", "depth:4"), (first, first), ("depth", "depth:4")):
            opponent.query_one(Select).value = who
            await pilot.pause()
            assert opponent.chosen.partition(":")[0] == chosen.partition(":")[0]
            assert opponent.query_one(Input).display == (who == "depth")
            assert (":" in opponent.chosen) == (who == "depth")
        await pressed(pilot, "escape", until=lambda: isinstance(app.screen, MatchScreen))

        # The players change places, with their levels.
        await pressed(pilot, "n")
        one, two = app.screen.query(SeatChoice)
        assert "HER" in choices_of(two)
        assert "HER" not in choices_of(one), "HER plays Black"
        two.seat_player("fallible:7")
        await pilot.pause()
        await clicked(pilot, "#swap")
        assert (one.chosen, two.chosen) == ("fallible:7", "human")
        # With two engines the match is watched.
        button = app.screen.query_one("#ok", Button)
        assert str(button.label) == "Play"
        two.query_one(Select).value = "club"
        await pilot.pause()
        assert str(button.label) == "Watch"
        two.query_one(Select).value = "human"
        await clicked(pilot, "#ok")
        assert expect(MatchScreen, app.screen).match.seats == ["fallible:7", "human"]


@pytest.mark.slow
async def test_new_match_fields_have_arrows_limits_and_errors() -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        assert "Hint" in [command.title for command in expect(MatchScreen, app.screen).commands()]
        assert "palette" not in [command.title for command in expect(MatchScreen, app.screen).commands()]
        await rested(pilot)
        check_commands(app)

        # The level of a player says its limits.
        await reached(pilot, SeatsDialog, "command:seats")
        level, second = app.screen.query(".note.level").results(Label)
        assert not level.display
        assert not second.display
        await list_all(pilot, app.screen.query(SeatChoice).last())
        app.screen.query(Select).last().value = "fallible"
        await pilot.pause()
        assert second.display
        assert str(second.content) == "1 to 9"
        await pressed(pilot, "escape", until=lambda: isinstance(app.screen, MatchScreen))

        # What is wrong with a new match is said above its buttons.
        await reached(pilot, NewMatchDialog, "n")
        sentence = app.screen.query_one(".error", Static)
        assert not sentence.display
        app.screen.query_one("#preset", Select).value = "custom"
        app.screen.query_one("#parameter-rows", Input).value = "99"
        await pressed(pilot, "enter")
        assert sentence.display
        assert sentence.region.bottom <= app.screen.query_one("#ok").region.y
        assert str(sentence.content).endswith(".")
        await pressed(pilot, "escape", until=lambda: isinstance(app.screen, MatchScreen))

        # Arrows lead through the fields.
        await reached(pilot, NewMatchDialog, "n")
        rows = []
        for _ in range(3):
            await pilot.press("up")
            assert app.focused
            row = next(each for each in app.focused.ancestors if isinstance(each, Row))
            rows.append(str(row.query(Label).first().content))
        assert rows == ["Player 2", "Player 1", "Board"]
        await pressed(pilot, "enter", "end", "enter")
        await pilot.press("down", "5", *["down"] * 4, "right", "right")
        assert expect(Button, app.focused).id == "cancel"
        await pressed(pilot, "left", "left", "enter")
        assert expect(MatchScreen, app.screen).match.parameters["rows"] == 5

        # A custom size opens the other fields, also where it is that of a listed board.
        app.open_match(OpenMatch(new_match(parse_game_id("chocobar:4x5"), ("human", "perfect"))))
        await reached(pilot, NewMatchDialog, "n")
        assert app.screen.query_one("#preset", Select).value == "4x5", "the board before is offered again"
        assert not app.screen.query_one("#parameter-rows").region
        app.screen.query_one("#preset", Select).value = "custom"
        app.screen.query_one("#parameter-rows", Input).value = "5"
        app.screen.query_one("#parameter-columns", Input).value = "6"
        await pilot.pause()
        assert app.screen.query_one("#parameter-rows").region


@pytest.mark.slow
async def test_number_field_accepts_only_short_numbers() -> None:
    async with running(app_of("hexapawn:3x3")) as (app, pilot):
        honshu, hexapawn = (parse_game_id(name).game for name in ("honshu", "hexapawn"))
        seats = SeatsDialog(expect(MatchScreen, app.screen).match, app.services.machines)
        for dialog in (NewMatchDialog(honshu), seats, NewTournamentDialog(hexapawn)):
            await app.push_screen(dialog)
            name = type(dialog).__name__
            # Textual's own kinds of numbers take for ever over what is typed below.
            assert all(each.type == "text" for each in app.screen.query(Input)), name
            found = list(app.screen.query(NumberField))
            assert found, name
            for field in found[:2]:
                field.value = ""
                field.focus()
                await send(pilot, events.Paste("1" * 40 + "x"), events.Paste("-12"), events.Paste("3 "))
                assert field.number == -12, name
                await burst(pilot, *map(key_event, ("home", "delete", *"5" * 20, "x")))
                assert len(field.value) in (3, MAX_DIGITS), name
                assert field.number == int(field.value), name
            await came(pilot, MatchScreen, "escape")


@pytest.mark.slow
async def test_wheel_changes_focused_number_and_race_keeps_its_boards() -> None:
    match = new_match(parse_game_id("honshu:6x3#7"), ("human", "human"))
    async with at_rest(app_with(match)) as (app, pilot):
        # The wheel turns the number that was clicked and no other.
        await reached(pilot, NewMatchDialog, "n")
        app.screen.query_one("#preset", Select).value = "custom"
        await pilot.pause()
        size, tiles = (app.screen.query_one(f"#parameter-{name}", NumberField) for name in ("size", "tiles"))
        await clicked(pilot, "#parameter-size")

        async def turned(kind: type[events.MouseEvent]) -> list[int | None]:
            for field in (size, tiles):
                field.post_message(kind(field, 1, 0, 0, 0, 0, False, False, False))
            await pilot.pause()
            return [size.number, tiles.number]

        assert await turned(events.MouseScrollUp) == [7, 3]
        assert await turned(events.MouseScrollDown) == [6, 3]
        size.value = "0"
        assert await turned(events.MouseScrollDown) == [0, 3]

        # A running race keeps its two boards, but the next one may have one.
        def seat_may_be_empty() -> bool:
            seat = app.screen.query(SeatChoice).last().query_one(Select)
            return NOBODY in {value for _, value in seat._options}

        assert seat_may_be_empty()
        await pilot.press("escape")
        await reached(pilot, SeatsDialog, "command:seats")
        assert not seat_may_be_empty()
        await list_all(pilot, app.screen.query(SeatChoice).last())
        app.screen.query(SeatChoice).last().query_one(Select).value = "random"
        await pilot.pause()
        await clicked(pilot, "#ok")
        assert isinstance(app.screen, MatchScreen)
        assert match.seats == ["human", "random"]


async def test_help_commands_and_footer_offer_available_actions() -> None:
    async with at_rest(app_of("hexapawn:3x3")) as (app, pilot):
        check_commands(app)
        helps = [each.help for each in app.get_system_commands(app.screen)]
        assert not [each for each in helps if "boxes of the machine" in each and "(b)" in each]

        async def offered(*keys: str) -> set[str]:
            await pressed(pilot, *keys)
            await rested(pilot)
            footer = {each.description for each in app.screen.query_one(KeyFooter).entries}
            commands = {each.title for each in app.get_system_commands(app.screen)}
            assert not {"Undo", "Hint", "Pause"} & (footer - commands)
            return commands

        late = {"Again", "Other side", "Replay"}
        at_first = await offered()
        assert not at_first & {"Undo", "Redo", "Restart", "Pause", *late}
        assert at_first >= {"Hint", "Seats", "Resign"}

        # Help names keys as they stand on a keyboard; only a hint makes Escape do something.
        await pilot.press("i")
        await rested(pilot)
        help = await reached(pilot, HelpScreen, "question_mark")
        shown = " ".join(keys for keys, _ in help.rows).split()
        words = [words for _, words in help.rows]
        assert {"Ctrl+Q", "Enter", "Tab", "Shift+Tab", "Esc", ":", "?"} <= set(shown)
        assert not [key for key in shown if "^" in key or "super" in key]
        assert not [each for each in words if "Focus" in each or "selected text" in each or "palette" in each]
        await pilot.press("escape")

        assert await offered("command:type", *"a1a2", "enter") >= {"Undo", "Restart"}
        taken_back = await offered("u")
        assert "Redo" in taken_back
        assert "Undo" not in taken_back
        assert "Redo" not in await offered("full_stop", "full_stop")
        at_the_end = await offered("command:resign", "y")
        assert at_the_end >= {"Undo", *late}
        assert not at_the_end & {"Redo", "Hint", "Seats", "Resign", "Pause"}

        # What was said on a screen stays there.
        app.clear_notifications()
        await pilot.press("m")
        assert list(app._notifications)
        await reached(pilot, MenuScreen, "q")
        assert not list(app._notifications)


def test_key_has_one_action_in_each_class() -> None:
    for package in (screens, widgets):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            for each in vars(importlib.import_module(module.name)).values():
                bindings = vars(each).get("BINDINGS", ()) if isinstance(each, type) else ()
                # In the laboratory one key trains and pauses; never can both be done.
                keys = [key for bound in bindings if bound.action != "pause" for key in bound.key.split(",")]
                assert len(keys) == len(set(keys)), each


@pytest.mark.slow
async def test_unsupported_saved_theme_is_ignored_and_all_others_work() -> None:
    with open_store(None) as store:
        store.set("theme", "ansi-dark")
    app = app_of("hexapawn:3x3")
    assert app.theme == "arcade-dark"
    async with running(app) as (_, pilot):
        await reached(pilot, MatchScreen, "v")
        for name in sorted(app.available_themes):
            app.change("theme", name)
            await pilot.pause()
            assert app.theme == name

import importlib
import pkgutil
import random

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Button, Input, Label, OptionList, Select, Static

from arcade import screens, widgets
from arcade.app import ArcadeApp
from arcade.engines.registry import parse_game_id
from arcade.play.match import new_match
from arcade.screens.dialogs import NOBODY, HelpScreen, NewMatchDialog, SeatChoice, SeatsDialog, SettingsScreen
from arcade.screens.match import MatchScreen
from arcade.screens.menu import MenuScreen
from arcade.screens.navigation import ChooseMatch
from arcade.store.store import open_store
from arcade.widgets.forms import MOST_DIGITS, Choice, NumberField, Row
from arcade.widgets.keys import KeyFooter
from tests.narrow import expect
from tests.screens.pilots import app_with, at_rest, clicked, pressed, reached, rested, running
from tests.screens.starts import Start, all_starts, burst, key_event, send

pytestmark = pytest.mark.usefixtures("instant")


def app_of(text: str = "") -> ArcadeApp:
    return app_with(new_match(parse_game_id(text), ("human", "perfect")) if text else None)


async def choose(pilot: Pilot[None], field: str, option: int) -> None:
    await clicked(pilot, field)
    # Under the frame.
    await clicked(pilot, f"{field} OptionList", offset=(3, option + 1))


async def test_settings_are_changed_by_keys() -> None:
    async with running(app_of()) as (app, pilot):
        await reached(pilot, SettingsScreen, "S")
        await pressed(pilot, "down", "down", "enter", "down", "enter")
        assert app.ascii
        await pressed(pilot, "up", "enter", "up", "enter")
        assert app.services.settings.animated
        await reached(pilot, MenuScreen, "escape")


async def test_settings_are_changed_by_clicks_and_told_in_words() -> None:
    async with running(app_of()) as (app, pilot):
        await clicked(pilot, "TitleBar")
        await pilot.press("escape")
        app.action_settings()
        await pilot.pause()
        await choose(pilot, "#ascii", 1)
        assert app.ascii
        assert app.screen.query_one("#ascii", Choice).value == "on"
        await pilot.click("Button")
        assert isinstance(app.screen, MenuScreen)


async def test_a_click_on_the_rim_of_a_dialog_closes_it() -> None:
    async with running(app_of()) as (app, pilot):
        for open_it in ("question_mark", "S", "o", "n"):
            await pressed(pilot, open_it)
            dialog = app.screen.query_one(".dialog")
            assert "Esc closes" in str(dialog.border_subtitle)
            await clicked(pilot, offset=(dialog.region.right - 6, dialog.region.bottom - 1))
            assert isinstance(app.screen, MenuScreen), open_it


async def test_arrows_lead_through_the_fields_of_a_new_match() -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await reached(pilot, NewMatchDialog, "n")
        rows = []
        for _ in range(3):
            await pilot.press("up")
            assert app.focused
            row = next(each for each in app.focused.ancestors if isinstance(each, Row))
            rows.append(str(row.query(Label).first().content))
        assert rows == ["You play", "Opponent", "Board"]
        await pilot.press("down", "down", "down", "right", "enter", "up")
        assert not app.screen.query("#more")
        await pilot.press(*["up"] * 4, "5", *["down"] * 5, "right")
        assert expect(Button, app.focused).id == "cancel"
        await pressed(pilot, "left", "enter")
        assert expect(MatchScreen, app.screen).match.parameters["rows"] == 5


async def test_tab_leads_only_to_what_can_be_seen_to_have_the_focus() -> None:
    async with running(app_of("hexapawn:4x4")) as (app, pilot):
        await pressed(pilot, "n")
        for _ in app.screen.focus_chain:
            assert isinstance(app.focused, Button | Input | Select)
            await pilot.press("tab")


async def test_a_list_of_choices_is_framed_and_its_words_stand_under_the_chosen_one() -> None:
    async with running(app_of("hexapawn:4x4")) as (app, pilot):
        await pressed(pilot, "n")
        await clicked(pilot, "#more")
        for select in app.screen.query(Select):
            select.focus()
            await pressed(pilot, "enter")
            listed = select.query_one(OptionList)
            assert listed.styles.border_top[0] == "round"
            current = select.query_one("SelectCurrent #label")
            assert listed.content_region.x == current.region.x
            await pressed(pilot, "escape")


async def test_the_level_of_a_player_says_its_limits() -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await reached(pilot, SeatsDialog, "command:seats")
        first, second = app.screen.query(".note.level").results(Label)
        assert not first.display
        assert not second.display
        await clicked(pilot, "#more")
        app.screen.query(Select).last().value = "fallible"
        await pilot.pause()
        assert second.display
        assert str(second.content) == "1 to 9"


def choices_of(seat: SeatChoice) -> dict[str, str]:
    return {str(who): str(prompt) for prompt, who in seat.query_one(Select)._options}


async def test_opponents_are_listed_from_weak_to_strong_each_with_its_line() -> None:
    async with running(app_of("hexapawn:3x3")) as (app, pilot):
        for key, dialog, machines in (("n", NewMatchDialog, ["HER"]), ("command:seats", SeatsDialog, [])):
            await reached(pilot, dialog, key)
            seat = app.screen.query(SeatChoice).first()
            listed = choices_of(seat)
            assert list(listed) == ["human", "beginner", "casual", "club", "expert", "perfect", *machines]
            await clicked(pilot, "#more")
            listed = choices_of(seat)
            assert listed["beginner"].split() == ["Beginner", "Sees", "the", "end", "2", "moves", "ahead."]
            for kind in parse_game_id("hexapawn").game.player_kinds:
                assert kind.summary in listed[kind.name]
            await pilot.press("escape")


async def test_an_opponent_is_chosen_once_and_offered_again() -> None:
    async with running(app_of()) as (app, pilot):
        app.choose_match(ChooseMatch(parse_game_id("hexapawn").game))
        await pilot.pause()
        opponent = app.screen.query(SeatChoice).first()
        assert opponent.chosen == "beginner"
        await clicked(pilot, "#more")
        opponent.query_one(Select).value = "sees"
        await pilot.pause()
        opponent.query_one(Input).value = "3"
        await clicked(pilot, "#ok")
        assert isinstance(app.screen, MatchScreen)
        assert app.screen.match.seats == ["human", "sees:3"]
        await pressed(pilot, "q")
        app.choose_match(ChooseMatch(parse_game_id("hexapawn").game))
        await pilot.pause()
        opponent = app.screen.query(SeatChoice).first()
        assert opponent.chosen == "sees:3"
        await clicked(pilot, "#more")
        assert opponent.chosen == "sees:3"


async def test_the_level_belongs_to_the_player_that_is_chosen_now() -> None:
    async with running(app_of("hexapawn:3x3")) as (app, pilot):
        await pressed(pilot, "n")
        opponent = app.screen.query(SeatChoice).first()
        await clicked(pilot, "#more")
        first = opponent.chosen
        for who, chosen in (("sees", "sees:4"), (first, first), ("sees", "sees:4")):
            opponent.query_one(Select).value = who
            await pilot.pause()
            assert opponent.chosen.partition(":")[0] == chosen.partition(":")[0]
            assert opponent.query_one(Input).display == (who == "sees")
            assert (":" in opponent.chosen) == (who == "sees")


async def test_a_side_is_chosen_and_the_opponent_takes_the_other() -> None:
    async with running(app_of("hexapawn:3x3")) as (app, pilot):
        await pressed(pilot, "n")
        opponent, you = app.screen.query(SeatChoice)
        assert "HER" in choices_of(opponent)
        await choose(pilot, "#own-side", 1)
        assert (opponent.seat, you.seat) == (0, 1)
        assert "HER" not in choices_of(opponent), "HER plays Black"
        await clicked(pilot, "#ok")
        assert expect(MatchScreen, app.screen).match.seats == ["perfect", "human"]


SHOWN_FIRST = {
    "chocobar": ["Board", "Opponent", "You play"],
    "hexapawn": ["Board", "Opponent", "You play"],
    "honshu": ["Board", "Opponent"],
    "menace": ["Opponent", "You play"],
    "tetromino": ["Board", "Opponent", "You play"],
}


@pytest.mark.parametrize("name", SHOWN_FIRST)
async def test_a_new_match_asks_for_three_things_at_most_and_more_on_request(name: str) -> None:
    async with running(app_of()) as (app, pilot):
        app.choose_match(ChooseMatch(parse_game_id(name).game))
        await pilot.pause()

        def shown() -> list[str]:
            rows = [row for row in app.screen.query(Row) if row.region.height]
            return [str(row.query(Label).first().content) for row in rows]

        assert shown() == SHOWN_FIRST[name]
        await clicked(pilot, "#more")
        titles = {"In your place", *(each.title for each in parse_game_id(name).game.parameters)}
        assert titles | set(SHOWN_FIRST[name]) <= {
            str(row.query(Label).first().content) for row in app.screen.query(Row)
        }


async def test_a_board_of_ones_own_opens_the_rest_of_the_fields() -> None:
    async with running(app_of("chocobar:4x5")) as (app, pilot):
        await pressed(pilot, "n")
        assert app.screen.query_one("#preset", Select).value == "4x5", "the board before is offered again"
        assert not app.screen.query_one("#parameter-rows").region
        app.screen.query_one("#preset", Select).value = "free"
        await pilot.pause()
        assert app.screen.query_one("#parameter-rows").region


async def test_what_is_wrong_with_a_new_match_is_said_above_its_buttons() -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pressed(pilot, "n")
        sentence = app.screen.query_one(".error", Static)
        assert not sentence.display
        app.screen.query_one("#parameter-rows", Input).value = "99"
        await pressed(pilot, "enter")
        assert sentence.display
        assert sentence.region.bottom <= app.screen.query_one("#ok").region.y
        assert str(sentence.content).endswith(".")


@pytest.mark.parametrize(
    "start",
    [each for each in all_starts() if each.name in {"new-honshu", "seats", "new-tournament"}],
    ids=lambda start: start.name,
)
async def test_a_field_for_a_number_takes_only_a_short_number_and_at_once(start: Start) -> None:
    async with running(start.make(random.Random(1))) as (app, pilot):
        await start.open(pilot)
        # Textual's own kinds of numbers take for ever over what is typed below.
        assert all(each.type == "text" for each in app.screen.query(Input))
        found = list(app.screen.query(NumberField))
        assert found
        for field in found[:2]:
            field.value = ""
            field.focus()
            await send(pilot, events.Paste("1" * 40 + "x"), events.Paste("-12"), events.Paste("3 "))
            assert field.number == -12
            await burst(pilot, *map(key_event, ("home", "delete", *"5" * 20, "x")))
            assert len(field.value) in (3, MOST_DIGITS)
            assert field.number == int(field.value)


async def test_the_list_of_commands_does_not_list_itself() -> None:
    async with running(app_of("chocobar:3x4")) as (app, _):
        listed = [command.title for command in expect(MatchScreen, app.screen).commands()]
        assert "Hint" in listed
        assert "palette" not in listed


async def test_the_wheel_turns_the_number_that_was_clicked_and_no_other() -> None:
    async with running(app_of("honshu:5x4#1")) as (app, pilot):
        await pressed(pilot, "n")
        await clicked(pilot, "#more")
        size, tiles = (app.screen.query_one(f"#parameter-{name}", NumberField) for name in ("size", "tiles"))
        await clicked(pilot, "#parameter-size")

        async def turned(kind: type[events.MouseEvent]) -> list[int | None]:
            for field in (size, tiles):
                field.post_message(kind(field, 1, 0, 0, 0, 0, False, False, False))
            await pilot.pause()
            return [size.number, tiles.number]

        assert await turned(events.MouseScrollUp) == [6, 4]
        assert await turned(events.MouseScrollDown) == [5, 4]
        size.value = "0"
        assert await turned(events.MouseScrollDown) == [0, 4]


async def test_help_names_keys_as_they_stand_on_a_keyboard() -> None:
    async with running(app_of("chocobar:3x4")) as (_, pilot):
        # Only a hint makes Escape do something.
        await pilot.press("i")
        await rested(pilot)
        help = await reached(pilot, HelpScreen, "question_mark")
        shown = " ".join(keys for keys, _ in help.keys).split()
        words = [words for _, words in help.keys]
        assert {"Ctrl+Q", "Enter", "Tab", "Shift+Tab", "Esc", ":", "?"} <= set(shown)
        assert not [key for key in shown if "^" in key or "super" in key]
        assert not [each for each in words if "Focus" in each or "selected text" in each or "palette" in each]


@pytest.mark.parametrize("text", ["", "chocobar:3x4", "hexapawn:3x3"])
async def test_the_list_of_commands_names_each_once_with_its_key(text: str) -> None:
    async with at_rest(app_of(text)) as (app, _):
        commands = list(app.get_system_commands(app.screen))
        titles = [each.title for each in commands]
        assert len(titles) == len(set(titles))
        assert not {"Commands", "Focus Next", "Copy selected text", "Up", "Down"} & set(titles)
        helps = {each.title: each.help for each in commands}
        assert helps["Help"].endswith("(?)")
        assert helps["Quit"].endswith("(Ctrl+Q)")
        assert all(each[0].isupper() for each in helps.values())


async def test_the_list_of_commands_keeps_to_the_middle_of_a_wide_terminal() -> None:
    async with running(app_of(), size=(160, 50)) as (app, pilot):
        await pressed(pilot, "colon")
        listed = app.screen.query_one(OptionList)
        assert listed.region.width <= 76
        assert abs(listed.region.x + listed.region.width // 2 - 80) <= 1


async def test_what_was_said_on_a_screen_stays_there() -> None:
    async with running(app_of("chocobar:3x4")) as (app, pilot):
        await pilot.press("m")
        assert list(app._notifications)
        await reached(pilot, MenuScreen, "q")
        assert not list(app._notifications)


async def test_what_cannot_be_done_is_not_among_the_commands() -> None:
    async with at_rest(app_of("hexapawn:3x3")) as (app, _):
        helps = [each.help for each in app.get_system_commands(app.screen)]
        assert not [each for each in helps if "boxes of the machine" in each and "(b)" in each]


async def test_commands_and_the_footer_offer_what_can_be_done_now() -> None:
    async with running(app_of("hexapawn:3x3")) as (app, pilot):

        async def offered(*keys: str) -> set[str]:
            await pressed(pilot, *keys)
            footer = {each.description for each in app.screen.query_one(KeyFooter).entries}
            commands = {each.title for each in app.get_system_commands(app.screen)}
            assert not {"Undo", "Hint", "Pause"} & (footer ^ commands)
            return commands

        late = {"Again", "Other side", "Watch"}
        at_first = await offered()
        assert not at_first & {"Undo", "Redo", "Restart", "Pause", *late}
        assert at_first >= {"Hint", "Seats", "Resign"}
        assert await offered("command:type", *"a1a2", "enter") >= {"Undo", "Restart"}
        taken_back = await offered("u")
        assert "Redo" in taken_back
        assert "Undo" not in taken_back
        assert "Redo" not in await offered("full_stop", "full_stop")
        at_the_end = await offered("command:resign", "enter")
        assert at_the_end >= {"Undo", *late}
        assert not at_the_end & {"Redo", "Hint", "Seats", "Resign", "Pause"}


def test_a_key_has_one_action_in_each_class() -> None:
    for package in (screens, widgets):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            for each in vars(importlib.import_module(module.name)).values():
                bindings = vars(each).get("BINDINGS", ()) if isinstance(each, type) else ()
                # In the laboratory one key trains and pauses; never can both be done.
                keys = [key for bound in bindings if bound.action != "pause" for key in bound.key.split(",")]
                assert len(keys) == len(set(keys)), each


async def test_every_theme_that_can_be_chosen_draws_a_match() -> None:
    async with running(app_of("hexapawn:3x3")) as (app, pilot):
        await pilot.press("v")
        for name in sorted(app.available_themes):
            app.change("theme", name)
            await pilot.pause()
            assert app.theme == name


async def test_a_theme_that_can_draw_no_boards_is_not_taken_from_the_settings() -> None:
    with open_store(None) as store:
        store.set("theme", "ansi-dark")
    app = app_of("hexapawn:3x3")
    assert app.theme == "arcade-dark"
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, MatchScreen)


async def test_a_running_race_keeps_its_two_boards() -> None:
    match = new_match(parse_game_id("honshu:6x3#7"), ("human", "human"))
    async with at_rest(app_with(match)) as (app, pilot):
        for key, dialog, spare in (("n", NewMatchDialog, True), ("command:seats", SeatsDialog, False)):
            await reached(pilot, dialog, key)
            seat = app.screen.query(SeatChoice).first().query_one(Select)
            assert (NOBODY in {value for _, value in seat._options}) == spare
            await pilot.press("escape")
        await pressed(pilot, "command:seats")
        await clicked(pilot, "#more")
        app.screen.query(SeatChoice).last().query_one(Select).value = "random"
        await pilot.pause()
        await clicked(pilot, "#ok")
        assert isinstance(app.screen, MatchScreen)
        assert match.seats == ["human", "random"]

import unicodedata
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from arcade.app import ArcadeApp
from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.menace.curve import Curve, Point
from arcade.engines.menace.machine import Machine, Options, Overflow
from arcade.engines.menace.presets import BUILT_IN
from arcade.screens.dialogs import HelpScreen, Question
from arcade.screens.menace.charts import BeadChart, Chart, ShareChart, columns_of, share_words
from arcade.screens.menace.laboratory import LaboratoryScreen, dials_of, open_boxes, turned, typed
from arcade.screens.menace.machines import WallScreen
from arcade.screens.menace.screen import MenaceScreen
from arcade.screens.menace.trainer import OPPONENTS, Setup
from arcade.screens.menu import MenuScreen
from arcade.services import Services
from arcade.store.store import StoreError
from arcade.widgets.forms import Dials
from arcade.widgets.glyphs import ASCII, UNICODE, Glyphs, dots
from tests.refusals import failing
from tests.screens.pilots import app_with, pressed, reached, running, said, settled, top_screen


async def opened(app: ArcadeApp, pilot: Pilot[None], setup: Setup | None = None) -> LaboratoryScreen:
    screen = LaboratoryScreen("menace")
    await app.push_screen(screen)
    if setup is not None:
        screen.change(setup)
    await pilot.pause()
    return screen


async def trained(pilot: Pilot[None], screen: LaboratoryScreen) -> None:
    await pressed(pilot, "p", until=lambda: not screen.busy)


def text_of(screen: LaboratoryScreen, selector: str) -> str:
    return str(screen.query_one(selector, Static).render())


def drawn_lines(widget: Dials | Chart) -> list[str]:
    return [widget.render_line(y).text for y in range(widget.size.height)]


@pytest.mark.slow
async def test_training_shows_two_charts_and_saves_the_machine() -> None:
    async with running(app_with()) as (app, pilot):
        services = app.services
        screen = await opened(app, pilot, Setup("fresh Michie", "random", 500))
        assert "as Michie built it" in text_of(screen, "#words Static")
        await pilot.press("W")
        assert app.screen is screen, "nothing is trained yet, so nothing can be saved"
        await trained(pilot, screen)
        assert text_of(screen, "#progress") == "500 of 500 games (seed 1)"
        assert screen.trainer is not None
        last = screen.trainer.curve.points[-1]
        assert f"{last.win:.0%}" in text_of(screen, "#shares-caption")
        assert "last 50 games: " in text_of(screen, "#shares-caption")
        assert f"a3 {last.first[0][0]:.0f}" in text_of(screen, "#beads-caption")
        shares, boxes = screen.query_one(ShareChart), screen.query_one(BeadChart)
        assert abs(shares.size.height - boxes.size.height) <= 1
        assert drawn_lines(shares)[0].startswith("100%")
        assert "500 games" in drawn_lines(shares)[-1]
        assert {"▴", "▾"} <= set("".join(drawn_lines(shares)))
        assert dots(1, UNICODE) in "".join(drawn_lines(boxes))
        assert "calculated results (%)" in text_of(screen, "#words Static")

        # Every sign is one column wide.
        for plain in ("on", "off"):
            app.change("ascii", plain)
            await pilot.pause()
            text = "".join((*drawn_lines(screen.query_one(Dials)), *drawn_lines(shares), *drawn_lines(boxes)))
            assert all(unicodedata.east_asian_width(each) in ("N", "Na") for each in text)
            assert plain == "off" or text.isascii()

        # It is saved only under a good name, and then trained further.
        await pressed(pilot, "W", *"1st", "enter")
        assert "must start with a letter" in said(app)
        assert services.store.machine_names() == []
        await pressed(pilot, "W", *"Ann", "enter")
        assert screen.setup.machine == "Ann"
        assert services.machines.load("Ann").games == 500
        wall = await reached(pilot, WallScreen, "b")
        await settled(pilot, lambda: wall.machine is not None)
        await pressed(pilot, "q", until=lambda: app.screen is screen)
        screen.change(replace(screen.setup, games=10))
        await trained(pilot, screen)
        assert text_of(screen, "#progress").endswith("(seed 2)"), "a second training is another one"
        assert services.machines.load("Ann").games == 510

        # A training that fails is told.
        services.store.delete_machine("Ann")
        app.clear_notifications()
        await trained(pilot, screen)
        assert any("Ann" in note.message for note in app._notifications)

        # HER has two first boxes to look at.
        screen.change(Setup("fresh HER", "perfect", 50))
        await trained(pilot, screen)
        assert "Beads in box 1 of 2" in text_of(screen, "#beads-caption")
        await pilot.press("full_stop")
        assert "Beads in box 2 of 2" in text_of(screen, "#beads-caption")


@pytest.mark.slow
async def test_training_can_be_paused_stopped_and_left() -> None:
    app = app_with()
    app.services.machines.keep(Machine("Bob"))
    async with running(app) as (_, pilot):
        screen = await opened(app, pilot, Setup("Bob", "random", 1_000))

        def played() -> int:
            return screen.trainer.played if screen.trainer is not None else 0

        screen.speed = 1
        await pressed(pilot, "p", until=played)
        await pressed(pilot, "p", until=lambda: not screen.going)
        # The dials are locked, but the speed is not.
        await pilot.press("down", "down", "right")
        assert screen.setup.games == 1_000
        await pilot.press("plus")
        assert screen.trainer is not None
        assert (screen.speed, screen.trainer.speed) == (2, 2)
        await pressed(pilot, "p", until=lambda: screen.going)
        await pressed(pilot, "x", until=lambda: not screen.busy)
        assert played() < 1_000
        assert "cancelled" in text_of(screen, "#progress")

        # The training ends while the player reads the help: the help stays.
        screen.speed = 3
        screen.change(Setup("Bob", "random", 10_000_000))
        screen.action_train()
        await settled(pilot, played)
        screen.action_leave()
        screen.action_help()
        await settled(pilot, lambda: not screen.busy)
        top_screen(app, HelpScreen)
        await pressed(pilot, "escape", until=lambda: app.screen is screen)
        saved = app.services.machines.load("Bob").games

        # Leaving saves what was played, and the menu is there again.
        await pressed(pilot, "p", until=played)
        await pressed(pilot, "q", until=lambda: app.screen is not screen)
        assert app.services.machines.load("Bob").games == saved + played() > saved
        assert len(app.screen_stack) == 1


async def test_machine_with_empty_first_box_can_be_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_with()
    spent: Any = Machine("Spent", Options(first_beads=(1,), rewards=(0, -1, -1)))
    app.services.machines.keep(spent)
    async with running(app) as (_, pilot):
        screen = await opened(app, pilot, Setup("Spent", "perfect", 1_000))
        await reached(pilot, Question, "p")
        # Fresh beads that cannot be written.
        with monkeypatch.context() as patched:
            patched.setattr(app.services.store, "save_machine", failing(StoreError("The disk is full.")))
            await pressed(pilot, "y", until=lambda: app.screen is screen and bool(app._notifications))
        assert said(app) == "The disk is full."
        assert app.services.machines.load("Spent").refuses
        await reached(pilot, Question, "p")
        await pressed(pilot, "y", until=lambda: app.services.machines.load("Spent").games == 0)
        assert not app.services.machines.load("Spent").refuses


async def test_unreadable_machines_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(app_with()) as (app, pilot):
        open_boxes(app, "menace")
        wall = await reached(pilot, WallScreen)
        await settled(pilot, lambda: wall.machine is not None)
        for keys in (("c",), ("c", "delete"), ("c", "W"), ("command:laboratory", "b")):
            app.clear_notifications()
            with monkeypatch.context() as patched:
                patched.setattr(app.services.store, "machines", failing(StoreError("The disk is gone.")))
                await pressed(pilot, *keys, until=lambda: bool(app._notifications))
            assert any(each.message == "The disk is gone." for each in app._notifications), keys
            while app.screen is not wall:
                await pressed(pilot, "escape" if app.screen.is_modal else "q")
        assert app.is_running


@pytest.mark.slow
async def test_laboratory_opens_from_menu_and_creates_a_machine() -> None:
    async with running(app_with()) as (app, pilot):
        offered = {command.title: command for command in app.get_system_commands(app.screen)}
        offered["Laboratory"].callback()
        screen = await reached(pilot, LaboratoryScreen)
        titles = [command.title for command in app.get_system_commands(app.screen)]
        for words in ("Train", "New", "Boxes"):
            assert titles.count(words) == 1
        # Nothing has been trained yet.
        assert not {"Pause", "Stop", "Box", "Save"} & set(titles)
        screen.jobs.controls["training"] = Control()
        titles = [command.title for command in app.get_system_commands(app.screen)]
        for words in ("Pause", "Stop"):
            assert titles.count(words) == 1
        assert not {"Train", "Save"} & set(titles)
        screen.jobs.drop("training")
        await reached(pilot, HelpScreen, "question_mark")
        await pressed(pilot, "q", until=lambda: app.screen is screen)

        await pilot.press("n")
        dialog = app.screen
        fields: dict[str, Any] = {
            each: dialog.query_one(f"#{each}") for each in ("name", "beads", "rewards", "seat", "every")
        }
        await pilot.press("enter")
        assert "name" in str(dialog.query_one(".error").render())
        fields["name"].value = "Own"
        fields["rewards"].value = "1,2"
        await pilot.press("enter")
        assert "three rewards" in str(dialog.query_one(".error").render())
        fields["rewards"].value = "5,0,-2"
        fields["beads"].value = "9,9"
        fields["seat"].value = "1"
        fields["every"].value = "on"
        await pressed(pilot, "enter", until=lambda: app.screen is screen)
        made = app.services.machines.load("Own")
        assert made.options == Options(seat=1, distinct=False, first_beads=(9, 9), rewards=(5, 0, -2))
        assert screen.setup.machine == "Own"
        await pilot.press("n")
        preset: Any = app.screen.query_one("#preset")
        preset.value = "her"
        await pilot.pause()
        name: Any = app.screen.query_one("#name")
        name.value = "Her-own"
        await pilot.click("#ok")
        await settled(pilot, lambda: app.screen is screen)
        her = next(each.options for each in BUILT_IN if each.name == "HER")
        assert app.services.machines.load("Her-own").options == her

        # A small machine begins with few games, which show its learning.
        await reached(pilot, MenuScreen, "q")
        small = LaboratoryScreen("hexapawn", "HER")
        await app.push_screen(small)
        assert small.setup.games == 50
        await reached(pilot, MenuScreen, "q")
        app.action_settings()
        await pilot.pause()
        assert not isinstance(app.screen, MenaceScreen)


@pytest.mark.parametrize("name", ["perfect", "MENACE", "1st", "Random", "nobody", "fresh M", "fresh Michie"])
def test_reserved_machine_names_are_refused(services: Services, name: str) -> None:
    with pytest.raises(InputError):
        services.machines.check_new_name(name, "menace")


def test_choosing_a_machine_sets_a_suitable_number_of_games(services: Services) -> None:
    small = turned(Setup("fresh Every-cell"), "machine", 2, services.machines)
    assert (small.machine, small.games) == ("fresh HER", 50)
    onward = turned(small, "machine", 1, services.machines)
    assert (onward.machine, onward.games) == ("fresh HER-4x4", 1_000)
    chosen = turned(Setup("fresh Second", games=300), "machine", 1, services.machines)
    assert (chosen.machine, chosen.games) == ("fresh HER", 300), "what a person has chosen stays"


async def test_dials_work_by_keys_clicks_and_typing() -> None:
    async with running(app_with()) as (app, pilot):
        screen = await opened(app, pilot)
        dials = screen.query_one(Dials)
        assert [dial.name for dial in dials.dials] == ["machine", "opponent", "games", "speed"]
        await pilot.press("right")
        assert screen.setup.machine == "fresh Scroggs"
        await pilot.press("h", "a")
        assert screen.setup.machine == "HER-4x4", "the last of the saved ones"
        at = {dial.name: row for row, dial in enumerate(dials.dials)}
        await pilot.click(Dials, offset=(dials.size.width - 1, at["games"]))
        assert screen.setup.games == 3_000
        await pilot.click(Dials, offset=(12, at["games"]))
        assert screen.setup.games == 1_000
        await pilot.click(Dials, offset=(20, at["games"]))
        await pressed(pilot, *"1,234", "enter")
        assert screen.setup.games == 1_234
        await pilot.click(Dials, offset=(20, at["opponent"]))
        await pressed(pilot, *"0.75", "enter")
        assert screen.setup.opponent == "0.75"
        before, count = screen.setup, len(app._notifications)
        await pilot.click(Dials, offset=(20, at["games"]))
        await pressed(pilot, "0", "enter")
        assert len(app._notifications) == count + 1
        assert screen.setup == before


def test_games_dial_turns_to_the_next_round_number(services: Services) -> None:
    def next_games(games: int, by: int) -> int:
        return turned(Setup("fresh Michie", games=games), "games", by, services.machines).games

    assert [next_games(1_234, by) for by in (1, -1)] == [3_000, 1_000]
    assert [next_games(each, by) for each, by in ((10, -1), (1_000_000, 1))] == [10, 1_000_000]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("games", "0", "from 1 to 100,000,000, not '0'"),
        ("games", "many", "from 1 to 100,000,000"),
        ("games", "9" * 30, "from 1 to 100,000,000"),
        ("opponent", "nobody", "nobody"),
        ("opponent", "2", "0 to 1"),
        ("opponent", "fresh Foo", "Unknown kind of machine 'Foo'"),
        ("opponent", "fresh Michie", "both move first"),
    ],
)
def test_dial_refuses_invalid_values(name: str, text: str, says: str, services: Services) -> None:
    with pytest.raises(InputError, match=says):
        typed(Setup("fresh Michie"), name, text, services.machines)


def test_opponents_are_players_and_machines_of_the_other_side(services: Services) -> None:
    services.machines.keep(Machine("Eve", Options(seat=1)))
    setup, met = Setup("fresh Michie"), list[str]()
    for _ in range(8):
        met.append(setup.opponent)
        setup = turned(setup, "opponent", 1, services.machines)
    assert met[:5] == list(OPPONENTS)
    assert "fresh Second" in met
    assert "Eve" in met
    assert "fresh Scroggs" not in met
    assert typed(setup, "opponent", "Perfect", services.machines).opponent == "perfect"


def test_opposing_machine_learns_only_while_it_fits(services: Services) -> None:
    setup = Setup("fresh Michie", "fresh Second")
    assert [dial.name for dial in dials_of(setup, "steady")][2] == "both"
    setup = turned(setup, "both", 1, services.machines)
    assert setup.both
    other = turned(replace(setup, machine="fresh Second"), "machine", 1, services.machines)
    assert (other.machine, other.opponent) == ("fresh HER", "random")


def test_chart_columns_average_the_training_curve() -> None:
    curve = [Point(10 * at, at / 10, 0.0, 1 - at / 10, ((float(at),),)) for at in range(1, 11)]
    assert [each.win for each in columns_of(curve, 10)] == [at / 10 for at in range(1, 11)]
    halves = columns_of(curve, 5)
    assert [round(each.win, 3) for each in halves] == [0.15, 0.35, 0.55, 0.75, 0.95]
    assert [each.first for each in halves] == [((float(at),),) for at in (2, 4, 6, 8, 10)]
    # What has been played fills the width, however few games these are.
    wide = columns_of(curve[:2], 8)
    assert [each.games for each in wide] == [10] * 4 + [20] * 4


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_laboratory_matches_its_picture(snap_compare: Callable[..., bool], size: tuple[int, int]) -> None:
    app = app_with()

    async def before(pilot: Pilot[None]) -> None:
        await trained(pilot, await opened(app, pilot, Setup("fresh Michie", "random", 1_000)))

    assert snap_compare(app, terminal_size=size, run_before=before)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_recent_result_shares_fit_any_width(glyphs: Glyphs) -> None:
    points = [Point(40, 1.0, 0.0, 0.0, ()), Point(60, 0.25, 0.25, 0.5, ())]
    curve = Curve(points, 20)
    win, tie, loss = glyphs.win, glyphs.tie, glyphs.loss
    shares = f"{win}25% {tie}25% {loss}50%"
    assert share_words("Ada", curve, glyphs, 44) == f"Ada, last 20 games: {shares}"
    begun = Curve(points[:1], 50)
    assert share_words("Ada", begun, glyphs, 44) == f"Ada, last 40 games: {win}100% {tie}0% {loss}0%"
    assert share_words("Ada", curve, glyphs, 20) == f"Ada {shares}"
    assert share_words("MENACE-O", curve, glyphs, 22) == f"MENACE-O {shares.replace('%', '')}"
    long = share_words("a-very-long-name-of-a-machine", curve, glyphs, 22)
    assert long.startswith("a-very-")
    assert long.endswith(shares.replace("%", ""))
    assert len(long) == 22
    single = Curve([Point(1, 0.0, 0.0, 1.0, ())], 10)
    assert share_words("Ada", single, glyphs, 44) == f"Ada, last game: {win}0% {tie}0% {loss}100%"


async def test_overlapping_curves_stay_visible() -> None:
    async with running(app_with()) as (app, pilot):
        shares, beads = ShareChart(), BeadChart()
        await app.screen.mount(shares, beads)
        await pilot.pause()
        points = [Point(games, 0.6, 0.2, 0.2, ((50.0, 50.0, 3.0),)) for games in range(1, 101)]
        for chart in (shares, beads):
            chart.styles.height = 10
            chart.styles.width = 40
            chart.styles.dock = "top"
        await pilot.pause()
        beads.put(points, "")
        beads.look_at(0, (0, 1, 2), Overflow.HALVE)
        assert not beads.note
        shares.put(points, "")
        colours = {each.style.color for each in beads.cells(0) if each.style and each.text.strip()}
        assert len(colours) == 2
        for row in range(shares.rows()):
            line = "".join(each.text for each in shares.cells(row))
            assert len(line.strip()) == 1
        full = Point(101, 0.6, 0.2, 0.2, ((126.0, 50.0, 3.0),))
        notes = {Overflow.HALVE: "A full box loses half.", Overflow.STOP: "stops at 127"}
        for overflow, note in notes.items():
            beads.put([*points, full], "")
            beads.look_at(0, (0, 1, 2), overflow)
            assert note in beads.render_line(beads.rows()).text
        beads.put((), "")
        assert not beads.note

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from arcade.app import ArcadeApp
from arcade.engines.menace.archive import from_json
from arcade.engines.menace.machine import AnyMachine, Machine, Options
from arcade.screens.dialogs import Prompt, Question
from arcade.screens.machines import BoxDialog, MachinesDialog, WallScreen
from arcade.widgets.keys import Shortcuts
from tests.screens.pilots import pressed, reached, said, settled
from tests.screens.starts import burst, key_event


@pytest.fixture
def app() -> ArcadeApp:
    made = ArcadeApp(warm=False)
    machine: AnyMachine = Machine("Bob", Options(seat=1))
    machine.won = 3
    made.services.machines.keep(machine)
    return made


async def opened(app: ArcadeApp, pilot: Pilot[None], name: str) -> MachinesDialog:
    dialog = MachinesDialog(name)
    await app.push_screen(dialog)
    await settled(pilot, lambda: dialog.query_one(OptionList).highlighted is not None)
    assert dialog.name_at == name
    return dialog


async def answer(pilot: Pilot[None], text: str) -> None:
    await reached(pilot, Prompt)
    await pressed(pilot, *text, "enter")


async def test_a_machine_goes_to_a_file_and_comes_back_under_another_name(
    app: ArcadeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        dialog = await opened(app, pilot, "Bob")
        await pilot.press("W")
        await answer(pilot, "bob.json")
        assert from_json(Path("bob.json").read_text("utf-8")).games == 3
        # A file that is there is not written over.
        Path("bob.json").write_text(Path("bob.json").read_text("utf-8") + "\n", "utf-8")
        before = Path("bob.json").read_bytes()
        await pilot.press("W")
        await answer(pilot, "bob.json")
        assert said(app) == "There is already a file 'bob.json'. Choose another name."
        assert Path("bob.json").read_bytes() == before
        # Nor is a machine that is kept.
        await pilot.press("o")
        await answer(pilot, "bob.json")
        await answer(pilot, "Rob")
        await settled(pilot, lambda: dialog.name_at == "Rob")
        assert app.services.machines.load("Rob").games == app.services.machines.load("Bob").games == 3
        await pilot.press("o")
        await answer(pilot, "bob.json")
        await answer(pilot, "Rob")
        assert said(app) == "There is already a machine Rob; choose another name."


@pytest.mark.parametrize(
    ("text", "expected"), [(None, "cannot be read"), ("[/x]", "not valid JSON"), ("\0", "not valid JSON")]
)
async def test_a_bad_file_is_refused_with_a_reason(
    app: ArcadeApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, expected: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if text is not None:
        Path("bad").write_text(text, "utf-8")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await opened(app, pilot, "Bob")
        kept = dict(app.services.store.machines())
        await pilot.press("o")
        await answer(pilot, "bad")
        assert expected in said(app)
        assert app.services.store.machines() == kept


async def test_games_are_counted_in_words(app: ArcadeApp) -> None:
    machine: AnyMachine = Machine("Novice")
    machine.won = 1
    app.services.machines.keep(machine)
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = await opened(app, pilot, "Novice")
        shown = [str(each.prompt) for each in dialog.query_one(OptionList).options]
        assert "Novice: menace, 1 game" in shown
        assert "Bob: menace, 3 games" in shown


async def test_a_machine_is_deleted_after_a_question(app: ArcadeApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(app, pilot, "Bob")
        await reached(pilot, Question, "delete")
        await pilot.press("q")
        assert "Bob" in app.services.machines.listed()
        # The same by mouse alone.
        words = str(app.screen.query_one(Shortcuts).render())
        await pilot.click(Shortcuts, offset=(words.index("delete"), 0))
        await reached(pilot, Question)
        await pilot.click("#yes")
        await reached(pilot, MachinesDialog)
        assert "Bob" not in app.services.machines.listed()
        assert [each.id for each in app.screen.query_one(OptionList).options] == list(
            app.services.machines.listed()
        )


async def test_a_damaged_machine_is_listed_and_can_be_deleted(app: ArcadeApp) -> None:
    app.services.store.save_machine("Bob", "{}")
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = await opened(app, pilot, "Bob")
        shown = [str(each.prompt) for each in dialog.query_one(OptionList).options]
        assert shown[-1] == "Bob: damaged"
        await reached(pilot, Question, "delete")
        await reached(pilot, MachinesDialog, "enter")
        assert app.services.store.machine_names() == []


async def test_a_founder_forgets_but_stays(app: ArcadeApp) -> None:
    trained: AnyMachine = Machine("MENACE", Options())
    trained.tied = 5
    app.services.machines.keep(trained)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await opened(app, pilot, "MENACE")
        await reached(pilot, Question, "delete")
        await pressed(pilot, "enter")
        assert app.services.machines.listed()["MENACE"].games == 0
        await pilot.press("delete")
        assert said(app) == "MENACE is fresh: it has learned nothing yet."


async def test_the_wall_of_a_machine_that_is_gone_shows_another(app: ArcadeApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        wall = WallScreen("menace", "Bob")
        await app.push_screen(wall)
        await settled(pilot, lambda: wall.machine is not None)
        await reached(pilot, MachinesDialog, "c")
        await reached(pilot, Question, "delete")
        await reached(pilot, MachinesDialog, "enter")
        await pilot.press("escape")
        await settled(pilot, lambda: wall.machine is not None and wall.machine.name == "MENACE")


async def test_a_second_enter_on_a_machine_closes_nothing_more(app: ArcadeApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        wall = WallScreen("menace")
        await app.push_screen(wall)
        await settled(pilot, lambda: wall.machine is not None)
        await reached(pilot, MachinesDialog, "c")
        await burst(pilot, key_event("enter"), key_event("enter"))
        # It is the wall's, where it opens a box.
        await reached(pilot, BoxDialog)
        assert app.screen_stack[1:-1] == [wall]

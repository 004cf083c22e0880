from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from arcade.app import ArcadeApp
from arcade.engines.menace.archive import from_json
from arcade.engines.menace.machine import AnyMachine, Machine, Options
from arcade.screens.dialogs import Prompt, Question
from arcade.screens.menace.machines import BoxDialog, MachinesDialog, WallScreen
from arcade.screens.menu import MenuScreen
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
    """The list of machines, with the highlight on a machine."""
    if isinstance(app.screen, MachinesDialog):
        await reached(pilot, MenuScreen, "escape")
    dialog = MachinesDialog(name)
    await app.push_screen(dialog)
    await settled(pilot, lambda: dialog.query_one(OptionList).highlighted is not None)
    assert dialog.name_at == name
    return dialog


def listed(dialog: MachinesDialog) -> list[str]:
    return [str(each.prompt) for each in dialog.query_one(OptionList).options]


async def answer(pilot: Pilot[None], text: str) -> None:
    await reached(pilot, Prompt)
    await pressed(pilot, *text, "enter")


@pytest.mark.slow
async def test_machines_are_exported_and_imported(
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
        assert said(app) == "The file 'bob.json' already exists. Choose another name."
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
        assert said(app) == "The machine Rob already exists. Choose another name."

        # A bad file is refused with a reason.
        kept = dict(app.services.store.machines())
        bad: list[tuple[str | None, str]] = [
            (None, "Cannot read"),
            ("[/x]", "not valid JSON"),
            ("\0", "not valid JSON"),
        ]
        for text, expected in bad:
            if text is not None:
                Path("bad").write_text(text, "utf-8")
            app.clear_notifications()
            while isinstance(app.screen, Prompt):
                await pressed(pilot, "escape")
            await pilot.press("o")
            await answer(pilot, "bad")
            assert expected in said(app), text
            assert app.services.store.machines() == kept, text


async def test_machines_are_listed_and_deleted_after_confirmation(app: ArcadeApp) -> None:
    machines, store = app.services.machines, app.services.store
    novice: AnyMachine = Machine("Novice")
    novice.won = 1
    machines.keep(novice)
    trained: AnyMachine = Machine("MENACE", Options())
    trained.tied = 5
    machines.keep(trained)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        # Games are counted in words.
        dialog = await opened(app, pilot, "Novice")
        assert "Novice: menace, 1 game" in listed(dialog)
        assert "Bob: menace, 3 games" in listed(dialog)

        await reached(pilot, Question, "delete")
        await pilot.press("q")
        assert "Novice" in machines.listed()
        # The same by mouse alone.
        words = str(app.screen.query_one(Shortcuts).render())
        await pilot.click(Shortcuts, offset=(words.index("delete"), 0))
        await reached(pilot, Question)
        await pilot.click("#yes")
        await reached(pilot, MachinesDialog)
        assert "Novice" not in machines.listed()
        assert [each.id for each in app.screen.query_one(OptionList).options] == list(machines.listed())

        # A machine that the arcade comes with forgets, but stays.
        await opened(app, pilot, "MENACE")
        await reached(pilot, Question, "delete")
        await pressed(pilot, "y")
        assert machines.listed()["MENACE"].games == 0
        await pilot.press("delete")
        assert said(app) == "MENACE has not been trained yet."

        # A damaged one is listed, and can be deleted.
        store.save_machine("Bob", "{}")
        dialog = await opened(app, pilot, "Bob")
        assert listed(dialog)[-1] == "Bob: damaged"
        await reached(pilot, Question, "delete")
        await reached(pilot, MachinesDialog, "y")
        assert store.machine_names() == []


async def test_wall_switches_machines_and_second_enter_opens_a_box(
    app: ArcadeApp,
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        # The wall of a machine that is gone shows another.
        wall = WallScreen("menace", "Bob")
        await app.push_screen(wall)
        await settled(pilot, lambda: wall.machine is not None)
        await reached(pilot, MachinesDialog, "c")
        await reached(pilot, Question, "delete")
        await reached(pilot, MachinesDialog, "y")
        await pilot.press("escape")
        await settled(pilot, lambda: wall.machine is not None and wall.machine.name == "MENACE")

        await reached(pilot, MachinesDialog, "c")
        await burst(pilot, key_event("enter"), key_event("enter"))
        # The second Enter is the wall's, where it opens a box.
        await reached(pilot, BoxDialog)
        assert app.screen_stack[1:-1] == [wall]

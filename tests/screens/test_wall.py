import unicodedata
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from arcade.app import ArcadeApp
from arcade.engines.menace import box as beads
from arcade.engines.menace.box import BoxSet
from arcade.engines.menace.machine import Machine, Options
from arcade.engines.menace.presets import PRESETS
from arcade.screens.menace.boxes import BoxPanel, BoxWall
from arcade.screens.menace.machines import BoxDialog, BoxFilter, MachinesDialog, WallScreen
from arcade.widgets.keys import TitleBar
from tests.narrow import expect
from tests.screens.pilots import pressed, reached, resized, running, settled


async def opened(app: ArcadeApp, pilot: Pilot[None], *arguments: Any, **named: Any) -> WallScreen:
    screen = WallScreen(*arguments, **named)
    await app.push_screen(screen)
    await settled(pilot, lambda: screen.machine is not None)
    return screen


def wall_of(screen: WallScreen) -> BoxWall:
    return screen.query_one(BoxWall)


def words_of(screen: WallScreen) -> str:
    return str(screen.query_one("#status", Static).render())


def drawn(wall: BoxWall, lines: int) -> list[str]:
    return [wall.render_line(y).text for y in range(lines)]


@pytest.mark.slow
async def test_wall_shows_all_boxes_with_beads_and_symbols(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        for box_set, count in ((BoxSet.CHOICE, 304), (BoxSet.NOT_LOST, 287), (BoxSet.ALL, 338)):
            app.services.machines.keep(Machine("Some", Options(box_set=box_set)))
            screen = await opened(app, pilot, "menace", "Some")
            wall = wall_of(screen)
            assert len(wall.boxes) == count
            assert f"{count} boxes" in screen.query_one(TitleBar)._words[0]
            stages = [box.stage for box in wall.boxes]
            assert stages == sorted(stages)
            await pilot.press("end")
            assert wall.cursor == count - 1
            assert str(count) in "".join(drawn(wall, wall.size.height))
            # A box is drawn when it comes in sight, and what was drawn is not drawn again.
            left = count - len(wall._drawn)
            assert left > 0
            monkeypatch.setattr(wall, "_draw", draw := Mock(wraps=wall._draw))
            for top in 2 * [*range(0, wall.virtual_size.height, wall.size.height)]:
                wall.scroll_to(y=top, animate=False)
                drawn(wall, wall.size.height)
            assert draw.call_count == left
            await pilot.press("q")

        # A box shows its beads and how far it is from perfect.
        machine: Any = Machine("Marked")
        first, second = machine.boxes.boxes[:2]
        machine.beads[0] = beads.pack({0: 11, 1: 0, 4: 99})
        machine.beads[1] = 0
        screen = await opened(app, pilot, "menace", machine=machine)
        text = "\n".join(drawn(wall_of(screen), 12))
        assert "11" in text
        assert "99" in text
        # Every first move ties, so the first box cannot err; the second one is empty.
        assert "∘  0%" in text
        assert "∅" in text
        assert "never wrong" in words_of(screen)
        await pilot.press("right")
        assert "empty" in words_of(screen)
        assert wall_of(screen).chosen is second
        await pilot.press("left")
        assert wall_of(screen).chosen is first
        await pilot.press("q")

        # HER boxes are listed by move.
        screen = await opened(app, pilot, "hexapawn")
        wall = wall_of(screen)
        assert len(wall.boxes) == 19
        text = "\n".join(drawn(wall, wall.size.height))
        assert "ppp" in text
        assert "bxa2" in text
        await pilot.press("q")

        # Every sign is one column wide.
        machine = Machine("Marked")
        machine.beads[3] = 0
        machine.beads[4] = beads.pack({min(machine.boxes.boxes[4].moves): 127})
        for plain in ("on", "off"):
            app.change("ascii", plain)
            screen = await opened(app, pilot, "menace", machine, 6)
            text = "".join(drawn(wall_of(screen), wall_of(screen).size.height))
            assert all(unicodedata.east_asian_width(each) in ("N", "Na") for each in text)
            assert plain == "off" or text.isascii()
            await pilot.press("q")

        # The box in play is in sight.
        for size in ((80, 24), (120, 40)):
            await resized(pilot, *size)
            for index in (0, 150, 303):
                screen = await opened(app, pilot, "menace", "MENACE", index)
                wall = wall_of(screen)
                await pilot.pause()
                assert wall.boxes[wall.cursor].index == index
                assert f"▸{index + 1:>3}" in "".join(drawn(wall, wall.size.height))
                await pilot.press("q")


@pytest.mark.slow
async def test_boxes_are_selected_filtered_and_opened() -> None:
    async with running(ArcadeApp(warm=False)) as (app, pilot):
        # The palette opens the wall from anywhere.
        offered = {command.title: command for command in app.get_system_commands(app.screen)}
        offered["All boxes"].callback()
        screen = await reached(pilot, WallScreen)
        await settled(pilot, lambda: screen.machine is not None)
        titles = [command.title for command in app.get_system_commands(app.screen)]
        for words in ("Filter", "Go to", "In play", "Laboratory"):
            assert titles.count(words) == 1

        # Moving goes from box to box and row to row.
        wall = wall_of(screen)
        await pilot.press("j")
        assert wall.cursor == 1
        await pilot.press("l", "d", "s")
        assert wall.cursor - 3 >= 5
        await pilot.press("w", "k")
        assert wall.cursor == 0
        await pilot.press("up", "left")
        assert wall.cursor == 0
        await pilot.press("pagedown", "pagedown")
        assert wall.cursor > 10
        assert wall.scroll_offset.y > 0
        await pilot.press("home")
        assert (wall.cursor, wall.scroll_offset.y) == (0, 0)

        # A box is opened by a key and by a click.
        await reached(pilot, BoxDialog, "enter")
        text = "\n".join(
            "".join(each.text for each in line) for line in app.screen.query_one(BoxPanel)._lines
        )
        assert "Box 1 " in text
        await pilot.press("l", "l", "q")
        assert wall.cursor == 2
        # The first click chooses, the second one opens; a click between the boxes does nothing.
        await pilot.click("#wall", offset=(3, 2))
        assert wall.cursor == 0
        await pilot.click("#wall", offset=(60, 2))
        assert wall.cursor == 0
        await pilot.click("#wall", offset=(3, 2))
        assert isinstance(app.screen, BoxDialog)
        await pressed(pilot, "q", "q", until=lambda: not isinstance(app.screen, BoxDialog | WallScreen))

        # Filters, by keys and by clicks.
        machine: Any = Machine("Marked")
        machine.beads[5] = 0
        machine.beads[40] = beads.add(machine.beads[40], min(machine.boxes.boxes[40].moves), 3)
        screen = await opened(app, pilot, "menace", machine=machine)
        wall = wall_of(screen)
        await pilot.press("2")
        assert [box.stage for box in wall.boxes] == [2] * 12
        await pilot.press("9")
        assert len(app._notifications) == 1
        await pilot.press("0", "v")
        assert screen.kind is BoxFilter.WRONG
        errors = [machine.boxes.error(box, machine.beads[box.index]) for box in wall.boxes]
        assert errors
        assert all(error > 0.01 for error in errors)
        await pilot.press("v")
        assert [box.index for box in wall.boxes] == [5]
        await pilot.press("v")
        assert [box.index for box in wall.boxes] == [5, 40]
        await pilot.press("1")
        assert "No box matches the filter" in "".join(drawn(wall, 3))
        filters = str(screen.query_one("#filters", Static).render())
        await pilot.click("#filters", offset=(1 + filters.index("all stages"), 0))
        assert screen.stage == 0
        await pilot.click("#filters", offset=(1 + filters.index("wrong"), 0))
        assert screen.kind is BoxFilter.WRONG
        await pilot.press("q")

        # Jumps to a number, a board, the box in play and the next wrong one.
        screen = await opened(app, pilot, "menace", None, 77)
        wall = wall_of(screen)
        assert wall.chosen is not None
        assert wall.chosen.index == 77
        await pilot.press("slash", *"17", "enter")
        assert wall.chosen.index == 16
        await pilot.press("b")
        assert wall.chosen.index == 77
        # Any of the symmetric boards leads to the box.
        await pilot.press("slash", *"......O.X", "enter")
        assert wall.chosen.position.text() == "X.O......"
        await pilot.press("2", "slash", *"200", "enter")
        assert wall.chosen.index == 199
        assert screen.stage == 0
        for bad in ("305", "0", "XX.......", "nonsense"):
            before = len(app._notifications)
            await pilot.press("slash", *bad, "enter")
            assert len(app._notifications) == before + 1
        await pilot.press("home", "m")
        error = screen._errors[wall.chosen.index]
        assert wall.cursor > 0
        assert error is not None
        assert error > 0.01

        # Another machine is chosen, and a damaged one is told.
        app.services.machines.keep(Machine("Bob", Options(seat=1)))
        await pilot.press("c")
        listed = expect(MachinesDialog, app.screen).query_one(OptionList)
        listed.highlighted = listed.get_option_index("Bob")
        await pilot.press("enter")
        await settled(pilot, lambda: screen.machine is not None and screen.machine.name == "Bob")
        assert len(wall_of(screen).boxes) == 289
        app.services.store.save_machine("Bob", "{}")
        app.clear_notifications()
        screen.load("Bob")
        await settled(pilot, lambda: bool(app._notifications))


def test_matchbox_wall_matches_its_picture(snap_compare: Callable[..., bool]) -> None:
    app = ArcadeApp(warm=False)
    machine: Any = Machine("Marked", PRESETS[1].options)
    machine.beads[0] = beads.pack({0: 11, 1: 0, 4: 99})
    machine.beads[2] = 0
    machine.beads[4] = beads.pack({min(machine.boxes.boxes[4].moves): 127})

    async def before(pilot: Pilot[None]) -> None:
        await opened(app, pilot, "menace", machine, 6)
        await pressed(pilot, "left")

    assert snap_compare(app, terminal_size=(80, 24), run_before=before)

from pathlib import Path
from typing import Any, TextIO

import pytest
from textual import events
from textual.pilot import Pilot
from textual.screen import Screen

from arcade.app import ArcadeApp
from arcade.engines.menace.archive import from_json
from arcade.play import files as match_file
from arcade.screens.dialogs import Prompt
from arcade.screens.history import HistoryScreen
from arcade.screens.match import MatchScreen
from arcade.screens.menace.machines import MachinesDialog
from tests.narrow import expect
from tests.screens.pilots import app_with, match_of, reached, said, settled


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, str]:
    """The files that a browser has got."""
    found: dict[str, str] = {}

    def deliver(app: ArcadeApp, file: TextIO, *, save_filename: str) -> None:
        found[save_filename] = file.read()

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ArcadeApp, "is_web", True)
    monkeypatch.setattr(ArcadeApp, "deliver_text", deliver)
    return found


@pytest.fixture
def app() -> ArcadeApp:
    match = match_of("chocobar:3x4")
    match.play(match.position.moves()[0])
    return app_with(match)


async def write(pilot: Pilot[None], key: str, name: str, below: type[Screen[Any]]) -> None:
    await reached(pilot, below)
    await reached(pilot, Prompt, key)
    await reached(pilot, below, *name, "enter")


async def test_download_notice_appears_only_outside_the_browser(app: ArcadeApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        app.post_message(events.DeliveryComplete("key"))
        await pilot.pause()
        assert not app._notifications
        app.post_message(events.DeliveryComplete("key", Path("one.svg")))
        await settled(pilot, lambda: bool(app._notifications))
        assert said(app) == "The picture was saved as one.svg."


async def test_written_files_are_sent_to_the_browser(app: ArcadeApp, sent: dict[str, str]) -> None:
    for number in (0, 1):
        match = match_of("menace", "human", "club")
        match.resign(number)
        app.services.store.save_match(match.record())
    async with app.run_test(size=(80, 24)) as pilot:
        # The match on the screen.
        await write(pilot, "command:write", "/etc/one", MatchScreen)
        await settled(pilot, lambda: "one.match" in sent)
        assert match_file.read(sent["one.match"]) == expect(MatchScreen, app.screen).match.record()
        assert said(app) == "Sent the match to your browser as one.match."

        # The listed matches.
        await app.push_screen(HistoryScreen())
        kept = [each.record for each in app.services.store.matches()]
        await write(pilot, "W", "mine.match", HistoryScreen)
        await settled(pilot, lambda: "mine.match" in sent)
        assert [record for record, _ in match_file.read_with_dates(sent["mine.match"])] == kept[::-1]
        await settled(pilot, lambda: said(app) == f"Sent {len(kept)} matches to your browser as mine.match.")

        # A machine.
        await app.push_screen(MachinesDialog("MENACE"))
        await write(pilot, "W", "m.json", MachinesDialog)
        await settled(pilot, lambda: "m.json" in sent)
        assert from_json(sent["m.json"]).name == "MENACE"

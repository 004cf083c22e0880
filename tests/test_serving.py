"""The arcade for strangers, and in a browser."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arcade import kiosk
from arcade.app import ArcadeApp
from arcade.cli import run
from arcade.kiosk import visitors_folder

pytest.importorskip("textual_serve")

from aiohttp.test_utils import TestClient, TestServer

from arcade.web.server import FULL, ArcadeServer, size_of
from tests.screens.pilots import settled

STRANGER = """
import sys
from arcade.kiosk import close_off
from arcade.engines.files import read_text, write_text
from arcade.engines.errors import InputError
from arcade.session.jobs import Jobs
close_off()
for act in (lambda: read_text("/etc/hostname"), lambda: write_text(sys.argv[1], "x")):
    try:
        act()
    except InputError as error:
        print(error)
try:
    bytearray(3 * 2**30)
except MemoryError:
    print("no memory")
print(Jobs.most_seconds)
"""


def test_a_strangers_arcade_reaches_no_file_and_has_limits(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STRANGER, str(tmp_path / "written")],
        capture_output=True,
        text=True,
        check=True,
    )
    refusal = "An arcade for visitors reads and writes no files."
    assert done.stdout.splitlines() == [refusal, refusal, "no memory", "20.0"]
    assert not (tmp_path / "written").exists()


async def test_nothing_of_a_strangers_arcade_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARCADE_DATA", str(tmp_path / "data"))
    app = ArcadeApp(kiosk=True)
    async with app.run_test():
        app.change("marks", "off")
        assert all(command.title != "Save a picture" for command in app.get_system_commands(app.screen))
    assert not (tmp_path / "data").exists()


async def test_a_visit_ends_when_its_processor_time_is_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kiosk, "LOOK_SECONDS", 0.05)
    app = ArcadeApp(kiosk=True)
    async with app.run_test() as pilot:
        await pilot.pause(0.2)
        assert app.is_running
        assert not kiosk.time_is_up()
        # What a process that has ended has used counts too.
        monkeypatch.setattr(kiosk, "VISIT_SECONDS", sum(os.times()[:4]))
        await settled(pilot, lambda: app.return_code is not None)


def test_a_visitor_with_a_name_has_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARCADE_DATA", str(tmp_path))
    assert visitors_folder("ada") == tmp_path / "visitors" / "ada"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--kiosk", "--visitor", "../ada"], "cannot have a folder"),
        (["--visitor", "ada"], "--visitor is for --kiosk"),
        (["--kiosk", "games"], "takes no command"),
        (["serve", "--host", "0.0.0.0"], "Only arcade serve --kiosk"),
        (["serve", "--host", "192.0.2.1", "--kiosk"], "cannot be used"),
    ],
)
def test_what_is_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert said in capsys.readouterr().err


def test_a_size_is_within_limits() -> None:
    assert size_of("80", 24) == (80, 24)
    assert size_of("10" * 20, "-3") == (400, 1)
    assert size_of(None, "x") == (80, 24)


NEVER_ENDS = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(60)"


async def until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not reached():
            await asyncio.sleep(0.01)


async def test_the_page_and_its_visits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("arcade.web.server.LAST_SECONDS", 0.2)
    server = ArcadeServer(["--kiosk"], "127.0.0.1", 8000, most=1)
    # An arcade that hangs.
    pid = tmp_path / "pid"
    server.arguments = (sys.executable, "-c", NEVER_ENDS, str(pid))
    async with TestClient(TestServer(await server._make_app())) as client:
        page = await client.get("/")
        text = await page.text()
        assert "<title>solver-arcade</title>" in text
        assert "//" not in text
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]
        for path in ("/favicon.svg", "/static/js/textual.js", "/static/css/xterm.css"):
            assert (await client.get(path)).status == 200
        other = await client.get("/ws", headers={"Origin": "http://elsewhere.example"})
        assert other.status == 403
        first = await client.ws_connect("/ws")
        await until(lambda: pid.exists() and bool(pid.read_text()))
        second = await client.ws_connect("/ws")
        assert FULL.encode() in (await second.receive()).data
        await first.send_str("not what the page sends")
        await until(lambda: not server.visits)
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid.read_text()), 0)

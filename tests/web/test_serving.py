import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from arcade import kiosk
from arcade.app import ArcadeApp
from arcade.cli import run
from arcade.kiosk import visitors_folder

pytest.importorskip("textual_serve")

from aiohttp import ClientSession, WSMsgType, web

from arcade.web.server import FULL, ArcadeServer, size_of
from tests.narrow import present
from tests.screens.pilots import settled
from tests.shell import program

STRANGER = """
import sys
from arcade.kiosk import close_off
from arcade.engines.files import read_text, write_text
from arcade.engines.files import InputError
from arcade.play.jobs import Jobs
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
    said = program(STRANGER, str(tmp_path / "written"))
    refusal = "An arcade for visitors reads and writes no files."
    assert said.splitlines() == [refusal, refusal, "no memory", "20.0"]
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
    app, found, time_is_up = ArcadeApp(kiosk=True), list[bool](), kiosk.time_is_up

    def looked() -> bool:
        found.append(time_is_up())
        return found[-1]

    monkeypatch.setattr(kiosk, "time_is_up", looked)
    async with app.run_test() as pilot:
        await settled(pilot, lambda: len(found) > 2)
        assert app.is_running
        assert not any(found)
        # What a process that has ended has used counts too.
        monkeypatch.setattr(kiosk, "VISIT_SECONDS", sum(os.times()[:4]))
        await settled(pilot, lambda: app.return_code is not None)


def test_a_visitor_with_a_name_has_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARCADE_DATA", str(tmp_path))
    assert visitors_folder("ada") == tmp_path / "visitors" / "ada"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--kiosk", "--visitor", "../ada"], "of a visitor must be"),
        (["--visitor", "ada"], "--visitor requires --kiosk"),
        (["--kiosk", "games"], "with a command"),
        (["serve", "--host", "0.0.0.0"], "Only arcade serve --kiosk"),
        (["serve", "--host", "192.0.2.1", "--kiosk"], "cannot be used"),
        (["serve", "--host", "a" * 300, "--kiosk"], "not an address of this machine"),
        (["serve", "--host", "\udcff", "--kiosk"], "not an address of this machine"),
    ],
)
def test_what_is_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    loop = asyncio.new_event_loop()  # The server closes the one that it uses.
    asyncio.set_event_loop(loop)
    assert run(arguments) == 2
    loop.close()
    assert said in capsys.readouterr().err


def test_a_size_is_within_limits() -> None:
    assert size_of("80", 24) == (80, 24)
    assert size_of("10" * 20, "-3") == (400, 1)
    assert size_of(None, "x") == (80, 24)


def test_the_page_has_an_address_that_works() -> None:
    assert ArcadeServer(False, "::1", 8000, 1).public_url == "http://[::1]:8000"
    assert ArcadeServer(False, "127.0.0.1", 8000, 1).public_url == "http://127.0.0.1:8000"


NEVER_ENDS = "import os, sys, time; open(sys.argv[1], 'w').write(str(os.getpid())); time.sleep(60)"
TALKS = r"""
import sys
sys.stdout.write("__GANGLION__\n")
while True:
    sys.stdout.write("D\0\0\x40\0" + "x" * 0x4000)
"""
WAITS = "print('__GANGLION__', flush=True); input()"
ENDS = "print('__GANGLION__', flush=True)"


Served = tuple[ArcadeServer, ClientSession]


@asynccontextmanager
async def served(*program: str, kiosk: bool = True) -> AsyncIterator[Served]:
    """A server on this machine whose arcade is a program in Python, and a browser."""
    server = ArcadeServer(kiosk, "127.0.0.1", 8000, most=1)
    server.arguments = (sys.executable, "-c", *program)
    server.initialize_logging()
    runner = web.AppRunner(await server._make_app(), shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        async with ClientSession(f"http://127.0.0.1:{runner.addresses[0][1]}") as client:
            yield server, client
    finally:
        await runner.cleanup()


def own(client: ClientSession) -> dict[str, str]:
    """What a browser says of the arcade's own page."""
    return {"Origin": str(client._base_url).rstrip("/")}


async def until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not reached():
            await asyncio.sleep(0.01)


async def test_the_page_and_its_visits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("arcade.web.server.LAST_SECONDS", 0.2)
    # An arcade that hangs.
    pid = tmp_path / "pid"
    async with served(NEVER_ENDS, str(pid)) as (server, client):
        page = await client.get("/")
        text = await page.text()
        assert "<title>solver-arcade</title>" in text
        assert "//" not in text
        for path in ("/", "/favicon.svg", "/static/js/textual.js", "/static/css/xterm.css"):
            found = await client.get(path)
            assert found.status == 200
            assert "default-src 'none'" in found.headers["Content-Security-Policy"]
        for origin in ({}, {"Origin": "null"}, {"Origin": "http://elsewhere.example"}):
            assert (await client.get("/ws", headers=origin)).status == 403
        first = await client.ws_connect("/ws", headers=own(client))
        await until(lambda: pid.exists() and bool(pid.read_text()))
        second = await client.ws_connect("/ws", headers=own(client))
        assert FULL.encode() in (await second.receive()).data
        await first.send_str("not what the page sends")
        await until(lambda: not server.visits)
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid.read_text()), 0)


@pytest.mark.parametrize("path", ["/", "/favicon.svg", "/static/js/textual.js", "/download/x", "/ws"])
async def test_only_who_asks_for_this_machine_reaches_the_owners_arcade(path: str) -> None:
    """A page elsewhere can give its own name the address 127.0.0.1 and is then its own origin."""
    names = ("rebound.example", "127.0.0.1.example:80", "localhost.example", "[::1", "")
    async with served(ENDS, kiosk=False) as (_, client):
        for name in names:
            headers = {"Host": name, "Origin": f"http://{name}"}
            async with client.get(path, headers=headers) as asked:
                assert asked.status == 403, name
        for name in ("localhost:8000", "127.0.0.1", "[::1]:1", "LocalHost"):
            async with client.get(path, headers={"Host": name}) as asked:
                assert asked.status == {"/download/x": 404, "/ws": 403}.get(path, 200)
    async with served(ENDS) as (_, client):
        # Strangers come by the name of the host.
        assert (await client.get("/", headers={"Host": "arcade.example"})).status == 200


@pytest.mark.parametrize(
    "message",
    [
        "[" * 100_000,
        "{}",
        "[]",
        '["stdin", 5]',
        '["stdin", "\\ud800"]',
        '["resize", [1]]',
        f'["resize", {{"width": {"9" * 5000}, "height": 1}}]',
    ],
    ids=range(7),
)
async def test_messages_of_strangers_leave_nothing_in_the_log(
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("arcade.web.server.LAST_SECONDS", 0.1)
    async with served(WAITS) as (server, client):
        socket = await client.ws_connect("/ws", headers=own(client))
        await socket.send_str(message)
        assert (await socket.receive()).type is WSMsgType.CLOSE
        await socket.close()
        await until(lambda: not server.visits)
    assert len(capfd.readouterr().err.splitlines()) == 1
    assert not [each for each in caplog.records if each.levelname != "DEBUG"]


async def test_a_request_that_is_none_leaves_nothing_in_the_log(capfd: pytest.CaptureFixture[str]) -> None:
    async with served(ENDS) as (_, client):
        port = present(client._base_url).port
        for line in (
            b"\x16\x03\x01\x1b[2J",
            b"GET /\x1b[2J HTTP/1.1",
            b"GET / HTTP/1.1\r\nX: " + b"x" * 9000,
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(line + b"\r\n\r\n")
            assert b" 400 " in await reader.readline()
            writer.close()
    assert len(capfd.readouterr().err.splitlines()) == 1


async def test_a_request_that_fails_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    async def fails(server: ArcadeServer, request: object) -> None:
        raise RuntimeError("\x1b[2J")

    monkeypatch.setattr(ArcadeServer, "_show_page", fails)
    async with served(ENDS) as (_, client):
        assert (await client.get("/")).status == 500
    assert capfd.readouterr().err.splitlines()[1:] == [r"A request for / failed: RuntimeError: \x1b[2J"]


@pytest.mark.parametrize(
    ("program", "typed"), [(NEVER_ENDS, 40), (TALKS, 0), (ENDS, 0)], ids=["deaf", "unheard", "dead"]
)
async def test_who_stands_still_or_is_gone_keeps_no_place(
    program: str, typed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An arcade that takes nothing, a page that takes nothing, and an arcade that has died."""
    for limit in ("STALL_SECONDS", "LAST_SECONDS"):
        monkeypatch.setattr(f"arcade.web.server.{limit}", 0.2)
    async with served(program, str(tmp_path / "pid")) as (server, client):
        socket = await client.ws_connect("/ws", headers=own(client))
        for _ in range(typed):
            await socket.send_json(["stdin", "x" * 50_000])
        if program == TALKS:
            transport: Any = present(socket._response.connection).transport
            transport.pause_reading()
            await until(lambda: server.visits == 1)
        else:
            async for _ in socket:
                pass
        await until(lambda: not server.visits)

import asyncio
import os
import socket
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

pytest.importorskip("textual_serve")

import pytest_asyncio
from aiohttp import ClientSession, WSMsgType, WSServerHandshakeError, web
from aiohttp.test_utils import TestClient, TestServer, unused_port

from arcade.engines.worker_process import python_command
from arcade.store.store import open_store
from arcade.web.server import arcade_page, in_url
from tests.narrow import present
from tests.shell import Shell

Browser = TestClient[web.Request, web.Application]

PATHS = ["/", "/favicon.svg", "/static/js/textual.js", "/download/x", "/ws"]


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    port = unused_port()
    async with TestClient(TestServer(arcade_page(port), port=port)) as client:
        yield client


def foreign_names(port: int | None) -> list[str]:
    """Also names that another website can give to the address of this computer."""
    return [f"rebound.example:{port}", f"127.0.0.1.example:{port}", "localhost", "127.0.0.1:1", "[::1", ""]


async def test_page_loads_nothing_from_elsewhere(browser: Browser) -> None:
    async with browser.get("/") as page:
        text = await page.text()
        policy = page.headers["Content-Security-Policy"]
    assert "<title>solver-arcade</title>" in text
    assert "//" not in text
    assert policy.startswith("default-src 'self' ")
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize("path", PATHS)
async def test_request_with_a_local_host_name_is_answered(path: str, browser: Browser) -> None:
    for name in ("127.0.0.1", "localhost", "[::1]", "LocalHost"):
        host = f"{name}:{browser.port}"
        for headers in ({"Host": host}, {"Host": host, "Origin": f"http://{host.lower()}"}):
            async with browser.get(path, headers=headers) as answer:
                assert answer.status == {"/download/x": 404, "/ws": 400}.get(path, 200), headers


@pytest.mark.parametrize("path", PATHS)
async def test_request_with_a_foreign_host_is_refused(path: str, browser: Browser) -> None:
    for host in foreign_names(browser.port):
        async with browser.get(path, headers={"Host": host, "Origin": f"http://{host}"}) as answer:
            assert answer.status == 403, host


@pytest.mark.parametrize("path", PATHS)
async def test_request_with_a_foreign_origin_is_refused(path: str, browser: Browser) -> None:
    own = f"127.0.0.1:{browser.port}"
    foreign = (f"https://{own}", f"http://localhost:{browser.port}", "http://rebound.example", "null", "")
    for origin in foreign:
        async with browser.get(path, headers={"Origin": origin}) as answer:
            assert answer.status == 403, origin


async def test_websocket_with_a_foreign_host_or_origin_is_refused(browser: Browser) -> None:
    host = f"rebound.example:{browser.port}"
    for headers in ({"Origin": "http://rebound.example"}, {"Host": host, "Origin": f"http://{host}"}):
        with pytest.raises(WSServerHandshakeError) as refused:
            await browser.ws_connect("/ws", headers=headers)
        assert refused.value.status == 403


async def test_port_80_may_be_omitted_from_host() -> None:
    async with TestClient(TestServer(arcade_page(80))) as browser:
        for host, status in (("localhost", 200), ("localhost:80", 200), ("rebound.example", 403)):
            async with browser.get("/", headers={"Host": host}) as answer:
                assert answer.status == status


def test_ipv6_address_is_bracketed_in_urls() -> None:
    assert in_url("::1") == "[::1]"
    assert in_url("127.0.0.1") == "127.0.0.1"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "arcade.example", "", "a" * 300, "\udcff"])
def test_host_other_than_loopback_is_refused(host: str, shell: Shell) -> None:
    said = shell.refused("serve", "--host", host)
    assert "must be 127.0.0.1, localhost or ::1" in said
    assert "docs/hosting.md" in said


def test_port_in_use_is_refused(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = shell.refused("serve", "--port", str(port))
    way_out = "Choose another port with --port."
    assert said == f"arcade: Cannot serve at http://127.0.0.1:{port}: Address already in use. {way_out}\n"


def test_missing_package_error_names_the_extra(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "arcade.web.server")
    monkeypatch.setitem(sys.modules, "textual_serve.server", None)
    assert "pip install 'solver-arcade[serve]'" in shell.refused("serve")


@pytest.mark.slow
async def test_browser_window_shows_menu_until_closed(data_folder: Path) -> None:
    port = unused_port()
    url = f"http://127.0.0.1:{port}"
    command = [*python_command("arcade"), "serve", "--port", str(port)]
    server = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE, env=os.environ)
    try:
        errors = present(server.stderr)
        assert await errors.readline() == f"The arcade is at {url}. Press Ctrl+C to stop.\n".encode()
        async with ClientSession(url) as client:
            window = await client.ws_connect("/ws?width=80&height=24", headers={"Origin": url})
            drawn = b""
            async with asyncio.timeout(60):
                while b"Chocobar" not in drawn:
                    message = await window.receive()
                    assert message.type is WSMsgType.BINARY
                    drawn += message.data
            with open_store() as store:
                assert not store.claim()
                await window.close()
                async with asyncio.timeout(60):
                    while not store.claim():
                        await asyncio.sleep(0.05)
        # A fault in a request is one line.
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /\x1b[2J HTTP/1.1\r\n\r\n")
        assert (await errors.readline()).startswith(b"Error handling request from 127.0.0.1 400")
        writer.close()
        server.terminate()
        assert await server.communicate() == (b"", b"")
        assert server.returncode == 0
    finally:
        if server.returncode is None:
            server.terminate()
            await server.wait()

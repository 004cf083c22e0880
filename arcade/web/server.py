"""A server for browsers on this computer, built on the public parts of textual-serve.

Any website can make a browser send requests to this computer, even under the website's own host name. So each
request must name this computer as its `Host`, and it must come from the arcade's own page or from no page.
"""

import asyncio
import logging
import os
import shlex
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

from aiohttp import web
from textual_serve.server import Server

from arcade.engines.files import InputError
from arcade.engines.worker_process import python_command
from arcade.web import LOOPBACK

SHUTDOWN_SECONDS = 1.0

MAX_EXIT_SECONDS = 3.0
"""Maximum seconds to wait until the arcade processes of closed windows have exited."""

CONTENT_POLICY = "default-src 'self' 'unsafe-inline' data:; frame-ancestors 'none'"
"""Security policy: the page loads nothing from other sites, and no other page can embed it."""

FOLDER = Path(__file__).parent

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class OneLine(logging.Handler):
    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__()
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else ""
        self._say(" ".join(f"{record.getMessage()} {error}".split()))


def arcade_command() -> str:
    command = python_command("arcade")
    return subprocess.list2cmdline(command) if sys.platform == "win32" else shlex.join(command)


def in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


async def wait_for_windows(_: web.Application) -> None:
    """Wait until the arcade processes of closed windows have exited, because textual-serve does not wait."""
    if sys.platform != "linux":
        return
    exited = os.WEXITED | os.WNOHANG | os.WNOWAIT
    with suppress(ChildProcessError, TimeoutError):
        async with asyncio.timeout(MAX_EXIT_SECONDS):
            while True:
                os.waitid(os.P_ALL, 0, exited)
                await asyncio.sleep(0.05)
    # Their pipes end a little later.
    await asyncio.sleep(0.05)


async def show_page(request: web.Request) -> web.FileResponse:
    return web.FileResponse(FOLDER / "page.html", headers={"Content-Security-Policy": CONTENT_POLICY})


async def show_icon(request: web.Request) -> web.FileResponse:
    return web.FileResponse(FOLDER / "favicon.svg")


def arcade_page(port: int) -> web.Application:
    """Return a web application that starts an arcade for each browser window."""
    names = {in_url(host) for host in LOOPBACK}
    # Browsers omit port 80.
    hosts = {f"{name}:{port}" for name in names} | (names if port == 80 else set())

    @web.middleware
    async def refuse_other_sites(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.host.lower() not in hosts:
            raise web.HTTPForbidden(text=f"The arcade answers only at http://{LOOPBACK[0]}:{port}.")
        own = f"http://{request.host}"
        if request.headers.get("Origin", own).lower() != own.lower():
            raise web.HTTPForbidden(text="The arcade answers requests only from its own page.")
        return await handler(request)

    server = Server(arcade_command())

    async def open_arcade(request: web.Request) -> web.StreamResponse:
        # Otherwise textual-serve logs a traceback.
        if not web.WebSocketResponse().can_prepare(request):
            raise web.HTTPBadRequest(text="Only a WebSocket can open an arcade.")
        return await server.handle_websocket(request)

    app = web.Application(middlewares=[refuse_other_sites])
    app.on_cleanup.append(wait_for_windows)
    app.add_routes(
        [
            web.get("/", show_page),
            web.get("/favicon.svg", show_icon),
            web.get("/ws", open_arcade),
            web.get("/download/{key}", server.handle_download),
            web.static("/static", server.statics_path),
        ]
    )
    return app


def serve(host: str, port: int, say: Callable[[str], None]) -> None:
    """Serve the arcade at an address of this computer. Raises InputError if it cannot listen there."""
    url = f"http://{in_url(host)}:{port}"
    logging.basicConfig(handlers=[OneLine(say)])
    try:
        web.run_app(
            arcade_page(port),
            host=host,
            port=port,
            shutdown_timeout=SHUTDOWN_SECONDS,
            # called as soon as the server listens
            print=lambda _: say(f"The arcade is at {url}. Press Ctrl+C to stop."),
        )
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise InputError(f"Cannot serve at {url}: {reason}. Choose another port with --port.") from None

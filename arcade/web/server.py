"""Serves the arcade to browsers: a page of its own, and a process of its own for each visit."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import Sequence
from importlib.resources import files
from urllib.parse import urlsplit

from aiohttp import web
from textual_serve.app_service import AppService
from textual_serve.server import Server, to_int

from arcade.commands.common import say
from arcade.engines.errors import InputError

LAST_SECONDS = 5.0
"""Most seconds that an arcade may take to end after its page has closed."""

LARGEST = (400, 150)
"""The largest terminal in columns and lines."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""The browser loads nothing from anywhere else, and no other page can embed this one."""

FULL = "All places are taken. Please come back in a few minutes."


def size_of(width: object, height: object) -> tuple[int, int]:
    """A size that a browser asks for, within limits."""
    asked = (to_int(str(width), 80), to_int(str(height), 24))
    return min(max(asked[0], 1), LARGEST[0]), min(max(asked[1], 1), LARGEST[1])


class Visit(AppService):
    """The arcade of one open page."""

    def __init__(self, arguments: Sequence[str], *args: object, **options: object) -> None:
        super().__init__("", *args, **options)  # type: ignore[arg-type]  # textual-serve's own
        self._arguments = arguments

    async def _open_app_process(self, width: int = 80, height: int = 24) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *self._arguments,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            env=self._build_environment(width=width, height=height),
        )
        assert process.stdin is not None
        self._process, self._stdin = process, process.stdin
        return process

    async def set_terminal_size(self, width: int, height: int) -> None:
        """The page has another size."""
        await super().set_terminal_size(*size_of(width, height))

    async def stop(self) -> None:
        """Ask the arcade to end; one that does not is killed."""
        process = self._process
        try:
            await asyncio.wait_for(super().stop(), LAST_SECONDS)
        except (TimeoutError, ConnectionError):
            pass
        finally:
            if process is not None:
                with contextlib.suppress(ProcessLookupError):
                    if process.returncode is None:
                        process.kill()
                await process.wait()


class ArcadeServer(Server):
    """The arcade's web server.

    Args:
        options: of the command `arcade` for each visit.
        host: the address to listen on.
        port: its port.
        most: most visits at once.
    """

    def __init__(self, options: Sequence[str], host: str, port: int, most: int) -> None:
        super().__init__("arcade", host, port, "solver-arcade")
        self.arguments = (sys.executable, "-m", "arcade", *options)
        self.most = most
        self.visits = 0
        page = files("arcade.web")
        self._page = (page / "page.html").read_text("utf-8")
        self._icon = (page / "favicon.svg").read_text("utf-8")

    async def _make_app(self) -> web.Application:
        app = web.Application()
        app.add_routes(
            [
                web.get("/", self._show_page),
                web.get("/favicon.svg", self._show_icon),
                web.get("/ws", self.handle_websocket),
                web.get("/download/{key}", self.handle_download),
                web.static("/static", self.statics_path),
            ]
        )
        app.on_startup.append(self.on_startup)
        return app

    async def on_startup(self, app: web.Application) -> None:
        """Say where the page is."""
        say(f"The arcade is at {self.public_url} until Ctrl+C.")

    def initialize_logging(self) -> None:
        """Log nothing about visitors."""

    async def _show_page(self, request: web.Request) -> web.Response:
        return web.Response(text=self._page, content_type="text/html", headers=HEADERS)

    async def _show_icon(self, request: web.Request) -> web.Response:
        return web.Response(text=self._icon, content_type="image/svg+xml", headers=HEADERS)

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """A page has opened: run an arcade for it until it closes."""
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            raise web.HTTPForbidden(text="Only the arcade's own page may open a visit.")
        socket = web.WebSocketResponse(heartbeat=15, max_msg_size=2**18)
        await socket.prepare(request)
        if self.visits >= self.most:
            await socket.send_bytes(f"\x1b[2J\x1b[H{FULL}".encode())
            await socket.close()
            return socket
        self.visits += 1
        visit = Visit(
            self.arguments,
            write_bytes=socket.send_bytes,
            write_str=socket.send_str,
            close=socket.close,
            download_manager=self.download_manager,
        )
        try:
            await visit.start(*size_of(request.query.get("width"), request.query.get("height")))
            await self._process_messages(socket, visit)
        except (ValueError, LookupError, TypeError, AttributeError, AssertionError):
            # It is not the arcade's page that sends such messages.
            pass
        finally:
            await visit.stop()
            self.visits -= 1
            await socket.close()
        return socket


def serve(options: Sequence[str], host: str, port: int, most: int) -> None:
    """Serve the arcade until Ctrl+C.

    Args:
        options: of the command `arcade` for each visit.
        host: the address to listen on.
        port: its port, from 1 to 65535.
        most: most visits at once.

    Raises:
        InputError: the address cannot be used.
    """
    try:
        ArcadeServer(options, host, port, most).serve()
    except OSError as error:
        raise InputError(f"{host} port {port} cannot be used: {os.strerror(error.errno or 0)}.") from None

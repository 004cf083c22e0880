"""Serves the arcade to browsers: a page of its own, and a process of its own for each visit."""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from importlib.resources import files
from socket import gaierror
from urllib.parse import urlsplit

from aiohttp import web
from textual_serve.app_service import AppService
from textual_serve.server import Server, to_int

from arcade.commands.common import print_error
from arcade.engines.child import python_command
from arcade.engines.files import InputError
from arcade.web import LOOPBACK

LAST_SECONDS = 5.0
"""Most seconds that an arcade may take to end after its page has closed."""

STALL_SECONDS = 30.0
"""Most seconds in which a page reads nothing from its arcade, or the arcade nothing of what is typed."""

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

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def _name(address: str) -> str | None:
    with suppress(ValueError):
        return urlsplit(address).hostname
    return None


def size_of(width: object, height: object) -> tuple[int, int]:
    asked = (to_int(str(width), 80), to_int(str(height), 24))
    return min(max(asked[0], 1), LARGEST[0]), min(max(asked[1], 1), LARGEST[1])


class Visit(AppService):
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
        await super().set_terminal_size(*size_of(width, height))

    async def send_bytes(self, data: bytes) -> bool:
        """Hand on what was typed; raises TimeoutError if the arcade does not take it."""
        return await asyncio.wait_for(super().send_bytes(data), STALL_SECONDS)

    async def send_meta(self, data: dict[str, str | int | bool | None]) -> bool:
        return await asyncio.wait_for(super().send_meta(data), STALL_SECONDS)

    async def run(self) -> None:
        await super().run()
        task = asyncio.current_task()
        if task is not None and not task.cancelling():
            await self.remote_close()

    async def stop(self) -> None:
        process = self._process
        try:
            await asyncio.wait_for(super().stop(), LAST_SECONDS)
        except (TimeoutError, ConnectionError):
            pass
        finally:
            if process is not None:
                with suppress(ProcessLookupError):
                    if process.returncode is None:
                        process.kill()
                if self._task is not None:
                    self._task.cancel()
                    await asyncio.wait([self._task])
                # Reads what nobody has read, without which its pipes would stay open.
                with suppress(TimeoutError):
                    await asyncio.wait_for(process.communicate(), LAST_SECONDS)


class ArcadeServer(Server):
    """Without `kiosk` it opens only under `LOOPBACK`: a page can give its own name this machine's address."""

    def __init__(self, kiosk: bool, host: str, port: int, most: int) -> None:
        address = f"[{host}]" if ":" in host else host
        super().__init__("arcade", host, port, "solver-arcade", f"http://{address}:{port}")
        self.kiosk = kiosk
        self.arguments: Sequence[str] = python_command("arcade", *["--kiosk"] * kiosk)
        self.most = most
        self.visits = 0
        page = files("arcade.web")
        self._page = (page / "page.html").read_text("utf-8")
        self._icon = (page / "favicon.svg").read_text("utf-8")

    async def _make_app(self) -> web.Application:
        app = web.Application(middlewares=[self._guard])
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
        app.on_response_prepare.append(self._protect)
        return app

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer only requests for this machine; one that fails is one line on standard error."""
        if not self.kiosk and _name(f"//{request.host}") not in LOOPBACK:
            raise web.HTTPForbidden(text=f"The arcade answers only at {self.public_url}.")
        try:
            return await handler(request)
        except (web.HTTPException, ConnectionError):
            raise
        except Exception as error:
            print_error(f"A request for {request.path} failed: {type(error).__name__}: {error}")
            raise web.HTTPInternalServerError from None

    async def _protect(self, request: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(HEADERS)

    async def on_startup(self, app: web.Application) -> None:
        print_error(f"The arcade is at {self.public_url} until Ctrl+C.")

    def initialize_logging(self) -> None:
        logging.getLogger("aiohttp.server").disabled = True

    async def _show_page(self, request: web.Request) -> web.Response:
        return web.Response(text=self._page, content_type="text/html")

    async def _show_icon(self, request: web.Request) -> web.Response:
        return web.Response(text=self._icon, content_type="image/svg+xml")

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        # Every browser says where its page comes from.
        if request.headers.get("Origin", "").partition("://")[2] != request.host:
            raise web.HTTPForbidden(text="Only the arcade's own page may open a visit.")
        socket = web.WebSocketResponse(heartbeat=15, max_msg_size=2**18)
        await socket.prepare(request)

        async def within(seconds: float, sent: Awaitable[object]) -> None:
            try:
                await asyncio.wait_for(sent, seconds)
            except TimeoutError:
                # The page takes nothing, not even a farewell.
                if request.transport is not None:
                    request.transport.abort()
                raise ConnectionResetError from None

        async def close() -> None:
            await within(LAST_SECONDS, socket.close())

        if self.visits >= self.most:
            await socket.send_bytes(f"\x1b[2J\x1b[H{FULL}".encode())
            await close()
            return socket
        self.visits += 1
        visit = Visit(
            self.arguments,
            write_bytes=lambda data: within(STALL_SECONDS, socket.send_bytes(data)),
            write_str=lambda text: within(STALL_SECONDS, socket.send_str(text)),
            close=close,
            download_manager=self.download_manager,
        )
        try:
            await visit.start(*size_of(request.query.get("width"), request.query.get("height")))
            await self._process_messages(socket, visit)
        except (ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError):
            pass  # The arcade's own page sends no such messages.
        except TimeoutError:
            pass  # The arcade takes nothing.
        finally:
            try:
                await visit.stop()
            finally:
                self.visits -= 1
            await close()
        return socket


def serve(kiosk: bool, host: str, port: int, most: int) -> None:
    """Serve the arcade until Ctrl+C to at most so many visits at once; InputError for a wrong address."""
    try:
        ArcadeServer(kiosk, host, port, most).serve()
    except (gaierror, UnicodeError):
        raise InputError(f"The host {host!r} cannot be used: it is not an address of this machine.") from None
    except OSError as error:
        raise InputError(f"{host} port {port} cannot be used: {os.strerror(error.errno or 0)}.") from None

"""`arcade serve`: the arcade as a web page."""

from typing import Annotated

import typer

from arcade.commands.common import print_error
from arcade.commands.options import whole_number
from arcade.engines.files import InputError
from arcade.web import LOOPBACK

app = typer.Typer(rich_markup_mode=None)


@app.command()
def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = LOOPBACK[0],
    port: Annotated[
        int, typer.Option(metavar="N", parser=whole_number(1, 65_535), help="Port to listen on.")
    ] = 8000,
) -> None:
    """Serve the arcade as a web page for browsers on this computer."""
    if host not in LOOPBACK:
        raise InputError(
            f"--host must be 127.0.0.1, localhost or ::1, not {host!r}: anyone who opens the page can access "
            "your files. To let others in, use an authenticating proxy; see docs/hosting.md."
        )
    try:
        from arcade.web.server import serve as serve_pages  # loads aiohttp
    except ImportError:
        raise InputError("arcade serve needs textual-serve: pip install 'solver-arcade[serve]'.") from None
    serve_pages(host, port, print_error)

"""Open the app from a command, or choose text mode instead."""

import os
import signal
import sys
from typing import Any

from arcade.engines.files import InputError
from arcade.startup import at_terminal, importing


def open_app(otherwise: str = "arcade --plain for text mode", **options: Any) -> None:
    """Open the app. If there is no terminal, raises InputError, which suggests `otherwise`."""
    if not at_terminal() and "TEXTUAL_DRIVER" not in os.environ:
        raise InputError(f"The arcade needs an interactive terminal. Try {otherwise}, or arcade --help.")
    with importing():
        from arcade.app import ArcadeApp  # loads Textual

    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        # The app's event loop replaces only this handler.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    ArcadeApp(**options).run()


def in_text_mode(plain: bool) -> bool:
    return plain or sys.stdin is None or not sys.stdin.isatty() or os.environ.get("TERM") == "dumb"

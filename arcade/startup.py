"""Start-up: imports, signals, and a check for a terminal."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOPPED = 130

SWALLOWS_EXCEPTIONS = {"importlib", "_frozen_importlib", "_frozen_importlib_external", "numba", "llvmlite"}
"""Packages that can suppress or replace an exception raised by a signal handler."""


@contextmanager
def importing() -> Iterator[None]:
    """Turn off garbage collection, which takes an eighth of the time to the first paint, during imports."""
    gc.disable()
    try:
        with interruptible():
            yield
    finally:
        gc.freeze()
        gc.enable()


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl+C raise KeyboardInterrupt or, if this exception could be lost, end the process."""
    before = signal.getsignal(signal.SIGINT)
    # If Ctrl+C is ignored, as under nohup, keep it so.
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _interrupted(number: int, frame: FrameType | None) -> None:
    end_in_compiler(frame)
    signal.default_int_handler(number, frame)


def end_in_compiler(at: FrameType | None) -> None:
    """End the process if the frame or one of its callers belongs to an import or to the compiler."""
    while at is not None:
        if at.f_globals.get("__name__", "").partition(".")[0] in SWALLOWS_EXCEPTIONS:
            if sys.stderr is not None:
                os.write(sys.stderr.fileno(), b"arcade: stopped.\n")
            os._exit(STOPPED)
        at = at.f_back


def at_terminal() -> bool:
    if os.environ.get("TERM") == "dumb":
        return False
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))

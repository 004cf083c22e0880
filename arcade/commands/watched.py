"""Long work for a shell command: Ctrl+C ends it at once, and a terminal sees how far it is."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

from arcade.engines.control import Control

T = TypeVar("T")


def run_watched(
    work: Callable[[Control], T], progress: Callable[[Control], str], seconds: float | None = None
) -> T:
    """Do work in a thread of its own, since a kernel in the main thread would keep Ctrl+C waiting.

    Args:
        work: what to do; it heeds its control.
        progress: how far the work is, in a few words; shown on standard error if that is a terminal, from
            the second second on.
        seconds: deadline of the control.

    Raises:
        KeyboardInterrupt: after the work has stopped.
        Exception: what the work raised.
    """
    results: list[T] = []
    errors: list[BaseException] = []
    shown = False

    with Control(seconds) as control:

        def run() -> None:
            try:
                results.append(work(control))
            except BaseException as error:
                errors.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            thread.join(1)
            while thread.is_alive():
                if sys.stderr.isatty():
                    print(f"\r\x1b[K{progress(control)}", end="", file=sys.stderr, flush=True)
                    shown = True
                thread.join(0.5)
        except KeyboardInterrupt:
            control.cancel()
            thread.join()
            raise
        finally:
            if shown:
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if errors:
        raise errors[0]
    return results[0]

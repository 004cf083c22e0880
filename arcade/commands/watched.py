"""Long work for a shell command: Ctrl+C stops it at once, and a terminal shows progress."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from arcade.commands.common import say, show_progress
from arcade.engines.control import Control

T = TypeVar("T")


def run_watched(
    work: Callable[[Control], T],
    progress: Callable[[Control], str],
    seconds: float | None = None,
    *,
    effort: str = "",
    kept: bool = False,
) -> T:
    """Run work in its own thread, since a kernel in the main thread would delay Ctrl+C.

    Args:
        work: the function to run; it must obey its control.
        progress: returns a few words on progress; shown on standard error if that is a terminal, after the
            first second.
        seconds: deadline of the control.
        effort: a sentence on what the work costs, said on standard error if it takes longer than a second.
        kept: whether the same command goes on where this one was stopped; then Ctrl+C says so.

    Raises:
        KeyboardInterrupt: after the work has stopped.
        Exception: any exception of the work.
    """
    results: list[T] = []
    errors: list[BaseException] = []

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
            if effort and thread.is_alive():
                say(effort)
            while thread.is_alive():
                show_progress(progress(control))
                thread.join(0.5)
        except KeyboardInterrupt:
            control.cancel()
            thread.join()
            if kept:
                say("Stopped. What is proved is kept; the same command goes on from here.")
            raise
        finally:
            show_progress("")
    if errors:
        raise errors[0]
    return results[0]

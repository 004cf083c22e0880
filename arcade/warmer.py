"""Compiles kernels in a process of its own, so that nobody waits at a screen for a compiler.

Compiling in a thread of the app would hold the interpreter's lock for seconds. The other process leaves
the machine code in numba's cache on disk, from where it loads in a tenth of a second.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from arcade.engines.control import Control
from arcade.engines.registry import game_names


def fingerprint() -> str:
    """Changes with everything that makes the compiled kernels stale."""
    digest = hashlib.sha256(f"{sys.version} {version('numba')}".encode())
    folder = Path(__file__).parent / "engines"
    for file in sorted(folder.rglob("*.py")):
        status = file.stat()
        digest.update(f"{file.relative_to(folder)} {status.st_mtime_ns} {status.st_size}".encode())
    return digest.hexdigest()[:16]


class Warmer:
    """Runs `arcade warm` once when the kernels are not known to be compiled, and says how far it is.

    Args:
        known: the fingerprint under which everything was compiled the last time, "" when never; None to
            compile nothing here, but each kernel where it is first used.
        told: called from another thread whenever `status` has changed.
    """

    def __init__(self, known: str | None, told: Callable[[], None]) -> None:
        self.status = ""
        """A few words while kernels compile, empty when they are ready."""
        self.fingerprint = fingerprint()
        self.finished = known in (None, self.fingerprint)
        """Whether every kernel is compiled."""
        self._told = told
        self._waiting = {name: threading.Event() for name in game_names()}
        self._process: subprocess.Popen[str] | None = None
        if self.finished:
            self._release()

    def start(self) -> None:
        """Begin to compile, unless that has been done."""
        if self.finished or self._process:
            return
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        self._say("compiling the kernels, once")
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "arcade", "warm"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                preexec_fn=None if os.name == "nt" else _yield_to_the_screen,
            )
        except OSError:
            self._release()
            self._say("")
            return
        assert self._process.stdout is not None
        done = 0
        for line in self._process.stdout:
            event = self._waiting.get(line.partition(" ")[0])
            if event is not None:
                event.set()
                done += 1
                self._say(f"compiling the kernels, {done} of {len(self._waiting)}")
        self.finished = self._process.wait() == 0
        # Whatever could not be compiled there is compiled where it is needed.
        self._release()
        self._say("")

    def _say(self, status: str) -> None:
        self.status = status
        self._told()

    def _release(self) -> None:
        for event in self._waiting.values():
            event.set()

    def ready(self, game: str) -> bool:
        """Whether a game's kernels need no compiling any more."""
        return game not in self._waiting or self._waiting[game].is_set()

    def wait(self, game: str, control: Control) -> bool:
        """Wait in a worker thread until a game's kernels are compiled; False when cancelled first.

        The time that the control gives its work counts from then on.
        """
        limit = control.remaining
        while not self.ready(game):
            if control.cancelled:
                return False
            self._waiting[game].wait(0.05)
        control.renew(limit)
        return not control.cancelled

    def stop(self) -> None:
        """End the other process, if it still runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()


def _yield_to_the_screen() -> None:
    os.nice(10)

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
        self._first = ""
        """The game that somebody waits for; it is compiled before the others."""
        self._order: list[str] = []
        self._lock = threading.Lock()
        if self.finished:
            self._release()

    def start(self) -> None:
        """Begin to compile, unless that has been done."""
        if self.finished or self._process:
            return
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        self._say("compiling the kernels, once")
        first = None
        # Begun again whenever somebody waits for another game; what is compiled by then stays compiled.
        while first != self._first:
            first = self._first
            names = [name for name in self._waiting if not self.ready(name)]
            self._order = sorted(names, key=lambda name: name != first)
            code = self._compile()
        self.finished = code == 0
        # Whatever could not be compiled there is compiled where it is needed.
        self._release()
        self._say("")

    def _compile(self) -> int | None:
        """Compile the kernels of the games in order; returns the exit code, None without a process."""
        try:
            with self._lock:
                process = self._process = subprocess.Popen(
                    [sys.executable, "-m", "arcade", "warm", *self._order],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    text=True,
                    preexec_fn=None if os.name == "nt" else _yield_to_the_screen,
                )
        except OSError:
            return None
        assert process.stdout is not None
        for line in process.stdout:
            event = self._waiting.get(line.partition(" ")[0])
            if event is not None:
                event.set()
                done = sum(each.is_set() for each in self._waiting.values())
                self._say(f"compiling the kernels, {done} of {len(self._waiting)}")
        return process.wait()

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
            self._hurry(game)
            if control.cancelled:
                return False
            self._waiting[game].wait(0.05)
        control.renew(limit)
        return not control.cancelled

    def _hurry(self, game: str) -> None:
        """Let a game be compiled before the others."""
        with self._lock:
            compiled_now = next((name for name in self._order if not self.ready(name)), game)
            if self._process is not None and game not in (compiled_now, self._first):
                self._first = game
                self._process.terminate()

    def stop(self) -> None:
        """End the other process, if it still runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()


def _yield_to_the_screen() -> None:
    os.nice(10)

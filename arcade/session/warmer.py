"""Compile kernels in a separate process, so that the screens never wait for a compiler.

Compiling in a thread of the app would hold the interpreter's lock for seconds. The other process writes
the machine code to numba's cache on disk, which loads in a tenth of a second.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version

from arcade.engines.control import Control
from arcade.engines.registry import game_modules, game_names
from arcade.engines.sources import package_files


def fingerprint() -> str:
    """A fingerprint of everything that compiled kernels depend on: Python, numba, the games' source."""
    digest = hashlib.sha256(f"{sys.version} {version('numba')}".encode())
    for file in sorted({file for module in game_modules() for file in package_files(module)}):
        status = file.stat()
        digest.update(f"{file} {status.st_mtime_ns} {status.st_size}".encode())
    return digest.hexdigest()[:16]


class Warmer:
    """Runs `arcade warm` if the kernels may not be compiled yet, and reports its progress.

    Args:
        known: the fingerprint of the last complete compilation, "" if there was none; None to compile each
            kernel only when it is first used.
    """

    def __init__(self, known: str | None) -> None:
        self.status = ""
        """A short text while kernels compile, empty when they are ready."""
        self.fingerprint = ""
        """The fingerprint once everything is compiled."""
        self.finished = known is None
        """Whether every kernel is compiled."""
        self._known = known
        self._told: Callable[[], None] = lambda: None
        self._waiting = {name: threading.Event() for name in game_names()}
        self._process: subprocess.Popen[str] | None = None
        self._first = ""
        """The game that somebody is waiting for; it is compiled first."""
        self._order: list[str] = []
        self._lock = threading.Lock()
        if self.finished:
            self._release()

    def start(self, told: Callable[[], None]) -> None:
        """Start to compile, unless everything is compiled.

        Args:
            told: called from another thread when `status` changes.
        """
        if self.finished or self._process:
            return
        self._told = told
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        # Not in the constructor: checking all files takes 15 ms and would delay the first paint.
        found = fingerprint()
        if self._known == found:
            self.fingerprint, self.finished = found, True
            self._release()
            self._told()
            return
        self._say("Preparing solvers, first time only")
        first = None
        # Restarted when somebody waits for another game; finished kernels stay compiled.
        while first != self._first:
            first = self._first
            names = [name for name in self._waiting if not self.ready(name)]
            self._order = sorted(names, key=lambda name: name != first)
            code = self._compile()
        self.fingerprint, self.finished = found, code == 0
        # Kernels that failed to compile here are compiled when needed.
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
                )
        except OSError:
            return None
        if sys.platform != "win32":
            # Not by a function in the child before it starts, which may stand still where threads run.
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, process.pid, 10)
        assert process.stdout is not None
        for line in process.stdout:
            event = self._waiting.get(line.partition(" ")[0])
            if event is not None:
                event.set()
                done = sum(each.is_set() for each in self._waiting.values())
                self._say(f"Preparing solvers, first time only, {done} of {len(self._waiting)}")
        return process.wait()

    def _say(self, status: str) -> None:
        self.status = status
        self._told()

    def _release(self) -> None:
        for event in self._waiting.values():
            event.set()

    def ready(self, game: str) -> bool:
        return game not in self._waiting or self._waiting[game].is_set()

    def wait(self, game: str, control: Control) -> bool:
        """Wait in a worker thread until a game's kernels are compiled; False when cancelled first.

        The control's time limit starts after that.
        """
        limit = control.remaining
        while not self.ready(game):
            self.hurry(game)
            if control.cancelled:
                return False
            self._waiting[game].wait(0.05)
        control.renew(limit)
        return not control.cancelled

    def hurry(self, game: str) -> None:
        """Compile a game before the others."""
        with self._lock:
            compiled_now = next((name for name in self._order if not self.ready(name)), game)
            if self._process is not None and game not in (compiled_now, self._first):
                self._first = game
                self._process.terminate()

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

"""Compile kernels in a separate process, because a compiler thread would hold the GIL for seconds."""

import json
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from arcade.engines.control import Control, Kernels
from arcade.engines.files import InputError
from arcade.engines.registry import game_modules, game_names, get_game
from arcade.engines.worker_process import WorkerProcess, worker_main


def package_files(module: str) -> list[Path]:
    found = find_spec(module.partition(".")[0])
    if found is None:
        return []
    if found.submodule_search_locations is not None:
        return [file for folder in found.submodule_search_locations for file in Path(folder).rglob("*.py")]
    return [Path(found.origin)] if found.origin else []


def fingerprint() -> str:
    """Return a digest of the versions of Python and numba and of the state of the games' source files."""
    from hashlib import sha256  # loads OpenSSL
    from importlib.metadata import version  # loads email

    digest = sha256(f"{sys.version} {version('numba')}".encode())
    for file in sorted({file for module in game_modules() for file in package_files(module)}):
        # An editor's lock file may be a dangling link; a file may disappear during the loop.
        with suppress(OSError):
            status = file.stat()
            digest.update(f"{file} {status.st_mtime_ns} {status.st_size}".encode())
    return digest.hexdigest()[:16]


class KernelCompiler(Kernels):
    """A background compiler of all kernels, which does nothing if `known` is the current fingerprint.

    If `known` is None, each kernel is compiled on its first call.
    """

    def __init__(self, known: str | None, preparing: Callable[[], None] = lambda: None) -> None:
        super().__init__(preparing)
        self.status = ""
        self.fingerprint = ""
        self.finished = known is None
        self._known = known
        self._told: Callable[[], None] = lambda: None
        self._waiting = {name: threading.Event() for name in game_names()}
        self._worker: WorkerProcess | None = None
        self._first = ""
        self._order: list[str] = []
        self._lock = threading.Lock()
        if self.finished:
            self._release()

    def start(self, told: Callable[[], None]) -> None:
        """Start compiling. Another thread calls `told` whenever `status` changes."""
        if not self.finished and self._worker is None:
            self._told = told
            threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            self._prepare()
        finally:
            # A kernel that failed is compiled on its first call.
            self._release()
            self._say("")

    def _prepare(self) -> None:
        current = fingerprint()
        self.finished = self._known == current
        if not self.finished:
            self._say("Compiling solvers (first run)")
            first = None
            # Restart for a game that a player waits for. Finished kernels stay compiled.
            while first != self._first:
                first = self._first
                names = [name for name in self._waiting if not self.ready(name)]
                self._order = sorted(names, key=lambda name: name != first)
                self._compile()
            self.finished = all(map(self.ready, self._waiting))
        self.fingerprint = current

    def _compile(self) -> None:
        try:
            with self._lock:
                self._worker = WorkerProcess("arcade.engines.kernel_compiler")
        except OSError:
            return
        with self._worker as worker:
            for name in self._order:
                worker.send(name)
            while not all(map(self.ready, self._order)):
                line = worker.answers.get()[1]
                if not line:
                    return
                try:
                    self._waiting[json.loads(line)].set()
                except (ValueError, KeyError, TypeError):
                    # Not our compiler's output.
                    return
                done = sum(event.is_set() for event in self._waiting.values())
                self._say(f"Compiling solvers (first run): {done} of {len(self._waiting)}")

    def _say(self, status: str) -> None:
        self.status = status
        self._told()

    def _release(self) -> None:
        for event in self._waiting.values():
            event.set()

    def ready(self, game: str) -> bool:
        return game not in self._waiting or self._waiting[game].is_set()

    def wait(self, game: str, control: Control) -> bool:
        """Wait for a game's kernels with the clock stopped. Return False if the control is cancelled."""
        with control.paused():
            while not self.ready(game) and not control.cancelled:
                self.hurry(game)
                self._waiting[game].wait(0.05)
        return not control.cancelled

    def hurry(self, game: str) -> None:
        with self._lock:
            compiled_now = next((name for name in self._order if not self.ready(name)), game)
            if self._worker is not None and game not in (compiled_now, self._first):
                self._first = game
                self._worker.process.terminate()

    def stop(self) -> None:
        if self._worker is not None:
            self._worker.process.terminate()


def compile_kernels(game: str) -> str:
    """Compile a game's kernels and return the game's name. Raises InputError if they cannot be saved."""
    kernels = Kernels()
    get_game(game).solver.warm(kernels)
    for folder, why in kernels.unsaved.items():
        raise InputError(
            f"Cannot save the compiled solvers in {folder!r}: {why}. They will be compiled again at the "
            "next start. To avoid this, set NUMBA_CACHE_DIR to another folder."
        )
    return game


if __name__ == "__main__":
    worker_main(compile_kernels)

"""Run the arcade in a pseudo-terminal."""

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pexpect
import pyte


class Terminal:
    """A program (default: `python -m arcade`) whose screen is kept as text.

    `arguments` follow the `command`. `data` is the data folder, `folder` the working directory.
    """

    def __init__(
        self,
        *arguments: str,
        data: str,
        columns: int = 80,
        lines: int = 24,
        command: Sequence[str] = (sys.executable, "-m", "arcade"),
        folder: str | None = None,
    ) -> None:
        environment = os.environ | {"ARCADE_DATA": data, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        # Of the terminal in which the tests run.
        for name in ("NO_COLOR", "PYTHONDONTWRITEBYTECODE", "COLUMNS", "LINES"):
            environment.pop(name, None)
        self.started = time.perf_counter()
        self.process = pexpect.spawn(
            command[0], [*command[1:], *arguments], env=environment, dimensions=(lines, columns), cwd=folder
        )
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        self.over = False
        self.written = 0

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def take(self, seconds: float) -> bytes:
        """Return output without showing it, or nothing after some seconds."""
        if not select.select([self.process.child_fd], [], [], seconds)[0]:
            return b""
        try:
            return os.read(self.process.child_fd, 65536)
        except OSError:
            self.over = True
            return b""

    def read(self, seconds: float) -> bytes:
        """Return output and show it."""
        written = self.take(seconds)
        self.written += len(written)
        self._stream.feed(written)
        return written

    def wait(self, until: Callable[[str], bool] | str, seconds: float = 60.0, what: str = "") -> float:
        """Read until the screen meets `until`, described by `what`. Return the seconds it took."""
        begun = time.perf_counter()
        shows = (lambda text: until in text) if isinstance(until, str) else until
        while not shows(self.text):
            left = begun + seconds - time.perf_counter()
            if left <= 0 or self.over:
                raise self.instead(what or f"{until!r} on the screen", time.perf_counter() - begun)
            self.read(min(left, 0.5))
        return time.perf_counter() - begun

    def instead(self, what: str, seconds: float) -> AssertionError:
        over = ", the program is over" if self.over else ""
        return AssertionError(f"waited {seconds:.1f} s for {what}{over}; there is\n{self.text}")

    def press(self, keys: str | bytes) -> None:
        os.write(self.process.child_fd, keys.encode() if isinstance(keys, str) else keys)

    def hang_up(self) -> None:
        """As when a window closes or a connection breaks."""
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, self.process.child_fd)
        os.close(nothing)

    def quiet(self, seconds: float, longest: float = 30.0) -> None:
        end = time.perf_counter() + longest
        while self.read(seconds):
            if time.perf_counter() > end:
                raise self.instead(f"{seconds:g} s without a change", longest)

    def ended(self, seconds: float) -> float:
        begun = time.perf_counter()
        while self.process.isalive():
            if time.perf_counter() - begun > seconds:
                raise self.instead("the end of the program", seconds)
            self.read(0.01)
        return time.perf_counter() - begun

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A forced close waits a tenth of a second, too short on a busy computer.
        if self.process.isalive():
            self.process.kill(signal.SIGKILL)
            self.process.wait()
        self.process.close()


def key_to_paint(terminal: Terminal, keys: str, times: int) -> list[float]:
    took = []
    for number in range(times):
        terminal.quiet(0.03)
        begun = time.perf_counter()
        terminal.press(keys[number % len(keys)])
        if not terminal.read(20.0):
            raise terminal.instead(f"an answer to the key {keys[number % len(keys)]!r}", 20.0)
        took.append(time.perf_counter() - begun)
    return sorted(took)


def cpu_seconds(pid: int) -> float:
    """In user and system mode."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

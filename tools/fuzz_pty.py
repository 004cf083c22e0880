"""Send random bytes to the arcade in a terminal:

`python -m tools.fuzz_pty [--events N] [--seed N] [START]...`.

Unlike `tests/screens/test_fuzz.py` it uses a pseudo-terminal: keys, mouse, pasted text, sizes, and bytes that
are not text. A key may end the arcade with exit code 0. Otherwise it must respond, without a traceback.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Annotated

import typer

from arcade.screens.hexapawn.screen import HexapawnScreen
from arcade.screens.honshu.screen import HonshuScreen
from arcade.screens.match import MatchScreen
from arcade.screens.menace.screen import MenaceScreen
from arcade.screens.menu import Card, MenuScreen
from tools.actions import typed
from tools.emulator import Terminal

STARTS: dict[str, tuple[tuple[str, ...], str]] = {
    "menu": ((), ""),
    "history": ((), typed(MenuScreen, "history")),
    "records": ((), typed(MenuScreen, "records")),
    "settings": ((), typed(MenuScreen, "app.settings")),
    "puzzles": ((), typed(Card, "puzzles") + "\r"),
    "new tournament": ((), typed(MenuScreen, "tournament")),
    "tournament": ((), typed(MenuScreen, "tournament") + "\r"),
    "commands": ((), typed(MenuScreen, "app.command_palette")),
    "help": ((), typed(MenuScreen, "help")),
    "new match": ((), typed(Card, "open")),
    "open": ((), typed(MenuScreen, "app.open_id")),
    "lesson": (("learn", "hexapawn"), ""),
    "chocobar": (("play", "chocobar:5x6"), ""),
    "hexapawn": (("play", "hexapawn:4x4"), ""),
    "tetromino": (("play", "tetromino:4x5"), ""),
    "honshu": (("play", "honshu:9x12"), ""),
    "best map": (("play", "honshu:9x4"), typed(HonshuScreen, "best_map")),
    "menace": (("play", "menace"), ""),
    "boxes": (("play", "menace"), typed(MenaceScreen, "boxes")),
    "laboratory": (("play", "menace"), typed(MenaceScreen, "laboratory")),
    "set-up": (("play", "hexapawn:4x4"), typed(HexapawnScreen, "edit")),
    "watched": (("watch", "chocobar:5x6"), typed(MatchScreen, *["faster"] * 3)),
}
"""Command line of each start, and keys to type after it."""

NAMED = ("\r", "\x1b", "\t", "\x7f", "\x1b[Z", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\x03", "\x0c")
ARROWS = tuple(f"\x1b[{letter}" for letter in "ABCD")
WORDS = "nurivgcCpmMFAOVzbtoyWxRNP+-.,eEfL:?S0123456789hjklwasd/() "
TEXTS = (
    "1" * 40 + "x",
    "-12",
    "a2",
    "(2,3)",
    "chocobar:3x4",
    "\x07\x1b]0;title\x07",
    "5" * 3000,
    "ä中\u202e",
    '[Arcade "1"]',
)
BAD = {
    "Latin-1": b"\xe9",
    "half a character": b"\xc3",
    "no code point": b"\x1b[1114112u",
    "text that is no code point": b"\x1b[97;1;1114112u",
    "a key that is released": b"\x1b[57441;1:3u",
    "nothing but colons": b"\x1b[::;u",
    "half of a pair": b"\x1b[97;1;55296u",
    "a size of zero pixels": b"\x1b[48;36;110;0;0t\x1b[<35;5;5M",
    "a size of zero cells": b"\x1b[48;0;0;0;0t\x1b[<35;5;5M",
    "a mouse beyond the screen": b"\x1b[<0;99999999;99999999M\x1b[<0;99999999;99999999m",
    "a mouse of the old kind": b"\x1b[M\xff\xff\xff",
    "size reports on": b"\x1b[?2048;2$y",
}
"""From real or broken terminals."""
NO_TEXT = (*BAD.values(), b"\x00", b"\x1b[", b"\x1b[<0;", b"\x1b]0;x")
NEVER = b"\x11\x13\x1a"
"""Ctrl+Q ends the arcade, Ctrl+Z suspends it, Ctrl+S could stop the terminal."""

BURST = 20
MAX_EVENTS_PER_RUN = 1000
"""Events per start of the arcade."""
MAX_WAIT_SECONDS = 60.0
"""For a response."""
MAX_PROBES = 6
"""Attempts within that time."""


class FuzzError(AssertionError):
    pass


def event(rng: random.Random) -> bytes:
    drawn = rng.random()
    if drawn < 0.35:
        return rng.choice(WORDS).encode()
    if drawn < 0.6:
        return rng.choice(ARROWS + NAMED).encode()
    if drawn < 0.61:
        return b"q"
    if drawn < 0.88:
        at = f"{rng.randrange(1, 121)};{rng.randrange(1, 41)}"
        button = rng.choice((0, 0, 0, 2, 35, 64, 65))
        released = f"\x1b[<{button};{at}m" if button < 3 else ""
        return f"\x1b[<{button};{at}M{released}".encode()
    if drawn < 0.92:
        return f"\x1b[200~{rng.choice(TEXTS)}\x1b[201~".encode()
    if drawn < 0.96:
        return rng.choice(NO_TEXT)
    return bytes(byte for byte in rng.randbytes(rng.randrange(1, 9)) if byte not in NEVER)


class FuzzRun:
    def __init__(self, start: str, folder: str) -> None:
        arguments, keys = STARTS[start]
        # Screenshots are written to the home folder.
        command = (
            "env",
            f"HOME={folder}",
            f"XDG_DOWNLOAD_DIR={folder}",
            sys.executable,
            "-P",
            "-m",
            "arcade",
        )
        self.terminal = Terminal(*arguments, data=f"{folder}/data", folder=folder, command=command)
        os.set_blocking(self.terminal.process.child_fd, False)
        self.written = bytearray()
        if not self.wait_until(lambda: b"Help" in self.written or self.terminal.over, MAX_WAIT_SECONDS):
            raise FuzzError("never showed a screen")
        for key in keys:
            self.terminal.press(key)
            time.sleep(0.3)

    def read(self, seconds: float) -> bool:
        """Return whether there was output."""
        output = self.terminal.take(seconds)
        self.written += output
        return bool(output)

    def wait_until(self, done: Callable[[], bool], seconds: float) -> bool:
        """Return whether the condition held in time."""
        end = time.monotonic() + seconds
        while not done() and time.monotonic() < end:
            self.read(0.2)
        return done()

    def burst(self, rng: random.Random) -> None:
        for _ in range(BURST):
            if rng.random() < 0.03:
                self.terminal.process.setwinsize(
                    rng.choice((1, 10, 20, 24, 40)), rng.choice((1, 40, 60, 80, 120))
                )
            self.send(event(rng))
        while self.read(0.02) and len(self.written) < 1 << 24:
            pass
        # In a terminal that is too small, no key has an effect.
        self.terminal.process.setwinsize(24, 80)
        answered = len(self.written)
        for _ in range(MAX_PROBES):
            # This key repaints the screen, unless earlier bytes start a mouse event.
            self.send(b"\x0c")
            if self.read(MAX_WAIT_SECONDS / MAX_PROBES):
                break
        if len(self.written) == answered and not self.terminal.over:
            raise FuzzError("does not answer")
        del self.written[: -(1 << 20)]

    def send(self, typed: bytes) -> None:
        """Write and read at the same time, so that neither side blocks."""
        end = time.monotonic() + MAX_WAIT_SECONDS
        while typed and not self.terminal.over:
            try:
                typed = typed[os.write(self.terminal.process.child_fd, typed) :]
            except BlockingIOError:
                self.read(0.05)
            if time.monotonic() > end:
                raise FuzzError("takes no input")

    def end(self) -> None:
        for _ in range(MAX_PROBES):
            # Earlier bytes may start a mouse event.
            self.send(b"\x11")
            if self.wait_until(lambda: self.terminal.over, MAX_WAIT_SECONDS / MAX_PROBES):
                break
        else:
            raise FuzzError("does not end")
        self.terminal.process.wait()
        code, number = self.terminal.process.exitstatus, self.terminal.process.signalstatus
        # Keys after the one that ends the arcade are signals again.
        if (code != 0 and number not in (signal.SIGINT, signal.SIGQUIT)) or b"Traceback" in self.written:
            raise FuzzError(f"ended with code {code}, signal {number}")


def fuzz(start: str, rng: random.Random, count: int) -> int:
    """Start once, send up to `count` events, and return their number. Raises FuzzError."""
    with tempfile.TemporaryDirectory() as folder:
        run, sent = FuzzRun(start, folder), 0
        with run.terminal:
            try:
                while sent < min(count, MAX_EVENTS_PER_RUN) and not run.terminal.over:
                    run.burst(rng)
                    sent += BURST
                run.end()
            except FuzzError as failure:
                shown = bytes(run.written[-30000:]).decode(errors="replace")
                raise FuzzError(f"{start}, event {sent}: the arcade {failure}\n{shown}") from None
    return sent


def main(
    starts: Annotated[
        list[str] | None, typer.Argument(metavar="[START]...", help="Use only these starts.")
    ] = None,
    events: Annotated[int, typer.Option(help="Number of events.")] = 2000,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 1,
) -> None:
    for start in starts or ():
        if start not in STARTS:
            raise typer.BadParameter(f"Unknown start {start!r}. Choose from {', '.join(STARTS)}.")
    wanted = starts or list(STARTS)
    share, total, failures = -(-events // len(wanted)), 0, 0
    for start in wanted:
        rng, started = random.Random(f"{seed} {start}"), time.monotonic()
        sent, runs = 0, 0
        try:
            while sent < share:
                sent += fuzz(start, rng, share - sent)
                runs += 1
        except FuzzError as failure:
            failures += 1
            print(failure, flush=True)
        print(f"{start}: {sent} events, {runs} runs, {time.monotonic() - started:.0f} s", flush=True)
        total += sent
    print(f"seed {seed}: {total} events, {failures} failures")
    if failures:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)

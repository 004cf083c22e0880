"""Textual's terminal driver, made robust: no input can crash the arcade; docs/upstream.md says why."""

import asyncio
import os
import re
import selectors
import signal
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from textual import events
from textual._xterm_parser import XTermParser
from textual.geometry import Size
from textual.message import Message
from textual.messages import InBandWindowResize

try:
    from textual.drivers.linux_driver import LinuxDriver
except ImportError:  # On Windows Textual's own driver serves.
    LinuxDriver = object  # type: ignore[assignment, misc]  # Nobody makes one there.

HALF_PAIR = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which no terminal can show."""
PASTE, PASTED = "\x1b[200~", "\x1b[201~"
PASTE_SECONDS = 2.0
"""A pasted text that stands still for so long has lost its end; without one no key is heard any more."""
TICK_SECONDS = 0.1
"""Seconds between checks for an Escape that has waited long enough for the rest of a sequence."""


MOUSE = re.compile(r"\x1b\[<(\d+);")
SIDE_BUTTONS = 128
"""The bit that a terminal sets for the buttons 8 to 11, e.g. those for back and forward."""


class Parser(XTermParser):
    def parse_mouse_code(self, code: str) -> Message | None:
        sent = MOUSE.match(code)
        if sent is not None and int(sent[1]) & SIDE_BUTTONS:
            return None
        return super().parse_mouse_code(code)


class Input:
    def __init__(self) -> None:
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._parser = Parser()
        self._last, self._fed, self._pasting = "", 0.0, False

    def feed(self, read: bytes) -> Iterator[Message]:
        self._fed = time.monotonic()
        for character in self._decode(read):
            self._last = (self._last + character)[-len(PASTE) :]
            self._pasting = self._last == PASTE or (self._pasting and self._last != PASTED)
            yield from self._sound(partial(self._parser.feed, character))

    def tick(self) -> Iterator[Message]:
        """The events completed because nothing more came, e.g. a single Escape; call it often."""
        # A paste waits: the first half of its end, taken for keys, would hide the end.
        if not self._pasting:
            for message in self._sound(self._parser.tick):
                self._last = ""
                yield message
        elif time.monotonic() > self._fed + PASTE_SECONDS:
            yield from self.feed(PASTED.encode())

    def _sound(self, parse: Callable[[], Iterable[Message]]) -> Iterator[Message]:
        try:
            messages = list(parse())
        except Exception:
            # Textual's parser can fail in many ways and is then unusable: drop it with the sequence.
            self._parser = Parser()
            return
        for message in messages:
            if isinstance(message, events.Resize | InBandWindowResize):
                # Use the operating system's size. Terminals may report zero pixels or anything else.
                self._parser.mouse_pixels = False
            elif isinstance(message, events.Key) and HALF_PAIR.search(f"{message.key}{message.character}"):
                continue
            else:
                yield message


class Driver(LinuxDriver):
    def run_input_thread(self) -> None:
        heard = Input()
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(TICK_SECONDS):
                    try:
                        read = os.read(self.fileno, 4096)
                    except OSError:
                        read = b""
                    if not read:
                        self._app.call_later(self._app.exit)
                        return
                    for message in heard.feed(read):
                        self.process_message(message)
                for message in heard.tick():
                    self.process_message(message)

    def start_application_mode(self) -> None:
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual gives no types here.
        loop = asyncio.get_running_loop()
        for name, hear in (
            ("SIGWINCH", self._tell_size),
            ("SIGTSTP", self._sigtstp_application),
            ("SIGCONT", self._continue),
        ):
            loop.add_signal_handler(signal.Signals[name], hear)

    def _continue(self) -> None:
        """Take the terminal again after a stop, also one before which it was not given back."""
        if self._app.is_running:
            if self._writes:
                self.suspend_application_mode()
            self._must_signal_resume = True
            self._sigcont_application()

    def _tell_size(self) -> None:
        size = Size(*self._get_terminal_size())
        self._app.post_message(events.Resize(size, size))

    @property
    def _writes(self) -> bool:
        """Whether the writing thread is still running; it ends when the terminal is gone."""
        return self._writer_thread is not None and self._writer_thread.is_alive()

    def write(self, data: str) -> None:
        if self._writes:
            super().write(data)

    def close(self) -> None:
        if self._writes:
            super().close()

    def _query_in_band_window_resize(self) -> None:
        """Request no size reports."""

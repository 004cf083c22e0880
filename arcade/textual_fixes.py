"""Workarounds for bugs in Textual. Without them the program crashes, hangs or loses keys.

Only this module uses private names of Textual. docs/textual-reports.md describes the symptoms of each bug,
and names the code to delete once Textual has fixed the bug.
"""

from __future__ import annotations

import asyncio
import os
import re
import selectors
import signal
import time
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeVar

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console, RenderableType
from rich.style import Style
from textual import constants, events
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual._context import active_message_pump
from textual._xterm_parser import XTermParser
from textual.actions import ActionParseResult
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.binding import BindingsMap
from textual.command import CommandList, CommandPalette
from textual.css.query import NoMatches
from textual.driver import Driver
from textual.errors import NoWidget
from textual.geometry import Offset, Region
from textual.message import Message
from textual.messages import InBandWindowResize
from textual.notifications import Notification, Notify, SeverityLevel
from textual.screen import Screen
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import OptionList
from textual.worker import NoActiveWorker, WorkerFailed, get_current_worker

from arcade.engines.files import InputError, check_writable
from arcade.engines.wording import join_words

try:
    from textual.drivers.linux_driver import LinuxDriver
except ImportError:  # Windows needs no fixed driver.
    LinuxDriver = object  # type: ignore[assignment, misc]  # It is never created there.

Result = TypeVar("Result")

# Input from the terminal.

HALF_PAIR = re.compile("[\ud800-\udfff]")
"""Half of a surrogate pair, which no terminal can show."""

PASTE, PASTED = "\x1b[200~", "\x1b[201~"

PASTE_SECONDS = 2.0
"""Seconds without input after which a paste is complete."""

TICK_SECONDS = 0.1


class TerminalInput:
    """A parser that turns bytes from the terminal into events.

    Textual's own parser crashes on bytes that are not UTF-8, on some sequences and on a size of zero pixels.
    After a paste without an end mark, it ignores every key.
    """

    def __init__(self) -> None:
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._parser = XTermParser()
        self._last, self._fed, self._pasting = "", 0.0, False

    def feed(self, read: bytes) -> Iterator[Message]:
        self._fed = time.monotonic()
        for character in self._decode(read):
            self._last = (self._last + character)[-len(PASTE) :]
            self._pasting = self._last == PASTE or (self._pasting and self._last != PASTED)
            yield from self._parsed(partial(self._parser.feed, character))

    def tick(self) -> Iterator[Message]:
        """Yield events that are complete if no more input follows, such as a lone Escape. Call it often."""
        # A paste has to wait, because its end may have arrived only in part.
        if not self._pasting:
            for message in self._parsed(self._parser.tick):
                self._last = ""
                yield message
        elif time.monotonic() > self._fed + PASTE_SECONDS:
            yield from self.feed(PASTED.encode())

    def _parsed(self, parse: Callable[[], Iterable[Message]]) -> Iterator[Message]:
        try:
            messages = list(parse())
        except Exception:
            # A parser that has failed is unusable: drop it with the sequence.
            self._parser = XTermParser()
            return
        for message in messages:
            if isinstance(message, events.Resize | InBandWindowResize):
                # The operating system reports the size. A terminal may report zero pixels or anything else.
                self._parser.mouse_pixels = False
            elif not (
                isinstance(message, events.Key) and HALF_PAIR.search(f"{message.key}{message.character}")
            ):
                yield message


class FixedDriver(LinuxDriver):
    """A driver that stops when its terminal closes, and survives a SIGCONT without a SIGTSTP."""

    def run_input_thread(self) -> None:
        heard = TerminalInput()
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(TICK_SECONDS):
                    read = os.read(self.fileno, 4096)
                    if not read:
                        self._app.call_later(self._app.exit)
                        return
                    for message in heard.feed(read):
                        self.process_message(message)
                for message in heard.tick():
                    self.process_message(message)

    def start_application_mode(self) -> None:
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual gives no types here.
        asyncio.get_running_loop().add_signal_handler(signal.Signals["SIGCONT"], self._continue)

    def _continue(self) -> None:
        if self._app.is_running:
            if self._writes:
                self.suspend_application_mode()
            self._must_signal_resume = True
            self._sigcont_application()

    @property
    def _writes(self) -> bool:
        """True while the writing thread runs. The thread ends when the terminal is closed."""
        return self._writer_thread is not None and self._writer_thread.is_alive()

    def write(self, data: str) -> None:
        if self._writes:
            super().write(data)

    def close(self) -> None:
        if self._writes:
            super().close()


# Output. Textual writes 12 to 34 kB for a move, because it repeats unchanged cells and full styles. The
# changed cells take 3 to 7 kB.


class CellStyle(NamedTuple):
    """A cell's style as parameters of SGR sequences."""

    attributes: str = ""
    colour: str | None = "39"
    """SGR code of the foreground; None for a space, whose foreground is invisible."""
    ground: str = "49"


PLAIN = CellStyle()

TerminalCell = tuple[str, CellStyle]
"""A character with its combining marks, and its style. The second cell of a wide character has no text."""

SEEN_ON_SPACES = {"4", "7", "9", "21", "53"}
"""SGR parameters that show on a space: underline, reverse, strike, double underline and overline."""

MAX_BRIDGE = 4
"""Maximum number of unchanged cells to rewrite in a gap. For more, moving the cursor takes fewer bytes."""


class ChangedCells(CompositorUpdate):
    """An update that writes only the cells that differ from those in the terminal.

    Rendering updates `shown`, the terminal's cells by line and column. If `few` is True, at most 256 colours
    are used, because their codes take fewer bytes.
    """

    def __init__(
        self, update: LayoutUpdate | ChopsUpdate, shown: dict[int, dict[int, TerminalCell]], few: bool = False
    ) -> None:
        self.update = update
        self.shown = shown
        self.few = few

    def render_segments(self, console: Console) -> str:
        colours = COLOR_SYSTEMS[console.color_system or "truecolor"]
        if self.few and colours is ColorSystem.TRUECOLOR:
            colours = ColorSystem.EIGHT_BIT
        written: list[str] = []
        look = PLAIN
        for y, left, strip in _strips(self.update):
            cells = cells_of(strip, colours)
            line, at = self.shown.setdefault(y, {}), -1
            changed = [x for x, cell in enumerate(cells) if line.get(left + x) != cell]
            line.update(enumerate(cells, left))
            for x in changed:
                start = next(column for column in range(x, -1, -1) if cells[column][0] or not column)
                if at < 0 or start - at > MAX_BRIDGE or any(_over(look, c) != look for c in cells[at:start]):
                    written.append(f"\x1b[{y + 1};{left + start + 1}H")
                    at = start
                while at <= x or (at < len(cells) and not cells[at][0]):
                    wanted = _over(look, cells[at])
                    if wanted != look:
                        written.append(_turn(look, wanted))
                        look = wanted
                    written.append(cells[at][0])
                    at += 1
        if look != PLAIN:
            written.append("\x1b[m")
        return "".join(written)


def _strips(update: LayoutUpdate | ChopsUpdate) -> Iterator[tuple[int, int, Strip]]:
    if isinstance(update, LayoutUpdate):
        for y, strips in enumerate(update.strips, update.region.y):
            yield y, update.region.x, Strip.join(strips)
        return
    for y, first, last in update.spans:
        for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            if strip is not None and x <= last and end > first:
                yield y, x, strip if x >= first and end <= last else strip.crop(0, min(end, last) - x)


def cells_of(strip: Strip, colours: ColorSystem) -> list[TerminalCell]:
    cells: list[TerminalCell] = []
    for text, style, _ in strip:
        look = _look(style or Style(), colours)
        seen = not SEEN_ON_SPACES.isdisjoint(look.attributes.split(";"))
        space = (" ", look if seen else CellStyle(colour=None, ground=look.ground))
        for character in text:
            width = 1 if character.isascii() else cell_len(character)
            if width:
                cells.append(space if character == " " else (character, look))
                cells += [("", look)] * (width - 1)
            elif cells:
                # A combining mark joins the character before it.
                at = next(at for at in range(len(cells) - 1, -1, -1) if cells[at][0])
                cells[at] = (cells[at][0] + character, cells[at][1])
    return cells


@lru_cache(maxsize=4096)
def _look(style: Style, colours: ColorSystem) -> CellStyle:
    return CellStyle(
        Strip.render_ansi(style.without_color, colours),
        Strip.render_ansi(Style(color=style.color), colours) or PLAIN.colour,
        Strip.render_ansi(Style(bgcolor=style.bgcolor), colours) or PLAIN.ground,
    )


def _over(look: CellStyle, cell: TerminalCell) -> CellStyle:
    wanted = cell[1]
    if wanted.colour is not None:
        return wanted
    if SEEN_ON_SPACES.isdisjoint(look.attributes.split(";")):
        return look._replace(ground=wanted.ground)
    return CellStyle(ground=wanted.ground)


def _turn(look: CellStyle, wanted: CellStyle) -> str:
    if wanted == PLAIN:
        return "\x1b[m"
    if wanted.attributes != look.attributes:
        whole = (part for part, plain in zip(wanted, PLAIN, strict=True) if part and part != plain)
        return f"\x1b[{';'.join(('0', *whole))}m"
    return f"\x1b[{';'.join(new for new, old in zip(wanted, look, strict=True) if new and new != old)}m"


# Screens and the app.


def reliable(timer: Timer) -> Timer:
    """Make a timer fire late if the process was suspended. Otherwise, an engine might never move."""
    timer._skip = False
    return timer


MIN_TOAST_SECONDS = 0.001


class FixedNotification(Notification):
    """A notice that may expire before its toast is shown. Textual's timer would then loop forever."""

    @property
    def time_left(self) -> float:
        return max(super().time_left, MIN_TOAST_SECONDS)

    @property
    def has_expired(self) -> bool:
        return super().time_left <= 0


class FixedScreen(Screen[Result]):
    @property
    def subject(self) -> object:
        """Subject of the screen. No screen opens on top of one with the same class and subject."""
        return None

    def takes(self, event: events.Event) -> bool:
        """Handle an event before the widgets do. Return True to keep it from them."""
        return False

    def own_bindings(self) -> BindingsMap:
        """Return the screen's bindings, with the keys from the settings file."""
        bindings = self._bindings.copy()
        bindings.apply_keymap(self.app._keymap)
        return bindings

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close the screen, unless it is already closed: Textual would crash if it were closed twice."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    async def on_event(self, event: events.Event) -> None:
        """Replace the size in a resize event by the app's size.

        Otherwise, Textual may alternate between two sizes forever and ignore all keys.
        """
        if isinstance(event, events.Resize) and event.size != self.app.size:
            event = events.Resize(self.app.size, self.app.size)
        await super().on_event(event)

    def set_timer(self, *args: Any, **options: Any) -> Timer:
        return reliable(super().set_timer(*args, **options))

    def get_widget_at(self, x: int, y: int) -> tuple[Widget, Region]:
        """Return the screen itself for a click outside a shrunken terminal, which would crash the palette."""
        try:
            return super().get_widget_at(x, y)
        except NoWidget:
            return self, self.region

    def get_widget_and_offset_at(self, x: int, y: int) -> tuple[Widget | None, Offset | None]:
        """Return no widget if it was removed but is still painted, because Textual would crash."""
        widget, offset = super().get_widget_and_offset_at(x, y)
        return (widget, offset) if widget is not None and widget.is_attached else (None, None)


class Palette(CommandPalette, FixedScreen[None]):
    """Textual's command palette, with the fixes of `FixedScreen`."""


MAX_WAIT_SECONDS = 2.0
"""Maximum seconds that input waits until earlier input has taken effect."""


def check_variables() -> None:
    """Raise InputError for an environment variable that would crash Textual."""
    colours, log = constants.COLOR_SYSTEM, constants.LOG_FILE
    known = ("auto", *COLOR_SYSTEMS)
    if colours not in known:
        raise InputError(f"TEXTUAL_COLOR_SYSTEM must be {join_words(known, 'or')}, not {colours!r}.")
    if log is not None:
        try:
            check_writable(log)
        except InputError as error:
            raise InputError(f"Cannot use TEXTUAL_LOG: {error}") from None


class FixedApp(App[None]):
    def __init__(self) -> None:
        check_variables()
        super().__init__()
        self._shown: dict[int, dict[int, TerminalCell]] = {}
        self._heard: deque[events.Event] = deque()
        self._waiting = False
        self._deadline = 0.0

    def get_driver_class(self) -> type[Driver]:
        try:
            driver = super().get_driver_class()
        except Exception as error:
            if constants.DRIVER is None:
                raise
            raise InputError(
                f"TEXTUAL_DRIVER must name a Textual driver as module:class, not {constants.DRIVER!r}. "
                "Unset it to use the default."
            ) from error
        return FixedDriver if driver is LinuxDriver else driver

    def set_timer(self, *args: Any, **options: Any) -> Timer:
        return reliable(super().set_timer(*args, **options))

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        seconds = self.NOTIFICATION_TIMEOUT if timeout is None else timeout
        self.post_message(Notify(FixedNotification(message, title, severity, seconds, markup)))

    async def run_async(self, **options: Any) -> Any:
        """Run the app. Then ignore Ctrl+C, which would cause a crash while the event loop ends."""
        try:
            return await super().run_async(**options)
        finally:
            with suppress(NotImplementedError):
                asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _handle_exception(self, error: Exception) -> None:
        """Ignore errors in widgets that are being removed, and in an app that is ending."""
        if not (self._exit and isinstance(error, NoMatches)) and not self._is_leaving(error):
            super()._handle_exception(error)

    def _is_leaving(self, error: Exception) -> bool:
        try:
            failed = isinstance(error, WorkerFailed)
            node = get_current_worker().node if failed else active_message_pump.get()
        except (LookupError, NoActiveWorker):
            return False
        if not isinstance(node, Widget):
            return False
        return node._pruning or not node.is_attached or node.screen not in self.screen_stack

    # Painting.

    @property
    def few_colours(self) -> bool:
        return False

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        if isinstance(renderable, LayoutUpdate | ChopsUpdate):
            drawn: Any = ChangedCells(renderable, self._shown, self.few_colours)
            super()._display(screen, drawn)
        else:
            super()._display(screen, renderable)

    def on_mount(self) -> None:
        self.app_resume_signal.subscribe(self, lambda _: self.action_repaint())

    def action_repaint(self) -> None:
        self._shown.clear()
        self.refresh(layout=True)

    # Keys typed ahead wait for the effects of earlier keys, such as a new screen.

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Resize):
            # The contents of the terminal are unknown now.
            self._shown.clear()
        if not isinstance(event, events.InputEvent | events.Paste):
            await super().on_event(event)
        elif event.is_forwarded:
            # An app that is ending has no screen.
            if self.screen_stack:
                await super().on_event(event)
        else:
            if self._heard and all(isinstance(heard, events.MouseMove) for heard in (event, self._heard[-1])):
                self._heard.pop()
            self._heard.append(event)
            if not self._waiting:
                self._deadline = time.monotonic() + MAX_WAIT_SECONDS
                await self._hear()

    async def _hear(self) -> None:
        while self._heard and self.screen_stack:
            at_rest = self._at_rest
            self._waiting = not at_rest and time.monotonic() < self._deadline
            if self._waiting:
                # Let other widgets handle their messages first.
                await asyncio.sleep(0)
                self.call_later(self._hear)
                return
            if at_rest:
                self._deadline = time.monotonic() + MAX_WAIT_SECONDS
            event = self._heard.popleft()
            if not (isinstance(self.screen, FixedScreen) and self.screen.takes(event)):
                await super().on_event(event)

    @property
    def _at_rest(self) -> bool:
        if not self._message_queue.empty():
            return False
        nodes = (*self.screen_stack, *self.screen.walk_children())
        return all(node._message_queue.empty() for node in nodes)

    async def run_action(self, action: str | ActionParseResult, *where: Any, **options: Any) -> bool:
        """Run an action, except paging in a list without visible lines, because Textual would crash."""
        if "page_" in str(action):
            lists = [self.focused] if isinstance(self.focused, OptionList) else self.screen.query(CommandList)
            if any(not shown.scrollable_content_region for shown in lists):
                return True
        return await super().run_action(action, *where, **options)

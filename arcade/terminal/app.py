"""An app, its screens and a field with what is mended in Textual's; docs/upstream.md gives the reasons."""

from __future__ import annotations

import asyncio
import signal
import time
from collections import deque
from contextlib import suppress
from typing import Any, TypeVar

from rich.console import COLOR_SYSTEMS, RenderableType
from textual import constants, events
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual._context import active_message_pump
from textual._styles_cache import StylesCache
from textual.actions import ActionParseResult
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.binding import BindingsMap
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hits
from textual.css.query import NoMatches
from textual.driver import Driver
from textual.errors import NoWidget
from textual.geometry import Offset, Region
from textual.notifications import Notify
from textual.screen import Screen
from textual.system_commands import SystemCommandsProvider
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, OptionList
from textual.worker import NoActiveWorker, WorkerFailed, get_current_worker

from arcade.engines.files import InputError, check_writable
from arcade.engines.wording import listed
from arcade.terminal.painter import Changes, Painter

Result = TypeVar("Result")

LEFT = 1
"""The number of the left button of the mouse."""


def of_other_button(event: events.Event) -> bool:
    """Whether another button than the left one was pressed or let go.

    Those do nothing here: terminals and browsers use them to paste and for menus of their own.
    """
    return isinstance(event, events.MouseDown | events.MouseUp | events.Click) and event.button != LEFT


def reliable(timer: Timer) -> Timer:
    """A timer that is not left out, as by Textual, when the processor was away for so long before."""
    timer._skip = False
    return timer


class MendedScreen(Screen[Result]):
    """A screen that any input, size or late message leaves whole."""

    @property
    def subject(self) -> object:
        """What a screen is about: one that is on top is not opened again for the same."""
        return None

    def takes(self, event: events.Event) -> bool:
        """Called first with each key, pasted text and mouse event; True if it does nothing else."""
        return False

    def _forward_event(self, event: events.Event) -> None:
        # Textual's pilot hands its clicks to the screen, past the app.
        if not of_other_button(event):
            super()._forward_event(event)

    # A notice that lies under another screen would be shown twice.

    def on_screen_suspend(self) -> None:
        self.query("ToastRack").set(display=False)

    def on_screen_resume(self) -> None:
        self.query("ToastRack").set(display=True)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if isinstance(event.widget, Input):
            event.widget.cursor_blink = self.app.animation_level == "full"

    def on_unmount(self) -> None:
        StylesCache.get_inner_outer.cache_clear()

    def own_bindings(self) -> BindingsMap:
        """The bindings of the screen alone, with the keys that the person has chosen."""
        bindings = self._bindings.copy()
        bindings.apply_keymap(self.app._keymap)
        return bindings

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        return super().dismiss(result) if self.is_active else AwaitComplete()

    async def on_event(self, event: events.Event) -> None:
        """A covered screen answers a size with one to itself, so two would alternate for ever."""
        if isinstance(event, events.Resize) and event.size != self.app.size:
            event = events.Resize(self.app.size, self.app.size)
        await super().on_event(event)

    def set_timer(self, *args: Any, **options: Any) -> Timer:
        return reliable(super().set_timer(*args, **options))

    def get_widget_at(self, x: int, y: int) -> tuple[Widget, Region]:
        try:
            return super().get_widget_at(x, y)
        except NoWidget:
            return self, self.region

    def get_widget_and_offset_at(self, x: int, y: int) -> tuple[Widget | None, Offset | None]:
        """The compositor keeps a removed widget until the next paint; Textual 8.2 asks for its container."""
        widget, offset = super().get_widget_and_offset_at(x, y)
        return (widget, offset) if widget is not None and widget.is_attached else (None, None)


class Palette(CommandPalette, MendedScreen[None]):
    """Textual's list of commands, but a second Enter while it is closing does nothing."""

    def takes(self, event: events.Event) -> bool:
        return isinstance(event, events.Key) and not self.query(CommandList)

    # A key that was on its way when the list went comes here.

    def _action_command_list(self, action: str) -> None:
        if self.query(CommandList):
            super()._action_command_list(action)

    def _action_cursor_down(self) -> None:
        if self.query(CommandList):
            super()._action_cursor_down()


class Commands(SystemCommandsProvider):
    """The commands in the order in which the app gives them, what fits the moment first."""

    async def discover(self) -> Hits:
        for command in self.app.get_system_commands(self.screen):
            yield DiscoveryHit(command.title, command.callback, help=command.help)


class Line(Input):
    """An input line that takes the whole of what is pasted, its lines joined by spaces."""

    def _on_paste(self, event: events.Paste) -> None:
        super()._on_paste(events.Paste(" ".join(event.text.splitlines())))
        event.stop()
        event.prevent_default()


LONGEST_WAIT = 2.0
"""Most seconds that a key or click waits for what those before it lead to."""

ENDING = ("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2")
"""Signals that end the app as a key does."""


def check_variables() -> None:
    """Raises InputError for a value on which Textual would fail."""
    colours, log = constants.COLOR_SYSTEM, constants.LOG_FILE
    known = ("auto", *COLOR_SYSTEMS)
    if colours not in known:
        raise InputError(f"TEXTUAL_COLOR_SYSTEM must be {listed(known, 'or')}, not {colours!r}.")
    if log is not None:
        try:
            check_writable(log)
        except InputError as error:
            raise InputError(f"TEXTUAL_LOG has a wrong value. {error}") from None


class MendedApp(App[None]):
    """Keys typed ahead reach what earlier keys lead to, and no key a screen that is opening or closing."""

    def __init__(self) -> None:
        """Raises InputError if an environment variable for Textual has a wrong value."""
        check_variables()
        super().__init__()
        self._painter = Painter()
        self._heard: deque[events.Event] = deque()
        self._waiting = False
        self._deadline = 0.0

    def set_timer(self, *args: Any, **options: Any) -> Timer:
        return reliable(super().set_timer(*args, **options))

    def get_driver_class(self) -> type[Driver]:
        try:
            driver = super().get_driver_class()
        except Exception as error:
            if constants.DRIVER is None:
                raise
            raise InputError(
                f"TEXTUAL_DRIVER must name a driver of Textual as module:class, not {constants.DRIVER!r}; "
                "usually it is not set."
            ) from error
        if driver.__name__ == "LinuxDriver":
            from arcade.terminal.driver import Driver as MendedDriver  # loads termios

            return MendedDriver
        return driver

    def run(self, *args: Any, **options: Any) -> Any:
        """Run the app; raises SystemExit after a crash, whose traceback has been printed."""
        returned: Any = super().run(*args, **options)
        if self.return_code:
            raise SystemExit(self.return_code)
        return returned

    async def run_async(self, **options: Any) -> Any:
        try:
            return await super().run_async(**options)
        finally:
            # Keys typed after the one that ended the app are signals again, and the loop closes its end of
            # their pipe before it lets go of them.
            with suppress(NotImplementedError):
                asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    def on_mount(self) -> None:
        self.app_resume_signal.subscribe(self, lambda _: self.action_repaint())
        # Restore the terminal when the program is told to end. On Windows a loop hears no signals.
        with suppress(NotImplementedError):
            for name in ENDING:
                asyncio.get_running_loop().add_signal_handler(signal.Signals[name], self.exit)

    def _handle_exception(self, error: Exception) -> None:
        """Ignore an error in a widget or screen that is being removed; when the app is ending, all are."""
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

    @property
    def few_colours(self) -> bool:
        return False

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        drawn: Any = renderable
        if isinstance(renderable, LayoutUpdate | ChopsUpdate):
            drawn = Changes(self._painter, renderable, self.few_colours)
        super()._display(screen, drawn)

    @property
    def _background_screens(self) -> list[Screen[Any]]:
        return [] if self.screen.styles.background.a == 1 else super()._background_screens

    def action_repaint(self) -> None:
        self._painter.forget()
        self.refresh(layout=True)

    async def on_event(self, event: events.Event) -> None:
        if of_other_button(event):
            return
        if isinstance(event, events.Resize):
            await self._resize(event)
        elif not isinstance(event, events.InputEvent | events.Paste):
            await super().on_event(event)
        elif event.is_forwarded:
            # Not while the app is ending and has no screen.
            if self.screen_stack:
                await super().on_event(event)
        else:
            if self._heard and all(isinstance(heard, events.MouseMove) for heard in (event, self._heard[-1])):
                self._heard.pop()
            self._heard.append(event)
            if not self._waiting:
                self._deadline = time.monotonic() + LONGEST_WAIT
                await self._hear()

    async def _resize(self, event: events.Resize) -> None:
        """Write the whole screen and tell the screens now: in a busy app Textual's timer may never fire."""
        self._painter.forget()
        await super().on_event(event)
        if self._resize_timer is not None:
            self._resize_timer.stop()
            self._resize_timer = None

    async def _hear(self) -> None:
        while self._heard and self.screen_stack:
            at_rest = self._at_rest
            self._waiting = not at_rest and time.monotonic() < self._deadline
            if self._waiting:
                # The app handles its own messages without pausing for those of others.
                await asyncio.sleep(0)
                self.call_later(self._hear)
                return
            if at_rest:
                self._deadline = time.monotonic() + LONGEST_WAIT
            event = self._heard.popleft()
            if not (isinstance(self.screen, MendedScreen) and self.screen.takes(event)):
                await super().on_event(event)

    @property
    def _at_rest(self) -> bool:
        if not self._message_queue.empty():
            return False
        nodes = (*self.screen_stack, *self.screen.walk_children())
        return all(node._message_queue.empty() for node in nodes)

    async def run_action(self, action: str | ActionParseResult, *where: Any, **options: Any) -> bool:
        """Run an action, but turn no page of a list without room for a line, which Textual cannot do."""
        if "page_" in str(action):
            lists = [self.focused] if isinstance(self.focused, OptionList) else self.screen.query(CommandList)
            if any(not shown.scrollable_content_region for shown in lists):
                return True
        return await super().run_action(action, *where, **options)

    def on_notify(self, event: Notify) -> None:
        """A notice takes the place of the same one, said before."""
        for notice in list(self._notifications):
            if notice.message == event.notification.message:
                self._unnotify(notice, refresh=False)

    def on_delivery_complete(self, event: events.DeliveryComplete) -> None:
        # Textual's own notice has markup in it.
        event.prevent_default()
        if event.path is not None:
            self.notify(f"The picture was saved as {event.path}.")

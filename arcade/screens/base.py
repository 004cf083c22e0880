"""The base classes of all screens."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Callable, Iterable
from typing import ClassVar, Protocol, TypeVar, cast

from textual import events
from textual._styles_cache import StylesCache
from textual.actions import parse
from textual.app import SystemCommand
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.errors import NoWidget
from textual.geometry import Offset, Region
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

from arcade.engines.files import InputError, write_new
from arcade.services import Services
from arcade.widgets.glyphs import Glyphs, glyphs_of

Result = TypeVar("Result")
Given = TypeVar("Given")

NICENESS = 5
"""Of threads that search: a third of what the screen's thread gets where both want a core."""


class HasServices(Protocol):
    """What screens need from the app, in addition to Textual's own app."""

    services: Services

    @property
    def ascii(self) -> bool:
        """Whether to draw in plain characters."""

    @property
    def local(self) -> bool:
        """Whether the terminal is this machine's own: neither a browser nor a remote login."""


class OpenHelp(Message):
    """A screen wants its help shown."""

    def __init__(self, screen: ArcadeScreen) -> None:
        super().__init__()
        self.screen = screen


class Answer(Message):
    """An answer from a thread for the screen."""

    def __init__(self, take_in: Callable[[], None]) -> None:
        super().__init__()
        self.take_in = take_in


KEYS_UNSEEN = ("q", "ctrl+q")
"""The keys that work on a screen that is too large to show."""


class BaseScreen(Screen[Result]):
    """A screen of the arcade."""

    @property
    def services(self) -> Services:
        return cast(HasServices, self.app).services

    @property
    def glyphs(self) -> Glyphs:
        """The characters to draw with."""
        return glyphs_of(self.app)

    def open(self, screen: Screen[Given], callback: Callable[[Given | None], None] | None = None) -> None:
        """Open a screen over this one, unless it is already open: a second click opens nothing.

        Args:
            screen: the screen to open.
            callback: called with its result when it closes. If it raises InputError, the message is shown.
        """

        def closed(result: Given | None) -> None:
            try:
                if callback is not None:
                    callback(result)
            except InputError as error:
                self.notify(str(error), severity="error", timeout=10)

        if type(self.app.screen) is not type(screen):
            self.app.push_screen(screen, closed)

    def on_screen_suspend(self) -> None:
        self.query("ToastRack").set(display=False)

    def on_screen_resume(self) -> None:
        self.query("ToastRack").set(display=True)

    def on_unmount(self) -> None:
        StylesCache.get_inner_outer.cache_clear()

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < 80, "-slim")

    async def on_event(self, event: events.Event) -> None:
        """Receive an event; replace an outdated terminal size by the present one.

        A covered screen answers a size event with one to itself, so two different sizes would alternate
        forever.
        """
        if isinstance(event, events.Resize) and event.size != self.app.size:
            event = events.Resize(self.app.size, self.app.size)
        await super().on_event(event)

    def get_widget_at(self, x: int, y: int) -> tuple[Widget, Region]:
        try:
            return super().get_widget_at(x, y)
        except NoWidget:
            return self, self.region

    def get_widget_and_offset_at(self, x: int, y: int) -> tuple[Widget | None, Offset | None]:
        """The widget at a place where a text selection may start; never a removed one.

        The compositor keeps a removed widget until the next paint, and Textual 8.2 fails when it asks for
        its container.
        """
        widget, offset = super().get_widget_and_offset_at(x, y)
        return (widget, offset) if widget is not None and widget.is_attached else (None, None)

    def takes(self, event: events.Event) -> bool:
        """Called first with each key, pasted text and mouse event; True if it does nothing else."""
        return False

    # A screen runs its own jobs: they run in threads, and it receives their answers.

    def run(self, work: Callable[[], None]) -> None:
        """Run some work in a thread that lets the screen go first."""

        def behind() -> None:
            if sys.platform == "linux":  # Elsewhere a thread has no priority of its own.
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
            work()

        self.run_worker(behind, thread=True, exit_on_error=False)

    def deliver(self, answer: Callable[[], None]) -> None:
        """Called from a thread: receive an answer here."""
        # A message, since call_from_thread would wait forever if the app has just ended.
        self.post_message(Answer(answer))

    def hand_over(self, what: str, text: str, file: str) -> str:
        """Write a new file, or send it to the person's browser; also from a thread.

        Args:
            what: what the file holds, in a few words.
            text: its content.
            file: its name; in a browser only the last part counts.

        Returns:
            A sentence that says what was done.

        Raises:
            InputError: the file exists already, or cannot be written.
        """
        if self.app.is_web:
            name = os.path.basename(file)
            self.deliver(lambda: self._send(text, name))
            return f"Sent {what} to your browser as {name}."
        write_new(os.path.expanduser(file), text)
        return f"Wrote {what} to {file}."

    def _send(self, text: str, name: str) -> None:
        self.app.deliver_text(io.StringIO(text), save_filename=name)

    def later(self, seconds: float, action: Callable[[], None]) -> Callable[[], None]:
        """Do something later; returns a function that cancels it."""
        return self.set_timer(seconds, action).stop

    def on_answer(self, message: Answer) -> None:
        if self.is_attached:
            message.take_in()


class ArcadeScreen(BaseScreen[None]):
    """A full screen; if the terminal is too small it says so and keeps its state."""

    LEAST: ClassVar[tuple[int, int]] = (60, 20)
    """The smallest usable size in columns and lines."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q", "leave", "Back", tooltip="Leave this screen"),
        Binding("escape", "leave", "Back", show=False, tooltip="Leave this screen"),
        Binding(
            "colon", "app.command_palette", "Commands", show=False, key_display=":", tooltip="Every command"
        ),
        Binding("S", "app.settings", "Settings", show=False, tooltip="Settings: theme, ASCII and more"),
        Binding("tab", "app.focus_next", "Next part", show=False),
        Binding("shift+tab", "app.focus_previous", "Previous part", show=False),
    ]

    # Textual declares these as instance variables.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-tall")]  # noqa: RUF012

    def takes(self, event: events.Event) -> bool:
        pressed = event.key if isinstance(event, events.Key) else ""
        return self.too_small and not isinstance(event, events.MouseEvent) and pressed not in KEYS_UNSEEN

    @property
    def too_small(self) -> bool:
        """Whether the terminal is too small for the screen; then only `KEYS_UNSEEN` work."""
        width, height = self.app.size
        return width < self.LEAST[0] or height < self.LEAST[1]

    def on_resize(self, event: events.Resize) -> None:
        width, height = self.LEAST
        covers = self.query("#too-small")
        if self.too_small:
            has = f"{event.size.width}x{event.size.height}"
            text = f"This screen needs {width}x{height},\nthe terminal has {has}."
            if covers:
                covers.only_one(Static).update(text)
            else:
                self.mount(Static(text, id="too-small"))
        elif covers:
            covers.remove()

    def action_leave(self) -> None:
        self.app.clear_notifications()
        self.dismiss(None)

    def redraw(self) -> None:
        """Redraw everything except boards in other colours or characters."""

    def show_title(self) -> None:
        """Update the title line."""

    def refusal(self, action: str, *parameters: object) -> str | None:
        """Why an action cannot be done now, as a sentence that is empty where nothing need be said.

        Returns:
            None when it can be done; else its key is not offered.
        """
        return None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.refusal(action, *parameters) is None

    def on_key(self, event: events.Key) -> None:
        """Say why a key does nothing now."""
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            _, action, parameters = parse(binding.action)
            refusal = self.refusal(action, *parameters)
            active = self.active_bindings.get(event.key) if refusal else None
            if refusal and not (active and active.enabled):
                self.notify(refusal)

    def commands(self) -> Iterable[SystemCommand]:
        """This screen's entries in the command palette: every action of its own that has a key."""
        possible = {active.binding.action for active in self.active_bindings.values() if active.enabled}
        for _, binding in self._bindings:
            action = binding.action
            # An action may have several keys. The app lists its own actions; moving is not a command.
            if (binding.show or binding.tooltip) and "." not in action and action in possible:
                possible.remove(action)
                words = f"{binding.tooltip or binding.description} ({self.app.get_key_display(binding)})"
                yield SystemCommand(binding.description, words, lambda action=action: self.run_later(action))

    def run_later(self, action: str) -> None:
        """Run an action after the palette has closed."""
        self.call_later(self.run_action, action)

    def help_rules(self) -> str:
        return ""

    def action_help(self) -> None:
        self.post_message(OpenHelp(self))


class Dialog(ModalScreen[Result], BaseScreen[Result]):
    """A dialog over a screen; Escape cancels it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close"),
        Binding("down,right", "app.focus_next", "Next field", show=False),
        Binding("up,left", "app.focus_previous", "Previous field", show=False),
    ]

    # Textual declares it as an instance variable.
    VERTICAL_BREAKPOINTS = [(0, "-least"), (24, "-low"), (34, "-tall")]  # noqa: RUF012

    def on_mount(self) -> None:
        for dialog in self.query(".dialog"):
            dialog.border_subtitle = "[@click=screen.close]Esc closes[/]"

    def action_close(self) -> None:
        self.dismiss(None)

    def complain(self, error: Exception) -> None:
        """Show in the dialog what is wrong with the input."""
        self.query_one(".error", Static).update(str(error))
        self.query_one(".dialog").add_class("-wrong")

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.action_close()

"""The base classes of all screens."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar, cast

from textual import events
from textual.actions import parse
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message_pump import MessagePump
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widgets import Static

from arcade.engines.files import InputError, package_text, write_new
from arcade.engines.registry import AnyGame
from arcade.play.jobs import Jobs
from arcade.play.keymap import KEYLESS, default_key
from arcade.play.keys import Keys
from arcade.services import LAST_SECONDS, PROGRESS_INTERVAL, Services
from arcade.store.file import LOCKED
from arcade.store.store import Store
from arcade.textual_fixes import FixedScreen, Result
from arcade.widgets.glyphs import Glyphs, glyphs_of
from arcade.widgets.keys import KeyFooter, TitleBar

if TYPE_CHECKING:
    from arcade.screens.preview import Preview

Given = TypeVar("Given")

OWN_CSS = Path(__file__).with_name("screens.tcss")
"""The style sheet of all screens except the first ones, which are shown before it is read."""

ENTER = ("enter", "space")
"""Keys that choose a game in the menu and a move on a board."""

ENTER_REST = 0.7
"""Seconds after Enter opened or ended a match before Enter does something else there.

So a key that is pressed twice or held down does only one thing.
"""

SLIM = 60
"""Minimum number of columns for panels beside a board and for cards side by side."""

SEARCH_THREAD_NICENESS = 5
"""Niceness of search threads. They get a third of the screen thread's share if both want a core."""


class Arcade(Protocol):
    """What screens need from the app, in addition to Textual's own interface."""

    services: Services
    opened: str
    """Name of the game that was opened last. The menu puts its cursor on it."""
    entered: float
    """Time of the last Enter or Space, as events give it; 0 if a match has taken it."""

    def change(self, name: str, text: str) -> None: ...

    def show_help(self, screen: ArcadeScreen) -> None: ...

    def preview(self, game: AnyGame, room: Size) -> Preview: ...


def arcade_of(app: App[Any]) -> Arcade:
    return cast(Arcade, app)


def services_of(app: App[Any]) -> Services:
    return arcade_of(app).services


def already_running(work: str, keys: Keys) -> str:
    return f"A {work} is running; {keys.named('stop')} stops it."


def name_of(action: str, parameters: tuple[object, ...]) -> str:
    """Return the name of an action. All actions of a match share one method."""
    return str(parameters[0]) if action == "act" else action


def report(app: App[Any], error: BaseException, failed: str = "") -> None:
    if isinstance(error, InputError):
        failed = ""
    words = str(error) if isinstance(error, InputError | RuntimeError | OSError) else repr(error)
    app.notify(f"{failed}{words}", severity="error", timeout=10)


@contextmanager
def reporting(app: App[Any]) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        report(app, error)


def open_screen(
    app: App[Any],
    screen: FixedScreen[Given],
    done: Callable[[Given], object] = lambda result: None,
    otherwise: Callable[[], object] = lambda: None,
) -> None:
    """Open a screen, unless the same one is already on top.

    `done` gets the result of the screen, and `otherwise` is called if there is none. An InputError that they
    raise is shown.
    """

    def closed(result: Given | None) -> None:
        with reporting(app):
            if result is None:
                otherwise()
            else:
                done(result)

    top = app.screen
    if not (isinstance(top, type(screen)) and top.subject == screen.subject):
        if not screen.is_modal:
            # Notices belong to the screen before.
            app.clear_notifications()
        app.push_screen(screen, closed)


class FrameSequence(Generic[Given]):
    """A sequence of frames, each shown for some seconds unless the sequence is cut short."""

    def __init__(self, node: MessagePump, show: Callable[[], None]) -> None:
        self.left: list[Given] = []
        """The frame on display and those still to come."""
        self._node = node
        self._show = show
        self._timer: Timer | None = None

    def begin(self, frames: Iterable[Given], seconds: float) -> None:
        self.end()
        self.left = list(frames)
        if self.left:
            self._timer = self._node.set_interval(seconds, self.go_on)

    def go_on(self) -> None:
        del self.left[:1]
        if not self.left:
            self.end()
        self._show()

    def end(self) -> bool:
        """Cut the sequence short. Return whether it was running."""
        if self._timer is None:
            return False
        self._timer.stop()
        self._timer = None
        self.left.clear()
        return True


class BaseScreen(FixedScreen[Result]):
    CSS_PATH: ClassVar[Path | None] = OWN_CSS

    # Textual declares these as instance variables.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (SLIM, "-slim"), (80, "-normal"), (100, "-wide")]  # noqa: RUF012

    ASKED: ClassVar[Mapping[str, str]] = {}
    """The name of work that the player requested and that leaving the screen stops, by its group of jobs."""

    @property
    def arcade(self) -> Arcade:
        return arcade_of(self.app)

    @property
    def services(self) -> Services:
        return self.arcade.services

    @property
    def keys(self) -> Keys:
        return self.services.keys

    @property
    def glyphs(self) -> Glyphs:
        return glyphs_of(self.app)

    def open(self, screen: FixedScreen[Given], done: Callable[[Given], object] = lambda result: None) -> None:
        open_screen(self.app, screen, done)

    @cached_property
    def _put_off(self) -> list[Callable[[], object]]:
        return []

    def when_on_top(self, ask: Callable[[], object]) -> None:
        """Ask or show something unasked once no other screen covers this one."""
        if self.is_active:
            ask()
        else:
            self._put_off.append(ask)

    def on_screen_resume(self) -> None:
        put_off = [*self._put_off]
        self._put_off.clear()
        for ask in put_off:
            self.when_on_top(ask)

    @cached_property
    def jobs(self) -> Jobs:
        """The jobs of the screen. They end when done or when the player leaves the screen."""
        return Jobs(self, self.failed, self.services.compiler)

    @property
    def busy(self) -> bool:
        return bool(self.jobs.controls)

    def failed(self, error: BaseException) -> None:
        report(self.app, error)

    @property
    def alive(self) -> bool:
        """True while the screen has all its widgets. Callbacks may arrive during its removal, or later."""
        return self.is_mounted and self.is_attached and self.display

    def on_unmount(self) -> None:
        for group in self.ASKED:
            self.call_off(group, "you left its screen")
        self.jobs.stop()

    def call_off(self, group: str, why: str) -> None:
        """Stop requested work and notify the player. Do nothing if the work is done.
        22C Elsewhere a thread has no priority of its own.
        """
        if group in self.jobs.controls:
            self.jobs.drop(group)
            self.app.notify(f"{self.ASKED[group]} was stopped because {why}.", severity="warning")

    def run(self, work: Callable[[], None]) -> None:
        def behind() -> None:
            if sys.platform == "linux":  # Elsewhere a thread has no priority of its own.
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), SEARCH_THREAD_NICENESS)
            work()

        self.run_worker(behind, thread=True, exit_on_error=False)

    def deliver(self, answer: Callable[[], object]) -> None:
        # Not call_from_thread, which would wait forever if the app has just ended.
        self.call_later(lambda: answer() if self.is_attached else None)

    def save_or_download(self, what: str, text: str, file: str) -> str:
        """Write a new file or send it to the browser, perhaps in a thread. May raise InputError."""
        if self.app.is_web:
            name = os.path.basename(file)
            self.deliver(lambda: self.app.deliver_text(io.StringIO(text), save_filename=name))
            return f"Sent {what} to your browser as {name}."
        write_new(file, text)
        return f"Wrote {what} to {file}."

    def own_store(self, stopped: Callable[[], bool]) -> AbstractContextManager[Store]:
        """Return a store for work in a thread. It waits, with a notice, while the file is locked.

        `stopped` ends the wait.
        """
        told = False

        def wait(seconds: float) -> bool:
            nonlocal told
            if seconds >= PROGRESS_INTERVAL and not told:
                told = True
                words = f"This waits until it can be saved: {LOCKED}."
                self.deliver(lambda: self.notify(words, severity="warning"))
            return seconds < LAST_SECONDS or not stopped()

        return self.services.own_store(wait)

    def copy(self, text: str, told: str) -> None:
        self.app.copy_to_clipboard(text)
        self.notify(told)

    def later(self, seconds: float, action: Callable[[], None]) -> Callable[[], None]:
        return self.set_timer(seconds, action).stop


# For panels beside a board, which keeps the focus.
PANEL_KEYS = (
    Binding("pagedown", "scroll_panels(1)", "Page down", show=False, tooltip="Scroll the panels"),
    Binding("pageup", "scroll_panels(-1)", "Page up", show=False, tooltip="Scroll the panels"),
)


class ArcadeScreen(BaseScreen[None]):
    """A full screen. If the terminal is too small it says so and keeps its state."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(default_key("help"), "help", "Help", id="help"),
        Binding(default_key("leave"), "leave", "Back", tooltip="Leave this screen", id="leave"),
        Binding("escape", "leave", "Back", show=False, tooltip="Leave this screen"),
        Binding(
            default_key("commands"),
            "app.command_palette",
            "Commands",
            show=False,  # The title line has it.
            tooltip="Show all commands",
            id="commands",
        ),
        Binding("tab", "app.focus_next", "Next part", show=False),
        Binding("shift+tab", "app.focus_previous", "Previous part", show=False),
    ]

    MIN_SIZE: ClassVar[tuple[int, int]] = (40, 20)
    """Minimum size in columns and lines."""

    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-tall")]  # noqa: RUF012

    PANELS: ClassVar[str] = ""
    """Selector of the panels that `PANEL_KEYS` scroll."""

    HELP: ClassVar[str] = ""
    """Heading of the screen's section in help.md; empty for none."""

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield from self.body()
        yield KeyFooter(self.in_footer)

    def body(self) -> ComposeResult:
        return ()

    def in_footer(self, binding: Binding) -> bool:
        """Return whether the footer lists an enabled key."""
        return binding.show

    def takes(self, event: events.Event) -> bool:
        if isinstance(event, events.Key) and event.key in (*self.keys.of("leave"), "ctrl+q"):
            return False
        return self.too_small and not isinstance(event, events.MouseEvent)

    @property
    def too_small(self) -> bool:
        width, height = self.app.size
        return width < self.MIN_SIZE[0] or height < self.MIN_SIZE[1]

    def on_resize(self, event: events.Resize) -> None:
        width, height = self.MIN_SIZE
        covers = self.query("#too-small")
        has = f"{event.size.width}x{event.size.height}"
        text = f"This screen needs {width}x{height},\nthe terminal has {has}."
        if not self.too_small:
            covers.remove()
        elif covers:
            covers.only_one(Static).update(text)
        else:
            self.mount(Static(text, id="too-small"))

    def action_leave(self) -> None:
        self.app.clear_notifications()
        self.dismiss(None)

    def show(self) -> None:
        """Bring everything up to date."""

    def redraw(self) -> None:
        """Redraw everything except boards, after a change of colours or characters."""
        self.show()

    def show_title(self) -> None:
        """Update the title line."""

    def refusal(self, action: str) -> str | None:
        """Return why an action is not available now; empty for no message, None if it is available."""
        return None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.refusal(name_of(action, parameters)) is None

    def on_key(self, event: events.Key) -> None:
        for binding in self.own_bindings().key_to_bindings.get(event.key, ()):
            _, action, parameters = parse(binding.action)
            refusal = self.refusal(name_of(action, parameters))
            active = self.active_bindings.get(event.key) if refusal else None
            if refusal and not (active and active.enabled):
                self.notify(refusal, severity="warning")

    def commands(self) -> Iterable[SystemCommand]:
        # The list of commands does not list itself.
        listed = {"command_palette"}
        for node, binding, enabled, _ in self.active_bindings.values():
            # An action may have several keys. The app lists its own actions. Moving is not a command.
            wanted = (binding.show or binding.tooltip) and "." not in binding.action
            if enabled and wanted and binding.action not in listed:
                listed.add(binding.action)
                words = binding.tooltip or binding.description
                if not binding.key.startswith(KEYLESS):
                    words += f" ({self.app.get_key_display(binding)})"
                do = partial(self.call_later, self.app.run_action, binding.action, node)
                yield SystemCommand(binding.description, words, do)

    def help_rules(self) -> str:
        return help_sections()[self.HELP].format(**self.keys.all_named) if self.HELP else ""

    def action_scroll_panels(self, pages: int) -> None:
        panels = self.query_one(self.PANELS)
        panels.scroll_relative(y=pages * panels.size.height, animate=False)

    def action_help(self) -> None:
        self.arcade.show_help(self)


@cache
def help_sections() -> dict[str, str]:
    sections = package_text(__package__, "help.md").split("# ")
    return {section.partition("\n")[0]: f"# {section}" for section in sections[1:]}


class Dialog(ModalScreen[Result], BaseScreen[Result]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Close"),
        Binding("down,right", "app.focus_next", "Next field", show=False),
        Binding("up,left", "app.focus_previous", "Previous field", show=False),
    ]

    VERTICAL_BREAKPOINTS = [(0, "-least"), (24, "-low"), (34, "-tall")]  # noqa: RUF012

    def on_mount(self) -> None:
        for dialog in self.query(".dialog"):
            dialog.border_subtitle = "[@click=screen.close]Esc closes[/]"

    def action_close(self) -> None:
        self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        if event.widget is self:
            self.action_close()

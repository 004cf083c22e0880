"""Base classes of screens and dialogs."""

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
"""Style sheet of all screens except the menu and matches, which appear before it is read."""

ENTER = ("enter", "space")

ENTER_REST = 0.7
"""Seconds for which Enter is ignored after it opened or ended a match, in case the key is held down."""

SLIM = 60
"""Minimum width of the terminal, in columns, to show panels beside a board."""

SEARCH_THREAD_NICENESS = 5
"""Niceness of search threads. On a shared core, they get a third of the screen thread's time."""


class Arcade(Protocol):
    services: Services
    opened: str
    """Name of the game opened last. The menu puts its cursor on this game."""
    entered: float
    """Event time of the last Enter or Space; 0 once a match has accepted a key."""

    def change(self, name: str, text: str) -> None: ...

    def show_help(self, screen: ArcadeScreen) -> None: ...

    def preview(self, game: AnyGame, room: Size) -> Preview: ...


def arcade_of(app: App[Any]) -> Arcade:
    return cast(Arcade, app)


def services_of(app: App[Any]) -> Services:
    return arcade_of(app).services


def already_running(work: str, keys: Keys) -> str:
    return f"The {work} is already running. Press {keys.named('stop')} to stop it."


def name_of(action: str, parameters: tuple[object, ...]) -> str:
    """Return the name of an action. A match action has it as parameter, since one method handles them all."""
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
    """Open a screen unless the same one is on top.

    When the screen closes, call `done` with its result. If there is no result, call `otherwise`.
    If either function raises InputError, show the error.
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
            app.clear_notifications()
        app.push_screen(screen, closed)


class FrameSequence(Generic[Given]):
    def __init__(self, node: MessagePump, show: Callable[[], None]) -> None:
        self.left: list[Given] = []
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
        """Stop the animation. Return True if it was running."""
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
    """Job groups that stop when the player leaves the screen, each with its name as shown to the player."""

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
        return Jobs(self, self.failed, self.services.compiler)

    @property
    def busy(self) -> bool:
        return bool(self.jobs.controls)

    def failed(self, error: BaseException) -> None:
        report(self.app, error)

    @property
    def alive(self) -> bool:
        """True while all widgets exist. Callbacks check this, because they may run after closing."""
        return self.is_mounted and self.is_attached and self.display

    def on_unmount(self) -> None:
        for group in self.ASKED:
            self.call_off(group, "you left its screen")
        self.jobs.stop()

    def call_off(self, group: str, why: str) -> None:
        if group in self.jobs.controls:
            self.jobs.drop(group)
            self.app.notify(f"{self.ASKED[group]} was stopped because {why}.", severity="warning")

    def run(self, work: Callable[[], None]) -> None:
        def behind() -> None:
            if sys.platform == "linux":  # Only Linux has a niceness per thread.
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), SEARCH_THREAD_NICENESS)
            work()

        self.run_worker(behind, thread=True, exit_on_error=False)

    def deliver(self, answer: Callable[[], object]) -> None:
        # call_from_thread would wait forever if the app has just ended.
        self.call_later(lambda: answer() if self.is_attached else None)

    def save_or_download(self, what: str, text: str, file: str) -> str:
        """Write a new file (in a browser: start a download) and return a notice. Can run in any thread.

        Raises InputError if the file cannot be written.
        """
        if self.app.is_web:
            name = os.path.basename(file)
            self.deliver(lambda: self.app.deliver_text(io.StringIO(text), save_filename=name))
            return f"Sent {what} to your browser as {name}."
        write_new(file, text)
        return f"Wrote {what} to {file}."

    def own_store(self, stopped: Callable[[], bool]) -> AbstractContextManager[Store]:
        """Return a store for the calling thread. If the file is locked, the store shows a notice and waits.

        Once `stopped` returns True, the total waiting time is limited to LAST_SECONDS.
        """
        told = False

        def wait(seconds: float) -> bool:
            nonlocal told
            if seconds >= PROGRESS_INTERVAL and not told:
                told = True
                words = f"Waiting to save: {LOCKED}."
                self.deliver(lambda: self.notify(words, severity="warning"))
            return seconds < LAST_SECONDS or not stopped()

        return self.services.own_store(wait)

    def copy(self, text: str, told: str) -> None:
        self.app.copy_to_clipboard(text)
        self.notify(told)

    def later(self, seconds: float, action: Callable[[], None]) -> Callable[[], None]:
        return self.set_timer(seconds, action).stop


PANEL_KEYS = (
    Binding("pagedown", "scroll_panels(1)", "Page down", show=False, tooltip="Scroll the panels"),
    Binding("pageup", "scroll_panels(-1)", "Page up", show=False, tooltip="Scroll the panels"),
)


class ArcadeScreen(BaseScreen[None]):
    """A full-size screen. If the terminal is too small, it shows the size needed and keeps its state."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(default_key("help"), "help", "Help", id="help"),
        Binding(default_key("leave"), "leave", "Back", tooltip="Leave this screen", id="leave"),
        Binding("escape", "leave", "Back", show=False, tooltip="Leave this screen"),
        Binding(
            default_key("commands"),
            "app.command_palette",
            "Commands",
            show=False,  # shown in the title line
            tooltip="Show all commands",
            id="commands",
        ),
        Binding("tab", "app.focus_next", "Next part", show=False),
        Binding("shift+tab", "app.focus_previous", "Previous part", show=False),
    ]

    MIN_SIZE: ClassVar[tuple[int, int]] = (40, 20)
    """Minimum columns and lines of the terminal."""

    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-tall")]  # noqa: RUF012

    PANELS: ClassVar[str] = ""

    HELP: ClassVar[str] = ""
    """Heading of the screen's section in help.md; empty for none."""

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield from self.body()
        yield KeyFooter(self.in_footer)

    def body(self) -> ComposeResult:
        return ()

    def in_footer(self, binding: Binding) -> bool:
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
        text = f"This screen needs {width}x{height}.\nThe terminal has {has}."
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
        pass

    def redraw(self) -> None:
        self.show()

    def show_title(self) -> None:
        pass

    def refusal(self, action: str) -> str | None:
        """Return why an action is unavailable, "" for no message, or None if it is available."""
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
        listed = {"command_palette"}
        for node, binding, enabled, _ in self.active_bindings.values():
            # Skip an action's other keys, the app's own actions, which the app lists, and movement.
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

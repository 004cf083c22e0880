"""The Textual app, which opens screens and applies settings."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.command import DiscoveryHit, Hits
from textual.filter import LineFilter
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen
from textual.system_commands import SystemCommandsProvider
from textual.theme import Theme, ThemeProvider
from textual.widgets import Input

from arcade.engines.registry import AnyGame, installed_games
from arcade.engines.wording import printable
from arcade.play.jobs import Notice
from arcade.play.keymap import keymap
from arcade.play.keys import Keys
from arcade.screens.base import ENTER, ArcadeScreen, open_screen, reporting
from arcade.screens.menu import MenuScreen
from arcade.screens.navigation import (
    ChooseMatch,
    ChoosePuzzles,
    Demonstrate,
    OpenHistory,
    OpenLessons,
    OpenMatch,
    OpenPuzzles,
    OpenRecords,
    OpenSaved,
    OpenTeaching,
    OpenTournament,
    OpenUsual,
    OpenWatched,
)
from arcade.services import Services
from arcade.store.settings import DEFAULT_THEME, SWITCHES
from arcade.textual_fixes import FixedApp, Palette
from arcade.widgets.drawn import Drawn
from arcade.widgets.glyphs import PlainFilter
from arcade.widgets.sixteen import SixteenColours
from arcade.widgets.themes import DARK, THEMES

if TYPE_CHECKING:
    from arcade.play.match import Match
    from arcade.screens.match_opening import MatchOpener
    from arcade.screens.opening import Opener
    from arcade.screens.preview import Preview

NAMED_KEYS = {"enter": "enter", "backspace": "backspace"}
"""Keys shown by name, because their symbols are missing on some keyboards and in some fonts."""

LEFT = 1

ENDING = ("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2")
"""Signals that end the app and restore the terminal."""

MAX_PASTE_LENGTH = 100_000
"""Maximum paste length in characters. A field needs about half a second for a paste of this length."""


class Commands(SystemCommandsProvider):
    async def discover(self) -> Hits:
        for command in self.app.get_system_commands(self.screen):
            yield DiscoveryHit(command.title, command.callback, help=command.help)


class ArcadeApp(FixedApp):
    """The app. It opens the match `opening`, lessons of `learning`, the last unfinished match or the menu."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False),
        Binding("ctrl+l", "repaint", "Repaint", show=False),
    ]

    TITLE = "solver-arcade"
    CSS_PATH = "arcade.tcss"
    COMMAND_PALETTE_BINDING = "ctrl+p"
    COMMANDS = {Commands}  # noqa: RUF012  # Textual declares no ClassVar.

    def __init__(
        self,
        opening: Match | None = None,
        folder: Path | None = None,
        warm: bool = True,
        ascii: bool = False,
        learning: AnyGame | None = None,
    ) -> None:
        super().__init__()
        self.services = Services(folder, warm)
        self.opened = ""
        self.entered = 0.0
        # Other encodings lack the characters of the boards.
        if ascii or not (sys.__stderr__ is None or sys.__stderr__.encoding.lower().startswith("utf")):
            self.services.settings = replace(self.services.settings, ascii=True)
        self._plain, self._sixteen = PlainFilter(), SixteenColours()
        self._said: dict[str, float] = {}
        """Expiry time of each visible notice, in seconds of `time.monotonic`."""
        self.opening = opening
        self.learning = learning
        self.farewell = ""
        """Sentence about unsaved data, printed after the app has closed."""
        for theme in THEMES:
            self.register_theme(theme)
        for name in self.available_themes:
            # The terminal chooses the colours of these themes, so boards cannot mix them.
            if "ansi" in name.split("-"):
                self.unregister_theme(name)
        named = self.services.settings.theme
        self.theme = named if named in self.available_themes else DEFAULT_THEME
        self._calm_down()

    def get_default_screen(self) -> Screen[None]:
        return MenuScreen()

    def run(self, *args: Any, **options: Any) -> Any:
        """Run the app. Raises SystemExit after a crash."""
        # A search thread may delay each key by one interval (5 ms by default).
        sys.setswitchinterval(0.001)
        try:
            returned: Any = super().run(*args, **options)
        finally:
            if self.farewell and sys.stderr is not None:
                sys.stderr.write(f"{printable(self.farewell)}\n")
        if self.return_code:
            raise SystemExit(self.return_code)
        return returned

    def on_mount(self) -> None:
        # On Windows an event loop has no signal handlers.
        with suppress(NotImplementedError):
            for name in ENDING:
                asyncio.get_running_loop().add_signal_handler(signal.Signals[name], self.exit)
        self.theme_changed_signal.subscribe(self, self._theme_changed)
        self.set_keymap(keymap(self.keys))
        self.services.listen(self.tell, self._later)
        if self.opening is not None:
            self.matches.open_match(OpenMatch(self.opening))
        elif self.learning is not None:
            self.opener.open_lessons(OpenLessons(self.learning))
        elif (saved := self.services.last_in_play()) is not None and self.matches.reopen(saved):
            self.notify("Welcome back. Your match continues.")
        self.call_after_refresh(self.services.compiler.start, self._compiler_told)

    def on_unmount(self) -> None:
        self.farewell = self.services.close()

    def _later(self, seconds: float, action: Callable[[], object]) -> None:
        def act() -> None:
            action()
            if isinstance(self.screen, MenuScreen) and not self.services.unsaved:
                self.screen.refresh_recent()

        self.set_timer(seconds, act)

    async def action_quit(self) -> None:
        if self.services.retry():
            self.exit()
            return
        self.opener.confirm_leaving(f"{self.services.unwritten} Leave although not everything is saved?")

    def _compiler_told(self) -> None:
        if self.is_running:
            self.call_from_thread(self._show_warmth)

    def _show_warmth(self) -> None:
        compiler = self.services.compiler
        if compiler.finished:
            self.services.remember(warmed=compiler.fingerprint)
        if isinstance(self.screen, ArcadeScreen):
            self.screen.show_title()

    @property
    def keys(self) -> Keys:
        return self.services.keys

    @property
    def ascii(self) -> bool:
        return self.services.settings.ascii

    @property
    def few_colours(self) -> bool:
        return self.services.settings.calm

    def change(self, name: str, text: str) -> None:
        if not self.services.change(name, text):
            return
        if name == "theme":
            self.theme = text
            return
        self._calm_down()
        self._redraw()

    def _calm_down(self) -> None:
        self.animation_level = "full" if self.services.settings.animated else "none"

    def _theme_changed(self, theme: Theme) -> None:
        self.services.change("theme", theme.name)
        self._redraw()

    def _redraw(self) -> None:
        for screen in self.screen_stack:
            for widget in screen.walk_children():
                widget.notify_style_update()
                widget.refresh()
                if isinstance(widget, Drawn):
                    widget.redraw()
            if isinstance(screen, ArcadeScreen):
                screen.redraw()

    def get_line_filters(self) -> Sequence[LineFilter]:
        filters = [*super().get_line_filters()]
        if self.ascii:
            filters.append(self._plain)
        if self.console.color_system == "standard" and not self.is_headless:
            filters.append(self._sixteen)
        return filters

    def refresh_css(self, animate: bool = True) -> None:
        # Otherwise Textual parses every style twice before the first screen (8 ms).
        if self.screen_stack:
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    def get_theme_variable_defaults(self) -> dict[str, str]:
        theme = self.current_theme
        colours = theme.to_color_system().generate()
        ground, text = Color.parse(colours["background"]), Color.parse(colours["foreground"])
        return {
            "win": theme.success or DARK.variables["win"],
            "loss": theme.error or DARK.variables["loss"],
            "tie": theme.warning or DARK.variables["tie"],
            "faint": ground.blend(text, 0.65).hex,
            "edge": theme.panel or DARK.variables["edge"],
        }

    def notify(self, message: str, **options: Any) -> None:
        """Show a notice, unless it is already visible. Markup is not parsed, as it may be in a file name."""
        now = time.monotonic()
        if self._said.get(message, now) <= now:
            self._said[message] = now + (options.get("timeout") or self.NOTIFICATION_TIMEOUT)
            super().notify(printable(message), **{**options, "markup": False})

    def clear_notifications(self) -> None:
        self._said.clear()
        super().clear_notifications()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if isinstance(event.widget, Input):
            event.widget.cursor_blink = self.animation_level == "full"

    def on_delivery_complete(self, event: events.DeliveryComplete) -> None:
        # Textual's own notice contains markup.
        event.prevent_default()
        if event.path is not None:
            self.notify(f"The picture was saved as {event.path}.")

    def tell(self, notice: Notice) -> None:
        self.notify(notice.text, severity=notice.severity, timeout=notice.seconds)

    async def run_action(self, *action: Any, **options: Any) -> bool:
        with reporting(self):
            return await super().run_action(*action, **options)
        return True

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.MouseDown | events.MouseUp | events.Click) and event.button != LEFT:
            # Terminals and browsers use the other buttons for pasting and menus.
            return
        if isinstance(event, events.Paste) and len(event.text) > MAX_PASTE_LENGTH:
            self.notify(
                f"This text is too long to paste. The limit is {MAX_PASTE_LENGTH:,} characters.",
                severity="warning",
            )
        else:
            if isinstance(event, events.Key) and event.key in ENTER and not event.is_forwarded:
                self.entered = event.time
            await super().on_event(event)

    def action_help_quit(self) -> None:
        self.notify("Press Ctrl+Q to quit. Your matches are saved.")

    @cached_property
    def opener(self) -> Opener:
        from arcade.screens.opening import Opener  # loads all other screens

        return Opener(self, self.matches)

    @cached_property
    def matches(self) -> MatchOpener:
        from arcade.screens.match_opening import MatchOpener  # loads the match screen

        return MatchOpener(self)

    @on(OpenMatch)
    def open_match(self, message: OpenMatch) -> None:
        self.matches.open_match(message)

    @on(OpenUsual)
    def open_usual(self, message: OpenUsual) -> None:
        self.matches.open_usual(message.game)

    @on(OpenWatched)
    def open_watched(self, message: OpenWatched) -> None:
        self.matches.open_watched(message.game)

    @on(OpenSaved)
    def open_saved(self, message: OpenSaved) -> None:
        self.matches.open_saved(message)

    @on(ChooseMatch)
    @on(OpenLessons)
    @on(OpenTeaching)
    @on(ChoosePuzzles)
    @on(OpenPuzzles)
    @on(OpenTournament)
    @on(OpenRecords)
    @on(OpenHistory)
    @on(Demonstrate)
    def open(self, message: Message) -> None:
        self.opener.open(message)

    def preview(self, game: AnyGame, room: Size) -> Preview:
        return self.matches.preview(game, room)

    def show_help(self, screen: ArcadeScreen) -> None:
        self.opener.show_help(screen)

    def action_open_id(self) -> None:
        self.opener.open_id()

    def action_settings(self) -> None:
        self.opener.open_settings()

    def action_command_palette(self) -> None:
        if self.use_command_palette:
            open_screen(self, Palette())

    def search_themes(self) -> None:
        open_screen(self, Palette(providers=[ThemeProvider], placeholder="Search for themes…"))

    def save_picture(self) -> None:
        import platformdirs  # loads platformdirs

        folder = platformdirs.user_downloads_path()
        self.deliver_screenshot(path=str(folder if folder.is_dir() else Path.home()))

    def get_key_display(self, binding: Binding) -> str:
        shown = super().get_key_display(binding)
        if binding.key_display or (len(shown) == 1 and binding.key not in NAMED_KEYS):
            return shown
        shown = NAMED_KEYS.get(binding.key, shown.replace("^", "ctrl+"))
        return "+".join(part.capitalize() for part in shown.split("+"))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        own = list(screen.commands()) if isinstance(screen, ArcadeScreen) else []
        yield from own
        titles = {command.title for command in own}
        yield from (command for command in self.matches.game_commands() if command.title not in titles)
        for game in installed_games():
            choose = partial(self.opener.choose_match, ChooseMatch(game))
            yield SystemCommand(f"Play {game.title}", game.summary, choose)
            if game.teaching.lessons:
                words = "Short lessons with a move to find in each"
                learn = partial(self.opener.open_lessons, OpenLessons(game))
                yield SystemCommand(f"Learn {game.title}", words, learn)
            yield SystemCommand(
                f"Watch {game.title}", "Two engines play", partial(self.matches.open_watched, game)
            )
        yield SystemCommand("Open", "Open a game ID, a position, a match or a file", self.action_open_id)
        yield SystemCommand("Settings", "Theme, calm, ASCII, marks", self.action_settings)
        for name, switch in SWITCHES.items():
            turned = "off" if getattr(self.services.settings, name) else "on"
            words = f"Turn {turned}: {switch.help}"
            yield SystemCommand(f"{switch.title} {turned}", words, partial(self.change, name, turned))
        yield SystemCommand("Theme", "Change the colours", self.action_change_theme)
        yield SystemCommand("Save a picture", "Write the screen as an SVG file", self.save_picture)
        yield SystemCommand("Quit", "Leave the arcade; the match is saved (Ctrl+Q)", self.action_quit)

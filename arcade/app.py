"""The app: its screens, themes, settings, store and kernels."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import RenderableType
from textual import events
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual._context import active_message_pump
from textual.actions import ActionParseResult
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.command import CommandList
from textual.css.query import NoMatches
from textual.dom import DOMNode
from textual.driver import Driver
from textual.filter import LineFilter
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.theme import Theme, ThemeProvider
from textual.widget import Widget
from textual.widgets import OptionList
from textual.worker import NoActiveWorker, WorkerFailed, get_current_worker

from arcade import kiosk, match_file
from arcade.engines.errors import InputError
from arcade.engines.registry import AnyGame, GameID, game_names, installed_games, parse_game_id
from arcade.match import Match
from arcade.painter import Changes, Painter
from arcade.screens.base import ArcadeScreen, BaseScreen, OpenHelp, Result
from arcade.screens.match import MatchScreen
from arcade.screens.menu import COMPARE, MenuScreen
from arcade.screens.palette import Palette
from arcade.screens.patient import PatientApp
from arcade.screens.registry import screen_class
from arcade.screens.requests import (
    ChangeSetting,
    ChooseMatch,
    OpenBout,
    OpenBoxes,
    OpenComparison,
    OpenLaboratory,
    OpenLessons,
    OpenPuzzles,
    OpenSaved,
    OpenTournament,
    PlayPuzzles,
)
from arcade.session.events import Notice
from arcade.session.lesson import Course
from arcade.session.services import BOUT, Services
from arcade.settings import DEFAULT_THEME, SWITCHES
from arcade.store import Saved, SavedAs
from arcade.themes import DARK, THEMES
from arcade.widgets.board import Board
from arcade.widgets.glyphs import PlainFilter
from arcade.words import printable

if TYPE_CHECKING:
    from arcade.puzzles.course import PuzzleChoice

NAMED_KEYS = {"enter": "enter", "backspace": "backspace"}
"""Keys shown by name: their symbols are not on every keyboard or in every font."""

ENDING = ("SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT", "SIGUSR1", "SIGUSR2")
"""Signals that end the arcade as a key does."""

MOST_PASTED = 100_000
"""Most characters pasted at once; a field works half a second on so many."""


class ArcadeApp(PatientApp):
    """The arcade.

    Args:
        opening: the match to open; without one, the match that was on the screen when the program ended, or
            else the menu.
        folder: the store's folder; None for the default.
        warm: whether to compile kernels in the background.
        ascii: whether to draw in plain characters, whatever the setting says.
        learning: the game whose lessons to begin with instead.
        kiosk: whether strangers play: nothing of the host can be reached, and without a folder nothing is
            kept.
    """

    TITLE = "solver-arcade"
    CSS_PATH = "arcade.tcss"
    COMMAND_PALETTE_BINDING = "ctrl+p"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False),
        Binding("ctrl+l", "repaint", "Repaint", show=False),
    ]

    def __init__(
        self,
        opening: Match | None = None,
        folder: Path | None = None,
        warm: bool = True,
        ascii: bool = False,
        learning: AnyGame | None = None,
        kiosk: bool = False,
    ) -> None:
        super().__init__()
        self.kiosk = kiosk
        self.services = Services(folder, warm and not kiosk, in_memory=kiosk and folder is None)
        if ascii:
            self.services.settings = replace(self.services.settings, ascii=True)
        self._painter = Painter()
        self._plain = PlainFilter()
        self._notices: set[str] = set()
        self.opening = opening
        self.learning = learning
        for theme in THEMES:
            self.register_theme(theme)
        for name in self.available_themes:
            # These themes leave their colours to the terminal, so boards cannot use them.
            if name.startswith("ansi"):
                self.unregister_theme(name)
        named = self.services.settings.theme
        self.theme = named if named in self.available_themes else DEFAULT_THEME
        self._calm_down()

    def get_driver_class(self) -> type[Driver]:
        """Our own driver instead of Textual's for Linux and macOS."""
        driver = super().get_driver_class()
        if driver.__name__ == "LinuxDriver":
            from arcade.driver import Driver as OwnDriver

            return OwnDriver
        return driver

    # Settings.

    @property
    def ascii(self) -> bool:
        """Whether to draw in ASCII only."""
        return self.services.settings.ascii

    def save_picture(self) -> None:
        """Write the screen as an SVG file to the folder for downloads, or home where there is none."""
        import platformdirs

        folder = platformdirs.user_downloads_path()
        self.deliver_screenshot(path=str(folder if folder.is_dir() else Path.home()))

    def get_line_filters(self) -> Sequence[LineFilter]:
        """What changes each line before it is shown."""
        filters = super().get_line_filters()
        return [*filters, self._plain] if self.ascii else filters

    def change(self, name: str, text: str) -> None:
        """Change and save a setting, and show its effect."""
        if self.services.change(name, text):
            if name == "theme":
                self.theme = text
            else:
                self._calm_down()
                self._redraw()
                if name == "ascii":
                    # Frames and scroll bars too.
                    for screen in self.screen_stack:
                        for widget in screen.walk_children():
                            widget.notify_style_update()
                            widget.refresh()

    def _calm_down(self) -> None:
        """Let Textual's own widgets move as the settings say."""
        self.animation_level = "full" if self.services.settings.animated else "none"

    def on_change_setting(self, message: ChangeSetting) -> None:
        """A screen wants to change a setting."""
        self.change(message.name, message.text)

    def _theme_changed(self, theme: Theme) -> None:
        self.services.change("theme", theme.name)
        self._redraw()

    def _redraw(self) -> None:
        """Redraw the boards in other colours or characters."""
        for screen in self.screen_stack:
            for board in screen.query(Board):
                board.redraw()
            if isinstance(screen, ArcadeScreen):
                screen.redraw()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The arcade's meaningful colours, for themes other than our own."""
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

    @property
    def local(self) -> bool:
        """Whether the terminal is this machine's own: neither a browser nor a remote login."""
        return not self.is_web and "SSH_CONNECTION" not in os.environ

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        """Write to the terminal the cells that an update changes."""
        drawn: Any = renderable
        if isinstance(renderable, LayoutUpdate | ChopsUpdate):
            drawn = Changes(self._painter, renderable, self.services.settings.calm)
        super()._display(screen, drawn)

    def action_repaint(self) -> None:
        """Write the whole screen anew, e.g. after another program has written over it."""
        self._painter.forget()
        self.refresh(layout=True)

    # Starting and ending.

    def get_default_screen(self) -> Screen[None]:
        """The menu is at the bottom of the stack."""
        return MenuScreen()

    @property
    def _background_screens(self) -> list[Screen[Any]]:
        """The screens visible behind the top one; none behind a full screen, unlike in Textual."""
        return [] if self.screen.styles.background.a == 1 else super()._background_screens

    def on_mount(self) -> None:
        """Open the first screen; compile kernels after the first paint."""
        self.theme_changed_signal.subscribe(self, self._theme_changed)
        self.app_resume_signal.subscribe(self, lambda _: self.action_repaint())
        # Restore the terminal when the program is told to end. On Windows a loop hears no signals.
        with suppress(NotImplementedError):
            for name in ENDING:
                asyncio.get_running_loop().add_signal_handler(signal.Signals[name], self.exit)
        self.services.listen(self.tell)
        if self.kiosk:
            self.set_interval(kiosk.LOOK_SECONDS, self._watch_visit)
        if self.opening is not None:
            self.open_match(self.opening)
        elif self.learning is not None:
            self.learn(self.learning)
        else:
            in_play = self.services.last_in_play()
            if in_play is not None:
                self.open_saved(in_play)
                self.notify("Welcome back to your match.")
        self.call_after_refresh(self.services.warmer.start, self._warmer_told)

    def _watch_visit(self) -> None:
        """End a stranger's visit that has used its processor time."""
        if kiosk.time_is_up():
            self.exit(message="Your visit has used its processor time. Thank you for playing.")

    def run(self, *args: Any, **options: Any) -> Any:
        """Run the arcade; the arguments are Textual's.

        Raises:
            SystemExit: the arcade crashed; the traceback has been printed.
        """
        # Searches take the interpreter for as long as this when a key needs it.
        sys.setswitchinterval(0.001)
        returned: Any = super().run(*args, **options)
        # Keys typed after the one that ended the arcade are signals again.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        if self.return_code:
            raise SystemExit(self.return_code)
        return returned

    def _handle_exception(self, error: Exception) -> None:
        """End with a traceback, but ignore an error in a widget or screen that is being removed.

        When the app is ending, all are: what is still under way may look for one that has gone.
        """
        if not (self._exit and isinstance(error, NoMatches)) and not self._is_leaving(error):
            super()._handle_exception(error)

    def _is_leaving(self, error: Exception) -> bool:
        """Whether an error comes from a removed widget or screen."""
        try:
            failed = isinstance(error, WorkerFailed)
            node = get_current_worker().node if failed else active_message_pump.get()
        except (LookupError, NoActiveWorker):
            return False
        if not isinstance(node, Widget):
            return False
        return node._pruning or not node.is_attached or node.screen not in self.screen_stack

    def on_unmount(self) -> None:
        """Stop everything."""
        self.services.close()

    def _warmer_told(self) -> None:
        if self.is_running:
            self.call_from_thread(self._show_warmth)

    def _show_warmth(self) -> None:
        warmer = self.services.warmer
        if warmer.finished:
            self.services.remember(warmed=warmer.fingerprint)
        if isinstance(self.screen, ArcadeScreen):
            self.screen.show_title()

    # Notices.

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Show a notice; the same notice is not shown twice at once.

        It may contain text from a person or a file, so it is never read as markup, and nothing in it can
        control the terminal.
        """
        message = printable(message)
        if message in self._notices:
            self.clear_notifications()
            self._notices.clear()
        self._notices.add(message)
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=False)

    def tell(self, notice: Notice) -> None:
        """Show a notice from a service."""
        self.notify(notice.text, severity=notice.severity, timeout=notice.seconds)

    # Other screens.

    def open(self, screen: Screen[Result], callback: Callable[[Result | None], None] | None = None) -> None:
        """Open a screen on top; see `BaseScreen.open`."""
        if isinstance(self.screen, BaseScreen):
            self.screen.open(screen, callback)

    def choose_match(self, game: AnyGame, like: Match | None = None) -> None:
        """Ask for the parameters and seats of a new match, then start it."""
        from arcade.screens.new_match import NewMatchDialog

        def chosen(match: Match | None) -> None:
            if match is not None:
                self.services.remember_seats(match)
                self.open_match(match)

        self.open(NewMatchDialog(game, like), chosen)

    def on_choose_match(self, message: ChooseMatch) -> None:
        """A screen wants a new match."""
        self.choose_match(message.game, message.like)

    def open_match(self, match: Match, saved: SavedAs | None = None, watch: bool = False) -> None:
        """Play a match; it replaces the one on the screen.

        Args:
            match: the match.
            saved: which row of the store it is, if it is there already.
            watch: whether to show the match, which is finished, from its first move.
        """
        match.guests = self.services.machines
        screen = self.screen
        if not isinstance(screen, MatchScreen):
            opened = screen_class(match.game.name)(self.services, match, saved)
            opened.replays = watch
            self.push_screen(opened)
        elif saved is not None:
            # A second click on a match in the list.
            return
        elif screen.match.game is match.game:
            screen.session.begin(match)
        else:
            self.services.remember(in_play="")
            self.switch_screen(screen_class(match.game.name)(self.services, match))

    def open_saved(self, saved: Saved) -> None:
        """Continue a saved match."""
        try:
            match = Match.from_record(saved.record, self.services.machines)
        except InputError as error:
            self.notify(str(error), severity="error", timeout=10)
            return
        self.open_match(match, (saved.id, saved.revision))

    def on_open_bout(self, message: OpenBout) -> None:
        """A screen wants a match of a tournament."""
        self.open_match(Match.from_record(message.record, self.services.machines), BOUT, message.watch)

    def on_open_tournament(self, message: OpenTournament) -> None:
        """A screen wants a tournament."""
        from arcade.screens.tournament import TournamentScreen

        self.open(TournamentScreen(message.game))

    def on_open_comparison(self, message: OpenComparison) -> None:
        """A screen wants methods compared."""
        self.compare(message.game)

    def compare(self, game: AnyGame) -> None:
        """Open the comparison of methods."""
        from arcade.screens.comparison import ComparisonScreen

        self.open(ComparisonScreen(game))

    def on_open_saved(self, message: OpenSaved) -> None:
        """A screen wants a saved match."""
        self.open_saved(message.saved)

    def learn(self, game: AnyGame) -> None:
        """Open the lessons of a game; after the last one a match can be chosen."""
        from arcade.screens.lesson import LessonScreen

        try:
            course = Course(game, self.services.learned(game.name))
        except InputError as error:
            self.notify(str(error), severity="error", timeout=10)
            return
        screen = LessonScreen(course)
        self.open(screen, lambda _: self.choose_match(game) if screen.ended else None)

    def on_open_lessons(self, message: OpenLessons) -> None:
        """A screen asks for the lessons of a game."""
        self.learn(message.game)

    def on_open_puzzles(self, message: OpenPuzzles) -> None:
        """A screen asks for the puzzles of a game."""
        from arcade.screens.puzzles import PuzzlesDialog

        self.open(PuzzlesDialog(message.game), lambda choice: self.play_puzzles(choice) if choice else None)

    def on_play_puzzles(self, message: PlayPuzzles) -> None:
        """A screen asks for a round of puzzles."""
        self.play_puzzles(message.choice)

    def play_puzzles(self, choice: PuzzleChoice) -> None:
        """Begin a round of puzzles, in place of the one on show."""
        from arcade.screens.puzzles import PuzzleScreen

        screen = PuzzleScreen(self.services.puzzle_round(choice))
        if isinstance(self.screen, PuzzleScreen):
            self.switch_screen(screen)
        else:
            self.open(screen)

    def on_open_help(self, message: OpenHelp) -> None:
        """A screen wants its help."""
        # Markdown is slow to import and not needed for the first paint.
        from arcade.screens.help import HelpScreen

        self.open(HelpScreen.for_screen(message.screen, message.screen.help_rules()))

    def on_open_boxes(self, message: OpenBoxes) -> None:
        """A screen wants all boxes of a machine."""
        from arcade.screens.wall import WallScreen

        wall = WallScreen(message.game, message.name, message.in_play, message.machine)
        self.open(wall, lambda _: message.closed() if message.closed else None)

    def on_open_laboratory(self, message: OpenLaboratory) -> None:
        """A screen wants the laboratory."""
        from arcade.screens.laboratory import LaboratoryScreen

        laboratory = LaboratoryScreen(message.game, message.name)
        self.open(laboratory, lambda _: message.closed() if message.closed else None)

    # Commands.

    def action_open_id(self) -> None:
        """Open a game ID, a position of the game on the screen, a match file, or a match as copied."""
        from arcade.screens.game_fields import MOST_SEED
        from arcade.screens.prompt import Prompt

        screen = self.screen
        game = screen.match.game if isinstance(screen, MatchScreen) else None

        def read(text: str) -> Match:
            if text.startswith(match_file.OPENING):
                return match_file.load(text, self.services.machines)
            if match_file.is_name(text):
                return match_file.read_file(text, self.services.machines)
            start = self._read_id(text, game)
            seed = secrets.randbelow(MOST_SEED) if start.seed is None else None
            seats = self.services.offered_seats(start.game, start.parameters)
            return Match(start, seats, self.services.machines, seed)

        def typed(text: str | None) -> None:
            if text:
                self.open_match(read(text))

        self.open(Prompt("Game ID, position, match or file", "for example chocobar:8x10", read), typed)

    @staticmethod
    def _read_id(text: str, game: AnyGame | None) -> GameID:
        name = text.partition(":")[0].partition("#")[0]
        if game is None or name in game_names():
            return parse_game_id(text)
        position = game.parse_position(text)
        return GameID(game, game.parameters_of(position), position.text())

    async def on_event(self, event: events.Event) -> None:
        """Receive an event; too long a text is not pasted, and a change of size has the whole screen written.

        Textual waits with a timer before it tells the screens; in a busy app it may never fire, and then no
        size is told any more. Without the timer they are told when no message is left.
        """
        if isinstance(event, events.Paste) and len(event.text) > MOST_PASTED:
            self.notify(f"This is too long to paste: at most {MOST_PASTED:,} characters.", severity="warning")
            return
        if isinstance(event, events.Resize):
            self._painter.forget()
        await super().on_event(event)
        if isinstance(event, events.Resize) and self._resize_timer is not None:
            self._resize_timer.stop()
            self._resize_timer = None

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action; show the message of an InputError.

        Textual fails when a list without room for a line turns a page, so ignore that.
        """
        if "page_" in str(action):
            lists = [self.focused] if isinstance(self.focused, OptionList) else self.screen.query(CommandList)
            if any(not each.scrollable_content_region for each in lists):
                return True
        try:
            return await super().run_action(action, default_namespace, namespaces)
        except InputError as error:
            self.notify(str(error), severity="error", timeout=10)
            return True

    @property
    def _sends_files(self) -> bool:
        """Whether a picture has somewhere to go: a browser, or a folder of the player's own."""
        return not self.kiosk or bool(self._driver and self._driver.is_web)

    def action_suspend_process(self) -> None:
        """Ctrl+Z: back to the shell, which a stranger does not get."""
        if not self.kiosk:
            super().action_suspend_process()

    def action_help_quit(self) -> None:
        """Ctrl+C: show which key leaves the arcade."""
        self.notify("Ctrl+Q leaves the arcade; the match is saved.")

    def on_delivery_complete(self, event: events.DeliveryComplete) -> None:
        """A picture of the screen has been saved; a browser itself says what it has got."""
        # Textual's own notice has markup in it.
        event.prevent_default()
        if event.path is not None:
            self.notify(f"The picture was saved as {event.path}.")

    def action_command_palette(self) -> None:
        """Open the list of commands, without Textual's id, which a closing one may still hold."""
        if self.use_command_palette:
            self.open(Palette())

    def search_themes(self) -> None:
        """Open the list of themes."""
        self.open(Palette(providers=[ThemeProvider], placeholder="Search for themes…"))

    def action_settings(self) -> None:
        """Open the settings."""
        from arcade.screens.settings import SettingsScreen

        self.open(SettingsScreen())

    def _rooms(self, game: AnyGame) -> Iterable[SystemCommand]:
        """The screens that can be opened from anywhere: the machines' and, for a game, the methods'."""
        yield SystemCommand("Compare", COMPARE, lambda: self.compare(game))
        yield SystemCommand(
            "Lab",
            "Train machines of matchboxes",
            lambda: self.post_message(OpenLaboratory("menace")),
        )
        yield SystemCommand(
            "Boxes",
            "Show all boxes of a machine of matchboxes",
            lambda: self.post_message(OpenBoxes("menace")),
        )

    def get_key_display(self, binding: Binding) -> str:
        """A key as labelled on a keyboard, e.g. "Ctrl+Q" and "Esc"."""
        shown = super().get_key_display(binding)
        if binding.key_display or (len(shown) == 1 and binding.key not in NAMED_KEYS):
            return shown
        shown = NAMED_KEYS.get(binding.key, shown.replace("^", "ctrl+"))
        return "+".join(part.capitalize() for part in shown.split("+"))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """All commands, for the command palette."""
        own = list(screen.commands()) if isinstance(screen, ArcadeScreen) else []
        yield from own
        game = screen.match.game if isinstance(screen, MatchScreen) else installed_games()[0]
        for command in self._rooms(game):
            if all(command.title != each.title for each in own):
                yield command
        for game in installed_games():
            yield SystemCommand(f"Play {game.title}", game.summary, lambda game=game: self.choose_match(game))
            if game.lessons:
                yield SystemCommand(
                    f"Learn {game.title}",
                    "Short lessons, a move to find in each",
                    lambda game=game: self.learn(game),
                )
        yield SystemCommand("Open", "Open a game ID, a position, a match or a file (o)", self.action_open_id)
        yield SystemCommand("Settings", "Theme, calm, ASCII, marks (S)", self.action_settings)
        for name, switch in SWITCHES.items():
            turned = "off" if getattr(self.services.settings, name) else "on"
            yield SystemCommand(
                f"{switch.title} {turned}",
                f"Turn {turned}: {switch.help}",
                lambda name=name, turned=turned: self.change(name, turned),
            )
        yield SystemCommand("Theme", "Change the colours", self.action_change_theme)
        if self._sends_files:
            yield SystemCommand("Save a picture", "Write the screen as an SVG file", self.save_picture)
        yield SystemCommand("Quit", "Leave the arcade; the match is saved (Ctrl+Q)", self.action_quit)

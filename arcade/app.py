"""The app: its screens, themes, settings, store and kernels."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.actions import ActionParseResult
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.command import CommandList
from textual.dom import DOMNode
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.theme import Theme, ThemeProvider
from textual.widgets import OptionList

from arcade.engines.game import InputError
from arcade.engines.registry import AnyGame, GameID, game_names, installed_games, parse_game_id
from arcade.match import Match
from arcade.screens.base import ArcadeScreen, Result
from arcade.screens.match import MatchScreen
from arcade.screens.menu import MenuScreen
from arcade.screens.palette import Palette
from arcade.screens.registry import screen_class
from arcade.settings import DEFAULT_THEME, DEFAULTS, PLAYED, SWITCHES
from arcade.store import Saved, Store, StoreError, open_store
from arcade.themes import DARK, THEMES
from arcade.warmer import Warmer
from arcade.widgets.board import Board
from arcade.widgets.glyphs import ASCII, UNICODE, Glyphs

if TYPE_CHECKING:
    from arcade.machines import Lesson, Machines

SavedAs = tuple[int, int]
"""Id and revision of a match in the store."""

IN_PLAY = "in_play"
"""The setting that holds the id of the match on the screen, "" for none."""
WARMED = "warmed"
"""The setting that holds the fingerprint of the compiled kernels."""


NAMED_KEYS = {"enter": "enter", "backspace": "backspace"}
"""Keys that go by their names: their signs are not on every keyboard, nor in every font."""


class ArcadeApp(App[None]):
    """The arcade.

    Args:
        opening: a match to begin with; without one the match that was on the screen when the program
            was ended, else the menu.
        folder: where the store is; None for the usual place.
        warm: whether to compile kernels in the background.
        ascii: whether to draw boards in plain characters, whatever the setting says.
    """

    TITLE = "solver-arcade"
    CSS_PATH = "arcade.tcss"
    COMMAND_PALETTE_BINDING = "ctrl+p"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False),
    ]

    def __init__(
        self, opening: Match | None = None, folder: Path | None = None, warm: bool = True, ascii: bool = False
    ) -> None:
        super().__init__()
        self.trouble = ""
        try:
            self.store = open_store(folder)
            self.settings = DEFAULTS | self.store.settings()
        except StoreError as error:
            self.trouble = f"{error} This session will not be saved."
            self.store = Store.in_memory()
            self.settings = dict(DEFAULTS)
        if ascii:
            self.settings["ascii"] = "on"
        self.alone = self.store.claim()
        """Whether no other arcade is open on the same store."""
        self._notices: set[str] = set()
        self.opening = opening
        self.warmer = Warmer(self.settings.get(WARMED, "") if warm else None, self._warmer_told)
        for theme in THEMES:
            self.register_theme(theme)
        for name in self.available_themes:
            # These leave their colours to the terminal, so no board can be drawn in them.
            if name.startswith("ansi"):
                self.unregister_theme(name)
        named = self.settings["theme"]
        self.theme = named if named in self.available_themes else DEFAULT_THEME

    @cached_property
    def machines(self) -> Machines:
        """The guests of all matches."""
        # Here and not above: the menu is painted before machines are needed.
        from arcade.machines import Machines

        return Machines(lambda: self.store)

    # Settings.

    @property
    def animation(self) -> bool:
        """Whether things may move, and engines take a moment to answer."""
        return self.settings["animation"] == "on"

    @property
    def ascii(self) -> bool:
        """Whether boards keep to ASCII."""
        return self.settings["ascii"] == "on"

    @property
    def marks(self) -> bool:
        """Whether the list of moves says what each was worth."""
        return self.settings["marks"] == "on"

    @property
    def glyphs(self) -> Glyphs:
        """The characters to draw with."""
        return ASCII if self.ascii else UNICODE

    def knows(self, game: str) -> bool:
        """Whether a person here has made a move in a game before."""
        return game in self.settings.get(PLAYED, "").split()

    def learned_game(self, game: str) -> None:
        """A person has found out how to move in a game: nobody needs to be told again."""
        if not self.knows(game):
            self.settings[PLAYED] = f"{self.settings.get(PLAYED, '')} {game}".strip()
            self._keep(PLAYED, self.settings[PLAYED])

    def change(self, name: str, value: str) -> None:
        """Change a setting, keep it, and show the difference."""
        if self.settings.get(name) == value:
            return
        self.settings[name] = value
        self._keep(name, value)
        if name == "theme":
            self.theme = value
        else:
            self._redraw()

    def _theme_changed(self, theme: Theme) -> None:
        self.settings["theme"] = theme.name
        self._keep("theme", theme.name)
        self._redraw()

    def _redraw(self) -> None:
        """Draw the boards anew, in other colours or characters."""
        for screen in self.screen_stack:
            for board in screen.query(Board):
                board.redraw()
            if isinstance(screen, ArcadeScreen):
                screen.redraw()

    def _keep(self, name: str, value: str) -> None:
        try:
            self.store.set(name, value)
        except StoreError as error:
            self._complain(error)

    def _complain(self, error: StoreError) -> None:
        """Say once that saving fails; the match goes on."""
        if self.trouble != str(error):
            self.trouble = str(error)
            self.notify(f"{error} The match goes on unsaved.", severity="error", timeout=10)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The colours that mean something in the arcade, for themes that are not our own."""
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

    # Starting and ending.

    def get_default_screen(self) -> Screen[None]:
        """The menu lies under everything."""
        return MenuScreen()

    def on_mount(self) -> None:
        """Open what there is to open; the kernels come after the first paint."""
        self.theme_changed_signal.subscribe(self, self._theme_changed)
        if os.name != "nt":
            # Whoever asks the program to end gets the terminal back as it was.
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, self.exit)
        if self.trouble:
            self.notify(self.trouble, severity="error", timeout=15)
        if self.opening is not None:
            self.open_match(self.opening)
        else:
            self._resume()
        self.call_after_refresh(self.warmer.start)

    def _resume(self) -> None:
        id = self.settings.get(IN_PLAY, "")
        if not self.alone:
            return
        saved = next((each for each in self.recent_matches() if str(each.id) == id), None)
        if saved is not None and saved.result is None:
            self.open_saved(saved)
            self.notify("Here is the match you were in.")

    def on_unmount(self) -> None:
        """Leave nothing running."""
        self.warmer.stop()
        self.store.close()

    def _warmer_told(self) -> None:
        if self.is_running:
            self.call_from_thread(self._show_warmth)

    def _show_warmth(self) -> None:
        if self.warmer.finished:
            self._keep(WARMED, self.warmer.fingerprint)
        if isinstance(self.screen, MatchScreen | MenuScreen):
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
        """Say something beside the screen; said again it does not stand there twice.

        It is never read as markup, because it may repeat what a person has typed.
        """
        if message in self._notices:
            self.clear_notifications()
            self._notices.clear()
        self._notices.add(message)
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=False)

    def open(self, screen: Screen[Result], callback: Callable[[Result | None], None] | None = None) -> None:
        """Open a screen over the one on top, unless that is such a screen: a second click opens nothing more.

        Args:
            screen: what to open.
            callback: called with its result when it is closed.
        """
        if type(self.screen) is not type(screen):
            self.push_screen(screen, callback)

    # Matches.

    def choose_match(self, game: AnyGame, like: Match | None = None) -> None:
        """Ask for the parameters and seats of a new match, then begin it."""
        from arcade.screens.new_match import NewMatchDialog

        def chosen(match: Match | None) -> None:
            if match is not None:
                self.open_match(match)

        self.open(NewMatchDialog(game, like), chosen)

    def open_match(self, match: Match, saved: SavedAs | None = None) -> None:
        """Play a match; a new one of the game that is on the screen takes the place of that."""
        match.guests = self.machines
        screen = self.screen
        if saved is None and isinstance(screen, MatchScreen) and screen.match.game is match.game:
            screen.begin(match)
        else:
            self.open(screen_class(match.game.name)(match, saved))

    def open_saved(self, saved: Saved) -> None:
        """Go on with a saved match."""
        try:
            match = Match.from_record(saved.record, self.machines)
        except InputError as error:
            self.notify(str(error), severity="error", timeout=10)
            return
        self.open_match(match, (saved.id, saved.revision))

    def save_match(self, match: Match, saved: SavedAs | None) -> tuple[SavedAs | None, list[Lesson]]:
        """Commit a match before its last move is shown, and with it what machines learn when it is over."""
        from arcade.machines import kept_text

        taught = match.taught
        try:
            # Together: another arcade's lesson of the same machine comes before or after, and both count.
            with self.store.together():
                lessons = self._lessons(match)
                id, revision = saved or (None, 0)
                written = self.store.save_match(match.record(), id, revision, kept_text(lessons))
                if saved is None or written[0] != saved[0]:
                    self.store.set(IN_PLAY, str(written[0]))
        except StoreError as error:
            match.taught = taught
            self._complain(error)
            return saved, []
        return written, lessons

    def _lessons(self, match: Match) -> list[Lesson]:
        """What the machines in the seats of a match that is over learn from it; each match teaches once."""
        try:
            lessons = self.machines.learn(match)
        except StoreError:
            raise
        except InputError as error:
            self.notify(str(error), severity="error", timeout=10)
            return []
        match.taught = match.taught or bool(lessons)
        return lessons

    def left_match(self) -> None:
        """The match was left for the menu: the next start begins there."""
        self._keep(IN_PLAY, "")

    def recent_matches(self) -> list[Saved]:
        """The matches played last."""
        try:
            return self.store.matches()
        except StoreError as error:
            self._complain(error)
            return []

    def tally(self) -> dict[str, dict[str, int]]:
        """Finished matches of a person against engines, by game and result."""
        try:
            return self.store.tally()
        except StoreError as error:
            self._complain(error)
            return {}

    # Commands.

    def action_open_id(self) -> None:
        """Begin a match from a game ID, or from a position of the game on the screen."""
        from arcade.screens.new_match import MOST_SEED
        from arcade.screens.prompt import Prompt

        screen = self.screen
        game = screen.match.game if isinstance(screen, MatchScreen) else None

        def read(text: str) -> Match:
            start = self._read_id(text, game)
            return Match(start, guests=self.machines, seed=secrets.randbelow(MOST_SEED))

        def typed(text: str | None) -> None:
            if text:
                self.open_match(read(text))

        self.open(Prompt("Game ID or position", "for example chocobar:8x10", read), typed)

    @staticmethod
    def _read_id(text: str, game: AnyGame | None) -> GameID:
        name = text.partition(":")[0].partition("#")[0]
        if game is None or name in game_names():
            return parse_game_id(text)
        position = game.parse_position(text)
        return GameID(game, game.parameters_of(position), position.text())

    async def on_event(self, event: events.Event) -> None:
        """Take an event; but no key that comes in while the arcade ends, when there is no screen for it."""
        if self.screen_stack or not isinstance(event, events.InputEvent):
            await super().on_event(event)

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action; but a list turns no pages that has no room for a line yet, where Textual's fails."""
        if "page_" in str(action):
            lists = [self.focused] if isinstance(self.focused, OptionList) else self.screen.query(CommandList)
            if any(not each.scrollable_content_region for each in lists):
                return True
        return await super().run_action(action, default_namespace, namespaces)

    def action_command_palette(self) -> None:
        """Open the list of commands. Textual's own has an id, which one that is closing still holds."""
        if self.use_command_palette:
            self.open(Palette())

    def search_themes(self) -> None:
        """Open the list of themes."""
        self.open(Palette(providers=[ThemeProvider], placeholder="Search for themes…"))

    def action_settings(self) -> None:
        """Open the settings."""
        from arcade.screens.settings import SettingsScreen

        self.open(SettingsScreen())

    def _rooms(self) -> Iterable[SystemCommand]:
        """The screens of the machines, which can be opened from anywhere."""
        from arcade.screens.laboratory import LaboratoryScreen
        from arcade.screens.wall import WallScreen

        yield SystemCommand(
            "Lab", "Train machines of matchboxes", lambda: self.open(LaboratoryScreen("menace"))
        )
        yield SystemCommand(
            "Boxes", "All boxes of a machine of matchboxes", lambda: self.open(WallScreen("menace"))
        )

    def get_key_display(self, binding: Binding) -> str:
        """A key as it stands on a keyboard, e.g. "Ctrl+Q" and "Esc"."""
        shown = super().get_key_display(binding)
        if binding.key_display or (len(shown) == 1 and binding.key not in NAMED_KEYS):
            return shown
        shown = NAMED_KEYS.get(binding.key, shown.replace("^", "ctrl+"))
        return "+".join(part.capitalize() for part in shown.split("+"))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Everything that can be done, for the command palette."""
        own = list(screen.commands()) if isinstance(screen, ArcadeScreen) else []
        yield from own
        for command in self._rooms():
            if all(command.title != each.title for each in own):
                yield command
        for game in installed_games():
            yield SystemCommand(f"Play {game.title}", game.summary, lambda game=game: self.choose_match(game))
        yield SystemCommand("Open", "Open a game ID or a pasted position (o)", self.action_open_id)
        yield SystemCommand("Settings", "Theme, animation, ASCII, marks (S)", self.action_settings)
        for name, switch in SWITCHES.items():
            turned = "off" if self.settings[name] == "on" else "on"
            yield SystemCommand(
                f"{switch.title} {turned}",
                f"Turn {turned}: {switch.help}",
                lambda name=name, turned=turned: self.change(name, turned),
            )
        yield SystemCommand("Theme", "Change the colours", self.action_change_theme)
        yield SystemCommand("Save a picture", "Write the screen as an SVG file", self.deliver_screenshot)
        yield SystemCommand("Quit", "Leave the arcade; the match is kept (Ctrl+Q)", self.action_quit)

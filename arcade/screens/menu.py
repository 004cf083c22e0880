"""The menu: a card for each game, and the latest matches."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.timer import Timer
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from arcade.engines.files import InputError
from arcade.engines.registry import (
    ORDER,
    AnyGame,
    game_names,
    get_game,
    installed_games,
    is_listed,
    listed_games,
    menu_words,
)
from arcade.engines.wording import capitalize, spelled_quantity
from arcade.play.keymap import default_key
from arcade.screens.base import SLIM, ArcadeScreen, arcade_of
from arcade.screens.navigation import (
    ChooseMatch,
    ChoosePuzzles,
    Demonstrate,
    OpenHistory,
    OpenLessons,
    OpenRecords,
    OpenSaved,
    OpenTournament,
    OpenUsual,
    OpenWatched,
)
from arcade.services import Services
from arcade.store.queries import MatchSummary
from arcade.store.store import Saved
from arcade.widgets.glyphs import glyphs_of
from arcade.widgets.keys import KeyFooter, TitleBar, keys_of

if TYPE_CHECKING:
    from arcade.screens.preview import Preview

PREVIEW_INTERVAL = 0.6

PREVIEW_STEPS = 12

BORDER_COLUMNS = 6
"""Columns of a border that its title cannot use: a corner, a dash and a space on each side."""

COLUMNS, ROWS = 3, 2

IDLE_SECONDS = 60.0

LEAVE_SECONDS = 3.0
"""Seconds within which a second press quits."""


class RecentMatches(OptionList):
    def __init__(self, id: str) -> None:
        super().__init__(id=id, markup=False)
        self.border_title = "Last matches"
        self.border_subtitle = f"[@click=screen.history]{keys_of(self.app).named('search')} history[/]"
        self._saved: tuple[MatchSummary, ...] = ()

    def show(self, saved: Iterable[Saved]) -> None:
        self._saved = tuple(MatchSummary.of(match.id, match.record, match.updated) for match in saved)
        self._write()

    def on_resize(self, event: events.Resize) -> None:
        self._write()

    def action_cursor_up(self) -> None:
        if self.highlighted:
            super().action_cursor_up()
        elif isinstance(self.screen, MenuScreen):
            self.screen.action_climb(-1)

    def _write(self) -> None:
        chosen = self.highlighted
        self.clear_options()
        if not self._saved:
            self.add_option(
                Option(
                    "No matches yet. Choose a game with the arrow keys and press Enter, or click it.",
                    disabled=True,
                )
            )
            return
        room = self.scrollable_content_region.width - 2
        now = time.time()
        lines = [(match.headline, f"{match.opponents}, {match.saved_when(now)}") for match in self._saved]
        broad = all(len(left) + len(right) + 2 <= room for left, right in lines)
        for match, (left, right) in zip(self._saved, lines, strict=True):
            between = " " * (room - len(left) - len(right)) if broad else "\n "
            prompt = Content.assemble(left, between, (right, "dim"))
            self.add_option(Option(prompt, id=str(match.id)))
        # Otherwise Enter would do nothing before an arrow key was pressed.
        self.highlighted = min(chosen or 0, len(lines) - 1)


def _linked(words: Mapping[str, str], between: str = "") -> str:
    return between.join(f"[@click={name}]{word}[/]" for name, word in words.items())


class Card(Vertical, can_focus=True):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space", "open", "Play", key_display="Enter"),
        Binding(
            default_key("new"), "choose", "New", tooltip="Choose board and players of a new match", id="new"
        ),
        Binding(
            default_key("puzzles"),
            "puzzles",
            "Puzzles",
            tooltip="Puzzles: find the only good move; one each day",
            id="puzzles",
        ),
        Binding(
            default_key("learn"),
            "learn",
            "Learn",
            tooltip="Learn: short lessons, a move to find in each",
            id="learn",
        ),
        Binding(
            default_key("watch"), "watch", "Watch", show=False, tooltip="Watch two engines play", id="watch"
        ),
    ]

    def __init__(self, name: str, services: Services) -> None:
        super().__init__(id=f"card-{name}")
        self.services = services
        self._named = name
        self._timer: Timer | None = None
        self._preview: Preview | None = None
        try:
            self.border_title, self.summary = menu_words(name)
        except InputError as error:
            self.border_title = capitalize(name)
            self.summary = "Not installed." if name not in game_names() else str(error)

    @cached_property
    def game(self) -> AnyGame | None:
        """The game, or None if it is unavailable. Loading it is slow, so wait for the first paint."""
        with suppress(InputError):
            return get_game(self._named)
        return None

    def compose(self) -> ComposeResult:
        yield Static(self.summary, classes="summary")

    def add_picture(self) -> None:
        game = self.game
        # A match opened from the shell covers the menu from the start.
        if game is None or not self.screen.is_active or self._preview is not None:
            return
        room = self.content_size - Size(0, self.query_one(".summary").size.height)
        self._preview = arcade_of(self.app).preview(game, room)
        self.mount(self._preview.board, before=0)

    def show_learned(self) -> None:
        if self.game is None:
            return
        stars = [] if self.screen.has_class("-slim") else self.services.stars(self.game)
        glyphs = glyphs_of(self.app)
        drawn = "".join(f"[$primary]{glyphs.played}[/]" if star else glyphs.dot for star in stars)
        self.border_title = f"{self.game.title} {drawn}".rstrip()
        words = {"puzzles": "Puzzles"}
        if self.game.teaching.lessons:
            from arcade.study.lessons import lessons_of  # not before the first paint

            try:
                lessons = {lesson.name for lesson in lessons_of(self.game)}
            except InputError as error:
                self.notify(str(error), severity="warning")
                return
            done = len(lessons & self.services.learned(self.game.name))
            words = {"learn": f"Learn {done}/{len(lessons)}", **words}
        watch = _linked({"watch": "Watch"})
        all_words = _linked({**words, "watch": "Watch"}, "  ")
        if self._fits(all_words):
            self.border_subtitle = all_words
            return
        lines = [_linked(words, "  "), _linked(words, " "), _linked(dict([*words.items()][:1]))]
        self.border_subtitle = next(filter(self._fits, lines), lines[-1])
        title = f"{self.border_title} [$secondary]{watch}[/]"
        if self._fits(title):
            self.border_title = title

    def _fits(self, words: str) -> bool:
        return Content.from_markup(words).cell_length <= self.outer_size.width - BORDER_COLUMNS

    def on_resize(self) -> None:
        if self.border_subtitle:
            self.show_learned()

    def on_focus(self) -> None:
        if self.services.settings.animated:
            self._timer = self.set_interval(PREVIEW_INTERVAL, self._step, repeat=PREVIEW_STEPS)

    def on_blur(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
            if self._preview is not None:
                self._preview.rewind()

    def _step(self) -> None:
        # A covered menu is invisible, and each step would repaint the screen above it.
        if self._preview is not None and self.screen.is_active:
            self._preview.step()

    def on_click(self, event: events.Click) -> None:
        event.stop()
        if "@click" not in event.style.meta:
            self.action_open()

    def action_open(self) -> None:
        if self.game is None:
            self.notify(self.summary)
            return
        self.post_message(OpenUsual(self.game))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # The footer must not load the game before the first paint.
        if action == "open" or "game" not in vars(self):
            return True
        return self.game is not None and (action != "learn" or bool(self.game.teaching.lessons))

    def action_choose(self) -> None:
        if self.game is not None:
            self.post_message(ChooseMatch(self.game))

    def action_puzzles(self) -> None:
        if self.game is not None:
            self.post_message(ChoosePuzzles(self.game))

    def action_learn(self) -> None:
        if self.game is not None:
            self.post_message(OpenLessons(self.game))

    def action_watch(self) -> None:
        if self.game is not None:
            self.post_message(OpenWatched(self.game))


class MenuScreen(ArcadeScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l,d", "walk(1)", "Next", show=False),
        Binding("left,h,a", "walk(-1)", "Previous", show=False),
        Binding("down,j,s", "climb(1)", "Down", show=False),
        Binding("up,k,w", "climb(-1)", "Up", show=False),
        Binding(default_key("pause"), "resume", "Continue", tooltip="Continue the last match", id="pause"),
        Binding(
            default_key("records"),
            "records",
            "Records",
            tooltip="Your records: won and lost, your level, scores",
            id="records",
        ),
        Binding(
            default_key("search"),
            "history",
            "Matches",
            show=False,
            tooltip="All your matches: find, review, delete, export",
            id="search",
        ),
        Binding(
            default_key("settings"),
            "app.settings",
            "Settings",
            tooltip="Settings: theme, ASCII and more",
            id="settings",
        ),
        Binding(
            default_key("tournament"),
            "tournament",
            "Tournament",
            show=False,
            tooltip="Let engines play a tournament",
            id="tournament",
        ),
        Binding(
            default_key("open"),
            "app.open_id",
            "Open",
            show=False,
            tooltip="Open a game ID, a file or copied text",
            id="open",
        ),
        Binding(default_key("leave"), "screen.quit", "Quit", id="leave"),
    ]

    CSS_PATH = None

    def __init__(self) -> None:
        super().__init__()
        self._idle: Timer | None = None
        self._leave_by = 0.0
        self.saved: dict[str, Saved] = {}
        self.columns = COLUMNS
        self._games: list[str] = []

    def compose(self) -> ComposeResult:
        if not self.is_current:
            return
        yield TitleBar()
        self._games = [*ORDER, *(name for name in game_names() if name not in ORDER and is_listed(name))]
        with Grid(id="cards"):
            for name in self._games:
                yield Card(name, self.services)
            yield RecentMatches(id="recent")
        yield KeyFooter()
        self.call_later(self._lay_out, self.app.size.width)

    def on_resize(self, event: events.Resize) -> None:
        self._lay_out(event.size.width)

    def _lay_out(self, width: int) -> None:
        for cards in self.query("#cards"):
            narrow = width < SLIM
            self.columns = 1 if narrow else max(COLUMNS, -(-len(self._games) // ROWS))
            cards.styles.grid_size_columns = self.columns
            full = not narrow and len(self._games) == self.columns * ROWS
            cards.set_class(full, "-full")
            self.query_one("#recent").styles.column_span = self.columns if full else 1

    async def on_screen_resume(self) -> None:  # type: ignore[override]  # Textual awaits it
        if not self.query(Card):
            await self.recompose()
        cards = self.query(Card)
        if not self.is_current or not cards:
            # A match covers the menu.
            return
        if self.focused is None or isinstance(self.focused, Card):
            named = [card for card in cards if card.id == f"card-{self.arcade.opened}"]
            focused = named[0] if named else self.focused or cards.first()
            focused.focus()
        self.arcade.opened = ""
        self._wait_for_nobody()
        self.refresh_recent()
        for card in cards:
            # After the paint, because boards and lessons take time.
            self.call_after_refresh(card.add_picture)
            self.call_after_refresh(card.show_learned)

    def on_screen_suspend(self) -> None:
        self._wait_for_nobody(on=False)

    def _wait_for_nobody(self, on: bool = True) -> None:
        if self._idle is not None:
            self._idle.stop()
        self._idle = self.set_timer(IDLE_SECONDS, self.demonstrate) if on else None

    def takes(self, event: events.Event) -> bool:
        if self._idle is not None:
            self._idle.reset()
        if isinstance(event, events.MouseDown) or (
            isinstance(event, events.Key) and event.key not in self.keys.of("leave")
        ):
            self._leave_by = 0.0
        return super().takes(event)

    async def action_quit(self) -> None:
        if time.monotonic() < self._leave_by:
            await self.app.action_quit()
            return
        self._leave_by = time.monotonic() + LEAVE_SECONDS
        self.notify(f"Press {self.keys.named('leave')} again to quit.", timeout=LEAVE_SECONDS)

    def demonstrate(self) -> None:
        self._idle = None
        settings = self.services.settings
        here = not self.app.is_web and "SSH_CONNECTION" not in os.environ
        wanted = settings.demonstration and not settings.calm and here
        ready = [game for game in listed_games() if self.services.compiler.ready(game.name)]
        if self.is_active and wanted and ready:
            self.post_message(Demonstrate(ready))
        elif self.is_active:
            self._wait_for_nobody()

    def refresh_recent(self) -> None:
        if not self.alive:
            return
        self.show_title()
        self.saved = {str(saved.id): saved for saved in self.services.recent_matches()}
        self.refresh_bindings()
        self.query_one(RecentMatches).show(self.saved.values())

    def show_title(self) -> None:
        counts = self.services.win_loss_counts()
        won, lost = (sum(count[key] for count in counts.values()) for key in ("win", "loss"))
        games = len(self.query(Card))
        offer = f"{spelled_quantity(games, 'game')}, {spelled_quantity(games, 'solver')}"
        state = f"won {won}, lost {lost}" if counts else offer
        for bar in self.query(TitleBar):
            bar.show("SOLVER ARCADE", state, self.services.compiler.status)

    @on(OptionList.OptionSelected, "#recent")
    def open_saved(self, event: OptionList.OptionSelected) -> None:
        if event.option.id in self.saved:
            self.post_message(OpenSaved(self.saved[event.option.id]))

    @property
    def unfinished(self) -> Saved | None:
        return next((saved for saved in self.saved.values() if saved.record.result is None), None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "leave":
            return False
        return self.unfinished is not None if action == "resume" else True

    def action_resume(self) -> None:
        if self.unfinished is not None:
            self.post_message(OpenSaved(self.unfinished))

    def action_records(self) -> None:
        self.post_message(OpenRecords())

    def action_history(self) -> None:
        self.post_message(OpenHistory())

    def action_tournament(self) -> None:
        self.post_message(OpenTournament(self._game))

    @property
    def _game(self) -> AnyGame:
        card = self.focused if isinstance(self.focused, Card) else self.query(Card).first()
        return card.game or installed_games()[0]

    def action_climb(self, by: int) -> None:
        self.action_walk(by * self.columns)

    def action_walk(self, by: int) -> None:
        places = [*self.query(Card), self.query_one("#recent")]
        focused = self.focused
        at = places.index(focused) if focused in places else 0
        places[min(max(at + by, 0), len(places) - 1)].focus()

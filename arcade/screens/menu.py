"""The menu: a card for each game, and the matches played last."""

from __future__ import annotations

import random
from typing import Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid, Vertical
from textual.geometry import Size
from textual.message import Message
from textual.timer import Timer
from textual.widgets import OptionList, Static

from arcade.engines.game import InputError, Position
from arcade.engines.registry import ORDER, AnyGame, game_names, get_game, installed_games
from arcade.screens.base import ArcadeScreen
from arcade.screens.registry import screen_class
from arcade.store import Saved
from arcade.widgets.board import Board, BoardView
from arcade.widgets.key_footer import KeyFooter
from arcade.widgets.recent import RecentMatches
from arcade.widgets.title_bar import TitleBar

STEP_SECONDS = 0.6
"""How long a card in focus shows each position of its little match."""


LITTLE_PLIES = 12
"""How many positions that little match has at most."""


class Card(Vertical, can_focus=True):
    """A game with a small live picture: while it is in focus a random match is played on it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "open", "Play", key_display="Enter")]

    class Opened(Message):
        """The game of a card was chosen."""

        def __init__(self, game: AnyGame) -> None:
            super().__init__()
            self.game = game

    def __init__(self, name: str) -> None:
        super().__init__(id=f"card-{name}")
        self._timer: Timer | None = None
        self.game: AnyGame | None = None
        self._positions: list[Position[Any]] = []
        self._shown = 0
        try:
            self.game = get_game(name)
            self.border_title = self.game.title
            self.summary = self.game.summary
        except InputError as error:
            self.border_title = name.capitalize()
            self.summary = "Not built yet." if name not in game_names() else str(error)

    def compose(self) -> ComposeResult:
        """The summary; the picture comes after the first paint, because the boards' modules take time."""
        yield Static(self.summary, classes="summary")

    def ask_for_picture(self) -> None:
        """Add the picture after the next paint, if it is not there yet."""
        if self.game is not None and not self._positions:
            self.call_after_refresh(self._add_picture, self.game)

    def _add_picture(self, game: AnyGame) -> None:
        """Show the game as it is mostly played, or where there is no room for that the largest preset."""
        # A match that is opened from the shell lies over the menu before anybody has seen it.
        if not self.screen.is_current or self._positions:
            return
        room = self.content_size - Size(0, self.query_one(".summary").size.height)
        board_class = screen_class(game.name).BOARD
        standard = game.parameters_text(game.parse_parameters(""))
        for parameters in (standard, *(preset.parameters for preset in reversed(game.presets)), standard):
            self._positions = [game.new(game.parse_parameters(parameters), 1)]
            if board_class.thumbnail(self._view()).fit(room):
                break
        self.mount(board_class.thumbnail(self._view()), before=0)

    def _extend(self) -> None:
        """Add a random ply to the little match; of a few moves the one that leaves most to play."""
        position, rng = self._positions[-1], random.Random(len(self._positions))
        if len(self._positions) < LITTLE_PLIES and position.outcome() is None:
            drawn = [position.play(rng.choice(position.moves())) for _ in range(3)]
            self._positions.append(max(drawn, key=lambda each: len(each.moves())))

    def _view(self) -> BoardView:
        return BoardView(self._positions[self._shown], self._positions[0])

    def on_focus(self) -> None:
        """Begin the little match."""
        if self.game is not None and getattr(self.app, "animation", False):
            self._timer = self.set_interval(STEP_SECONDS, self._step, repeat=LITTLE_PLIES)

    def on_blur(self) -> None:
        """Put the first position back."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
            self._shown = 0
            if self._positions:
                self.query_one(Board).show(self._view())

    def _step(self) -> None:
        if self._positions:
            self._extend()
            self._shown = (self._shown + 1) % len(self._positions)
            self.query_one(Board).show(self._view())

    def on_click(self, event: events.Click) -> None:
        """A click opens the game."""
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        """Open the game."""
        if self.game is not None:
            self.post_message(self.Opened(self.game))
        else:
            self.notify(self.summary)


class MenuScreen(ArcadeScreen):
    """Where the arcade begins."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l,d", "walk(1)", "Next", show=False),
        Binding("left,h,a", "walk(-1)", "Previous", show=False),
        Binding("down,j,s", "walk(3)", "Down", show=False),
        Binding("up,k,w", "walk(-3)", "Up", show=False),
        Binding("c", "resume", "Continue", tooltip="Continue the last match"),
        Binding("o", "app.open_id", "Open", tooltip="Open a game ID"),
        Binding("S", "app.settings", "Settings", tooltip="Settings: theme, ASCII and more"),
        Binding("q", "app.quit", "Quit"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.saved: dict[str, Saved] = {}
        """The matches played last, by their ids in the list."""

    def compose(self) -> ComposeResult:
        """Cards and the matches played last."""
        yield TitleBar()
        hidden = {game.name for game in installed_games() if not game.listed}
        names = [*ORDER, *(name for name in game_names() if name not in ORDER and name not in hidden)]
        with Grid(id="cards"):
            for name in names:
                yield Card(name)
            yield RecentMatches(id="recent")
        yield KeyFooter()

    def on_mount(self) -> None:
        """Put the focus where most people want to begin."""
        self.query(Card).first().focus()
        self.refresh_recent()

    def on_screen_resume(self) -> None:
        """Coming up, or back from a match."""
        self.refresh_recent()
        for card in self.query(Card):
            card.ask_for_picture()

    def refresh_recent(self) -> None:
        """Read the matches played last from the store."""
        if not self.is_mounted:
            return
        self.show_title()
        self.saved = {str(each.id): each for each in self.arcade.recent_matches()}
        self.refresh_bindings()
        self.query_one(RecentMatches).show(self.saved.values())

    def show_title(self) -> None:
        """The title line."""
        counts = self.arcade.tally()
        won, lost = (sum(each[key] for each in counts.values()) for key in ("win", "loss"))
        state = f"won {won}, lost {lost}" if counts else "five games, five solvers"
        self.query_one(TitleBar).show("SOLVER ARCADE", state, self.arcade.warmer.status)

    @on(Card.Opened)
    def open_game(self, event: Card.Opened) -> None:
        """A card was chosen: choose a match of its game."""
        self.arcade.choose_match(event.game)

    @on(OptionList.OptionSelected, "#recent")
    def open_saved(self, event: OptionList.OptionSelected) -> None:
        """A match of the list was chosen."""
        if event.option.id in self.saved:
            self.arcade.open_saved(self.saved[event.option.id])

    @property
    def unfinished(self) -> Saved | None:
        """The match that was played last among those that are not over."""
        return next((each for each in self.saved.values() if each.result is None), None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only where there is a match to continue one can be continued."""
        return self.unfinished is not None if action == "resume" else True

    def action_resume(self) -> None:
        """Continue the last match."""
        if self.unfinished is not None:
            self.arcade.open_saved(self.unfinished)

    def action_walk(self, by: int) -> None:
        """Move the focus over the cards and the list."""
        places = [*self.query(Card), self.query_one("#recent")]
        focused = self.focused
        at = places.index(focused) if focused in places else 0
        places[min(max(at + by, 0), len(places) - 1)].focus()

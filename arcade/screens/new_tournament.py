"""Set up a tournament: the game, its parameters, who plays, and how often."""

from __future__ import annotations

from contextlib import suppress
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from arcade.engines.errors import InputError
from arcade.engines.players import PERFECT, RUNGS
from arcade.engines.registry import AnyGame, get_game, installed_games
from arcade.screens.base import Dialog
from arcade.screens.game_fields import GameFields
from arcade.session.tournament import Tournament
from arcade.widgets.fields import Choice, NumberField, Row

ALL, NEIGHBOURS = "all", "neighbours"
"""The choices of who meets."""

ROUNDS = 3
"""How many rounds a first tournament has."""


class PlayerChoice(OptionList):
    """The players of a game, each in or out; Enter, space or a click changes that."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "select", show=False)]

    def __init__(self, players: dict[str, str], chosen: set[str]) -> None:
        super().__init__(markup=False)
        self.players = players
        """What is said of each, by notation."""
        self.chosen = chosen

    def on_mount(self) -> None:
        """List them."""
        self._write()

    @on(OptionList.OptionSelected)
    def turned(self, event: OptionList.OptionSelected) -> None:
        """A player comes in or leaves."""
        event.stop()
        self.chosen ^= {str(event.option.id)}
        self._write()

    def _write(self) -> None:
        at = self.highlighted
        self.clear_options()
        for name in self.players:
            self.add_option(Option(f"{'[x]' if name in self.chosen else '[ ]'} {name}", id=name))
        self.highlighted = at or 0


class NewTournamentDialog(Dialog[Tournament]):
    """Choose a tournament.

    Args:
        game: the game.
        like: one whose choices are offered; None for those of a first tournament.
    """

    CSS: ClassVar[str] = """
    NewTournamentDialog .dialog { height: 94%; max-height: 34; }
    NewTournamentDialog #choices { height: 1fr; }
    NewTournamentDialog .fields { width: 38; max-height: 100%; height: 1fr; }
    NewTournamentDialog .fields .note { display: none; }
    NewTournamentDialog #who { width: 1fr; padding-left: 2; }
    NewTournamentDialog #who Label { color: $faint; }
    NewTournamentDialog PlayerChoice {
        height: 1fr; background: $panel; border: none; padding: 0 1;
    }
    /* On a slim screen they stand below each other. */
    NewTournamentDialog.-slim #choices { layout: vertical; overflow-y: auto; }
    NewTournamentDialog.-slim .fields { width: 1fr; height: auto; }
    NewTournamentDialog.-slim #who { height: auto; padding: 0; }
    NewTournamentDialog.-slim #who PlayerChoice { height: 8; }
    NewTournamentDialog #about { height: 2; margin: 0 0 1 0; color: $faint; }
    NewTournamentDialog #others { width: 1fr; background: $panel; padding: 0 1; }
    NewTournamentDialog #others:focus { background: $primary 30%; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "start", "Start", show=False)]

    def __init__(self, game: AnyGame, like: Tournament | None = None) -> None:
        super().__init__()
        self.game = game
        self.like = like if like is not None and like.start.game is game else None

    def compose(self) -> ComposeResult:
        """What is played on the left, who plays on the right."""
        like, game = self.like, self.game
        games = [(each.title, each.name) for each in installed_games() if each.listed or each is game]
        with Vertical(classes="dialog"):
            yield Label("Tournament", classes="heading")
            with Horizontal(id="choices"):
                with VerticalScroll(classes="fields", can_focus=False):
                    yield Row("Game", Choice(games, game.name, id="game"))
                    values = like.start.parameters if like is not None else game.parse_parameters("")
                    yield GameFields(game, values, seeded=False)
                    meeting = [("everybody", ALL), ("neighbours only", NEIGHBOURS)]
                    ladder = like is not None and like.ladder
                    yield Row("Who meets", Choice(meeting, NEIGHBOURS if ladder else ALL, id="meeting"))
                    rounds, seed = (like.rounds, like.seed) if like is not None else (ROUNDS, 1)
                    yield Row("Rounds", NumberField(rounds, id="rounds"))
                    yield Row("Seed", NumberField(seed, id="tournament-seed"))
                with Vertical(id="who"):
                    players = self._players()
                    chosen = like.players if like is not None else [*RUNGS, PERFECT.name]
                    yield Label("Players (space: in or out)")
                    yield PlayerChoice(players, players.keys() & {*chosen})
                    yield Static("", id="about", markup=False)
                    others = [each for each in chosen if each not in players] if like is not None else []
                    yield Label("Others, such as sees:3")
                    yield Input(", ".join(others), compact=True, id="others")
            yield Static("", classes="error", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Start", variant="primary", id="ok")
                yield Button("Cancel", id="cancel")

    def _players(self) -> dict[str, str]:
        """What can be said of each player and machine, by notation."""
        found = {}
        for kind in self.game.player_kinds:
            name = kind.name if kind.argument is None else f"{kind.name}:{kind.argument.default}"
            found[name] = kind.summary
        with suppress(InputError):
            for seat in range(2):
                for name in self.services.machines.names(self.game, seat):
                    found.setdefault(name, "A machine of matchboxes.")
        return found

    def on_mount(self) -> None:
        """Enter starts the tournament with the choices shown."""
        super().on_mount()
        self.query_one("#ok").focus()

    @on(Select.Changed, "#game")
    async def game_chosen(self, event: Select.Changed) -> None:
        """Another game has other parameters and players."""
        if event.value != self.game.name:
            self.game, self.like = get_game(str(event.value)), None
            await self.recompose()
            self.query_one("#game").focus()

    @on(OptionList.OptionHighlighted)
    def player_pointed(self, event: OptionList.OptionHighlighted) -> None:
        """Tell what can be said of the player."""
        self.query_one("#about", Static).update(self.query_one(PlayerChoice).players[str(event.option.id)])

    def _value(self, id: str, title: str) -> int:
        value = self.query_one(f"#{id}", NumberField).number
        if value is None:
            raise InputError(f"{title} must be a whole number.")
        return value

    @on(Input.Submitted)
    def action_start(self) -> None:
        """Start the tournament, or show what is wrong."""
        choice = self.query_one(PlayerChoice)
        named = [each for each in choice.players if each in choice.chosen]
        typed = [each.strip() for each in self.query_one("#others", Input).value.split(",")]
        try:
            start = self.query_one(GameFields).start()
            rounds = self._value("rounds", "Rounds")
            if rounds < 1:
                raise InputError("A tournament has at least 1 round.")
            tournament = Tournament(
                start,
                [*named, *filter(None, typed)],
                rounds,
                self._value("tournament-seed", "Seed"),
                self.query_one("#meeting", Select).value == NEIGHBOURS,
                self.services.machines,
            )
            tournament.restore(self.services.store)
        except InputError as error:
            self.complain(error)
            return
        self.dismiss(tournament)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Begin, or close."""
        if event.button.id == "ok":
            self.action_start()
        else:
            self.dismiss(None)

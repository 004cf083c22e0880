"""Choose a new match and its players."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Input, Label, Select, Static

from arcade.engines.errors import InputError
from arcade.engines.game import Kind
from arcade.engines.parameters import Parameters, ParameterValue
from arcade.engines.registry import AnyGame
from arcade.engines.seats import is_guest, parse_player
from arcade.match import HUMAN, Match
from arcade.screens.base import Dialog
from arcade.screens.game_fields import MOST_SEED, GameFields
from arcade.seating import check_seat
from arcade.widgets.fields import Choice, NumberField, Row
from arcade.words import moves

if TYPE_CHECKING:
    from arcade.learning.machines import Machines

NOBODY = "nobody"
"""The choice of an empty second seat in a race."""


class SeatChoice(Row):
    """The player of one side, with a level if the player has one.

    Args:
        game: the game.
        seat: 0 for the first player, 1 for the second.
        who: the present player.
        machines: the available guests.
        spare: whether the seat may stay empty.
        equal: an opponent who sees as far as the person, e.g. "sees:5"; None where that is not known.
    """

    def __init__(
        self,
        game: AnyGame,
        seat: int,
        who: str,
        machines: Machines,
        spare: bool = False,
        equal: str | None = None,
    ) -> None:
        super().__init__(game.sides[seat])
        self.machines = machines
        self.game = game
        self.seat = seat
        self.who = who
        self.spare = spare
        self.equal = equal

    def compose(self) -> ComposeResult:
        """Side, player, level."""
        name, _, _ = self.who.partition(":")
        known = [("Human", HUMAN, "Somebody at this keyboard.")]
        if self.equal is not None:
            ahead = moves(self.equal.partition(":")[2])
            known.append(("Equal", self.equal, f"Sees {ahead} ahead, as far as you."))
        known.extend((kind.title, kind.name, kind.summary) for kind in self.game.player_kinds)
        if self.spare:
            known.append(("Nobody", NOBODY, "Play alone."))
        guests = self._guests()
        if name not in {each for _, each, _ in known}:
            guests = list(dict.fromkeys([*guests, name]))
        known.extend((guest, guest, "A machine of matchboxes.") for guest in guests)
        width = max(len(title) for title, _, _ in known[: len(known) - len(guests)])
        yield from super().compose()
        yield Choice([(f"{title:{width}}  {summary}", who) for title, who, summary in known], name)
        yield NumberField(digits=3, classes="level")
        yield Label(classes="note level")

    def _guests(self) -> list[str]:
        try:
            return self.machines.names(self.game, self.seat)
        except InputError as error:
            self.notify(str(error), severity="error")
            return []

    def on_mount(self) -> None:
        """Show the level of the player."""
        self._show_level()
        _, colon, argument = self.who.partition(":")
        if colon:
            self.query_one(Input).value = argument

    def _show_level(self) -> None:
        name = str(self.query_one(Select).value)
        level = self.query_one(Input)
        argument = None
        if name not in (HUMAN, NOBODY, self.equal) and not is_guest(self.game, name):
            argument = parse_player(self.game, name)[0].argument
        for each in self.query(".level"):
            each.display = argument is not None
        if argument is not None:
            level.value = str(argument.default)
            level.tooltip = f"{argument.title}, {argument.low} to {argument.high}: {argument.help}"
            self.query_one(".note", Label).update(f"{argument.low} to {argument.high}")

    @on(Select.Changed)
    def changed(self, event: Select.Changed) -> None:
        """Another player has another level."""
        event.stop()
        if str(event.value) != self.who.partition(":")[0]:
            self._show_level()

    @property
    def chosen(self) -> str:
        """The seat notation of the choice."""
        name = str(self.query_one(Select).value)
        level = self.query_one(Input)
        return f"{name}:{level.value}" if level.display else name

    def check(self, parameters: Parameters, seat: int) -> None:
        """Check that the chosen player can take the seat with these parameters.

        Raises:
            InputError: the level is out of its limits, or a guest cannot take the seat.
        """
        if self.chosen != NOBODY:
            check_seat(self.game, parameters, seat, self.chosen, self.machines)


class SeatsDialog(Dialog[list[str]]):
    """Change the players of a running match; a race keeps its boards, so each needs a player."""

    def __init__(self, match: Match, machines: Machines) -> None:
        super().__init__()
        self.match = match
        self.machines = machines

    def compose(self) -> ComposeResult:
        """A row for each seat."""
        with Vertical(classes="dialog"):
            yield Label("Who plays", classes="heading")
            for seat, who in enumerate(self.match.seats):
                yield SeatChoice(self.match.game, seat, who, self.machines)
            yield Static("", classes="error", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("OK", variant="primary", id="ok")
                yield Button("Swap", id="swap")
                yield Button("Cancel", id="cancel")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Return the seats."""
        if event.button.id == "cancel":
            self.dismiss(None)
            return
        choices = list(self.query(SeatChoice))
        if event.button.id == "swap":
            choices.reverse()
        try:
            for seat, choice in enumerate(choices):
                choice.check(self.match.parameters, seat)
        except InputError as error:
            self.complain(error)
            return
        self.dismiss([choice.chosen for choice in choices])


class NewMatchDialog(Dialog[Match]):
    """Choose the parameters and seats of a match."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "start", "Start", show=False)]

    def __init__(self, game: AnyGame, like: Match | None = None) -> None:
        super().__init__()
        self.game = game
        self.values: dict[str, ParameterValue] = dict(like.parameters if like else game.parse_parameters(""))
        self.like = like
        self.seats: list[str] = []

    def compose(self) -> ComposeResult:
        """Presets, parameters, seats, and a button to begin."""
        self.seats = list(
            self.like.seats if self.like else self.services.offered_seats(self.game, self.values)
        )
        level = self.services.level(self.game)
        equal = None if level is None else level.equal
        if self.game.kind is Kind.RACE and len(self.seats) == 1:
            self.seats.append(NOBODY)
        with Vertical(classes="dialog"):
            yield Label(f"New match of {self.game.title}", classes="heading")
            with VerticalScroll(classes="fields", can_focus=False):
                yield GameFields(self.game, self.values)
                for seat, who in enumerate(self.seats):
                    spare = self.game.kind is Kind.RACE and seat > 0
                    yield SeatChoice(self.game, seat, who, self.services.machines, spare, equal)
            yield Static("", classes="error", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Play", variant="primary", id="ok")
                yield Button("Cancel", id="cancel")

    def on_mount(self) -> None:
        """Enter starts the match with the choices shown."""
        self.query_one("#ok").focus()

    @on(Input.Submitted)
    def action_start(self) -> None:
        """Start the match, or show what is wrong."""
        try:
            start = self.query_one(GameFields).start()
            seats = []
            for seat, choice in enumerate(self.query(SeatChoice)):
                choice.check(start.parameters, seat)
                seats.append(choice.chosen)
            seed = secrets.randbelow(MOST_SEED) if start.seed is None else None
            match = Match(start, [who for who in seats if who != NOBODY], self.services.machines, seed)
        except InputError as error:
            self.complain(error)
            return
        self.dismiss(match)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Begin, or close."""
        if event.button.id == "ok":
            self.action_start()
        else:
            self.dismiss(None)

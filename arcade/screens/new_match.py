"""Choosing a new match, and who sits where."""

from __future__ import annotations

import re
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Input, Label, Select, Static

from arcade.engines.game import InputError, Kind, Parameter, Parameters, ParameterValue
from arcade.engines.players import is_guest, parse_player
from arcade.engines.registry import AnyGame, GameID
from arcade.match import HUMAN, Match, check_seat, default_seats
from arcade.screens.base import Dialog
from arcade.widgets.fields import OFF, ON, Choice, Row

if TYPE_CHECKING:
    from arcade.machines import Machines

MOST_SEED = 1_000_000
"""Seeds that nobody gives are drawn below this."""
FREE = "free"
"""The choice of a size that is no preset."""
NOBODY = "nobody"
"""The choice of an empty second seat in a race."""


def _number(text: str) -> int | None:
    """The whole number that a field holds, if it is one and of a sensible length."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else None


class SeatChoice(Row):
    """Who plays one side, with the level where there is one."""

    def __init__(self, game: AnyGame, seat: int, who: str) -> None:
        super().__init__(game.sides[seat])
        self.game = game
        self.seat = seat
        self.who = who

    def compose(self) -> ComposeResult:
        """Side, player, level."""
        name, _, _ = self.who.partition(":")
        options = [("Human", HUMAN), *((kind.title, kind.name) for kind in self.game.player_kinds)]
        if self.game.kind is Kind.RACE and self.seat:
            options.append(("Nobody", NOBODY))
        guests = self._guests()
        if name not in {value for _, value in options}:
            guests = list(dict.fromkeys([*guests, name]))
        options.extend((guest, guest) for guest in guests)
        yield from super().compose()
        yield Choice(options, name)
        yield Input(type="integer", compact=True, classes="level", max_length=3)
        yield Label(classes="note level")

    @property
    def _machines(self) -> Machines:
        assert isinstance(self.screen, Dialog)
        return self.screen.arcade.machines

    def _guests(self) -> list[str]:
        try:
            return self._machines.names(self.game, self.seat)
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
        if name not in (HUMAN, NOBODY) and not is_guest(self.game, name):
            argument = parse_player(self.game, name)[0].argument
        for each in self.query(".level"):
            each.display = argument is not None
        if argument is not None:
            level.value = str(argument.default)
            level.tooltip = f"{argument.title}, {argument.low} to {argument.high}: {argument.help}"
            self.query_one(".note", Label).update(f"{argument.low} to {argument.high}")

    @on(Select.Changed)
    def changed(self, event: Select.Changed) -> None:
        """Another player: another level."""
        event.stop()
        if str(event.value) != self.who.partition(":")[0]:
            self._show_level()

    @property
    def chosen(self) -> str:
        """The seat notation of what is chosen."""
        name = str(self.query_one(Select).value)
        level = self.query_one(Input)
        return f"{name}:{level.value}" if level.display else name

    def check(self, parameters: Parameters, seat: int) -> None:
        """See that who is chosen can play a seat of a game with these parameters.

        Raises:
            InputError: the level is out of its limits, or a guest cannot sit there.
        """
        if self.chosen != NOBODY:
            check_seat(self.game, parameters, seat, self.chosen, self._machines)


class SeatsDialog(Dialog[list[str]]):
    """Changes who plays in a running match."""

    def __init__(self, match: Match) -> None:
        super().__init__()
        self.match = match

    def compose(self) -> ComposeResult:
        """A row a seat."""
        with Vertical(classes="dialog"):
            yield Label("Who plays", classes="heading")
            for seat, who in enumerate(self.match.seats):
                yield SeatChoice(self.match.game, seat, who)
            yield Static("", classes="error", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("OK", variant="primary", id="ok")
                yield Button("Swap", id="swap")
                yield Button("Cancel", id="cancel")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Give the seats back."""
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
    """Chooses parameters and seats of a match."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "start", "Start", show=False)]

    def __init__(self, game: AnyGame, like: Match | None = None) -> None:
        super().__init__()
        self.game = game
        self.values: dict[str, ParameterValue] = dict(like.parameters if like else game.parse_parameters(""))
        self.like = like
        self.seats: list[str] = []

    def compose(self) -> ComposeResult:
        """Presets, parameters, seats, and a button to begin."""
        self.seats = list(self.like.seats if self.like else default_seats(self.game, self.arcade.machines))
        if self.game.kind is Kind.RACE and len(self.seats) == 1:
            self.seats.append(NOBODY)
        with Vertical(classes="dialog"):
            yield Label(f"New match of {self.game.title}", classes="heading")
            with VerticalScroll(classes="fields"):
                if self.game.presets:
                    presets = [(preset.title, preset.parameters) for preset in self.game.presets]
                    options = [*presets, ("Free choice", FREE)]
                    yield Row("Preset", Choice(options, self._preset(), id="preset"))
                for parameter in self.game.parameters:
                    yield Row(parameter.title, self._field(parameter), note=parameter.help)
                for file in self.game.files:
                    field = Input(placeholder="none", compact=True, id=f"file-{file.name}", classes="file")
                    yield Row(file.title, field, note=file.help)
                if self.game.chance:
                    yield Row(
                        "Seed",
                        Input(
                            placeholder="random", type="integer", compact=True, id="seed", valid_empty=True
                        ),
                        note="the same seed gives the same match",
                    )
                for seat, who in enumerate(self.seats):
                    yield SeatChoice(self.game, seat, who)
            yield Static("", classes="error", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Play", variant="primary", id="ok")
                yield Button("Cancel", id="cancel")

    def on_mount(self) -> None:
        """Enter plays at once with what is shown."""
        self.query_one("#ok").focus()

    def _preset(self) -> str:
        text = self.game.parameters_text(self.values)
        return text if any(preset.parameters == text for preset in self.game.presets) else FREE

    def _field(self, parameter: Parameter) -> Input | Choice:
        value = self.values[parameter.name]
        id = f"parameter-{parameter.name}"
        if isinstance(value, bool):
            return Choice.switch(value, id=id)
        if parameter.choices:
            return Choice([(choice, choice) for choice in parameter.choices], str(value), id=id)
        kind: Any = "integer" if isinstance(value, int) else "text"
        return Input(str(value), type=kind, compact=True, id=id)

    def _read(self) -> dict[str, ParameterValue]:
        read: dict[str, ParameterValue] = {}
        for parameter in self.game.parameters:
            field = self.query_one(f"#parameter-{parameter.name}")
            assert isinstance(field, Input | Select)
            value: object = field.value
            if type(parameter.default) is int:
                value = _number(str(value))
                if value is None:
                    raise InputError(
                        f"{parameter.title} must be a whole number, not {str(field.value)[:20]!r}."
                    )
            elif isinstance(parameter.default, bool):
                value = value == ON
            else:
                value = str(value)
            assert isinstance(value, int | str)
            read[parameter.name] = value
        return read

    @on(Select.Changed, "#preset")
    def preset_chosen(self, event: Select.Changed) -> None:
        """Put the values of the preset into the fields."""
        if event.value == FREE or event.value == self._preset():
            return
        self.values = self.game.parse_parameters(str(event.value))
        for name, value in self.values.items():
            field = self.query_one(f"#parameter-{name}")
            if isinstance(value, bool) and isinstance(field, Select):
                field.value = ON if value else OFF
            elif isinstance(field, Input | Select):
                field.value = str(value)

    @on(Input.Changed)
    @on(Select.Changed, ".short")
    def value_changed(self) -> None:
        """The fields may match another preset, or none."""
        try:
            self.values = self._read()
            text = self._preset()
        except InputError:
            text = FREE
        if self.game.presets:
            self.query_one("#preset", Select).value = text

    @on(Input.Submitted)
    def action_start(self) -> None:
        """Begin the match, or say what is wrong with it."""
        try:
            values = self._read()
            self.game.new(values)
            seats = []
            for seat, choice in enumerate(self.query(SeatChoice)):
                choice.check(values, seat)
                seats.append(choice.chosen)
            match = Match(
                self._start(values),
                [who for who in seats if who != NOBODY],
                self.arcade.machines,
                secrets.randbelow(MOST_SEED),
            )
        except InputError as error:
            self.complain(error)
            return
        self.dismiss(match)

    def _start(self, values: dict[str, ParameterValue]) -> GameID:
        """The start that the fields name: a file's, else a new one."""
        names = {file.name: self.query_one(f"#file-{file.name}", Input).value for file in self.game.files}
        names = {name: text and str(Path(text).expanduser()) for name, text in names.items()}
        if not any(names.values()):
            return GameID(self.game, values, None, self._seed())
        position = self.game.read_files(names, values)
        return GameID(self.game, self.game.parameters_of(position), position.text())

    def _seed(self) -> int | None:
        if not self.game.chance:
            return None
        text = self.query_one("#seed", Input).value
        seed = _number(text)
        return secrets.randbelow(MOST_SEED) if seed is None else seed

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Begin, or close."""
        if event.button.id == "ok":
            self.action_start()
        else:
            self.dismiss(None)

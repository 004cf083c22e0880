"""The fields of dialogs that say what is played: preset, parameters, files, seed."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Input, Label, Select, Static

from arcade.engines.files import InputError
from arcade.engines.game import Kind, OpensFiles
from arcade.engines.parameters import Parameter, Parameters, ParameterValue
from arcade.engines.registry import AnyGame, GameID, is_guest, parse_player
from arcade.engines.wording import moves
from arcade.match.match import HUMAN, Match
from arcade.match.seating import check_seat
from arcade.screens.base import Dialog
from arcade.widgets.forms import OFF, ON, Choice, NumberField, Row

if TYPE_CHECKING:
    from arcade.matchbox.machines import Machines

MOST_SEED = 1_000_000
"""Random seeds are below this."""
FREE = "free"
"""The choice of a custom size."""


class GameFields(Vertical):
    """A row for each parameter of a game, and for its presets, files and seed where it has them.

    Args:
        game: the game.
        values: its parameters at first.
        seeded: whether to ask for the seed of the first position, where that depends on chance.
    """

    DEFAULT_CSS: ClassVar[str] = """
    GameFields { height: auto; }
    """

    def __init__(self, game: AnyGame, values: Parameters, seeded: bool = True) -> None:
        super().__init__()
        self.game = game
        self.values: dict[str, ParameterValue] = dict(values)
        self.seeded = seeded and game.chance

    def compose(self) -> ComposeResult:
        if self.game.presets:
            presets = [(preset.title, preset.parameters) for preset in self.game.presets]
            options = [*presets, ("Free choice", FREE)]
            yield Row("Preset", Choice(options, self._preset(), id="preset"))
        for parameter in self.game.parameters:
            yield Row(parameter.title, self._field(parameter), note=parameter.help)
        for file in self._files:
            field = Input(placeholder="none", compact=True, id=f"file-{file.name}", classes="file")
            yield Row(file.title, field, note=file.help)
        if self.seeded:
            seed = NumberField(placeholder="random", id="seed")
            yield Row("Seed", seed, note="the same seed gives the same match")

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
        return NumberField(value, id=id) if isinstance(value, int) else Input(value, compact=True, id=id)

    def read(self) -> dict[str, ParameterValue]:
        """The parameters in the fields.

        Raises:
            InputError: one of them is not a whole number.
        """
        read: dict[str, ParameterValue] = {}
        for parameter in self.game.parameters:
            field = self.query_one(f"#parameter-{parameter.name}")
            assert isinstance(field, Input | Select)
            value: object = field.value
            if isinstance(field, NumberField):
                value = field.number
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
        """Fill in the values of the preset."""
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
            self.values = self.read()
            text = self._preset()
        except InputError:
            text = FREE
        if self.game.presets:
            self.query_one("#preset", Select).value = text

    def start(self) -> GameID:
        """The start that the fields describe: from a file, or a new one.

        Raises:
            InputError: which parameter or file is bad and why.
        """
        values = self.read()
        self.game.new(values)
        names = {file.name: self.query_one(f"#file-{file.name}", Input).value for file in self._files}
        names = {name: os.path.expanduser(text) for name, text in names.items()}
        if not isinstance(self.game, OpensFiles) or not any(names.values()):
            return GameID(self.game, values, None, self._seed())
        position = self.game.read_files(names, values)
        return GameID(self.game, self.game.parameters_of(position), position.text())

    @property
    def _files(self) -> tuple[Parameter, ...]:
        return self.game.files if isinstance(self.game, OpensFiles) else ()

    def _seed(self) -> int | None:
        if not self.seeded:
            return None
        seed = self.query_one("#seed", NumberField).number
        return secrets.randbelow(MOST_SEED) if seed is None else seed


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
        self.query_one("#ok").focus()

    @on(Input.Submitted)
    def action_start(self) -> None:
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
        if event.button.id == "ok":
            self.action_start()
        else:
            self.dismiss(None)

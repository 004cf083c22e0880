"""Make a custom machine: beads, rewards, boxes and side."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Input, Label, Select, Static

from arcade.engines.errors import InputError
from arcade.learning.machine import (
    PRESETS,
    AnyMachine,
    Machine,
    Options,
    Overflow,
    check_name,
    parse_first_beads,
    parse_numbers,
)
from arcade.learning.machines import Pupil
from arcade.learning.matchbox import BoxSet
from arcade.screens.base import Dialog
from arcade.widgets.fields import OFF, ON, Choice, Row

GAMES = (("Tic-tac-toe", "menace"), ("Hexapawn 3x3", "hexapawn:3x3"), ("Hexapawn 4x4", "hexapawn:4x4"))
SETS = (
    ("with a choice (304)", BoxSet.CHOICE.value),
    ("with hope (287)", BoxSet.HOPE.value),
    ("all (338)", BoxSet.ALL.value),
)
OVERFLOWS = (("halve the box", Overflow.HALVE.value), ("stop there", Overflow.STOP.value))


class NewMachineDialog(Dialog[str]):
    """Make and save a machine; returns its name."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "make", "Make", show=False)]

    def compose(self) -> ComposeResult:
        """A row for each option, starting with Michie's values."""
        with Vertical(classes="dialog"):
            yield Label("A new machine", classes="heading")
            with VerticalScroll(classes="fields", can_focus=False):
                yield Row("Name", Input(placeholder="letters, digits, - _", compact=True, id="name"))
                presets = [(each.title[:34], each.name) for each in PRESETS]
                yield Row("Like", Choice(presets, PRESETS[0].name, id="preset"))
                yield Row("Game", Choice(GAMES, "menace", id="game"))
                yield Row("Moves", Choice((("first", "0"), ("second", "1")), "0", id="seat"))
                yield Row("First beads", Input("4,3,2,1", compact=True, id="beads"), note="by stage")
                yield Row("Rewards", Input("3,1,-1", compact=True, id="rewards"), note="win, tie, loss")
                yield Row("Boxes", Choice(SETS, BoxSet.CHOICE.value, id="boxes"))
                yield Row(
                    "Every move", Choice.switch(False, id="every"), note="separate beads for symmetric moves"
                )
                yield Row("Last only", Choice.switch(False, id="last"), note="reward only the last box")
                yield Row("Above 127", Choice(OVERFLOWS, Overflow.HALVE.value, id="overflow"))
            yield Static("", classes="error", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Make", variant="primary", id="ok")
                yield Button("Cancel", id="cancel")

    def on_mount(self) -> None:
        """Start with the name."""
        self.query_one("#name", Input).styles.width = 24
        self.query_one("#beads", Input).styles.width = 16
        self.query_one("#name", Input).focus()

    @on(Select.Changed, "#preset")
    def preset_chosen(self, event: Select.Changed) -> None:
        """Fill in the preset's options."""
        options = next(each.options for each in PRESETS if each.name == event.value)
        self.query_one("#game", Choice).value = options.game_id
        self.query_one("#seat", Choice).value = str(options.seat)
        self.query_one("#beads", Input).value = ",".join(map(str, options.first_beads))
        self.query_one("#rewards", Input).value = ",".join(map(str, options.rewards))
        self.query_one("#boxes", Choice).value = options.box_set.value
        self.query_one("#every", Choice).value = OFF if options.distinct else ON
        self.query_one("#last", Choice).value = ON if options.last_only else OFF
        self.query_one("#overflow", Choice).value = options.overflow.value

    def _read(self) -> AnyMachine:
        """The machine described by the fields.

        Raises:
            InputError: which field is bad and what was expected.
        """
        game, _, parameters = str(self.query_one("#game", Choice).value).partition(":")
        name = check_name(self.query_one("#name", Input).value.strip(), game)
        rewards = parse_numbers(self.query_one("#rewards", Input).value, "the rewards")
        if len(rewards) != 3:
            raise InputError("The rewards must be three numbers, for a win, a tie and a loss.")
        options = Options(
            game,
            parameters,
            int(str(self.query_one("#seat", Choice).value)),
            BoxSet(str(self.query_one("#boxes", Choice).value)),
            self.query_one("#every", Choice).value == OFF,
            parse_first_beads(self.query_one("#beads", Input).value),
            (rewards[0], rewards[1], rewards[2]),
            self.query_one("#last", Choice).value == ON,
            Overflow(str(self.query_one("#overflow", Choice).value)),
        )
        if name in self.services.machines.listed():
            raise InputError(f"There is already a machine {name}.")
        return Machine(name, options)

    @on(Input.Submitted)
    def action_make(self) -> None:
        """Make the machine, or show what is wrong."""
        try:
            machine = self._read()
            Pupil(machine, None).keep(self.services.store)
        except InputError as error:
            self.complain(error)
            return
        self.dismiss(machine.name)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Make it, or close."""
        if event.button.id == "ok":
            self.action_make()
        else:
            self.dismiss(None)

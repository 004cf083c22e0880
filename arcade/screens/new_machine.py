"""Making a machine of one's own: beads, rewards, boxes and side."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Input, Label, Select, Static, Switch

from arcade.engines.game import InputError
from arcade.engines.menace.machine import (
    PRESETS,
    AnyMachine,
    Machine,
    Options,
    Overflow,
    check_name,
    parse_first_beads,
    parse_numbers,
)
from arcade.engines.menace.matchbox import BoxSet
from arcade.screens.base import Dialog

GAMES = (("Tic-tac-toe", "menace"), ("Hexapawn 3x3", "hexapawn:3x3"), ("Hexapawn 4x4", "hexapawn:4x4"))
SETS = (
    ("with a choice (304)", BoxSet.CHOICE.value),
    ("with hope (287)", BoxSet.HOPE.value),
    ("all (338)", BoxSet.ALL.value),
)
OVERFLOWS = (("stop there", Overflow.STOP.value), ("halve the box", Overflow.HALVE.value))


class NewMachineDialog(Dialog[str]):
    """Makes a machine and keeps it; gives back its name."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s", "make", "Make", show=False)]

    def compose(self) -> ComposeResult:
        """A row an option, beginning with Michie's."""
        with Vertical(classes="dialog"):
            yield Label("A new machine", classes="heading")
            with VerticalScroll(classes="fields"):
                yield self._row("Name", Input(placeholder="letters, digits, - _", compact=True, id="name"))
                presets = [(each.title[:34], each.name) for each in PRESETS]
                yield self._row("Like", self._select("preset", presets, PRESETS[0].name))
                yield self._row("Game", self._select("game", GAMES, "menace"))
                yield self._row("Moves", self._select("seat", (("first", "0"), ("second", "1")), "0"))
                yield self._row("First beads", Input("4,3,2,1", compact=True, id="beads"), "by stage")
                yield self._row("Rewards", Input("3,1,-1", compact=True, id="rewards"), "win, tie, loss")
                yield self._row("Boxes", self._select("boxes", SETS, BoxSet.CHOICE.value))
                yield self._row("Every move", Switch(id="every"), "beads for symmetric moves too")
                yield self._row("Last only", Switch(id="last"), "reward the last box alone")
                yield self._row("Above 127", self._select("overflow", OVERFLOWS, Overflow.STOP.value))
            yield Static("", classes="error")
            with Horizontal(classes="buttons"):
                yield Button("Make", variant="primary", id="ok")
                yield Button("Cancel", id="cancel")

    @staticmethod
    def _row(title: str, field: Input | Select[str] | Switch, note: str = "") -> Horizontal:
        return Horizontal(Label(title, classes="label"), field, Label(note, classes="note"), classes="row")

    @staticmethod
    def _select(
        id: str, options: tuple[tuple[str, str], ...] | list[tuple[str, str]], value: str
    ) -> Select[str]:
        return Select(options, value=value, allow_blank=False, compact=True, id=id)

    def on_mount(self) -> None:
        """A name comes first."""
        self.query_one("#name", Input).styles.width = 24
        self.query_one("#beads", Input).styles.width = 16
        self.query_one("#name", Input).focus()

    @on(Select.Changed, "#preset")
    def preset_chosen(self, event: Select.Changed) -> None:
        """Put the preset's options into the fields."""
        options = next(each.options for each in PRESETS if each.name == event.value)
        self.query_one("#game", Select).value = options.game_id
        self.query_one("#seat", Select).value = str(options.seat)
        self.query_one("#beads", Input).value = ",".join(map(str, options.first_beads))
        self.query_one("#rewards", Input).value = ",".join(map(str, options.rewards))
        self.query_one("#boxes", Select).value = options.box_set.value
        self.query_one("#every", Switch).value = not options.distinct
        self.query_one("#last", Switch).value = options.last_only
        self.query_one("#overflow", Select).value = options.overflow.value

    def _read(self) -> AnyMachine:
        """The machine that the fields ask for.

        Raises:
            InputError: which field is bad and what was expected.
        """
        game, _, parameters = str(self.query_one("#game", Select).value).partition(":")
        name = check_name(self.query_one("#name", Input).value.strip(), game)
        rewards = parse_numbers(self.query_one("#rewards", Input).value, "the rewards")
        if len(rewards) != 3:
            raise InputError("The rewards must be three numbers, for a win, a tie and a loss.")
        options = Options(
            game,
            parameters,
            int(str(self.query_one("#seat", Select).value)),
            BoxSet(str(self.query_one("#boxes", Select).value)),
            not self.query_one("#every", Switch).value,
            parse_first_beads(self.query_one("#beads", Input).value),
            (rewards[0], rewards[1], rewards[2]),
            self.query_one("#last", Switch).value,
            Overflow(str(self.query_one("#overflow", Select).value)),
        )
        if name in self.arcade.machines.listed():
            raise InputError(f"There is a machine {name} already.")
        return Machine(name, options)

    @on(Input.Submitted)
    def action_make(self) -> None:
        """Make the machine, or say what is wrong."""
        try:
            machine = self._read()
            self.arcade.machines.keep(machine)
        except InputError as error:
            self.query_one(".error", Static).update(str(error))
            return
        self.dismiss(machine.name)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Make it, or close."""
        if event.button.id == "ok":
            self.action_make()
        else:
            self.dismiss(None)

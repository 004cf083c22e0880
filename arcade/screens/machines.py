"""The saved machines: choose one, delete it, write it to a file, or read one from a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Button, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from arcade.engines.files import InputError, read_text
from arcade.engines.wording import amount
from arcade.matchbox.archive import from_json, to_json
from arcade.matchbox.box import BoxSet
from arcade.matchbox.machine import (
    PRESETS,
    AnyMachine,
    Machine,
    Options,
    Overflow,
    check_name,
    parse_first_beads,
    parse_numbers,
)
from arcade.matchbox.machines import Pupil, built_in
from arcade.screens.base import Dialog
from arcade.screens.dialogs import Prompt, Question
from arcade.widgets.forms import OFF, ON, Choice, Row
from arcade.widgets.keys import KeyWord, KeyWords


class MachinesDialog(Dialog[str]):
    """Choose a machine by name, or manage the saved ones."""

    CSS: ClassVar[str] = """
    MachinesDialog OptionList { height: auto; max-height: 12; }
    MachinesDialog KeyWords { margin-top: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "delete", "Delete", tooltip="Delete a machine, or reset MENACE and HER"),
        Binding("e", "export", "Export", tooltip="Write a machine to a file"),
        Binding("i", "import", "Import", tooltip="Read a machine from a file"),
        Binding("q", "close", "Close", show=False),
    ]

    def __init__(self, chosen: str | None = None) -> None:
        super().__init__()
        self.chosen = chosen

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static("Which machine?", classes="heading")
            yield OptionList(markup=False)
            yield KeyWords()

    def on_mount(self) -> None:
        words = (("d", "delete", "delete"), ("e", "export", "export"), ("i", "import", "import"))
        self.query_one(KeyWords).show(KeyWord("Enter", "look at it", "choose"), *map(KeyWord._make, words))
        self._try(lambda: self.fill(self.chosen))

    def fill(self, chosen: str | None) -> None:
        """Refresh the list of machines."""
        listed = self.services.machines.listed()
        lines = self.query_one(OptionList)
        lines.clear_options()
        for name, head in listed.items():
            lines.add_option(Option(f"{name}: {head.game_id}, {amount(head.games, 'game')}", id=name))
        lines.highlighted = list(listed).index(chosen) if chosen in listed else 0

    @property
    def name_at(self) -> str:
        """The machine under the cursor.

        Raises:
            InputError: the machines cannot be read.
        """
        at = self.query_one(OptionList).highlighted_option
        if at is None:
            raise InputError("No machines are listed because they could not be read.")
        return str(at.id)

    @on(OptionList.OptionSelected)
    def selected(self, event: OptionList.OptionSelected) -> None:
        """This one."""
        self.dismiss(event.option.id)

    def action_choose(self) -> None:
        self.dismiss(self.name_at)

    def _try(self, work: Callable[[], None]) -> None:
        try:
            work()
        except InputError as error:
            self.notify(str(error), severity="warning", timeout=10)

    def _ask(self, question: str, example: str, work: Callable[[str], None]) -> None:
        """Ask for a line and act on it, or show what is wrong with it."""

        def typed(text: str | None) -> None:
            if text and text.strip():
                self._try(lambda: work(text.strip()))

        self.open(Prompt(question, example), typed)

    def action_delete(self) -> None:
        name = self.name_at
        fresh = built_in(name) is not None
        if fresh and name not in self.services.store.machine_names():
            self.notify(f"{name} is fresh: it has learned nothing yet.")
            return

        def delete() -> None:
            self.services.store.delete_machine(name)
            self.fill(name)
            self.notify(f"{name} is fresh again." if fresh else f"{name} is deleted.")

        def answered(yes: bool | None) -> None:
            if yes:
                self._try(delete)

        question = f"Make {name} forget all" if fresh else f"Delete {name} and all"
        self.open(Question(f"{question} that it has learned?"), answered)

    def action_export(self) -> None:
        name = self.name_at

        def export(file: str) -> None:
            self.notify(self.hand_over(name, to_json(self.services.machines.load(name)), file))

        self._ask(f"Write {name} to which file?", f"e.g. {name}.json", export)

    def action_import(self) -> None:
        def take(file: str) -> None:
            machine = from_json(read_text(os.path.expanduser(file)))
            if machine.name in self.services.machines.listed():
                question = f"There is already a machine {machine.name}. Which name for this one?"
                self._ask(question, "letters, digits, - _", lambda name: self._keep(machine, name))
            else:
                self._keep(machine, machine.name)

        self._ask("Read a machine from which file?", "an exported file", take)

    def _keep(self, machine: AnyMachine, name: str) -> None:
        machine.name = check_name(name, machine.options.game)
        if name in self.services.machines.listed():
            raise InputError(f"There is already a machine {name}.")
        Pupil(machine, None).keep(self.services.store)
        self.fill(name)
        self.notify(f"{name} is saved.")


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
        try:
            machine = self._read()
            Pupil(machine, None).keep(self.services.store)
        except InputError as error:
            self.complain(error)
            return
        self.dismiss(machine.name)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "ok":
            self.action_make()
        else:
            self.dismiss(None)

"""The saved machines: choose one, delete it, write it to a file, or read one from a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from arcade.engines.errors import InputError
from arcade.engines.files import read_text
from arcade.learning.archive import from_json, to_json
from arcade.learning.machine import AnyMachine, check_name
from arcade.learning.machines import FOUNDERS, Pupil
from arcade.screens.base import Dialog
from arcade.screens.prompt import Prompt, Question
from arcade.widgets.key_words import KeyWord, KeyWords
from arcade.words import games


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
        """A line for each machine, and the possible actions."""
        with Vertical(classes="dialog"):
            yield Static("Which machine?", classes="heading")
            yield OptionList(markup=False)
            yield KeyWords()

    def on_mount(self) -> None:
        """Start at the chosen machine."""
        words = (("d", "delete", "delete"), ("e", "export", "export"), ("i", "import", "import"))
        self.query_one(KeyWords).show(KeyWord("Enter", "look at it", "choose"), *map(KeyWord._make, words))
        self._try(lambda: self.fill(self.chosen))

    def fill(self, chosen: str | None) -> None:
        """Refresh the list of machines."""
        listed = self.services.machines.listed()
        lines = self.query_one(OptionList)
        lines.clear_options()
        for name, head in listed.items():
            lines.add_option(Option(f"{name}: {head.game_id}, {games(head.games)}", id=name))
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
        """This one."""
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
        """Delete a machine after a question; MENACE and HER become fresh."""
        name = self.name_at
        founder = any(each.name == name for each in FOUNDERS)
        if founder and name not in self.services.store.machine_names():
            self.notify(f"{name} is fresh: it has learned nothing yet.")
            return

        def delete() -> None:
            self.services.store.delete_machine(name)
            self.fill(name)
            self.notify(f"{name} is fresh again." if founder else f"{name} is deleted.")

        def answered(yes: bool | None) -> None:
            if yes:
                self._try(delete)

        question = f"Make {name} forget all" if founder else f"Delete {name} and all"
        self.open(Question(f"{question} that it has learned?"), answered)

    def action_export(self) -> None:
        """Write a machine to a new file."""
        name = self.name_at

        def export(file: str) -> None:
            self.notify(self.hand_over(name, to_json(self.services.machines.load(name)), file))

        self._ask(f"Write {name} to which file?", f"e.g. {name}.json", export)

    def action_import(self) -> None:
        """Read a machine from a file and save it under a free name."""

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

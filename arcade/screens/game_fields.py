"""The fields of dialogs that say what is played: preset, parameters, files, seed."""

from __future__ import annotations

import os
import secrets
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Select

from arcade.engines.errors import InputError
from arcade.engines.game import OpensFiles
from arcade.engines.parameters import Parameter, Parameters, ParameterValue
from arcade.engines.registry import AnyGame, GameID
from arcade.widgets.fields import OFF, ON, Choice, NumberField, Row

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
        """The rows."""
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

"""Parameters of a match, and their notation in a game ID."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic

from arcade.engines.files import InputError
from arcade.engines.position import P

ParameterValue = int | bool | str
Parameters = Mapping[str, ParameterValue]

MAX_DIGITS = 9

_TYPE_WORDS: Mapping[type, str] = {int: "a whole number", bool: "true or false", str: "text"}


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    title: str
    default: ParameterValue
    """The default value. Its type is the type of the parameter."""
    low: int = 0
    high: int = 0
    """Maximum of a whole-number parameter; `low` is its minimum."""
    choices: tuple[str, ...] = ()
    """Allowed values of a text parameter. If empty, any text is allowed."""
    help: str = ""
    """A note for the user, for example the meaning of the value."""


@dataclass(frozen=True, slots=True)
class Preset:
    title: str
    parameters: str
    """Parameters in the notation of game IDs."""


@dataclass(frozen=True, slots=True)
class StartFiles(Generic[P]):
    labels: tuple[Parameter, ...]
    read: Callable[[Mapping[str, str], Parameters], P]
    """A function that reads the first position from files.

    It receives the parameters and, by label, the names of the files ("" for none). It raises InputError if a
    file is missing or invalid.
    """


@dataclass(frozen=True)
class ParameterSet(Generic[P]):
    known: tuple[Parameter, ...] = ()
    presets: tuple[Preset, ...] = ()
    seeded: bool = False
    """True if the first position also depends on a seed."""
    files: StartFiles[P] | None = None

    @property
    def boards(self) -> tuple[str, ...]:
        return tuple(preset.parameters for preset in self.presets)

    def __iter__(self) -> Iterator[Parameter]:
        return iter(self.known)

    def __len__(self) -> int:
        return len(self.known)

    def check(self, parameters: Parameters) -> dict[str, ParameterValue]:
        """Return valid parameters with the defaults added. Raises InputError if a parameter is invalid."""
        by_name = {parameter.name: parameter for parameter in self}
        for name in parameters:
            if name not in by_name:
                names = ", ".join(by_name) or "none"
                raise InputError(f"Unknown parameter {name!r}. Choose from {names}.")
        checked: dict[str, ParameterValue] = {}
        for name, parameter in by_name.items():
            label, default = parameter.title, parameter.default
            value = parameters.get(name, default)
            if type(value) is not type(default):
                raise InputError(f"{label} must be {_TYPE_WORDS[type(default)]}, not {value!r}.")
            if type(value) is int and not parameter.low <= value <= parameter.high:
                raise InputError(f"{label} must be {parameter.low} to {parameter.high}, not {value}.")
            if parameter.choices and value not in parameter.choices:
                raise InputError(f"{label} must be one of {', '.join(parameter.choices)}, not {value!r}.")
            checked[name] = value
        return checked

    def parse(self, text: str) -> dict[str, ParameterValue]:
        """Read the second part of a game ID, for example "3x4,misere". Raises InputError if it is invalid."""
        return self.check(self._read(text))

    def text(self, parameters: Parameters) -> str:
        """Return parameters as text that `parse` can read."""
        numbers = "x".join(str(parameters[number.name]) for number in self if type(number.default) is int)
        flags = [flag.name for flag in self if flag.default is False and parameters[flag.name]]
        texts = [str(parameters[text.name]) for text in self if isinstance(text.default, str)]
        return ",".join(filter(None, [numbers, *flags, *texts]))

    def of(self, position: P) -> dict[str, ParameterValue]:
        """Return the parameters of a position's board. The base class returns the defaults."""
        return self.parse("")

    def split(self, rest: str) -> tuple[str, str | None, int | None]:
        """Split the part after the game's name into parameters, position text and seed.

        If the game has no parameters, the position follows the name directly, as in "NAME:X.O......". Raises
        InputError if the seed is not a number.
        """
        if not self and not rest.startswith("#"):
            return "", rest.removeprefix(":") or None, None
        # A position may contain #.
        parameters, colon, position = rest.partition(":")
        if colon:
            return parameters, position, None
        parameters, sign, seed = rest.partition("#")
        try:
            return parameters, None, int(seed) if sign else None
        except ValueError:
            raise InputError(f"The seed {seed!r} after # must be a whole number.") from None

    def _read(self, text: str) -> dict[str, ParameterValue]:
        """Read parameters without checking their values. Raises InputError if the text is malformed."""
        if not text:
            return {}
        if not self:
            raise InputError(f"This game has no parameters. Remove {text!r}.")
        numbers = [parameter for parameter in self if type(parameter.default) is int]
        flags = [parameter.name for parameter in self if parameter.default is False]
        first, *words = text.split(",") if numbers else ("", *text.split(","))
        parts = first.lower().replace("×", "x").split("x") if numbers else []
        if len(parts) != len(numbers) or not all(part.isascii() and part.isdecimal() for part in parts):
            example = self.text(self.check({}))
            raise InputError(f"Unknown board {text!r}. Write a board like {example}.")
        if max(map(len, parts), default=0) > MAX_DIGITS:
            raise InputError(f"A number in {text!r} is too long. The limit is {MAX_DIGITS} digits.")
        for word in words:
            if word not in flags:
                known = f"Choose from {', '.join(flags)}" if flags else "This game has no variants"
                raise InputError(f"Unknown variant {word[:40]!r}. {known}.")
            if words.count(word) > 1:
                raise InputError(f"The variant {word!r} is given twice.")
        found: dict[str, ParameterValue] = {
            one.name: int(part) for one, part in zip(numbers, parts, strict=True)
        }
        return found | dict.fromkeys(words, True)

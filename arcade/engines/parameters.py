"""The options of a new game, and how a game ID writes them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arcade.engines.files import InputError

ParameterValue = int | bool | str
Parameters = Mapping[str, ParameterValue]

MAX_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    title: str
    default: ParameterValue
    """Its type is the parameter's type: bool, int or str."""
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    """For a str: the allowed values; empty for free text."""
    help: str = ""


@dataclass(frozen=True, slots=True)
class Preset:
    title: str
    parameters: str
    """Written as in a game ID."""


def check(title: str, known: Iterable[Parameter], given: Parameters) -> dict[str, ParameterValue]:
    """Fill in defaults; raises InputError for an unknown parameter, a wrong type or a broken limit."""
    by_name = {parameter.name: parameter for parameter in known}
    for name in given:
        if name not in by_name:
            raise InputError(f"{title} has no parameter {name!r}; it has {', '.join(by_name) or 'none'}.")
    checked: dict[str, ParameterValue] = {}
    for name, parameter in by_name.items():
        value, label, default = given.get(name, parameter.default), parameter.title, parameter.default
        if type(value) is not type(default):
            raise InputError(f"{label} must be of type {type(default).__name__}, not {value!r}.")
        if type(value) is int and not parameter.low <= value <= parameter.high:
            raise InputError(f"{label} must be {parameter.low} to {parameter.high}, not {value}.")
        if parameter.choices and value not in parameter.choices:
            raise InputError(f"{label} must be one of {', '.join(parameter.choices)}, not {value!r}.")
        checked[name] = value
    return checked


def write(known: Sequence[Parameter], parameters: Parameters) -> str:
    """Write parameters as in a game ID: numbers, what is on, and texts by their values, e.g. "3x4,misere"."""
    numbers = "x".join(str(parameters[number.name]) for number in known if type(number.default) is int)
    flags = [flag.name for flag in known if flag.default is False and parameters[flag.name]]
    texts = [str(parameters[text.name]) for text in known if isinstance(text.default, str)]
    return ",".join(filter(None, [numbers, *flags, *texts]))


def read(title: str, known: Sequence[Parameter], text: str) -> dict[str, ParameterValue]:
    """The inverse of `write` for numbers and yes-or-no parameters; others keep defaults. Else InputError."""
    if not text:
        return {}
    if not known:
        raise InputError(f"{title} has no parameters, so {text!r} has no meaning here.")
    numbers = [parameter for parameter in known if type(parameter.default) is int]
    flags = [parameter.name for parameter in known if parameter.default is False]
    first, *words = text.split(",") if numbers else ("", *text.split(","))
    parts = first.lower().replace("×", "x").split("x") if numbers else []
    if len(parts) != len(numbers) or not all(part.isascii() and part.isdecimal() for part in parts):
        example = write(known, {each.name: each.default for each in known})
        raise InputError(f"{title} has no board {text!r}: one is written like {example}.")
    if max(map(len, parts), default=0) > MAX_DIGITS:
        raise InputError(f"The parameters {text!r} of {title} are too large.")
    for word in words:
        if word not in flags:
            variants = ", ".join(flags) or "none"
            raise InputError(f"There is no variant {word[:40]!r} of {title}; the variants are {variants}.")
        if words.count(word) > 1:
            raise InputError(f"The variant {word!r} is given twice.")
    found: dict[str, ParameterValue] = {one.name: int(part) for one, part in zip(numbers, parts, strict=True)}
    return found | dict.fromkeys(words, True)

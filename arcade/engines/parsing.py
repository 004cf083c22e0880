"""Parse external JSON and TOML into dataclasses."""

import json
import re
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from arcade.engines.files import MAX_BYTES, InputError

T = TypeVar("T")

_WORDS = {int: "a whole number", float: "a number", str: "text", bool: "true or false", NoneType: "null"}
_STEP = re.compile(r"\.(?P<name>[^.\[\]]+)|\[(?P<index>[^\]]*)\]")


_CONVERTING = threading.RLock()
"""A lock for msgspec 0.22, which crashes if two threads are the first to read the same dataclass."""


@contextmanager
def error_context(what: str) -> Iterator[None]:
    """Turn a ValueError into an InputError whose message begins with `what`."""
    try:
        yield
    except ValueError as error:
        raise InputError(f"{what}: {error}") from None


def read_json(text: str, kind: type[T], most: int = MAX_BYTES, others: bool = False) -> T:
    """Read JSON text as a value of type `kind`. See `parse_json` and `convert`."""
    return convert(parse_json(text, most), kind, others=others)


def parse_json(text: str, most: int = MAX_BYTES) -> Any:
    """Read JSON. Raises InputError if it is invalid, repeats a name or has more than `most` characters."""
    if len(text) > most:
        raise InputError(f"it has {len(text):,} characters; the limit is {most:,}.")
    try:
        return json.loads(text, object_pairs_hook=_without_repeats)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"it is not valid JSON ({where}: {error.msg}).") from None
    except InputError:
        raise
    except (RecursionError, ValueError):
        raise InputError("it is not valid JSON: a number is too long or the nesting is too deep.") from None


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    by_name = dict(pairs)
    if len(by_name) < len(pairs):
        twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise InputError(f"it names {_shown(twice)} twice in one object.")
    return by_name


def convert(data: Any, kind: type[T], place: str = "", others: bool = False) -> T:
    """Convert JSON data strictly to a type. Raises InputError if the data does not fit.

    The message begins with `place`, the place of the data in a larger document. If `others` is True, unknown
    fields are ignored. A ValueError in a dataclass's `__post_init__` becomes an InputError.
    """
    import msgspec  # loads msgspec

    try:
        with _CONVERTING:
            value = msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise InputError(f"{_reason(str(error), data, kind, place)}.") from None
    except UnicodeEncodeError:
        raise InputError("it contains a name that is not valid Unicode text.") from None
    _check(data, value, place, others)
    return value


def check_limits(number: int, limits: tuple[int, int], place: str) -> None:
    """Raise InputError if a number is outside the limits. The message begins with `place`."""
    low, high = limits
    if not low <= number <= high:
        raise InputError(f"{place} must be a whole number from {low} to {high}, not {number}.")


def _check(data: Any, value: Any, place: str, others: bool) -> None:
    """Reject unknown fields and texts that could control the terminal. (msgspec accepts both.)"""
    if isinstance(data, str):
        if not data.isprintable():
            raise InputError(f"{_named(place)} must be printable text, not {_shown(data)}.")
    elif isinstance(data, list):
        for number, item in enumerate(data):
            if isinstance(item, str | list | dict):
                inside = value[number] if isinstance(value, Sequence) else None
                _check(item, inside, f"{place}[{number}]", others)
    elif isinstance(data, dict) and is_dataclass(value):
        names = [field.name for field in fields(value)]
        for name in data:
            if name in names:
                _check(data[name], getattr(value, name), f"{place}.{name}", others)
            elif not others:
                raise InputError(f"{_named(place)} has an unknown field {_shown(name)}.")
    elif isinstance(data, dict):
        for name, item in data.items():
            _check(name, name, place, others)
            _check(item, value[name], f"{place}[{_shown(name)}]", others)


def _named(place: str) -> str:
    return place.removeprefix(".") or "it"


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _reason(error: str, data: Any, kind: Any, place: str) -> str:
    """Return a message for a msgspec error, with the dictionary keys that msgspec omits from its path."""
    said, _, path = error.removesuffix("`").partition(" - at `$")
    for step in _STEP.finditer(path):
        kind = next(option for option in _options(kind) if option is not NoneType)
        if name := step["name"]:
            data, kind, place = data[name], get_type_hints(kind)[name], f"{place}.{name}"
        elif step["index"] == "...":
            kind = get_args(kind)[1]
            key = next(key for key, item in data.items() if not _fits(item, kind))
            data, place = data[key], f"{place}[{_shown(key)}]"
        else:
            index, kinds = int(step["index"]), get_args(kind)
            kind = kinds[0] if len(kinds) == 1 or kinds[1] is Ellipsis else kinds[index]
            data, place = data[index], f"{place}[{index}]"
    if said.startswith("Object missing required field"):
        missing = said.split("`")[1]
        return f"{_named(f'{place}.{missing}')} is missing"
    if said.startswith(("Expected", "Invalid enum value")):
        return f"{_named(place)} must be {' or '.join(map(_in_words, _options(kind)))}, not {_shown(data)}"
    return f"{_named(place)}: {said.rstrip('.')}" if place else said.rstrip(".")


def _fits(data: Any, kind: Any) -> bool:
    import msgspec  # loads msgspec

    try:
        with _CONVERTING:
            msgspec.convert(data, kind)
    except msgspec.ValidationError:
        return False
    return True


def _options(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _in_words(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return f"one of {', '.join(map(str, get_args(kind)))}"
    if get_origin(kind) in (list, tuple):
        kinds = get_args(kind)
        return f"a list of {len(kinds)}" if len(kinds) > 1 and kinds[1] is not Ellipsis else "a list"
    if isinstance(kind, type) and issubclass(kind, Enum):
        return f"one of {', '.join(str(member.value) for member in kind)}"
    return _WORDS.get(kind, "an object")

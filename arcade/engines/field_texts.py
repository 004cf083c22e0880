"""Default texts of positions, with a word for each field. The texts are safe in game IDs and in a shell.

7  -3  2.5  True  None     Python's own notation.
=over%20there              A text, percent-encoded except for letters, digits and _ . -
Colour.RED                 A member of an enumeration.
@2,1,@2,2,3  +2,4,5        A tuple and a frozenset: the length, then the elements.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from enum import Enum
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints
from urllib.parse import quote, unquote

_WORDS = {"None": None, "False": False, "True": True}


def write_fields(position: Any) -> str:
    """Return a position's fields as text. Raises TypeError if a field has an unsupported type."""
    return "/".join(_text(getattr(position, field.name)) for field in fields(position) if field.init)


def read_fields(text: str, kind: type[Any]) -> Any:
    """Return a position of type `kind` with the fields in `text`. Invalid text can raise any exception."""
    names = [field.name for field in fields(kind) if field.init]
    hints: dict[str, Any] = {}
    # An annotation may name types imported for type checkers only.
    with suppress(NameError):
        hints = get_type_hints(kind)
    enums = {enum.__name__: enum for hint in hints.values() for enum in _enums(hint)}
    values = [_value(deque(word.split(",")), enums) for word in text.split("/")]
    position = kind(**dict(zip(names, values, strict=True)))
    if write_fields(position) != text or not all(
        map(_fits, values, (hints.get(name, Any) for name in names))
    ):
        raise ValueError(text)
    return position


def _text(value: Any) -> str:
    kind = type(value)
    if isinstance(value, Enum):
        return f"{kind.__name__}.{value.name}"
    if value is None or kind in (bool, int, float):
        return repr(value)
    if kind is str:
        return "=" + quote(value, safe="", errors="surrogatepass").replace("~", "%7E")
    if kind is tuple:
        return ",".join([f"@{len(value)}", *map(_text, value)])
    if kind is frozenset:
        return ",".join([f"+{len(value)}", *sorted(map(_text, value))])
    raise TypeError(f"A field of type {kind.__name__} has no default text. Override text and parse_position.")


def _value(parts: deque[str], enums: dict[str, type[Enum]]) -> Any:
    """Read a value. It may be a text that `_text` never writes; `read_fields` rejects such texts."""
    first = parts.popleft()
    if first[0] in "@+":
        items = [_value(parts, enums) for _ in range(int(first[1:]))]
        return tuple(items) if first[0] == "@" else frozenset(items)
    if first.startswith("="):
        return unquote(first[1:], errors="surrogatepass")
    if first in _WORDS:
        return _WORDS[first]
    name, _, member = first.partition(".")
    if name in enums:
        return enums[name][member]
    with suppress(ValueError):
        return int(first)
    return float(first)


def _enums(hint: Any) -> Iterator[type[Enum]]:
    if isinstance(hint, type) and issubclass(hint, Enum):
        yield hint
    for inner in get_args(hint):
        yield from _enums(inner)


def _fits(value: Any, hint: Any) -> bool:
    kind: Any = get_origin(hint) or hint
    inner = get_args(hint)
    if kind in (Union, UnionType):
        return any(_fits(value, choice) for choice in inner)
    if hint is Any or not isinstance(kind, type):
        return True
    if kind is float:
        return type(value) in (int, float)
    if inner and isinstance(value, tuple) and kind is tuple:
        hints = inner[:1] * len(value) if inner[-1] is ... else inner
        return len(hints) == len(value) and all(map(_fits, value, hints))
    if inner and isinstance(value, frozenset) and kind is frozenset:
        return all(_fits(item, inner[0]) for item in value)
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))

"""Numbers and lists in words, for positions that are told instead of shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")


def counted(number: int, noun: str) -> str:
    """A number with its noun, up to eleven in words, e.g. "one row", "four squares", "18 squares"."""
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{word} {noun}" if number == 1 else f"{word} {noun}s"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words in a list, e.g. "a", "a and b", "a, b and c"."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def runs(numbers: Iterable[int], name: Callable[[int], str] = str) -> list[str]:
    """Rising numbers in words, neighbours together: 1, 2, 3, 5 give "1 to 3" and "5".

    Args:
        numbers: the numbers.
        name: what a number is called.
    """
    found: list[list[int]] = []
    for each in numbers:
        if found and found[-1][-1] == each - 1:
            found[-1].append(each)
        else:
            found.append([each])
    words: list[str] = []
    for run in found:
        long = len(run) > 2
        words += [f"{name(run[0])} to {name(run[-1])}"] if long else [name(each) for each in run]
    return words


def places(noun: str, numbers: Sequence[int]) -> str:
    """Rising numbers, counted from 0, as people count them: "column 4", "columns 1 to 3 and 5"."""
    return f"{noun}{'s' * (len(numbers) > 1)} {listed(runs(numbers, lambda each: str(each + 1)))}"


def printable(text: str) -> str:
    """Make text harmless for a terminal.

    As in `repr`, it escapes control characters (including line ends), text direction marks, unusual spaces
    and undecodable bytes; an escape becomes \\x1b.
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def in_moves(text: str) -> str:
    """A sentence of a solver for a person: moves instead of plies."""
    return re.sub(r"\bpl(y|ies)\b", lambda found: "move" if found[1] == "y" else "moves", text)


def games(count: int) -> str:
    """A number of games, e.g. "1,000 games"."""
    return "1 game" if count == 1 else f"{count:,} games"


def moves(count: int | str) -> str:
    """A number of moves, or a range of numbers, e.g. "1 move" or "2 to 4 moves"."""
    return f"{count} move" if str(count) == "1" else f"{count} moves"


def matches(count: int) -> str:
    """A number of matches, e.g. "1,000 matches"."""
    return "1 match" if count == 1 else f"{count:,} matches"

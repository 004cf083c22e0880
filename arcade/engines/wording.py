"""Format numbers, plurals and lists for sentences, and address a player as "you"."""

import re
from collections.abc import Callable, Iterable, Sequence

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")


def quantity(number: int | str, noun: str, plural: str = "") -> str:
    """Return a quantity such as "1 game", "1,000 matches" or "2 to 4 moves"."""
    figures = number if isinstance(number, str) else f"{number:,}"
    return f"{figures} {noun if figures == '1' else plural or f'{noun}s'}"


def plies(count: int) -> str:
    return quantity(count, "ply", "plies")


def moves(count: int | str) -> str:
    return quantity(count, "move")


def move_count(plies: int) -> int:
    """Return the number of the winner's moves in a number of plies, for example 3 in 5 plies."""
    return (plies + 1) // 2


def full_moves(plies: int) -> str:
    return moves(move_count(plies))


def matches(count: int) -> str:
    return quantity(count, "match", "matches")


def capitalize(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def spelled_quantity(number: int, noun: str) -> str:
    """Return a quantity with numbers up to eleven in words: "one row", "18 squares"."""
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    return f"{word} {noun}" if number == 1 else f"{word} {noun}s"


def join_words(words: Sequence[str], last: str = "and") -> str:
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def ranges(numbers: Iterable[int], name: Callable[[int], str] = str) -> list[str]:
    """Return numbers as text with runs joined: 1, 2, 3, 5 become "1 to 3" and "5"."""
    neighbours: list[list[int]] = []
    for number in numbers:
        if neighbours and neighbours[-1][-1] == number - 1:
            neighbours[-1].append(number)
        else:
            neighbours.append([number])
    words: list[str] = []
    for run in neighbours:
        words += [f"{name(run[0])} to {name(run[-1])}"] if len(run) > 2 else map(name, run)
    return words


def places(noun: str, numbers: Sequence[int]) -> str:
    """Return zero-based numbers in ascending order as text: 0, 1, 2, 4 become "columns 1 to 3 and 5"."""
    return f"{noun}{'s' * (len(numbers) > 1)} {join_words(ranges(numbers, lambda number: str(number + 1)))}"


def printable(text: str) -> str:
    r"""Escape characters that could affect a terminal, as `repr` does: Escape becomes \x1b."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


OPPONENTS = {"First": "Second", "Second": "First"}
"""The other side of each side whose name could be mistaken for a number."""


def address(side: str, told: str) -> str:
    """Rewrite sentences about both sides for the player of `side`: "First plays" becomes "You play".

    If `side` is First or Second, "your opponent" replaces the name of the other side.
    """
    if side in OPPONENTS:
        told = re.sub(rf"\b{OPPONENTS[side]}\b", "your opponent", told)
    side = re.escape(side)
    told = re.sub(rf"\bof {side}\b", "of yours", re.sub(rf"\b{side}'s\b", "your", told))
    told = re.sub(rf"\b{side} (\w+)s\b", _you_do, told)
    return re.sub(r"(^|\. )you", r"\1You", re.sub(rf"\b{side}\b", "you", told))


def _you_do(found: re.Match[str]) -> str:
    verb = re.sub("(?<=ch|sh|ss|go)e$", "", found[1])
    return f"you {'have' if verb == 'ha' else verb}"

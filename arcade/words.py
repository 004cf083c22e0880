"""Numbers in words, and text from outside."""

from __future__ import annotations

import re


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

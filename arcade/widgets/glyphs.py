"""The arcade's special characters, each with a plain ASCII version.

None is an emoji or of ambiguous width, so a board's columns align in every terminal.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any
from unicodedata import normalize

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter

from arcade.engines.verdict import DuelVerdict, Proof, ScoreVerdict, Value, Verdict
from arcade.match.match import Mark


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of characters, each one column wide."""

    win: str
    loss: str
    tie: str
    unknown: str
    turn: str
    """Points at the seat to move."""
    only: str
    kept: str
    threw: str
    played: str
    """The played move in the value graph."""
    other: str
    """Another move in the value graph."""
    dot: str
    """A faint dot on an empty square."""
    hatch: str
    """Fills areas that would be removed or cannot be used."""
    middle: str
    """Separates clauses on one line."""
    dash: str
    """Draws an interval, repeated."""

    def value(self, value: Value | None) -> str:
        if value is None:
            return self.unknown
        return {Value.WIN: self.win, Value.LOSS: self.loss, Value.TIE: self.tie}[value]

    def mark(self, mark: Mark | None) -> str:
        """The sign of a mark; a space if unknown."""
        if mark is None:
            return " "
        if mark in (Mark.LOST, Mark.HINTED):
            return "-" if mark is Mark.LOST else "i"
        return {Mark.ONLY: self.only, Mark.KEPT: self.kept, Mark.THREW: self.threw}[mark]

    def verdict(self, verdict: Verdict) -> str:
        """A verdict in a few columns: sign and remoteness or a proved limit of it; or the best score."""
        if isinstance(verdict, ScoreVerdict):
            if verdict.best is not None:
                return f"{verdict.best}"
            return self.unknown if verdict.bound is None else f"<={verdict.bound}"
        sign = self.value(verdict.value)
        if verdict.remoteness is not None:
            return f"{sign}{verdict.remoteness}"
        if not isinstance(verdict, DuelVerdict):
            return sign
        if verdict.value is Value.LOSS and verdict.at_least:
            return f"{sign}>{verdict.at_least}"
        if verdict.proof is Proof.BOUND and verdict.at_most is not None:
            return f"{sign}<{verdict.at_most}"
        return sign


UNICODE = Glyphs("▴", "▾", "=", "?", "▸", "!", "∙", "✗", "◉", "∘", "∙", "░", "∙", "╌")
ASCII = Glyphs("+", "-", "=", "?", ">", "!", ".", "x", "O", ".", ".", ":", "-", "-")

ALL = tuple(getattr(glyphs, field.name) for glyphs in (UNICODE, ASCII) for field in fields(Glyphs))
"""All characters of both sets, so that a test can check their widths."""


FRAMES = str.maketrans(
    {
        **dict.fromkeys("─━═┄╌╴╶▔▁‾–—−", "-"),
        **dict.fromkeys("│┃║┆╎▌▐▊▋▍▎▏▕▉", "|"),
        **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼╔╗╚╝╒╕╘╛╞╡", "+"),
        **dict.fromkeys("█▓▒▇▆", "#"),
        **dict.fromkeys("░▄▅▃▂▖▗▘▝▚▞▙▟▛▜▀", ":"),
        **dict.fromkeys("▲△▴↑", "^"),
        **dict.fromkeys("▼▽▾↓", "v"),
        **dict.fromkeys("▶▸►→›", ">"),
        **dict.fromkeys("◀◂◄←‹", "<"),
        **dict.fromkeys("•◦∙·∘", "."),
        **dict.fromkeys("●◉○■▪", "o"),
        **dict.fromkeys("‘’", "'"),
        **dict.fromkeys("“”", '"'),
        "×": "x",
        "±": "~",
        "✗": "x",
        "✓": "+",
        "…": ".",
        "≤": "<",
        "≥": ">",
    }
)
"""Plain characters for those of Textual's frames, lists and scroll bars, and for those of our own words."""


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """A text in ASCII that takes as many columns."""
    text = text.translate(FRAMES)
    if text.isascii():
        return text
    return "".join(_plain(character) for character in text)


def _plain(character: str) -> str:
    width = cell_len(character)
    # A letter without its accent; a question mark for what has no such letter.
    letters = "".join(each for each in normalize("NFKD", character) if each.isascii())
    return letters if len(letters) == width else "?" * width


class PlainFilter(LineFilter):
    """Puts a plain character for each that is not in ASCII, in whatever widget it stands."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            each if each.text.isascii() else Segment(plain(each.text), each.style, each.control)
            for each in segments
        ]


def glyphs_of(app: App[Any]) -> Glyphs:
    """The characters in use by an app's widgets."""
    return ASCII if getattr(app, "ascii", False) else UNICODE


def value_style(value: Value | None) -> str:
    """The name of the theme's colour for a value."""
    if value is None:
        return "$faint"
    return {Value.WIN: "$win", Value.LOSS: "$loss", Value.TIE: "$tie"}[value]

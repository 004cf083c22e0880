"""The arcade's special characters, each with an ASCII version.

None of them is an emoji or has an ambiguous width, so columns align in every terminal.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from unicodedata import normalize

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter

from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, ScoreVerdict, Value, Verdict
from arcade.engines.wording import move_count
from arcade.store.record import Mark
from arcade.widgets import read_table


@dataclass(frozen=True, slots=True)
class Glyphs:
    """A set of characters, each one column wide."""

    win: str
    loss: str
    tie: str
    unknown: str
    turn: str
    only: str
    kept: str
    threw: str
    played: str
    other: str
    dot: str
    hatch: str
    dash: str

    def value(self, value: Value | None) -> str:
        if value is None:
            return self.unknown
        return {Value.WIN: self.win, Value.LOSS: self.loss, Value.TIE: self.tie}[value]

    def mark(self, mark: Mark | None) -> str:
        if mark is None:
            return " "
        if mark in (Mark.INACCURACY, Mark.HINTED):
            return "-" if mark is Mark.INACCURACY else "i"
        return {Mark.ONLY: self.only, Mark.GOOD: self.kept, Mark.BLUNDER: self.threw}[mark]

    def verdict(self, verdict: Verdict) -> str:
        """Write a verdict in a few columns: its sign with a number of moves or a bound, or the best score."""
        if isinstance(verdict, ScoreVerdict):
            if verdict.best is not None:
                return f"{verdict.best}"
            return self.unknown if verdict.bound is None else f"<={verdict.bound}"
        sign = self.value(verdict.value)
        if verdict.remoteness is not None:
            return f"{sign}{move_count(verdict.remoteness)}"
        if not isinstance(verdict, DuelVerdict):
            return sign
        if verdict.value is Value.LOSS and verdict.at_least:
            return f"{sign}>{move_count(verdict.at_least)}"
        if verdict.proof is Proof.BOUND and verdict.at_most is not None:
            return f"{sign}<{move_count(verdict.at_most)}"
        return sign


UNICODE = Glyphs("▴", "▾", "=", "?", "▸", "!", "∙", "✗", "◉", "∘", "∙", "░", "╌")
ASCII = Glyphs("+", "-", "=", "?", ">", "!", ".", "x", "O", ".", ".", ":", "-")

FRAMES = str.maketrans({each: sign for sign, letters in read_table("ascii.toml").items() for each in letters})


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    text = text.translate(FRAMES)
    return text if text.isascii() else "".join(_plain(character) for character in text)


def _plain(character: str) -> str:
    width = cell_len(character)
    # The letter without its accent, or a question mark if there is no such letter.
    letters = "".join(letter for letter in normalize("NFKD", character) if letter.isascii())
    return letters if len(letters) == width else "?" * width


class PlainFilter(LineFilter):
    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            part if part.text.isascii() else Segment(plain(part.text), part.style, part.control)
            for part in segments
        ]


def glyphs_of(app: App[Any]) -> Glyphs:
    return ASCII if getattr(app, "ascii", False) else UNICODE


def value_colour(value: Value | None) -> str:
    return "faint" if value is None else value.value


BAR = "▬"

BEADS = ("◉", "o")


def dots(count: int, glyphs: Glyphs) -> str:
    return BEADS[glyphs is ASCII] * count


def bar(share: float, width: int, glyphs: Glyphs) -> str:
    """Draw a bar for a share from 0 to 1. The bar for any share above 0 has at least one column."""
    columns = max(round(share * width), 1) if share > 0 else 0
    return ("=" if glyphs is ASCII else BAR) * min(columns, width)


def perfect_mark(known: MoveVerdict[object], glyphs: Glyphs) -> str:
    return glyphs.verdict(known.verdict) + ("*" if known.best else "")


LEVELS = ((0.01, "∘", "."), (0.25, "▖", ":"), (0.5, "▚", "+"), (0.75, "▙", "%"), (1.01, "✗", "#"))
"""Levels of a box's error, each with its upper limit, its Unicode sign and its ASCII sign."""

EMPTY_GLYPHS = ("∅", "0")


def error_glyph(error: float | None, glyphs: Glyphs) -> str:
    """Return the sign for an error. If `error` is None, return the sign for an empty box."""
    plain = glyphs is ASCII
    if error is None:
        return EMPTY_GLYPHS[plain]
    return next(signs[plain] for limit, *signs in LEVELS if error < limit)


def error_percent(error: float | None) -> str:
    """Write an error in four columns, for example " 37%"."""
    if error is None:
        return "   -"
    if 0 < error < 0.01:
        return " <1%"
    return f"{error:4.0%}"

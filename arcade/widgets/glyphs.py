"""The characters that stand for things, each with a twin in plain ASCII.

None of them is an emoji or of ambiguous width, so a board's columns line up in every terminal.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from arcade.engines.verdict import Proof, Value, Verdict
from arcade.match import Mark


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
    """The move that was played, in the value graph."""
    other: str
    """A move that was not played, in the value graph."""
    dot: str
    """A faint dot on an empty square."""
    hatch: str
    """Fills what would be taken away, or cannot be used."""
    middle: str
    """Separates clauses on one line."""

    def value(self, value: Value | None) -> str:
        """The sign of a value."""
        if value is None:
            return self.unknown
        return {Value.WIN: self.win, Value.LOSS: self.loss, Value.TIE: self.tie}[value]

    def mark(self, mark: Mark | None) -> str:
        """The sign of what a move was worth; a blank when it is not known."""
        if mark is None:
            return " "
        return {Mark.ONLY: self.only, Mark.KEPT: self.kept, Mark.THREW: self.threw}[mark]

    def verdict(self, verdict: Verdict) -> str:
        """A verdict in a few columns: sign and remoteness, or a limit of it that is proved; or best score."""
        if verdict.best is not None:
            return f"{verdict.best}"
        if verdict.bound is not None:
            return f"<={verdict.bound}"
        sign = self.value(verdict.value)
        if verdict.remoteness is not None:
            return f"{sign}{verdict.remoteness}"
        if verdict.value is Value.LOSS and verdict.at_least:
            return f"{sign}>{verdict.at_least}"
        if verdict.proof is Proof.BOUND and verdict.at_most is not None:
            return f"{sign}<{verdict.at_most}"
        return sign


UNICODE = Glyphs("▴", "▾", "=", "?", "▸", "!", "∙", "✗", "◉", "∘", "∙", "░", "∙")
ASCII = Glyphs("+", "-", "=", "?", ">", "!", ".", "x", "O", ".", ".", ":", "-")

ALL = tuple(getattr(glyphs, field.name) for glyphs in (UNICODE, ASCII) for field in fields(Glyphs))
"""Every character of both sets, for the test of their widths."""


def value_style(value: Value | None) -> str:
    """The name of the theme's colour for a value."""
    if value is None:
        return "$faint"
    return {Value.WIN: "$win", Value.LOSS: "$loss", Value.TIE: "$tie"}[value]

"""Beads on the screen: a colour for each slot of a box, dots and bars, and how good a box is."""

from __future__ import annotations

from rich.color import Color

from arcade.engines.verdict import MoveVerdict
from arcade.widgets.glyphs import ASCII, Glyphs

DARK_COLOURS = (
    *("#f08079", "#e8a25a", "#e0cb58", "#9ccb6a", "#5cc4b0"),
    *("#6db3ea", "#a79bf5", "#e08fdc", "#c9c3b5"),
)
LIGHT_COLOURS = (
    *("#a8322a", "#97520c", "#766300", "#3b711d", "#0f6b5f"),
    *("#1d5c90", "#4f40ad", "#86297f", "#57524a"),
)

BAR = "▬"
"""The character of a bar; "=" in ASCII."""


def bead_colour(slot: int, dark: bool) -> Color:
    return Color.parse((DARK_COLOURS if dark else LIGHT_COLOURS)[slot])


BEADS = ("◉", "o")
"""One bead, and the same in ASCII."""


def dots(count: int, glyphs: Glyphs) -> str:
    return BEADS[glyphs is ASCII] * count


def bar(share: float, width: int, glyphs: Glyphs) -> str:
    """A bar for a share from 0 to 1; any share above 0 gets at least one column."""
    columns = max(round(share * width), 1) if share > 0 else 0
    return ("=" if glyphs is ASCII else BAR) * min(columns, width)


def perfect_mark(each: MoveVerdict[object], glyphs: Glyphs) -> str:
    """Perfect play's verdict of a move, in up to four columns; * marks the best."""
    return glyphs.verdict(each.verdict) + ("*" if each.best else "")


LEVELS = ((0.01, "∘", "."), (0.25, "▖", ":"), (0.5, "▚", "+"), (0.75, "▙", "%"), (1.01, "✗", "#"))
"""Levels of a box's error: the upper limit of each level, and its glyphs."""

EMPTY_GLYPHS = ("∅", "0")


def error_glyph(error: float | None, glyphs: Glyphs) -> str:
    """The sign for how often a box loses the value of its position; None for an empty box."""
    plain = glyphs is ASCII
    if error is None:
        return EMPTY_GLYPHS[plain]
    return next(signs[plain] for limit, *signs in LEVELS if error < limit)


def error_percent(error: float | None) -> str:
    """An error in three columns and a per cent sign, e.g. " 37%"."""
    if error is None:
        return "   -"
    if 0 < error < 0.01:
        return " <1%"
    return f"{error:4.0%}"


def blend(first: Color, second: Color, share: float) -> Color:
    """A colour between two."""
    one, two = first.get_truecolor(), second.get_truecolor()
    mixed = [round(a + (b - a) * share) for a, b in zip(one, two, strict=True)]
    return Color.from_rgb(*mixed)


def error_ground(error: float | None, good: Color, bad: Color, base: Color) -> Color:
    """The shade behind a box's error: from a good to a bad colour, dimmed towards the base."""
    if error is None:
        return base
    return blend(blend(good, bad, min(error * 1.5, 1.0)), base, 0.55)


def bead_ground(share: float, bright: Color, base: Color) -> Color:
    """The shade behind a number of beads by its share of the box."""
    return blend(base, bright, 0.15 + 0.6 * share) if share > 0 else base


ALL_SIGNS = "".join((BAR, *BEADS, *EMPTY_GLYPHS, *(sign for _, *signs in LEVELS for sign in signs)))
"""All special characters drawn here, so that a test can check their widths."""

"""Colours for terminals that have only 16 colours."""

from colorsys import rgb_to_hsv
from functools import lru_cache

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as Background
from textual.filter import LineFilter

BRIGHTNESS = (0.0, 0.24, 0.47, 0.7, 0.1, 0.33, 0.57, 0.9, 0.5, 0.3, 0.65, 0.93, 0.4, 0.42, 0.8, 1.0)
"""Approximate brightness of a terminal's 16 colours, from 0 to 1."""

MIN_CONTRAST = 0.35
"""Minimum difference in brightness between words and background."""

MIN_SATURATION = 0.28
"""Minimum saturation. Paler colours are shown as grey."""

GREYS = (0.17, 0.65, 0.9)
"""Limits between black, dark grey, light grey and white, as brightness from 0 to 1."""

HUES = ((0.04, 1), (0.2, 3), (0.42, 2), (0.54, 6), (0.72, 4), (0.92, 5), (1.0, 1))
"""Upper limits of the hues red, yellow, green, cyan, blue, magenta and red, each with its ANSI number."""

DIM, BRIGHT = 0.28, 0.75
"""Colours with an HSV value below the first are shown as black, those above the second as bright."""


class SixteenColours(LineFilter):
    """A filter that reduces colours to 16. It keeps hues and makes words readable.

    If it chose the nearest of the 16 colours instead, most of the screen would be grey.
    """

    def apply(self, segments: list[Segment], background: Background) -> list[Segment]:
        return [
            Segment(part.text, part.style and in_sixteen(part.style, _drawn(part.text)), part.control)
            for part in segments
        ]


def _drawn(text: str) -> bool:
    """Return True if a text contains block characters, which need no contrast."""
    return any("\u2580" <= character <= "\u259f" for character in text)


@lru_cache(maxsize=1024)
def in_sixteen(style: Style, drawn: bool) -> Style:
    colour, ground = _of_sixteen(style.color), _of_sixteen(style.bgcolor)
    if not drawn and colour and ground and colour.number is not None and ground.number is not None:
        behind = BRIGHTNESS[ground.number]
        if abs(BRIGHTNESS[colour.number] - behind) < MIN_CONTRAST:
            colour = Color.from_ansi(0 if behind > 0.5 else 15)
    return style + Style(color=colour, bgcolor=ground)


def _of_sixteen(colour: Color | None) -> Color | None:
    if colour is None or colour.is_default or (colour.number is not None and colour.number < 16):
        return colour
    red, green, blue = (part / 255 for part in colour.get_truecolor())
    hue, saturation, value = rgb_to_hsv(red, green, blue)
    if saturation < MIN_SATURATION:
        return Color.from_ansi((0, 8, 7, 15)[sum(value > limit for limit in GREYS)])
    if value < DIM:
        return Color.from_ansi(0)
    number = next(number for limit, number in HUES if hue <= limit)
    return Color.from_ansi(number + (8 if value > BRIGHT else 0))

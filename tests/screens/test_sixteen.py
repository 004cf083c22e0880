"""Colours for terminals that have only 16."""

from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from arcade.widgets.sixteen import SixteenColours
from arcade.widgets.themes import THEMES


def colour_of(style: str, text: str = "x") -> int | None:
    (segment,) = SixteenColours().apply([Segment(text, Style.parse(style))], Color(0, 0, 0))
    assert segment.style is not None
    assert segment.style.color is not None
    return segment.style.color.number


def test_text_is_readable_in_16_colours() -> None:
    assert colour_of("bright_black on bright_black") == 15
    assert colour_of("#f7f3ea on #e8e4dc") == 0
    # What is only drawn keeps its colour.
    assert colour_of("bright_black on bright_black", "▟") == 8


def test_hue_is_kept_in_16_colours() -> None:
    for theme in THEMES:
        assert colour_of(theme.success or "") in (2, 10), theme.name
        assert colour_of(theme.error or "") in (1, 9), theme.name
        assert colour_of(theme.warning or "") in (3, 11), theme.name
    # What looks grey is grey, and what is nearly black is black.
    assert colour_of("#979bab") == 7
    assert colour_of("#46290f") == 0

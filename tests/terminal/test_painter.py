from typing import Any

import pyte
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from arcade.terminal.painter import Changes, Painter
from arcade.widgets.themes import THEMES

COLUMNS, LINES = 24, 4

COLOURS = st.sampled_from([None, "#102030", "#e8e4dc", "red", "bright_blue", "color(141)"])
STYLES = st.one_of(
    st.none(),
    st.builds(
        Style,
        color=COLOURS,
        bgcolor=COLOURS,
        bold=st.booleans(),
        italic=st.booleans(),
        underline=st.booleans(),
        reverse=st.booleans(),
    ),
)
TEXTS = st.text(st.sampled_from("ab  ▟∙-"), min_size=1, max_size=6)
SEGMENTS = st.lists(st.tuples(TEXTS, STYLES).map(lambda drawn: Segment(*drawn)), min_size=1, max_size=4)


@st.composite
def updates(draw: st.DrawFn) -> LayoutUpdate:
    region = draw(
        st.builds(
            Region, st.integers(0, COLUMNS - 1), st.integers(0, LINES - 1), st.just(COLUMNS), st.just(LINES)
        )
    )
    region = region.intersection(Region(0, 0, COLUMNS, LINES))
    strips = [[Strip(draw(SEGMENTS)).crop_extend(0, region.width, None)] for _ in range(region.height)]
    return LayoutUpdate(list(strips), region)


def shown(screen: pyte.Screen) -> list[list[tuple[Any, ...]]]:
    return [
        [
            (
                cell.data,
                cell.bg,
                cell.underscore,
                cell.reverse,
                (cell.fg, cell.bold, cell.italics)
                if cell.data != " " or cell.underscore or cell.reverse
                else None,
            )
            for cell in (screen.buffer[y][x] for x in range(COLUMNS))
        ]
        for y in range(LINES)
    ]


@given(st.lists(updates(), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None, phases=(Phase.explicit, Phase.generate))
def test_the_terminal_shows_what_textual_would_write(drawn: list[LayoutUpdate]) -> None:
    # Textual keeps a style's sequence for the first kind of colours that is asked for, so there is only one.
    console = Console(color_system="truecolor")
    painter = Painter()
    ours, theirs = pyte.Screen(COLUMNS, LINES), pyte.Screen(COLUMNS, LINES)
    our_stream, their_stream = pyte.Stream(ours), pyte.Stream(theirs)
    for update in drawn:
        their_stream.feed(update.render_segments(console))
        our_stream.feed(Changes(painter, update).render_segments(console))
        assert shown(ours) == shown(theirs)
        # Nothing is written twice.
        assert painter.changes(update, ColorSystem.TRUECOLOR) == ""


def painted(painter: Painter, *texts: str) -> str:
    strips = [[Strip([Segment(text)])] for text in texts]
    return painter.changes(
        LayoutUpdate(list(strips), Region(0, 0, COLUMNS, len(texts))), ColorSystem.TRUECOLOR
    )


def test_only_the_changed_cells_are_written() -> None:
    painter = Painter()
    painted(painter, "move 1 of the match")
    assert painted(painter, "move 2 of the match") == "\x1b[1;6H2"
    assert painted(painter, "rove 2 of the watch") == "\x1b[1;1Hr\x1b[13Cw"


def test_a_wide_character_is_written_whole() -> None:
    painter = Painter()
    painted(painter, "a日b")
    assert painted(painter, "axyb") == "\x1b[1;2Hxy"
    assert painted(painter, "a日c") == "\x1b[1;2H日c"
    # The accent belongs to the letter before it.
    assert painted(painter, "e\u0301bcd") == "\x1b[1;1He\u0301bcd"


def test_what_is_forgotten_is_written_again() -> None:
    painter = Painter()
    painted(painter, "the same")
    painter.forget()
    assert "the same" in painted(painter, "the same")


def test_a_calm_screen_uses_short_numbers_for_colours() -> None:
    strip = Strip([Segment("x", Style(color="#e3a857"))])
    update = LayoutUpdate([[strip]], Region(0, 0, 1, 1))
    console = Console(color_system="truecolor")
    assert "38;2;" in Changes(Painter(), update).render_segments(console)
    assert "38;5;" in Changes(Painter(), update, few=True).render_segments(console)


def test_words_can_be_read_in_16_colours() -> None:
    strip = Strip([Segment("a▟", Style(color="bright_black", bgcolor="bright_black"))])
    update = LayoutUpdate([[strip]], Region(0, 0, 2, 1))
    # The word is white; what is only drawn keeps its colour.
    assert Painter().changes(update, ColorSystem.STANDARD) == "\x1b[1;1H\x1b[97;100ma\x1b[90m▟\x1b[m"


def test_a_colour_keeps_its_hue_in_16_colours() -> None:
    def written(colour: str) -> str:
        update = LayoutUpdate([[Strip([Segment("x", Style(color=colour))])]], Region(0, 0, 1, 1))
        return Painter().changes(update, ColorSystem.STANDARD).removeprefix("\x1b[1;1H")[:5]

    for theme in THEMES:
        assert written(theme.success or "") in ("\x1b[32m", "\x1b[92m"), theme.name
        assert written(theme.error or "") in ("\x1b[31m", "\x1b[91m"), theme.name
        assert written(theme.warning or "") in ("\x1b[33m", "\x1b[93m"), theme.name
    # What looks grey is grey, and what is nearly black is black.
    assert written("#979bab") == "\x1b[37m"
    assert written("#46290f") == "\x1b[30m"

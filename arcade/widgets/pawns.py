"""Draw one square of a pawn board in any size of cell.

White's pawns have a hollow head and Black's a solid one, so their shape tells them apart without colour.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import groupby

from rich.segment import Segment
from rich.style import Style

from arcade.widgets.board import CellLines, ink

Art = tuple[str, ...]
"""A pawn's picture in lines of equal length: "#" is filled, a space shows the square, the rest is drawn."""

_WHITE: tuple[Art, ...] = (
    ("  ▟####▙  ", "  ##  ##  ", "  ▜####▛  ", "    ##    ", "   ▟##▙   ", " ▟######▙ "),
    (" ▟▛▜▙ ", " ▜▙▟▛ ", "  ##  ", "▟####▙"),
    (" ▗▛▜▖ ", " ▝▙▟▘ ", "▗####▖"),
    (" ▛▜ ", "▗▟▙▖"),
    ("▞▚", "▟▙"),
    ("▞▚",),
    ("▫",),
)
_BLACK: tuple[Art, ...] = (
    ("  ▟####▙  ", "  ######  ", "  ▜####▛  ", "    ##    ", "   ▟##▙   ", " ▟######▙ "),
    (" ▟##▙ ", " ▜##▛ ", "  ##  ", "▟####▙"),
    (" ▗##▖ ", " ▝##▘ ", "▗####▖"),
    (" ## ", "▗▟▙▖"),
    ("▟▙", "▟▙"),
    ("▟▙",),
    ("▪",),
)
_PLAIN_WHITE: tuple[Art, ...] = (
    ("  .----.  ", "  |    |  ", "  '----'  ", "    ||    ", "   /  \\   ", "  /____\\  "),
    (" .--. ", " '--' ", "  ||  ", "/____\\"),
    (" .--. ", " '--' ", "/____\\"),
    (" () ", "/__\\"),
    ("()", "/\\"),
    ("P",),
)
_PLAIN_BLACK: tuple[Art, ...] = (
    ("  @@@@@@  ", "  @@@@@@  ", "  @@@@@@  ", "    @@    ", "   @@@@   ", "  @@@@@@  "),
    (" @@@@ ", " @@@@ ", "  @@  ", "@@@@@@"),
    (" @@@@ ", " @@@@ ", "@@@@@@"),
    (" @@ ", "@@@@"),
    ("@@", "@@"),
    ("p",),
)
_ARTS = {("P", False): _WHITE, ("p", False): _BLACK, ("P", True): _PLAIN_WHITE, ("p", True): _PLAIN_BLACK}
"""The pictures of a pawn, the largest first, by its letter and whether to use ASCII."""


class Ground(StrEnum):
    """Why a square stands out."""

    PLAIN = "plain"
    LAST = "last"
    """The last move left it or went to it."""
    TARGET = "target"
    """The selected pawn can go there."""
    SELECTED = "selected"
    """Its pawn is to move."""
    HINTED = "hinted"
    """A hint's move leaves it or goes to it."""


class Tag(StrEnum):
    """Kinds of text on a square."""

    BEST_WIN = "best win"
    BEST_LOSS = "best loss"
    WIN = "win"
    LOSS = "loss"
    UNKNOWN = "unknown"
    HINT = "hint"


# Middle tones, so that both colours of pawns stand out on either square, in dark and light themes.
_GROUNDS = {
    Ground.PLAIN: ("#74839d", "#5f6e87"),
    Ground.LAST: ("#7d84ab", "#6a7099"),
    Ground.SELECTED: ("#2c8087", "#2c8087"),
    Ground.TARGET: ("#45a39c", "#3b938d"),
    Ground.HINTED: ("#a2761c", "#a2761c"),
}
"""The colours of light and of dark squares."""
_PAWNS = {"P": "#fdf6e7", "p": "#14110f"}
_CURSOR = "#ffdc7d"
_TARGET = "#fff1c9"
_TAGS = {
    Tag.BEST_WIN: ("#10240f", "#8fdc86"),
    Tag.BEST_LOSS: ("#2b0a06", "#f2a69b"),
    Tag.WIN: ("#e9f8e4", "#27662f"),
    Tag.LOSS: ("#fde8e4", "#8a2c25"),
    Tag.UNKNOWN: ("#e8e4dc", "#333a4a"),
    Tag.HINT: ("#231703", "#f0bf63"),
}
"""Text and ground of each kind of tag."""


@dataclass(frozen=True, slots=True)
class Square:
    """Everything that a square shows."""

    pawn: str
    """"P" White's, "p" Black's, "." none."""
    dark: bool
    ground: Ground = Ground.PLAIN
    cursor: bool = False
    target: bool = False
    """Whether the selected pawn can go there."""
    tag: Tag | None = None
    texts: tuple[str, ...] = ()
    """Texts for the tag, the longest first; the last has one character."""
    plain: bool = False
    """Whether to keep to ASCII."""


Canvas = list[list[tuple[str, Style]]]


@lru_cache(maxsize=8192)
def draw_square(square: Square, width: int, height: int) -> CellLines:
    """A square in a cell of the given size."""
    ground = _GROUNDS[square.ground][square.dark]
    canvas: Canvas = [[(" ", ink(None, ground))] * width for _ in range(height)]
    text = _fitting(square, width, height)
    if square.cursor:
        _draw_cursor(canvas, ink(_CURSOR, ground, bold=True), square.plain)
    if square.pawn != ".":
        _draw_pawn(canvas, square, ground, text)
    if square.target and not text:
        _draw_target(canvas, square, ink(_TARGET, ground, bold=True))
    if square.tag is not None:
        _draw_tag(canvas, square, text)
    return [list(_segments(line)) for line in canvas]


def _fitting(square: Square, width: int, height: int) -> str:
    """The longest text of the tag that leaves room for a pawn."""
    room = width - 1 if square.pawn != "." and height == 1 and width > 1 else width
    return next((text for text in square.texts if len(text) <= room), "")


def _write(canvas: Canvas, line: int, column: int, text: str, style: Style) -> None:
    for offset, character in enumerate(text):
        canvas[line][column + offset] = (character, style)


def _draw_cursor(canvas: Canvas, style: Style, plain: bool) -> None:
    """Corners around the square, or brackets where it has one line only."""
    width, height = len(canvas[0]), len(canvas)
    if height == 1:
        if width > 2:
            _write(canvas, 0, 0, "[", style)
            _write(canvas, 0, width - 1, "]", style)
        else:
            canvas[0] = [(character, style + Style(reverse=True)) for character, _ in canvas[0]]
        return
    corners = "++++" if plain else "▛▜▙▟"
    for place, corner in enumerate(corners):
        line, column = divmod(place, 2)
        _write(canvas, line * (height - 1), column * (width - 1), corner, style)


def _draw_pawn(canvas: Canvas, square: Square, ground: str, text: str) -> None:
    width, height = len(canvas[0]), len(canvas)
    # A line above is left for the tag; small cells have it only where there is a tag.
    lines = height - 2 if height > 4 else height - 1 if height == 4 or (text and height > 1) else height
    columns = width - len(text) if text and height == 1 else width - 2 if width > 3 else width
    arts = _ARTS[square.pawn, square.plain]
    art = next((art for art in arts if len(art) <= lines and len(art[0]) <= columns), None)
    if art is None:
        # A cell of one column has room for the tag only.
        return
    reverse = bool(canvas[0][0][1].reverse)
    colour = _PAWNS[square.pawn]
    drawn = ink(ground, colour) if reverse else ink(colour, ground, bold=square.plain)
    # Pawns stand at the bottom: spare lines go above them.
    top = (height - len(art) + 1) // 2
    left = 0 if text and height == 1 else (width - len(art[0])) // 2
    for number, line in enumerate(art):
        for column, character in enumerate(line, left):
            if character == "#":
                canvas[top + number][column] = (" ", ink(None, colour))
            elif character != " ":
                canvas[top + number][column] = (character, drawn)


def _draw_target(canvas: Canvas, square: Square, style: Style) -> None:
    """A dot on a free square; crosses beside a pawn that can be taken."""
    width, height = len(canvas[0]), len(canvas)
    middle = (height - 1) // 2
    if square.pawn != ".":
        cross = "x" if square.plain else "✗"
        for column in (1, width - 2) if width > 5 else (width - 1,):
            _write(canvas, middle, column, cross, style)
    elif height > 2 and width > 5:
        left = (width - 4) // 2
        for line, half in enumerate(("/--\\", "\\--/") if square.plain else ("▗▟▙▖", "▝▜▛▘")):
            _write(canvas, middle + line, left, half, style)
    elif height > 1 and width > 3:
        left = (width - 2) // 2
        for line, half in enumerate(("/\\", "\\/") if square.plain else ("▗▖", "▝▘")):
            _write(canvas, middle + line, left, half, style)
    else:
        _write(canvas, middle, (width - 1) // 2, "o" if square.plain else "∘", style)


def _draw_tag(canvas: Canvas, square: Square, text: str) -> None:
    """A text on its own background: in the middle of a free square, else above or beside the pawn."""
    width, height = len(canvas[0]), len(canvas)
    assert square.tag is not None
    colour, ground = _TAGS[square.tag]
    style = ink(colour, ground, bold=square.tag in (Tag.BEST_WIN, Tag.BEST_LOSS, Tag.HINT))
    if square.pawn != "." and height == 1:
        _write(canvas, 0, width - len(text), text, style)
        return
    padded = f" {text} " if len(text) + 2 <= width - 2 else text
    line = (height - 1) // 2 if square.pawn == "." else 0
    _write(canvas, line, (width - len(padded)) // 2, padded, style)


def _segments(line: list[tuple[str, Style]]) -> Iterator[Segment]:
    for style, run in groupby(line, key=lambda each: each[1]):
        yield Segment("".join(character for character, _ in run), style)

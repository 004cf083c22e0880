"""Writes to the terminal only the cells that have changed.

Textual writes whole parts of lines, each stretch of one style with its full colours and a reset. Over a slow
line most of that time goes into cells that stay as they are.
"""

from collections.abc import Iterator
from colorsys import rgb_to_hsv
from functools import lru_cache
from typing import NamedTuple

from rich.color import Color, ColorSystem
from rich.console import Console
from rich.style import Style
from textual._cells import cell_len
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.strip import Strip


class Look(NamedTuple):
    """A style, as parameters of SGR sequences."""

    attributes: tuple[str, ...] = ()
    colour: str = "39"
    ground: str = "49"


PLAIN = Look()

Cell = tuple[str, Look]
"""A character with any marks that combine with it. The second column of a wide one holds no character."""

ENDS = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "7": "27", "9": "29"}
"""What ends an attribute: bold, dim, italic, underline, blink, reverse, strike."""

SEEN_ON_SPACES = {"4", "7", "9", "21", "53"}
"""Underline, reverse, strike, double underline and overline."""

BRIGHTNESS = (0.0, 0.24, 0.47, 0.7, 0.1, 0.33, 0.57, 0.9, 0.5, 0.3, 0.65, 0.93, 0.4, 0.42, 0.8, 1.0)
"""Roughly how bright the 16 colours of a terminal look, from 0 to 1."""

LEAST_CONTRAST = 0.35
"""Least difference in brightness between words and their ground."""

LEAST_SATURATION = 0.28
"""A paler colour is shown as grey."""

GREYS = (0.17, 0.65, 0.9)
"""Where black, dark grey, light grey and white part, as values from 0 to 1."""

HUES = ((0.04, 1), (0.2, 3), (0.42, 2), (0.54, 6), (0.72, 4), (0.92, 5), (1.0, 1))
"""Up to which hue a colour is red, yellow, green, cyan, blue, magenta, and red again."""

DIM, BRIGHT = 0.28, 0.75
"""A colour below the first value is shown as black, one above the second as its bright variant."""

LONGEST_BRIDGE = 4
"""Most unchanged cells that are written again; beyond that, moving the cursor takes fewer bytes."""


class Painter:
    def __init__(self) -> None:
        self._lines: dict[int, list[Cell | None]] = {}
        """The cells of each line from the left; None where nothing is known."""

    def forget(self) -> None:
        """The terminal may show anything now, e.g. after its size has changed."""
        self._lines.clear()

    def changes(self, update: LayoutUpdate | ChopsUpdate, colours: ColorSystem) -> str:
        """What to write so that the terminal shows an update; empty if it does already."""
        written: list[str] = []
        look = PLAIN
        for y, x, strip in _strips(update):
            cells = cells_of(strip, colours)
            line = self._lines.setdefault(y, [])
            line.extend([None] * (x + len(cells) - len(line)))
            if line[x : x + len(cells)] == cells:
                continue
            at: int | None = None
            for start, end in _runs(line[x : x + len(cells)], cells):
                if at is None:
                    written.append(f"\x1b[{y + 1};{x + start + 1}H")
                elif start > at:
                    written.append(f"\x1b[{start - at}C" if start - at > 1 else "\x1b[C")
                for character, wanted in cells[start:end]:
                    turned = on_space(look, wanted) if character == " " else wanted
                    if turned != look:
                        written.append(_turn(look, turned))
                        look = turned
                    written.append(character)
                at = end
            line[x : x + len(cells)] = cells
        if look != PLAIN:
            written.append("\x1b[m")
        return "".join(written)


class Changes(CompositorUpdate):
    """Writes only the changed cells; `few`: in at most 256 colours, whose numbers are shorter."""

    def __init__(self, painter: Painter, update: LayoutUpdate | ChopsUpdate, few: bool = False) -> None:
        self._painter = painter
        self._update = update
        self._few = few

    def render_segments(self, console: Console) -> str:
        colours = console._color_system or ColorSystem.TRUECOLOR
        if self._few and colours is ColorSystem.TRUECOLOR:
            colours = ColorSystem.EIGHT_BIT
        return self._painter.changes(self._update, colours)


def _strips(update: LayoutUpdate | ChopsUpdate) -> Iterator[tuple[int, int, Strip]]:
    """The parts of an update, each with its line and first column, as Textual would write them."""
    if isinstance(update, LayoutUpdate):
        for y, strips in enumerate(update.strips, update.region.y):
            yield y, update.region.x, Strip.join(strips)
        return
    for y, first, last in update.spans:
        for end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            if strip is not None and x <= last and end > first:
                yield y, x, strip if x >= first and end <= last else strip.crop(0, min(end, last) - x)


def cells_of(strip: Strip, colours: ColorSystem) -> list[Cell]:
    cells: list[Cell] = []
    for text, style, _ in strip:
        if style is not None and colours is ColorSystem.STANDARD:
            style = _in_sixteen(style)
        look = PLAIN if style is None else _look(Strip.render_ansi(style, colours))
        blank = (" ", _blank(look))
        words = _readable(look) if colours is ColorSystem.STANDARD else look
        if text.isascii():
            cells += [blank if character == " " else (character, words) for character in text]
            continue
        for character in text:
            width = cell_len(character)
            if width:
                block = "\u2580" <= character <= "\u259f"
                cells.append(blank if character == " " else (character, look if block else words))
                cells += [("", look)] * (width - 1)
            elif cells:
                # It combines with the character before it, which may be a wide one.
                at = next(at for at in range(len(cells) - 1, -1, -1) if cells[at][0])
                cells[at] = (cells[at][0] + character, cells[at][1])
    return cells


def _runs(before: list[Cell | None], cells: list[Cell]) -> Iterator[tuple[int, int]]:
    start, end = -1, 0
    for at, (old, new) in enumerate(zip(before, cells, strict=True)):
        if old == new or at < end:
            continue
        # A wide character is written whole.
        first = next(column for column in range(at, -1, -1) if cells[column][0] or not column)
        last = next((column for column in range(at + 1, len(cells)) if cells[column][0]), len(cells))
        if start < 0 or first - end > LONGEST_BRIDGE or not _alike(cells[end - 1 : first]):
            if start >= 0:
                yield start, end
            start = first
        end = last
    if start >= 0:
        yield start, end


def _alike(cells: list[Cell]) -> bool:
    look = cells[0][1]
    return all(own == look or (text == " " and on_space(look, own) == look) for text, own in cells)


@lru_cache(maxsize=4096)
def _blank(look: Look) -> Look:
    return Look(ground=look.ground) if SEEN_ON_SPACES.isdisjoint(look.attributes) else look


def on_space(before: Look, wanted: Look) -> Look:
    if wanted.attributes or not SEEN_ON_SPACES.isdisjoint(before.attributes):
        return wanted
    return before._replace(ground=wanted.ground)


@lru_cache(maxsize=1024)
def _in_sixteen(style: Style) -> Style:
    return style + Style(color=_of_sixteen(style.color), bgcolor=_of_sixteen(style.bgcolor))


def _of_sixteen(colour: Color | None) -> Color | None:
    """The one of the 16 that keeps its hue: the nearest one would be grey for nearly all of a theme."""
    if colour is None or colour.is_default or colour.is_system_defined:
        return colour
    red, green, blue = (part / 255 for part in colour.get_truecolor())
    hue, saturation, value = rgb_to_hsv(red, green, blue)
    if saturation < LEAST_SATURATION:
        return Color.from_ansi((0, 8, 7, 15)[sum(value > limit for limit in GREYS)])
    if value < DIM:
        return Color.from_ansi(0)
    number = next(number for limit, number in HUES if hue <= limit)
    return Color.from_ansi(number + (8 if value > BRIGHT else 0))


@lru_cache(maxsize=256)
def _readable(look: Look) -> Look:
    """Words that stand out from their ground: two colours of a theme may be nearly the same one of 16."""
    if look.colour == PLAIN.colour or look.ground == PLAIN.ground:
        return look
    colour, ground = (
        BRIGHTNESS[int(code) % 10 + (8 if int(code) >= 90 else 0)] for code in (look.colour, look.ground)
    )
    if abs(colour - ground) >= LEAST_CONTRAST:
        return look
    return look._replace(colour="30" if ground > 0.5 else "97")


@lru_cache(maxsize=4096)
def _look(sgr: str) -> Look:
    attributes: list[str] = []
    colour, ground = PLAIN.colour, PLAIN.ground
    numbers = iter(sgr.split(";") if sgr else ())
    for number in numbers:
        if number in ("38", "48"):
            kind = next(numbers)
            whole = ";".join((number, kind, *(next(numbers) for _ in range(3 if kind == "2" else 1))))
        else:
            whole = number
        first = int(number)
        if 30 <= first <= 39 or 90 <= first <= 97:
            colour = whole
        elif 40 <= first <= 49 or 100 <= first <= 107:
            ground = whole
        else:
            attributes.append(whole)
    return Look(tuple(attributes), colour, ground)


@lru_cache(maxsize=4096)
def _turn(before: Look, look: Look) -> str:
    if look == PLAIN:
        return "\x1b[m"
    removed = {*before.attributes} - {*look.attributes}
    kept: Look = PLAIN if removed - ENDS.keys() else before
    ends = ["0"] if kept is PLAIN and removed else sorted({ENDS[attribute] for attribute in removed})
    # What ends bold ends dim as well.
    still = {*kept.attributes} - removed
    still = {attribute for attribute in still if ENDS.get(attribute) not in ends}
    added = [attribute for attribute in look.attributes if attribute not in still]
    colours = [new for new, old in zip(look[1:], kept[1:], strict=True) if new != old]
    return f"\x1b[{';'.join((*ends, *added, *colours))}m"

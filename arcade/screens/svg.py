"""Screens as SVG: a still image, or an animation without scripts."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import accumulate, chain, groupby
from typing import Any, NamedTuple, Self

from rich.cells import cell_len
from rich.color import Color
from rich.style import Style
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

FONTS = '"Fira Code", "DejaVu Sans Mono", Menlo, Consolas, monospace'
"""Font families, in order of preference. Only the reader's own fonts are used; nothing is downloaded."""

COLUMN, LINE, LETTER, BASE, MARGIN = 12, 24, 20, 18, 12
"""Width and height of a cell, size and baseline of a letter, and margin, all in SVG units."""

_MOVING = ".f{{animation:{seconds:g}s step-end infinite}}"
_APPEARS = "@keyframes k{number}{{0%{{visibility:hidden}}{percent:.4g}%,to{{visibility:visible}}}}"
_CALM = "@media(prefers-reduced-motion:reduce){.f{animation:none!important}}"


NOTHING = "\0"
"""Placeholder for the second column of a wide character."""

_WORDS = re.compile(r"[^ ]+(?: [^ ]+){,2}")
"""Pattern for up to three words. Longer texts drift out of their columns in some fonts and programs."""


class Ink(NamedTuple):
    letters: str
    """Colour of the letters, such as "#f7f3ea"; "" for the page's colour."""
    behind: str
    bold: bool


Cell = tuple[str, Ink]
"""A character with its combining marks, and its ink. The second column of a wide character has ""."""


class Frame(NamedTuple):
    lines: list[list[Cell]]
    seconds: float

    @classmethod
    def of(cls, screen: Screen[Any], seconds: float) -> Self:
        """Capture the widgets of a screen. The widgets must not overlap."""
        width, height = screen.size
        lines = [[_BLANK] * width for _ in range(height)]
        for widget in screen.walk_children(Widget):
            left, top, *size = widget.region.intersection(screen.region)
            strips = widget.render_lines(Region(0, 0, *size)) if all(size) else []
            for y, strip in enumerate(strips, top):
                lines[y][left : left + strip.cell_length] = _cells_of(strip)
        return cls(lines, seconds)

    @property
    def size(self) -> tuple[int, int]:
        return len(self.lines[0]), len(self.lines)

    def text(self) -> str:
        lines = ("".join(character for character, _ in line).rstrip() for line in self.lines)
        return "\n".join(lines).strip("\n") + "\n"


_BLANK: Cell = (" ", Ink("", "", False))


def _cells_of(strip: Strip) -> list[Cell]:
    cells: list[Cell] = []
    for text, style, _ in strip:
        ink = _look(style or Style())
        blank = (" ", ink._replace(letters="", bold=False))
        for letter in text:
            width = cell_len(letter)
            if not letter.isprintable():
                cells += [("?", ink)] * width
            elif width:
                cells.append(blank if letter == " " else (letter, ink))
                cells += [("", ink)] * (width - 1)
            elif cells:
                # A combining mark joins the character before it.
                at = next(at for at in range(len(cells) - 1, -1, -1) if cells[at][0])
                cells[at] = (cells[at][0] + letter, cells[at][1])
    return cells


def _look(style: Style) -> Ink:
    letters, behind = _hex(style.color), _hex(style.bgcolor)
    return Ink(*((behind, letters) if style.reverse else (letters, behind)), bold=bool(style.bold))


def _hex(colour: Color | None) -> str:
    return "" if colour is None or colour.is_default else colour.get_truecolor().hex


class Span(NamedTuple):
    y: int
    x: int
    cells: list[str]
    ink: Ink


def changes(frames: Sequence[Frame]) -> Iterator[list[Span]]:
    shown: dict[int, list[Cell]] = {}
    for frame in frames:
        new = []
        for y, line in enumerate(frame.lines):
            for x, end in _renewed(shown.get(y), line):
                for cells, ink in _alike(line[x:end]):
                    new.append(Span(y, x, cells, ink))
                    x += len(cells)
            shown[y] = line
        yield new


def _renewed(before: list[Cell] | None, row: list[Cell]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each changed part of a row.

    Each part consists of whole words plus one cell on each side, because letters may extend into that cell.
    """
    if before is None:
        yield 0, len(row)
        return
    changed = {x for x, pair in enumerate(zip(before, row, strict=True)) if pair[0] != pair[1]}
    new = set(changed)
    for step in (1, -1):
        for x in range(len(row))[::step]:
            last = x - step
            if last in changed or (last in new and (_is_letter(before[last]) or _is_letter(row[last]))):
                new.add(x)
    columns = sorted(new)
    for _, together in groupby(enumerate(columns), key=lambda pair: pair[1] - pair[0]):
        stretch = [x for _, x in together]
        yield stretch[0], stretch[-1] + 1


def _alike(cells: list[Cell]) -> Iterator[tuple[list[str], Ink]]:
    ink, texts = cells[0][1], list[str]()
    for text, own in cells:
        if own != ink and not (text == " " and own.behind == ink.behind):
            yield texts, ink
            ink, texts = own, []
        texts.append(text)
    yield texts, ink


def _is_letter(cell: Cell) -> bool:
    return cell[0] not in ("", " ") and cell[0].isascii()


def svg(frames: Sequence[Frame], ground: str) -> str:
    """Return frames as SVG. Each frame draws only its changes."""
    columns, lines = frames[0].size
    width, height = columns * COLUMN + 2 * MARGIN, lines * LINE + 2 * MARGIN
    styles: dict[str, str] = {}
    drawn = [_layer(new, ground, styles, opaque=number > 0) for number, new in enumerate(changes(frames))]
    rules = [f".{name}{{{style}}}" for style, name in styles.items()]
    if len(frames) > 1:
        *starts, seconds = accumulate(frame.seconds for frame in frames)
        rules += [_MOVING.format(seconds=seconds), _CALM]
        for number, start in enumerate(starts, 1):
            rules.append(_APPEARS.format(number=number, percent=100 * start / seconds))
            drawn[number] = f'<g class="f" style="animation-name:k{number}">{drawn[number]}</g>'
    parts = [
        f'<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">',
        f"<style>text{{font:{LETTER}px {FONTS}}}path{{shape-rendering:crispEdges}}",
        *rules,
        "</style>",
        f'<rect width="{width}" height="{height}" fill="{ground}"/>',
        f'<g transform="translate({MARGIN} {MARGIN})">',
        *drawn,
        "</g></svg>\n",
    ]
    return "\n".join(parts)


def _layer(new: Sequence[Span], ground: str, styles: dict[str, str], opaque: bool) -> str:
    areas: dict[str, dict[tuple[int, int], list[list[int]]]] = {}
    words: dict[str, list[str]] = {}
    for y, x, cells, ink in new:
        letters, behind = ink.letters or ground, ink.behind or ground
        columns = len(cells)
        if opaque or behind != ground:
            stack = areas.setdefault(behind, {}).setdefault((x, columns), [])
            if stack and sum(stack[-1]) == y:
                stack[-1][1] += 1
            else:
                stack.append([y, 1])
        for part in _WORDS.finditer("".join(cell or NOTHING for cell in cells)):
            style = f"fill:{letters}" + ";font-weight:bold" * ink.bold
            name = styles.setdefault(style, f"s{len(styles)}")
            fitted = f' textLength="{COLUMN * len(part[0])}"' if len(part[0]) > 1 else ""
            at = f'x="{COLUMN * (x + part.start())}" y="{y * LINE + BASE}"{fitted}'
            word = escape(part[0].replace(NOTHING, ""), quote=False)
            words.setdefault(name, []).append(f"<text {at}>{word}</text>")
    paths = []
    for colour, stacks in areas.items():
        boxes = chain.from_iterable(
            (f"M{x} {y}h{columns}v{high}h-{columns}z" for y, high in stack)
            for (x, columns), stack in stacks.items()
        )
        paths.append(f'<path fill="{colour}" d="{"".join(boxes)}"/>')
    texts = [f'<g class="{name}">{"".join(each)}</g>' for name, each in words.items()]
    behind_words = f'<g transform="scale({COLUMN} {LINE})">{"".join(paths)}</g>' if paths else ""
    return behind_words + "".join(texts)

"""Frames of a screen as pictures: one is a still, several move without a script."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from html import escape
from io import BytesIO
from itertools import accumulate, chain, groupby
from typing import Any, NamedTuple

from rich.cells import cell_len
from rich.color import ColorSystem
from textual._compositor import LayoutUpdate
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip

from arcade.engines.files import InputError
from arcade.terminal.painter import Cell, Look, Painter, cells_of, on_space

FONTS = '"Fira Code", "DejaVu Sans Mono", Menlo, Consolas, monospace'
"""Fonts of a picture; the reader's own, nothing is loaded."""

COLUMN, LINE, LETTER, BASE, MARGIN = 12, 24, 20, 18, 12
"""Of an SVG in its units: the size of a character's cell, of a letter, where it stands, and the margin."""

TYPEFACES = ("DejaVuSansMono.ttf", "Menlo.ttc", "consola.ttf", "LiberationMono-Regular.ttf")
"""Files of fonts for PNG and GIF; the first one that the system has is taken."""

PNG_POINTS, GIF_POINTS, RIM = 20, 11, 8
"""The size of letters and the margin, in pixels."""

MOST_COLOURS = 256

_MOVING = ".f{{animation:{seconds:g}s step-end infinite}}"
_APPEARS = "@keyframes k{number}{{0%{{visibility:hidden}}{percent:.4g}%,to{{visibility:visible}}}}"
_CALM = "@media(prefers-reduced-motion:reduce){.f{animation:none!important}}"


NOTHING = "\0"
"""Stands for the second column of a wide character."""

_WORDS = re.compile(r"[^ ]+(?: [^ ]+){,2}")
"""What is one piece of text: few words, for in some fonts and programs a long one strays from its place."""


class Frame(NamedTuple):
    lines: list[Strip]
    seconds: float

    @classmethod
    def of(cls, screen: Screen[Any], seconds: float) -> Frame:
        """What a screen shows now, without characters that could do something to whoever reads it."""
        lines = screen._compositor.render_strips()
        return cls([Strip(_harmless(line), line.cell_length) for line in lines], seconds)

    @property
    def size(self) -> tuple[int, int]:
        return self.lines[0].cell_length, len(self.lines)

    def text(self) -> str:
        return "\n".join(line.text.rstrip() for line in self.lines).strip("\n") + "\n"


def _harmless(line: Strip) -> Iterator[Any]:
    for part in line:
        text = "".join(letter if letter.isprintable() else "?" * cell_len(letter) for letter in part.text)
        yield part._replace(text=text, control=None)


class Span(NamedTuple):
    y: int
    x: int
    cells: list[str]
    """The character of each; the second column of a wide one holds none."""
    look: Look


def changes(frames: Sequence[Frame]) -> Iterator[list[Span]]:
    shown: dict[int, list[Cell]] = {}
    for frame in frames:
        new = []
        for y, line in enumerate(frame.lines):
            row = cells_of(line, ColorSystem.TRUECOLOR)
            for x, end in _renewed(shown.get(y), row):
                for cells, look in _alike(row[x:end]):
                    new.append(Span(y, x, cells, look))
                    x += len(cells)
            shown[y] = row
        yield new


def _renewed(before: list[Cell] | None, row: list[Cell]) -> Iterator[tuple[int, int]]:
    """Whole words and the next cell on both sides, because a letter may reach beyond its cell."""
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


def _alike(cells: list[Cell]) -> Iterator[tuple[list[str], Look]]:
    """The cells in stretches of one look; a blank one takes that of the letter before it, if it can."""
    look, texts = cells[0][1], list[str]()
    for text, own in cells:
        if own != look and not (text == " " and on_space(look, own) == look):
            yield texts, look
            look, texts = own, []
        texts.append(text)
    yield texts, look


def _is_letter(cell: Cell) -> bool:
    return cell[0] not in ("", " ") and cell[0].isascii()


def colours_of(look: Look, ground: str) -> tuple[str, str]:
    letters, behind = _hex(look.colour) or ground, _hex(look.ground) or ground
    return (behind, letters) if "7" in look.attributes else (letters, behind)


def _hex(parameters: str) -> str:
    """The colour of an SGR sequence such as "38;2;255;0;0"; empty for the terminal's own."""
    numbers = parameters.split(";")[2:]
    return "#" + "".join(f"{int(number):02x}" for number in numbers) if len(numbers) == 3 else ""


def svg(frames: Sequence[Frame], ground: str) -> str:
    """Each frame is drawn over those before it, and holds only what is new."""
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
    """What is new in a frame; `styles` gives each look of a letter its class, `opaque`: it covers others."""
    areas: dict[str, dict[tuple[int, int], list[list[int]]]] = {}
    words: dict[str, list[str]] = {}
    for y, x, cells, look in new:
        letters, behind = colours_of(look, ground)
        columns = len(cells)
        if opaque or behind != ground:
            # What is as wide as what is above it makes one area with it.
            stack = areas.setdefault(behind, {}).setdefault((x, columns), [])
            if stack and sum(stack[-1]) == y:
                stack[-1][1] += 1
            else:
                stack.append([y, 1])
        for part in _WORDS.finditer("".join(cell or NOTHING for cell in cells)):
            style = f"fill:{letters}" + ";font-weight:bold" * ("1" in look.attributes)
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


def cast(frames: Sequence[Frame]) -> str:
    """An asciicast, version 2: https://docs.asciinema.org/manual/asciicast/v2/."""
    columns, lines = frames[0].size
    painter, at = Painter(), 0.0
    rows: list[Any] = [{"version": 2, "width": columns, "height": lines}]
    for frame in frames:
        update = LayoutUpdate([[line] for line in frame.lines], Region(0, 0, columns, lines))
        start = "" if at else "\x1b[?25l\x1b[2J"
        rows.append([round(at, 3), "o", start + painter.changes(update, ColorSystem.TRUECOLOR)])
        at += frame.seconds
    rows.append([round(at, 3), "o", "\x1b[?25h"])
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def png(frame: Frame, ground: str) -> bytes:
    """Raises InputError where the package that draws it, or a font, is missing."""
    (image,), file = _images([frame], ground, PNG_POINTS), BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def gif(frames: Sequence[Frame], ground: str) -> bytes:
    """Raises InputError as `png` does."""
    images = _images(frames, ground, GIF_POINTS)
    from PIL import Image, ImageColor  # loads Pillow

    # One palette for all, so that what has not changed stays the same; an edge is half letter, half ground.
    pairs = dict.fromkeys(colours_of(part.look, ground) for new in changes(frames) for part in new)
    mixed = [[ImageColor.getrgb(colour) for colour in pair] for pair in pairs]
    edges = [tuple((one + other) // 2 for one, other in zip(*pair, strict=True)) for pair in mixed]
    shades = dict.fromkeys([*chain.from_iterable(mixed), *edges])
    palette = Image.new("P", (1, 1))
    palette.putpalette([*chain.from_iterable(shades)][: 3 * MOST_COLOURS])
    first, *rest = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    durations, file = [round(1000 * frame.seconds) for frame in frames], BytesIO()
    first.save(file, "GIF", save_all=True, append_images=rest, duration=durations, loop=0, optimize=True)
    return file.getvalue()


def _images(frames: Sequence[Frame], ground: str, points: int) -> list[Any]:
    try:
        from PIL import Image, ImageDraw  # loads Pillow
    except ImportError:
        raise InputError(
            "A picture as .png or .gif needs the package pillow: pip install 'solver-arcade[pictures]'. "
            "One as .svg needs nothing."
        ) from None
    font = _typeface(points)
    column, line = round(font.getlength("M")), sum(font.getmetrics())
    columns, lines = frames[0].size
    image = Image.new("RGB", (columns * column + 2 * RIM, lines * line + 2 * RIM), ground)
    pen, images = ImageDraw.Draw(image), []
    for new in changes(frames):
        for y, x, cells, look in new:
            letters, behind = colours_of(look, ground)
            left, top = x * column + RIM, y * line + RIM
            pen.rectangle((left, top, left + len(cells) * column - 1, top + line - 1), behind)
            for at, letter in enumerate(cells):
                pen.text((left + at * column, top), letter, letters, font)
        images.append(image.copy())
    return images


def _typeface(points: int) -> Any:
    from PIL import ImageFont  # loads Pillow

    for name in TYPEFACES:
        with suppress(OSError):
            return ImageFont.truetype(name, points)
    raise InputError("A picture as .png or .gif needs a font such as DejaVu Sans Mono; none was found.")

"""The look of Honshu's terrains: each has a colour, a letter and a texture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rich.color import Color
from rich.segment import Segment

from arcade.widgets.board import CellLines, ink
from arcade.widgets.glyphs import ASCII, Glyphs


@dataclass(frozen=True, slots=True)
class Terrain:
    """One terrain's colours and texture."""

    ground: str
    letter: str
    """The colour of its letter."""
    shade: str
    """The colour of its texture, and of the edges between its tiles."""
    texture: tuple[str, str]
    """A motif for the even lines and one for the odd ones, repeated over the cell."""
    plain: tuple[str, str]
    """The same in ASCII."""


TERRAINS = {
    "P": Terrain("#d3bf82", "#3d3312", "#9c8650", (" ∙  ", "   ∙"), (" .  ", "   .")),
    "F": Terrain("#2f6b3c", "#f0f8e8", "#6aa86c", ("▴ ", " ▴"), ("^ ", " ^")),
    "L": Terrain("#2b62a3", "#eef5ff", "#79a8e0", ("~ ", " ~"), ("~ ", " ~")),
    "V": Terrain("#b4503a", "#fff3ec", "#e8a48e", ("▟▙ ", " ▟▙"), ("/\\ ", " /\\")),
    "R": Terrain("#9a9fa8", "#16181d", "#5f646e", ("▫  ", " ▫ "), ("o  ", " o ")),
    "U": Terrain("#51496a", "#f4f0fb", "#8d83ac", ("▙", "▙"), ("#", "#")),
}
"""The terrains by letter, in colours that work on dark and light backgrounds."""

WALL = "▐"
TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT = 1, 2, 4, 8
CORNERS = {TOP_LEFT: "▘", TOP_RIGHT: "▝", BOTTOM_LEFT: "▖", BOTTOM_RIGHT: "▗"}
"""Corners of an outline; a set of them is a sum of these numbers."""


@dataclass(frozen=True, slots=True)
class TerrainStyle:
    """Everything that a cell with a terrain shows."""

    letter: str
    """The letter of its terrain."""
    ground: Color
    ink: Color
    """The colour of the letter."""
    shade: Color
    """The colour of the texture."""
    line: Color
    """The colour of corners and edges."""
    bold: bool = False
    sign: str = ""
    """Replaces the texture."""
    text: str = ""
    """Replaces the letter."""
    corners: int = 0
    right: bool = False
    """Whether there is an edge on the right."""
    below: bool = False
    """Whether there is an edge below."""


@lru_cache(maxsize=256)
def texture(letter: str, width: int, height: int, plain: bool) -> tuple[str, ...]:
    """The lines of a cell of that many columns and lines, filled with the motif of a terrain."""
    terrain = TERRAINS[letter]
    motifs = terrain.plain if plain else terrain.texture
    if height == 1:
        # Start with the motif's first character, so that even a single column beside the letter shows it.
        return (" " + (motifs[0].strip() * width)[: width - 1],)
    return tuple((motifs[line % 2] * width)[:width] for line in range(height))


@lru_cache(maxsize=4096)
def draw_face(face: TerrainStyle, width: int, height: int, glyphs: Glyphs) -> CellLines:
    """A cell of the given size.

    The letter is in the middle with the texture around it; in one-line cells it is on the left.
    """
    plain = glyphs is ASCII
    if face.sign:
        lines = [f"{face.sign:^2}" * width] * height if height > 1 else [" " + face.sign * width]
    else:
        lines = list(texture(face.letter, width, height, plain))
    lines = [line[:width] for line in lines]
    text = (face.text or face.letter)[:width]
    middle, at = (height - 1) // 2, 0 if height == 1 else (width - len(text)) // 2
    room = len(text) if height == 1 else len(text) + 2
    start = at if height == 1 else max(0, at - 1)
    drawn = []
    for number, line in enumerate(lines):
        marks: list[tuple[str, Color, bool]] = [(each, face.shade, False) for each in line]
        if number == middle:
            marks[start : start + room] = [(" ", face.ink, False)] * min(room, width - start)
            marks[at : at + len(text)] = [(each, face.ink, face.bold) for each in text]
        if height > 1:
            _put_edges(marks, face, number, height, plain)
        drawn.append(_segments(marks, face, number == height - 1 and face.below and height > 1))
    return drawn


def _put_edges(
    marks: list[tuple[str, Color, bool]], face: TerrainStyle, number: int, height: int, plain: bool
) -> None:
    if face.right:
        marks[-1] = ("|" if plain else WALL, face.line, False)
    for corner, mark in CORNERS.items():
        top, left = corner in (TOP_LEFT, TOP_RIGHT), corner in (TOP_LEFT, BOTTOM_LEFT)
        if face.corners & corner and number == (0 if top else height - 1):
            marks[0 if left else -1] = ("+" if plain else mark, face.line, True)


def _segments(
    marks: Sequence[tuple[str, Color, bool]], face: TerrainStyle, underlined: bool
) -> list[Segment]:
    segments: list[Segment] = []
    run = ""
    for index, (mark, colour, bold) in enumerate(marks):
        run += mark
        if index + 1 == len(marks) or marks[index + 1][1:] != (colour, bold):
            segments.append(Segment(run, ink(colour, face.ground, bold, underlined)))
            run = ""
    return segments

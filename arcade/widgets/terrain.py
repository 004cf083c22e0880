"""What Honshu's terrains look like: each has a colour, a letter and a texture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from arcade.widgets.glyphs import ASCII, Glyphs


@dataclass(frozen=True, slots=True)
class Terrain:
    """One terrain's colours and texture."""

    ground: str
    letter: str
    """The colour of its letter."""
    shade: str
    """The colour of its texture."""
    edge: str
    """The colour of a tile's edge on it."""
    texture: tuple[str, str]
    """A motif for the even lines and one for the odd ones, repeated over the cell."""
    plain: tuple[str, str]
    """The same in ASCII."""


TERRAINS = {
    "P": Terrain("#d3bf82", "#3d3312", "#a8925a", "#8a7540", (" ∙  ", "   ∙"), (" .  ", "   .")),
    "F": Terrain("#2f6b3c", "#f0f8e8", "#5f9d63", "#173d20", ("▴ ", " ▴"), ("^ ", " ^")),
    "L": Terrain("#2b62a3", "#eef5ff", "#6a9bd8", "#143a68", ("~ ", " ~"), ("~ ", " ~")),
    "V": Terrain("#b4503a", "#fff3ec", "#e0937b", "#74291a", ("▟▙ ", " ▟▙"), ("/\\ ", " /\\")),
    "R": Terrain("#9a9fa8", "#16181d", "#70757f", "#5c616b", ("▫  ", " ▫ "), ("o  ", " o ")),
    "U": Terrain("#51496a", "#f4f0fb", "#8d83ac", "#2a2440", ("▙", "▙"), ("#", "#")),
}
"""The terrains by their letters, in colours that stand on a dark and on a light ground alike."""


@lru_cache(maxsize=256)
def texture(letter: str, width: int, height: int, glyphs: Glyphs) -> tuple[str, ...]:
    """The lines of a cell of that many columns and lines: the letter in the texture of its terrain.

    In the smallest cells, of one column, the letter stands alone.
    """
    terrain = TERRAINS[letter]
    motifs = terrain.plain if glyphs is ASCII else terrain.texture
    lines = [(motifs[line % 2] * width)[:width] for line in range(height)]
    if height == 1:
        # Begun with what a motif shows first, so that two columns tell it too.
        rest = (motifs[0].strip() * width)[: width - 1]
        return (letter + rest,)
    middle, at = (height - 1) // 2, max(0, (width - 2) // 2)
    around = f" {letter} "[1 - min(at, 1) :]
    start = max(0, at - 1)
    line = lines[middle]
    lines[middle] = (line[:start] + around + line[start + len(around) :])[:width]
    return tuple(lines)

"""The score of a map, rule by rule.

A board is an int used as a set of cells. Each row has one extra bit that is never set, so that shifting a set
by one cell cannot move a bit from the end of one row into the next:

      bit   0   1   2   3   4  [5]        size 5, row 0; [5] is the guard column
            6   7   8   9  10 [11]        row 1
            ...
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

VARIANTS: Mapping[str, str] = {
    "lakes2": "A lake scores 2 per cell.",
    "plains": "Each 2x2 block of plains scores 4.",
    "factories2": "A factory takes two resources.",
    "squares": "Each 2x2 block inside the counted village scores 4.",
    "forests5": "In each forest the first cell scores 1, the second 2, and so on up to 5 a cell.",
}
"""The assignment's variants by name, each with its rule; they can be combined freely."""

VARIANT_TITLES: Mapping[str, str] = {
    "lakes2": "Richer lakes",
    "plains": "Scoring plains",
    "factories2": "Double factories",
    "squares": "Village squares",
    "forests5": "Growing forests",
}
"""What the variants are called on the screen."""

RULES: Mapping[str, str] = {
    "village": "Village",
    "forests": "Forests",
    "lakes": "Lakes",
    "factories": "Factories",
    "plains": "Plains",
    "squares": "Squares",
}
"""The fields of a `Score` with their titles, in display order."""


@dataclass(frozen=True, slots=True)
class Score:
    """Points by rule; also the difference of two scores."""

    village: int = 0
    """The cells of the largest village."""
    forests: int = 0
    lakes: int = 0
    factories: int = 0
    """Resources paired with factories."""
    plains: int = 0
    """2x2 blocks of plains (variant)."""
    squares: int = 0
    """2x2 blocks in the counted village (variant)."""

    @property
    def total(self) -> int:
        """All points together."""
        return sum(self.by_rule().values())

    def by_rule(self) -> dict[str, int]:
        """The points by the names of `RULES`."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __sub__(self, other: Score) -> Score:
        return Score(*(mine - its for mine, its in zip(_points(self), _points(other), strict=True)))


def _points(score: Score) -> tuple[int, ...]:
    return tuple(score.by_rule().values())


def scored_rules(variants: frozenset[str]) -> tuple[str, ...]:
    """The rules that can score under these variants."""
    return tuple(rule for rule in RULES if rule not in ("plains", "squares") or rule in variants)


def groups(cells: int, stride: int) -> list[int]:
    """The groups of side-by-side cells of a set, by their lowest cells.

    Args:
        cells: a set of cells.
        stride: bits from a cell to the one below it.
    """
    found = []
    while cells:
        group = cells & -cells
        while True:
            spread = group | group << 1 | group >> 1 | group << stride | group >> stride
            if (spread := spread & cells) == group:
                break
            group = spread
        found.append(group)
        cells ^= group
    return found


def blocks(cells: int, stride: int) -> int:
    """The number of 2x2 blocks in a set of cells, counting overlapping blocks."""
    pairs = cells & cells >> 1
    return (pairs & pairs >> stride).bit_count()


def forest_points(cells: int) -> int:
    """The points of a forest in the variant `forests5`, from its cells: 1, 2, 3, 4, then 5 for each cell."""
    return cells * (cells + 1) // 2 if cells <= 5 else 15 + 5 * (cells - 5)


def score(terrains: Mapping[str, int], stride: int, variants: frozenset[str]) -> Score:
    """The score of a map.

    Args:
        terrains: for each letter of `TERRAINS` the set of cells that show it.
        stride: bits from a cell to the one below it.
        variants: names of `VARIANTS`.
    """
    square = 4 if "squares" in variants else 0
    village, squares = max(
        ((group.bit_count(), square * blocks(group, stride)) for group in groups(terrains["V"], stride)),
        default=(0, 0),
    )
    if "forests5" in variants:
        forests = sum(forest_points(group.bit_count()) for group in groups(terrains["F"], stride))
    else:
        forests = 2 * terrains["F"].bit_count()
    if "lakes2" in variants:
        lakes = 2 * terrains["L"].bit_count()
    else:
        lakes = 3 * (terrains["L"].bit_count() - len(groups(terrains["L"], stride)))
    takes = 2 if "factories2" in variants else 1
    factories = 4 * min(terrains["R"].bit_count(), takes * terrains["U"].bit_count())
    plains = 4 * blocks(terrains["P"], stride) if "plains" in variants else 0
    return Score(village, forests, lakes, factories, plains, squares)

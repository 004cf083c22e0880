"""Tetromino straight from its rules, with sets of cells: the oracle of the solver.

Shares nothing with the engine: its own pictures of the pieces, its own turning of them, no bitboards, no
notation. A position is the set of free cells, what the mover holds and what the other side holds.
"""

from functools import lru_cache

PICTURES = {
    "I": ["####"],
    "L": ["#.", "#.", "##"],
    "O": ["##", "##"],
    "S": [".##", "##."],
    "T": ["###", ".#."],
}

Cells = frozenset[tuple[int, int]]


def ways_to_lie(piece: str) -> set[Cells]:
    """Every rotation of a piece and of its mirror image, pushed into the corner."""
    rows = PICTURES[piece]
    ways = set()
    for mirrored in (rows, [row[::-1] for row in rows]):
        turned = mirrored
        for _ in range(4):
            turned = ["".join(column) for column in zip(*turned[::-1], strict=True)]
            ways.add(
                frozenset((x, y) for y, row in enumerate(turned) for x, sign in enumerate(row) if sign == "#")
            )
    return ways


WAYS = {piece: ways_to_lie(piece) for piece in PICTURES}


@lru_cache(maxsize=500_000)
def layings(free: Cells, piece: str) -> tuple[Cells, ...]:
    found = set()
    for way in WAYS[piece]:
        left, low = min(way)
        for x, y in free:
            cells = frozenset((x - left + dx, y - low + dy) for dx, dy in way)
            if cells <= free:
                found.add(cells)
    return tuple(found)


@lru_cache(maxsize=500_000)
def judge(free: Cells, mover: frozenset[str], other: frozenset[str]) -> tuple[str, int]:
    """Value for the mover and plies to the end when the winner hurries and the loser delays."""
    if not mover and not other:
        return "tie", 0
    found: dict[str, list[int]] = {"win": [], "tie": [], "loss": []}
    for piece in mover:
        for cells in layings(free, piece):
            value, plies = judge(free - cells, other, mover - {piece})
            found[{"win": "loss", "tie": "tie", "loss": "win"}[value]].append(plies + 1)
    for value in ("win", "tie"):
        if found[value]:
            return value, min(found[value])
    return "loss", max(found["loss"], default=0)

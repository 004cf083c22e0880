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


def offsets(way: Cells) -> tuple[tuple[int, int], ...]:
    """From the least cell of a way to lie to its three other cells."""
    (left, low), *others = sorted(way)
    return tuple((x - left, y - low) for x, y in others)


OFFSETS = {piece: [offsets(way) for way in ways] for piece, ways in WAYS.items()}


@lru_cache(maxsize=500_000)
def layings(free: Cells, piece: str) -> tuple[Cells, ...]:
    found = set()
    for (a, b), (c, d), (e, f) in OFFSETS[piece]:
        for x, y in free:
            if (x + a, y + b) in free and (x + c, y + d) in free and (x + e, y + f) in free:
                found.add(frozenset(((x, y), (x + a, y + b), (x + c, y + d), (x + e, y + f))))
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

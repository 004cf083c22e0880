"""A second Hexapawn, written from the course's text alone: rows of letters and a recursion over them."""

from functools import cache

Rows = tuple[str, ...]
"""The rows from the top, "P" the mover's pawns, who moves up, "p" the other side's."""


def turned(rows: Rows) -> Rows:
    return tuple(row.swapcase() for row in reversed(rows))


def replies(rows: Rows, must_capture: bool) -> list[Rows]:
    """Every position after a move, as the other side sees it."""
    steps: list[Rows] = []
    captures: list[Rows] = []
    for y in range(1, len(rows)):
        for x, letter in enumerate(rows[y]):
            if letter != "P":
                continue
            for to, wanted, found in ((x, ".", steps), (x - 1, "p", captures), (x + 1, "p", captures)):
                if 0 <= to < len(rows[y]) and rows[y - 1][to] == wanted:
                    after = [list(row) for row in rows]
                    after[y][x], after[y - 1][to] = ".", "P"
                    found.append(turned(tuple("".join(row) for row in after)))
    return captures if must_capture and captures else steps + captures


@cache
def distance(rows: Rows, misere: bool = False, must_capture: bool = False) -> tuple[bool, int]:
    """Whether the mover wins, and in how many plies."""
    after = [] if "p" in rows[-1] else replies(rows, must_capture)
    if not after:
        return misere, 0
    values = [distance(each, misere, must_capture) for each in after]
    lost = [plies for wins, plies in values if not wins]
    return (True, 1 + min(lost)) if lost else (False, 1 + max(plies for _, plies in values))

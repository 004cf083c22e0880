"""Chocobar's rules of play.

A bar has two *arms*, the top row and the first column without the poison, and an *inside*, what remains below
and beside them. Sources: Gale (1974) and *Winning Ways*, chapter 18, for equal arms and two rows; the others
were found by comparing shapes with the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from arcade.engines.chocobar.rules import LARGEST, Bar, Bite, transpose
from arcade.engines.reasons import Case, RuleBook

Rows = tuple[int, ...]
Square = tuple[int, int]

LOST = "whoever must bite here loses"

rule = RuleBook[Bar, Bar]("chocobar", lambda bar: bar)


def _both_ways(bar: Bar) -> Iterator[tuple[Rows, bool]]:
    """The rows of a bar, and of the bar turned over, with whether it is turned."""
    yield bar.rows, False
    yield transpose(bar.rows), True


def _squares(rows: Rows, turned: bool = False) -> tuple[Square, ...]:
    """All squares but the poison."""
    squares = [(row, column) for row, length in enumerate(rows) for column in range(length)][1:]
    return tuple((column, row) if turned else (row, column) for row, column in squares)


def arms(rows: Rows) -> tuple[int, int]:
    """The squares of the top row and of the first column, without the poison."""
    return rows[0] - 1, len(rows) - 1


def inside(rows: Rows) -> Rows:
    """The row lengths of what is left without the arms."""
    return tuple(length - 1 for length in rows[1:] if length > 1)


@rule("equal-arms")
def equal_arms(bar: Bar) -> Case | None:
    along, down = arms(bar.rows)
    if inside(bar.rows) or along != down or not along:
        return None
    return Case(f"The two arms are equally long: {LOST}.", _squares(bar.rows))


@rule("two-rows")
def two_rows(bar: Bar) -> Case | None:
    for rows, turned in _both_ways(bar):
        if len(rows) == 2 and rows[0] == rows[1] + 1:
            word = "columns" if turned else "rows"
            return Case(f"The two {word} differ by one square: {LOST}.", _squares(bar.rows))
    return None


@rule("even-up")
def even_up(bar: Bar) -> Case | None:
    for rows, turned in _both_ways(bar):
        along, down = arms(rows)
        goal = ""
        if not inside(rows) and along > down:
            bite, goal = Bite(1, down + 2), "makes the arms equally long"
        elif len(rows) == 2 and rows[0] > rows[1] + 1:
            bite, goal = Bite(1, rows[1] + 2), "leaves rows that differ by one square"
        elif len(rows) == 2 and rows[0] == rows[1]:
            bite, goal = Bite(2, rows[1]), "leaves rows that differ by one square"
        if goal:
            if turned:
                bite, goal = Bite(bite.column, bite.row), goal.replace("rows", "columns")
            return Case(f"The bite {bite} {goal}, and wins.", ((bite.row - 1, bite.column - 1),))
    return None


@rule("bite-two-two")
def bite_two_two(bar: Bar) -> Case | None:
    along, down = arms(bar.rows)
    if along != down or not inside(bar.rows):
        return None
    return Case("The arms are equally long, so the bite (2,2) leaves only them, and wins.", ((1, 1),))


@dataclass(frozen=True)
class Inside:
    """A shape inside, its rows parallel to the arm along, and with which arms it loses.

    The bar is looked at both ways, so a shape that is its own mirror image needs one order of its arms.
    """

    name: str
    families: tuple[tuple[range, int], ...]
    """Lengths of the arm along, and by how much the arm down is longer."""
    others: tuple[tuple[int, int], ...] = ()
    """Further pairs of arms, along and down."""

    def loses(self, along: int, down: int) -> bool:
        return (along, down) in self.others or any(
            along in lengths and down == along + more for lengths, more in self.families
        )


def _from(least: int, step: int = 2) -> range:
    return range(least, LARGEST, step)


INSIDES = {
    (1,): Inside("one square", ((_from(1), 1),)),
    (2,): Inside("a domino", ((_from(4), 1), (_from(5), -1)), ((2, 3), (3, 1))),
    (3,): Inside("three squares in a row", ((_from(1), 2), (_from(6), -2)), ((4, 1),)),
    (2, 1): Inside("three squares in an L", ((_from(5), 1),), ((2, 4),)),
    (4,): Inside("four squares in a row", ((_from(0), 2), (_from(9), -2)), ((5, 1), (7, 4))),
    (3, 1): Inside("four squares in an L", ((_from(6), 2), (_from(7), -2)), ((3, 6), (5, 2))),
    (2, 2): Inside("a square of four", ((_from(4, 4), 2), (_from(7, 4), 2)), ((2, 5),)),
    (3, 2): Inside("three squares and two", ((_from(1), 1), (_from(8), -1)), ((6, 2),)),
}


def few_inside(count: int) -> Callable[[Bar], Case | None]:
    """The rule on bars with so many squares inside."""

    def case(bar: Bar) -> Case | None:
        if sum(inside(bar.rows)) != count:
            return None
        for rows, turned in _both_ways(bar):
            shape = INSIDES.get(inside(rows))
            along, down = arms(rows)
            if shape is not None and shape.loses(along, down):
                lengths = f"{down} and {along}" if turned else f"{along} and {down}"
                says = f"With {shape.name} inside and arms of {lengths} squares, {LOST}."
                return Case(says, _squares(bar.rows))
        return None

    return case


for _count, _word in enumerate(("one", "two", "three", "four", "five"), 1):
    rule(f"{_word}-inside")(few_inside(_count))


@rule("rectangle")
def rectangle(bar: Bar) -> Case | None:
    if len(set(bar.rows)) != 1 or bar.rows == (1,):
        return None
    return Case("The bar is a full rectangle: whoever bites first can win.", _squares(bar.rows))


def _bars(texts: str) -> frozenset[Rows]:
    bars = [tuple(map(int, text.split("."))) for text in texts.split()]
    return frozenset((*bars, *map(transpose, bars)))


ONE_NOTCH_TRAPS = _bars("""
    10.10.5.5  9.9.5.5.5  9.9.9.7  7.7.7.7.4.4  10.10.4.4.4.4  8.8.8.8.6
    10.10.10.10.5.5.5.5  9.9.9.9.9.6.6.6  10.10.10.8.8.8.8.8
""")
"""All bars within 8x10 of which `one_notch` would be false."""

TWO_NOTCH_TRAPS = _bars("""
    10.10.10.10.10.4.2.2  10.10.10.10.10.8.1.1  10.10.10.10.7.7.7.4  10.10.10.10.8.2  10.10.10.10.9.2.2.2
    10.10.10.6.6.6.5.5  10.10.10.7.7.4.4.4  10.10.10.9.9.5.5.5  10.10.7.7.7.7.5.5  10.10.8.8.8.8.8.7
    9.7.7.7.7.7.5.5  9.9.9.6.6.6.6.4  9.9.9.8.8.5.5.5  9.9.9.9.5.5.5.3  9.9.9.9.6.6.6.5  9.9.9.9.7.4.4.4
    9.9.9.9.8.8.6.6  9.9.9.9.9.7.7.2  9.9.9.9.9.9.6.2
""")
"""All bars within 8x10 of which `two_notches` would be false."""


def _of_standard_size(bar: Bar) -> bool:
    return min(len(bar.rows), bar.rows[0]) <= 8 and max(len(bar.rows), bar.rows[0]) <= 10


def _eaten(rows: Rows) -> tuple[Square, ...]:
    return tuple((row, column) for row, length in enumerate(rows) for column in range(length, rows[0]))


@rule("one-notch")
def one_notch(bar: Bar) -> Case | None:
    rows = bar.rows
    last_row, last_column = rows[-1], rows.count(rows[0])
    if (
        len(set(rows)) != 2
        or min(len(rows), rows[0]) < 4
        or max(last_row, last_column) < 4
        or not _of_standard_size(bar)
        or rows in ONE_NOTCH_TRAPS
    ):
        return None
    return Case(
        "One rectangle is missing from the corner, and this is no trap: whoever bites can win.", _eaten(rows)
    )


@rule("two-notches")
def two_notches(bar: Bar) -> Case | None:
    rows = bar.rows
    if len(set(rows)) != 3 or sum(rows) < 50 or not _of_standard_size(bar) or rows in TWO_NOTCH_TRAPS:
        return None
    return Case(
        f"{sum(rows)} squares are left in rows of three lengths, and this is no trap: whoever bites can win.",
        _eaten(rows),
    )


RULES = rule.rules

"""Chocobar's rules of play.

A bar has two *arms*, the top row and the first column without the poison, and an *inside*, what remains below
and beside them. Sources: Gale (1974) and *Winning Ways*, chapter 18, for equal arms and two rows; the others
were found by comparing shapes with the solver.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from arcade.engines.chocobar.rules import LARGEST, Bar, Bite, transpose
from arcade.engines.files import package_table
from arcade.engines.reasons import Case, RuleBook

Rows = tuple[int, ...]
Square = tuple[int, int]

LOST = "the player who must bite here loses"

rule = RuleBook[Bar, Bar]("chocobar", lambda bar: bar)


def _both_ways(bar: Bar) -> Iterator[tuple[Rows, bool]]:
    """The rows of a bar, and of the bar turned over, with whether it is turned."""
    yield bar.rows, False
    yield transpose(bar.rows), True


def _squares(rows: Rows) -> tuple[Square, ...]:
    """All squares but the poison."""
    return tuple((row, column) for row, length in enumerate(rows) for column in range(length))[1:]


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
            says = f"The two {word} differ by one square: {LOST}."
            return Case(says, _squares(bar.rows), f"two {word} that differ by one square")
    return None


@rule("even-up")
def even_up(bar: Bar) -> Case | None:
    for rows, turned in _both_ways(bar):
        along, down = arms(rows)
        goal = ""
        if not inside(rows) and along > down:
            bite = Bite(1, down + 2)
            goal = "makes the arms equally long" if down else "leaves only the poison"
        elif len(rows) == 2 and rows[0] > rows[1] + 1:
            bite, goal = Bite(1, rows[1] + 2), "leaves rows that differ by one square"
        elif len(rows) == 2 and rows[0] == rows[1]:
            bite = Bite(2, rows[1])
            goal = "leaves rows that differ by one square" if rows[1] > 1 else "leaves only the poison"
        if goal:
            if turned:
                bite, goal = Bite(bite.column, bite.row), goal.replace("rows", "columns")
            return Case(f"Biting {bite} {goal}, and wins.", ((bite.row - 1, bite.column - 1),))
    return None


@rule("bite-two-two")
def bite_two_two(bar: Bar) -> Case | None:
    along, down = arms(bar.rows)
    if along != down or not inside(bar.rows):
        return None
    return Case("The arms are equally long: biting (2,2) leaves only them, and wins.", ((1, 1),))


def _bars(texts: str) -> frozenset[Rows]:
    bars = [tuple(map(int, text.split("."))) for text in texts.split()]
    return frozenset((*bars, *map(transpose, bars)))


SHAPES = package_table(__package__, "shapes.toml")
INSIDES = {tuple(shape["rows"]): shape for shape in SHAPES["inside"]}
TRAPS = {rule: _bars(texts) for rule, texts in SHAPES["traps"].items()}


def _loses(shape: Mapping[str, Any], along: int, down: int) -> bool:
    return [along, down] in shape.get("others", ()) or any(
        along in range(least, LARGEST, step) and down == along + more
        for least, step, more in shape["families"]
    )


def few_inside(count: int, bar: Bar) -> Case | None:
    if sum(inside(bar.rows)) != count:
        return None
    for rows, turned in _both_ways(bar):
        shape = INSIDES.get(inside(rows))
        along, down = arms(rows)
        if shape is not None and _loses(shape, along, down):
            lengths = f"{down} and {along}" if turned else f"{along} and {down}"
            says = f"With {shape['name']} inside and arms of {lengths} squares, {LOST}."
            return Case(says, _squares(bar.rows))
    return None


for _count, _word in enumerate(("one", "two", "three", "four", "five"), 1):
    rule(f"{_word}-inside")(partial(few_inside, _count))


@rule("rectangle")
def rectangle(bar: Bar) -> Case | None:
    if len(set(bar.rows)) != 1 or bar.rows == (1,):
        return None
    return Case("The bar is a full rectangle: the player who bites first can win.", _squares(bar.rows))


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
        or rows in TRAPS["one-notch"]
    ):
        return None
    says = "One rectangle is missing from the corner, and this is no trap: the player who bites can win."
    return Case(says, _eaten(rows))


@rule("two-notches")
def two_notches(bar: Bar) -> Case | None:
    rows = bar.rows
    if len(set(rows)) != 3 or sum(rows) < 50 or not _of_standard_size(bar) or rows in TRAPS["two-notches"]:
        return None
    left = f"{sum(rows)} squares are left in rows of three lengths"
    return Case(f"{left}, and this is no trap: the player who bites can win.", _eaten(rows))


RULES = rule.rules

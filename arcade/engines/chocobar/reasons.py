"""Chocobar's rules of play.

A bar has two *arms*, the top row and the first column without the poison, and an *inside*, what remains below
and beside them. Sources: Gale (1974) and *Winning Ways*, chapter 18, for equal arms and two rows.
"""

from __future__ import annotations

from arcade.engines.chocobar.rules import Bar, transpose
from arcade.engines.reasons import Case, Rule
from arcade.engines.verdict import Value

Square = tuple[int, int]


def arms(bar: Bar) -> tuple[int, int]:
    """The squares of the top row and of the first column, without the poison."""
    return bar.rows[0] - 1, len(bar.rows) - 1


def inside(bar: Bar) -> tuple[int, ...]:
    """The row lengths of what is left without the arms."""
    return tuple(length - 1 for length in bar.rows[1:] if length > 1)


def _arm_squares(bar: Bar) -> tuple[Square, ...]:
    along, down = arms(bar)
    return (*((0, column) for column in range(1, along + 1)), *((row, 0) for row in range(1, down + 1)))


def equal_arms(bar: Bar) -> Case | None:
    along, down = arms(bar)
    if inside(bar) or along != down or not along:
        return None
    return Case("The two arms are equally long: whoever must bite here loses.", _arm_squares(bar))


def two_rows(bar: Bar) -> Case | None:
    for rows, word in ((bar.rows, "rows"), (transpose(bar.rows), "columns")):
        if len(rows) == 2 and rows[0] == rows[1] + 1:
            return Case(f"The two {word} differ by one square: whoever must bite here loses.")
    return None


def rectangle(bar: Bar) -> Case | None:
    if len(set(bar.rows)) != 1 or bar.rows == (1,):
        return None
    return Case("The bar is a full rectangle: whoever bites first can win.")


RULES: tuple[Rule[Bar], ...] = (
    Rule(
        "equal-arms",
        "If only the two arms are left and they are equally long, whoever must bite loses.",
        "two equal arms",
        Value.LOSS,
        equal_arms,
        proof="Each bite in one arm can be copied in the other.",
    ),
    Rule(
        "two-rows",
        "If two rows are left and the second is one square shorter, whoever must bite loses.",
        "two rows that differ by one square",
        Value.LOSS,
        two_rows,
        proof="After each bite, the other player can make the rows differ by one again.",
    ),
    Rule(
        "rectangle",
        "Whoever must bite a full rectangle can win.",
        "a full rectangle",
        Value.WIN,
        rectangle,
        teaches=False,
        proof="If taking the far corner does not win, the bite that answers it would have won at once.",
    ),
)

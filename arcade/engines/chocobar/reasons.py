"""The rules of thumb of Chocobar.

The *arms* are the top row and the first column, both without the poison. The *inside* is the rest. The rules
of equal arms and of two rows are from Gale (1974) and *Winning Ways*, chapter 18.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from arcade.engines.chocobar.rules import MAX_SIDE, SIDES, Bar, Bite, transpose
from arcade.engines.files import package_table
from arcade.engines.reasons import RuleMatch, RuleSet
from arcade.engines.verdict import Value
from arcade.engines.wording import quantity

Rows = tuple[int, ...]
Square = tuple[int, int]

rules = RuleSet[Bar, Bar](
    __package__,
    lambda bar: bar,
    "L: the top row and the first column of the bar. They are its two arms, without the poison.\n"
    "Inside: all squares that are not in the L.\n"
    "The rules hold for rows and columns alike. With “arms like 3 and 4”, either arm may be the longer one.",
)


def _both_ways(bar: Bar) -> Iterator[tuple[Rows, bool]]:
    yield bar.rows, False
    yield transpose(bar.rows), True


def _squares(rows: Rows) -> tuple[Square, ...]:
    return tuple((row, column) for row, length in enumerate(rows) for column in range(length))[1:]


def _must_bite(bar: Bar) -> str:
    return f"{SIDES[bar.turn]} must bite next and will lose"


def arms(rows: Rows) -> tuple[int, int]:
    return rows[0] - 1, len(rows) - 1


def inside(rows: Rows) -> Rows:
    return tuple(length - 1 for length in rows[1:] if length > 1)


@rules.rule(
    "equal-arms",
    name="Copycat",
    headline="Leave an L with two equal arms, then copy every bite.",
    value=Value.LOSS,
    says="If only an L with two equally long arms is left, the player who must bite loses.",
    proof="Each bite in one arm can be copied in the other.",
)
def equal_arms(bar: Bar) -> RuleMatch | None:
    along, down = arms(bar.rows)
    if inside(bar.rows) or along != down or not along:
        return None
    says = (
        f"the bar is an L with two arms of {quantity(along, 'square')}. {_must_bite(bar)}: "
        f"{SIDES[1 - bar.turn]} can copy every bite."
    )
    return RuleMatch(says, _squares(bar.rows))


@rules.rule(
    "two-rows",
    name="One apart",
    headline="Leave two rows or columns that differ by one square.",
    value=Value.LOSS,
    says=(
        "If two rows or columns are left and the second is one square shorter, the player who must bite "
        "loses."
    ),
    proof="After each bite, the other player can make the rows differ by one again.",
)
def two_rows(bar: Bar) -> RuleMatch | None:
    for rows, turned in _both_ways(bar):
        if len(rows) == 2 and rows[0] == rows[1] + 1:
            word = "columns" if turned else "rows"
            says = (
                f"only two {word} are left, with {rows[0]} and {quantity(rows[1], 'square')}. "
                f"{_must_bite(bar)}: after every bite, {SIDES[1 - bar.turn]} can make the {word} differ by "
                f"one square again."
            )
            return RuleMatch(says, _squares(bar.rows))
    return None


@rules.rule(
    "only-poison",
    name="Only the poison",
    headline="One row or column left? Bite everything except the poison.",
    value=Value.WIN,
    says="If a single row or column is left, bite the square next to the poison: that wins.",
    proof="Your opponent has only the poison left.",
)
def only_poison(bar: Bar) -> RuleMatch | None:
    if min(arms(bar.rows)) or bar.rows == (1,):
        return None
    bite = Bite(1, 2) if len(bar.rows) == 1 else Bite(2, 1)
    return _bite(bar, bite, f"leaves {SIDES[1 - bar.turn]} only the poison")


def _bite(bar: Bar, bite: Bite, does: str) -> RuleMatch:
    return RuleMatch.by_move(SIDES[bar.turn], does, ((bite.row - 1, bite.column - 1),), str(bite))


@rules.rule(
    "even-up",
    name="Even up",
    headline="Make an L's arms equal, or leave rows that differ by one.",
    value=Value.WIN,
    says=(
        "If only an L is left and its arms differ, make them equal. If two rows or columns are left, make "
        "the second one square shorter than the first. Either bite wins."
    ),
    proof="It leaves two equal arms, or two rows that differ by one, and your opponent loses with either.",
)
def even_up(bar: Bar) -> RuleMatch | None:
    for rows, turned in _both_ways(bar):
        along, down = arms(rows)
        again = f"{SIDES[bar.turn]} can do so again after each bite by {SIDES[1 - bar.turn]}"
        goal = f"makes the rows differ by one square, and {again}"
        if not inside(rows) and along > down > 0:
            bite, goal = (
                Bite(1, down + 2),
                f"makes the arms of the L equally long, and {SIDES[bar.turn]} can copy every bite",
            )
        elif len(rows) == 2 and rows[0] > rows[1] + 1:
            bite = Bite(1, rows[1] + 2)
        elif len(rows) == 2 and rows[0] == rows[1] > 1:
            bite = Bite(2, rows[1])
        else:
            continue
        if turned:
            bite, goal = Bite(bite.column, bite.row), goal.replace("rows", "columns")
        return _bite(bar, bite, goal)
    return None


@rules.rule(
    "bite-two-two",
    name="Clear the inside",
    headline="Top row as long as the first column? Bite (2,2).",
    value=Value.WIN,
    says=(
        "If the top row and the first column are equally long and the inside is not empty, bite (2,2): that "
        "wins."
    ),
    proof="Only two equal arms are left, and your opponent must bite.",
)
def bite_two_two(bar: Bar) -> RuleMatch | None:
    along, down = arms(bar.rows)
    if along != down or not inside(bar.rows):
        return None
    does = f"leaves an L with two equal arms, and {SIDES[bar.turn]} can copy every bite"
    return _bite(bar, Bite(2, 2), does)


def _bars(texts: str) -> frozenset[Rows]:
    bars = [tuple(map(int, text.split("."))) for text in texts.split()]
    return frozenset((*bars, *map(transpose, bars)))


SHAPES = package_table(__package__, "shapes.toml")
INSIDES = {tuple(shape["rows"]): shape for shape in SHAPES["inside"]}
TRAPS = {rule: _bars(texts) for rule, texts in SHAPES["traps"].items()}


def _is_lost(shape: Mapping[str, Any], along: int, down: int) -> bool:
    return [along, down] in shape.get("others", ()) or any(
        along in range(least, MAX_SIDE, step) and down == along + more
        for least, step, more in shape["families"]
    )


def _few_inside(bar: Bar, *insides: Rows) -> RuleMatch | None:
    for rows, turned in _both_ways(bar):
        if inside(rows) not in insides:
            continue
        shape = INSIDES[inside(rows)]
        along, down = arms(rows)
        if _is_lost(shape, along, down):
            name, places = shape["name"], ("top row", "first column")
            if turned:
                name, places = name.replace("row", "column").replace("below", "beside"), places[::-1]
            lies = ""
            if transpose(inside(rows)) != inside(rows):
                lies = f", which lies along the {'shorter' if along < down else 'longer'} arm"
            says = (
                f"the L has arms of {along} ({places[0]}) and {down} ({places[1]}), with {name} inside"
                f"{lies}. {_must_bite(bar)}."
            )
            return RuleMatch(says, _squares(bar.rows))
    return None


@rules.rule(
    "one-inside",
    name="One inside",
    headline="Leave one square inside an L with arms like 3 and 4.",
    value=Value.LOSS,
    says=(
        "With one square inside, the player who must bite loses if the arms have 1 and 2, 3 and 4, 5 and 6, "
        "7 and 8, or 9 and 10 squares."
    ),
)
def one_inside(bar: Bar) -> RuleMatch | None:
    return _few_inside(bar, (1,))


@rules.rule(
    "two-inside",
    name="Domino inside",
    headline="Leave a domino inside an L with arms like 4 and 5.",
    value=Value.LOSS,
    says=(
        "With a domino inside, the player who must bite loses if the arms have 4 and 5, 6 and 7, or 8 and 9 "
        "squares. The same is true for arms of 2 and 3 if the domino lies along the shorter arm, and for "
        "arms of 1 and 3 if it lies along the longer arm."
    ),
)
def two_inside(bar: Bar) -> RuleMatch | None:
    return _few_inside(bar, (2,))


@rules.rule(
    "corner-inside",
    name="Corner inside",
    headline="Leave a corner of three inside an L with listed arms.",
    value=Value.LOSS,
    says=(
        "With a corner inside (a 2x2 block without its lower right square), the player who must bite loses "
        "if the arms are 2-4, 5-6, 7-8 or 9-10."
    ),
    shown=False,
)
def corner_inside(bar: Bar) -> RuleMatch | None:
    return _few_inside(bar, (2, 1))


@rules.rule(
    "three-inside",
    name="Row inside",
    headline="Leave a row of three inside an L with listed arms.",
    value=Value.LOSS,
    says=(
        "With a row of three squares inside, the player who must bite loses if the arms are 3-5, 5-7 or 7-9 "
        "and the row is parallel to the shorter arm. They also lose with 1-4, 4-6, 6-8 or 8-10 if it is "
        "parallel to the longer."
    ),
    shown=False,
)
def three_inside(bar: Bar) -> RuleMatch | None:
    return _few_inside(bar, (3,))


@rules.rule(
    "four-inside",
    name="Four inside",
    headline="Leave four squares inside an L with listed arms.",
    value=Value.LOSS,
    says=(
        "With a 2x2 block inside, the player who must bite loses if the arms are 2-5, 4-6, 7-9 or 8-10. "
        "With a row of four inside, they lose if the arms are 4-6, 6-8, 8-10, 5-1, 7-4 or 9-7. With a row "
        "of three inside and one square below the first of them, they lose if the arms are 3-6, 6-8, 8-10, "
        "5-2, 7-5 or 9-7. The first number is the arm parallel to the row."
    ),
    shown=False,
)
def four_inside(bar: Bar) -> RuleMatch | None:
    return _few_inside(bar, (4,), (2, 2), (3, 1))


@rules.rule(
    "five-inside",
    name="Five inside",
    headline="Leave rows of three and two inside an L with listed arms.",
    value=Value.LOSS,
    says=(
        "With a row of three squares inside and a row of two below it, the player who must bite loses if the "
        "arms are 3-4, 5-6, 7-8, 9-10, 8-7, 10-9 or 6-2. The first number is the arm parallel to the rows."
    ),
    shown=False,
)
def five_inside(bar: Bar) -> RuleMatch | None:
    return _few_inside(bar, (3, 2))


@rules.rule(
    "rectangle",
    name="First bite",
    headline="On a full rectangle there is always a winning bite.",
    value=Value.WIN,
    says="If a full rectangle of more than one square is left, the player who must bite can win.",
    teaches=False,
    proof=(
        "Suppose you bite only the far corner. If that does not win, your opponent has a winning answer. "
        "Then play that answer at once instead. It eats the far corner too, so the same bar is left."
    ),
)
def rectangle(bar: Bar) -> RuleMatch | None:
    if len(set(bar.rows)) != 1 or bar.rows == (1,):
        return None
    mover, other = SIDES[bar.turn], SIDES[1 - bar.turn]
    last = Bite(len(bar.rows), bar.rows[0])
    says = (
        f"the bar is a full rectangle, and {mover} can win. Suppose {mover} bites only the far corner, "
        f"{last}. If that does not win, {other} has a winning answer. Then {mover} can play that answer at "
        f"once instead. It eats {last} too, so the same bar is left."
    )
    return RuleMatch(says, _squares(bar.rows))


def _of_standard_size(bar: Bar) -> bool:
    return min(len(bar.rows), bar.rows[0]) <= 8 and max(len(bar.rows), bar.rows[0]) <= 10


def _wins_unless_listed(bar: Bar, listed: str) -> str:
    return (
        f"The player to bite wins from every bar of this kind, apart from {listed} and their mirror images. "
        f"This is not one of them, so {SIDES[bar.turn]} wins."
    )


def _eaten(rows: Rows) -> tuple[Square, ...]:
    return tuple((row, column) for row, length in enumerate(rows) for column in range(length, rows[0]))


@rules.rule(
    "one-notch",
    name="One notch",
    headline="With one rectangle bitten off, most bars have a winning bite.",
    value=Value.WIN,
    says=(
        "Suppose one rectangle has been bitten off the lower right corner of a full bar from 4x4 to 8x10. If "
        "the last row or the last column still has at least four squares, the player who must bite can win. "
        "Nine bars and their mirror images, listed in docs/games/chocobar.md, are not covered."
    ),
    teaches=False,
)
def one_notch(bar: Bar) -> RuleMatch | None:
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
    squares = f"({rows.index(last_row) + 1},{last_row + 1})", f"({len(rows)},{rows[0]})"
    corner = " to ".join(dict.fromkeys(squares))
    size = f"{len(rows)}x{rows[0]}"
    return RuleMatch(
        f"the bar is {size} without the rectangle {corner}. {_wins_unless_listed(bar, 'nine')}",
        _eaten(rows),
    )


@rules.rule(
    "two-notches",
    name="Two notches",
    headline="Nearly every large bar with two notches has a winning bite.",
    value=Value.WIN,
    says=(
        "A bar has two notches if its rows have exactly three different lengths. If such a bar of up to 8x10 "
        "or 10x8 has at least 50 squares, the player who must bite can win. Nineteen bars and their mirror "
        "images, listed in docs/games/chocobar.md, are not covered."
    ),
    teaches=False,
    shown=False,
)
def two_notches(bar: Bar) -> RuleMatch | None:
    rows = bar.rows
    if len(set(rows)) != 3 or sum(rows) < 50 or not _of_standard_size(bar) or rows in TRAPS["two-notches"]:
        return None
    left = f"{sum(rows)} squares are left in rows of three lengths"
    return RuleMatch(f"{left}. {_wins_unless_listed(bar, 'nineteen')}", _eaten(rows))


RULES = tuple(rules)

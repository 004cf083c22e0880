"""Results about a bar that need no search, and the reasons for them.

The closed forms are textbook results on Chomp (Gale 1974; Berlekamp, Conway and Guy, *Winning Ways*,
chapter 18). Each is short enough to be proved here, and the tests compare them with the tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arcade.engines.chocobar.rules import Bite, transpose
from arcade.engines.verdict import DuelVerdict, Proof, Value

Rows = tuple[int, ...]

STRATEGY_STEALING = "strategy stealing: if biting the far corner does not win, its refutation does"
L_STRATEGY = (
    "strategy stealing proves it, and the L-strategy shows how: bite at (2,2),"
    " then copy every bite from one arm in the other"
)
SYMMETRIC_L = "both arms of the L are equally long, so every bite in one can be copied in the other"
UNEQUAL_L = "make both arms of the L equally long, then copy every bite from one arm in the other"
ONE_ROW = "one bite leaves only the poison"
TWO_ROWS_LOST = "the two rows differ by one square, and after every bite the other side can restore that"
TWO_ROWS_WON = "a bite that makes the two rows differ by one square wins"
POISON = "only the poison is left"


@dataclass(frozen=True, slots=True)
class Known:
    """What theory says of a bar, for the player to move."""

    value: Value
    reason: str
    exact: int | None = None
    """The remoteness in plies, if theory gives it."""
    at_most: int | None = None
    """An upper limit of the remoteness of a win, in plies."""
    bite: Bite | None = None
    """A winning bite, if theory names one; with `exact`, one that wins in that many plies."""

    def verdict(self) -> DuelVerdict:
        """The same as a verdict: EXACT with the remoteness, else BOUND."""
        proof = Proof.BOUND if self.exact is None else Proof.EXACT
        return DuelVerdict(
            proof,
            self.value,
            self.exact,
            at_most=self.at_most,
            reason=self.reason,
            source="a proof without search",
        )


def known(rows: Rows) -> Known | None:
    """What theory says of a bar, or None.

    Exact for bars of one or two rows or columns, for L shapes and for full squares. For full bars, and for
    bars that one bite turns into a lost bar of the first kinds, it gives the value and perhaps an upper limit
    of the remoteness.
    """
    closed = _closed_form(rows)
    if closed is not None:
        return closed
    height, width = len(rows), rows[0]
    full = rows[-1] == width
    if full and height == width:
        # No other bite wins: one at (1,j) or (j,1) leaves a full bar, which strategy stealing wins, and any
        # # other leaves (2,2) and both arms, so the other player makes the L. So this is exact.
        return Known(Value.WIN, L_STRATEGY, exact=2 * height - 1, bite=Bite(2, 2))
    best: Known | None = None
    for bite, left in _bites_to_closed_forms(rows):
        lost = _closed_form(left)
        if lost is None or lost.value is not Value.LOSS or lost.exact is None:
            continue
        if best is None or best.at_most is None or lost.exact + 1 < best.at_most:
            best = Known(
                Value.WIN, f"{bite} leaves a lost bar: {lost.reason}", at_most=lost.exact + 1, bite=bite
            )
    if full:
        return Known(
            Value.WIN,
            STRATEGY_STEALING,
            at_most=best.at_most if best else None,
            bite=best.bite if best else None,
        )
    return best


def _closed_form(rows: Rows) -> Known | None:
    """Exact knowledge of a bar with at most two rows or columns, or of an L shape; else None."""
    height, width = len(rows), rows[0]
    if rows == (1,):
        return Known(Value.LOSS, POISON, exact=0)
    if height == 1:
        return Known(Value.WIN, ONE_ROW, exact=1, bite=Bite(1, 2))
    if width == 1:
        return Known(Value.WIN, ONE_ROW, exact=1, bite=Bite(2, 1))
    if rows[1] == 1:
        return _l_shape(down=height - 1, right=width - 1)
    if height == 2:
        return _two_rows(width, rows[1])
    if width == 2:
        found = _two_rows(*transpose(rows))
        if found.bite is None:
            return found
        turned = Bite(found.bite.column, found.bite.row)
        return Known(found.value, found.reason.replace("rows", "columns"), exact=found.exact, bite=turned)
    return None


def _l_shape(down: int, right: int) -> Known:
    """An L is Nim with two heaps: a bite shortens one arm."""
    if down == right:
        return Known(Value.LOSS, SYMMETRIC_L, exact=2 * down)
    shorter = min(down, right)
    bite = Bite(1, shorter + 2) if right > down else Bite(shorter + 2, 1)
    return Known(Value.WIN, UNEQUAL_L, exact=2 * shorter + 1, bite=bite)


def _two_rows(upper: int, lower: int) -> Known:
    """Two rows are lost exactly when they are one square apart."""
    if lower == upper - 1:
        return Known(Value.LOSS, TWO_ROWS_LOST, exact=2 * lower)
    if lower == upper:
        return Known(Value.WIN, TWO_ROWS_WON, exact=2 * upper - 1, bite=Bite(2, upper))
    return Known(Value.WIN, TWO_ROWS_WON, exact=2 * lower + 1, bite=Bite(1, lower + 2))


def _bites_to_closed_forms(rows: Rows) -> Iterator[tuple[Bite, Rows]]:
    """The bites of a bar of at least three rows and columns that leave one with a closed form."""
    yield Bite(2, 2), (rows[0],) + (1,) * (len(rows) - 1)
    yield Bite(3, 1), rows[:2]
    yield Bite(1, 3), tuple(min(length, 2) for length in rows)

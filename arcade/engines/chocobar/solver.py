"""Solve bars by closed forms or, if none applies, by tables of all bars in a box.

Sources of the closed forms: Gale (1974); Berlekamp, Conway and Guy, *Winning Ways*, chapter 18.
"""

import threading
from collections.abc import Iterator
from dataclasses import replace

from arcade.engines.chocobar.rules import Bar, Bite, bars_in, transpose
from arcade.engines.chocobar.table import (
    BarTable,
    GrundyTable,
    expected_seconds,
    keeps_remoteness,
    make_table,
    memory_bytes,
    warm,
)
from arcade.engines.control import BEST, BOUND, Control, Kernels
from arcade.engines.solver import Analysis, Goal, Solver, board_fact, solve_in_steps
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value, mark_best

Rows = tuple[int, ...]

POISON = "only the poison is left"
ONE_ROW = "one bite leaves only the poison"
EQUAL_ARMS = "both arms of the L are equally long, so every bite in one can be copied in the other"
UNEQUAL_ARMS = "make both arms of the L equally long, then copy every bite from one arm in the other"
TWO_ROWS_LOST = "the two rows differ by one square, and after every bite the other side can restore that"
TWO_ROWS_WON = "a bite that makes the two rows differ by one square wins"
STRATEGY_STEALING = "strategy stealing: if biting the far corner does not win, its refutation does"
L_STRATEGY = (
    "strategy stealing proves it, and the L-strategy shows how: bite at (2,2), then copy every bite "
    "from one arm in the other"
)


def known(rows: Rows) -> DuelVerdict | None:
    """Return the verdict if theory gives one, otherwise None. See docs/solvers/chocobar.md for the proofs."""
    closed = _closed_form(rows)
    if closed is not None:
        return closed
    height, width = len(rows), rows[0]
    full = rows[-1] == width
    if full and height == width:
        # Exact, since only (2,2) wins: a bite at (1,j) or (j,1) leaves a full bar, which is won; after any
        # other the opponent bites at (2,2).
        return _exact(Value.WIN, 2 * height - 1, L_STRATEGY)
    after = {
        "(2,2)": (width,) + (1,) * (height - 1),
        "(3,1)": rows[:2],
        "(1,3)": tuple(min(length, 2) for length in rows),
    }
    forms = {bite: _closed_form(left) for bite, left in after.items()}
    lost = {
        form.remoteness or 0: f"{bite} leaves a lost bar: {form.reason}"
        for bite, form in reversed(forms.items())
        if form is not None and form.value is Value.LOSS
    }
    if not (lost or full):
        return None
    soonest = min(lost, default=None)
    return DuelVerdict(
        Proof.BOUND,
        Value.WIN,
        at_most=None if soonest is None else soonest + 1,
        reason=STRATEGY_STEALING if full or soonest is None else lost[soonest],
        source="a proof without search",
    )


def _exact(value: Value, plies: int, reason: str) -> DuelVerdict:
    return DuelVerdict(Proof.EXACT, value, plies, reason=reason, source="a proof without search")


def _closed_form(rows: Rows) -> DuelVerdict | None:
    if len(rows) == 1 or rows[1] == 1:
        return _l_shape(len(rows) - 1, rows[0] - 1)
    if len(rows) == 2:
        return _two_rows(*rows)
    if rows[0] == 2:
        turned = _two_rows(*transpose(rows))
        return replace(turned, reason=turned.reason.replace("rows", "columns"))
    return None


def _l_shape(down: int, right: int) -> DuelVerdict:
    if down == right:
        return _exact(Value.LOSS, 2 * down, EQUAL_ARMS if down else POISON)
    shorter = min(down, right)
    return _exact(Value.WIN, 2 * shorter + 1, UNEQUAL_ARMS if shorter else ONE_ROW)


def _two_rows(upper: int, lower: int) -> DuelVerdict:
    if lower == upper - 1:
        return _exact(Value.LOSS, 2 * lower, TWO_ROWS_LOST)
    return _exact(Value.WIN, 2 * lower + (1 if lower < upper else -1), TWO_ROWS_WON)


def effort(rows: int, columns: int, remoteness: bool = False) -> str:
    if bars_in(rows, columns) <= bars_in(14, 14):
        return ""
    remoteness = remoteness or keeps_remoteness(rows, columns)
    what = "" if remoteness else ", their values only"
    memory = memory_bytes(rows, columns, remoteness) / 1e6
    seconds = expected_seconds(rows, columns, remoteness)
    return (
        f"Solving every bar up to {rows}x{columns} ({bars_in(rows, columns):,} bars{what})"
        f" takes about {memory:,.0f} MB and {seconds:,.0f} s."
    )


class ChocobarSolver(Solver[Bar, Bite]):
    compiled = False

    def __init__(self) -> None:
        self._tables: tuple[BarTable, ...] = ()
        self._grundy = GrundyTable()
        self._solving = threading.Lock()

    def effort(self, position: Bar) -> str:
        return "" if self._holds(position) else effort(len(position.rows), position.rows[0])

    def solve(self, position: Bar, control: Control, goal: Goal = Goal.ALL) -> Iterator[Analysis[Bar, Bite]]:
        """Yield exact verdicts if theory or a table gives the remoteness, otherwise only values.

        By default, a table has the remoteness if `keeps_remoteness` is True for its size.
        """
        return solve_in_steps(position, control, goal, self._judge, self._judge_moves)

    def _judge(self, position: Bar, control: Control) -> DuelVerdict:
        before, started = control.nodes, control.seconds
        found = self._known(position)
        if found.proof is not Proof.EXACT and not self._holds(position):
            self._solve(position, control)
            found = self._known(position)
        return replace(found, nodes=control.nodes - before, seconds=control.seconds - started)

    def _judge_moves(self, position: Bar, control: Control) -> list[MoveVerdict[Bite]]:
        if not self._holds(position):
            self._solve(position, control)
        marked = mark_best(
            (bite, self._known(position.play(bite)).before_move()) for bite in position.moves()
        )
        best = next((move.verdict.value for move in marked if move.best), None)
        alike = [move for move in marked if move.verdict.value is best]
        if best is None or all(move.verdict.remoteness is not None for move in alike):
            return marked
        return [replace(move, best=move.verdict.value is best) for move in marked]

    def look_ahead(self, position: Bar, plies: int, control: Control) -> list[MoveVerdict[Bite]]:
        """Return a verdict for every bite. It is exact if the game then ends within `plies` from this turn.

        A lost bar lasts at least two plies for each column except the first, because the loser can always
        bite off the last column. The same is true of rows. So bars lost within `plies` fit into a small
        square.
        """
        if self._holds(position):
            return self._judge_moves(position, control)
        side = (plies - 1) // 2 + 1
        verdicts = []
        for bite in position.moves():
            after = position.play(bite)
            rows, columns = len(after.rows), after.rows[0]
            found = DuelVerdict()
            if max(rows, columns) <= side:
                found = self._judge(after, control)
            elif min(rows, columns) <= side:
                # This bar is too large to be lost within `plies`, but a bite may leave one that is lost.
                found = max(self._answers(after, side, control), key=lambda each: each.preference)
            verdicts.append((bite, found.before_move()))
        return mark_best(verdicts)

    def _answers(self, position: Bar, side: int, control: Control) -> list[DuelVerdict]:
        left = [position.play(bite) for bite in position.moves()]
        small = [each for each in left if max(len(each.rows), each.rows[0]) <= side]
        answers = [self._judge(each, control).before_move() for each in small]
        return [DuelVerdict(), *(each for each in answers if each.value is Value.WIN)]

    def grundy(self, position: Bar, control: Control) -> int | None:
        """Return the Grundy number, or None if stopped. Raises InputError for bars above about 14x14."""
        return self._grundy.look_up(position.rows, control)

    def solve_with_remoteness(self, rows: int, columns: int, control: Control) -> None:
        self._solve(Bar.full(rows, columns), control, remoteness=True)

    def _known(self, position: Bar) -> DuelVerdict:
        theory = known(position.rows)
        if theory is not None and theory.proof is Proof.EXACT:
            return theory
        found = theory or DuelVerdict()
        for table in self._tables:
            entry = table.look_up(position.rows)
            if entry is None:
                continue
            value, remoteness = entry
            if remoteness is not None:
                return DuelVerdict(Proof.EXACT, value, remoteness, reason=found.reason, source=str(table))
            found = replace(found, proof=Proof.BOUND, value=value, source=str(table))
        if len(set(position.rows)) == 1:
            rows, columns = sorted((len(position.rows), position.rows[0]))
            fact = board_fact("chocobar", f"{rows}x{columns}")
            if fact is not None:
                return replace(fact, reason=found.reason)
        return found

    def _holds(self, position: Bar, remoteness: bool = False) -> bool:
        """Return whether a table contains the bar.

        The table must give the remoteness if `remoteness` is True or a new table for the bar would have it.
        """
        wanted = remoteness or keeps_remoteness(len(position.rows), position.rows[0])
        entries = (table.look_up(position.rows) for table in self._tables)
        return any(entry is not None and (entry[1] is not None or not wanted) for entry in entries)

    def _solve(self, position: Bar, control: Control, remoteness: bool = False) -> None:
        while not self._solving.acquire(timeout=0.05):
            if control.stopped:
                return
        try:
            if not self._holds(position, remoteness) and not control.stopped:
                self._table_for(len(position.rows), position.rows[0], remoteness).solve(control)
        finally:
            self._solving.release()

    def _table_for(self, rows: int, columns: int, remoteness: bool) -> BarTable:
        wanted = remoteness or keeps_remoteness(rows, columns)
        for table in self._tables:
            if table.fits(rows, columns) and table.remoteness >= wanted:
                return table
        new = make_table(rows, columns, remoteness)
        kept = [
            each
            for each in self._tables
            if each.remoteness is not new.remoteness or not new.fits(each.rows, each.columns)
        ]
        self._tables = (*kept, new)
        return new

    def progress(self, control: Control) -> str:
        total = int(control.cells[BOUND])
        return f"{int(control.cells[BEST]):,} of {total:,} bars" if total else super().progress(control)

    def warm(self, kernels: Kernels | None = None) -> None:
        warm(kernels)
        with Control(kernels=kernels) as control:
            GrundyTable().look_up((2, 2), control)

"""The solver of Chocobar: theory where it answers at once, and tables of every bar in a box for the rest."""

from __future__ import annotations

import threading
from dataclasses import replace

from arcade.engines.chocobar.grundy import GrundyTable
from arcade.engines.chocobar.rules import Bar, Bite
from arcade.engines.chocobar.table import (
    BarTable,
    bars_in,
    expected_seconds,
    keeps_remoteness,
    make_table,
    memory_bytes,
    warm,
)
from arcade.engines.chocobar.theory import known
from arcade.engines.control import BEST, BOUND, Control
from arcade.engines.facts import board_fact
from arcade.engines.solver import Solver
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value, Verdict, mark_best


def effort(rows: int, columns: int, remoteness: bool = False) -> str:
    """A sentence on the cost of solving a box beyond 14x14, to show beforehand; empty for smaller boxes.

    With `remoteness`, that of solving it with remoteness, even if the solver would keep only values.
    """
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
    """Solves the box around a bar once, and then answers for every bar that fits into it.

    The solver keeps its tables, including unfinished ones, which the next call continues. Safe to use from
    several threads: one of them solves, the others read or wait.
    """

    compiled = False

    def __init__(self) -> None:
        self._tables: tuple[BarTable, ...] = ()
        self._grundy = GrundyTable()
        self._solving = threading.Lock()

    def effort(self, position: Bar) -> str:
        """Memory and time for an unsolved bar beyond 14x14."""
        return "" if self._holds(position) else effort(len(position.rows), position.rows[0])

    def verdict(self, position: Bar, control: Control) -> DuelVerdict:
        """The verdict of a bar.

        EXACT where a table holds remoteness (see `keeps_remoteness`) or theory gives it; BOUND where only the
        value is proved, by a table of values, by strategy stealing or by a bite to a known lost bar, perhaps
        with an upper limit of the remoteness; UNKNOWN if the control stopped the solve before it
        reached this bar.
        """
        before, started = control.nodes, control.seconds
        found = self._known(position)
        if found.proof is not Proof.EXACT and not self._holds(position):
            self._solve(position, control)
            found = self._known(position)
        return replace(found, nodes=control.nodes - before, seconds=control.seconds - started)

    def analyse(self, position: Bar, control: Control) -> list[MoveVerdict[Bite]]:
        """Every bite with its verdict, all from one solve of the box around `position`.

        If remoteness is unknown, all bites that keep the value are marked best.
        """
        if not self._holds(position):
            self._solve(position, control)
        marked = mark_best(
            (bite, self._known(position.play(bite)).before_move()) for bite in position.moves()
        )
        best = next((each.verdict.value for each in marked if each.best), None)
        alike = [each for each in marked if each.verdict.value is best]
        if best is None or all(each.verdict.remoteness is not None for each in alike):
            return marked
        return [replace(each, best=each.verdict.value is best) for each in marked]

    def seen(self, position: Bar, plies: int, control: Control) -> list[MoveVerdict[Bite]]:
        """Every bite, exact where the game ends within `plies`; solves no more than a small box.

        A lost bar lasts at least two plies for each of its columns but the first: the loser bites off the
        last column each time, and no answer in the top row wins, since the loser could have bitten there at
        once. The same is true of rows. So all bars that are lost within `plies` lie in a small square.
        """
        if self._holds(position):
            return self.analyse(position, control)
        side = (plies - 1) // 2 + 1
        verdicts = []
        for bite in position.moves():
            after = position.play(bite)
            rows, columns = len(after.rows), after.rows[0]
            found = DuelVerdict()
            if max(rows, columns) <= side:
                found = self.verdict(after, control)
            elif min(rows, columns) <= side:
                # It is not lost within the plies, but a bite may leave a bar that is.
                found = max(self._answers(after, side, control), key=lambda each: each.preference)
            verdicts.append((bite, found.before_move()))
        return mark_best(verdicts)

    def _answers(self, position: Bar, side: int, control: Control) -> list[DuelVerdict]:
        """The verdicts of the bites that leave a bar which fits into a square, and an unknown one."""
        left = [position.play(bite) for bite in position.moves()]
        small = [each for each in left if max(len(each.rows), each.rows[0]) <= side]
        answers = [self.verdict(each, control).before_move() for each in small]
        return [DuelVerdict(), *(each for each in answers if each.value is Value.WIN)]

    def grundy(self, position: Bar, control: Control) -> int | None:
        """The Grundy number of a bar; None when stopped by the control.

        Raises:
            InputError: the bar is larger than 14x14 or so.
        """
        return self._grundy.look_up(position.rows, control)

    def solve_with_remoteness(self, rows: int, columns: int, control: Control) -> None:
        """Solve a box with the remoteness of its bars, also where the solver keeps only their values.

        Stopped by the control, it goes on with the next call. It takes a byte for each bar.
        """
        self._solve(Bar.full(rows, columns), control, remoteness=True)

    def _known(self, position: Bar) -> DuelVerdict:
        """What theory, the existing tables and the stored facts say of a bar, without solving anything."""
        theory = known(position.rows)
        if theory is not None and theory.exact is not None:
            return theory.verdict()
        found = DuelVerdict() if theory is None else theory.verdict()
        for table in self._tables:
            entry = table.look_up(position.rows)
            if entry is None:
                continue
            value, remoteness = entry
            if remoteness is not None:
                return DuelVerdict(Proof.EXACT, value, remoteness, reason=found.reason, source=str(table))
            found = replace(found, proof=Proof.BOUND, value=value, source=str(table))
        if position == Bar.full(len(position.rows), position.rows[0]):
            rows, columns = sorted((len(position.rows), position.rows[0]))
            fact = board_fact("chocobar", f"{rows}x{columns}")
            if fact is not None:
                return replace(fact, reason=found.reason)
        return found

    def _holds(self, position: Bar, remoteness: bool = False) -> bool:
        """Whether a table covers a bar and all its successors as well as a table of their own box would."""
        wanted = remoteness or keeps_remoteness(len(position.rows), position.rows[0])
        for table in self._tables:
            entry = table.look_up(position.rows)
            if entry is not None and (entry[1] is not None or not wanted):
                return True
        return False

    def _solve(self, position: Bar, control: Control, remoteness: bool = False) -> None:
        """Solve the box around a bar, or resume this, until done or stopped."""
        while not self._solving.acquire(timeout=0.05):
            if control.stopped:
                return
        try:
            # Another thread may have solved it while this one waited.
            if not self._holds(position, remoteness) and not control.stopped:
                self._table_for(len(position.rows), position.rows[0], remoteness).solve(control)
        finally:
            self._solving.release()

    def _table_for(self, rows: int, columns: int, remoteness: bool) -> BarTable:
        """The table to solve for a box; a new one replaces smaller ones of its kind."""
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
        """The number of decided bars of the box."""
        total = int(control.cells[BOUND])
        done = int(control.cells[BEST])
        return f"{done:,} of {total:,} bars" if total else super().progress(control)

    def reason(self, position: Bar, move: Bite, verdict: Verdict) -> str:
        """Why a bite has its verdict."""
        plain = super().reason(position, move, verdict)
        left = known(position.play(move).rows)
        if verdict.value is Value.WIN and left is not None and left.value is Value.LOSS:
            return f"{plain} {left.reason[0].upper()}{left.reason[1:]}."
        return plain

    def warm(self) -> None:
        """Compile or load the kernels."""
        warm()
        with Control() as control:
            GrundyTable().look_up((2, 2), control)

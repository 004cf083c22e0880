"""The solver of Chocobar: what theory knows at once, and tables of every bar in a box for the rest."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from arcade.engines.chocobar.grundy import GrundyTable
from arcade.engines.chocobar.rules import Bar, Bite
from arcade.engines.chocobar.table import (
    Table,
    bars_in,
    expected_seconds,
    keeps_remoteness,
    make_table,
    memory_bytes,
    warm,
)
from arcade.engines.chocobar.theory import known
from arcade.engines.control import BEST, BOUND, Control
from arcade.engines.game import Solver
from arcade.engines.verdict import MoveVerdict, Proof, Value, Verdict, mark_best


def effort(rows: int, columns: int) -> str:
    """What solving a box beyond 14x14 takes, as a sentence to be told before it starts; empty for others."""
    if bars_in(rows, columns) <= bars_in(14, 14):
        return ""
    what = "" if keeps_remoteness(rows, columns) else ", their values only"
    memory = memory_bytes(rows, columns) / 1e6
    seconds = expected_seconds(rows, columns)
    return (
        f"To solve every bar up to {rows}x{columns} ({bars_in(rows, columns):,} bars{what})"
        f" takes about {memory:,.0f} MB and {seconds:,.0f} s."
    )


class ChocobarSolver(Solver[Bar, Bite]):
    """Solves the box that a bar lies in once, and answers for every bar that fits into it from then on.

    Tables are kept for the life of the solver. A solve that is stopped is kept too, and the next one goes on
    from there. Safe to use from several threads: one of them solves, the others read or wait.
    """

    def __init__(self) -> None:
        self._tables: tuple[Table, ...] = ()
        self._grundy = GrundyTable()
        self._solving = threading.Lock()

    def effort(self, position: Bar) -> str:
        """Memory and time of a bar beyond 14x14 that is not solved yet."""
        return "" if self._holds(position) else effort(len(position.rows), position.rows[0])

    def verdict(self, position: Bar, control: Control) -> Verdict:
        """The verdict of a bar.

        EXACT where a table holds remoteness (see `keeps_remoteness`) or theory gives it; BOUND where only the
        value is proved, by a table of values, by strategy stealing or by a bite that leaves a bar known to be
        lost, perhaps with an upper limit of the remoteness; UNKNOWN when the control stopped the solve before
        it came to this bar.
        """
        before, started = control.nodes, time.perf_counter()
        found = self._known(position)
        if found.proof is not Proof.EXACT and not self._holds(position):
            self._solve(position, control)
            found = self._known(position)
        return replace(found, nodes=control.nodes - before, seconds=time.perf_counter() - started)

    def analyse(self, position: Bar, control: Control) -> list[MoveVerdict[Bite]]:
        """Every bite with its verdict, all from one solve of the box that `position` lies in.

        Where remoteness is not known, all bites that keep the value are marked best.
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

    def grundy(self, position: Bar, control: Control) -> int | None:
        """The Grundy number of a bar; None when stopped by the control.

        Raises:
            InputError: the bar is larger than 14x14 or so.
        """
        return self._grundy.look_up(position.rows, control)

    def _known(self, position: Bar) -> Verdict:
        """What theory and the tables that are there say of a bar, without solving anything."""
        theory = known(position.rows)
        if theory is not None and theory.exact is not None:
            return theory.verdict()
        found = Verdict() if theory is None else theory.verdict()
        for table in self._tables:
            entry = table.look_up(position.rows)
            if entry is None:
                continue
            value, remoteness = entry
            if remoteness is not None:
                return Verdict(Proof.EXACT, value, remoteness, reason=found.reason, source=str(table))
            found = replace(found, proof=Proof.BOUND, value=value, source=str(table))
        return found

    def _holds(self, position: Bar) -> bool:
        """Whether a table says of a bar and all that it can become as much as a table of its own would."""
        wanted = keeps_remoteness(len(position.rows), position.rows[0])
        for table in self._tables:
            entry = table.look_up(position.rows)
            if entry is not None and (entry[1] is not None or not wanted):
                return True
        return False

    def _solve(self, position: Bar, control: Control) -> None:
        """Solve the box that a bar lies in, or go on with it, until done or stopped."""
        while not self._solving.acquire(timeout=0.05):
            if control.stopped:
                return
        try:
            # Another thread may have solved it while this one waited.
            if not self._holds(position) and not control.stopped:
                self._table_for(len(position.rows), position.rows[0]).solve(control)
        finally:
            self._solving.release()

    def _table_for(self, rows: int, columns: int) -> Table:
        """The table to solve for a box; a new one takes the place of smaller ones of its kind."""
        wanted = keeps_remoteness(rows, columns)
        for table in self._tables:
            if table.fits(rows, columns) and table.remoteness >= wanted:
                return table
        new = make_table(rows, columns)
        kept = [
            each
            for each in self._tables
            if each.remoteness is not new.remoteness or not new.fits(each.rows, each.columns)
        ]
        self._tables = (*kept, new)
        return new

    def progress(self, control: Control) -> str:
        """How many bars of the box are decided."""
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
        """Compile, or load, the kernels."""
        warm()
        with Control() as control:
            GrundyTable().look_up((2, 2), control)

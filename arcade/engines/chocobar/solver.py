"""The solver of Chocobar: what theory knows at once, and tables of every bar in a box for the rest."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

from arcade.engines.chocobar.rules import Bar, Bite
from arcade.engines.chocobar.table import MOST_WITH_REMOTENESS, Table, bars_in
from arcade.engines.chocobar.theory import Known, known
from arcade.engines.control import Control
from arcade.engines.game import Solver
from arcade.engines.verdict import MoveVerdict, Proof, Value, Verdict, mark_best


class ChocobarSolver(Solver[Bar, Bite]):
    """Solves the box that a bar lies in once, and answers for every bar that fits into it from then on.

    Tables are kept for the life of the solver. A solve that is stopped is kept too, and the next one goes on
    from there. Safe to use from several threads: one of them solves, the others read or wait.
    """

    def __init__(self) -> None:
        self._tables: tuple[Table, ...] = ()
        self._solving = threading.Lock()

    def verdict(self, position: Bar, control: Control) -> Verdict:
        """The verdict of a bar.

        EXACT where the table holds remoteness (boxes of up to `MOST_WITH_REMOTENESS` bars) or theory gives
        it; BOUND where only the value is proved, by strategy stealing or a reply to a known lost bar, perhaps
        with an upper limit of the remoteness; UNKNOWN when the control stopped the solve before it came to
        this bar.
        """
        theory = known(position.rows)
        if theory is not None and theory.exact is not None:
            return theory.verdict()
        before, started = control.nodes, time.perf_counter()
        found = self._find(position, theory)
        if found is None:
            self._solve(position, control)
            found = self._find(position, theory)
        if found is None:
            found = Verdict() if theory is None else theory.verdict()
        return replace(found, nodes=control.nodes - before, seconds=time.perf_counter() - started)

    def analyse(self, position: Bar, control: Control) -> list[MoveVerdict[Bite]]:
        """Every bite with its verdict, all from one solve of the box that `position` lies in."""
        if position.outcome() is None and self._find(position, None) is None:
            self._solve(position, control)
        return mark_best((bite, self._after(position, bite)) for bite in position.moves())

    def _after(self, position: Bar, bite: Bite) -> Verdict:
        left = position.play(bite)
        theory = known(left.rows)
        if theory is not None and theory.exact is not None:
            return theory.verdict().before_move()
        found = self._find(left, theory)
        if found is None:
            found = Verdict() if theory is None else theory.verdict()
        return found.before_move()

    def _find(self, position: Bar, theory: Known | None) -> Verdict | None:
        """What the tables that are there say of a bar, in the words of theory where it has some."""
        for table in self._tables:
            entry = table.look_up(position.rows)
            if entry is not None:
                value, remoteness = entry
                proof = Proof.BOUND if remoteness is None else Proof.EXACT
                reason = theory.reason if theory else ""
                return Verdict(proof, value, remoteness, reason=reason, source=str(table))
        return None

    def _solve(self, position: Bar, control: Control) -> None:
        """Solve the box that a bar lies in, or go on with it, until done or stopped."""
        while not self._solving.acquire(timeout=0.05):
            if control.stopped:
                return
        try:
            height, width = len(position.rows), position.rows[0]
            table = next((each for each in self._tables if each.fits(height, width)), None)
            if table is None:
                if bars_in(height, width) > MOST_WITH_REMOTENESS:
                    return
                table = Table(height, width)
                kept = (each for each in self._tables if not table.fits(each.rows, each.columns))
                self._tables = (*kept, table)
            if not table.done and not control.stopped:
                table.solve(control)
        finally:
            self._solving.release()

    def reason(self, position: Bar, move: Bite, verdict: Verdict) -> str:
        """Why a bite has its verdict."""
        plain = super().reason(position, move, verdict)
        left = known(position.play(move).rows)
        if verdict.value is Value.WIN and left is not None and left.value is Value.LOSS:
            return f"{plain} {left.reason[0].upper()}{left.reason[1:]}."
        return plain

    def warm(self) -> None:
        """Compile, or load, the kernels."""
        with Control() as control:
            Table(3, 4).solve(control)

"""The solver of Tetromino: which questions to put to the kernel, and what the answers say."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from arcade.engines.control import BEST, BOUND, DEPTH, Control
from arcade.engines.game import Solver
from arcade.engines.tetromino import kernel
from arcade.engines.tetromino.board import Placement, image_of
from arcade.engines.tetromino.layout import Words, layout
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.verdict import MoveVerdict, Proof, Value, Verdict, mark_best

Limits = tuple[int, int]
"""The least and the most that a position's rank can still be; ranks are explained in `kernel`."""

TIE = 6
"""The rank of a tie; below it are losses, from 8 on wins."""
_GOING_ON: Limits = (1, 12)
"""What is known of a position that is not over before anything is asked."""

_TABLE_BITS = ((42, 19), (48, 21), (64, 24))
"""By the most cells of a board: the binary logarithm of the entries in its table, of 8 bytes each. A table
that stays in the processor's cache is worth more than the few positions that a larger one remembers."""
_MOST_TABLES = 3
"""How many boards' tables are kept, those used last: 400 MB when all three are of 2**24 entries and full."""
_MOST_KNOWN = 200_000
"""How many positions' limits are kept besides, some 50 MB; then that memory starts anew."""
_QUICK_CELLS = 42
"""On boards of up to so many cells values are found so soon that asking for short wins first costs more."""
_MOST_THREADS = 2
"""How many threads at most judge the moves of a position: more would take the screen's own core."""


def remoteness(rank: int) -> int:
    """Plies to the end at a rank other than that of a tie."""
    return 2 * rank if rank < TIE else 2 * (12 - rank) + 1


def best_reply(rank: int) -> int:
    """The rank, as the other side sees it, of the position after a best move at this rank."""
    return 12 - rank if rank >= TIE else 13 - rank


def next_question(limits: Limits, full: bool, quick: bool = False) -> int | None:
    """The bound to ask for next; None when all that is wanted is known.

    First, unless `quick`, what a few plies decide: where the value takes long that says something soon. Then
    whether the mover loses, then whether the mover wins. With `full` then the remoteness: short wins and
    losses are the cheaper questions and come first.
    """
    least, most = limits
    if least == most:
        return None
    if least > TIE:
        return most if full else None
    if most < TIE:
        return least + 1 if full else None
    for bound in (TIE, TIE + 1) if quick else (12, 2, 11, 3, TIE, TIE + 1):
        if least < bound <= most:
            return bound
    return None


def answered(limits: Limits, bound: int, yes: bool) -> Limits:
    """The limits when it is known whether the rank is at least `bound`; no rank is 7."""
    least, most = limits
    if yes:
        return max(least, 8 if bound == TIE + 1 else bound), most
    return least, min(most, TIE if bound == TIE + 2 else bound - 1)


def verdict_of(position: Tetrominoes, limits: Limits) -> Verdict:
    """What limits of the rank say of a position."""
    least, most = limits
    pieces = sum(hand.bit_count() for hand in position.hands)
    if least == most == TIE:
        return Verdict(Proof.EXACT, Value.TIE, pieces, reason="both sides can lay all that they hold")
    if most < TIE or least > TIE:
        value = Value.LOSS if most < TIE else Value.WIN
        plies = sorted((remoteness(least), remoteness(most)))
        if least == most:
            return Verdict(Proof.EXACT, value, plies[0])
        return Verdict(Proof.BOUND, value, at_least=plies[0], at_most=plies[1])
    ends = [remoteness(rank) for rank in limits if rank != TIE]
    soonest = min(ends)
    return Verdict(Proof.BOUND, at_least=soonest) if soonest > 1 else Verdict()


def move_classes(position: Tetrominoes) -> list[list[Placement]]:
    """The legal moves in classes that the position's own symmetries exchange, so that one stands for all."""
    covered = position.occupied
    own = [each for each in position.board.symmetries if image_of(covered, each) == covered]
    classes: dict[int, list[Placement]] = {}
    for move in position.moves():
        mask = position.board.placements[move]
        classes.setdefault(min(image_of(mask, each) for each in own), []).append(move)
    return list(classes.values())


class TetrominoSolver(Solver[Tetrominoes, Placement]):
    """Finds value and remoteness of any position by search with a transposition table for each board.

    Tables last as long as the solver, so what one search found helps the next. Safe to use from several
    threads at once: a table's entries are single words, which threads share without waiting.
    """

    def __init__(self) -> None:
        self._tables: OrderedDict[tuple[int, int], Words] = OrderedDict()
        self._known: dict[Tetrominoes, Limits] = {}
        self._lock = threading.Lock()

    def verdict(self, position: Tetrominoes, control: Control) -> Verdict:
        """The verdict of a position.

        EXACT unless the control stops the search. Then BOUND: with the value and limits of the remoteness
        when the value is proved, else with nothing but `at_least`, the plies for which neither side can
        force the end; UNKNOWN when that would be one ply.
        """
        return self._judge(position, control, full=True)

    def value(self, position: Tetrominoes, control: Control) -> Verdict:
        """As `verdict` when only the value is wanted: sooner there, and BOUND unless it came out exact."""
        return self._judge(position, control, full=False)

    def values(self, position: Tetrominoes, control: Control) -> list[MoveVerdict[Placement]]:
        """Every legal move with its value, in the order of `position.moves()`.

        Much sooner there than `analyse`, which goes on from here. None is marked best, since of that the
        remoteness is part.
        """
        judged = self._judge_moves(position, control, full=False)
        return [MoveVerdict(move, verdict) for move, verdict in judged]

    def analyse(self, position: Tetrominoes, control: Control) -> list[MoveVerdict[Placement]]:
        """Every legal move with value and remoteness, in the order of `position.moves()`.

        Moves that a symmetry of the position exchanges share one search. All values are found before any
        remoteness is looked for, so that a stop leaves as many values as can be.
        """
        self._judge_moves(position, control, full=False)
        return mark_best(self._judge_moves(position, control, full=True))

    def line(self, position: Tetrominoes, control: Control) -> list[Placement]:
        """Best play by both sides from here to the end; shorter when stopped before the end is proved."""
        line: list[Placement] = []
        while position.outcome() is None:
            least, most = self._narrow(position, control, full=True)
            if least < most:
                break
            goal = best_reply(least)
            for move, *_ in move_classes(position):
                after = position.play(move)
                if self._at_most(after, goal, control):
                    break
            else:
                break
            line.append(move)
            position = after
        return line

    def reason(self, position: Tetrominoes, move: Placement, verdict: Verdict) -> str:
        """Why a move has its verdict, as a sentence."""
        plain = super().reason(position, move, verdict)
        if verdict.remoteness == 1:
            return plain
        after = position.play(move)
        replies = len(after.moves())
        return f"{plain} It leaves the other side {replies} {'reply' if replies == 1 else 'replies'}."

    def progress(self, control: Control) -> str:
        """Positions visited, how far the search looks, and how many of the moves are judged."""
        parts = [f"{control.nodes:,} positions"]
        cells = control.cells
        if cells[DEPTH]:
            parts.append(f"{cells[DEPTH]} plies deep")
        if cells[BOUND]:
            parts.append(f"{cells[BEST]} of {cells[BOUND]} moves")
        return ", ".join(parts)

    def warm(self) -> None:
        """Compile, or load, the kernels."""
        with Control() as control:
            self.verdict(Tetrominoes(4, 5), control)

    def _judge(self, position: Tetrominoes, control: Control, full: bool) -> Verdict:
        ending = position.ending()
        if ending is not None:
            return ending
        before, started = control.nodes, time.perf_counter()
        found = verdict_of(position, self._narrow(position, control, full))
        return replace(found, nodes=control.nodes - before, seconds=time.perf_counter() - started)

    def _judge_moves(
        self, position: Tetrominoes, control: Control, full: bool
    ) -> list[tuple[Placement, Verdict]]:
        """The verdict of every legal move, without positions and seconds: one search helps the next.

        Two threads take the moves in turn. They share the table, whose entries are proved, so that what they
        find does not hang on which of them is ahead.
        """
        found: dict[Placement, Verdict] = {}
        classes = move_classes(position)
        control.cells[BEST], control.cells[BOUND] = 0, sum(map(len, classes))
        waiting = iter(classes)

        def work() -> None:
            for moves in waiting:
                after = position.play(moves[0])
                verdict = after.ending() or verdict_of(after, self._narrow(after, control, full))
                found.update(dict.fromkeys(moves, verdict.before_move()))
                control.cells[BEST] = len(found)

        helpers = min(_threads(), len(classes)) - 1
        if helpers > 0:
            with ThreadPoolExecutor(helpers) as pool:
                others = [pool.submit(work) for _ in range(helpers)]
                work()
            for other in others:
                other.result()
        else:
            work()
        control.cells[BOUND] = 0
        return [(move, found[move]) for move in position.moves()]

    def _narrow(self, position: Tetrominoes, control: Control, full: bool) -> Limits:
        """Ask until the value, or with `full` the rank, of a position is known or the control stops it.

        The position is not over.
        """
        quick = not full and position.width * position.height <= _QUICK_CELLS
        limits = self._known.get(position, _GOING_ON)
        while True:
            bound = next_question(limits, full, quick)
            if bound is None or control.stopped:
                return limits
            limits = self._ask(position, limits, bound, control)

    def _at_most(self, position: Tetrominoes, rank: int, control: Control) -> bool:
        """Whether a position's rank is proved to be at most `rank`."""
        outcome = position.outcome()
        if outcome is not None:
            return rank >= (TIE if outcome.winner is None else 0)
        limits = self._known.get(position, _GOING_ON)
        if limits[0] <= rank < limits[1]:
            limits = self._ask(position, limits, rank + 1, control)
        return limits[1] <= rank

    def _ask(self, position: Tetrominoes, limits: Limits, bound: int, control: Control) -> Limits:
        """Put one question to the kernel; returns, and remembers, the limits with its answer."""
        tables = layout(position.width, position.height)
        node = tables.node(position)
        # The plies that decide whether the rank is at least the bound: ten when it asks for the value.
        control.cells[DEPTH] = min(2 * (bound - 1), 2 * (12 - bound) + 1, 10)
        answer = kernel.at_least(
            tables.beside,
            tables.of_hand,
            tables.unique,
            tables.cells,
            tables.piece,
            tables.block_order,
            self._table(position.width, position.height),
            node.free,
            node.mover,
            node.other,
            int(node.tie),
            bound,
            control.cells,
        )
        if answer != kernel.STOPPED:
            limits = answered(limits, bound, bool(answer))
            if len(self._known) >= _MOST_KNOWN:
                self._known = {}
            self._known[position] = limits
        return limits

    def _table(self, width: int, height: int) -> Words:
        """The transposition table of a board."""
        with self._lock:
            table = self._tables.get((width, height))
            if table is None:
                bits = next(bits for cells, bits in _TABLE_BITS if width * height <= cells)
                table = self._tables[width, height] = np.zeros(1 << bits, np.uint64)
                if len(self._tables) > _MOST_TABLES:
                    self._tables.popitem(last=False)
            self._tables.move_to_end((width, height))
            return table


def _threads() -> int:
    """How many threads judge moves: as many as this process has cores, within limits."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(_MOST_THREADS, cores)

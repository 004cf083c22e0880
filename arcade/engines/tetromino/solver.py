"""The solver of Tetromino: which questions to ask the kernel, and what the answers mean."""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from arcade.engines.control import BEST, BOUND, DEPTH, Control, solver_threads
from arcade.engines.facts import board_fact
from arcade.engines.solver import Solver
from arcade.engines.tetromino import kernel
from arcade.engines.tetromino.board import Placement, image_of
from arcade.engines.tetromino.layout import Words, layout
from arcade.engines.tetromino.openings import MOST_LAID, TIE, openings
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value, Verdict, mark_best

_PLAIN = kernel.at_least.interpreted(POLL=16)

Limits = tuple[int, int]
"""The lowest and highest rank that a position can still have; `kernel` explains ranks."""

_GOING_ON: Limits = (1, 12)
"""The limits of an unfinished position before any question."""

_TABLE_BITS = ((42, kernel.LEAST_TABLE_BITS), (48, 21), (64, 24))
"""By the most cells of a board: the binary logarithm of the entries in its table, of 8 bytes each. A table
that stays in the processor's cache is worth more than the few positions that a larger one remembers."""
_MOST_TABLES = 3
"""Most tables to keep, the last used ones: 400 MB if all three have 2**24 entries and are full."""
_MOST_KNOWN = 200_000
"""Most positions whose limits are stored, some 50 MB; a full store is cleared."""
_PLAIN_BOUNDS = (2, 12)
"""Questions that look at most two plies ahead: plain Python answers them while the kernel is not compiled."""
_QUICK_CELLS = 42
"""Up to this many cells, values are found so fast that asking for short wins first costs more time."""


def remoteness(rank: int) -> int:
    """Plies to the end at a rank; not for a tie."""
    return 2 * rank if rank < TIE else 2 * (12 - rank) + 1


def best_reply(rank: int) -> int:
    """The other side's rank after a best move from this rank."""
    return 12 - rank if rank >= TIE else 13 - rank


def next_question(limits: Limits, full: bool, quick: bool = False) -> int | None:
    """The bound to ask for next; None when enough is known.

    Unless `quick`, it first asks what a few plies decide, which gives an early answer if the value takes
    long. Then it asks whether the mover loses, then whether the mover wins. With `full` it then asks for the
    remoteness, short wins and losses first, as these are cheaper.
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


def near_question(limits: Limits, plies: int) -> int | None:
    """The bound to ask for next where only an end within `plies` matters; None when that is settled."""
    least, most = limits
    for count in range(1, plies + 1):
        bound = 12 - count // 2 if count % 2 else count // 2 + 1
        if least < bound <= most:
            return bound
    return None


def answered(limits: Limits, bound: int, yes: bool) -> Limits:
    """The limits once it is known whether the rank is at least `bound`; no rank is 7."""
    least, most = limits
    if yes:
        return max(least, 8 if bound == TIE + 1 else bound), most
    return least, min(most, TIE if bound == TIE + 2 else bound - 1)


def verdict_of(position: Tetrominoes, limits: Limits) -> DuelVerdict:
    """The verdict for limits of the rank."""
    least, most = limits
    pieces = sum(hand.bit_count() for hand in position.hands)
    if least == most == TIE:
        return DuelVerdict(Proof.EXACT, Value.TIE, pieces, reason="both sides can place all that they hold")
    if most < TIE or least > TIE:
        value = Value.LOSS if most < TIE else Value.WIN
        plies = sorted((remoteness(least), remoteness(most)))
        if least == most:
            return DuelVerdict(Proof.EXACT, value, plies[0])
        return DuelVerdict(Proof.BOUND, value, at_least=plies[0], at_most=plies[1])
    ends = [remoteness(rank) for rank in limits if rank != TIE]
    soonest = min(ends)
    return DuelVerdict(Proof.BOUND, at_least=soonest) if soonest > 1 else DuelVerdict()


def move_classes(position: Tetrominoes) -> list[list[Placement]]:
    """The legal moves in classes of moves that the position's symmetries map to each other."""
    covered = position.occupied
    own = [each for each in position.board.symmetries if image_of(covered, each) == covered]
    classes: dict[int, list[Placement]] = {}
    for move in position.moves():
        mask = position.board.placements[move]
        classes.setdefault(min(image_of(mask, each) for each in own), []).append(move)
    return list(classes.values())


class TetrominoSolver(Solver[Tetrominoes, Placement]):
    """Finds value and remoteness by search with a transposition table for each board.

    Tables last as long as the solver, so one search helps the next. Safe to use from several
    threads at once: a table's entries are single words, which threads share without waiting.

    Args:
        facts: whether to use what is stored of the first moves, or to search for that too.
    """

    compiled = False

    def __init__(self, facts: bool = False) -> None:
        self._facts = facts
        self._tables: OrderedDict[tuple[int, int], Words] = OrderedDict()
        self._known: dict[Tetrominoes, Limits] = {}
        self._lock = threading.Lock()

    def verdict(self, position: Tetrominoes, control: Control) -> DuelVerdict:
        """The verdict of a position.

        EXACT unless the control stops the search. Then BOUND: if the value is proved, with the value and
        limits of the remoteness, else only with `at_least`, the plies within which neither side can
        force the end; UNKNOWN if that is just one ply.
        """
        return self._judge(position, control, full=True)

    def value(self, position: Tetrominoes, control: Control) -> DuelVerdict:
        """Like `verdict` but finds only the value: faster, and BOUND unless it happens to be exact."""
        return self._judge(position, control, full=False)

    def values(self, position: Tetrominoes, control: Control) -> list[MoveVerdict[Placement]]:
        """Every legal move with its value, in the order of `position.moves()`.

        Much faster than `analyse`, which can continue from here. No move is marked best, since that depends
        on the remoteness.
        """
        judged = self._judge_moves(position, control, full=False)
        return [MoveVerdict(move, verdict) for move, verdict in judged]

    def analyse(self, position: Tetrominoes, control: Control) -> list[MoveVerdict[Placement]]:
        """Every legal move with value and remoteness, in the order of `position.moves()`.

        Symmetric moves share one search. All values are found before any remoteness, so that a stop
        leaves as many values as possible.
        """
        self._judge_moves(position, control, full=False)
        return mark_best(self._judge_moves(position, control, full=True))

    def seen(self, position: Tetrominoes, plies: int, control: Control) -> list[MoveVerdict[Placement]]:
        """Every legal move, exact where the game ends within `plies`: searches no deeper than that.

        It looks one ply further at a time, so that a stop leaves every end that is nearer.
        """
        for near in range(1, plies - 1):
            self._judge_moves(position, control, full=True, within=near)
        return mark_best(self._judge_moves(position, control, full=True, within=plies - 1))

    def best_move(self, position: Tetrominoes, control: Control) -> Placement | None:
        """The first move that is as good as the position: one question for each move is enough."""
        if position.outcome() is not None:
            return None
        least, most = self._narrow(position, control, full=True)
        if least < most:
            return None
        goal = best_reply(least)
        classes = move_classes(position)
        return next((each for each, *_ in classes if self._at_most(position.play(each), goal, control)), None)

    def reason(self, position: Tetrominoes, move: Placement, verdict: Verdict) -> str:
        """A sentence on why a move has its verdict."""
        plain = super().reason(position, move, verdict)
        if verdict.remoteness == 1:
            return plain
        after = position.play(move)
        replies = len(after.moves())
        return f"{plain} It leaves the other side {replies} {'reply' if replies == 1 else 'replies'}."

    def progress(self, control: Control) -> str:
        """Positions visited, search depth, and number of moves evaluated."""
        parts = [f"{control.nodes:,} positions"]
        cells = control.cells
        if cells[DEPTH]:
            parts.append(f"{cells[DEPTH]} moves deep")
        if cells[BOUND]:
            parts.append(f"{cells[BEST]} of {cells[BOUND]} moves")
        return ", ".join(parts)

    def warm(self) -> None:
        """Compile, or load, the kernels."""
        with Control() as control:
            self.verdict(Tetrominoes(4, 5), control)

    def _judge(self, position: Tetrominoes, control: Control, full: bool) -> DuelVerdict:
        ending = position.ending()
        if ending is not None:
            return ending
        if self._facts and position == Tetrominoes(position.width, position.height):
            fact = board_fact("tetromino", f"{position.width}x{position.height}")
            if fact is not None:
                return fact
        before, started = control.nodes, control.seconds
        found = verdict_of(position, self._narrow(position, control, full))
        return replace(found, nodes=control.nodes - before, seconds=control.seconds - started)

    def _judge_moves(
        self, position: Tetrominoes, control: Control, full: bool, within: int | None = None
    ) -> list[tuple[Placement, DuelVerdict]]:
        """The verdict of every legal move, without nodes and seconds, since the searches share work.

        Two threads take the moves in turn. They share the table, whose entries are proved, so their
        results do not depend on which of them is ahead.
        """
        found: dict[Placement, DuelVerdict] = {}
        classes = move_classes(position)
        control.cells[BEST], control.cells[BOUND] = 0, sum(map(len, classes))
        waiting = iter(classes)

        def work() -> None:
            for moves in waiting:
                after = position.play(moves[0])
                verdict = after.ending() or verdict_of(after, self._narrow(after, control, full, within))
                found.update(dict.fromkeys(moves, verdict.before_move()))
                control.cells[BEST] = len(found)

        helpers = min(solver_threads(), len(classes)) - 1
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

    def _narrow(
        self, position: Tetrominoes, control: Control, full: bool, within: int | None = None
    ) -> Limits:
        """Ask until the value, or with `full` the rank, of a position is known or the control stops it.

        The position is not over. With `within`, it is enough to know whether it ends within so many plies.
        """
        if within is not None and within >= sum(hand.bit_count() for hand in position.hands):
            within = None
        quick = not full and position.width * position.height <= _QUICK_CELLS
        limits = self._limits(position)
        while True:
            bound = next_question(limits, full, quick) if within is None else near_question(limits, within)
            if bound is None or control.stopped:
                return limits
            limits = self._ask(position, limits, bound, control)

    def _limits(self, position: Tetrominoes) -> Limits:
        """What is known of a position without a search."""
        known = self._known.get(position)
        if known is None and self._facts and len(position.laid) <= MOST_LAID:
            stored = openings(position.width, position.height)
            rank = None if stored is None else stored.rank(position)
            if rank is not None:
                known = self._known[position] = rank, rank
        return known or _GOING_ON

    def _at_most(self, position: Tetrominoes, rank: int, control: Control) -> bool:
        """Whether a position's rank is proved to be at most `rank`."""
        outcome = position.outcome()
        if outcome is not None:
            return rank >= (TIE if outcome.winner is None else 0)
        limits = self._limits(position)
        if limits[0] <= rank < limits[1]:
            limits = self._ask(position, limits, rank + 1, control)
        return limits[1] <= rank

    def _ask(self, position: Tetrominoes, limits: Limits, bound: int, control: Control) -> Limits:
        """Ask the kernel one question; stores and returns the new limits."""
        at_least = kernel.at_least
        if bound in _PLAIN_BOUNDS and not control.has_kernels("tetromino"):
            at_least = _PLAIN
        elif not control.wait_for_kernels("tetromino"):
            return limits
        tables = layout(position.width, position.height)
        node = tables.node(position)
        # The plies that decide whether the rank is at least the bound; ten for the value.
        control.cells[DEPTH] = min(2 * (bound - 1), 2 * (12 - bound) + 1, 10)
        answer = at_least(
            tables.beside,
            tables.of_hand,
            tables.cells,
            tables.piece,
            tables.steps,
            tables.lowest,
            tables.images,
            self._table(position.width, position.height),
            node.free,
            np.uint64(node.live),
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

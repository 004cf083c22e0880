"""Prove the score of one position with searches that can be paused and resumed."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from arcade.engines.control import BEST, BOUND, DEPTH, Control, solver_threads
from arcade.engines.hexapawn import kernel
from arcade.engines.hexapawn.rules import PawnPosition, half_turn
from arcade.engines.hexapawn.table import (
    HIGHEST,
    LOWEST,
    WON,
    HexapawnTable,
    plies_of,
    verdict_of,
)
from arcade.engines.verdict import DuelVerdict

SLICE = 4096
"""Positions searched in one slice, which takes a few milliseconds."""
PLAIN_SLICE = 64
"""Positions searched in one slice when the search runs in interpreted Python."""
AT_ONCE = 512
"""Positions searched before numba is loaded. This takes about 50 ms, and loading numba ten times as long."""
DEEPENING = 16
"""One slice out of this number works on the lower bound of the game's length."""
ALONE = 50_000
"""Positions that one thread searches, in about 20 ms, before other threads help."""

_PLAIN = kernel.search.interpreted(POLL=16)


class Stack:
    """The search stack of one thread. Threads that work on the same search share the array `under_way`."""

    def __init__(
        self,
        board: PawnPosition,
        table: HexapawnTable,
        thread: int = 0,
        under_way: kernel.Words | None = None,
    ) -> None:
        self.thread = thread
        self.target = -1
        self._table = table
        self._board = kernel.geometry(board.rows, board.columns, board.misere, board.capture)
        plies = board.max_plies() + 2
        width = 3 * max(board.white.bit_count(), board.black.bit_count()) + 1
        self._memory = kernel.SearchMemory(
            np.zeros((plies, kernel.VIEWS), np.uint64),
            np.zeros((plies, kernel.FRAME), np.int64),
            np.zeros((plies, width), np.int64),
            np.zeros(kernel.STATE, np.int64),
            _under_way(1) if under_way is None else under_way,
            thread,
        )
        self._memory.boards[0] = views(board)

    def start(self, target: int, low: int, high: int) -> None:
        """Begin to decide whether the score is at least `target`. It is known to be from `low` to `high`."""
        self.target = target
        self._memory.state[kernel.PLY], self._memory.state[kernel.PHASE] = 0, kernel.BEGIN
        root = self._memory.frames[0]
        root[kernel.TARGET], root[kernel.LOW], root[kernel.HIGH] = target, low, high

    def resume(self, budget: int, control: Control) -> tuple[int, int] | None:
        """Search about `budget` positions. Return bounds that decide `target`, or None if it is undecided."""
        search, table, memory = kernel.search, self._table, self._memory
        if not control.has_kernels("hexapawn") or (not search.loaded and control.nodes < AT_ONCE):
            search, budget = _PLAIN, min(budget, PLAIN_SLICE)
        with table.turn(control) as came:
            if not came:
                return None
            memory.state[kernel.STORED] = 0
            score = search(
                memory, table.words, table.bucket_bits, self._board, control.cells, budget, control=control
            )
            table.count(int(memory.state[kernel.STORED]))
        if score == kernel.UNFINISHED:
            return None
        return int(memory.frames[0, kernel.LOW]), int(memory.frames[0, kernel.HIGH])


def _under_way(threads: int) -> kernel.Words:
    return np.zeros((threads, kernel.SHARED), np.uint64)


def views(board: PawnPosition) -> list[int]:
    mover = board.turned() if board.turn else board
    mirror = mover.mirrored()
    words = [mover.white, mover.black, mirror.white, mirror.black]
    squares = board.rows * board.columns
    return [*words, *(half_turn(words[index], squares) for index in (1, 0, 3, 2))]


class ScoreSearch:
    """Proven bounds of a score, and the two searches that narrow them (docs/solvers/hexapawn.md).

    Threads share the first search with T. Kerrigan's simplified version of ABDADA (J.-C. Weill, "The ABDADA
    distributed minimax search algorithm", ICCA Journal 19, 1996).
    """

    def __init__(self, board: PawnPosition, table: HexapawnTable, threads: int | None = None) -> None:
        self.board = board
        self._table = table
        self.low, self.high = LOWEST, HIGHEST
        self._stacks: list[Stack] = []
        self._threads = solver_threads() if threads is None else threads
        self._under_way = _under_way(self._threads)
        self._slices = 0
        self._learning = threading.Lock()

    @property
    def proved(self) -> bool:
        return self.low == self.high

    @property
    def decided(self) -> bool:
        return not self.low < WON <= self.high

    def verdict(self) -> DuelVerdict:
        return verdict_of(self.low, self.high, self.board.misere, self.board.max_plies())

    def resume(self, budget: int, control: Control) -> None:
        visited = control.nodes
        while not self.proved and control.nodes - visited < budget and not control.stopped:
            deepening = self._slices % DEEPENING == 1
            if deepening == len(self._stacks):
                self._stacks.append(Stack(self.board, self._table, 0, None if deepening else self._under_way))
            if not self._search(self._stacks[deepening], deepening, control):
                self._slices += 1

    def _search(self, stack: Stack, deepening: bool, control: Control) -> bool:
        if not self.low < stack.target <= self.high:
            if deepening:
                target = self._deepening()
            elif not self.decided:
                target = WON
            else:
                target = self.low + 1 if self.low >= WON else self.high
            stack.start(target, self.low, self.high)
        limits = stack.resume(SLICE, control)
        if limits is None:
            return False
        stack.target = -1
        self._learn(*limits)
        return True

    @contextmanager
    def with_helper_threads(self, control: Control) -> Iterator[None]:
        ended = threading.Event()

        def help_along(thread: int) -> None:
            stack = Stack(self.board, self._table, thread, self._under_way)
            while not self.proved and not control.stopped and not ended.is_set():
                self._search(stack, False, control)

        helpers = [
            threading.Thread(target=help_along, args=(thread,), daemon=True)
            for thread in range(1, self._threads)
        ]
        for helper in helpers:
            helper.start()
        try:
            yield
        finally:
            ended.set()
            for helper in helpers:
                helper.join()

    def search_within(self, plies: int, control: Control) -> None:
        while not self.proved and not control.stopped:
            target = self._deepening()
            if self._plies_asked(target) > plies:
                break
            self.at_least(target, control)

    def at_least(self, target: int, control: Control) -> bool | None:
        """Return whether the score is at least `target`, or None if stopped before this is decided."""
        if self.low < target <= self.high:
            stack = Stack(self.board, self._table)
            stack.start(target, self.low, self.high)
            while self.low < target <= self.high:
                if control.stopped:
                    return None
                limits = stack.resume(SLICE, control)
                if limits is not None:
                    self._learn(*limits)
        return self.low >= target

    def report(self, control: Control) -> None:
        """Report the proven minimum length in BOUND, the maximum in BEST and the depth in DEPTH, in plies."""
        verdict = self.verdict()
        control.cells[BOUND] = verdict.at_least or verdict.remoteness or 0
        control.cells[BEST] = verdict.at_most or verdict.remoteness or 0
        control.cells[DEPTH] = 0
        for stack in self._stacks:
            if stack.target >= 0 and stack.target != WON:
                control.cells[DEPTH] = self._plies_asked(stack.target)

    def _plies_asked(self, target: int) -> int:
        return plies_of(target if target > WON else target - 1, self.board.misere)

    def _learn(self, low: int, high: int) -> None:
        with self._learning:
            self.low, self.high = max(self.low, low), min(self.high, high)

    def _deepening(self) -> int:
        loss = [self.low + 1] if self.low < WON else []
        win = [self.high] if self.high >= WON else []
        return min(loss + win, key=self._plies_asked)


def long_search(
    board: PawnPosition,
    table: HexapawnTable,
    control: Control,
    winner: bool = False,
    threads: int | None = None,
) -> DuelVerdict:
    """Prove the score with threads that share `table`. If `winner` is True, prove only the winner."""
    search = ScoreSearch(board, table, threads)
    started = control.seconds
    with search.with_helper_threads(control):
        while not (control.stopped or (search.decided if winner else search.proved)):
            search.resume(SLICE, control)
            search.report(control)
    return replace(search.verdict(), nodes=control.nodes, seconds=control.seconds - started)

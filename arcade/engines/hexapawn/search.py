"""Proving the score of one position step by step: searches that can be left and gone on with."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arcade.engines.control import BEST, BOUND, DEPTH, Control
from arcade.engines.hexapawn import kernel
from arcade.engines.hexapawn.rules import Board
from arcade.engines.hexapawn.score import HIGHEST, LOWEST, WON, plies_of, verdict_of
from arcade.engines.hexapawn.table import Table
from arcade.engines.verdict import Verdict

SLICE = 4096
"""Positions that a search visits in one turn at the table: a few milliseconds."""

DEEPENING = 4
"""One slice in so many goes to the search for a lower limit of the distance."""


class Stack:
    """One search by the kernel: its stack, and the score that it asks for."""

    def __init__(self, board: Board, table: Table) -> None:
        self._table = table
        plies = board.room() + 2
        width = 3 * max(board.white.bit_count(), board.black.bit_count()) + 1
        self._boards = np.zeros((plies, kernel.VIEWS), np.uint64)
        self._boards[0] = views(board)
        self._frames = np.zeros((plies, kernel.FRAME), np.int64)
        self._moves = np.zeros((plies, width), np.int64)
        self._state = np.zeros(kernel.STATE, np.int64)
        self._shape, self._masks = shape_and_masks(board)
        self.target = -1

    def ask(self, target: int, low: int, high: int) -> None:
        """Begin to decide whether the score, which is `low` to `high`, is at least `target`."""
        self.target = target
        self._state[kernel.PLY], self._state[kernel.PHASE] = 0, kernel.BEGIN
        root = self._frames[0]
        root[kernel.TARGET], root[kernel.LOW], root[kernel.HIGH] = target, low, high

    def go_on(self, budget: int, control: Control) -> tuple[int, int] | None:
        """Go on for about `budget` positions: the lowest and highest score when decided, else None."""
        with self._table.turn(control) as came:
            if not came:
                return None
            self._shape[kernel.BUCKET_BITS] = self._table.bucket_bits
            self._state[kernel.STORED] = 0
            score = kernel.search(
                self._boards,
                self._frames,
                self._moves,
                self._state,
                self._table.words,
                self._shape,
                self._masks,
                control.cells,
                budget,
            )
            self._table.used += int(self._state[kernel.STORED])
        if score == kernel.UNFINISHED:
            return None
        return int(self._frames[0, kernel.LOW]), int(self._frames[0, kernel.HIGH])


class Inquiry:
    """What is proved of a position's score so far, and the two searches that narrow it down.

    One search asks who wins, and then for ever shorter wins or quicker losses: it brings the value early, and
    an upper limit of the distance. The other asks whether the game can end within 1, 2, 3, ... plies: it
    brings a lower limit that never stops growing. They share the table, and the second has every
    `DEEPENING`th slice.
    """

    def __init__(self, board: Board, table: Table) -> None:
        self.board = board
        self._table = table
        self.low, self.high = LOWEST, HIGHEST
        self._stacks: list[Stack] = []
        self._slices = 0

    @property
    def proved(self) -> bool:
        """Whether the score is known."""
        return self.low == self.high

    def verdict(self) -> Verdict:
        """What is proved, in words that all games share."""
        return verdict_of(self.low, self.high, self.board.misere, self.board.room())

    def go_on(self, budget: int, control: Control) -> None:
        """Narrow the limits until they meet, or about `budget` more positions are visited, or stopped."""
        visited = control.nodes
        while not self.proved and control.nodes - visited < budget and not control.stopped:
            deepening = self._slices % DEEPENING == DEEPENING - 1
            if deepening == len(self._stacks):
                self._stacks.append(Stack(self.board, self._table))
            stack = self._stacks[deepening]
            if not self.low < stack.target <= self.high:
                stack.ask(self._deepening() if deepening else self._deciding(), self.low, self.high)
            found = stack.go_on(SLICE, control)
            if found is None:
                self._slices += 1
            else:
                stack.target = -1
                self._learn(*found)

    def at_least(self, target: int, control: Control) -> bool | None:
        """Whether the score is at least `target`; None when stopped before that is known."""
        if self.low < target <= self.high:
            stack = Stack(self.board, self._table)
            stack.ask(target, self.low, self.high)
            while self.low < target <= self.high:
                if control.stopped:
                    return None
                found = stack.go_on(SLICE, control)
                if found is not None:
                    self._learn(*found)
        return self.low >= target

    def report(self, control: Control) -> None:
        """Write what is proved into the control's cells.

        BOUND and BEST get the limits of the plies to the end, DEPTH the plies within which a search asks for
        an end; 0 is unknown, or in DEPTH that the question is who wins at all.
        """
        verdict = self.verdict()
        control.cells[BOUND] = verdict.at_least or verdict.remoteness or 0
        control.cells[BEST] = verdict.at_most or verdict.remoteness or 0
        control.cells[DEPTH] = 0
        for stack in self._stacks:
            if stack.target >= 0 and stack.target != WON:
                # To ask whether a score is one above a loss is to ask whether the game is lost by then.
                asked = stack.target if stack.target > WON else stack.target - 1
                control.cells[DEPTH] = plies_of(asked, self.board.misere)

    def _learn(self, low: int, high: int) -> None:
        self.low, self.high = max(self.low, low), min(self.high, high)

    def _deciding(self) -> int:
        if self.low < WON <= self.high:
            return WON
        return self.low + 1 if self.low >= WON else self.high

    def _deepening(self) -> int:
        lost_sooner = self.low <= HIGHEST - self.high
        return self.low + 1 if self.high < WON or (self.low < WON and lost_sooner) else self.high


def views(board: Board) -> list[int]:
    """The eight words of a position on the kernel's stack."""
    mover = board.turned() if board.turn else board
    size = board.rows * board.columns

    def turned(squares: int) -> int:
        return int(f"{squares:0{size}b}"[::-1], 2)

    words = [mover.white, mover.black]
    mirror = mover.mirrored()
    words += [mirror.white, mirror.black]
    return [*words, *(turned(words[index]) for index in (1, 0, 3, 2))]


def shape_and_masks(board: Board) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """The kernel's `shape` and `masks` for a board; the shape's BUCKET_BITS are left to the table."""
    rows, columns = board.rows, board.columns
    first_row = (1 << columns) - 1
    first_column = sum(1 << row * columns for row in range(rows))
    shape = [rows, columns, rows * columns, 0, board.misere, board.capture, kernel.per_row(columns)]
    masks = [first_row, first_row << (rows - 2) * columns, first_column, first_column << (columns - 1)]
    return np.array(shape, np.int64), np.array(masks, np.uint64)

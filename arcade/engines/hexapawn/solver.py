"""The solver of Hexapawn: exact distance by search, and a proven bound when there is no time for it."""

from __future__ import annotations

import time
from dataclasses import replace

from arcade.engines.control import BEST, BOUND, DEPTH, Control
from arcade.engines.game import Solver
from arcade.engines.hexapawn.rules import BLACK, WHITE, Board, Step, square_name
from arcade.engines.hexapawn.score import HIGHEST, LOWEST, score_after
from arcade.engines.hexapawn.search import SLICE, Inquiry
from arcade.engines.hexapawn.table import Tables, warm_tables
from arcade.engines.verdict import MoveVerdict, Value, Verdict, mark_best

SPARE_TABLES = 3
"""Tables of which `warm` takes the memory from the system beforehand."""


class HexapawnSolver(Solver[Board, Step]):
    """Searches with a transposition table that is kept, so that a match's next position is known already.

    Safe to use from several threads: they take turns of a few milliseconds at the table, and each profits
    from what the others find.
    """

    resumes = True

    def __init__(self) -> None:
        self._tables = Tables()

    @property
    def memory(self) -> int:
        """Bytes of all transposition tables; see `table` for the limits."""
        return self._tables.memory

    def verdict(self, position: Board, control: Control) -> Verdict:
        """The verdict of a position.

        EXACT, or when stopped BOUND: `at_least` and, once it is proved who wins, `value` and `at_most`. The
        control's cells tell of it while the search runs: DEPTH the plies that are searched, BOUND `at_least`
        and BEST `at_most`, 0 while that is unknown.
        """
        ending = position.ending()
        if ending is not None:
            return ending
        before, started = control.nodes, time.perf_counter()
        inquiry = self._inquiry(position)
        while not inquiry.proved and not control.stopped:
            inquiry.go_on(SLICE, control)
            inquiry.report(control)
        return replace(
            inquiry.verdict(),
            nodes=control.nodes - before,
            seconds=time.perf_counter() - started,
            source=f"search with a table of {self._tables.of(position).memory >> 20} MiB",
        )

    def analyse(self, position: Board, control: Control) -> list[MoveVerdict[Step]]:
        """Every legal move with its verdict; they take turns, so that a deadline leaves a bound for each."""
        after = [position.play(move) for move in position.moves()]
        inquiries = [None if each.outcome() else self._inquiry(each) for each in after]
        spent = [0] * len(after)
        budget = SLICE
        while not control.stopped:
            open_ones = [index for index, each in enumerate(inquiries) if each and not each.proved]
            if not open_ones:
                break
            for index in open_ones:
                inquiry, before = inquiries[index], control.nodes
                if inquiry is not None:
                    inquiry.go_on(budget, control)
                spent[index] += control.nodes - before
            budget *= 2
        verdicts = []
        for left, inquiry, nodes in zip(after, inquiries, spent, strict=True):
            ending = left.ending()
            found = inquiry.verdict() if inquiry is not None else ending or Verdict()
            verdicts.append(replace(found, nodes=nodes).before_move())
        return mark_best(zip(position.moves(), verdicts, strict=True))

    def line(self, position: Board, control: Control) -> list[Step]:
        """Best play by both sides to the end; empty when the distance is not proved before the control stops.

        At each ply one question a move is enough: whether it gives the score that is known to be the best.
        """
        line: list[Step] = []
        if position.outcome() is not None:
            return line
        inquiry = self._inquiry(position)
        while not inquiry.proved and not control.stopped:
            inquiry.go_on(SLICE, control)
        score = inquiry.low
        while inquiry.proved and position.outcome() is None:
            score = score_after(score, position.misere)
            move = next(
                (each for each in position.moves() if self._leaves(position.play(each), score, control)), None
            )
            if move is None:
                break
            line.append(move)
            position = position.play(move)
        return line

    def _leaves(self, after: Board, score: int, control: Control) -> bool:
        """Whether a position has this score, given that it has no lower one; False also when stopped."""
        if after.outcome() is not None:
            return score == (HIGHEST if after.misere else LOWEST)
        return self._inquiry(after).at_least(score + 1, control) is False

    def reason(self, position: Board, move: Step, verdict: Verdict) -> str:
        """Why a move has its verdict: how the game ends by it, or that a pawn can no longer be stopped."""
        after = position.play(move)
        if after.outcome() is not None:
            return _END[after.reached() is not None, after.misere]
        plain = super().reason(position, move, verdict)
        if verdict.value is Value.WIN:
            runner = unstoppable(after, position.turn)
            if runner is not None:
                return f"{plain} The pawn on {square_name(*runner)} can no longer be stopped."
        return plain

    def progress(self, control: Control) -> str:
        """Positions visited, the plies that are searched, and the limits proved."""
        words = [super().progress(control)]
        if control.cells[DEPTH]:
            words.append(f"searching {control.cells[DEPTH]} plies")
        if control.cells[BEST]:
            words.append(f"over in {control.cells[BOUND]} to {control.cells[BEST]}")
        elif control.cells[BOUND]:
            words.append(f"lasts at least {control.cells[BOUND]}")
        return ", ".join(words)

    def warm(self) -> None:
        """Compile, or load, the kernels, and have memory ready."""
        warm_tables()
        self._tables.reserve(SPARE_TABLES)
        with Control() as control:
            HexapawnSolver().verdict(Board.full(3, 3), control)

    def _inquiry(self, board: Board) -> Inquiry:
        return Inquiry(board, self._tables.of(board))


_END = {
    (True, False): "It reaches the last row.",
    (False, False): "It leaves the other side no legal move.",
    (True, True): "It reaches the last row, and in misère that loses.",
    (False, True): "It leaves the other side no legal move, and in misère that loses.",
}


def unstoppable(board: Board, side: int) -> tuple[int, int] | None:
    """The row and column of a pawn that runs through before the other side, who is to move, can.

    No pawn stands before it in its own and the neighbouring columns, so nothing can come into its way. None
    where there is none, and in the variants, where running may be wrong or forbidden.
    """
    if board.misere or board.capture or board.turn == side:
        return None
    distance = {WHITE: lambda row: board.rows - 1 - row, BLACK: lambda row: row}
    others = [(row, column) for each in (WHITE, BLACK) for row, column in board.pawns(each)]
    first = min((distance[1 - side](row) for row, _ in board.pawns(1 - side)), default=board.rows)
    for row, column in board.pawns(side):
        left = distance[side](row)
        free = all(abs(column - beside) > 1 or distance[side](ahead) >= left for ahead, beside in others)
        if free and left < first:
            return row, column
    return None

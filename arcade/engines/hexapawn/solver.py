"""The solver of Hexapawn: the exact distance by search, or a proven bound if time runs out."""

import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace

import numpy as np

from arcade.engines.control import BEST, BOUND, DEPTH, Control
from arcade.engines.files import InputError
from arcade.engines.hexapawn.book import Entries, book, fill
from arcade.engines.hexapawn.rules import WHITE, PawnMove, PawnPosition
from arcade.engines.hexapawn.search import ALONE, SLICE, Inquiry
from arcade.engines.hexapawn.table import (
    BOOK_BITS,
    HIGHEST,
    LOWEST,
    HexapawnTable,
    Tables,
    empty_words,
    limits_of,
    score_after,
    verdict_of,
    warm_tables,
)
from arcade.engines.solver import Solver, board_fact
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, mark_best
from arcade.engines.wording import amount


class HexapawnSolver(Solver[PawnPosition, PawnMove]):
    """Searches with tables that last and that threads share; `facts` adds stored facts and books."""

    resumes = True
    compiled = False

    def __init__(self, facts: bool = False) -> None:
        self._facts = facts
        self._tables = Tables(facts)

    def verdict(self, position: PawnPosition, control: Control) -> DuelVerdict:
        """The verdict of a position.

        EXACT, or if stopped BOUND: `at_least` and, once the winner is proved, `value` and `at_most`. While
        the search runs, the control's cells show its progress: DEPTH is the depth in plies, BOUND `at_least`
        and BEST `at_most`; 0 while unknown.
        """
        return position.ending() or self._search(position, control, lambda inquiry: inquiry.proved)

    def value(self, position: PawnPosition, control: Control) -> DuelVerdict:
        return position.ending() or self._search(position, control, lambda inquiry: inquiry.decided)

    def values(self, position: PawnPosition, control: Control) -> list[MoveVerdict[PawnMove]]:
        moves = position.moves()
        return mark_best((move, self.value(position.play(move), control).before_move()) for move in moves)

    def _search(
        self, position: PawnPosition, control: Control, enough: Callable[[Inquiry], bool]
    ) -> DuelVerdict:
        before, started = control.nodes, control.seconds
        fact = self._fact(position)
        if fact is not None and fact.proof is Proof.EXACT:
            return fact
        inquiry = self._inquiry(position)

        def search(most: int) -> None:
            while not enough(inquiry) and not control.stopped and control.nodes - before < most:
                inquiry.go_on(SLICE, control)
                inquiry.report(control)

        search(ALONE)
        if not enough(inquiry) and not control.stopped:
            with inquiry.helped(control):
                search(sys.maxsize)
        nodes, seconds = control.nodes - before, control.seconds - started
        mib = self._tables.of(position).memory >> 20
        source = fact.source if fact is not None and not nodes else f"search with {mib} MiB of memory"
        return replace(inquiry.verdict(), nodes=nodes, seconds=seconds, source=source)

    def analyse(self, position: PawnPosition, control: Control) -> list[MoveVerdict[PawnMove]]:
        after = [position.play(move) for move in position.moves()]
        inquiries = {board: self._inquiry(board) for board in after if not board.outcome()}
        spent = dict.fromkeys(after, 0)
        budget = SLICE
        alone = nullcontext()
        while not control.stopped and not all(inquiry.proved for inquiry in inquiries.values()):
            for board, inquiry in inquiries.items():
                if not inquiry.proved:
                    before = control.nodes
                    with inquiry.helped(control) if budget > ALONE else alone:
                        inquiry.go_on(budget, control)
                    spent[board] += control.nodes - before
            budget *= 2
        verdicts = []
        for board in after:
            verdict = board.ending() or inquiries[board].verdict()
            verdicts.append(replace(verdict, nodes=spent[board]).before_move())
        return mark_best(zip(position.moves(), verdicts, strict=True))

    def seen(self, position: PawnPosition, plies: int, control: Control) -> list[MoveVerdict[PawnMove]]:
        verdicts = []
        for move in position.moves():
            after = position.play(move)
            verdict = after.ending()
            if verdict is None:
                inquiry = self._inquiry(after)
                inquiry.see(plies - 1, control)
                verdict = inquiry.verdict()
            verdicts.append((move, verdict.before_move()))
        return mark_best(verdicts)

    def line(self, position: PawnPosition, control: Control) -> list[PawnMove]:
        """Best play to the end; if the control stops before, as far as it is proved."""
        line: list[PawnMove] = []
        if position.outcome() is not None:
            return line
        inquiry = self._inquiry(position)
        while not inquiry.proved and not control.stopped:
            inquiry.go_on(SLICE, control)
        score = inquiry.low
        while inquiry.proved and position.outcome() is None:
            score = score_after(score, position.misere)
            for move in position.moves():
                after = position.play(move)
                if self._leaves(after, score, control):
                    break
            else:
                break
            line.append(move)
            position = after
        return line

    def _leaves(self, after: PawnPosition, score: int, control: Control) -> bool:
        """Whether a position has this score, if it has no lower one; also False if stopped."""
        if after.outcome() is not None:
            return score == (HIGHEST if after.misere else LOWEST)
        return self._inquiry(after).at_least(score + 1, control) is False

    def check_book(self, position: PawnPosition, control: Control) -> tuple[bool, str] | None:
        try:
            entries = book(position.size) if self._facts and not position.variants() else None
        except InputError as damaged:
            return False, str(damaged)
        if entries is None:
            return None
        proved, wrong = prove_book(entries, position.rows, position.columns, control)
        number = amount(len(entries), "position")
        return not wrong, wrong or f"{proved:,} of the book's {number} were proved again."

    def progress(self, control: Control) -> str:
        words = [super().progress(control)]
        if control.cells[DEPTH]:
            words.append(f"looking {amount(control.cells[DEPTH], 'move')} ahead")
        low, high = control.cells[BOUND], control.cells[BEST]
        if high:
            words.append(f"over in {f'{low} to ' if low < high else ''}{amount(high, 'move')}")
        elif low:
            words.append(f"lasts at least {amount(low, 'move')}")
        return ", ".join(words)

    def warm(self) -> None:
        warm_tables()
        with Control() as control:
            HexapawnSolver().verdict(PawnPosition.full(5, 5), control)  # too long for plain Python

    def _inquiry(self, board: PawnPosition) -> Inquiry:
        inquiry = Inquiry(board, self._tables.of(board))
        fact = self._fact(board)
        if fact is not None:
            inquiry.low, inquiry.high = limits_of(fact)
        return inquiry

    def _fact(self, board: PawnPosition) -> DuelVerdict | None:
        seen = board.turned() if board.turn else board
        if self._facts and seen == PawnPosition.full(board.rows, board.columns):
            return board_fact("hexapawn", board.size)
        return None


def prove_book(entries: Entries, rows: int, columns: int, control: Control) -> tuple[int, str]:
    """Prove entries of a book again in a random order, until all are proved or it is stopped.

    Each is forgotten and then searched for with what the book says of later positions: if all are proved,
    each holds by induction. Returns how many were proved, and a sentence about one that is wrong, if any.
    """
    table = HexapawnTable(empty_words(BOOK_BITS), BOOK_BITS, grows=False)
    places = fill(table.words, BOOK_BITS, entries)
    for proved, at in enumerate(np.random.default_rng(0).permutation(len(entries))):
        own, opp, low, high = entries[at].tolist()
        board = PawnPosition(rows, columns, own, opp, WHITE)
        if places[at] >= 0:
            table.words[places[at] + 1] = 0
        inquiry = Inquiry(board, table)
        least, more = inquiry.at_least(low, control), inquiry.at_least(high + 1, control)
        if least is None or more is None:
            return proved, ""
        if more or not least:
            said = verdict_of(low, high, False, board.room())
            return proved, f"The book says of {board.text()}: {said} A search finds otherwise."
    return len(entries), ""

"""The solver of Hexapawn."""

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace

import numpy as np

from arcade.engines.control import BEST, BOUND, DEPTH, Control, Kernels
from arcade.engines.estimates import Estimates
from arcade.engines.files import InputError
from arcade.engines.hexapawn import alpha_beta
from arcade.engines.hexapawn.book import Entries, book, fill
from arcade.engines.hexapawn.rules import WHITE, PawnMove, PawnPosition
from arcade.engines.hexapawn.search import ALONE, SLICE, ScoreSearch
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
from arcade.engines.solver import Analysis, Goal, Solver, board_fact
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value, mark_best
from arcade.engines.wording import quantity

SOLVED_PLIES = PawnPosition.full(6, 6).max_plies()
"""Maximum `max_plies` of a position that can be solved during a match without a book."""
FIRST_SLICE, MAX_SLICE = 2.0, 60.0
"""Duration of the first and the longest slice in seconds.

The solver searches the position for one slice, then its moves for one slice. Then it doubles the duration.
"""


class HexapawnSolver(Solver[PawnPosition, PawnMove]):
    """A solver whose tables threads can share. If `facts` is True, it also uses stored results and books."""

    compiled = False

    def __init__(self, facts: bool = False) -> None:
        self._facts = facts
        self._tables = Tables(facts)

    def solve(
        self, position: PawnPosition, control: Control, goal: Goal = Goal.ALL
    ) -> Iterator[Analysis[PawnPosition, PawnMove]]:
        """Yield analyses of a position. If stopped, the verdicts of the last analysis may be only bounds.

        The control's cells report progress: DEPTH is the search depth in plies, and BOUND and BEST are the
        verdict's `at_least` and `at_most`. A cell is 0 while its value is unknown.
        """
        if goal is Goal.LINE:
            yield from self._follow(position, control)
        elif goal is Goal.MOVE_VALUES:
            yield Analysis(position, moves=self._move_values(position, control))
        elif goal is Goal.MOVES:
            moves = _Moves(position, self._score_search)
            moves.resume(control)
            yield Analysis(position, moves=moves.verdicts(), complete=moves.proved)
        elif goal is Goal.VERDICT:
            for verdict in self._verdicts(position, control):
                yield Analysis(position, verdict)
        else:
            yield from self._in_slices(position, control)

    def _in_slices(
        self, position: PawnPosition, control: Control
    ) -> Iterator[Analysis[PawnPosition, PawnMove]]:
        search, moves = self._score_search(position), _Moves(position, self._score_search)
        verdict: DuelVerdict | None = None
        listed: tuple[MoveVerdict[PawnMove], ...] | None = None
        seconds = FIRST_SLICE
        while True:
            if verdict is None or verdict.proof is not Proof.EXACT:
                with control.within(seconds):
                    for verdict in self._verdicts(position, control, search):
                        yield Analysis(position, verdict, listed)
            if control.cancelled:
                return
            with control.within(seconds):
                moves.resume(control)
            listed = moves.verdicts()
            yield Analysis(position, verdict, listed, complete=moves.proved)
            if moves.proved or control.stopped:
                return
            seconds = min(2 * seconds, MAX_SLICE)

    def _verdicts(
        self, position: PawnPosition, control: Control, begun: ScoreSearch | None = None
    ) -> Iterator[DuelVerdict]:
        fact = self._fact(position)
        known = position.ending() or (fact if fact is not None and fact.proof is Proof.EXACT else None)
        if known is not None:
            yield known
            return
        before, started = control.nodes, control.seconds
        search = begun or self._score_search(position)

        def ended(full: bool) -> bool:
            return control.stopped or (search.proved if full else search.decided)

        def run(full: bool, most: int) -> None:
            while not ended(full) and control.nodes - before < most:
                search.resume(SLICE, control)
                search.report(control)

        for full in (False, True):
            run(full, ALONE)
            if not ended(full):
                with search.with_helper_threads(control):
                    run(full, sys.maxsize)
            nodes, seconds = control.nodes - before, control.seconds - started
            mib = self._tables.of(position).memory >> 20
            source = fact.source if fact is not None and not nodes else f"search with {mib} MiB of memory"
            yield replace(search.verdict(), nodes=nodes, seconds=seconds, source=source)
            if search.proved or control.stopped:
                return

    def _move_values(self, position: PawnPosition, control: Control) -> tuple[MoveVerdict[PawnMove], ...]:
        after = ((move, next(self._verdicts(position.play(move), control))) for move in position.moves())
        return tuple(mark_best((move, verdict.before_move()) for move, verdict in after))

    def keeping_moves(self, position: PawnPosition, value: Value, control: Control) -> Iterator[PawnMove]:
        for move in position.moves():
            if next(self._verdicts(position.play(move), control)).value is value.reversed:
                yield move

    def look_ahead(self, position: PawnPosition, plies: int, control: Control) -> list[MoveVerdict[PawnMove]]:
        verdicts = []
        for move in position.moves():
            after = position.play(move)
            verdict = after.ending()
            if verdict is None:
                search = self._score_search(after)
                search.search_within(plies - 1, control)
                verdict = search.verdict()
            verdicts.append((move, verdict.before_move()))
        return mark_best(verdicts)

    def _follow(self, position: PawnPosition, control: Control) -> Iterator[Analysis[PawnPosition, PawnMove]]:
        if position.outcome() is not None:
            return
        search = self._score_search(position)
        while not search.proved and not control.stopped:
            search.resume(SLICE, control)
        at, line, score = position, tuple[PawnMove, ...](), search.low
        while search.proved and at.outcome() is None:
            score = score_after(score, at.misere)
            for move in at.moves():
                after = at.play(move)
                if self._leaves(after, score, control):
                    break
            else:
                return
            at, line = after, (*line, move)
            yield Analysis(position, line=line)

    def _leaves(self, after: PawnPosition, score: int, control: Control) -> bool:
        """Return whether `score`, a lower bound for `after`, is its exact score. If stopped, return False."""
        if after.outcome() is not None:
            return score == (HIGHEST if after.misere else LOWEST)
        return self._score_search(after).at_least(score + 1, control) is False

    def can_solve(self, position: PawnPosition, control: Control) -> bool:
        if position.max_plies() <= SOLVED_PLIES:
            return True
        with suppress(InputError):
            return self._facts and not position.variants() and book(position.size) is not None
        return False

    def estimates(
        self,
        position: PawnPosition,
        moves: Sequence[PawnMove],
        plies: int,
        rng: random.Random,
        control: Control,
    ) -> Estimates[PawnMove]:
        return alpha_beta.estimates(position, moves, max(1, plies - 2), rng, control)

    def is_quick(self, position: PawnPosition) -> bool:
        return position.max_plies() <= SOLVED_PLIES

    def check_book(self, position: PawnPosition, control: Control) -> tuple[bool, str] | None:
        try:
            entries = book(position.size) if self._facts and not position.variants() else None
        except InputError as damaged:
            return False, str(damaged)
        if entries is None:
            return None
        proved, wrong = prove_book(entries, position.rows, position.columns, control)
        number = quantity(len(entries), "position")
        return not wrong, wrong or f"{proved:,} of the book's {number} were verified."

    def progress(self, control: Control) -> str:
        words = [super().progress(control)]
        if control.cells[DEPTH]:
            words.append(f"looking {quantity(control.cells[DEPTH], 'move')} ahead")
        low, high = control.cells[BOUND], control.cells[BEST]
        if high:
            words.append(f"over in {f'{low} to ' if low < high else ''}{quantity(high, 'move')}")
        elif low:
            words.append(f"lasts at least {quantity(low, 'move')}")
        return ", ".join(words)

    def warm(self, kernels: Kernels | None = None) -> None:
        with Control(kernels=kernels) as control:
            warm_tables(control)
            HexapawnSolver().verdict(PawnPosition.full(5, 5), control)  # too long for interpreted Python

    def _score_search(self, board: PawnPosition) -> ScoreSearch:
        search = ScoreSearch(board, self._tables.of(board))
        fact = self._fact(board)
        if fact is not None:
            search.low, search.high = limits_of(fact)
        return search

    def _fact(self, board: PawnPosition) -> DuelVerdict | None:
        seen = board.turned() if board.turn else board
        if self._facts and seen == PawnPosition.full(board.rows, board.columns):
            return board_fact("hexapawn", board.size)
        return None


class _Moves:
    def __init__(self, position: PawnPosition, search: Callable[[PawnPosition], ScoreSearch]) -> None:
        self._listed = [(move, position.play(move)) for move in position.moves()]
        self._searches = {board: search(board) for _, board in self._listed if board.outcome() is None}
        self._spent = dict.fromkeys(self._searches, 0)

    @property
    def proved(self) -> bool:
        return all(search.proved for search in self._searches.values())

    def resume(self, control: Control) -> None:
        budget = SLICE
        while not control.stopped and not self.proved:
            for board, search in self._searches.items():
                if not search.proved:
                    before = control.nodes
                    with search.with_helper_threads(control) if budget > ALONE else nullcontext():
                        search.resume(budget, control)
                    self._spent[board] += control.nodes - before
            budget *= 2

    def verdicts(self) -> tuple[MoveVerdict[PawnMove], ...]:
        return tuple(mark_best((move, self._verdict(board).before_move()) for move, board in self._listed))

    def _verdict(self, board: PawnPosition) -> DuelVerdict:
        ending = board.ending()
        return ending or replace(self._searches[board].verdict(), nodes=self._spent[board])


def prove_book(entries: Entries, rows: int, columns: int, control: Control) -> tuple[int, str]:
    """Verify a book's entries in random order. Return the number proved and a sentence about a wrong entry.

    The sentence is "" if no wrong entry was found. docs/solvers/hexapawn.md explains the proof by induction.
    """
    table = HexapawnTable(empty_words(BOOK_BITS), BOOK_BITS, grows=False)
    places = fill(table.words, BOOK_BITS, entries)
    for proved, at in enumerate(np.random.default_rng(0).permutation(len(entries))):
        own, opp, low, high = entries[at].tolist()
        board = PawnPosition(rows, columns, own, opp, WHITE)
        if places[at] >= 0:
            table.words[places[at] + 1] = 0
        search = ScoreSearch(board, table)
        least, more = search.at_least(low, control), search.at_least(high + 1, control)
        if least is None or more is None:
            return proved, ""
        if more or not least:
            said = verdict_of(low, high, False, board.max_plies())
            return proved, f"The book is wrong about {board.text()}: {said} A search contradicts it."
    return len(entries), ""

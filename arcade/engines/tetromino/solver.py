"""Find verdicts by asking the search yes-or-no questions; see docs/solvers/tetromino.md."""

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from arcade.engines.control import BEST, BOUND, DEPTH, Control, Kernels, solver_threads
from arcade.engines.estimates import Estimates
from arcade.engines.solver import Analysis, Goal, Solver, board_fact, stored
from arcade.engines.tetromino import kernel, mobility
from arcade.engines.tetromino.board import FULL_HAND, ORIENTATIONS, PIECES, Placement, board, image_of
from arcade.engines.tetromino.kernel import Layout, SearchNode, Words
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.verdict import DuelVerdict, MoveVerdict, Proof, Value, Verdict, mark_best
from arcade.engines.wording import quantity

TIE = 6
"""Rank of a tie. Lower ranks are losses; see `kernel`."""

MAX_LAID = 2

_TABLE_BITS = ((42, kernel.MIN_TABLE_BITS), (48, 21), (64, 24))
"""Pairs (cells, bits): the table of a board with up to `cells` cells has 2**bits entries of 8 bytes.

A table that fits into the processor's cache saves more time than a larger one.
"""
_MAX_TABLES = 3
"""Maximum number of tables kept. They take 400 MB if all have 2**24 entries."""
_MAX_KNOWN = 200_000
"""Maximum number of positions with stored bounds, some 50 MB. A full store is cleared."""
VALUES_SECONDS = 1.0

_QUICK_CELLS = 42
"""Maximum number of cells of a board on which asking for short wins first costs more than it saves."""
_PLAIN_BOUNDS = (2, 12)
"""Bounds for which a search of at most two plies answers the question."""
_PLAIN = kernel.at_least.interpreted(POLL=16)

_SOLVED_CELLS = 48
_SOLVED_PIECES = 6
"""During a match, a position can be solved if it has at most this number of cells, or of pieces held."""

_SHAPES = [(piece, number) for piece in PIECES for number in range(1, len(ORIENTATIONS[piece]) + 1)]


@lru_cache(maxsize=8)
def layout(width: int, height: int) -> Layout:
    grid = board(width, height)
    # Sorted by pivot, each word covers about one part of the board.
    placements = sorted(grid.placements.items(), key=lambda item: (item[0].rank, item[0].file))
    unused = [0] * (-len(placements) % 64)
    cells = np.array([mask for _, mask in placements] + unused, np.uint64)
    piece = np.array([PIECES.index(move.piece) for move, _ in placements] + unused, np.int64)
    real = cells != 0
    apart = (cells[:, None] & cells[None, :]) == 0
    hands = np.arange(FULL_HAND + 1)
    of_hand = real & (hands[:, None] >> piece & 1 == 1)
    steps = []
    for letter, orientation in _SHAPES:
        least, *more = sorted(y * width + x for x, y in ORIENTATIONS[letter][orientation - 1])
        steps.append([cell - least for cell in more])
    lowest = np.zeros((FULL_HAND + 1, len(_SHAPES)), np.uint64)
    for move, mask in placements:
        holding = hands >> PIECES.index(move.piece) & 1 == 1
        lowest[holding, _SHAPES.index((move.piece, move.orientation))] |= np.uint64(mask & -mask)
    image = np.zeros((len(grid.symmetries) - 1, -(-grid.cells // 8) * 8), np.uint64)
    image[:, : grid.cells] = np.uint64(1) << np.array(grid.symmetries[1:], np.uint64)
    sets = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    return Layout(
        beside=_packed(apart & real[:, None] & real[None, :]),
        of_hand=_packed(of_hand),
        cells=cells,
        piece=piece,
        steps=np.array(steps, np.uint64),
        lowest=lowest,
        images=np.bitwise_or.reduce(sets * image.reshape(len(image), -1, 1, 8), axis=-1),
    )


def _packed(flags: NDArray[np.bool_]) -> Words:
    return np.ascontiguousarray(np.packbits(flags, axis=-1, bitorder="little")).view("<u8").astype(np.uint64)


def _unpacked(words: Words) -> NDArray[np.bool_]:
    return np.unpackbits(words.astype("<u8").view(np.uint8), bitorder="little").astype(bool)


def search_node(position: Tetrominoes) -> SearchNode:
    tables = layout(position.width, position.height)
    mover, other = position.hands[position.turn], position.hands[1 - position.turn]
    held_piece = (mover | other) >> tables.piece & 1 == 1
    free = held_piece & (tables.cells != 0) & (tables.cells & np.uint64(position.occupied) == 0)
    fits = int(np.bitwise_or.reduce(1 << tables.piece[free], initial=0))
    live = int(np.bitwise_or.reduce(tables.cells[free], initial=0))
    held, against = mover.bit_count(), other.bit_count()
    even = held - against in (0, 1)
    tie = even and not (mover | other) & ~fits and live.bit_count() >= 4 * (held + against)
    return SearchNode(_packed(free), np.uint64(live), mover & fits, other & fits, int(tie))


def worth(rank: int) -> int:
    """Return the rank of a position whose best move leads to a position of rank `rank`."""
    return 12 - rank if rank <= TIE else 13 - rank


def best_reply(rank: int) -> int:
    return 12 - rank if rank >= TIE else 13 - rank


def remoteness(rank: int) -> int:
    return 2 * rank if rank < TIE else 2 * (12 - rank) + 1


def rank_of(move: Verdict) -> int:
    """Return the rank of the position after a move. Raises ValueError unless the move's verdict is exact."""
    if move.remoteness is None:
        raise ValueError(f"The verdict of this move is not exact: {move}")
    left = move.remoteness - 1
    if move.value is Value.TIE:
        return TIE
    return left // 2 if move.value is Value.WIN else 12 - (left - 1) // 2


@cache
def _stored_replies(width: int, height: int) -> dict[int, tuple[Placement, str]]:
    """Return the stored first moves by their cells, each with the ranks after all replies.

    The ranks are a string of hexadecimal digits, in the order of the replies. Only one of several symmetric
    first moves is stored.
    """
    replies = stored("tetromino").replies.get(f"{width}x{height}", {})
    placements = board(width, height).placements.items()
    return {mask: (move, replies[str(move)]) for move, mask in placements if str(move) in replies}


def stored_rank(position: Tetrominoes) -> int | None:
    """Return the rank of a position before the third move, or None if it is not stored."""
    first_moves = _stored_replies(position.width, position.height)
    if not first_moves or len(position.laid) > MAX_LAID or position.turn != len(position.laid) % 2:
        return None
    start = Tetrominoes(position.width, position.height)
    if start.after(position.laid) != position:
        return None

    def after_first(digits: str) -> int:
        return max(worth(int(digit, 16)) for digit in set(digits))

    if not position.laid:
        return max(worth(after_first(digits)) for _, digits in first_moves.values())
    placements = position.board.placements
    for symmetry in position.board.symmetries:
        first, *reply = (image_of(placements[move], symmetry) for move in position.laid)
        if first in first_moves:
            move, digits = first_moves[first]
            if not reply:
                return after_first(digits)
            number = [placements[answer] for answer in start.play(move).moves()].index(reply[0])
            return int(digits[number], 16)
    return None


Limits = tuple[int, int]

_GOING_ON: Limits = (1, 12)


def next_question(limits: Limits, full: bool, quick: bool = False) -> int | None:
    """Return the next bound to ask about, or None if enough is known.

    Unless `quick`, ask about short wins and losses first. Then ask about the value and, if `full`, about the
    remoteness.
    """
    least, most = limits
    if least == most:
        return None
    if least > TIE:
        return most if full else None
    if most < TIE:
        return least + 1 if full else None
    bounds = (TIE, TIE + 1) if quick else (12, 2, 11, 3, TIE, TIE + 1)
    return next((bound for bound in bounds if least < bound <= most), None)


def near_question(limits: Limits, plies: int) -> int | None:
    least, most = limits
    bounds = (12 - count // 2 if count % 2 else count // 2 + 1 for count in range(1, plies + 1))
    return next((bound for bound in bounds if least < bound <= most), None)


def answered(limits: Limits, bound: int, yes: bool) -> Limits:
    """Return the limits, narrowed by the answer to the question about `bound`. No position has rank 7."""
    least, most = limits
    if yes:
        return max(least, 8 if bound == TIE + 1 else bound), most
    return least, min(most, TIE if bound == TIE + 2 else bound - 1)


def verdict_of(position: Tetrominoes, limits: Limits) -> DuelVerdict:
    least, most = limits
    pieces = sum(hand.bit_count() for hand in position.hands)
    if least == most == TIE:
        return DuelVerdict(Proof.EXACT, Value.TIE, pieces, reason="both sides can place all that they hold")
    if most < TIE or least > TIE:
        value = Value.LOSS if most < TIE else Value.WIN
        plies = sorted((remoteness(least), remoteness(most)))
        if least == most:
            return DuelVerdict(Proof.EXACT, value, plies[0])
        return DuelVerdict(Proof.BOUND, value, at_least=plies[0], at_most=min(plies[1], pieces))
    ends = [remoteness(rank) for rank in limits if rank != TIE]
    soonest = min(ends)
    return DuelVerdict(Proof.BOUND, at_least=soonest) if soonest > 1 else DuelVerdict()


def move_classes(position: Tetrominoes) -> list[list[Placement]]:
    covered = position.occupied
    own = [symmetry for symmetry in position.board.symmetries if image_of(covered, symmetry) == covered]
    classes: dict[int, list[Placement]] = {}
    for move in position.moves():
        mask = position.board.placements[move]
        classes.setdefault(min(image_of(mask, symmetry) for symmetry in own), []).append(move)
    return list(classes.values())


class TetrominoSolver(Solver[Tetrominoes, Placement]):
    """A solver with one table per board size, shared by threads. If `facts`, it uses stored results."""

    compiled = False
    quick_lengths = False

    def __init__(self, facts: bool = False) -> None:
        self._facts = facts
        self._table = lru_cache(_MAX_TABLES)(_table)
        self._known: dict[Tetrominoes, Limits] = {}

    def solve(
        self, position: Tetrominoes, control: Control, goal: Goal = Goal.ALL
    ) -> Iterator[Analysis[Tetrominoes, Placement]]:
        """Yield analyses, first with values, later with lengths. A bound may have only `at_least`."""
        verdict = None
        if goal is Goal.LINE:
            yield from self._follow(position, control)
            return
        if goal in (Goal.VERDICT, Goal.ALL):
            value = verdict = self._judge(position, control, full=False)
            yield Analysis(position, value)
            values = None
            if goal is Goal.ALL:
                for analysis in self._value_slices(position, value, control):
                    values = analysis.moves
                    yield analysis
            if value.proof is not Proof.EXACT and not control.cancelled:
                verdict = self._judge(position, control, full=True)
                nodes, seconds = value.nodes + verdict.nodes, value.seconds + verdict.seconds
                verdict = replace(verdict, nodes=nodes, seconds=seconds)
                yield Analysis(position, verdict, values)
            if goal is Goal.VERDICT or control.stopped:
                return
        if goal is not Goal.ALL:
            yield Analysis(position, moves=self._values(position, control))
        if goal is not Goal.MOVE_VALUES:
            moves = mark_best(self._judge_moves(position, control, full=True))
            yield Analysis(position, verdict, tuple(moves), complete=True)

    def _value_slices(
        self, position: Tetrominoes, value: DuelVerdict, control: Control
    ) -> Iterator[Analysis[Tetrominoes, Placement]]:
        complete = False
        while not complete and not control.stopped:
            with control.within(VALUES_SECONDS):
                values = self._values(position, control)
                complete = not control.stopped
            yield Analysis(position, value, values)

    def _values(self, position: Tetrominoes, control: Control) -> tuple[MoveVerdict[Placement], ...]:
        judged = self._judge_moves(position, control, full=False)
        return tuple(MoveVerdict(move, verdict) for move, verdict in judged)

    def keeping_moves(self, position: Tetrominoes, value: Value, control: Control) -> Iterator[Placement]:
        replies_stored = self._facts and len(position.laid) < MAX_LAID and stored_rank(position) is not None
        if value is Value.LOSS or replies_stored:
            yield from super().keeping_moves(position, value, control)
        elif control.wait_for_kernels("tetromino"):
            tables = layout(position.width, position.height)
            table = self._table(position.width, position.height)
            bound = TIE if value is Value.WIN else TIE + 1
            found = kernel.moves_below(
                tables, table, search_node(position), bound, control.cells, control=control
            )
            keeping = set(tables.cells[_unpacked(found)].tolist())
            masks = position.board.placements
            yield from (move for move in position.moves() if masks[move] in keeping)

    def look_ahead(self, position: Tetrominoes, plies: int, control: Control) -> list[MoveVerdict[Placement]]:
        for near in range(1, plies - 1):
            self._judge_moves(position, control, full=True, within=near)
        return mark_best(self._judge_moves(position, control, full=True, within=plies - 1))

    def _follow(self, position: Tetrominoes, control: Control) -> Iterator[Analysis[Tetrominoes, Placement]]:
        at, line = position, tuple[Placement, ...]()
        while not control.stopped and (best := self._best_move(at, control)) is not None:
            at, line = at.play(best), (*line, best)
            yield Analysis(position, line=line)

    def _best_move(self, position: Tetrominoes, control: Control) -> Placement | None:
        if position.outcome() is not None:
            return None
        least, most = self._narrow(position, control, full=True)
        if least < most:
            return None
        goal = best_reply(least)
        classes = move_classes(position)
        return next((move for move, *_ in classes if self._at_most(position.play(move), goal, control)), None)

    def can_solve(self, position: Tetrominoes, control: Control) -> bool:
        held = sum(hand.bit_count() for hand in position.hands)
        return position.width * position.height <= _SOLVED_CELLS or held <= _SOLVED_PIECES

    def estimates(
        self,
        position: Tetrominoes,
        moves: Sequence[Placement],
        plies: int,
        rng: random.Random,
        control: Control,
    ) -> Estimates[Placement]:
        return mobility.estimates(position, moves)

    def is_quick(self, position: Tetrominoes) -> bool:
        return position.hands[position.turn] != FULL_HAND

    def progress(self, control: Control) -> str:
        parts = [super().progress(control)]
        cells = control.cells
        if cells[DEPTH]:
            parts.append(f"{quantity(int(cells[DEPTH]), 'move')} deep")
        if cells[BOUND]:
            parts.append(f"{cells[BEST]} of {quantity(int(cells[BOUND]), 'move')}")
        return ", ".join(parts)

    def warm(self, kernels: Kernels | None = None) -> None:
        with Control(kernels=kernels) as control:
            start = Tetrominoes(4, 5)
            self.verdict(start, control)
            list(TetrominoSolver().keeping_moves(start, Value.WIN, control))

    def _judge(self, position: Tetrominoes, control: Control, full: bool) -> DuelVerdict:
        ending = position.ending()
        if ending is not None:
            return ending
        if self._facts and replace(position, turn=0) == Tetrominoes(position.width, position.height):
            fact = board_fact("tetromino", f"{position.width}x{position.height}")
            if fact is not None:
                return fact
        before, started = control.nodes, control.seconds
        found = verdict_of(position, self._narrow(position, control, full))
        return replace(found, nodes=control.nodes - before, seconds=control.seconds - started)

    def _judge_moves(
        self, position: Tetrominoes, control: Control, full: bool, within: int | None = None
    ) -> list[tuple[Placement, DuelVerdict]]:
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

        with ThreadPoolExecutor(solver_threads()) as pool:
            for thread in [pool.submit(work) for _ in range(solver_threads())]:
                thread.result()
        control.cells[BOUND] = 0
        return [(move, found[move]) for move in position.moves()]

    def _narrow(
        self, position: Tetrominoes, control: Control, full: bool, within: int | None = None
    ) -> Limits:
        """Narrow the limits of the rank until the value is known.

        If `full`, narrow them until the rank (value and length in one number) is known. If `within` is given,
        ask only about ends within this number of plies.
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
        known = self._known.get(position)
        if known is None and self._facts:
            rank = stored_rank(position)
            if rank is not None:
                known = self._known[position] = rank, rank
        return known or _GOING_ON

    def _at_most(self, position: Tetrominoes, rank: int, control: Control) -> bool:
        outcome = position.outcome()
        if outcome is not None:
            return rank >= (TIE if outcome.winner is None else 0)
        limits = self._limits(position)
        if limits[0] <= rank < limits[1]:
            limits = self._ask(position, limits, rank + 1, control)
        return limits[1] <= rank

    def _ask(self, position: Tetrominoes, limits: Limits, bound: int, control: Control) -> Limits:
        at_least = kernel.at_least
        if bound in _PLAIN_BOUNDS and not control.has_kernels("tetromino"):
            at_least = _PLAIN
        elif not control.wait_for_kernels("tetromino"):
            return limits
        # Questions about the value take ten.
        control.cells[DEPTH] = min(2 * (bound - 1), 2 * (12 - bound) + 1, 10)
        table = self._table(position.width, position.height)
        tables = layout(position.width, position.height)
        answer = at_least(tables, table, search_node(position), bound, control.cells, control=control)
        if answer != kernel.STOPPED:
            limits = answered(limits, bound, bool(answer))
            if len(self._known) >= _MAX_KNOWN:
                self._known = {}
            self._known[position] = limits
        return limits


def _table(width: int, height: int) -> Words:
    return np.zeros(1 << next(bits for cells, bits in _TABLE_BITS if width * height <= cells), np.uint64)

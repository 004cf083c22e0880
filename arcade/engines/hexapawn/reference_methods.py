"""The methods of the student report on Hexapawn, as its text says them and as its programs have them.

All are the course's recursion for the value of a position:

    0 if the mover has lost; else, from the values of the successors, 1 - (the largest of those that
    are 0 or negative), or if there is none, -(1 + the largest).

They differ in what they remember and in a shortcut: who has a pawn on the row before the last that can step
or capture wins at once, value 1. Positions are stored without mirroring or turning, so that calls are counted
as the course counts them. For its example, Config5X5_15, that is 14,811,506,999 for naive and 813,830 for
map-course.

Source: the practical "Hexapawn" of the course ACT, Université de Lille, and a report on it in Haskell
(2018/19) with its programs V1 to V4. They play only the plain game.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache, partial
from itertools import product

from arcade.engines.control import Control
from arcade.engines.hexapawn.course import signed
from arcade.engines.hexapawn.rules import BLACK, WHITE, PawnMove, PawnPosition
from arcade.engines.reference_methods import (
    Comparison,
    GaveUpError,
    MethodResult,
    SolvingMethod,
    check_time,
    compared,
    in_time,
)

Key = tuple[int, int, int]
"""White's pawns, Black's, and whose turn it is, as in `PawnPosition`."""

_POLL = 256
"""Calls between two checks of the control: a millisecond or less."""


class PawnShortcut(Enum):
    """Which pawns on the row before the last make a position's value 1 without a look at its successors."""

    NONE = "none"
    TEXT = "those that can step or capture"
    INNER = "the same, but in the first and the last column none"
    ANY = "every one, also one that cannot move"


@dataclass(frozen=True, slots=True)
class Recursion:
    remembers: bool = False
    shortcut: PawnShortcut = PawnShortcut.NONE
    stops: bool = False
    """Whether it looks at no further successor after one that makes the value 1."""


@dataclass(frozen=True, slots=True)
class Count:
    value: int | None
    """The course's value; None if the control stopped the method."""
    calls: int
    """Positions evaluated, counting repeats."""
    kept: int


RECURSIONS = {
    "naive": Recursion(),
    "naive-memo-as-coded": Recursion(True, PawnShortcut.ANY),
    "successors": Recursion(False, PawnShortcut.TEXT),
    "successors-as-coded": Recursion(False, PawnShortcut.INNER),
    "map": Recursion(True, PawnShortcut.TEXT),
    "map-stop": Recursion(True, PawnShortcut.TEXT, stops=True),
    "map-course": Recursion(True),
}


def evaluate(recursion: Recursion, board: PawnPosition, control: Control) -> Count:
    """The value of a position; raises ValueError if it is of a variant."""
    if board.misere or board.capture:
        raise ValueError("The report's methods play only the plain game.")
    columns = board.columns
    above = columns * (board.rows - 1)
    first_row = (1 << columns) - 1
    first_column = sum(1 << row * columns for row in range(board.rows))
    last_column = first_column << (columns - 1)
    inner = ~(first_column | last_column)
    # Only a method that stops early depends on the order: V4 begins with the last column.
    parts = [first_column << at for at in reversed(range(columns))] if recursion.stops else [-1]
    last_but_one = (first_row << above - columns, first_row << columns)
    shortcut = recursion.shortcut
    known: dict[Key, int] = {}
    calls = 0

    def steps(white: int, black: int, turn: int) -> tuple[tuple[int, int], ...]:
        """The pawns that can step, and capture to either side, each with how far they go."""
        free = ~(white | black)
        if turn == WHITE:
            return (
                (white & free >> columns & (1 << above) - 1, columns),
                (white & ~first_column & black >> columns - 1, columns - 1),
                (white & ~last_column & black >> columns + 1, columns + 1),
            )
        return (
            (black & free << columns, -columns),
            (black & ~first_column & white << columns + 1, -columns - 1),
            (black & ~last_column & white << columns - 1, 1 - columns),
        )

    def successors(white: int, black: int, turn: int) -> Iterator[Key]:
        for part, (origins, by) in product(parts, steps(white, black, turn)):
            origins &= part
            while origins:
                origin = origins & -origins
                origins ^= origin
                to = origin << by if by > 0 else origin >> -by
                if turn == WHITE:
                    yield white ^ origin ^ to, black & ~to, BLACK
                else:
                    yield white & ~to, black ^ origin ^ to, WHITE

    def wins_at_once(white: int, black: int, turn: int) -> bool:
        near = (black if turn else white) & last_but_one[turn]
        if shortcut is PawnShortcut.ANY or not near:
            return near != 0
        if shortcut is PawnShortcut.INNER:
            near &= inner
        return any(origins & near for origins, _ in steps(white, black, turn))

    def value(white: int, black: int, turn: int) -> int:
        nonlocal calls
        calls += 1
        if calls % _POLL == 0:
            check_time(control)
        key = white, black, turn
        if key in known:
            return known[key]
        reached = white >> above if turn else black & first_row
        if reached:
            result = 0
        elif shortcut is not PawnShortcut.NONE and wins_at_once(*key):
            result = 1
        else:
            values = []
            for after in successors(*key):
                values.append(value(*after))
                if recursion.stops and values[-1] == 0:
                    break
            lost = [points for points in values if points <= 0]
            result = 1 - max(lost) if lost else -(1 + max(values)) if values else 0
        if recursion.remembers:
            known[key] = result
        return result

    try:
        return Count(value(board.white, board.black, board.turn), calls, len(known))
    except GaveUpError:
        return Count(None, calls, len(known))


def move_of(recursion: Recursion, position: PawnPosition, control: Control) -> PawnMove:
    """The first of the best moves by the recursion; in a variant, or if stopped at once, any move."""
    moves = position.moves()
    best, most = moves[0], None
    if position.misere or position.capture:
        return best
    for move in moves:
        after = evaluate(recursion, position.play(move), control).value
        if after is None:
            break
        # The soonest win first, then the latest loss: as the course's values are made.
        rank = (after <= 0, after)
        if most is None or rank > most:
            best, most = move, rank
    return best


def _run(recursion: Recursion, position: PawnPosition, control: Control) -> MethodResult:
    count = evaluate(recursion, position, control)
    control.nodes = count.calls
    return MethodResult(f"value {in_time(count.value)}", count.calls)


def _solver(position: PawnPosition, control: Control) -> MethodResult:
    from arcade.engines.hexapawn.solver import HexapawnSolver  # loads numba

    verdict = HexapawnSolver().verdict(position, control)
    return MethodResult(f"value {in_time(signed(verdict))}", verdict.nodes)


def _warm() -> None:
    from arcade.engines.hexapawn.solver import HexapawnSolver  # loads numba

    HexapawnSolver().warm()


@cache
def comparison() -> Comparison:
    programs = {
        name: SolvingMethod(partial(_run, recursion), partial(move_of, recursion))
        for name, recursion in RECURSIONS.items()
    }
    return compared(__package__, {**programs, "solver": SolvingMethod(_solver, warm=_warm)})

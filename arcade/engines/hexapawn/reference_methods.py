"""The recursion of a university course, and its variants in a student report; see docs/original-methods.md.

The value is 0 if the side to move has lost. Otherwise it is 1 - (the largest successor value that is 0 or
negative). If all successor values are positive, it is -(1 + the largest of them). Mirror images count as
different positions, so the number of calls is the same as in the course.

Sources: the practical "Hexapawn" of the course ACT, Université de Lille, and a student report about it
(2018/19), with the Haskell programs V1 to V4.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import product

from arcade.engines.control import Control
from arcade.engines.hexapawn.course import signed
from arcade.engines.hexapawn.rules import BLACK, WHITE, PawnMove, PawnPosition
from arcade.engines.reference_methods import (
    Comparison,
    GaveUpError,
    MethodResult,
    ReportedFinding,
    SolvingMethod,
    check_time,
    in_time,
)

Key = tuple[int, int, int]

_POLL = 256
"""Calls between two checks of the control."""


class PawnShortcut(Enum):
    """Which of the mover's pawns, one row from their last row, make the value 1 without further search."""

    NONE = "none"
    TEXT = "those that can step or capture"
    INNER = "the same, but in the first and the last column none"
    ANY = "every one, including blocked ones"


@dataclass(frozen=True, slots=True)
class Recursion:
    remembers: bool = False
    shortcut: PawnShortcut = PawnShortcut.NONE
    stops: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    value: int | None
    calls: int
    kept: int


NAIVE = Recursion()
NAIVE_MEMO_AS_CODED = Recursion(True, PawnShortcut.ANY)
SUCCESSORS = Recursion(False, PawnShortcut.TEXT)
SUCCESSORS_AS_CODED = Recursion(False, PawnShortcut.INNER)
MAP = Recursion(True, PawnShortcut.TEXT)
MAP_STOP = Recursion(True, PawnShortcut.TEXT, stops=True)
MAP_COURSE = Recursion(True)


def evaluate(recursion: Recursion, board: PawnPosition, control: Control) -> Count:
    """Return the value of a board and the number of calls. Raises ValueError if the board has a variant."""
    if board.misere or board.capture:
        raise ValueError("The report's methods play only by the standard rules, without variants.")
    columns = board.columns
    above = columns * (board.rows - 1)
    first_row = (1 << columns) - 1
    first_column = sum(1 << row * columns for row in range(board.rows))
    last_column = first_column << (columns - 1)
    inner = ~(first_column | last_column)
    parts = [first_column << at for at in reversed(range(columns))] if recursion.stops else [-1]
    last_but_one = (first_row << above - columns, first_row << columns)
    shortcut = recursion.shortcut
    known: dict[Key, int] = {}
    calls = 0

    def steps(white: int, black: int, turn: int) -> tuple[tuple[int, int], ...]:
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
    moves = position.moves()
    best, most = moves[0], None
    if position.misere or position.capture:
        return best
    for move in moves:
        after = evaluate(recursion, position.play(move), control).value
        if after is None:
            break
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


def _recursive(
    recursion: Recursion,
    *,
    name: str,
    title: str,
    summary: str,
    source: str,
    remembers: str = "",
    counts: str = "calls",
) -> SolvingMethod:
    return SolvingMethod(
        name=name,
        title=title,
        summary=summary,
        source=source,
        remembers=remembers,
        counts=counts,
        run=partial(_run, recursion),
        choose=partial(move_of, recursion),
    )


COMPARISON = Comparison(
    methods=(
        _recursive(
            NAIVE,
            name="naive",
            title="Naive",
            summary="The report's V1: the plain recursion.",
            source="section 2.1, HexapawnV1.hs",
        ),
        _recursive(
            NAIVE_MEMO_AS_CODED,
            name="naive-memo-as-coded",
            title="Naive memo, as coded",
            summary=(
                "V1's second function. Its shortcut also applies to blocked pawns, so three of the course's "
                "files get wrong values (3x4_minus2 gets 1, 4x4_11 gets 3, 5X5_15 gets 13)."
            ),
            remembers="every position in a map",
            source="section II, evaluateGameStateMemo in HexapawnV1.hs",
        ),
        _recursive(
            SUCCESSORS,
            name="successors",
            title="Successors",
            summary="The report's V2: the list of one position's successors' values, and the shortcut.",
            source="section 2.2",
        ),
        _recursive(
            SUCCESSORS_AS_CODED,
            name="successors-as-coded",
            title="Successors, as coded",
            summary="V2 as its program has it: the shortcut leaves out the first and the last column.",
            source="HexapawnV2.hs",
        ),
        _recursive(
            MAP,
            name="map",
            title="Map",
            summary="The report's V3: a map, and the shortcut.",
            remembers="every position in a map",
            source="section 2.3",
        ),
        _recursive(
            MAP_STOP,
            name="map-stop",
            title="Map that stops",
            summary="The report's V4: V3, but it stops looking at a move that wins.",
            remembers="every position in a map",
            source="not in the text, HexapawnV4.hs",
        ),
        _recursive(
            MAP_COURSE,
            name="map-course",
            title="The course's map",
            summary="The course's: a map without a shortcut.",
            remembers="every position in a map",
            counts="calls and look-ups",
            source="the course's subject",
        ),
        SolvingMethod(
            name="solver",
            summary="The arcade's solver.",
            remembers="positions in a table of its own size",
            counts="positions",
            source="docs/solvers/hexapawn.md",
            run=_solver,
            warm=_warm,
        ),
    ),
    boards=("3x3", "3x4", "4x3", "4x4", "4x5", "5x4", "5x5"),
    findings=(
        ReportedFinding(
            text=(
                "On its board t9 (5x5:...../pp.pp/PPp../...P./....P:w) V1 took 17.91 s, V2 1.52 s, V3 0.62 s."
            ),
            ranking=("map", "successors-as-coded", "naive"),
        ),
        ReportedFinding(
            text=(
                "V1 took 820 MB of memory there, V2 79 MB and V3 15.5 MB; Haskell's figures count all that "
                "was ever asked for, so calls are compared here instead."
            ),
            ranking=("map", "successors-as-coded", "naive"),
            by="positions",
        ),
        ReportedFinding(
            text=(
                "Only V3 passed the eight tests of the course, in 7.484 s in total; V1 and V2 failed 6 and 7."
            ),
        ),
    ),
)

"""The methods of the student report, kept for comparison and as test oracles: naive, list and map.

All three are the course's recursion for the value of a position:

    0 if the mover has lost; else, from the values of the successors, 1 - (the largest of those that
    are 0 or negative), or if there is none, -(1 + the largest).

They differ in what they remember: nothing; values in an association list, searched from the front; values in
a map. Positions are stored without mirroring or turning, so that the calls are counted as the course counts
them. For its example, Config5X5_15, that is 14,811,506,999 for naive and 813,830 for map.

Source: the practical "Hexapawn" of the course ACT, Université de Lille, and a report on it in Haskell
(2018/19). They play only the plain game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from arcade.engines.control import Control
from arcade.engines.game import OUT_OF_TIME, SolvingMethod, Work
from arcade.engines.hexapawn import GAME
from arcade.engines.hexapawn.game import signed
from arcade.engines.hexapawn.rules import BLACK, WHITE, PawnPosition
from arcade.engines.position import Position

Key = tuple[int, int, int]
"""White's pawns, Black's, and whose turn it is, as in `PawnPosition`."""

_POLL = 256
"""Calls between two checks of the control: a millisecond or less."""


@dataclass(frozen=True, slots=True)
class Count:
    """The result of a method and its cost."""

    value: int | None
    """The course's value; None if the control stopped the method."""
    calls: int
    """Calls of the recursion: positions visited, counting repeats."""
    kept: int
    """Values stored at the end."""


class _Map(dict[Key, int]):
    """Values by position, as in Haskell's `Map`."""


class _Nothing(_Map):
    def __setitem__(self, key: Key, value: int) -> None:
        pass


class _AssociationList(_Map):
    """Pairs of a position and its value, newest first, searched like Haskell's `lookup`."""

    def __init__(self) -> None:
        self._pairs: list[tuple[Key, int]] = []

    def get(self, key: Key) -> int | None:  # type: ignore[override]
        return next((value for kept, value in reversed(self._pairs) if kept == key), None)

    def __setitem__(self, key: Key, value: int) -> None:
        self._pairs.append((key, value))

    def __len__(self) -> int:
        return len(self._pairs)


class _StoppedError(Exception):
    pass


def _run(memory: type[_Map], board: PawnPosition, control: Control) -> Count:
    if board.misere or board.capture:
        raise ValueError("The classic methods play only the plain game.")
    columns = board.columns
    above = columns * (board.rows - 1)
    first_row = (1 << columns) - 1
    first_column = sum(1 << row * columns for row in range(board.rows))
    last_column = first_column << (columns - 1)
    known, calls = memory(), 0

    def successors(white: int, black: int, turn: int) -> Iterator[Key]:
        free = ~(white | black)
        if turn == WHITE:
            steps = (
                (white & free >> columns & (1 << above) - 1, columns),
                (white & ~first_column & black >> columns - 1, columns - 1),
                (white & ~last_column & black >> columns + 1, columns + 1),
            )
        else:
            steps = (
                (black & free << columns, -columns),
                (black & ~first_column & white << columns + 1, -columns - 1),
                (black & ~last_column & white << columns - 1, 1 - columns),
            )
        for origins, by in steps:
            while origins:
                origin = origins & -origins
                origins ^= origin
                to = origin << by if by > 0 else origin >> -by
                if turn == WHITE:
                    yield white ^ origin ^ to, black & ~to, BLACK
                else:
                    yield white & ~to, black ^ origin ^ to, WHITE

    def value(white: int, black: int, turn: int) -> int:
        nonlocal calls
        calls += 1
        if calls % _POLL == 0 and control.stopped:
            raise _StoppedError
        key = white, black, turn
        before = known.get(key)
        if before is not None:
            return before
        reached = white >> above if turn else black & first_row
        values = [] if reached else [value(*after) for after in successors(*key)]
        lost = [points for points in values if points <= 0]
        result = 1 - max(lost) if lost else -(1 + max(values)) if values else 0
        known[key] = result
        return result

    try:
        return Count(value(board.white, board.black, board.turn), calls, len(known))
    except _StoppedError:
        return Count(None, calls, len(known))


value_map = partial(_run, _Map)

BY_NAME = {"naive": partial(_run, _Nothing), "list": partial(_run, _AssociationList), "map": value_map}
"""The methods by their names in the report."""
BOARDS = ("3x3", "3x4", "4x3", "4x4", "4x5", "5x4", "5x5")


def _classic(name: str, position: Position[Any], control: Control) -> Work:
    assert isinstance(position, PawnPosition)
    count = BY_NAME[name](position, control)
    return _work(count.value, count.calls)


def _solver(position: Position[Any], control: Control) -> Work:
    from arcade.engines.hexapawn.solver import HexapawnSolver

    assert isinstance(position, PawnPosition)
    verdict = HexapawnSolver().verdict(position, control)
    return _work(signed(verdict), verdict.nodes)


def _work(value: int | None, positions: int) -> Work:
    return Work("", positions, OUT_OF_TIME) if value is None else Work(f"value {value}", positions)


METHODS = (
    SolvingMethod("naive", "The report's plain recursion.", partial(_classic, "naive")),
    SolvingMethod("list", "The same, which remembers values in a list.", partial(_classic, "list")),
    SolvingMethod("map", "The same, which remembers values in a map.", partial(_classic, "map")),
    SolvingMethod("solver", "The arcade's solver.", _solver, lambda: GAME.solver.warm()),
)

"""The methods of the students' report "Projet Honshu, Lot C" (ENSIIE 2018), with standard rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from math import factorial
from typing import TYPE_CHECKING

from arcade.engines.control import Control
from arcade.engines.honshu.rules import HonshuPosition, Move
from arcade.engines.honshu.tiles import HANDS, Tile
from arcade.engines.reference_methods import (
    OUT_OF_TIME,
    Comparison,
    MethodResult,
    ReportedFinding,
    SolvingMethod,
)

if TYPE_CHECKING:
    from arcade.engines.honshu.solver import HonshuSolver

MoveChooser = Callable[[HonshuPosition, Control], Move]

NORTH, EAST = 3, 0
ROTATIONS = (NORTH, 2, 1, EAST)
"""North, west, south and east, in the order used by the report's program."""


def trials(position: HonshuPosition, tile: Tile, rotations: tuple[int, ...] = ROTATIONS) -> Iterator[Move]:
    fitting = [set(places) for places in position.places]
    for row, column in sorted(fitting[0] | fitting[1]):
        for rotation in rotations:
            if (row, column) in fitting[rotation % 2]:
                yield Move(tile.id, rotation, row, column)


def best_now(position: HonshuPosition, moves: Iterable[Move], control: Control) -> Move | None:
    best: Move | None = None
    most = 0
    for number, move in enumerate(moves):
        if best is not None and number % 16 == 0 and control.stopped:
            break
        control.nodes += 1
        points = position.score_change(move).total
        if best is None or points > most:
            best, most = move, points
    return best


def best_of(
    position: HonshuPosition,
    tile: Tile,
    control: Control,
    *,
    spread: bool = False,
    rotations: tuple[int, ...] = ROTATIONS,
) -> Move | None:
    """Return the placement with which a tile scores most, or None if the tile does not fit.

    If `spread` is True, prefer placements that cover exactly one occupied cell.
    """
    moves = list(trials(position, tile, rotations))
    if spread:
        cells = {move: sum(mask for _, mask in position.cells_of(move)) for move in moves}
        occupied = position.map.occupied
        moves = [move for move in moves if (cells[move] & occupied).bit_count() == 1] or moves
    return best_now(position, moves, control)


def _found(move: Move | None) -> Move:
    if move is None:
        raise ValueError("No tile fits.")
    return move


def tile_move(position: HonshuPosition, tile: Tile, control: Control) -> Move:
    return _found(best_of(position, tile, control))


def in_order_move(position: HonshuPosition, control: Control) -> Move:
    return tile_move(position, position.hand[0], control)


def expansion_move(position: HonshuPosition, control: Control) -> Move:
    return _found(best_of(position, position.hand[0], control, spread=True))


def greedy_move(position: HonshuPosition, control: Control) -> Move:
    moves = (move for tile in dict.fromkeys(position.hand) for move in trials(position, tile))
    return _found(best_now(position, moves, control))


def mixed_move(rest: int, position: HonshuPosition, control: Control) -> Move:
    if len(position.hand) > rest:
        return greedy_move(position, control)
    return exhaustive(position, control)[0]


def _layout(
    choose: MoveChooser, position: HonshuPosition, control: Control, most: int = HANDS[1]
) -> list[Move]:
    """Lay up to `most` tiles with `choose` and return the moves. Once stopped, `choose` returns quickly."""
    made: list[Move] = []
    while len(made) < most and position.outcome() is None:
        made.append(choose(position, control))
        position = position.play(made[-1])
    return made


in_order = partial(_layout, in_order_move)
expansion = partial(_layout, expansion_move)
greedy = partial(_layout, greedy_move)


# The slip: no turn during the trial, but the tile is laid turned to the north.


def slipped(position: HonshuPosition, tile: Tile, spread: bool, control: Control) -> tuple[Move | None, int]:
    """Return where the original report's program lays a tile, and the score that it then prints.

    The placement is None if the program drops the tile.
    """
    tried = best_of(position, tile, control, spread=spread, rotations=(EAST,))
    laid = None if tried is None else replace(tried, rotation=NORTH)
    if laid is None or position.placement_error(laid) is not None:
        laid = None
        if spread:
            laid = tried = best_of(position, tile, control, spread=True, rotations=(NORTH,))
    points = 0 if tried is None else position.score_change(tried).total
    return laid, position.score.total + points


def as_coded(position: HonshuPosition, spread: bool, control: Control) -> tuple[list[Move], int]:
    """Return the moves of the original report's program and the score that it prints at the end."""
    made, reported = [], position.score.total
    for tile in position.hand:
        move, reported = slipped(position, tile, spread, control)
        if move is not None:
            made.append(move)
            position = position.play(move)
    return made, reported


def as_coded_move(spread: bool, position: HonshuPosition, control: Control) -> Move:
    """Return the next move of the report's program.

    The program drops tiles that do not fit. In a match, they are laid at the end, by the method in the
    report's text.
    """
    gone = [index for index, held in enumerate(position.held) if not held]
    for tile, held in list(zip(position.tiles, position.held, strict=True))[max(gone, default=-1) + 1 :]:
        move, _ = slipped(position, tile, spread, control) if held else (None, 0)
        if move is not None:
            return move
    return expansion_move(position, control) if spread else in_order_move(position, control)


def mixed(rest: int, position: HonshuPosition, control: Control) -> list[Move]:
    made = greedy(position, control, max(0, len(position.hand) - rest))
    return made + exhaustive(position.after(made), control)


def exhaustive(position: HonshuPosition, control: Control) -> list[Move]:
    best = greedy(position, control)
    most = position.after(best).score.total

    def search(here: HonshuPosition, made: list[Move]) -> None:
        nonlocal best, most
        if control.stopped:
            return
        if (outcome := here.outcome()) is not None:
            if outcome.score is not None and outcome.score > most:
                best, most = made.copy(), outcome.score
            return
        for move in here.moves():
            control.nodes += 1
            made.append(move)
            search(here.play(move), made)
            made.pop()

    search(position, [])
    return best


def outcomes(size: int, tiles: int) -> int:
    """Return the report's upper bound on the number of maps: k! orders, times 4 n^2 placements per tile."""
    return factorial(tiles) * (4 * size**2) ** tiles


REPORT = "9 11\n7 2 17 12 20 5 18 15 8 19 3\n13\n"
SECONDS = 2.0
TRIED = 3


def _laid(find: Callable[[HonshuPosition, Control], list[Move]]) -> Callable[..., MethodResult]:
    def run(position: HonshuPosition, control: Control) -> MethodResult:
        score = position.after(find(position, control)).score.total
        return MethodResult(f"{score}", control.nodes, OUT_OF_TIME if control.stopped else "")

    return run


def _as_coded(spread: bool, position: HonshuPosition, control: Control) -> MethodResult:
    moves, reported = as_coded(position, spread, control)
    laid = position.after(moves).score.total
    answer = f"{reported}" if laid == reported else f"{reported} reported, {laid} on the map"
    return MethodResult(answer, control.nodes, OUT_OF_TIME if control.stopped else "")


def _solved(position: HonshuPosition, control: Control) -> MethodResult:
    solution = _solver().search(position, control, SECONDS)
    ways = outcomes(position.size, len(position.hand))
    return MethodResult(f"{solution.best} of at most {solution.bound}, in {ways:.1e} outcomes", control.nodes)


@cache
def _solver() -> HonshuSolver:
    from arcade.engines.honshu.solver import HonshuSolver  # loads numba

    return HonshuSolver()


COMPARISON = Comparison(
    methods=(
        SolvingMethod(
            name="in-order",
            title="In-order",
            summary="The report's text: lays the tiles in turn, each where it scores most.",
            counts="placements tried",
            source="end of section 2.2",
            run=_laid(in_order),
            choose=in_order_move,
        ),
        SolvingMethod(
            name="expansion",
            title="Expansion",
            summary="The report's text: lays the tiles in turn, covering only one cell if possible.",
            counts="placements tried",
            source="section 2.3",
            run=_laid(expansion),
            choose=expansion_move,
        ),
        SolvingMethod(
            name="greedy",
            title="Greedy",
            summary="The report's method: lays the tile that scores most, where it scores most.",
            counts="placements tried",
            source="section 2.2, meilleur_score() in 0_de_un.c",
            run=_laid(greedy),
            choose=greedy_move,
        ),
        SolvingMethod(
            name="in-order-as-coded",
            title="In-order, as coded",
            summary=(
                "The report's program: tries each tile unturned but lays it turned. If it no longer fits, "
                "drops it."
            ),
            counts="placements tried",
            source="resolution.c, the figure 33",
            run=partial(_as_coded, False),
            choose=partial(as_coded_move, False),
        ),
        SolvingMethod(
            name="expansion-as-coded",
            title="Expansion, as coded",
            summary=(
                "The report's program: has the same slip, but tries a tile that does not fit again, turned."
            ),
            counts="placements tried",
            source="resolution.c, the figure 47",
            run=partial(_as_coded, True),
            choose=partial(as_coded_move, True),
        ),
        *(
            SolvingMethod(
                name=f"mixed-{rest}",
                summary=(
                    "The report's method: is greedy, then tries everything for the number of last tiles in "
                    "its name."
                ),
                remembers="the best line",
                counts="placements tried",
                source="section 2.4, with k - j as in its name",
                run=_laid(partial(mixed, rest)),
                usual=rest <= TRIED,
            )
            for rest in range(1, HANDS[1] + 1)
        ),
        SolvingMethod(
            name="solver",
            summary=(
                "The arcade's solver, using all its time. Outcomes are counted as in the report: "
                "k! n^(2k) 4^k."
            ),
            remembers="the best layout",
            counts="layouts and nodes",
            source="docs/solvers/honshu.md",
            run=_solved,
            warm=lambda: _solver().warm(),
        ),
    ),
    boards=("5x2#1", "6x4#1", "9x11,report", "9x12#1"),
    findings=(
        ReportedFinding(
            text=(
                "On its test game (9x11,report), the report scores 33 in order, 47 with expansion and 58 "
                "greedily. A slip in its program costs the first two 21 and 3 points."
            ),
            ranking=("in-order-as-coded", "expansion-as-coded", "greedy"),
            by="answer",
        ),
        ReportedFinding(
            text=(
                "From 33 and 47 the report concludes that expansion is much better than in order. On that "
                "game this holds for its program, but not for the methods of its text."
            ),
            ranking=("in-order", "expansion", "greedy"),
            by="answer",
        ),
        ReportedFinding(
            text="Trying everything for the last tiles finds more, but takes minutes for 3.",
            ranking=("greedy", "mixed-1", "mixed-2", "mixed-3"),
        ),
    ),
)

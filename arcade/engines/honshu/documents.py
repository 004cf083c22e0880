"""The methods of the students' report, in plain Python on the plain rules: for comparison and as opponents.

Each chooses by the score at once. All try as the report's program does: the tiles in the order of the hand,
for each its places row by row, in each place the rotations in the order `ROTATIONS`; the first of equals is
taken.

Source: "Projet Honshu, Lot C" (ENSIIE 2018), its program, and its test game, `REPORT`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from math import factorial
from typing import TYPE_CHECKING, Any

from arcade.engines.control import NODES, Control
from arcade.engines.game import OUT_OF_TIME, Compared, Finding, SolvingMethod, Work
from arcade.engines.honshu.rules import HonshuPosition, Move
from arcade.engines.honshu.tiles import HANDS, Tile
from arcade.engines.position import Position
from arcade.engines.wording import amount

if TYPE_CHECKING:
    from arcade.engines.honshu.solver import HonshuSolver

MoveChooser = Callable[[HonshuPosition, Control], Move]

NORTH, EAST = 3, 0
"""The program's names of two of our rotations."""
ROTATIONS = (NORTH, 2, 1, EAST)
"""North, west, south, east: the order in which the program tries them."""


def trials(position: HonshuPosition, tile: Tile, rotations: tuple[int, ...] = ROTATIONS) -> Iterator[Move]:
    """The placements of a tile in the program's order."""
    fitting = [set(places) for places in position.places]
    for row, column in sorted(fitting[0] | fitting[1]):
        for rotation in rotations:
            if (row, column) in fitting[rotation % 2]:
                yield Move(tile.id, rotation, row, column)


def best_now(position: HonshuPosition, moves: Iterable[Move], control: Control) -> Move | None:
    """The first placement with the highest score; if stopped, among those tried. None if there are none."""
    best: Move | None = None
    most = 0
    for number, move in enumerate(moves):
        if best is not None and number % 16 == 0 and control.stopped:
            break
        control.cells[NODES] += 1
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
    """Where a tile scores most now; with `spread`, if possible where it covers exactly one cell."""
    moves = list(trials(position, tile, rotations))
    covering_one = [move for move in moves if _covered(position, move) == 1] if spread else []
    return best_now(position, covering_one or moves, control)


def _covered(position: HonshuPosition, move: Move) -> int:
    cells = sum(mask for _, mask in position.cells_of(move))
    return (cells & position.map.occupied).bit_count()


def _found(move: Move | None) -> Move:
    if move is None:
        raise ValueError("No tile fits.")
    return move


def tile_move(position: HonshuPosition, tile: Tile, control: Control) -> Move:
    """Where a tile scores most now."""
    return _found(best_of(position, tile, control))


def in_order_move(position: HonshuPosition, control: Control) -> Move:
    """The next tile of the deal, where it scores most now."""
    return tile_move(position, position.hand[0], control)


def expansion_move(position: HonshuPosition, control: Control) -> Move:
    """The next tile of the deal, if possible where it covers exactly one cell."""
    return _found(best_of(position, position.hand[0], control, spread=True))


def greedy_move(position: HonshuPosition, control: Control) -> Move:
    """The tile, rotation and place that score most now."""
    moves = (move for tile in dict.fromkeys(position.hand) for move in trials(position, tile))
    return _found(best_now(position, moves, control))


def mixed_move(position: HonshuPosition, rest: int, control: Control) -> Move:
    """Like `greedy_move` while more than `rest` tiles are left, then the move of an exhaustive search."""
    if len(position.hand) > rest:
        return greedy_move(position, control)
    return exhaustive(position, control)[0]


def _layout(choose: MoveChooser, position: HonshuPosition, control: Control) -> list[Move]:
    """The moves of a method from here to the end; a stopped control makes it hurry, not end."""
    made = []
    while position.outcome() is None:
        made.append(choose(position, control))
        position = position.play(made[-1])
    return made


in_order = partial(_layout, in_order_move)
expansion = partial(_layout, expansion_move)
greedy = partial(_layout, greedy_move)


# The slip in the report's program: it turns no tile while it tries, and lays it turned to the north.


def slipped(position: HonshuPosition, tile: Tile, spread: bool, control: Control) -> tuple[Move | None, int]:
    """What the program does with a tile.

    Returns:
        The placement, None where it drops the tile; and the score of the best trial, which it reports.
    """
    tried = best_of(position, tile, control, spread=spread, rotations=(EAST,))
    laid = None if tried is None else replace(tried, rotation=NORTH)
    if laid is None or position.placement_error(laid) is not None:
        laid = None
        if spread:
            # Only the method of expansion notices.
            laid = tried = best_of(position, tile, control, spread=True, rotations=(NORTH,))
    points = 0 if tried is None else position.score_change(tried).total
    return laid, position.score.total + points


def as_coded(position: HonshuPosition, spread: bool, control: Control) -> tuple[list[Move], int]:
    """The moves of the program as it is from here to the end, and the score that it reports."""
    made, reported = [], position.score.total
    for tile in position.hand:
        move, reported = slipped(position, tile, spread, control)
        if move is not None:
            made.append(move)
            position = position.play(move)
    return made, reported


def as_coded_move(spread: bool, position: HonshuPosition, control: Control) -> Move:
    """The program's move; since a match goes on, what it has dropped is laid at last, as the report says."""
    gone = [index for index, held in enumerate(position.held) if not held]
    for tile, held in list(zip(position.tiles, position.held, strict=True))[max(gone, default=-1) + 1 :]:
        move, _ = slipped(position, tile, spread, control) if held else (None, 0)
        if move is not None:
            return move
    return expansion_move(position, control) if spread else in_order_move(position, control)


def mixed(position: HonshuPosition, first: int, control: Control) -> list[Move]:
    """Greedy for the first tiles, then exhaustive search for the others.

    Args:
        position: the position to start from.
        first: how many tiles to lay by greedy.
        control: if it stops the search, the best line so far is played.
    """
    made: list[Move] = []
    while len(made) < first and position.outcome() is None:
        made.append(greedy_move(position, control))
        position = position.play(made[-1])
    return made + exhaustive(position, control)


def exhaustive(position: HonshuPosition, control: Control) -> list[Move]:
    """Moves to the highest final score, found by trying everything: the assignment's annex.

    If the control stops it, this is the best line so far; it tries the greedy line first.
    """
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
            control.cells[NODES] += 1
            made.append(move)
            search(here.play(move), made)
            made.pop()

    search(position, [])
    return best


def outcomes(size: int, tiles: int) -> int:
    """The report's limit of the number of ways to play: k! orders, and 4 n^2 placements of each tile."""
    return factorial(tiles) * (4 * size**2) ** tiles


# The methods as `arcade compare` runs them.

REPORT = "9 11\n7 2 17 12 20 5 18 15 8 19 3\n13\n"
"""The report's test game, PartieRapport, as a game file; its ids mean the published tiles."""
BOARDS = ("5x2#1", "6x4#1", "9x11,report", "9x12#1")
SECONDS = 2.0
"""How long the solver searches for a map."""
TRIED = 3
"""Most tiles for which the mixed method tries everything, unless it is named."""


def _work(find: Callable[[HonshuPosition, Control], tuple[list[Move], int]]) -> Callable[..., Work]:
    """A method that finds moves and reports a score."""

    def run(position: Position[Any], control: Control) -> Work:
        assert isinstance(position, HonshuPosition)
        moves, reported = find(position, control)
        lies = position.after(moves).score.total
        answer = f"{reported}" if lies == reported else f"{reported} reported, {lies} lie there"
        return Work(answer, control.nodes, OUT_OF_TIME if control.stopped else "")

    return run


def _scored(find: Callable[[HonshuPosition, Control], list[Move]]) -> Callable[..., Work]:
    def scored(position: HonshuPosition, control: Control) -> tuple[list[Move], int]:
        moves = find(position, control)
        return moves, position.after(moves).score.total

    return _work(scored)


def _mixed(rest: int) -> SolvingMethod:
    return SolvingMethod(
        f"mixed-{rest}",
        f"The report's: greedy, and everything for the last {amount(rest, 'tile') if rest > 1 else 'tile'}.",
        _scored(lambda position, control: mixed(position, max(0, len(position.hand) - rest), control)),
        remembers="the best line",
        counts=_PLACEMENTS,
        source="section 2.4, with k - j as in its name",
        usual=rest <= TRIED,
    )


def _solver() -> HonshuSolver:
    from arcade.engines.honshu import GAME

    return GAME.solver


def _solved(position: Position[Any], control: Control) -> Work:
    assert isinstance(position, HonshuPosition)
    solution = _solver().search(position, control, SECONDS)
    ways = outcomes(position.size, len(position.hand))
    return Work(f"{solution.best} of at most {solution.bound}, in {ways:.1e} outcomes", control.nodes)


_PLACEMENTS = "placements tried"
METHODS = (
    SolvingMethod(
        "in-order",
        "The report's text: tiles in turn, each where it scores most.",
        _scored(in_order),
        counts=_PLACEMENTS,
        source="end of section 2.2",
        title="In order",
        choose=in_order_move,
    ),
    SolvingMethod(
        "expansion",
        "The report's text: tiles in turn, covering one cell if they can.",
        _scored(expansion),
        counts=_PLACEMENTS,
        source="section 2.3",
        title="Expansion",
        choose=expansion_move,
    ),
    SolvingMethod(
        "greedy",
        "The report's: the tile, place and rotation that score most.",
        _scored(greedy),
        counts=_PLACEMENTS,
        source="section 2.2, meilleur_score() in 0_de_un.c",
        title="Greedy",
        choose=greedy_move,
    ),
    SolvingMethod(
        "in-order-as-coded",
        "The report's program: tries tiles unturned, lays them turned, drops those that do not fit so.",
        _work(lambda position, control: as_coded(position, False, control)),
        counts=_PLACEMENTS,
        source="resolution.c, the figure 33",
        title="In order, as coded",
        choose=partial(as_coded_move, False),
    ),
    SolvingMethod(
        "expansion-as-coded",
        "The report's program: the same slip, but a tile that does not fit is tried again, turned.",
        _work(lambda position, control: as_coded(position, True, control)),
        counts=_PLACEMENTS,
        source="resolution.c, the figure 47",
        title="Expansion, as coded",
        choose=partial(as_coded_move, True),
    ),
    *map(_mixed, range(1, HANDS[1] + 1)),
    SolvingMethod(
        "solver",
        f"The arcade's, {SECONDS:g} seconds; beside it the report's k! n^(2k) 4^k outcomes.",
        _solved,
        lambda: _solver().warm(),
        remembers="the best layout",
        counts="layouts and nodes",
        source="docs/honshu.md",
    ),
)

COMPARED = Compared(
    METHODS,
    BOARDS,
    (
        Finding(
            "On its test game (9x11,report) the report has 33 in order, 47 with expansion and 58 greedy; the "
            "first two are its program's, whose slip costs them 21 and 3 points.",
            ("in-order-as-coded", "expansion-as-coded", "greedy"),
            "answer",
        ),
        Finding(
            "From 33 and 47 it concludes that expansion is much better than in order: so it is as coded, but "
            "on that game not as the text has it.",
            ("in-order", "expansion", "greedy"),
            "answer",
        ),
        Finding(
            "Trying everything for the last tiles finds more, but takes minutes for 3.",
            ("greedy", "mixed-1", "mixed-2", "mixed-3"),
        ),
    ),
)

"""`plain`, the recursion of Damien Guichard, "L'approche qualité avec OCaml", IV, sections 29-32 (2013).

The recursion stores no positions. A position is two words:

    bit  24 .... 20 | 19 ........................ 0
    first    pieces | 20 cells of the upper half;     of the player to move
    second   pieces | 20 cells of the lower half;     of the other player

After a move, the hands are swapped. As in the article, moves are listed starting with T. On 5x8, this order
takes 69 million positions, and the reverse order 785 million. As in the article's rules, a player who cannot
place a piece has lost. Boards of 41 to 54 cells are cut in the middle.
"""

import numpy as np
from numpy.typing import NDArray

from arcade.engines.compiled import njit
from arcade.engines.control import NODES, STOP, Control
from arcade.engines.files import InputError
from arcade.engines.reference_methods import (
    Comparison,
    GaveUpError,
    MethodResult,
    ReportedFinding,
    SolvingMethod,
    in_time,
)
from arcade.engines.tetromino.board import PIECES, Placement
from arcade.engines.tetromino.rules import Tetrominoes
from arcade.engines.tetromino.solver import TetrominoSolver
from arcade.engines.verdict import Value

HALF = 20
"""Number of cells in the lower half of a board of up to 40 cells, and number of the hands' first bit."""
MAX_CELLS = 2 * (32 - len(PIECES))
"""Maximum number of cells of a board, because two 32-bit words hold the cells and a hand each."""

_STOPPED = 2
_PLIES = 2 * len(PIECES) + 1
_POLL = 4096
_NOTHING = np.uint32(0)

Words = NDArray[np.uint32]


@njit(nogil=True, cache=True)
def _play_moves(
    first: np.uint32, second: np.uint32, cells: np.uint32, pieces: Words, firsts: Words, seconds: Words
) -> int:
    """Write the boards after each placement to `firsts` and `seconds`. Return their number.

    `cells` is a mask of a word's cells. Each row of `pieces` is a placement: the bit of its piece, its upper
    cells and its lower cells.
    """
    hand1, hand2 = first & ~cells, second & ~cells
    board1, board2 = first & cells, second & cells
    count = 0
    for number in range(pieces.shape[0]):
        piece, upper, lower = pieces[number, 0], pieces[number, 1], pieces[number, 2]
        if hand1 & piece != _NOTHING and (upper & board1) | (lower & board2) == _NOTHING:
            firsts[count] = (upper + board1) | hand2
            seconds[count] = (lower + board2) | (hand1 ^ piece)
            count += 1
    return count


@njit(nogil=True, cache=True)
def _eval(
    first: np.uint32,
    second: np.uint32,
    cells: np.uint32,
    plies: int,
    pieces: Words,
    control: NDArray[np.int64],
) -> int:
    """Return 1 if the mover wins, 0 for a tie, -1 if the mover loses, or 2 if stopped."""
    firsts = np.empty((_PLIES, pieces.shape[0]), np.uint32)
    seconds = np.empty((_PLIES, pieces.shape[0]), np.uint32)
    count = np.zeros(_PLIES, np.int64)
    tried = np.zeros(_PLIES, np.int64)
    best = np.empty(_PLIES, np.int64)
    depth, visited = 0, 1
    best[0] = 0 if plies == _PLIES - 1 else -1
    count[0] = _play_moves(first, second, cells, pieces, firsts[0], seconds[0])
    while True:
        if best[depth] < 1 and tried[depth] < count[depth]:
            number = tried[depth]
            tried[depth] = number + 1
            depth += 1
            visited += 1
            tried[depth], count[depth] = 0, 0
            if plies + depth == _PLIES - 1:
                best[depth] = 0
            else:
                best[depth] = -1
                board, other = firsts[depth - 1, number], seconds[depth - 1, number]
                count[depth] = _play_moves(board, other, cells, pieces, firsts[depth], seconds[depth])
            if visited % _POLL == 0:
                control[NODES] += _POLL
                if control[STOP]:
                    return _STOPPED
            continue
        if depth == 0:
            control[NODES] += visited % _POLL
            return best[0]
        depth -= 1
        best[depth] = max(best[depth], -best[depth + 1])


def plain(position: Tetrominoes, control: Control) -> Value | None:
    """Return the value, or None if stopped. Raises InputError if the board has over `MAX_CELLS` cells."""
    cells = position.width * position.height
    if cells > MAX_CELLS:
        raise InputError(
            f"The method 'plain' supports boards of up to {MAX_CELLS} cells. This one has {cells}."
        )
    half = max(HALF, (cells + 1) // 2)
    lower = (1 << half) - 1
    hands = [position.hands[player] << half for player in (position.turn, 1 - position.turn)]
    pieces = [
        (1 << half + PIECES.index(placement.piece), mask >> half, mask & lower)
        for placement, mask in reversed(position.board.placements.items())
    ]
    value = _eval(
        np.uint32(position.occupied >> half | hands[0]),
        np.uint32(position.occupied & lower | hands[1]),
        np.uint32(lower),
        _PLIES - 1 - sum(hand.bit_count() for hand in hands),
        np.array(pieces, np.uint32).reshape(-1, 3),
        control.cells,
        control=control,
    )
    return {1: Value.WIN, 0: Value.TIE, -1: Value.LOSS}.get(value)


def plain_move(position: Tetrominoes, control: Control) -> Placement:
    """Return the first best move in the order of `plain`.

    If stopped, return the first tie found so far, or the first move if there is none. If the board is too
    large, return the first move.
    """
    moves = list(reversed(position.moves()))
    best, tie = moves[0], None
    if position.width * position.height <= MAX_CELLS:
        for move in moves:
            value = plain(position.play(move), control)
            if value is Value.LOSS:
                return move
            if value is Value.TIE and tie is None:
                tie = move
            if control.stopped:
                break
    return tie or best


def warm() -> None:
    with Control() as control:
        plain(Tetrominoes(3, 3), control)


def _plain(position: Tetrominoes, control: Control) -> MethodResult:
    if position.width * position.height > MAX_CELLS:
        raise GaveUpError(f"supports boards of up to {MAX_CELLS} cells")
    return MethodResult(in_time(plain(position, control)).value, control.nodes)


def _solver(position: Tetrominoes, control: Control) -> MethodResult:
    verdict = TetrominoSolver().verdict(position, control)
    return MethodResult(in_time(verdict.value).value, verdict.nodes)


COMPARISON = Comparison(
    methods=(
        SolvingMethod(
            name="plain",
            title="Plain, as the article has it",
            summary="Guichard's recursion over two halves of the board, on boards of at most 54 cells.",
            counts="positions visited",
            source="part IV, sections 30 to 32",
            run=_plain,
            choose=plain_move,
            warm=warm,
        ),
        SolvingMethod(
            name="solver",
            summary="The arcade's solver without stored results. It also finds the number of plies.",
            remembers="proven limits of the positions met, in a table",
            counts="positions visited",
            run=_solver,
            warm=lambda: TetrominoSolver().warm(),
        ),
    ),
    boards=("4x4", "4x5", "5x5", "4x7", "5x6", "4x8", "5x7", "4x9", "5x8"),
    findings=(
        ReportedFinding(
            text=(
                'The article\'s program takes 23.6 s in native OCaml for 5x8 and prints "First wins". It '
                "does so when the player to move cannot place a piece. By its own rules the second player "
                "wins, as here."
            ),
        ),
    ),
)

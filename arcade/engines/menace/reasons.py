"""Rules of play of tic-tac-toe.

The eight of the classical strategy are tried in its order, each where none before it applies: A. Newell and
H. Simon, *Human Problem Solving* (1972); K. Crowley and R. Siegler, "Flexible strategy use in young
children's tic-tac-toe", Cognitive Science 17 (1993).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arcade.engines.menace.rules import CELLS, EMPTY, LINES, Cell, O, TicTacToe, X, mark_at, threats
from arcade.engines.reasons import Case, RuleBook
from arcade.engines.wording import listed

CENTRE = 4
CORNERS = (0, 2, 6, 8)
SIDES = (1, 3, 5, 7)


def _marks(position: TicTacToe) -> tuple[int, int]:
    return (O, X) if position.turn else (X, O)


def _with(board: int, cell: int, mark: int) -> int:
    return board | mark << 2 * cell


def _free(board: int, cells: Iterable[int] = range(CELLS)) -> list[int]:
    return [cell for cell in cells if mark_at(board, cell) == EMPTY]


def _doubles(board: int, mark: int) -> list[int]:
    """The empty cells on which `mark` would threaten two cells at once."""
    return [cell for cell in _free(board) if len(threats(_with(board, cell, mark), mark)) > 1]


def _open_lines(board: int, mark: int) -> int:
    """How many lines the mark can still complete."""
    return sum(all(mark_at(board, cell) in (EMPTY, mark) for cell in line) for line in LINES)


def _harmless(board: int, mark: int) -> bool:
    """Whether the mark, to move next, cannot complete or threaten enough: it has at most two lines."""
    return _open_lines(board, mark) <= 2 and not threats(board, mark) and not _doubles(board, mark)


def _names(cells: Sequence[int]) -> str:
    return listed([str(Cell(cell)) for cell in cells], "or")


def _case(says: str, cells: Sequence[int]) -> Case | None:
    return Case(says, tuple(divmod(cell, 3) for cell in cells)) if cells else None


rule = RuleBook[TicTacToe, TicTacToe](
    "menace", lambda position: position if position.outcome() is None else None
)


@rule("win")
def win(position: TicTacToe) -> Case | None:
    own, _ = _marks(position)
    cells = threats(position.board, own)
    return _case(f"{_names(cells)} completes three in a row.", cells)


@rule("two-threats")
def two_threats(position: TicTacToe) -> Case | None:
    own, other = _marks(position)
    cells = threats(position.board, other)
    if len(cells) < 2 or threats(position.board, own):
        return None
    return _case(
        f"They threaten {listed([str(Cell(cell)) for cell in cells])}; only one can be blocked.", cells
    )


@rule("block-twice")
def block_twice(position: TicTacToe) -> Case | None:
    own, other = _marks(position)
    cells = threats(position.board, other)
    if len(cells) != 1 or threats(position.board, own):
        return None
    if len(threats(_with(position.board, cells[0], own), own)) < 2:
        return None
    return _case(f"{Cell(cells[0])} blocks them, and threatens two cells at once.", cells)


@rule("two-lines")
def two_lines(position: TicTacToe) -> Case | None:
    own, other = _marks(position)
    board = position.board
    blocks = threats(board, other)
    if threats(board, own) or len(blocks) > 1 or _open_lines(board, own) > 2:
        return None
    if blocks:
        if len(threats(_with(board, blocks[0], own), own)) > 1:
            return None
    elif _doubles(board, own):
        return None
    for cell in blocks or _free(board):
        if _harmless(_with(board, cell, own), other):
            return _case(f"{Cell(cell)} leaves nobody enough open lines to win.", [cell])
    return None


@rule("block")
def block(position: TicTacToe) -> Case | None:
    own, other = _marks(position)
    cells = threats(position.board, other)
    if len(cells) != 1 or threats(position.board, own) or block_twice(position):
        return None
    return _case(f"{_names(cells)} blocks them.", cells)


def _calm(position: TicTacToe) -> bool:
    """Whether nobody threatens to complete a line."""
    return not any(threats(position.board, mark) for mark in (X, O))


@rule("fork")
def fork(position: TicTacToe) -> Case | None:
    own, _ = _marks(position)
    if not _calm(position):
        return None
    cells = _doubles(position.board, own)
    return _case(f"{_names(cells)} threatens two cells at once.", cells)


@rule("block-fork")
def block_fork(position: TicTacToe) -> Case | None:
    _, other = _marks(position)
    if not _calm(position) or fork(position):
        return None
    cells = _doubles(position.board, other)
    return _case(f"They must not get {_names(cells)}, where they would threaten two cells.", cells)


def _quiet(position: TicTacToe) -> bool:
    """Whether none of the first four classical rules applies."""
    return _calm(position) and not any(_doubles(position.board, mark) for mark in (X, O))


@rule("centre")
def centre(position: TicTacToe) -> Case | None:
    if not _quiet(position) or mark_at(position.board, CENTRE) != EMPTY:
        return None
    return _case("The centre is free: take it.", [CENTRE])


@rule("opposite-corner")
def opposite_corner(position: TicTacToe) -> Case | None:
    _, other = _marks(position)
    if not _quiet(position) or centre(position):
        return None
    cells = [cell for cell in _free(position.board, CORNERS) if mark_at(position.board, 8 - cell) == other]
    return _case(f"Take {_names(cells)}, opposite their corner.", cells)


@rule("empty-corner")
def empty_corner(position: TicTacToe) -> Case | None:
    if not _quiet(position) or centre(position) or opposite_corner(position):
        return None
    cells = _free(position.board, CORNERS)
    return _case(f"Take the corner {_names(cells)}.", cells)


@rule("empty-side")
def empty_side(position: TicTacToe) -> Case | None:
    if not _quiet(position) or _free(position.board, (CENTRE, *CORNERS)):
        return None
    cells = _free(position.board, SIDES)
    return _case(f"Take the side {_names(cells)}.", cells)


RULES = rule.rules

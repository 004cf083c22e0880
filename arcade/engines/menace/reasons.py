"""Rules of play of tic-tac-toe.

The eight of the classical strategy are tried in its order, each where none before it applies: A. Newell and
H. Simon, *Human Problem Solving* (1972); K. Crowley and R. Siegler, "Flexible strategy use in young
children's tic-tac-toe", Cognitive Science 17 (1993).
"""

from collections.abc import Iterable, Sequence

from arcade.engines.menace.rules import CELLS, EMPTY, LINES, Cell, O, TicTacToe, X, mark_at, threats
from arcade.engines.reasons import Case, RuleBook
from arcade.engines.wording import listed

CENTRE = 4
CORNERS = (0, 2, 6, 8)
SIDES = (1, 3, 5, 7)


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


def _names(cells: Sequence[int], word: str = "or") -> str:
    return listed([str(Cell(cell)) for cell in cells], word)


def _case(says: str, cells: Sequence[int]) -> Case | None:
    return Case(says, tuple(divmod(cell, 3) for cell in cells)) if cells else None


class View:
    """A board that is not decided, as the rules see it; `mover` and `other` are the names of the sides."""

    def __init__(self, position: TicTacToe) -> None:
        self.board = position.board
        self.mine, self.theirs = (O, X) if position.turn else (X, O)
        self.mover, self.other = ("O", "X") if position.turn else ("X", "O")
        self.centre_free = mark_at(self.board, CENTRE) == EMPTY
        self.wins, self.blocks = threats(self.board, self.mine), threats(self.board, self.theirs)
        self.forks, self.their_forks = _doubles(self.board, self.mine), _doubles(self.board, self.theirs)

    @property
    def calm(self) -> bool:
        """Whether nobody threatens to complete a line."""
        return not self.wins and not self.blocks

    @property
    def quiet(self) -> bool:
        """Whether none of the first four classical rules applies."""
        return self.calm and not self.forks and not self.their_forks

    @property
    def opposite(self) -> list[int]:
        """The free corners that are opposite a corner of the other side."""
        return [cell for cell in _free(self.board, CORNERS) if mark_at(self.board, 8 - cell) == self.theirs]


rule = RuleBook[TicTacToe, View]("menace", lambda at: View(at) if at.outcome() is None else None)


@rule("win")
def win(seen: View) -> Case | None:
    return _case(f"{_names(seen.wins)} completes three in a row.", seen.wins)


@rule("two-threats")
def two_threats(seen: View) -> Case | None:
    if len(seen.blocks) < 2 or seen.wins:
        return None
    both = _names(seen.blocks, "and")
    return _case(f"{seen.other} threatens {both}; only one can be blocked.", seen.blocks)


@rule("block-twice")
def block_twice(seen: View) -> Case | None:
    if len(seen.blocks) != 1 or seen.wins or seen.blocks[0] not in seen.forks:
        return None
    return _case(f"{_names(seen.blocks)} blocks {seen.other}, and threatens two cells at once.", seen.blocks)


@rule("two-lines")
def two_lines(seen: View) -> Case | None:
    if seen.wins or len(seen.blocks) > 1 or _open_lines(seen.board, seen.mine) > 2:
        return None
    if set(seen.blocks or seen.forks) & set(seen.forks):
        return None
    for cell in seen.blocks or _free(seen.board):
        if _harmless(_with(seen.board, cell, seen.mine), seen.theirs):
            return _case(f"{Cell(cell)} leaves nobody enough open lines to win.", [cell])
    return None


@rule("block")
def block(seen: View) -> Case | None:
    if len(seen.blocks) != 1 or seen.wins or seen.blocks[0] in seen.forks:
        return None
    return _case(f"{_names(seen.blocks)} blocks {seen.other}.", seen.blocks)


@rule("fork")
def fork(seen: View) -> Case | None:
    return _case(f"{_names(seen.forks)} threatens two cells at once.", seen.forks) if seen.calm else None


@rule("block-fork")
def block_fork(seen: View) -> Case | None:
    if not seen.calm or seen.forks:
        return None
    cells = seen.their_forks
    return _case(f"{seen.other} must not get {_names(cells)}, which would threaten two cells.", cells)


@rule("centre")
def centre(seen: View) -> Case | None:
    if not seen.quiet or not seen.centre_free:
        return None
    return _case(f"The centre is free: {seen.mover} takes it.", [CENTRE])


@rule("opposite-corner")
def opposite_corner(seen: View) -> Case | None:
    if not seen.quiet or seen.centre_free:
        return None
    cells = seen.opposite
    return _case(f"{seen.mover} takes {_names(cells)}, opposite a corner of {seen.other}.", cells)


@rule("empty-corner")
def empty_corner(seen: View) -> Case | None:
    if not seen.quiet or seen.centre_free or seen.opposite:
        return None
    cells = _free(seen.board, CORNERS)
    return _case(f"{seen.mover} takes the corner {_names(cells)}.", cells)


@rule("empty-side")
def empty_side(seen: View) -> Case | None:
    if not seen.quiet or _free(seen.board, (CENTRE, *CORNERS)):
        return None
    cells = _free(seen.board, SIDES)
    return _case(f"{seen.mover} takes the side {_names(cells)}.", cells)


RULES = rule.rules

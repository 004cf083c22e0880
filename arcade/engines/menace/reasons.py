"""The rules of thumb of tic-tac-toe, including the eight classical ones. The first one that applies is used.

Sources: A. Newell and H. Simon, *Human Problem Solving* (1972); K. Crowley and R. Siegler, "Flexible strategy
use in young children's tic-tac-toe", Cognitive Science 17 (1993).
"""

from collections.abc import Iterable, Sequence

from arcade.engines.menace.rules import CELLS, EMPTY, LINES, Cell, O, TicTacToe, X, mark_at, threats
from arcade.engines.reasons import RuleMatch, RuleSet
from arcade.engines.verdict import Squares, Value
from arcade.engines.wording import join_words

CENTRE = 4
CORNERS = (0, 2, 6, 8)
SIDES = (1, 3, 5, 7)


def _with(board: int, cell: int, mark: int) -> int:
    return board | mark << 2 * cell


def _free(board: int, cells: Iterable[int] = range(CELLS)) -> list[int]:
    return [cell for cell in cells if mark_at(board, cell) == EMPTY]


def _doubles(board: int, mark: int) -> list[int]:
    return [cell for cell in _free(board) if len(threats(_with(board, cell, mark), mark)) > 1]


def _open_lines(board: int, mark: int) -> int:
    return sum(all(mark_at(board, cell) in (EMPTY, mark) for cell in line) for line in LINES)


def _harmless(board: int, mark: int) -> bool:
    """Return whether `mark` cannot force a win: it has at most two open lines, no threat and no fork."""
    return _open_lines(board, mark) <= 2 and not threats(board, mark) and not _doubles(board, mark)


def _names(cells: Sequence[int], word: str = "or") -> str:
    return join_words([str(Cell(cell)) for cell in cells], word)


def _match(says: str, cells: Sequence[int]) -> RuleMatch | None:
    return RuleMatch(says, _squares(cells)) if cells else None


def _squares(cells: Sequence[int]) -> Squares:
    return tuple(divmod(cell, 3) for cell in cells)


class ThreatFeatures:
    def __init__(self, position: TicTacToe) -> None:
        self.board = position.board
        self.mine, self.theirs = (O, X) if position.turn else (X, O)
        self.mover, self.other = ("O", "X") if position.turn else ("X", "O")
        self.centre_free = mark_at(self.board, CENTRE) == EMPTY
        self.wins, self.blocks = threats(self.board, self.mine), threats(self.board, self.theirs)
        self.forks, self.their_forks = _doubles(self.board, self.mine), _doubles(self.board, self.theirs)

    @property
    def calm(self) -> bool:
        return not self.wins and not self.blocks

    @property
    def quiet(self) -> bool:
        return self.calm and not self.forks and not self.their_forks

    @property
    def double_threat(self) -> str:
        """A phrase that says what a fork threatens. It names the cells if there is only one fork."""
        cells = "two cells"
        if len(self.forks) == 1:
            cells = _names(threats(_with(self.board, self.forks[0], self.mine), self.mine), "and")
        return f"threatens {cells} at once"

    @property
    def fork_stoppers(self) -> list[int]:
        """Cells to take so that the other side cannot fork with its next move."""
        return [cell for cell in _free(self.board) if self._stops_forks(_with(self.board, cell, self.mine))]

    def _stops_forks(self, board: int) -> bool:
        forced = threats(board, self.mine)
        return not set(_doubles(board, self.theirs)) & set(forced or _free(board))

    @property
    def opposite(self) -> list[int]:
        return [cell for cell in _free(self.board, CORNERS) if mark_at(self.board, 8 - cell) == self.theirs]

    def plays(self, cells: Sequence[int], what: str) -> RuleMatch | None:
        if not cells:
            return None
        return RuleMatch.by_move(self.mover, what, _squares(cells), *(str(Cell(cell)) for cell in cells))


rules = RuleSet[TicTacToe, ThreatFeatures](
    __package__,
    lambda at: ThreatFeatures(at) if at.outcome() is None else None,
    "Line: a row, column or diagonal.\n"
    "Threat: a free cell on a line where you have the other two cells.\n"
    "Open line: a line in which your opponent has no mark.\n"
    "Fork: a move that makes two threats at once.\n"
    "Urgent move: one that wins, blocks a threat, or makes or stops a fork.",
)


@rules.rule(
    "win",
    name="Three in a row",
    headline="Two in a row and the third free? Take it.",
    value=Value.WIN,
    says="If you have two in a row and the third cell is free, take it and win.",
    proof="Three in a row wins.",
)
def win(features: ThreatFeatures) -> RuleMatch | None:
    return features.plays(features.wins, "completes three in a row")


@rules.rule(
    "two-threats",
    name="Double threat",
    headline="Threaten two or more cells: only one can be blocked.",
    value=Value.LOSS,
    says="With your opponent to move, you win if you threaten two or more cells and they cannot win at once.",
    proof="Your opponent can block only one of the threats.",
)
def two_threats(features: ThreatFeatures) -> RuleMatch | None:
    if len(features.blocks) < 2 or features.wins:
        return None
    both = _names(features.blocks, "and")
    says = f"{features.other} threatens {both}, and {features.mover} can block only one."
    return _match(says, features.blocks)


@rules.rule(
    "fork",
    name="Fork",
    headline="If there are no threats, make two threats at once.",
    value=Value.WIN,
    says=("If neither side threatens anything and some cell gives you two threats, take it and win."),
    proof="Your opponent can block only one of the threats.",
)
def fork(features: ThreatFeatures) -> RuleMatch | None:
    return features.plays(features.forks, features.double_threat) if features.calm else None


@rules.rule(
    "block-twice",
    name="Counter-fork",
    headline="If your block makes two threats of your own, you win.",
    value=Value.WIN,
    says="If your opponent threatens only one cell, and blocking it gives you two threats, you win.",
    proof="Your opponent can block only one of your threats, and no longer threatens anything.",
)
def block_twice(features: ThreatFeatures) -> RuleMatch | None:
    if len(features.blocks) != 1 or features.wins or features.blocks[0] not in features.forks:
        return None
    return features.plays(features.blocks, f"blocks {features.other} and {features.double_threat}")


@rules.rule(
    "two-lines",
    name="Too few lines",
    headline="Few open lines and no possible fork: the game is a tie.",
    value=Value.TIE,
    says=(
        "Suppose that after your move each side has at most two open lines, and your opponent threatens "
        "nothing. If neither side can make two threats with one move, the game is a tie."
    ),
    proof=(
        "To make two threats at once, a player needs the cell where two of their open lines cross. With two "
        "open lines there is only one such cell, and the other player has time to take it."
    ),
)
def two_lines(features: ThreatFeatures) -> RuleMatch | None:
    if features.wins or len(features.blocks) > 1 or _open_lines(features.board, features.mine) > 2:
        return None
    if set(features.blocks or features.forks) & set(features.forks):
        return None
    for cell in features.blocks or _free(features.board):
        if _harmless(_with(features.board, cell, features.mine), features.theirs):
            blocks = f"blocks {features.other} and " * bool(features.blocks)
            return features.plays([cell], f"{blocks}leaves neither side a way to make two threats at once")
    return None


@rules.rule(
    "block",
    name="Block",
    headline="If your opponent threatens a cell, take it.",
    value=Value.TIE,
    says=(
        "If your opponent threatens one cell and you cannot win at once, take that cell. That usually "
        "secures a tie."
    ),
)
def block(features: ThreatFeatures) -> RuleMatch | None:
    if len(features.blocks) != 1 or features.wins or features.blocks[0] in features.forks:
        return None
    return features.plays(features.blocks, f"blocks {features.other}")


@rules.rule(
    "block-fork",
    name="Stop the fork",
    headline="Do not let your opponent make two threats at once.",
    value=Value.TIE,
    says=(
        "If your opponent could make two threats with their next move, prevent it. That usually secures a "
        "tie."
    ),
)
def block_fork(features: ThreatFeatures) -> RuleMatch | None:
    if not features.calm or features.forks:
        return None
    cells = features.their_forks
    if not cells:
        return None
    does = f"keeps {features.other} from making two threats at once with {_names(cells)}"
    says = f"{features.mover} cannot keep {features.other} from making two threats at once."
    return features.plays(features.fork_stoppers, does) or _match(says, cells)


@rules.rule(
    "centre",
    name="Centre",
    headline="If nothing is more urgent, take the centre.",
    value=Value.TIE,
    says="If nothing is more urgent and the centre is free, take it. That often secures a tie.",
)
def centre(features: ThreatFeatures) -> RuleMatch | None:
    if not features.quiet or not features.centre_free:
        return None
    return features.plays([CENTRE], "takes the centre")


@rules.rule(
    "opposite-corner",
    name="Opposite corner",
    headline="Take the corner opposite your opponent's.",
    value=Value.TIE,
    says=(
        "If nothing is more urgent and the centre is taken, take a free corner opposite one that your "
        "opponent holds. The game is then a tie."
    ),
)
def opposite_corner(features: ThreatFeatures) -> RuleMatch | None:
    if not features.quiet or features.centre_free:
        return None
    return features.plays(features.opposite, f"takes the corner opposite {features.other}'s")


@rules.rule(
    "empty-corner",
    name="Corner",
    headline="If nothing is more urgent, take a free corner.",
    value=Value.TIE,
    says=(
        "If nothing is more urgent and you can take neither the centre nor an opposite corner, take a free "
        "corner. That usually secures a tie."
    ),
)
def empty_corner(features: ThreatFeatures) -> RuleMatch | None:
    if not features.quiet or features.centre_free or features.opposite:
        return None
    return features.plays(_free(features.board, CORNERS), "takes a free corner")


@rules.rule(
    "empty-side",
    name="Side",
    headline="Centre and corners taken? Take the middle of a side.",
    value=Value.TIE,
    says=(
        "If the centre and all corners are taken and nothing is more urgent, take the middle cell of a side. "
        "The game is then a tie."
    ),
)
def empty_side(features: ThreatFeatures) -> RuleMatch | None:
    if not features.quiet or _free(features.board, (CENTRE, *CORNERS)):
        return None
    return features.plays(
        _free(features.board, SIDES), "takes the middle of a side, as the centre and the corners are taken"
    )


RULES = tuple(rules)

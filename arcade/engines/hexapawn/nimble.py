"""A fixed-depth search with a simple evaluation in plain Python: fast on any board, but no proof."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arcade.engines.control import Control
from arcade.engines.hexapawn.rules import PawnMove, PawnPosition

_OVER = 1_000_000
_PAWN = 100


def rank(position: PawnPosition, moves: Sequence[PawnMove], depth: int, control: Control) -> list[int]:
    """The estimated value of each move after `depth` plies; higher is better for the mover.

    If the control stops it, unsearched moves rank below all others, except the first move.
    """
    searcher = _Searcher(position, control)
    ranks: list[int] = []
    for move in moves:
        if ranks and control.stopped:
            ranks.append(-2 * _OVER)
            continue
        after = position.after(move)
        board = after.turned() if after.turn else after
        found = -searcher.search(board.white, board.black, depth - 1, -2 * _OVER, 2 * _OVER)
        ranks.append(-2 * _OVER if ranks and control.stopped else found)
    return ranks


class _Searcher:
    """Negamax with alpha-beta on bit sets, seen from the mover, who always moves up."""

    def __init__(self, position: PawnPosition, control: Control) -> None:
        self.rows, self.columns = position.rows, position.columns
        self.size = self.rows * self.columns
        self.full = (1 << self.size) - 1
        self.first_row = (1 << self.columns) - 1
        self.last_row = self.first_row << (self.rows - 1) * self.columns
        self.first_column = sum(1 << row * self.columns for row in range(self.rows))
        self.last_column = self.first_column << (self.columns - 1)
        self.sign = -1 if position.misere else 1
        self.must_capture = position.capture
        self.control = control

    def search(self, own: int, opp: int, depth: int, low: int, high: int) -> int:
        """The value for the mover; fast wins and slow losses are better."""
        if opp & self.first_row:
            return -self.sign * (_OVER + depth)
        if depth <= 0 or self.control.stopped:
            return self.evaluate(own, opp)
        best = None
        for origin, to in self.moves(own, opp):
            after = own ^ origin ^ to
            found = -self.search(self.turned(opp & ~to), self.turned(after), depth - 1, -high, -low)
            best = found if best is None else max(best, found)
            low = max(low, best)
            if low >= high:
                break
        return -self.sign * (_OVER + depth) if best is None else best

    def moves(self, own: int, opp: int) -> Iterator[tuple[int, int]]:
        """The origin and target square of each move as bits, captures first."""
        columns = self.columns
        captures = False
        for origins, by in (
            (own & ~self.first_column & opp >> (columns - 1), columns - 1),
            (own & ~self.last_column & opp >> (columns + 1), columns + 1),
            (own & ~((own | opp) >> columns) & self.full >> columns, columns),
        ):
            if by == columns and captures and self.must_capture:
                return
            while origins:
                origin = origins & -origins
                origins ^= origin
                captures = True
                yield origin, origin << by

    def turned(self, squares: int) -> int:
        """The squares as the other side sees them."""
        return int(f"{squares:0{self.size}b}"[::-1], 2)

    def evaluate(self, own: int, opp: int) -> int:
        """Count pawns and their progress; a side without moves or pawns shows one ply later."""
        turned = self.turned(opp)
        return self.sign * (self.worth(own) - self.worth(turned))

    def worth(self, own: int) -> int:
        """A hundred for each pawn, plus the square of the foremost pawn's distance from its first row."""
        foremost = max(own.bit_length() - 1, 0) // self.columns
        return _PAWN * own.bit_count() + foremost * foremost

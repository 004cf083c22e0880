"""The marks of played moves: what each was worth, as far as solvers have told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from arcade.engines.game import Kind
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame
from arcade.engines.verdict import MoveVerdict, ScoreVerdict, Value, Verdict, keeps_value, only_move
from arcade.record import Mark


@dataclass(slots=True)
class Ply:
    """A played move: who played it, and its verdict once known."""

    seat: int
    move: Any
    mark: Mark | None = None
    verdict: Verdict | None = None
    """The move's verdict for its mover."""
    lost: int = 0
    """In a race, how many points the move has surely lost."""
    comment: str = ""
    """What somebody wrote about it."""


class Knowledge:
    """What solvers have told about positions of a match.

    Args:
        game: the game that is played.
    """

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.analyses: dict[Position[Any], list[MoveVerdict[Any]]] = {}
        """The verdicts of all moves of a position."""
        self.proved: dict[Position[Any], ScoreVerdict] = {}
        """In a race, the verdicts of positions."""

    def best_of(self, position: Position[Any]) -> int | None:
        """The highest final score known to be reachable in a race."""
        known: list[Verdict] = [each.verdict for each in self.analyses.get(position) or []]
        if position in self.proved:
            known.append(self.proved[position])
        scores = [each.best for each in known if isinstance(each, ScoreVerdict) and each.best is not None]
        return max(scores, default=None)

    def annotate(self, ply: Ply, before: Position[Any]) -> None:
        """Write the verdict and the mark of a move into it, as far as they are known.

        Args:
            ply: the move.
            before: the position in which it was played.
        """
        analysis = self.analyses.get(before)
        if analysis is not None:
            ply.verdict = next(each.verdict for each in analysis if each.move == ply.move)
        if self.game.kind is Kind.RACE:
            ply.mark = self._race_mark(ply, before)
        elif analysis is not None:
            ply.mark = _duel_mark(ply, analysis)

    def _race_mark(self, ply: Ply, before: Position[Any]) -> Mark | None:
        """A mark only where it is sure: the move keeps the best score known, or provably loses points.

        It threw the match away if it lost a quarter of the points that were still to be had.
        """
        best = self.best_of(before)
        verdicts = (ply.verdict, self.proved.get(before.play(ply.move)))
        known = [each for each in verdicts if isinstance(each, ScoreVerdict)]
        if best is None or not known:
            # A reopened match has no analysis yet, so its marks stay.
            return ply.mark
        now = self.game.points(before) or 0
        ply.lost = max([ply.lost, *(best - each.bound for each in known if each.bound is not None)])
        if ply.mark is Mark.THREW or (ply.lost and 4 * ply.lost >= best - now):
            return Mark.THREW
        if ply.lost or ply.mark is Mark.LOST:
            return Mark.LOST
        return Mark.KEPT if any(each.best is not None and each.best >= best for each in known) else None


def _duel_mark(ply: Ply, analysis: list[MoveVerdict[Any]]) -> Mark | None:
    if not all(each.verdict.known for each in analysis):
        won = ply.verdict is not None and ply.verdict.value is Value.WIN
        return Mark.KEPT if won else None
    if ply.move not in keeps_value(analysis):
        return Mark.THREW
    return Mark.ONLY if ply.move == only_move(analysis) else Mark.KEPT

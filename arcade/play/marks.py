"""Mark played moves, for example as "kept the value", using the analysis so far."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arcade.engines.game import RaceGame
from arcade.engines.position import Position
from arcade.engines.verdict import (
    MoveVerdict,
    ScoreVerdict,
    Squares,
    Value,
    Verdict,
    only_move,
    value_keeping_moves,
)
from arcade.store.record import Mark


@dataclass(slots=True)
class Ply:
    seat: int
    move: Any
    by: str
    """The player who made the move, or `UNSEEN`; see `MatchRecord.players`."""
    mark: Mark | None = None
    verdict: Verdict | None = None
    lost: int = 0
    """Points that the move lost in a race. Before the match ends, only proven losses count."""
    comment: str = ""
    rule: str = ""
    reason: str = ""
    squares: Squares = ()


@dataclass(frozen=True, slots=True)
class ValueRow:
    number: int
    """Number of the move, from 1."""
    move: str
    latest: bool
    seat: int
    played: Any
    verdicts: tuple[MoveVerdict[Any], ...]


@dataclass(frozen=True, slots=True)
class ScoreRow:
    number: int
    """Number of the move, from 1."""
    move: str
    latest: bool
    seat: int
    scores: tuple[int, ...]
    best: int | None


class MatchAnalysis(ABC):
    def __init__(self) -> None:
        self.analyses: dict[Position[Any], list[MoveVerdict[Any]]] = {}
        self.verdicts: dict[Position[Any], Verdict] = {}

    def annotate(self, ply: Ply, before: Position[Any]) -> None:
        analysis = self.analyses.get(before)
        if analysis is not None:
            ply.verdict = next(each.verdict for each in analysis if each.move == ply.move)
        ply.mark = self._mark(ply, before)

    @abstractmethod
    def _mark(self, ply: Ply, before: Position[Any]) -> Mark | None: ...


class DuelKnowledge(MatchAnalysis):
    def _mark(self, ply: Ply, before: Position[Any]) -> Mark | None:
        analysis = self.analyses.get(before)
        if analysis is None:
            # A reopened match has no analysis yet, so its marks stay.
            return ply.mark
        if not all(each.verdict.known for each in analysis):
            won = ply.verdict is not None and ply.verdict.value is Value.WIN
            return Mark.GOOD if won else None
        if ply.move not in value_keeping_moves(analysis):
            return Mark.BLUNDER
        return Mark.ONLY if ply.move == only_move(analysis) else Mark.GOOD


class RaceKnowledge(MatchAnalysis):
    def __init__(self, game: RaceGame[Any, Any]) -> None:
        super().__init__()
        self.game = game
        self.reached: dict[Position[Any], int] = {}

    def best_of(self, position: Position[Any]) -> int | None:
        known: list[Verdict] = [each.verdict for each in self.analyses.get(position) or []]
        if position in self.verdicts:
            known.append(self.verdicts[position])
        scores = [each.best for each in known if isinstance(each, ScoreVerdict) and each.best is not None]
        return max([*scores, *([self.reached[position]] if position in self.reached else [])], default=None)

    def recall(self, steps: Sequence[tuple[Ply, Position[Any]]]) -> None:
        for ply, before in reversed(steps):
            after = before.play(ply.move)
            outcome = after.outcome()
            best = self.reached.get(after) if outcome is None else outcome.score
            if best is not None:
                self._reach(before, best + ply.lost)

    def review(self, steps: Sequence[tuple[Ply, Position[Any]]], finished: bool) -> None:
        """Make the scores and losses of a race consistent.

        A score that can be reached from a position can also be reached from all positions before it, so the
        highest known score never rises from move to move. At the end, the points that a seat has lost add
        up to the highest known score from the start, minus the seat's own score.
        """
        moves = [(ply, before, before.play(ply.move)) for ply, before in steps]
        # Both seats begin at the same position.
        for ply, before, after in moves[::-1] * 2:
            verdict, outcome = self._verdict(ply, before), after.outcome()
            made = None if outcome is None else outcome.score
            for each in (self.best_of(after), None if verdict is None else verdict.best, made):
                if each is not None:
                    self._reach(before, each)
                    self._reach(after, each)
        for ply, before, after in moves if finished else ():
            best, verdict = self.best_of(before), self._verdict(ply, before)
            judged = self._judged(before) and (self._judged(after) or (verdict and verdict.best is not None))
            # The position in which a player resigns may not be analysed.
            if best is not None and after in self.reached and (judged or ply.mark is not None):
                lost = best - self.reached[after]
                if lost != ply.lost:
                    ply.lost, ply.reason = lost, ""
                ply.mark = self._loss_mark(ply, best, before)

    def _reach(self, position: Position[Any], score: int) -> None:
        self.reached[position] = max(score, self.reached.get(position, score))

    def _judged(self, position: Position[Any]) -> bool:
        return position in self.analyses or position in self.verdicts or position.outcome() is not None

    def _verdict(self, ply: Ply, before: Position[Any]) -> ScoreVerdict | None:
        verdicts = [each.verdict for each in self.analyses.get(before) or () if each.move == ply.move]
        return verdicts[0] if verdicts and isinstance(verdicts[0], ScoreVerdict) else None

    def _mark(self, ply: Ply, before: Position[Any]) -> Mark | None:
        best = self.best_of(before)
        verdicts = (ply.verdict, self.verdicts.get(before.play(ply.move)))
        known = [each for each in verdicts if isinstance(each, ScoreVerdict)]
        if best is None or not known:
            return ply.mark
        ply.lost = max([ply.lost, *(best - each.bound for each in known if each.bound is not None)])
        if ply.lost or ply.mark is Mark.HINTED:
            return ply.mark if ply.mark is Mark.BLUNDER else self._loss_mark(ply, best, before)
        if ply.mark is not None and ply.mark.bad:
            return ply.mark
        return Mark.GOOD if any(each.best is not None and each.best >= best for each in known) else None

    def _loss_mark(self, ply: Ply, best: int, before: Position[Any]) -> Mark:
        """Return the mark for `ply.lost`. A blunder loses at least a quarter of the points still possible."""
        if ply.mark is Mark.HINTED:
            return Mark.HINTED
        if not ply.lost:
            return Mark.GOOD
        return Mark.BLUNDER if 4 * ply.lost >= best - self.game.points(before) else Mark.INACCURACY

"""Background analysis of the position on view and of the moves before it."""

from collections.abc import Callable
from functools import partial
from typing import Any

from arcade.engines.explanations import MistakeExplanation
from arcade.engines.position import Position
from arcade.engines.reasons import OUT_OF_TIME
from arcade.engines.registry import AnyGame
from arcade.engines.solver import Analysis
from arcade.engines.verdict import ScoreVerdict
from arcade.engines.wording import capitalize
from arcade.play.jobs import Job, Jobs
from arcade.play.marks import Ply
from arcade.play.match import Match

GROUP = "verdict"


class Analyzer:
    """The background analysis of one match. It calls `done` whenever nothing is left to analyse."""

    def __init__(
        self,
        match: Match,
        jobs: Jobs,
        changed: Callable[[], None],
        say: Callable[[str], None],
        done: Callable[[], None],
    ) -> None:
        self.match = match
        self._jobs = jobs
        self._changed = changed
        self._say = say
        self._done = done
        self._at: Position[Any] | None = None
        self._efforts: set[str] = set()
        self._reviewed: set[Position[Any]] = set()
        self._explained: dict[tuple[Position[Any], Any, int], MistakeExplanation] = {}
        """Explanations of mistakes by position, move and points lost. Some only state that time ran out."""
        self._valued: set[Position[Any]] = set()
        """Positions with incomplete analyses: lengths are missing, and perhaps the values of some moves."""

    def busy_with(self, position: Position[Any]) -> bool:
        return GROUP in self._jobs.controls and self._at == position

    def partial_verdict(self, position: Position[Any]) -> ScoreVerdict | None:
        if not self.busy_with(position):
            return None
        return self.match.partial_verdict(position, self._jobs.controls[GROUP])

    def judge(self, position: Position[Any]) -> None:
        if self.busy_with(position):
            return
        known = self.match.verdict_of(position) is not None and position not in self._valued
        if known and self.match.analysis(position) is not None:
            self.look_back()
            return
        self._at = position
        game = self.match.game

        def judge(job: Job) -> None:
            if job.ready(game):
                job.tell(self._say_once, game.solver.effort(position))
                for analysis in game.solver.solve(position, job.control):
                    job.tell(self._found, analysis)
                job.tell(self._ended)

        self._jobs.start(GROUP, judge, game.explanations.limits.verdict)

    def look_back(self) -> None:
        match, game = self.match, self.match.game
        self._at = None
        for number in range(len(match.plies) - 1, -1, -1):
            position = match.before(number)
            judged = match.analysis(position) is not None and match.plies[number].mark is not None
            if not judged and position not in self._reviewed:
                analyse = partial(self._analyse, game, position)
                self._jobs.start(GROUP, analyse, game.explanations.limits.review)
                return
        if not self._explain():
            self._done()

    def _explain(self) -> bool:
        match = self.match
        for number in range(len(match.plies) - 1, -1, -1):
            ply, position = match.plies[number], match.before(number)
            bad = ply.mark is not None and ply.mark.bad
            unknown = ply.reason in ("", OUT_OF_TIME)
            if not (bad and unknown):
                continue
            fault = self._explained.get((position, ply.move, ply.lost))
            if fault is None:
                find = partial(self._find_fault, match.game, position, ply)
                self._jobs.start(GROUP, find, match.game.explanations.limits.review)
                return True
            if fault.says != ply.reason:
                self._attach(ply, fault)
                self._changed()
        return False

    def _find_fault(self, game: AnyGame, position: Position[Any], ply: Ply, job: Job) -> None:
        if job.ready(game):
            job.tell(
                self._take_fault,
                position,
                ply,
                game.explanations.explain_mistake(position, ply.move, job.control),
            )

    def _take_fault(self, position: Position[Any], ply: Ply, fault: MistakeExplanation) -> None:
        self._explained[position, ply.move, ply.lost] = fault
        self._attach(ply, fault)
        self._jobs.drop(GROUP)
        self._changed()
        self.look_back()

    def _attach(self, ply: Ply, fault: MistakeExplanation) -> None:
        # At the end of a race, the reason must name the same loss as the mark.
        if not self.match.finished or fault.points == ply.lost:
            ply.reason, ply.rule, ply.squares = fault.says, fault.rule, fault.squares

    def _analyse(self, game: AnyGame, position: Position[Any], job: Job) -> None:
        if job.ready(game):
            moves = game.solver.moves(position, job.control)
            # A cancelled job tells nothing, so an interrupted review is repeated.
            job.tell(self._reviewed.add, position)
            job.tell(self._found, Analysis(position, moves=tuple(moves), complete=True))

    def _say_once(self, effort: str) -> None:
        if effort and effort not in self._efforts:
            self._efforts.add(effort)
            self._say(effort)

    def _found(self, analysis: Analysis[Any, Any]) -> None:
        position, verdict = analysis.position, analysis.verdict
        if verdict is not None and verdict is not self.match.verdict_of(position):
            if not verdict.known and verdict.reason:
                self._say_once(f"{capitalize(verdict.reason)}.")
            self.match.record_verdict(position, verdict)
        if analysis.moves is not None:
            self.match.learn(position, list(analysis.moves))
            if analysis.complete:
                self._valued.discard(position)
                self._ended()
                return
            self._valued.add(position)
        self._changed()

    def _ended(self) -> None:
        self._jobs.drop(GROUP)
        self._changed()
        self.look_back()

"""Ask a solver about a position; answers arrive as they are proved, fast ones first."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from arcade.engines.control import Control
from arcade.engines.game import Fault
from arcade.engines.position import Position
from arcade.engines.reasons import OUT_OF_TIME
from arcade.engines.registry import AnyGame
from arcade.engines.solver import Solver
from arcade.engines.verdict import MoveVerdict, Proof, ScoreVerdict, Verdict
from arcade.engines.wording import capital
from arcade.play.jobs import Job, Jobs
from arcade.play.marks import Ply
from arcade.play.match import Match

VALUES_SECONDS = 1.0
"""Seconds between reports of values while many moves are being solved."""

FIRST_SLICE, LONGEST_SLICE = 2.0, 60.0
"""Time slices of a long solve in seconds: results are reported after each, and each is twice as long."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Partial results about a position; a field that is None has not changed."""

    effort: str = ""
    verdict: Verdict | None = None
    moves: list[MoveVerdict[Any]] | None = None
    complete: bool = False


def inquire(solver: Solver[Any, Any], position: Position[Any], control: Control) -> Iterator[Judgement]:
    """Ends early if cancelled or timed out; a solver that resumes gets a series of shorter deadlines."""
    effort = solver.effort(position)
    if effort:
        yield Judgement(effort=effort)
    if solver.resumes:
        yield from _in_slices(solver, position, control)
        return
    value = solver.value(position, control)
    if value is not None:
        yield Judgement(verdict=value)
        yield from _values(solver, position, control)
    # Even if time is already up: an instant answer is better than none.
    if not control.cancelled:
        verdict = solver.verdict(position, control)
        unsolved = "" if verdict.known or not verdict.reason else f"{capital(verdict.reason)}."
        yield Judgement(verdict=verdict, effort=unsolved)
    if not control.stopped:
        yield Judgement(moves=solver.analyse(position, control), complete=True)


def _values(solver: Solver[Any, Any], position: Position[Any], control: Control) -> Iterator[Judgement]:
    complete = False
    while not complete and not control.stopped:
        with control.within(VALUES_SECONDS):
            values = solver.values(position, control)
            complete = not control.stopped
        if values is not None:
            yield Judgement(moves=values)


def _in_slices(solver: Solver[Any, Any], position: Position[Any], control: Control) -> Iterator[Judgement]:
    known = decided = False
    seconds = FIRST_SLICE
    # Even if time is already up: an instant answer is better than none.
    while not control.cancelled:
        if not known:
            with control.within(seconds):
                if not decided:
                    winner = solver.value(position, control)
                    decided = winner is None or not control.stopped
                    if winner is not None and winner.proof is Proof.BOUND:
                        yield Judgement(verdict=winner)
                verdict = solver.verdict(position, control)
                known = not control.stopped
            yield Judgement(verdict=verdict)
        with control.within(seconds):
            analysis = solver.analyse(position, control)
            complete = not control.stopped
        yield Judgement(moves=analysis, complete=complete)
        if complete or control.stopped:
            break
        seconds = min(2 * seconds, LONGEST_SLICE)


GROUP = "verdict"


class Judge:
    """`done` is called when nothing is left to look back at, perhaps more than once."""

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
        """What was said of the cost of solving, once each."""
        self._reviewed: set[Position[Any]] = set()
        self._explained: set[tuple[Position[Any], Any, int]] = set()
        """Positions with mistakes made there and what they cost, whose reasons have been looked for."""
        self._valued: set[Position[Any]] = set()
        """Positions for whose moves only values are known, perhaps not for all of them."""

    def busy_with(self, position: Position[Any]) -> bool:
        return GROUP in self._jobs.controls and self._at == position

    def so_far(self, position: Position[Any]) -> ScoreVerdict | None:
        """What the running search of a race has found and proved of a position; None where there is none."""
        if not self.busy_with(position):
            return None
        return self.match.so_far(position, self._jobs.controls[GROUP])

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
                for finding in inquire(game.solver, position, job.control):
                    job.tell(self._found, position, finding)
                # Where the time was too short for everything nothing more will come either.
                job.tell(self._found, position, Judgement(complete=True))

        self._jobs.start(GROUP, judge, game.limits.verdict)

    def look_back(self) -> None:
        match, game = self.match, self.match.game
        self._at = None
        for number in range(len(match.plies) - 1, -1, -1):
            position = match.before(number)
            judged = match.analysis(position) is not None and match.plies[number].mark is not None
            if not judged and position not in self._reviewed:
                self._jobs.start(GROUP, partial(self._analyse, game, position), game.limits.review)
                return
        if not self._explain():
            self._done()

    def _explain(self) -> bool:
        """Find out why a mistake is one, the latest first; False if there is none left."""
        match = self.match
        for number in range(len(match.plies) - 1, -1, -1):
            ply, position = match.plies[number], match.before(number)
            bad = ply.mark is not None and ply.mark.bad
            unknown = ply.reason in ("", OUT_OF_TIME)
            if bad and unknown and (position, ply.move, ply.lost) not in self._explained:
                find = partial(self._find_fault, match.game, position, ply)
                self._jobs.start(GROUP, find, match.game.limits.review)
                return True
        return False

    def _find_fault(self, game: AnyGame, position: Position[Any], ply: Ply, job: Job) -> None:
        if job.ready(game):
            job.tell(self._take_fault, position, ply, game.fault(position, ply.move, job.control))

    def _take_fault(self, position: Position[Any], ply: Ply, fault: Fault) -> None:
        self._explained.add((position, ply.move, ply.lost))
        # At the end of a race a reason and its move's mark name the same loss.
        if not self.match.finished or fault.points == ply.lost:
            ply.reason, ply.rule = fault.says, fault.rule
        self._jobs.drop(GROUP)
        self._changed()
        self.look_back()

    def _analyse(self, game: AnyGame, position: Position[Any], job: Job) -> None:
        if job.ready(game):
            moves = game.solver.analyse(position, job.control)
            # Only now: a review that was stopped before is taken up again.
            job.tell(self._reviewed.add, position)
            job.tell(self._found, position, Judgement(moves=moves, complete=True))

    def _found(self, position: Position[Any], finding: Judgement) -> None:
        if finding.effort and finding.effort not in self._efforts:
            self._efforts.add(finding.effort)
            self._say(finding.effort)
        if finding.verdict is not None:
            self.match.learn_verdict(position, finding.verdict)
        if finding.moves is not None:
            self.match.learn(position, finding.moves)
            if finding.complete:
                self._valued.discard(position)
            else:
                self._valued.add(position)
        if finding.complete:
            self._jobs.drop(GROUP)
        if finding.complete or finding.moves is not None or finding.verdict is not None:
            self._changed()
        if finding.complete:
            self.look_back()

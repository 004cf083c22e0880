"""A match on a screen: whose moves engines choose, and whose positions solvers judge, in threads."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.timer import Timer

from arcade.engines.control import Control
from arcade.engines.game import InputError, Position, make_hint
from arcade.engines.verdict import Hint, Verdict
from arcade.inquiry import Finding, inquire
from arcade.match import HUMAN, Match
from arcade.screens.work import WorkScreen

if TYPE_CHECKING:
    from arcade.app import SavedAs
    from arcade.machines import Lesson

SPEEDS = (4.0, 2.0, 1.0, 0.5, 0.2, 0.05)
"""Seconds a ply in watch mode, the slowest first."""

ENGINE_PAUSE = 0.4
"""Seconds that an engine takes at least to answer a person, so that one sees what happened."""


class SolvingScreen(WorkScreen):
    """A match that goes on by itself where engines sit, and whose positions and moves are judged.

    What is to be seen of it is up to the subclass.
    """

    MOVE_SECONDS: ClassVar[float | None] = None
    """Longest time that an engine may think about a move; None where it always knows soon enough."""
    VERDICT_SECONDS: ClassVar[float | None] = None
    """Longest time that the verdict of a position and its moves may take; None for as long as it takes."""
    REVIEW_SECONDS: ClassVar[float | None] = 5.0
    """Longest time that looking back at one move may take; None for as long as the solver likes."""
    HINT_SECONDS: ClassVar[float | None] = 10.0
    """Longest time that a hint may take; None for as long as the solver likes."""

    def __init__(self, match: Match, saved: SavedAs | None = None) -> None:
        super().__init__()
        self.match = match
        self.saved = saved
        self.paused = match.watched
        self.speed = 2
        """An index of `SPEEDS`."""
        self.hint: Hint[Any] | None = None
        self.hint_step = 0
        """How many of the hint's three steps are on show."""
        self.walked = 0
        """How many moves of the hint's line are on the board."""
        self.verdicts: dict[Position[Any], Verdict] = {}
        self._answer: Timer | None = None
        self._reviewed: set[Position[Any]] = set()
        # Positions whose moves have no more than their values yet, and perhaps not all of them.
        self._valued: set[Position[Any]] = set()

    def show(self) -> None:
        """Bring everything on the screen up to date."""

    def show_verdict(self) -> None:
        """Bring the verdict up to date."""

    @property
    def position(self) -> Position[Any]:
        """The position on the board: the match's, or one on the way along a hint's line."""
        position = self.match.position
        if self.hint is not None:
            for move in self.hint.line[: self.walked]:
                position = position.play(move)
        return position

    @property
    def judged(self) -> Position[Any]:
        """The position whose verdict is on show."""
        return self.match.position

    @property
    def persons_turn(self) -> bool:
        """Whether a person is to move and nothing hides the position."""
        return self.match.to_move == HUMAN and not self.walked

    # The match goes on.

    def position_changed(self, save: bool = True) -> None:
        """The match stands at another position: save, show, and set the engines to work."""
        self.stop_work(but=self.wanted_work)
        self.hint, self.hint_step, self.walked = None, 0, 0
        if save:
            self.save()
        self.show()
        self.set_to_work()

    def save(self) -> None:
        """Save the match, if anything has been played."""
        if self.match.plies + self.match.undone:
            self.saved, lessons = self.arcade.save_match(self.match, self.saved)
            if lessons:
                self.learned(lessons)

    def set_to_work(self) -> None:
        """Let the engine whose turn it is and the solver think; of a match that is over, look back."""
        if self.match.result:
            self.start_review()
        else:
            self.start_engine()
            self.start_verdict()

    def begin(self, match: Match) -> None:
        """Play another match of the same game on this screen."""
        self.match, self.saved = match, None
        self.verdicts.clear()
        self._reviewed.clear()
        self._valued.clear()
        self.paused = match.watched
        self.position_changed()

    def learned(self, lessons: Sequence[Lesson]) -> None:
        """Machines in the seats have learned from the match, which is over."""
        for lesson in lessons:
            self.notify(lesson.sentence())

    def play(self, move: Any) -> None:
        """Play a move that a person or an engine has chosen."""
        try:
            self.match.play(move)
        except ValueError as error:
            self.notify(str(error), severity="warning")
            return
        self.position_changed()

    # Work in threads.

    @property
    def busy(self) -> bool:
        """Whether anything is still being worked on."""
        return bool(self.controls) or self._answer is not None

    @property
    def wanted_work(self) -> str:
        """The group of workers that may go on although the match has gone on; empty for none."""
        return ""

    def stop_work(self, but: str = "") -> None:
        """Tell all work to stop, but that of one group, and let no engine play what it has chosen."""
        if self._answer is not None:
            self._answer.stop()
            self._answer = None
        super().stop_work(but)

    def _working(self) -> str:
        if not self.controls:
            return ""
        solver = self.match.game.solver
        if solver.compiled and not self.arcade.warmer.ready(self.match.game.name):
            return self.arcade.warmer.status
        control = max(self.controls.values(), key=lambda each: each.nodes)
        seconds = max(each.seconds for each in self.controls.values())
        if seconds < 1:
            return ""
        return f"thinking {seconds:.0f} s, {solver.progress(control)}"

    def start_verdict(self) -> None:
        """Find out what the position and its moves are worth."""
        position = self.judged
        judged = position in self.verdicts and position not in self._valued
        if not judged or self.match.analysis(position) is None:
            self.find_verdict(position, self.control("verdict", self.VERDICT_SECONDS))
        else:
            self.start_review()

    def start_review(self) -> None:
        """Find out what the moves were worth that were played before anybody could tell."""
        match = self.match
        for number in range(len(match.plies) - 1, -1, -1):
            position = match.before(number)
            judged = match.analysis(position) is not None and match.plies[number].mark is not None
            if not judged and position not in self._reviewed:
                self._reviewed.add(position)
                self.review(position, self.control("verdict", self.REVIEW_SECONDS))
                return

    @work(thread=True, exclusive=True, group="verdict", exit_on_error=False)
    def review(self, position: Position[Any], control: Control) -> None:
        """In a thread: the verdicts of the moves of an earlier position."""
        if self.kernels_ready(control):
            moves = self.match.game.solver.analyse(position, control)
            self.tell(self.verdict_found, control, position, Finding(moves=moves, complete=True))

    def kernels_ready(self, control: Control) -> bool:
        """In a thread: wait until the solver's kernels are compiled; False when cancelled first."""
        game = self.match.game
        return not game.solver.compiled or self.arcade.warmer.wait(game.name, control)

    @work(thread=True, exclusive=True, group="verdict", exit_on_error=False)
    def find_verdict(self, position: Position[Any], control: Control) -> None:
        """In a thread: the verdict of a position, then of its moves; quick values come first."""
        if self.kernels_ready(control):
            for finding in inquire(self.match.game.solver, position, control):
                self.tell(self.verdict_found, control, position, finding)
            # Where the time was too short for everything nothing more will come either.
            self.tell(self.verdict_found, control, position, Finding(complete=True))

    def show_progress(self) -> None:
        """The verdict's panel says how far the work is."""
        self.show_verdict()

    def work_failed(self, error: BaseException) -> None:
        """Say what has failed; the match goes on without it."""
        if isinstance(error, InputError):
            # A guest who has gone: somebody else can take the seat.
            self.paused = True
            self.notify(str(error), severity="error", timeout=10)
        else:
            self.notify(f"The solver failed: {error!r}.", severity="error", timeout=10)
        self.show()

    def verdict_found(self, position: Position[Any], finding: Finding) -> None:
        """The verdict worker has got on."""
        if finding.effort:
            self.notify(finding.effort)
        if finding.verdict is not None:
            self.verdicts[position] = finding.verdict
            self.match.prove(position, finding.verdict)
            self.show_verdict()
        if finding.moves is not None:
            self.match.learn(position, finding.moves)
            if finding.complete:
                self._valued.discard(position)
            else:
                self._valued.add(position)
        if finding.complete:
            self.drop("verdict")
        if finding.complete or finding.moves is not None:
            self.show()
        if finding.complete:
            self.start_review()

    def move_seconds(self) -> float | None:
        """Longest time that the engine whose turn it is may think; None where it knows itself."""
        return self.MOVE_SECONDS

    def start_engine(self) -> None:
        """Let the engine whose turn it is think."""
        if self.match.to_move in (None, HUMAN) or self.paused:
            return
        pause = ENGINE_PAUSE if self.arcade.animation else 0.0
        least = SPEEDS[self.speed] if self.match.watched else pause
        self.think(self.match.position, self.control("move", self.move_seconds()), least)

    @work(thread=True, exclusive=True, group="move", exit_on_error=False)
    def think(self, position: Position[Any], control: Control, least: float) -> None:
        """In a thread: the engine's move."""
        started = time.monotonic()
        if not self.kernels_ready(control):
            return
        move = self.match.player().choose(position, self.match.rng(), control)
        self.tell(self.engine_chose, control, move, max(0.0, least - time.monotonic() + started))

    def engine_chose(self, move: Any, wait: float) -> None:
        """The engine has a move; it is played when the person has had time to look."""
        self.drop("move")
        if wait:
            self._answer = self.set_timer(wait, lambda: self.engine_plays(move))
        else:
            self.engine_plays(move)

    def engine_plays(self, move: Any) -> None:
        """Play the engine's move, or its resignation."""
        self._answer = None
        if move is None:
            self.match.resign(self.match.turn)
            self.position_changed()
        else:
            self.play(move)

    @work(thread=True, exclusive=True, group="hint", exit_on_error=False)
    def find_hint(self, position: Position[Any], control: Control) -> None:
        """In a thread: the hint ladder."""
        if self.kernels_ready(control):
            self.tell(self.hint_found, control, make_hint(self.match.game, position, control))

    def hint_found(self, hint: Hint[Any] | None) -> None:
        """The hint worker has an answer."""
        self.drop("hint")
        self.hint = hint
        if hint is None:
            self.hint_step = 0
            self.notify("No hint could be proved in the time for one.")
        self.show()

"""A match that plays itself: engines move, positions are judged, hints are found, everything is saved."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from arcade.engines.files import InputError
from arcade.engines.game import Kind
from arcade.engines.position import Position
from arcade.engines.verdict import Hint, MoveVerdict, ScoreVerdict, Verdict, keeps_value
from arcade.match.marks import Ply
from arcade.match.match import HUMAN, Mark, Match
from arcade.match.record import Coach
from arcade.matchbox.machine import AnyMachine
from arcade.matchbox.machines import Reward
from arcade.session.jobs import Changed, Event, Job, Jobs, Learned, Moved, Notice, Refused, Runner, Severity
from arcade.session.judge import GROUP as JUDGING
from arcade.session.judge import Judge
from arcade.session.warmer import Warmer
from arcade.store.settings import Settings
from arcade.store.store import SavedAs

SPEEDS = (4.0, 2.0, 1.0, 0.5, 0.2, 0.05)
"""Seconds a move in watch mode, the slowest first."""

ENGINE_PAUSE = 0.4
"""Seconds that an engine takes at least to answer a person, so that one sees what happened."""

OVER = "The match is over."
NOT_YOUR_TURN = "It is not your turn."


class Surroundings(Protocol):
    """What a session needs around its match."""

    settings: Settings
    warmer: Warmer

    def save_match(self, match: Match, saved: SavedAs | None) -> tuple[SavedAs | None, Sequence[Reward]]:
        """Commit a match before its last move is shown, and with it what machines learn when it is over.

        Returns:
            The row of the match in the store, None when nothing was kept; and what machines have learned.
        """

    def reviewed(self, match: Match, saved: SavedAs | None) -> None:
        """All moves of a match up to the position on show have been judged, as far as that is possible."""

    def machine_of(self, match: Match, seat: int) -> AnyMachine | None:
        """The machine in a seat, as it is now; None when somebody else sits there.

        Raises:
            InputError: it is not there any more, or is damaged.
        """


class Session:
    """A match with all that happens in it; a screen, a shell command or a dialogue is its front end.

    Everything is to be called from one thread, in which the runner also delivers answers.

    Args:
        match: the match to play.
        services: what is around the match: store, machines, settings, kernels.
        runner: where work runs.
        tell: called with each event.
        saved: which row of the store the match is, if it is there already.
        judging: whether positions are judged and moves marked without being asked for.
    """

    def __init__(
        self,
        match: Match,
        services: Surroundings,
        runner: Runner,
        tell: Callable[[Event], None],
        saved: SavedAs | None = None,
        judging: bool = True,
    ) -> None:
        self.match = match
        self.services = services
        self.saved = saved
        self.judging = judging
        self.jobs = Jobs(runner, self._failed, services.warmer)
        self.paused = match.watched
        """Whether engines wait."""
        self.speed = 2
        """An index of `SPEEDS`."""
        self.hint: Hint[Any] | None = None
        self.hint_step = 0
        """How many of the hint's three steps have been asked for."""
        self.walked = 0
        """How many moves of the hint's line are on the board."""
        self.side: list[Any] = []
        """Moves tried out after the position of the finished match that is looked at."""
        self.quest: int | None = None
        """The number of the mistake, counted from 0, that a better move is asked for; None for none."""
        self.looking: int | None = None
        """In a race, the seat whose board a person has asked to see; None for what serves best."""
        self.move_seconds: float | None = None
        """The longest time for an engine's move; None for what the game and the player say."""
        self.failure: BaseException | None = None
        """What the last job that failed has raised."""
        self.values_shown = False
        """Whether a person has asked to see what every move is worth."""
        self._coach = services.settings.coach
        self._taken_back = False
        """Whether the moves that can be redone have been counted as taken back."""
        self._runner = runner
        self._tell = tell
        self._call_off: Callable[[], None] | None = None
        """Calls off the engine's move that waits to be played."""
        self._chosen: tuple[Any, float] | None = None
        """The engine's move, and from when on it may be played, while the coach looks at the person's."""
        self.judge = Judge(match, self.jobs, tell, self._looked_back)

    # What is on show.

    @property
    def position(self) -> Position[Any]:
        """The position on the board: `branch`, or one on the way along a hint's line."""
        position = self.branch
        if self.hint is not None:
            for move in self.hint.line[: self.walked]:
                position = position.play(move)
        return position

    @property
    def branch(self) -> Position[Any]:
        """The match's position, or the one after the moves that are tried out."""
        position = self.match.position
        for move in self.side:
            position = position.play(move)
        return position

    @property
    def mover(self) -> int:
        """The seat to move in the position whose verdict is on show; in a race the owner of its board."""
        match = self.match
        if match.game.kind is Kind.DUEL:
            return self.branch.turn
        return match.turn if match.watched or self.side else self.main_seat

    @property
    def revealed(self) -> bool:
        """Whether verdicts, marks and the graph may be seen: after the end, or where the coach is open."""
        if self.quest is not None:
            return False
        match = self.match
        return match.finished or match.watched or self.services.settings.coach is Coach.OPEN

    @property
    def main_seat(self) -> int:
        """In a race, the seat whose board is the main one: the person's, else that of the last move."""
        match = self.match
        if match.game.kind is Kind.DUEL:
            return match.turn
        if self.looking is not None and self.looking < len(match.seats):
            return self.looking
        if match.to_move == HUMAN:
            return match.turn
        if HUMAN in match.seats:
            return match.seats.index(HUMAN)
        return match.plies[-1].seat if match.plies else match.turn

    @property
    def judged(self) -> Position[Any]:
        """The position whose verdict is on show: the match's; in a race with a person the main board's."""
        match = self.match
        if match.game.kind is Kind.DUEL or match.watched or self.side:
            return self.branch
        return match.position_of(self.main_seat)

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on show, if it is known."""
        verdict = self.judge.verdicts.get(self.judged)
        return verdict and self.match.game.solver.sharpened(self.judged, verdict)

    @property
    def so_far(self) -> ScoreVerdict | None:
        """What the running search of a race has found and proved by now; None where there is none."""
        verdict = self.judge.so_far(self.judged)
        return verdict and self.match.game.solver.sharpened(self.judged, verdict)

    @property
    def persons_turn(self) -> bool:
        """Whether a person may move: in their turn, and after the end on either side, to try moves out."""
        if self.walked:
            return False
        if self.match.finished:
            return self.branch.outcome() is None
        return self.match.to_move == HUMAN

    @property
    def busy(self) -> bool:
        """Whether anything is still being worked on."""
        return bool(self.jobs.controls) or self._call_off is not None

    def working(self) -> str:
        """How far work is that takes longer than a second, in a few words; empty when there is none."""
        controls, match = self.jobs.controls, self.match
        if not controls:
            return ""
        solver = match.game.solver
        if any(each.waiting for each in controls.values()):
            return self.services.warmer.status
        seconds = max(each.seconds for each in controls.values())
        if seconds < 1:
            return ""
        if match.game.kind is Kind.RACE:
            control = controls.get(JUDGING) or next(iter(controls.values()))
            return f"thinking {control.seconds:.0f} s, {control.nodes:,} tried"
        control = max(controls.values(), key=lambda each: each.nodes)
        return f"thinking {seconds:.0f} s, {solver.progress(control)}"

    # The match goes on.

    def open(self) -> None:
        """Save the match and show it; `set_to_work` lets solvers begin when it has been painted."""
        self.save()
        self._tell(Moved())

    def begin(self, match: Match) -> None:
        """Play another match."""
        self.match, self.saved = match, None
        self.stop()
        self.judge = Judge(match, self.jobs, self._tell, self._looked_back)
        self.paused = match.watched
        self.looking = None
        self.moved()

    def moved(self, save: bool = True) -> None:
        """The match stands at another position: save it, show it, and set engines and solvers to work."""
        self.side = []
        self.quest = None
        # A search of a board that nobody has moved on goes on.
        self.stop(but=JUDGING if self.judge.busy_with(self.judged) else "")
        if save:
            self.save()
        self._show_position()

    def _show_position(self) -> None:
        """Show the position on the board, and set engines and solvers to work."""
        self.hint, self.hint_step, self.walked = None, 0, 0
        self._tell(Moved())
        self.set_to_work()

    def save(self) -> None:
        """Save the match with the help that a person has, if anything has been played here."""
        match = self.match
        if match.to_move == HUMAN:
            match.coached(self.services.settings.coach)
            if self.values_shown and not match.values:
                match.count_values()
        if self.match.line and not self.match.foreign:
            self.saved, rewards = self.services.save_match(self.match, self.saved)
            if rewards:
                for each in rewards:
                    self._say(each.sentence())
                self._tell(Learned(rewards))

    def set_to_work(self) -> None:
        """Let the engine whose turn it is and the solver think; of a match that is over, look back."""
        if not self.match.finished:
            self._start_coach()
            self._start_engine()
        if self.judging:
            self.start_verdict()

    def stop(self, but: str = "") -> None:
        """Tell all work to stop, except that of one group, and let no engine play what it has chosen."""
        if self._call_off is not None:
            self._call_off()
            self._call_off = None
        self._chosen = None
        self.jobs.stop(but)

    def play(self, move: Any) -> None:
        """Play a move that a person or an engine has chosen; in a finished match it is only tried out.

        A move that is not legal is refused in words.
        """
        match = self.match
        try:
            if match.finished:
                self._try(move)
                return
            if match.to_move == HUMAN and self._own(match.undone) and not self._taken_back:
                match.count_takeback()
            match.play(move)
            if match.game.kind is Kind.RACE and self.hint_step > 1 and self.hint and move == self.hint.move:
                match.plies[-1].mark = Mark.HINTED
        except ValueError as error:
            self._say(str(error), "warning")
            return
        if not match.watched:
            self.looking = None
        self.moved()

    def _try(self, move: Any) -> None:
        """Try a move out after the end; the match stays as it is.

        Raises:
            ValueError: the move is not legal, or the game is over.
        """
        position = self.branch
        position.play(move)
        if self.quest is not None and not self._better(position, move):
            return
        self.stop()
        self.side.append(move)
        self._show_position()

    def _better(self, position: Position[Any], move: Any) -> bool:
        """Whether a move answers the question for a better one; says so."""
        analysis = self.match.analysis(position)
        if analysis is None:
            self._say("The solver is still looking at this position. Try again in a moment.")
            return False
        if self.match.game.kind is Kind.DUEL:
            better = keeps_value(analysis)
        else:
            better = [each.move for each in analysis if each.best]
        if move not in better:
            self._say(f"{move} is no better. Try another move.")
            return False
        self.quest = None
        self._say(f"Yes, {move} is better.")
        return True

    def play_on(self) -> None:
        """Begin a new match that goes on from the position on the board of a finished one."""
        if self.branch.outcome() is not None:
            self._say("The game is over here. Go back to an earlier position first.")
            return
        match = self.match.continued()
        if match.plies and not match.watched:
            # Its person has seen what the moves were worth.
            match.count_takeback()
        for move in self.side:
            match.play(move)
        self.paused = match.watched
        self._go_on_with(match)

    def _go_on_with(self, match: Match) -> None:
        if match is not self.match:
            self.match = self.judge.match = match
            self.saved = None
            self._say("You go on in a new match. The finished one is kept.")
        self.moved()

    def _failed(self, error: BaseException) -> None:
        """A job has failed; the match goes on without it."""
        self.failure = error
        if isinstance(error, InputError):
            # A guest has gone: somebody else can take the seat.
            self.paused = True
            self._say(str(error), "error", 10)
        else:
            self._say(f"The solver failed: {error!r}.", "error", 10)
        self._tell(Changed())
        self._answer()

    def _say(self, text: str, severity: Severity = "information", seconds: float | None = None) -> None:
        self._tell(Notice(text, severity, seconds))

    # Engines.

    def _start_engine(self) -> None:
        """Let the engine whose turn it is think."""
        if self.match.to_move in (None, HUMAN) or self.paused:
            return
        pause = ENGINE_PAUSE if self.services.settings.animated else 0.0
        self._think(SPEEDS[self.speed] if self.match.watched else pause)

    def _think(self, least: float) -> None:
        """Let the engine choose a move, and play it after `least` seconds or when it has one."""
        match = self.match.copied()

        def think(job: Job) -> None:
            started = time.monotonic()
            if job.ready(match.game):
                move = match.player().choose(match.position, match.rng(), job.control)
                job.tell(self._engine_chose, move, max(0.0, least - time.monotonic() + started))

        self.jobs.start("move", think, self.move_seconds or match.move_seconds())

    def _engine_chose(self, move: Any, wait: float) -> None:
        self.jobs.drop("move")
        self._chosen = (move, time.monotonic() + wait)
        self._answer()

    def _answer(self) -> None:
        """Play what the engine has chosen, when it is time and the coach has looked."""
        if self._chosen is None or "coach" in self.jobs.controls:
            return
        (move, due), self._chosen = self._chosen, None
        wait = due - time.monotonic()
        if wait > 0:
            self._call_off = self._runner.later(wait, lambda: self._engine_plays(move))
        else:
            self._engine_plays(move)

    def _engine_plays(self, move: Any) -> None:
        """Play the engine's move, or its resignation; a machine whose first box is empty asks first."""
        self._call_off = None
        match = self.match
        if move is not None:
            self.play(move)
            return
        machine = self.services.machine_of(match, match.turn)
        if machine is not None and machine.refuses:
            self.paused = True
            self._tell(Refused(machine))
            return
        match.resign(match.turn)
        self.moved()

    # Verdicts.

    def start_verdict(self) -> None:
        """Find out what is not known of the position on show; of a match that is over, look back."""
        if self.match.result and not self.side:
            self.judge.look_back()
        else:
            self.judge.judge(self.judged)

    def _looked_back(self) -> None:
        """Every move up to here has been judged."""
        self.services.reviewed(self.match, self.saved)

    # Hints.

    def ask_hint(self) -> None:
        """Take the next of a hint's three steps; the first one has it found."""
        if self.walked:
            return
        if self.branch.outcome() is not None:
            self._say("The match is over. Go back with , to get a hint for an earlier position.")
            return
        if not self.match.finished and self.match.to_move != HUMAN and not self.paused:
            if not self.match.watched:
                self._say(NOT_YOUR_TURN)
                return
            self.pause()
        if "hint" in self.jobs.controls:
            self.hint_step = min(self.hint_step + 1, 3)
        elif self.hint is None:
            self.hint_step = 1
            game, position = self.match.game, self.branch
            self.match.count_hint()
            self.save()

            def find(job: Job) -> None:
                if job.ready(game):
                    job.tell(self._hint_found, game.hint(position, job.control))

            self.jobs.start("hint", find, game.limits.hint)
            self._tell(Changed())
        else:
            self.hint_step = min(self.hint_step + 1, 3)
            self._tell(Changed())

    def _hint_found(self, hint: Hint[Any] | None) -> None:
        self.jobs.drop("hint")
        self.hint = hint
        if hint is None:
            self.hint_step = 0
            self._say("Ran out of time before finding a hint.")
        self._tell(Changed())

    def put_away(self) -> bool:
        """Go back one step: from a hint's line, a hint, or moves tried out; a question gets its answer.

        Returns:
            False when there is nothing to put away.
        """
        if self.walked:
            self.walked = 0
        elif self.hint is not None:
            self.hint, self.hint_step = None, 0
        elif self.quest is not None:
            self.moved(save=False)
            self.ask_hint()
            self.hint_step = 3
        elif self.side:
            self.moved(save=False)
            return True
        else:
            return False
        self._tell(Changed())
        return True

    # To and fro.

    def go_to(self, plies: int) -> None:
        """Look at the position after so many moves; engines wait there."""
        match = self.match
        self._taken_back = False
        while len(match.plies) > plies and match.undo():
            pass
        while len(match.plies) < plies and match.redo():
            pass
        self.paused = match.to_move != HUMAN
        self.moved()
        if match.plies and match.plies[-1].comment:
            self._say(f"Move {len(match.plies)}: {match.plies[-1].comment}")

    def restart(self) -> None:
        """Back to the first position; redo leads forward again."""
        self.go_to(0)

    def undo(self) -> None:
        """Take back to a person's last move; of a finished match a new one goes on from there."""
        match = self.match
        if self.side:
            self._step_back()
            return
        persons = bool(self._own(match.plies))
        if not match.watched and not persons and match.resigned is None:
            self._say("There is no move of yours to take back.")
            return
        shorter = match.taken_back()
        if shorter is None:
            self._say("There is nothing to take back.")
            return
        while persons and shorter.to_move != HUMAN and shorter.undo():
            pass
        if shorter.watched:
            self.paused = True
        else:
            shorter.count_takeback()
            self._taken_back = True
        self._go_on_with(shorter)

    def _step_back(self) -> None:
        """Take back the last move that was tried out."""
        self.stop()
        self.side.pop()
        self._show_position()

    def redo(self) -> None:
        """Play again what was taken back, up to a person's next turn."""
        match = self.match
        if not match.redo():
            self._say("There is nothing to play again.")
            return
        while not match.watched and match.to_move not in (HUMAN, None) and match.redo():
            pass
        self.moved()

    def step(self, by: int) -> None:
        """One move forward or back: along a hint's line, along what was played, or by an engine."""
        match = self.match
        if self.hint is not None and self.hint_step >= 3:
            self.walked = min(max(self.walked + by, 0), len(self.hint.line))
            self._tell(Changed())
        elif by < 0 and self.side:
            self._step_back()
        elif by < 0:
            self.go_to(max(len(match.plies) - 1, 0))
        elif match.undone:
            self.go_to(len(match.plies) + 1)
        elif not match.finished and match.to_move not in (HUMAN, None):
            self.paused = True
            self.stop()
            self._think(0.0)

    def mistakes(self) -> list[int]:
        """The numbers, from 0, of the moves known as mistakes, in a race also of those that lost points."""
        return [number for number, ply in enumerate(self.match.line) if ply.mark and ply.mark.bad]

    def own_mistakes(self) -> list[int]:
        """Those `mistakes` that persons made; in a watched match all."""
        line = self.match.line
        return [each for each in self.mistakes() if self.match.watched or self._own([line[each]])]

    def _own(self, plies: Sequence[Ply]) -> list[Ply]:
        """Those moves that persons made."""
        return [ply for ply in plies if self.match.seats[ply.seat] == HUMAN]

    def to_mistake(self, by: int = -1) -> None:
        """To the position before the last mistake up to here, or before the next one."""
        here = len(self.match.plies)
        if not self.revealed and self.quest is None:
            self._say("Mistakes are shown after the match. C changes the coach.")
            return
        before = [number for number in self.mistakes() if (number < here if by < 0 else number > here)]
        if before:
            self.go_to(before[-1] if by < 0 else before[0])
        else:
            self._say(f"No mistake is known {'before' if by < 0 else 'after'} this move.")

    def find_better(self) -> None:
        """After the end, ask for a better move at the next mistake; of an engine only in a watched match."""
        match = self.match
        if not match.finished:
            self._say("After the match, F asks you for a better move at each mistake.")
            return
        own = self.own_mistakes()
        if not own:
            self._say("No mistake of yours is known.")
            return
        here = len(match.plies) + (self.quest is not None or bool(self.side))
        number = next((each for each in own if each >= here), own[0])
        self.go_to(number)
        self.quest = number
        self._tell(Changed())

    def look_at(self, seat: int | None) -> None:
        """In a race, make a seat's board the main one; None for what serves best."""
        self.looking = seat
        self._tell(Moved())
        if self.judging:
            self.start_verdict()

    # What is said about who plays.

    @property
    def replaying(self) -> bool:
        """Whether a finished match is being shown move by move."""
        return self.match.finished and self._call_off is not None

    def replay(self) -> None:
        """Show a finished match move by move from the first one, at the speed of watching."""
        if not self.match.finished:
            self._say("After the match, P shows it from the first move.")
            return
        self.go_to(0)
        self._show_next()

    def _show_next(self) -> None:
        """Show the next move of a finished match after a while, and so on to the end."""

        def show() -> None:
            self._call_off = None
            self.go_to(len(self.match.plies) + 1)
            if self.match.undone:
                self._show_next()

        self._call_off = self._runner.later(SPEEDS[self.speed], show)
        self._tell(Changed())

    def pause(self) -> None:
        """Let the engines play, or hold them; a finished match stands still, or is played on."""
        if self.replaying:
            self.stop(but="verdict")
            self._tell(Changed())
        elif self.match.finished:
            self.play_on()
        elif self.match.to_move == HUMAN:
            self._say("It is your move.")
        else:
            self.paused = not self.paused
            self.moved(save=False)

    def change_speed(self, by: int) -> None:
        """Watch faster or slower."""
        self.speed = min(max(self.speed + by, 0), len(SPEEDS) - 1)
        self._tell(Changed())

    def sit(self, seats: list[str]) -> None:
        """Change who plays, before the end.

        Raises:
            InputError: nobody of a name can sit there.
        """
        if self.match.finished:
            # Engines may have ended the match while somebody chose.
            self._say(OVER)
            return
        for seat, who in enumerate(seats):
            self.match.sit(seat, who)
        self.paused = self.match.watched
        self.moved()

    def resign(self) -> None:
        """Give the match up for the person whose turn it is."""
        if self.match.finished:
            self._say(OVER)
        elif self.match.to_move != HUMAN:
            self._say("Only the person whose turn it is can resign.")
        else:
            self.match.resign(self.match.turn)
            self.moved()

    # The coach.

    def _start_coach(self) -> None:
        """Let the coach look at the person's move, unless its worth is known, before it is answered."""
        match, coach = self.match, self.services.settings.coach
        last = match.plies[-1:]
        answered = match.to_move == HUMAN or self.paused or match.game.kind is Kind.RACE
        if not self.judging or coach is not Coach.MISTAKES or answered or not self._own(last) or last[0].mark:
            return
        game, position = match.game, match.before(len(match.plies) - 1)

        def look(job: Job) -> None:
            if job.ready(game):
                moves = game.solver.analyse(position, job.control)
                job.tell(self._looked, position, None if job.control.stopped else moves)

        self.jobs.start("coach", look, ENGINE_PAUSE)

    def _looked(self, position: Position[Any], moves: list[MoveVerdict[Any]] | None) -> None:
        self.jobs.drop("coach")
        if moves is not None:
            self.match.learn(position, moves)
            self._tell(Changed())
        self._answer()

    def heed_coach(self) -> None:
        """Another coach may have been chosen: what he shows counts, and who is quiet shows no values."""
        if self._coach is not (coach := self.services.settings.coach):
            self._coach = coach
            self.values_shown &= coach is not Coach.QUIET
            self.save()

    def show_values(self) -> None:
        """Show or hide what every move is worth."""
        self.values_shown = not self.values_shown
        if self.values_shown:
            self.ask_values()

    def ask_values(self) -> None:
        """Count that a person asked what every move is worth."""
        self.match.count_values()
        self.save()

    @property
    def fault(self) -> int | None:
        """The number, from 0, of the person's last move if it is a mistake that the coach speaks of now.

        He says nothing more as soon as it is answered, until it is known that the answer gives nothing back.
        """
        if self.revealed or self.services.settings.coach is not Coach.MISTAKES:
            return None
        plies = self.match.plies
        own = [number for number, ply in enumerate(plies) if self.match.seats[ply.seat] == HUMAN]
        if not own or plies[own[-1]].mark is not Mark.THREW:
            return None
        answers = plies[own[-1] + 1 :] if self.match.game.kind is Kind.DUEL else ()
        return own[-1] if all(ply.mark and not ply.mark.bad for ply in answers) else None

    def turning_point(self) -> int | None:
        """The number, from 0, of the last mistake in a finished match; None where none is known.

        A match given up is not lost by a mistake of the other side.
        """
        match = self.match
        thrown = [number for number in self.mistakes() if match.line[number].mark is Mark.THREW]
        if not thrown or not match.finished or match.resigned not in (None, match.line[thrown[-1]].seat):
            return None
        return thrown[-1]

"""A match that plays itself: engines move, positions are judged, hints are found, everything is saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from arcade.engines.files import InputError
from arcade.engines.game import Kind
from arcade.engines.position import Position
from arcade.engines.verdict import ScoreVerdict, Verdict
from arcade.play.actions import ACTIONS, Action, end_card
from arcade.play.analysis import GROUP as JUDGING
from arcade.play.analysis import Judge
from arcade.play.engine import SPEEDS, Engine
from arcade.play.hints import Hints
from arcade.play.host import Host
from arcade.play.jobs import Changed, Event, Jobs, Learned, MatchEnded, Moved, Notice, Runner, Severity
from arcade.play.marks import Ply
from arcade.play.match import HUMAN, Mark, Match, new_match
from arcade.play.mistakes import hopeless, own
from arcade.play.modes import OVER, LookingBack, MatchMode, Playing, Watching
from arcade.play.scene import Scene, State, scene_of
from arcade.store.record import Coach
from arcade.store.store import SavedAs

if TYPE_CHECKING:
    from arcade.play.machines import Reward


class Session:
    """Called from one thread, where the runner delivers answers; `judging`: judge without being asked."""

    match: Match
    mode: MatchMode
    hints: Hints

    def __init__(
        self,
        match: Match,
        services: Host,
        runner: Runner,
        tell: Callable[[Event], None],
        saved: SavedAs | None = None,
        judging: bool = True,
    ) -> None:
        self.match = match
        self.services = services
        self.saved = saved
        self.judging = judging
        self.tell = tell
        self.jobs = Jobs(runner, self._failed, services.warmer)
        self.engine = Engine(self, runner)
        self.hints = Hints(self)
        self.judge = self._judge()
        self.mode = self._mode(paused=match.watched)
        self.speed = 2
        self.looking: int | None = None
        """A seat whose board a person has asked to see."""
        self.failure: BaseException | None = None
        self.values_shown = False
        self.reviewed: set[int] = set()
        """The mistakes, by the numbers of their moves, at which a better move has been asked for."""
        self.taken_back = bool(match.undone and match.takebacks)
        """Whether the moves that can be redone have been counted as taken back."""
        self._coach = services.settings.coach

    def _judge(self) -> Judge:
        return Judge(self.match, self.jobs, self.tell, lambda: self.services.reviewed(self.match, self.saved))

    def _mode(self, paused: bool) -> MatchMode:
        if self.match.finished:
            return LookingBack(self)
        return (Watching if self.match.watched else Playing)(self, paused)

    # What can be done now.

    def actions(self) -> list[Action]:
        return [action for action in ACTIONS.values() if action.refusal(self) is None]

    def do(self, name: str) -> None:
        action = ACTIONS[name]
        refusal = action.refusal(self)
        if refusal:
            self.say(refusal, "warning")
        elif refusal is None and action.do is not None:
            action.do(self)

    # What is on show.

    @property
    def scene(self) -> Scene:
        return scene_of(self.match, self._state())

    def _state(self) -> State:
        mode, hints = self.mode, self.hints
        return State(
            position=mode.position,
            main_seat=self.main_seat,
            looking=self.looking,
            mover=self.mover,
            move_refusal=mode.move_refusal,
            paused=mode.paused,
            revealed=mode.revealed,
            offers=mode.offers,
            question=mode.question,
            tried=bool(mode.tried),
            walked=mode.walked,
            values_shown=self.values_shown,
            speed=self.speed,
            coach=self.services.settings.coach,
            commented=self.commented,
            hint=hints.hint,
            hint_step=hints.step,
            hint_sought=hints.sought,
            verdict=self.so_far or self.verdict,
            start_verdict=self.judge.verdicts.get(self.match.first),
            working=self.working(),
            mistake=self.fault,
            given_back=self.given_back,
            end_offers=end_card(self) if self.match.result and not mode.tried else (),
        )

    @property
    def mover(self) -> int:
        match = self.match
        if match.game.kind is Kind.DUEL:
            return self.mode.branch.turn
        return match.turn if match.watched or self.mode.tried else self.main_seat

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
    def judged_position(self) -> Position[Any]:
        """The position whose verdict is on show: the match's; in a race with a person the main board's."""
        match = self.match
        if match.game.kind is Kind.DUEL or match.watched or self.mode.tried:
            return self.mode.branch
        return match.position_of(self.main_seat)

    @property
    def verdict(self) -> Verdict | None:
        verdict = self.judge.verdicts.get(self.judged_position)
        return verdict and self.match.game.solver.sharpened(self.judged_position, verdict)

    @property
    def so_far(self) -> ScoreVerdict | None:
        verdict = self.judge.so_far(self.judged_position)
        return verdict and self.match.game.solver.sharpened(self.judged_position, verdict)

    @property
    def fault(self) -> int | None:
        """The number of the person's last move, from 0, if it was a mistake that no answer gave back."""
        number, answers = self._mistake()
        return number if all(ply.mark and not ply.mark.bad for ply in answers) else None

    @property
    def given_back(self) -> Ply | None:
        """The answer that gave back what the person's last move had given away."""
        return next((ply for ply in self._mistake()[1] if ply.mark and ply.mark.bad), None)

    def _mistake(self) -> tuple[int | None, Sequence[Ply]]:
        """The number of the person's last move if the coach tells it as a mistake, and the answers to it."""
        if self.mode.revealed or self.services.settings.coach is not Coach.MISTAKES:
            return None, ()
        plies = self.match.plies
        numbers = [number for number, ply in enumerate(plies) if self.match.seats[ply.seat] == HUMAN]
        if not numbers or plies[numbers[-1]].mark is not Mark.THREW:
            return None, ()
        if any(hopeless(self.match, number) for number in numbers[:-1]) and hopeless(self.match, numbers[-1]):
            # That has been said once.
            return None, ()
        return numbers[-1], plies[numbers[-1] + 1 :] if self.match.game.kind is Kind.DUEL else ()

    @property
    def commented(self) -> bool:
        """Whether the last move of engines that play each other is explained if it was a mistake."""
        coach = self.services.settings.coach
        return self.match.watched and bool(self.match.plies) and coach is not Coach.QUIET

    @property
    def busy(self) -> bool:
        return bool(self.jobs.controls) or self.engine.waiting

    def working(self) -> str:
        """The progress of work that takes longer than a second; empty when there is none."""
        controls, match = self.jobs.controls, self.match
        if not controls:
            return ""
        if any(control.waiting for control in controls.values()):
            return self.services.warmer.status
        seconds = max(control.seconds for control in controls.values())
        if seconds < 1:
            return ""
        if match.game.kind is Kind.RACE:
            control = controls.get(JUDGING) or next(iter(controls.values()))
            return f"thinking {control.seconds:.0f} s, {control.nodes:,} tried"
        control = max(controls.values(), key=lambda control: control.nodes)
        return f"thinking {seconds:.0f} s, {match.game.solver.progress(control)}"

    def say(self, text: str, severity: Severity = "information", seconds: float | None = None) -> None:
        self.tell(Notice(text, severity, seconds))

    # The match goes on.

    def open(self) -> None:
        self.save()
        self.tell(Moved())

    def begin(self, match: Match) -> None:
        self.match, self.saved = match, None
        self.stop()
        self.judge = self._judge()
        self.looking = None
        # In a match of one's own they would count as help that nobody asked for.
        self.values_shown &= match.watched
        self.reviewed.clear()
        self.moved(paused=match.watched and not self.services.settings.animated)

    def again(self, seats: Sequence[str] | None = None) -> None:
        match = self.match
        try:
            self.begin(new_match(match.start, seats or match.seats, match.guests, match.seed + 1))
        except InputError as error:
            self.say(str(error), "warning")

    def _watch_next(self) -> None:
        last = self.match
        self.again()
        self.match.to_come, self.match.winners = last.to_come - 1, last.winners
        self.moved(save=False, paused=False)

    def moved(self, save: bool = True, paused: bool | None = None) -> None:
        self.show(self._mode(self.mode.paused if paused is None else paused), save)

    def show(self, mode: MatchMode, save: bool = False) -> None:
        self.mode = mode
        # A search of a board that nobody has moved on goes on.
        self.stop(but=JUDGING if self.judge.busy_with(self.judged_position) else "")
        if save:
            self.save()
        self.hints.drop()
        self.tell(Moved())
        self.set_to_work()

    def save(self) -> None:
        match = self.match
        if not match.watched:
            # An open coach shows verdicts also while an engine thinks.
            match.note_coach(self.services.settings.coach)
            if self.values_shown and not match.values:
                match.count_values()
        # A hint counts although nobody moves after it.
        if (match.line or any(match.hints)) and not match.foreign:
            saved_later = partial(self._saved_later, match)
            self.saved, rewards = self.services.save_match(match, self.saved, saved_later)
            self._learned(rewards)

    def _saved_later(self, match: Match, saved: SavedAs, rewards: Sequence[Reward]) -> None:
        if match is self.match:
            self.saved = saved
            self._learned(rewards)
            if rewards:
                self.tell(Moved())
        else:
            self._say_learned(rewards)

    def _learned(self, rewards: Sequence[Reward]) -> None:
        self._say_learned(rewards)
        if rewards:
            self.tell(Learned(rewards))

    def _say_learned(self, rewards: Sequence[Reward]) -> None:
        for reward in rewards:
            self.say(reward.sentence())

    def set_to_work(self) -> None:
        if not self.match.finished:
            self.engine.start()
        if self.judging:
            self.start_verdict()

    def start_verdict(self) -> None:
        if self.match.result and not self.mode.tried:
            self.judge.look_back()
        else:
            self.judge.judge(self.judged_position)

    def stop(self, but: str = "") -> None:
        self.engine.stop()
        self.jobs.stop(but)

    def play(self, move: Any) -> None:
        try:
            self.mode.play(move)
        except ValueError as error:
            self.say(str(error), "warning")

    def make(self, move: Any) -> None:
        """Play a move in the match; raises ValueError if it is not legal or the match is over."""
        match, hints = self.match, self.hints
        if match.to_move == HUMAN and own(match, match.undone) and not self.taken_back:
            match.takebacks += 1
        match.play(move)
        if match.game.kind is Kind.RACE and hints.step > 1 and hints.hint and move == hints.hint.move:
            match.plies[-1].mark = Mark.HINTED
        if not match.watched:
            self.looking = None
        self.played()
        if match.finished:
            self.tell(MatchEnded())

    def played(self) -> None:
        """Somebody has moved or resigned: after the end of a match, the next one of the series follows."""
        match = self.match
        if match.ending:
            match.winners.append(match.ending.winner)
        self.moved()
        if match.finished and match.to_come:
            self.engine.put_off(SPEEDS[0] + SPEEDS[self.speed], self._watch_next)

    def go_on_with(self, match: Match) -> None:
        if match is not self.match:
            self.match = self.judge.match = match
            self.saved = None
            self.reviewed.clear()
            self.say("You go on in a new match. The finished one is kept.")
        self.moved(paused=match.watched)

    def sit(self, seats: list[str]) -> None:
        """Change who plays, before the end; raises InputError if nobody of a name can sit there."""
        if self.match.finished:
            # Engines may have ended the match while somebody chose.
            self.say(OVER, "warning")
            return
        for seat, who in enumerate(seats):
            self.match.sit(seat, who)
        if not self.match.watched:
            # A person would be called away from the end of the match.
            self.match.to_come = 0
        self.moved(paused=self.match.watched)

    def _failed(self, error: BaseException) -> None:
        self.failure = error
        if isinstance(error, InputError):
            # A guest has gone: somebody else can take the seat.
            self.mode.paused = True
            self.say(str(error), "error", 10)
        else:
            self.say(f"The solver failed: {error!r}.", "error", 10)
        self.engine.answer()
        if self.match.to_move not in (None, HUMAN) and not self.engine.busy:
            # Nobody is thinking any more.
            self.mode.paused = True
        self.tell(Changed())

    # To and fro.

    def go_to(self, plies: int) -> None:
        match = self.match
        self.taken_back = False
        while len(match.plies) > plies and match.undo():
            pass
        while len(match.plies) < plies and match.redo():
            pass
        self.moved(paused=match.to_move != HUMAN)
        if match.plies and match.plies[-1].comment:
            self.say(f"Move {len(match.plies)}: {match.plies[-1].comment}")

    def look_at(self, seat: int | None) -> None:
        self.looking = seat
        self.tell(Moved())
        if self.judging:
            self.start_verdict()

    # Help.

    def heed_coach(self) -> None:
        """Another coach may have been chosen: what it shows counts as help; a quiet one shows no values."""
        if self._coach is not (coach := self.services.settings.coach):
            self._coach = coach
            self.values_shown &= coach is not Coach.QUIET
            self.save()

    def show_values(self) -> None:
        self.values_shown = not self.values_shown
        if self.values_shown:
            self.note_values()

    def note_reveal(self) -> None:
        """The player asks for a verdict: it counts as help if the match hides it."""
        if not self.mode.revealed:
            self.note_values()

    def note_values(self) -> None:
        self.match.count_values()
        self.save()

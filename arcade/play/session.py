"""A running match, with engines, analysis, hints and saving."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from arcade.engines.files import InputError
from arcade.engines.position import Position
from arcade.engines.verdict import Hint, MoveVerdict, Verdict
from arcade.play.actions import ACTIONS
from arcade.play.analysis import GROUP as JUDGING
from arcade.play.analysis import Analyzer
from arcade.play.engine import ENGINE_PAUSE, Engine
from arcade.play.host import Host
from arcade.play.jobs import Job, Jobs, Notice, Runner, Severity
from arcade.play.machines import AnyMachine, Reward
from arcade.play.match import HUMAN, Match, new_match
from arcade.play.mistakes import own, own_mistakes, rule_told, told_to_person
from arcade.play.moment import Moment, other_level
from arcade.play.punishment import SEARCH_SECONDS, Still, punishment, shown_mistake
from arcade.play.scene import Scene, scene_of
from arcade.play.sentences import no_better_sentence
from arcade.play.state import (
    HINT_STEPS,
    OVER,
    SPEEDS,
    State,
    branch,
    judged_position,
    revealed,
)
from arcade.store.record import Coach
from arcade.store.store import SavedAs

ANSWER_SECONDS = 2.0


class Session:
    """A running match. Use it in only one thread, in which the runner must also deliver the answers.

    Args:
        changed: called with each new scene, after the match has been saved
        judging: whether to analyse positions and load machines automatically
        speed: an index of `SPEEDS`
        move_seconds: the time limit for an engine's move (default: the limit of the player or game)
    """

    def __init__(
        self,
        match: Match,
        host: Host,
        runner: Runner,
        changed: Callable[[Scene], None] = lambda scene: None,
        notify: Callable[[Notice], None] = lambda notice: None,
        saved: SavedAs | None = None,
        judging: bool = True,
        speed: int = 2,
        move_seconds: float | None = None,
    ) -> None:
        self.match = match
        self.host = host
        self.saved = saved
        self.judging = judging
        self.failure: BaseException | None = None
        self._changed = changed
        self._notify = notify
        self._jobs = Jobs(runner, self._failed, host.compiler)
        self._reading = Jobs(runner, self._failed, host.compiler)
        """Jobs that load machines. Unlike other jobs, these continue after a move."""
        self._engine = Engine(self._jobs, runner, self._engine_plays, move_seconds)
        self._judge = self._new_judge()
        self.state = State(
            keys=host.keys,
            coach=host.settings.coach,
            paused=match.watched or match.finished,
            speed=speed,
            taken_back=bool(match.undone and match.takebacks),
        )
        self._read: tuple[Match, list[str]] | None = None
        self._look_up()
        self.scene = self._scene()

    def _new_judge(self) -> Analyzer:
        return Analyzer(self.match, self._jobs, self._judged, self.say, self._reviewed)

    def _judged(self) -> None:
        self._look_up()
        self.publish()

    def _reviewed(self) -> None:
        self.host.reviewed(self.match, self.saved)
        self.publish()

    def _scene(self) -> Scene:
        return scene_of(self.match, self.state, self.verdict, self.working())

    def publish(self) -> None:
        self.scene = self._scene()
        self._changed(self.scene)

    def _set(self, **changes: Any) -> None:
        self.state = replace(self.state, **changes)
        self.publish()

    @property
    def branch(self) -> Position[Any]:
        return branch(self.match, self.state)

    @property
    def judged_position(self) -> Position[Any]:
        return judged_position(self.match, self.state)

    @property
    def verdict(self) -> Verdict | None:
        position = self.judged_position
        known = self._judge.partial_verdict(position) or self.match.verdict_of(position)
        return known and self.match.game.solver.with_known_bounds(position, known)

    @property
    def busy(self) -> bool:
        return bool(self._jobs.controls or self._reading.controls) or self._engine.waiting

    @property
    def judging_now(self) -> bool:
        return JUDGING in self._jobs.controls

    def working(self) -> str:
        """Return the progress of work that has taken at least a second, or ""."""
        controls = self._jobs.controls
        if not controls:
            return ""
        if any(control.waiting for control in controls.values()):
            return self.host.compiler.status
        seconds = max(control.seconds for control in controls.values())
        if seconds < 1:
            return ""
        control = max(controls.values(), key=lambda control: control.nodes)
        return f"thinking {seconds:.0f} s, {self.match.progress(control)}"

    def say(self, text: str, severity: Severity = "information", seconds: float | None = None) -> None:
        self._notify(Notice(text, severity, seconds))

    def open(self) -> None:
        """Save the match and pass its scene to `changed`. Call `start` next."""
        self.save()
        self.publish()

    def start(self) -> None:
        if self.judging:
            self._read_machines()
        if not self.match.finished:
            self._start_engine()
        if self.judging:
            self.judge()

    def judge(self) -> None:
        """Analyse the position on view; after the match, analyse all moves."""
        if self.match.result and not self.state.tried:
            self._judge.look_back()
        else:
            self._judge.judge(self.judged_position)

    def stop(self) -> None:
        self._stop()
        self._reading.stop()

    def pause(self) -> None:
        self._stop()
        self._set(paused=True)

    def resume(self) -> None:
        self._moved(save=False, paused=False)

    def leave(self) -> None:
        self.stop()
        if self.match.player_to_move != HUMAN:
            self._set(paused=True)

    def come_back(self, paused: bool | None = None) -> None:
        """Resume after another screen. Reload the machines, because that screen may have trained them."""
        self._read = None
        self._moved(save=False, paused=paused)

    def begin(self, match: Match) -> None:
        self.match, self.saved = match, None
        self._stop()
        self._judge = self._new_judge()
        self._moved(
            paused=match.watched and not self.host.settings.animated,
            match_number=self.state.match_number + 1,
            looking=None,
            # With a human, values would count as help without being asked for.
            values_shown=self.state.values_shown and match.watched,
            reviewed=frozenset(),
            taken_back=False,
            machines={},
            rewards=(),
        )

    def play(self, move: Any) -> None:
        try:
            if self.state.stills:
                self._show_stills(())
            elif self.state.walked:
                self._set(walked=0)
            elif self.state.question is not None:
                self._answer(move, self.state.question)
            elif self.match.finished:
                self._try(move)
            else:
                self._make(move)
        except ValueError as error:
            self.say(str(error), "warning")

    def do(self, name: str) -> None:
        refusal = ACTIONS[name].refusal(Moment(self.match, self.state))
        if refusal:
            self.say(refusal, "warning")
        elif refusal is None and name in _HANDLERS:
            _HANDLERS[name](self)

    def go_to(self, plies: int, tried: int = 0) -> None:
        """Show the position after `plies` moves, or after `tried` moves of the variation."""
        if tried:
            self._show_variation(tried)
        else:
            self._go_to(plies)

    def look_at(self, seat: int | None) -> None:
        self._set(looking=seat)
        if self.judging:
            self.judge()

    def set_players(self, seats: list[str]) -> None:
        """Change the players; after the end, only show a notice. Raises InputError if one cannot play."""
        if self.match.finished:
            self.say(OVER, "warning")
            return
        for seat, who in enumerate(seats):
            self.match.set_player(seat, who)
        if not self.match.watched:
            # The next match would interrupt a player who looks at the final position.
            self.match.matches_left = 0
        self._moved(paused=self.match.watched)

    def apply_coach_setting(self) -> None:
        """Apply the coach setting, which counts as help if it shows more. If it is quiet, hide the values."""
        coach = self.host.settings.coach
        if self.state.coach is not coach:
            values_shown = self.state.values_shown and coach is not Coach.QUIET
            self.state = replace(self.state, coach=coach, values_shown=values_shown)
            self.save()
        self.publish()

    def note_reveal(self) -> None:
        if not revealed(self.match, self.state):
            self._note_values()

    def ask_verdict(self) -> None:
        self.note_reveal()
        self._set(verdict_asked=True)
        self.judge()

    def _moved(self, save: bool = True, paused: bool | None = None, **changes: Any) -> None:
        paused = self.state.paused if paused is None else paused
        self.state = replace(self.state.at_rest(), **{"paused": paused or self.match.finished, **changes})
        # Keep searching a board that has not changed.
        self._stop(but=JUDGING if self._judge.busy_with(self.judged_position) else "")
        if save:
            self.save()
        self._look_up()
        self.publish()
        self.start()

    def _look_up(self) -> None:
        match, host = self.match, self.host
        if match.finished:
            self.state = replace(self.state, stars=tuple(host.stars(match.game)), lesson=host.to_learn(match))

    def _again(self, seats: Sequence[str] | None = None) -> None:
        match = self.match
        try:
            self.begin(new_match(match.start, seats or match.seats, match.guests, match.seed + 1))
        except InputError as error:
            self.say(str(error), "warning")

    def _watch_next(self) -> None:
        last = self.match
        self._again()
        self.match.matches_left, self.match.winners = last.matches_left - 1, last.winners
        self._moved(save=False, paused=False)

    def _make(self, move: Any) -> None:
        match, state = self.match, self.state
        if match.player_to_move == HUMAN and own(match, match.undone) and not state.taken_back:
            match.takebacks += 1
        match.play(move)
        if state.hint is not None and state.hint_step > 1 and move == state.hint.move:
            match.mark_hinted()
        self._moved(looking=state.looking if match.watched else None)
        self._go_on_with_series()

    def _go_on_with_series(self) -> None:
        if self.match.finished and self.match.matches_left:
            self._engine.put_off(SPEEDS[0] + SPEEDS[self.state.speed], self._watch_next)

    def _go_on_with(self, match: Match) -> None:
        if match is not self.match:
            self.match = self._judge.match = match
            self.saved = None
            self.state = replace(self.state, reviewed=frozenset(), rewards=())
            self.say("You are continuing in a new match. The finished one is still in your history.")
        self._moved(paused=match.watched)

    def _go_to(self, plies: int, **changes: Any) -> None:
        match = self.match
        while len(match.plies) > plies and match.undo():
            pass
        while len(match.plies) < plies and match.redo():
            pass
        self._moved(paused=match.player_to_move != HUMAN, taken_back=False, **changes)
        if match.plies and match.plies[-1].comment:
            self.say(f"Move {len(match.plies)}: {match.plies[-1].comment}")

    def _stop(self, but: str = "") -> None:
        self._engine.stop()
        self._jobs.stop(but)
        self.state = replace(self.state, hint_sought=False)

    def _failed(self, error: BaseException) -> None:
        self.failure = error
        if isinstance(error, InputError):
            # The machine no longer exists; another player can take the seat.
            self.state = replace(self.state, paused=True)
            self.say(str(error), "error", 10)
        else:
            self.say(f"The solver failed: {error!r}.", "error", 10)
        self._engine.answer()
        waits = self.match.player_to_move not in (None, HUMAN) and not self._engine.busy
        self._set(paused=self.state.paused or waits, hint_sought="hint" in self._jobs.controls)

    def save(self) -> None:
        match = self.match
        if not match.watched:
            match.note_coach(self.state.coach)
            if self.state.values_shown and not match.values:
                match.count_values()
        # A hint counts even if no move follows.
        if (match.line or any(match.hints)) and not match.imported:
            saved_later = partial(self._saved_later, match)
            self.saved, rewards = self.host.save_match(match, self.saved, saved_later)
            self._learned(rewards)

    def _saved_later(self, match: Match, saved: SavedAs, rewards: Sequence[Reward]) -> None:
        if match is self.match:
            self.saved = saved
            self._learned(rewards)
            if rewards:
                self.publish()
        else:
            self._say_learned(rewards)

    def _learned(self, rewards: Sequence[Reward]) -> None:
        self._say_learned(rewards)
        if rewards:
            wins = self.host.challenge_wins(self.match.game)
            self.state = replace(self.state, rewards=tuple(rewards), challenge_wins=wins)

    def _say_learned(self, rewards: Sequence[Reward]) -> None:
        for reward in rewards:
            self.say(reward.sentence())

    def _note_values(self) -> None:
        self.match.count_values()
        self.save()

    def _start_engine(self) -> None:
        if self.judging:
            self._let_coach_look()
        if self.match.player_to_move in (None, HUMAN) or self.state.paused or self._reading.controls:
            return
        pause = ENGINE_PAUSE if self.host.settings.animated else 0.0
        self._think(SPEEDS[self.state.speed] if self.match.watched else pause)

    def _think(self, least: float) -> None:
        self._engine.think(self.match.copied(), least, self._time_to_look)

    def _time_to_look(self, move: Any) -> float:
        turns = self.match.watched and self.match.gives_away(move)
        return SPEEDS[self.state.speed] if turns else 0.0

    def _let_coach_look(self) -> None:
        match, last = self.match, self.match.plies[-1:]
        answered = match.player_to_move == HUMAN or self.state.paused
        speaks = self.state.coach is Coach.MISTAKES
        if not speaks or answered or not own(match, last) or last[0].mark:
            return
        if match.board_of(last[0].seat) != match.board_of(match.turn):
            # In a race, the engine moves on another board, so it need not wait for the coach.
            return
        game, position = match.game, match.before(len(match.plies) - 1)

        def look(job: Job) -> None:
            if job.ready(game):
                moves = game.solver.moves(position, job.control)
                job.tell(self._looked, position, None if job.control.stopped else moves)

        self._engine.look_first(look)

    def _looked(self, position: Position[Any], moves: list[MoveVerdict[Any]] | None) -> None:
        if moves is not None:
            self.match.learn(position, moves)
            self.publish()
        self._engine.looked()

    def _engine_plays(self, move: Any) -> None:
        match = self.match
        if move is not None:
            try:
                self._make(move)
            except ValueError as error:
                self.say(str(error), "warning")
            return
        machine = self.host.machine_of(match, match.turn)
        if machine is not None and machine.refuses:
            self._set(paused=True, refusing=machine.name)
            return
        match.resign(match.turn)
        self._moved()
        self._go_on_with_series()

    def _read_machines(self) -> None:
        """Load the machines in a job, because finding the boxes of a game takes up to two seconds."""
        match = self.match
        seated = [seat for seat in range(len(match.seats)) if match.guest(seat) is not None]
        if self._read is not None and self._read[0] is match and self._read[1] == match.seats:
            return
        self._read = match, list(match.seats)
        self.state = replace(self.state, machines={})
        if seated:
            copied = match.copied()

            def read(job: Job) -> None:
                machines = {seat: self.host.machine_of(copied, seat) for seat in seated}
                found = {seat: machine for seat, machine in machines.items() if machine is not None}
                job.tell(self._take_machines, found)

            self._reading.start("machines", read)

    def _take_machines(self, machines: dict[int, AnyMachine]) -> None:
        self._reading.drop("machines")
        self._set(machines=machines)
        if not self.match.finished and not self._engine.busy:
            self._start_engine()

    def _undo(self) -> None:
        if self.state.tried:
            self._moved(save=False, tried=self.state.tried[:-1])
            return
        persons = bool(own(self.match, self.match.plies))
        shorter = self.match.taken_back()
        assert shorter is not None, "otherwise the action is refused"
        while persons and shorter.player_to_move != HUMAN and shorter.undo():
            pass
        if not shorter.watched:
            shorter.takebacks += 1
            self.state = replace(self.state, taken_back=True)
        self._go_on_with(shorter)

    def _redo(self) -> None:
        match = self.match
        match.redo()
        while not match.watched and match.player_to_move not in (HUMAN, None) and match.redo():
            pass
        self._moved()

    def _step(self, by: int) -> None:
        state, match = self.state, self.match
        if state.walked or state.hint_whole:
            self._set(walked=state.walked + by)
        elif (by < 0 and state.tried) or (by > 0 and state.tried_later):
            self._show_variation(len(state.tried) + by)
        elif by < 0 or match.undone:
            self._go_to(len(match.plies) + by)
        else:
            self._stop()
            self._set(paused=True)
            self._think(0.0)

    def _ask_hint(self) -> None:
        if self.match.watched and not self.state.paused:
            self._pause()
        if self.state.hint is not None or self.state.hint_sought:
            self._set(hint_step=min(self.state.hint_step + 1, HINT_STEPS))
        else:
            self._find_hint(1)

    def _find_hint(self, step: int) -> None:
        game, position = self.match.game, self.branch
        self.match.count_hint()
        self.save()

        def find(job: Job) -> None:
            control, explanations = job.control, game.explanations
            if game.solver.compiled and not control.has_kernels(game.name):
                job.tell(self._take_hint, explanations.estimated_hint(position, control))
            else:
                for hint in explanations.hints(position, control):
                    job.tell(self._take_hint, hint)
            job.tell(self._jobs.drop, "hint")

        self.state = replace(self.state, hint_step=step, hint_sought=True)
        self._jobs.start("hint", find, game.explanations.limits.hint)
        self.publish()

    def _take_hint(self, hint: Hint[Any]) -> None:
        self._set(hint=hint, hint_sought=False)

    def _values(self) -> None:
        """Show all values; in a duel, a second call adds all lengths. The next call hides everything."""
        state = self.state
        if state.values_shown and not state.lengths_shown and self.match.points(self.branch) is None:
            self._set(lengths_shown=True)
            return
        shown = not state.values_shown
        self.state = replace(state, values_shown=shown, lengths_shown=False)
        if shown:
            self._note_values()
        self.publish()
        if shown and not self.match.result and self.match.analysis(self.judged_position) is None:
            self.say("Each value appears when the solver has found it.")

    def _review(self) -> None:
        match = self.match
        left = [number for number in own_mistakes(match) if number not in self.state.reviewed]
        if not left:
            self.state = replace(self.state, reviewed=frozenset())
            if match.undone:
                self._go_to(len(match.line))
                self.say("That was the last mistake.")
                return
            left = own_mistakes(match)
        turned = match.decisive_mistake()
        number = min(left, key=lambda number: (-match.line[number].lost, number != turned))
        self._go_to(number, question=number, reviewed=self.state.reviewed | {number})

    def _answer(self, move: Any, question: int) -> None:
        match, position = self.match, self.branch
        position.play(move)
        if match.analysis(position) is None:
            self.say("The solver is still analysing this position. Try again in a moment.", "warning")
        elif move in match.better_moves(position):
            played = match.line[question]
            told = (
                told_to_person(match, f"After {match.words(played.move)}: {played.reason}")
                if played.reason
                else ""
            )
            said = f"Yes, {match.words(move)} is better.", told, rule_told(match, played)
            self.say(" ".join(filter(None, said)))
            self._try(move)
        else:
            self._explain_answer(position, move, question)

    def _explain_answer(self, position: Position[Any], move: Any, question: int) -> None:
        game = self.match.game

        def explain(job: Job) -> None:
            if job.ready(game):
                job.tell(told, game.explanations.explain_mistake(position, move, job.control).says)

        def told(reason: str) -> None:
            self._jobs.drop("answer")
            self.say(no_better_sentence(self.match, question, move, reason))

        self._jobs.start("answer", explain, ANSWER_SECONDS)

    def _try(self, move: Any) -> None:
        self.branch.play(move)
        same, *later = self.state.tried_later or (None,)
        self._moved(
            save=False, tried=(*self.state.tried, move), tried_later=tuple(later) if same == move else ()
        )

    def _show_variation(self, tried: int) -> None:
        moves = self.state.variation
        self._moved(save=False, tried=moves[:tried], tried_later=moves[tried:])

    def _pause(self) -> None:
        match = self.match
        if self.state.replaying:
            self._stop(but=JUDGING)
            self._set(replaying=False)
            return
        if not match.finished:
            self._moved(save=False, paused=not self.state.paused)
            return
        match = match.continued()
        if (match.plies or self.state.tried) and not match.watched:
            # The player has seen the values of the moves.
            match.takebacks += 1
        for move in self.state.tried:
            # In a variation, the player moves for both sides.
            match.play(move, by=HUMAN)
        self._go_on_with(match)

    def _replay(self) -> None:
        self._replay_from(0)

    def _replay_from(self, plies: int) -> None:
        replaying = plies < len(self.match.line)
        self._go_to(plies, replaying=replaying)
        if replaying:
            self._engine.put_off(SPEEDS[self.state.speed], lambda: self._replay_from(plies + 1))

    def _punish(self) -> None:
        match, number = self.match, shown_mistake(self.match, self.state.question)
        self._stop(but=JUDGING)
        if self.state.stills or number is None:
            self._show_stills(())
            return
        copied = match.copied()

        def find(job: Job) -> None:
            if job.ready(match.game):
                job.tell(self._take_stills, punishment(copied, number, job.control))

        self._set(replaying=False)
        if match.awaiting:
            self.say(match.awaiting)
        self._jobs.start("punishment", find, SEARCH_SECONDS)

    def _take_stills(self, stills: tuple[Still, ...]) -> None:
        self._jobs.drop("punishment")
        if not stills:
            self.say("No better map found in time.")
        self._show_stills(stills)

    def _show_stills(self, stills: tuple[Still, ...]) -> None:
        self._engine.stop()
        self._set(stills=stills)
        if stills:
            self._engine.put_off(stills[0].seconds, lambda: self._show_stills(stills[1:]))

    def _change_speed(self, by: int) -> None:
        if self.match.finished and not self.state.replaying:
            self.begin(other_level(self.match, self.state, by) or self.match)
        else:
            self._set(speed=self.state.speed + by)

    def _resign(self) -> None:
        self.match.resign(self.match.turn)
        self._moved()

    def _put_away(self) -> None:
        state = self.state
        if state.stills:
            self._show_stills(())
        elif state.walked:
            self._set(walked=0)
        elif state.hint is not None:
            self._jobs.drop("hint")
            self._set(hint=None, hint_step=0)
        elif state.question is not None:
            self._moved(save=False)
            self._find_hint(HINT_STEPS)
        else:
            self._moved(save=False)


_HANDLERS: dict[str, Callable[[Session], object]] = {
    "undo": Session._undo,
    "redo": Session._redo,
    "forward": lambda session: session._step(1),
    "back": lambda session: session._step(-1),
    "hint": Session._ask_hint,
    "values": Session._values,
    "review": Session._review,
    "punishment": Session._punish,
    "pause": Session._pause,
    "again": lambda session: session._again(),
    "other_side": lambda session: session._again(session.match.seats[::-1]),
    "faster": lambda session: session._change_speed(1),
    "slower": lambda session: session._change_speed(-1),
    "resign": Session._resign,
    "restart": lambda session: session.go_to(0),
    "replay": Session._replay,
    "put_away": Session._put_away,
}

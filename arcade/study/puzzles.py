"""Puzzle modes and runs."""

import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.game import RaceGame
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame, parse_game_id
from arcade.engines.verdict import Squares, Value
from arcade.engines.wording import quantity
from arcade.store.store import PuzzleResult
from arcade.study.puzzle_generator import MAX_LOOKAHEAD, Puzzle, PuzzleGenerator, PuzzleStep, Root

WEEK = (1, 2, 2, 3, 3, 4, 5)
"""Grades of the daily puzzles from Monday to Sunday."""


def today() -> date:
    return datetime.now(UTC).date()


def grade_on(day: date) -> int:
    return WEEK[day.weekday()]


def parse_day(text: str) -> date:
    if text == "today":
        return today()
    with suppress(ValueError):
        if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            return date.fromisoformat(text)
    raise InputError(f"Wrong value for --daily: expected a date like 2026-11-22, found {text[:40]!r}.")


def daily(game: AnyGame, day: date, control: Control) -> Puzzle | None:
    return PuzzleGenerator(game).make(f"daily {day.isoformat()}", control, grade_on(day))


@dataclass(frozen=True, kw_only=True)
class Mode:
    name: str
    title: str
    line: str
    """Text for the list of puzzles, up to 31 characters. `{grade}` is replaced by the grade."""
    max_mistakes: int | None = None
    """Number of mistakes that ends a run. If 0, a run has one puzzle. If None, a run has no end."""
    counts: bool = False
    """True if the number of solved puzzles is the score. Such runs have no hints; a mistake ends a puzzle."""
    per_grade: int | None = None
    """Number of puzzles to solve before the grade rises; None if the grade stays the same."""
    daily: bool = False
    graded: bool = False


DAILY = Mode(
    name="daily", title="today's puzzle", line="Today's puzzle, grade {grade}", max_mistakes=0, daily=True
)
STREAK = Mode(
    name="streak",
    title="streak",
    line="Streak, to the first mistake",
    max_mistakes=1,
    counts=True,
    per_grade=2,
)
PRACTICE = Mode(name="practice", title="practice", line="Practice, grade {grade}", graded=True)
MODES = (DAILY, STREAK, PRACTICE)


@dataclass(frozen=True)
class PuzzleChoice:
    game: AnyGame
    mode: Mode
    grade: int | None = None
    own: bool = False
    rule: str = ""


REMEMBERED = 300


class Stopwatch:
    """A stopwatch that can be paused. `clock` returns seconds and must be monotonic."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._before = 0.0
        self._since: float | None = None

    @property
    def running(self) -> bool:
        return self._since is not None

    @property
    def seconds(self) -> float:
        return self._before + (0.0 if self._since is None else self._clock() - self._since)

    def run(self) -> None:
        if self._since is None:
            self._since = self._clock()

    def stop(self) -> None:
        self._before, self._since = self.seconds, None


@dataclass(frozen=True, slots=True)
class PuzzleRefutation:
    line: tuple[Any, ...] = ()
    """The opponent's reply; in a race, the moves to the best map still possible."""
    says: str = ""
    squares: Squares = ()


class PuzzleAttempt:
    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.index = 0
        self.position: Position[Any] = puzzle.start
        self.last: Any = None
        self.tried: Any = None
        self.refuted = PuzzleRefutation()
        self.mistakes = 0
        self.help = 0
        """Amount of help shown: 0 for none, 1 for where to look, 2 for the move."""
        self.helped = False
        self.done = False

    @property
    def step(self) -> PuzzleStep:
        return self.puzzle.steps[self.index]

    @property
    def replying(self) -> bool:
        return not self.done and self.position != self.step.position

    @property
    def solved(self) -> bool:
        return self.done and not (self.mistakes or self.helped)

    def play(self, move: Any) -> bool:
        """Play a move and return whether it is right. If `replying` is then True, call `reply` next."""
        if self.done or self.replying:
            return False
        if move != self.step.move:
            self.mistakes += 1
            self.tried, self.refuted = move, PuzzleRefutation()
            return False
        self.tried, self.help, self.last = None, 0, move
        self.position = self.position.play(move)
        if self.index + 1 == len(self.puzzle.steps):
            self.done = True
        elif self.step.reply is None:
            self.index += 1
        return True

    def reply(self) -> None:
        if self.replying:
            self.last = self.step.reply
            self.position = self.position.play(self.last)
            self.index += 1

    def wrong_words(self) -> str:
        if self.refuted.says:
            return self.refuted.says
        puzzle, verdict, best = self.puzzle, self.step.verdict(self.tried), self.step.best
        if best is not None:
            return f"After that, {quantity(best, 'point')} {'is' if best == 1 else 'are'} no longer possible."
        if verdict.value is Value.TIE:
            return "It only ties."
        other = puzzle.game.sides[1 - self.step.position.turn]
        if self.refuted.line:
            return f"{other} replies {self.refuted.line[0]} and wins."
        return f"{other} then wins."

    def squares(self) -> Squares:
        step, explanations = self.step, self.puzzle.game.explanations
        if self.tried is not None:
            return (*explanations.squares_of(step.position, self.tried), *self.refuted.squares)
        if self.done:
            return self.puzzle.squares
        if self.help == 1:
            return explanations.hint_region(step.position, step.move).squares
        return ()

    def right_words(self) -> str:
        if self.puzzle.reason:
            return self.puzzle.reason
        step = self.puzzle.steps[-1]
        return self.puzzle.game.solver.reason(step.position, step.move, step.verdict(step.move))

    def refute(self, control: Control) -> PuzzleRefutation:
        game, position = self.puzzle.game, self.step.position
        assert self.tried is not None
        after = position.play(self.tried)
        if after.outcome() is not None:
            return PuzzleRefutation()
        if isinstance(game, RaceGame):
            line = tuple(game.solver.line(after, control))
            points = game.points(after.after(line))
            return PuzzleRefutation(line, f"{self.wrong_words()} The best map now scores {points}.")
        why = game.explanations.reasons.explain(after, control, moved=True)
        if why is None:
            best = game.solver.best_move(after, control)
            return PuzzleRefutation(() if best is None else (best,))
        says = why.reply()
        return PuzzleRefutation(tuple(why.line[:1]), says, game.explanations.spoken_of(after, why))

    def sight_words(self) -> str:
        puzzle = self.puzzle
        if puzzle.sees > MAX_LOOKAHEAD:
            return "The first move is too deep to calculate. A rule of thumb finds it."
        return f"You need to look {quantity(puzzle.sees, 'move')} ahead to be sure of the first move."


class PuzzleRun:
    """A run of puzzles in one mode.

    `roots` returns the positions of the player's mistakes. `known` has the game IDs of puzzles to avoid.
    """

    def __init__(
        self,
        choice: PuzzleChoice,
        seed: int = 0,
        *,
        day: date | None = None,
        roots: Callable[[], Sequence[Root]] = tuple,
        known: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.choice = choice
        self.game = choice.game
        self.mode = choice.mode
        self.day = day
        self.seed = seed
        self.attempt: PuzzleAttempt | None = None
        self.number = 0
        self.solved = 0
        self.mistakes = 0
        self.watch = Stopwatch(clock)
        self.over = False
        self._begun = 0.0
        self._maker = PuzzleGenerator(choice.game, choice.rule)
        self._read_roots = roots
        self._roots: Sequence[Root] | None = None
        self._known = known[-REMEMBERED:]

    @property
    def grade(self) -> int | None:
        per_grade = self.mode.per_grade
        return self.choice.grade if per_grade is None else min(5, 1 + self.solved // per_grade)

    @property
    def paused(self) -> bool:
        return self.attempt is not None and not self.attempt.done and not self.watch.running and not self.over

    def make(self, control: Control) -> Puzzle | None:
        """Return a new puzzle; None if stopped. Raises InputError if no puzzle is found."""
        if self.day is not None:
            return daily(self.game, self.day, control)
        if self._roots is None:
            self._roots = self._read_roots()
            if self.choice.own and not self._roots:
                raise InputError(f"You have no mistakes in {self.game.title} yet. Play some matches first.")
        for puzzle in self._known:
            with suppress(InputError):
                self._maker.made.add(self.game.symmetries.canonical(parse_game_id(puzzle).start()))
        self._known = ()
        seed = self.seed + self.number
        try:
            return self._maker.make(seed, control, self.grade, self._roots)
        except InputError:
            if not self._maker.made:
                raise
        self._maker.made.clear()
        return self._maker.make(seed, control, self.grade, self._roots)

    def begin(self, puzzle: Puzzle) -> None:
        self.attempt = PuzzleAttempt(puzzle)
        self.number += 1
        self._begun = self.watch.seconds
        self.watch.run()

    @property
    def seconds(self) -> float:
        return self.watch.seconds - self._begun

    def play(self, move: Any) -> bool:
        """Play a move and return whether it is right. In a mode with a score, a mistake ends the puzzle."""
        attempt = self.attempt
        if attempt is None or attempt.done or self.over or self.paused:
            return False
        right = attempt.play(move)
        if not right and attempt.tried is not None:
            self.mistakes += 1
            if self.mode.counts:
                attempt.done = True
        if attempt.done:
            self.watch.stop()
            self.solved += attempt.solved
            self.over = self.mode.max_mistakes is not None and self.mistakes >= self.mode.max_mistakes
        return right

    def help(self) -> str:
        attempt = self.attempt
        if attempt is None or attempt.done or attempt.replying or self.mode.counts:
            return ""
        attempt.help = min(attempt.help + 1, 2)
        attempt.helped = True
        return self.help_words()

    def help_words(self, words_of: Callable[[Any], str] = str) -> str:
        if self.attempt is None or not self.attempt.help:
            return ""
        step = self.attempt.step
        region = self.game.explanations.hint_region(step.position, step.move)
        return region.says if self.attempt.help == 1 else f"Play {words_of(step.move)}."

    def result(self, now: float) -> PuzzleResult:
        """Return the result of the puzzle. `now` is in seconds since the epoch."""
        assert self.attempt is not None
        puzzle, solved = self.attempt.puzzle, self.attempt.solved
        day = None if self.day is None else self.day.isoformat()
        return PuzzleResult(
            self.game.name, str(puzzle.id), self.mode.name, day, puzzle.grade, solved, self.seconds, now
        )

    def line(self) -> str:
        title = f"solver-arcade, {self.game.title}"
        attempt = self.attempt
        if self.mode.counts or attempt is None:
            spent = clock_text(self.watch.seconds)
            return f"{title} {self.mode.name}: {quantity(self.solved, 'puzzle')} solved in {spent}"
        day = f" {self.day}" if self.day is not None else ""
        how = "solved on the first try" if attempt.solved else "solved"
        notes = [f"{how} in {clock_text(self.seconds)}" if attempt.done else "not solved yet"]
        if attempt.mistakes:
            notes.append(f"{attempt.mistakes} wrong")
        if attempt.helped:
            notes.append("with a hint")
        return f"{title} {self.mode.name}{day}, grade {attempt.puzzle.grade} of 5: {', '.join(notes)}"


def clock_text(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"

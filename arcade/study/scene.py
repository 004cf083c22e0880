"""The scene of a lesson or puzzle: immutable data for everything that a front end shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from arcade.engines.registry import AnyGame
from arcade.engines.verdict import HintRegion
from arcade.play.scene import BoardScene
from arcade.play.state import Offers
from arcade.study.lessons import Lesson, LessonProgress
from arcade.study.puzzles import DAILY, PRACTICE, PuzzleAttempt, PuzzleChoice, PuzzleRun


class Tone(StrEnum):
    HEADING = "heading"
    TEXT = "text"
    BEADS = "beads"
    """A line for each move of a matchbox instead of a paragraph of text."""
    TASK = "task"
    RIGHT = "right"
    WRONG = "wrong"
    HINT = "hint"
    STRONG = "strong"
    FAINT = "faint"


@dataclass(frozen=True, slots=True)
class Beads:
    move: str
    slot: int
    count: int


@dataclass(frozen=True, slots=True)
class Paragraph:
    tone: Tone
    text: str = ""
    lead: str = ""
    beads: tuple[Beads, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    right: bool
    text: str
    reply: str = ""


@dataclass(frozen=True, slots=True)
class TaskScene:
    """A lesson or puzzle as a front end shows it. Empty texts are not shown."""

    title: str
    progress: str
    number: int
    """Number of the puzzle, from 1; 0 before the first one."""
    heading: str
    board: BoardScene
    paragraphs: tuple[Paragraph, ...]
    text: str
    task: str
    fresh: bool
    answer: Answer | None
    tries: int
    hint: str
    done: bool
    over: bool
    result: str
    status: str
    making: bool
    """True while a puzzle is being made and there is none on the board."""
    trouble: str
    following: PuzzleChoice | None
    """Puzzles to offer next: after a lesson, puzzles on its rule; after a run, another run."""
    offers: Offers
    refusals: Mapping[str, str]

    @property
    def move_refusal(self) -> str | None:
        return self.refusals.get("play")


@dataclass(frozen=True, slots=True)
class LessonState:
    tries: int = 0
    hinted: bool = False


def lesson_scene(course: LessonProgress, state: LessonState) -> TaskScene:
    game, lesson = course.game, course.lesson
    progress = f"{course.index + 1} of {len(course.lessons)}"
    region = HintRegion("")
    if state.hinted:
        region = game.explanations.hint_region(lesson.position, min(lesson.answers, key=str))
    return TaskScene(
        title=f"Learn {game.title}",
        progress=progress,
        number=course.index + 1,
        heading=f"Lesson {progress}: {lesson.title}.",
        board=BoardScene(
            course.position,
            lesson.position,
            not course.solved,
            last=course.answer,
            squares=frozenset(() if course.solved else region.squares),
        ),
        paragraphs=tuple(_lesson_paragraphs(course)),
        text=lesson.say,
        task="" if course.solved else lesson.ask,
        fresh=not course.solved and course.tried is None,
        answer=_lesson_answer(course),
        tries=state.tries,
        hint=region.says,
        done=course.solved,
        over=course.solved and course.last,
        result="",
        status="",
        making=False,
        trouble="",
        following=PuzzleChoice(game, PRACTICE, rule=lesson.rule) if lesson.rule else None,
        offers=tuple(_lesson_offers(course)),
        refusals=_lesson_refusals(course),
    )


def beads_of(game: AnyGame, lesson: Lesson) -> tuple[Beads, ...]:
    moves = {text: game.parse_move(text, lesson.position) for text in lesson.beads}
    return tuple(
        Beads(text, game.encoding.move_index(lesson.position, moves[text]), count)
        for text, count in lesson.beads.items()
    )


def _lesson_paragraphs(course: LessonProgress) -> Iterator[Paragraph]:
    lesson = course.lesson
    yield Paragraph(Tone.HEADING, f"{course.index + 1}. {lesson.title}")
    yield Paragraph(Tone.TEXT, lesson.say)
    if lesson.beads:
        yield Paragraph(Tone.BEADS, beads=beads_of(course.game, lesson))
    if course.solved:
        yield _right(lesson.why)
        return
    yield Paragraph(Tone.TASK, lesson.ask)
    if course.tried is not None:
        yield _wrong(course.game, course.tried, lesson.wrong)


def _right(text: str) -> Paragraph:
    return Paragraph(Tone.RIGHT, text, "Right.")


def _wrong(game: AnyGame, move: Any, text: str) -> Paragraph:
    return Paragraph(Tone.WRONG, text, f"Not {game.explanations.words_of(move)}.")


def _lesson_answer(course: LessonProgress) -> Answer | None:
    lesson = course.lesson
    if course.solved:
        rule = course.game.explanations.shown_rule(lesson.rule)
        return Answer(True, f"Right. {lesson.why}{f' Rule: {rule.motto}' if rule else ''}")
    return None if course.tried is None else Answer(False, f"Not {course.tried}. {lesson.wrong}")


def _lesson_offers(course: LessonProgress) -> Iterator[tuple[str, str]]:
    if course.solved:
        yield "go_on", "play a match" if course.last else "next lesson"
        if course.lesson.rule:
            yield "more", "more"
        return
    if course.index:
        yield "back", "previous"
    if not course.last:
        yield "forward", "next"
    yield "leave", "back"


def _lesson_refusals(course: LessonProgress) -> dict[str, str]:
    refusals = {}
    if course.solved:
        refusals["play"] = "You have already found the move."
    else:
        refusals["go_on"] = ""
    if not (course.solved and course.lesson.rule):
        refusals["more"] = ""
    if not course.index:
        refusals["back"] = "This is the first lesson."
    if course.last:
        refusals["forward"] = "This is the last lesson."
    return refusals


@dataclass(frozen=True, slots=True)
class PuzzleState:
    making: bool = True
    trouble: str = ""
    seeking: bool = False
    refuting: bool = False
    tries: int = 0
    best: int = 0
    next_daily: AnyGame | None = None


def puzzle_scene(round: PuzzleRun, state: PuzzleState) -> TaskScene:
    shown = None if state.making else round.attempt
    moving = shown is not None and not shown.done
    step = round.help_words() if moving else ""
    return TaskScene(
        title=f"{round.game.title}: {round.mode.title}",
        progress=", ".join(filter(None, _puzzle_progress(round, shown))),
        number=round.number,
        heading="" if shown is None else _puzzle_heading(round, shown),
        board=_puzzle_board(round, shown, state),
        paragraphs=tuple(_puzzle_paragraphs(round, shown, state)),
        text="",
        task=_puzzle_task(shown),
        fresh=shown is not None and _fresh(shown, step) and not state.trouble,
        answer=None if shown is None else _puzzle_answer(shown),
        tries=state.tries,
        hint=step,
        done=shown is not None and shown.done,
        over=round.over,
        result=round.line(),
        status=_puzzle_status(shown, state),
        making=state.making,
        trouble=state.trouble,
        following=_following(round, state),
        offers=tuple(_puzzle_offers(round, shown, state)),
        refusals=_puzzle_refusals(round, shown, state),
    )


def _puzzle_progress(round: PuzzleRun, attempt: PuzzleAttempt | None) -> Iterator[str]:
    if round.day is not None:
        yield f"{round.day:%A} {round.day:%d %B}"
    if round.mode.counts:
        yield f"{round.solved} solved"
    if attempt is not None:
        yield f"grade {attempt.puzzle.grade} of 5"


def _puzzle_heading(round: PuzzleRun, attempt: PuzzleAttempt) -> str:
    which = f" of {round.day}" if round.day is not None else f" {round.number}"
    return f"{round.game.title}, puzzle{which}, grade {attempt.puzzle.grade} of 5."


def _puzzle_board(round: PuzzleRun, attempt: PuzzleAttempt | None, state: PuzzleState) -> BoardScene:
    if attempt is None:
        first = round.game.new({})
        return BoardScene(first, first)
    start = attempt.puzzle.start
    squares = frozenset(attempt.squares())
    if state.refuting:
        line = attempt.refuted.line
        position = attempt.step.position.after((attempt.tried, *line))
        return BoardScene(position, start, last=line[-1], squares=squares)
    missed = attempt.done and attempt.position == attempt.step.position
    hinted = attempt.step.move if missed or (attempt.help == 2 and not attempt.replying) else None
    playable = not attempt.done and not attempt.replying
    return BoardScene(
        attempt.position,
        start,
        playable,
        hinted=hinted,
        last=attempt.last,
        own=not attempt.done,
        squares=squares,
    )


def _other(attempt: PuzzleAttempt) -> str:
    return attempt.puzzle.game.sides[1 - attempt.puzzle.start.turn]


def _reply(attempt: PuzzleAttempt) -> str:
    reply = attempt.puzzle.steps[attempt.index - 1].reply if attempt.index else None
    return "" if reply is None else f"{_other(attempt)} plays {reply}."


def _fresh(attempt: PuzzleAttempt, hint: str) -> bool:
    return not (attempt.done or attempt.index or hint) and attempt.tried is None


def _puzzle_paragraphs(
    round: PuzzleRun, attempt: PuzzleAttempt | None, state: PuzzleState
) -> Iterator[Paragraph]:
    rule = round.game.explanations.shown_rule(round.choice.rule)
    if rule is not None and (attempt is None or not attempt.done):
        yield Paragraph(Tone.FAINT, f"Rule: {rule.motto}")
    if state.trouble:
        yield Paragraph(Tone.TEXT, state.trouble)
    elif attempt is None:
        yield Paragraph(Tone.FAINT, "Generating a new puzzle…")
    elif attempt.done:
        yield _ending(attempt)
        if not round.mode.counts:
            yield Paragraph(Tone.TEXT, attempt.sight_words())
        yield from _summary(round, state)
    else:
        yield from _open_puzzle(attempt, round.help_words(round.game.explanations.words_of))


def _open_puzzle(attempt: PuzzleAttempt, hint: str) -> Iterator[Paragraph]:
    count = len(attempt.puzzle.steps)
    yield Paragraph(Tone.TASK, attempt.puzzle.task)
    if attempt.replying:
        yield _right(f"{_other(attempt)} is thinking.")
    elif attempt.tried is not None:
        yield _wrong(attempt.puzzle.game, attempt.tried, f"{attempt.wrong_words()} Try again.")
    elif attempt.index:
        yield _right(f"{_reply(attempt)} Now find the next move.".lstrip())
    if count > 1:
        yield Paragraph(Tone.FAINT, f"Move {attempt.index + 1} of {count}")
    if hint:
        yield Paragraph(Tone.HINT, hint)
    elif _fresh(attempt, hint):
        yield Paragraph(Tone.FAINT, f"{len(attempt.step.analysis)} moves are possible; only one is good.")


def _ending(attempt: PuzzleAttempt) -> Paragraph:
    if attempt.tried is not None:
        game = attempt.puzzle.game
        right = f"The right move was {game.explanations.words_of(attempt.step.move)}."
        return _wrong(game, attempt.tried, f"{attempt.wrong_words()} {right}")
    return _right(attempt.right_words())


def _summary(round: PuzzleRun, state: PuzzleState) -> Sequence[Paragraph]:
    result = Paragraph(Tone.FAINT, round.line())
    if round.mode.counts and not round.over:
        return [Paragraph(Tone.TEXT, f"{round.solved} solved so far.")]
    if round.mode.counts:
        best = f"{round.solved} solved. Your best is {state.best}."
        return [Paragraph(Tone.STRONG, best), result]
    if round.over and state.next_daily is None:
        played = "You have played all of today's puzzles. Come back tomorrow."
        return [Paragraph(Tone.STRONG, played), result]
    return [result]


def _puzzle_task(attempt: PuzzleAttempt | None) -> str:
    if attempt is None or attempt.done:
        return ""
    return "Find the next move." if attempt.index else attempt.puzzle.task


def _puzzle_answer(attempt: PuzzleAttempt) -> Answer | None:
    if attempt.tried is not None:
        return Answer(False, f"Not {attempt.tried}. {attempt.wrong_words()}")
    if attempt.done:
        return Answer(True, f"Right. {attempt.right_words()}")
    if attempt.replying:
        return Answer(True, f"Right, {attempt.step.move}.")
    if attempt.index:
        return Answer(True, f"Right, {attempt.puzzle.steps[attempt.index - 1].move}.", _reply(attempt))
    return None


def _puzzle_status(attempt: PuzzleAttempt | None, state: PuzzleState) -> str:
    if state.making and not state.trouble:
        return "Generating a puzzle."
    if state.seeking:
        return "Looking for the refutation."
    return f"{_other(attempt)} is thinking." if attempt is not None and attempt.replying else ""


def _following(round: PuzzleRun, state: PuzzleState) -> PuzzleChoice | None:
    if not round.over:
        return None
    if not round.mode.daily:
        return round.choice
    return None if state.next_daily is None else PuzzleChoice(state.next_daily, DAILY)


def _puzzle_offers(
    round: PuzzleRun, attempt: PuzzleAttempt | None, state: PuzzleState
) -> Iterator[tuple[str, str]]:
    done = attempt is not None and attempt.done
    if done:
        if not round.over:
            yield "go_on", "next"
        elif not round.mode.daily:
            yield "go_on", "again"
        elif state.next_daily is not None:
            yield "go_on", state.next_daily.title
        yield "copy", "copy"
    elif attempt is not None and not round.mode.counts:
        yield "hint", "hint"
    yield "others", "other puzzles"
    if not done:
        yield "leave", "back"


def _puzzle_refusals(round: PuzzleRun, attempt: PuzzleAttempt | None, state: PuzzleState) -> dict[str, str]:
    refusals = {}
    done = attempt is not None and attempt.done
    if not done:
        refusals["copy"] = ""
        if not (state.making and state.trouble):
            by_hint = "" if round.mode.counts else " A hint shows it in two steps."
            refusals["go_on"] = f"Find the move first.{by_hint}"
    if round.mode.counts:
        refusals["hint"] = "A streak has no hints. Practice has them."
    elif attempt is None or done:
        refusals["hint"] = "This puzzle is already over." if done else ""
    if done:
        refusals["play"] = "This puzzle is already over."
    elif attempt is None or attempt.replying or state.refuting or round.paused:
        refusals["play"] = ""
    return refusals

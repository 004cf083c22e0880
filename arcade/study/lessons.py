"""The lessons of a game, and the player's progress."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import cache
from typing import Any

from arcade.engines.files import InputError, package_table
from arcade.engines.parsing import convert, error_context
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame, parse_game_id


class Task(StrEnum):
    LEGAL = "legal"
    END = "end"
    """Task to win at once."""
    WIN = "win"
    """Task to choose a winning move, even if it does not win at once."""
    KEEP = "keep"
    """Task to keep the value."""
    MOST = "most"
    """Task to keep the highest possible final score."""
    LIKELY = "likely"
    """Task to choose the move with the most beads in the box."""


@dataclass(frozen=True, kw_only=True)
class _Words:
    title: str
    say: str
    ask: str
    task: Task
    why: str
    wrong: str
    beads: dict[str, int] = field(default_factory=dict)
    rule: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class _SavedLesson(_Words):
    position: str
    answers: list[str] | None = None


@dataclass(frozen=True, kw_only=True)
class Lesson(_Words):
    name: str
    position: Position[Any]
    answers: frozenset[Any]


@cache
def lessons_of(game: AnyGame) -> tuple[Lesson, ...]:
    """Return a game's lessons. Raises InputError if a lesson is invalid."""
    if not game.teaching.lessons:
        return ()
    package = sys.modules[type(game).__module__].__package__ or type(game).__module__
    try:
        tables = package_table(package, game.teaching.lessons)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"Cannot read the lessons of {game.title}: {error}.") from None
    lessons = []
    for name, table in tables.items():
        with error_context(f"Lesson {name!r} of {game.title}"):
            lessons.append(_lesson(game, name, table))
    return tuple(lessons)


def _lesson(game: AnyGame, name: str, table: Any) -> Lesson:
    if isinstance(table, dict):
        table = {
            key: " ".join(text.split()) if isinstance(text, str) else text for key, text in table.items()
        }
    saved = convert(table, _SavedLesson, others=True)
    start = parse_game_id(saved.position)
    if start.game.name != game.name:
        raise InputError(f"'position' is a position of {start.game.title}.")
    position = start.start()
    if (saved.answers is None) != (saved.task is Task.LEGAL):
        raise InputError("'answers' is required, except for the task 'legal', which has none.")
    moves = position.moves()
    answers = moves if saved.answers is None else [game.parse_move(move, position) for move in saved.answers]
    if not set(answers) <= set(moves) or not answers:
        raise InputError("'answers' must list at least one move, and only legal moves.")
    for rule in {saved.rule, *saved.also} - {"", *(rule.id for rule in game.explanations.rules)}:
        raise InputError(f"unknown rule of thumb {rule!r}.")
    for move in saved.beads:
        game.parse_move(move, position)
    words = {each.name: getattr(saved, each.name) for each in fields(_Words)}
    return Lesson(name=name, position=position, answers=frozenset(answers), **words)


@dataclass(frozen=True, slots=True)
class LessonOffer:
    words: str
    rule: str
    lesson: str = ""
    """Name of the lesson; empty if the rule can only be practised."""


def teaching(game: AnyGame, rules: Iterable[str]) -> LessonOffer | None:
    """Return a lesson on one of the rules. If there is none, return a rule to practise, or None."""
    known = {rule.id: rule for rule in game.explanations.rules}
    wanted = [known[rule] for rule in rules if rule in known]
    for rule in wanted:
        for lesson in lessons_of(game):
            if rule.id in (lesson.rule, *lesson.also):
                return LessonOffer(f"lesson: {lesson.title}", rule.id, lesson.name)
    return next((LessonOffer(f"practise: {rule.motto}", rule.id) for rule in wanted if rule.teaches), None)


class LessonProgress:
    """A player's progress through the lessons of a game.

    The first lesson is `first` (default: the first unfinished lesson). Raises InputError if the game has no
    lessons.
    """

    def __init__(self, game: AnyGame, finished: frozenset[str] = frozenset(), first: str = "") -> None:
        self.game = game
        self.lessons = lessons_of(game)
        if not self.lessons:
            raise InputError(f"{game.title} has no lessons.")
        names = [each.name for each in self.lessons]
        unfinished = (n for n, name in enumerate(names) if name not in finished)
        self.index = names.index(first) if first in names else next(unfinished, 0)
        self.answer: Any = None
        self.tried: Any = None

    @property
    def lesson(self) -> Lesson:
        return self.lessons[self.index]

    @property
    def position(self) -> Position[Any]:
        start = self.lesson.position
        return start if self.answer is None else start.play(self.answer)

    @property
    def solved(self) -> bool:
        return self.answer is not None

    @property
    def last(self) -> bool:
        return self.index == len(self.lessons) - 1

    def play(self, move: Any) -> bool:
        if self.solved:
            return True
        right = move in self.lesson.answers
        self.answer, self.tried = (move, None) if right else (None, move)
        return right

    def go(self, by: int) -> bool:
        there = 0 <= self.index + by < len(self.lessons)
        if there:
            self.index += by
            self.answer = self.tried = None
        return there

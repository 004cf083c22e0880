"""The lessons of a game: what its file of lessons says, and the way of a person through them."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from arcade.engines.files import InputError
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame, parse_game_id
from arcade.engines.wording import printable


class Task(StrEnum):
    """Which moves are right. The file lists them; the tests prove that the list is complete."""

    LEGAL = "legal"
    END = "end"
    """The moves that win at once."""
    WIN = "win"
    """The moves that win, if not at once."""
    KEEP = "keep"
    """The moves that keep the value of the position."""
    MOST = "most"
    """The moves after which the score is highest at the end."""
    LIKELY = "likely"
    """The moves with the most beads in the lesson's box."""


TEXTS = ("title", "position", "say", "ask", "why", "wrong")


@dataclass(frozen=True)
class Lesson:
    """One position, one thing said, one move to find."""

    name: str
    """Its name in the file, by which a finished lesson is remembered."""
    title: str
    position: Position[Any]
    say: str
    ask: str
    task: Task
    answers: frozenset[Any]
    why: str
    wrong: str
    """Help after a wrong answer, which does not tell the right one."""
    beads: Mapping[str, int]
    """The beads of a machine's box by move, where the lesson shows a box."""


@cache
def lessons_of(game: AnyGame) -> tuple[Lesson, ...]:
    """The lessons of a game in their order; empty for a game without lessons.

    Raises:
        InputError: which lesson is bad and what was expected.
    """
    if not game.lessons:
        return ()
    package = sys.modules[type(game).__module__].__package__ or type(game).__module__
    try:
        text = files(package).joinpath(game.lessons).read_text("utf-8")
        tables = tomllib.loads(text)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"The lessons of {game.title} cannot be read: {error}.") from None
    return tuple(_lesson(game, name, table) for name, table in tables.items())


def _lesson(game: AnyGame, name: str, table: Any) -> Lesson:
    where = f"Lesson {name!r} of {game.title}"
    if not isinstance(table, dict):
        raise InputError(f"{where} must be a table.")
    for field in TEXTS:
        if not isinstance(table.get(field), str):
            raise InputError(f"{where} needs a text {field!r}.")
    try:
        start = parse_game_id(table["position"])
        if start.game.name != game.name:
            raise InputError(f"its position is one of {start.game.title}.")
        position = start.start()
        task = Task(table.get("task", ""))
        named = table.get("answers")
        moves = position.moves() if named is None else [game.parse_move(each, position) for each in named]
        beads = table.get("beads", {})
        if not all(game.parse_move(text, position) and isinstance(n, int) for text, n in beads.items()):
            raise InputError("its beads must be whole numbers, each with a move.")
    except (ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{where}: {error}") from None
    if (named is None) != (task is Task.LEGAL):
        raise InputError(f"{where} must list its answers, unless every legal move is right.")
    if not set(moves) <= set(position.moves()) or not moves:
        raise InputError(f"{where} has an answer that is no legal move.")
    words = {field: printable(" ".join(table[field].split())) for field in TEXTS if field != "position"}
    return Lesson(name, position=position, task=task, answers=frozenset(moves), beads=beads, **words)


class Course:
    """A person's way through the lessons of a game.

    Args:
        game: a game that has lessons.
        finished: the names of the lessons that the person has finished before. The first other one comes
            first; when all are finished, the first.

    Raises:
        InputError: the game has no lessons, or they cannot be read.
    """

    def __init__(self, game: AnyGame, finished: frozenset[str] = frozenset()) -> None:
        self.game = game
        self.lessons = lessons_of(game)
        if not self.lessons:
            raise InputError(f"{game.title} has no lessons.")
        unfinished = (n for n, each in enumerate(self.lessons) if each.name not in finished)
        self.index = next(unfinished, 0)
        """The lesson on show, counted from 0."""
        self.answer: Any = None
        self.tried: Any = None
        """The wrong move that was tried last; None before."""

    @property
    def lesson(self) -> Lesson:
        return self.lessons[self.index]

    @property
    def position(self) -> Position[Any]:
        """The position on show: the lesson's, or after the right move the one that it led to."""
        start = self.lesson.position
        return start if self.answer is None else start.play(self.answer)

    @property
    def solved(self) -> bool:
        return self.answer is not None

    @property
    def last(self) -> bool:
        return self.index == len(self.lessons) - 1

    def play(self, move: Any) -> bool:
        """Answer with a move; returns whether it is right. After a right one nothing more is asked."""
        if self.solved:
            return True
        right = move in self.lesson.answers
        self.answer, self.tried = (move, None) if right else (None, move)
        return right

    def go(self, by: int) -> None:
        """Go to the next lesson, or back by a negative number; at the ends nothing happens."""
        to = self.index + by
        if 0 <= to < len(self.lessons):
            self.index = to
            self.again()

    def again(self) -> None:
        self.answer = self.tried = None

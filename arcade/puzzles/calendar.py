"""The puzzle of the day: one for each game, from the date in UTC, so that it is the same for everybody."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

from arcade.engines.control import Control
from arcade.engines.errors import InputError
from arcade.engines.registry import AnyGame
from arcade.puzzles.making import Maker
from arcade.puzzles.puzzle import Puzzle

WEEK = (1, 2, 2, 3, 3, 4, 5)
"""The grade of each day of the week, from Monday, the easiest, to Sunday, the hardest."""

TODAY = "today"


def today() -> date:
    """The date in UTC."""
    return datetime.now(UTC).date()


def grade_on(day: date) -> int:
    """The grade of a day's puzzles."""
    return WEEK[day.weekday()]


def parse_day(text: str) -> date:
    """Read a date like 2026-11-22, or "today".

    Raises:
        InputError: it is neither.
    """
    if text == TODAY:
        return today()
    try:
        if re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise InputError(f"The date {text[:40]!r} is not a day written like 2026-11-22.")


def daily(game: AnyGame, day: date, control: Control) -> Puzzle | None:
    """The puzzle of a day; None when stopped by the control.

    Raises:
        InputError: the game has no puzzle of that day's grade.
    """
    return Maker(game).make(f"daily {day.isoformat()}", control, grade_on(day))

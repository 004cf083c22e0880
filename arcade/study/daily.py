"""The daily map and the week's scores."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from arcade.engines.control import Control
from arcade.engines.position import Position
from arcade.engines.registry import AnyGame, GameID
from arcade.engines.verdict import ScoreVerdict
from arcade.play.match import HUMAN, Match

ALONE = (HUMAN,)
PAR_SECONDS = 5.0
"""Seconds to search for par. In this time, every computer finds the same score on a small deal."""
CLOSE = 90
"""Minimum percentage of the best known score that counts as close to it."""


@dataclass(frozen=True, slots=True)
class DayScore:
    points: int
    best: int | None
    """Best known score; None before a search."""

    def __str__(self) -> str:
        return str(self.points) if self.best is None else f"{self.points} of {self.best}"

    @property
    def percent(self) -> int:
        return 100 if self.best is None or self.points >= self.best else 100 * self.points // self.best

    @property
    def square(self) -> str:
        return "🟩" if self.percent >= 100 else "🟨" if self.percent >= CLOSE else "🟧"


Week = Mapping[date, DayScore | None]
"""Scores by day, from Monday to Sunday; None for a day without a score."""


def deal_of(game: AnyGame, day: date) -> GameID:
    """Return a day's deal. The seed is the date, for example 20261123."""
    return GameID(game, game.parameters.parse(game.practice.daily_board), seed=int(f"{day:%Y%m%d}"))


def day_of(match: Match) -> date | None:
    """Return the day of a solo match on a daily map; None for other matches."""
    game, seed = match.game, match.start.seed
    if game.practice.daily_board and tuple(match.seats) == ALONE and seed is not None and not match.players:
        with suppress(ValueError):
            day = date.fromisoformat(str(seed))
            return day if match.start == deal_of(game, day) else None
    return None


def days_of_week(day: date) -> list[date]:
    return [day + timedelta(number - day.weekday()) for number in range(7)]


def strip(week: Week) -> str:
    days = [f"{day:%a}" for day in week]
    shares = ["-" if score is None else str(score.percent) for score in week.values()]
    return "\n".join(" ".join(f"{word:>3}" for word in words) for words in (days, shares))


def week_sentences(week: Week) -> list[str]:
    return [f"{day:%A}: {score}." for day, score in week.items() if score is not None]


@dataclass(frozen=True, slots=True)
class DayMap:
    id: GameID
    verdict: ScoreVerdict
    moves: tuple[str, ...]

    @property
    def game(self) -> AnyGame:
        return self.id.game

    @property
    def title(self) -> str:
        return f"{self.game.title}, daily map"

    @property
    def start(self) -> Position[Any]:
        return self.id.start()

    @property
    def task(self) -> str:
        known = (
            "The best possible score is"
            if self.verdict.best == self.verdict.bound
            else "The best known score is"
        )
        return f"{self.game.teaching.goal} {known} {self.verdict.best}."

    def json(self) -> dict[str, object]:
        known = {"best": self.verdict.best, "bound": self.verdict.bound, "moves": list(self.moves)}
        return {"game": self.game.name, "id": str(self.id), **known, "task": self.task}


def map_of_day(game: AnyGame, day: date, control: Control) -> DayMap:
    id = deal_of(game, day)
    with control.within(PAR_SECONDS):
        verdict = game.solver.verdict(id.start(), control)
        assert isinstance(verdict, ScoreVerdict)
        return DayMap(id, verdict, tuple(map(str, game.solver.line(id.start(), control))))


def score_of(match: Match) -> DayScore:
    assert match.ending is not None
    return DayScore(match.ending.scores[0], match.best_of(match.first))


def chat_text(match: Match, day: date, week: Week) -> str:
    days = "".join("⬛" if score is None else score.square for score in week.values())
    head = f"solver-arcade, {match.game.title} {day}: {score_of(match)}"
    hints = f", hints {sum(match.hints)}" if sum(match.hints) else ""
    drawing = match.game.explanations.chat_drawing(match.last_position())
    return f"{head}{hints}\n{drawing}\n{days} Monday to Sunday\n"

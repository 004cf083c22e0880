"""A person's records: won, tied and lost, streaks, scores, puzzles and levels, for screens and the shell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from arcade.engines.players import RUNGS
from arcade.engines.registry import AnyGame, installed_games
from arcade.engines.verdict import Value
from arcade.engines.wording import capital, matches, moves
from arcade.store.queries import Finished, player_name
from arcade.store.store import PuzzleResult, Store
from arcade.study.review import Level, Sight, level


@dataclass(slots=True)
class Counts:
    """How many matches were won, tied and lost."""

    won: int = 0
    tied: int = 0
    lost: int = 0

    def add(self, seen: Value, number: int) -> None:
        """Count matches by their result for the person."""
        if seen is Value.WIN:
            self.won += number
        elif seen is Value.LOSS:
            self.lost += number
        else:
            self.tied += number

    @property
    def total(self) -> int:
        """All of them."""
        return self.won + self.tied + self.lost


@dataclass(slots=True)
class Streak:
    """Matches won in a row."""

    now: int = 0
    longest: int = 0

    def add(self, won: bool) -> None:
        """Go on with the next match."""
        self.now = self.now + 1 if won else 0
        self.longest = max(self.longest, self.now)


@dataclass(slots=True)
class Scores:
    """A person's scores in a race of one size."""

    played: int = 0
    highest: int | None = None
    compared: int = 0
    """How many of them have a best score known to compare with."""
    best_share: float | None = None
    """The largest share of the best known score, at most 1."""
    mean_share: float | None = None

    def add(self, points: int, best: int | None, number: int) -> None:
        """Count a score that was reached several times, and the best score known for the same start."""
        self.played += number
        self.highest = points if self.highest is None else max(self.highest, points)
        if best is not None and best > 0:
            share = points / best
            before = (self.mean_share or 0.0) * self.compared
            self.compared += number
            self.mean_share = (before + number * share) / self.compared
            self.best_share = max(self.best_share or 0.0, share)


@dataclass(slots=True)
class Breakdown:
    """A person's finished matches of one game, counted in several ways."""

    all: Counts = field(default_factory=Counts)
    by_size: dict[str, Counts] = field(default_factory=dict)
    by_opponent: dict[str, Counts] = field(default_factory=dict)
    by_side: dict[str, Counts] = field(default_factory=dict)
    streak: Streak = field(default_factory=Streak)
    scores: dict[str, Scores] = field(default_factory=dict)
    """By size."""

    def add(self, each: Finished, sides: tuple[str, str], number: int) -> None:
        """Count matches that ended alike."""
        if each.points is not None:
            self.scores.setdefault(each.size, Scores()).add(each.points, each.best, number)
        if each.person is None or each.opponent is None:
            return
        self.all.add(each.seen, number)
        for table, key in (
            (self.by_size, each.size),
            (self.by_opponent, each.opponent),
            (self.by_side, sides[each.person]),
        ):
            table.setdefault(key, Counts()).add(each.seen, number)


@dataclass(slots=True)
class Grades:
    """Puzzles of one grade."""

    solved: int = 0
    played: int = 0


@dataclass(frozen=True, slots=True)
class GameStatistics:
    """A person's records in one game."""

    game: str
    title: str
    every: Breakdown
    """All finished matches of the person."""
    unaided: Breakdown
    """Those without help."""
    level: Level | None
    puzzles: dict[int, Grades]
    """By grade."""

    @property
    def empty(self) -> bool:
        """Whether there is nothing to tell."""
        return not (self.every.all.total or self.every.scores or self.puzzles)

    def json(self) -> dict[str, Any]:
        """The records for `arcade stats --json`."""
        return {
            "game": self.game,
            "title": self.title,
            "all": asdict(self.every),
            "unaided": asdict(self.unaided),
            "level": None if self.level is None else _level_json(self.level),
            "puzzles": {str(grade): asdict(each) for grade, each in self.puzzles.items()},
        }


def _level_json(found: Level) -> dict[str, Any]:
    course = [{"time": round(when), **_sight_json(each)} for when, each in found.course]
    return {**_sight_json(found.sight), "equal": found.equal, "matches": found.matches, "course": course}


def _sight_json(sight: Sight) -> dict[str, int | None]:
    return {"sees": sight.best, "low": sight.low, "high": sight.high}


def statistics(store: Store) -> list[GameStatistics]:
    """A person's records in all installed games, from one query of the matches and one of the puzzles.

    Raises:
        StoreError: the store cannot be read.
    """
    games = {game.name: game for game in installed_games()}
    tables = {name: (Breakdown(), Breakdown()) for name in games}
    alike: Counter[Finished] = Counter()
    for each in store.finished():
        alike[each] += 1
        if each.person is not None and each.game in tables:
            every, unaided = tables[each.game]
            won = each.result == (Value.LOSS if each.person else Value.WIN)
            every.streak.add(won)
            if each.unaided:
                unaided.streak.add(won)
    for each, number in alike.items():
        if each.game in games:
            for table in tables[each.game][: 1 + each.unaided]:
                table.add(each, games[each.game].sides, number)
    puzzles = _puzzles(store.puzzles())
    return [
        GameStatistics(name, game.title, *tables[name], level(store, game), puzzles.get(name, {}))
        for name, game in games.items()
    ]


def _puzzles(results: Iterable[PuzzleResult]) -> dict[str, dict[int, Grades]]:
    found: dict[str, dict[int, Grades]] = {}
    for each in results:
        grades = found.setdefault(each.game, {}).setdefault(each.grade, Grades())
        grades.played += 1
        grades.solved += each.solved
    return {game: dict(sorted(grades.items())) for game, grades in found.items()}


Row = tuple[str, ...]
"""The cells of a line."""


@dataclass(frozen=True, slots=True)
class Section:
    """A small table of records."""

    title: str
    rows: list[Row]
    heads: Row = ()
    """What is above the columns after the first."""


def sections(found: GameStatistics) -> list[Section]:
    """The records of a game in words and numbers, the same on the screen and in the shell."""
    every, unaided = found.every, found.unaided
    told = []
    if every.all.total:
        rows = [("all", *_cells(every.all, unaided.all))]
        for words, counts, others in (
            ("{}".format, every.by_size, unaided.by_size),
            (lambda seat: f"against {player_name(seat)}", every.by_opponent, unaided.by_opponent),
            ("as {}".format, every.by_side, unaided.by_side),
        ):
            for key, each in sorted(counts.items()):
                if key:
                    rows.append((words(key), *_cells(each, others.get(key, Counts()))))
        heads = ("won", "tied", "lost", "no help: won", "tied", "lost")
        told.append(Section("Matches", rows, heads))
        rows = [
            ("now", str(every.streak.now), str(unaided.streak.now)),
            ("longest", str(every.streak.longest), str(unaided.streak.longest)),
        ]
        told.append(Section("Won in a row", rows, ("all", "no help")))
    if every.scores:
        told.append(
            Section(
                "Scores",
                [
                    (
                        size,
                        str(each.played),
                        str(each.highest),
                        _share(each.best_share),
                        _share(each.mean_share),
                    )
                    for size, each in sorted(every.scores.items())
                ],
                ("played", "highest", "of best known", "on average"),
            )
        )
    if found.puzzles:
        rows = [
            (f"grade {grade}", str(each.solved), str(each.played)) for grade, each in found.puzzles.items()
        ]
        told.append(Section("Puzzles", rows, ("solved", "played")))
    return told


def _cells(every: Counts, unaided: Counts) -> Row:
    numbers = [str(each) for counts in (every, unaided) for each in (counts.won, counts.tied, counts.lost)]
    return tuple(numbers)


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"


def level_sentence(found: Level, game: AnyGame) -> str:
    """A level in words, with the name that the game's ladder has for an equal opponent."""
    plies = found.plies
    rungs = dict(zip(game.sights, RUNGS, strict=True))
    equal = capital(rungs[plies]) if plies in rungs else f"one who sees {moves(plies)} ahead"
    told = f"You see {moves(str(found.sight))} ahead, by {matches(found.matches)} without help."
    return f"{told} An equal opponent is {equal}."

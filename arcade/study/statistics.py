"""The player's statistics: results, scores, streaks, puzzles, level and mistakes."""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from typing import Any

from arcade.engines.files import InputError
from arcade.engines.reasons import Rule
from arcade.engines.registry import AnyGame, installed_games, parse_game_id
from arcade.engines.seats import current_notation
from arcade.engines.verdict import Value
from arcade.engines.wording import capitalize, matches, quantity
from arcade.play.path import LADDER
from arcade.store.queries import Ending, Filter, Finished, player_name
from arcade.store.record import HUMAN, Mark
from arcade.store.store import PuzzleResult, Store
from arcade.study.puzzles import MODES
from arcade.study.review import Level, level

REVIEWED = 100


@dataclass(slots=True)
class Counts:
    won: int = 0
    tied: int = 0
    lost: int = 0

    def add(self, result: Value, number: int) -> None:
        self.won += number * (result is Value.WIN)
        self.tied += number * (result is Value.TIE)
        self.lost += number * (result is Value.LOSS)

    @property
    def total(self) -> int:
        return self.won + self.tied + self.lost


@dataclass(slots=True)
class Streak:
    now: int = 0
    longest: int = 0

    def add(self, won: bool) -> None:
        self.now = self.now + 1 if won else 0
        self.longest = max(self.longest, self.now)


@dataclass(slots=True)
class Scores:
    played: int = 0
    highest: int | None = None
    compared: int = 0
    best_share: float | None = None
    """Highest share of a best known score, from 0 to 1."""
    mean_share: float | None = None

    def add(self, points: int, best: int | None, number: int) -> None:
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
    all: Counts = field(default_factory=Counts)
    by_size: dict[str, Counts] = field(default_factory=dict)
    by_opponent: dict[str, Counts] = field(default_factory=dict)
    by_side: dict[str, Counts] = field(default_factory=dict)
    streak: Streak = field(default_factory=Streak)
    scores: dict[str, Scores] = field(default_factory=dict)

    def add(self, match: Finished, sides: tuple[str, str], number: int) -> None:
        if match.points is not None:
            self.scores.setdefault(match.size, Scores()).add(match.points, match.best, number)
        if match.person is None or match.opponent is None:
            return
        self.all.add(match.seen, number)
        tables = (self.by_size, self.by_opponent, self.by_side)
        for table, key in zip(tables, (match.size, match.opponent, sides[match.person]), strict=True):
            table.setdefault(key, Counts()).add(match.seen, number)


@dataclass(slots=True)
class Grades:
    solved: int = 0
    played: int = 0


@dataclass(frozen=True, slots=True)
class Missed:
    mistakes: int
    rules: tuple[tuple[Rule[Any], int], ...]
    """Rules, each with the number of mistakes that it explains. The most frequent rule comes first."""

    def json(self) -> dict[str, Any]:
        return {"mistakes": self.mistakes, "rules": {rule.id: number for rule, number in self.rules}}


def missed(store: Store, game: AnyGame, latest: int = REVIEWED) -> Missed:
    rules = {rule.id: rule for rule in game.explanations.rules if rule.shown}
    mistakes = 0
    counts: Counter[str] = Counter()
    finished = Filter(game=game.name, ended=Ending.DONE, played=True)
    for saved in store.matches(latest, finished) if rules else ():
        record = saved.record
        if Mark.BLUNDER not in record.marks or len(record.seats) < 2:
            continue
        try:
            first = parse_game_id(record.start).start().turn
        except InputError:
            continue
        for number, mark in enumerate(record.marks):
            seat = record.seats[(first + number) % 2]
            if mark == Mark.BLUNDER and (record.players[number] if record.players else seat) == HUMAN:
                mistakes += 1
                counts[record.rules[number] if record.rules else ""] += 1
    found = [(rules[rule], number) for rule, number in counts.most_common() if rule in rules]
    return Missed(mistakes, tuple(found))


@dataclass(frozen=True, slots=True)
class GameStatistics:
    game: str
    title: str
    every: Breakdown
    unaided: Breakdown
    level: Level | None
    puzzles: dict[int, Grades]
    missed: Missed

    @property
    def empty(self) -> bool:
        return not (self.every.all.total or self.every.scores or self.puzzles)

    def json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "title": self.title,
            "all": asdict(self.every),
            "unaided": asdict(self.unaided),
            "level": None if self.level is None else _level_json(self.level),
            "puzzles": {str(grade): asdict(counts) for grade, counts in self.puzzles.items()},
            "missed": self.missed.json(),
        }


def _level_json(level: Level) -> dict[str, Any]:
    course = [{"time": round(when), "rung": round(rung, 2)} for when, rung in level.course]
    return {
        "name": level.name,
        "rung": round(level.rung, 2),
        "low": LADDER[level.low],
        "high": LADDER[level.high],
        "provisional": level.provisional,
        "matches": level.matches,
        "course": course,
    }


def statistics(store: Store) -> list[GameStatistics]:
    games = {game.name: game for game in installed_games()}
    tables = {name: (Breakdown(), Breakdown()) for name in games}
    alike: Counter[Finished] = Counter()
    for match in store.finished():
        alike[match] += 1
        if match.person is not None and match.game in tables:
            for table in tables[match.game][: 1 + match.unaided]:
                table.streak.add(match.seen is Value.WIN)
    for match, number in alike.items():
        if match.game in games:
            game = games[match.game]
            # Older matches use other names for some players.
            with suppress(InputError):
                opponent = match.opponent and current_notation(game, match.opponent)
                match = match._replace(opponent=opponent)
            for table in tables[match.game][: 1 + match.unaided]:
                table.add(match, game.sides, number)
    puzzles = _puzzles(store.puzzles())
    return [
        GameStatistics(
            name, game.title, *tables[name], level(store, game), puzzles.get(name, {}), missed(store, game)
        )
        for name, game in games.items()
    ]


def _puzzles(results: Iterable[PuzzleResult]) -> dict[str, dict[int, Grades]]:
    by_game: dict[str, dict[int, Grades]] = {}
    modes = {mode.name for mode in MODES}
    for result in results:
        if result.mode not in modes:
            continue
        counts = by_game.setdefault(result.game, {}).setdefault(result.grade, Grades())
        counts.played += 1
        counts.solved += result.solved
    return {game: dict(sorted(grades.items())) for game, grades in by_game.items()}


Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    rows: list[Row]
    heads: Row = ()

    @property
    def columns(self) -> tuple[list[Row], list[int]]:
        columns = list(zip_longest((self.title, *self.heads), *self.rows, fillvalue=""))
        return columns, [max(map(len, column)) for column in columns]


def sections(records: GameStatistics) -> list[Section]:
    every, unaided = records.every, records.unaided
    tables = []
    if every.all.total:
        rows = [("all", *_cells(every.all, unaided.all))]
        for words, counts, others in (
            ("{}".format, every.by_size, unaided.by_size),
            (lambda seat: f"against {player_name(seat)}", every.by_opponent, unaided.by_opponent),
            ("as {}".format, every.by_side, unaided.by_side),
        ):
            for key, own in sorted(counts.items()):
                if key:
                    rows.append((words(key), *_cells(own, others.get(key, Counts()))))
        tables.append(Section("Matches", rows, ("won", "tied", "lost", "(without help)")))
        rows = [
            ("current", f"{every.streak.now} ({unaided.streak.now})"),
            ("longest", f"{every.streak.longest} ({unaided.streak.longest})"),
        ]
        tables.append(Section("Winning streak", rows, ("matches", "(without help)")))
    if every.scores:
        rows = []
        for size, scores in sorted(every.scores.items()):
            shares = (_share(scores.best_share), _share(scores.mean_share))
            rows.append((size, str(scores.played), str(scores.highest), *shares))
        tables.append(Section("Scores", rows, ("played", "highest", "of best known", "on average")))
    if records.puzzles:
        rows = [(f"grade {grade}", str(p.solved), str(p.played)) for grade, p in records.puzzles.items()]
        tables.append(Section("Puzzles", rows, ("first try", "played")))
    if records.missed.rules:
        total = records.missed.mistakes
        rows = [(rule.motto, f"{number} of {total}") for rule, number in records.missed.rules]
        tables.append(Section("Rules behind your mistakes", rows, ("mistakes",)))
    return tables


def summary(records: GameStatistics) -> str:
    every, won = records.every.all, records.unaided.all.won
    streak = records.every.streak
    told = []
    if every.total:
        told.append(f"{matches(every.total)}, {every.won} won, {every.tied} tied, {every.lost} lost")
        told.append(f"{won} won without help, winning streak: {streak.now} now, {streak.longest} at most")
    for size, scores in sorted(records.every.scores.items()):
        told.append(f"on {size} {scores.played} played, highest score {scores.highest}")
    if grades := records.puzzles.values():
        solved, tried = sum(grade.solved for grade in grades), sum(grade.played for grade in grades)
        told.append(f"{solved} of {quantity(tried, 'puzzle')} solved")
    said = f"{records.title}: {'; '.join(told)}."
    return said if records.level is None else f"{said} {level_sentence(records.level)}"


def _cells(every: Counts, unaided: Counts) -> Row:
    pairs = ((every.won, unaided.won), (every.tied, unaided.tied), (every.lost, unaided.lost))
    return tuple(f"{number} ({alone})" for number, alone in pairs)


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"


def level_sentence(level: Level) -> str:
    count = quantity(level.matches, "recent match", "recent matches")
    known = f"Your level: {capitalize(level.name)}, based on {count} without help"
    if not level.provisional:
        return f"{known}."
    between = f"between {capitalize(LADDER[level.low])} and {capitalize(LADDER[level.high])}"
    return f"{known} (provisional, {between})."

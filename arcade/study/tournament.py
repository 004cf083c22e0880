"""Tournaments between engines, and ratings of the players.

Ratings follow R. Bradley and M. Terry (Biometrika 39, 1952) on Elo's scale. A tie counts as half a win
and half a loss, so with many ties the intervals are too wide. Newton's method finds the maximum
likelihood. To keep the ratings finite, each player also has a tie with an imaginary player of rating 0.
Each interval extends 1.96 standard errors to both sides. The standard errors come from the inverse of the
observed information.
"""

import hashlib
import json
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from itertools import combinations, pairwise, product
from typing import Any, Self

import numpy as np

from arcade.engines.control import Control
from arcade.engines.files import InputError
from arcade.engines.registry import AnyGame, GameID, parse_game_id, random_seed
from arcade.engines.seats import current_notation, is_guest
from arcade.engines.verdict import Value
from arcade.engines.wording import quantity
from arcade.engines.workers import LocalPool, WorkerPool
from arcade.play.headless import play_to_end
from arcade.play.machines import Machines
from arcade.play.match import check_seat, new_match
from arcade.store.record import HUMAN, MatchRecord
from arcade.store.store import Store

ELO_SCALE = 400 / math.log(10)
"""Elo points per unit of the logistic function."""
Z_95 = 1.96
PRIOR_POINTS = 0.5
"""Points of each player for the tie with the imaginary player."""
MAX_STEP = 1.0
"""Maximum change of a strength in one Newton step. With larger steps, the search might never end."""

MAX_PLAYERS = 40
MAX_MATCHES = 20_000
ROUNDS = 10

POINTS = {Value.WIN: 1.0, Value.TIE: 0.5, Value.LOSS: 0.0}


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating and its 95 % interval, in Elo points relative to the average of all players."""

    value: float
    low: float
    high: float


def rate(points: Sequence[Sequence[float]]) -> list[Rating]:
    """Rate players. `points[i][j]` has the points of player i against player j. The diagonal is ignored."""
    made = np.array(points, float).reshape(len(points), len(points))
    np.fill_diagonal(made, 0.0)
    met = made + made.T
    strengths = np.zeros(len(made))
    while True:
        expected = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        alone = 1 / (1 + np.exp(-strengths))
        slope = (made - met * expected).sum(1) + PRIOR_POINTS - 2 * PRIOR_POINTS * alone
        weights = met * expected * expected.T
        information = np.diag(weights.sum(1) + 2 * PRIOR_POINTS * alone * (1 - alone)) - weights
        step = np.linalg.solve(information, slope)
        longest = np.abs(step).max(initial=0.0)
        if longest < 1e-9:
            break
        strengths += step * min(1.0, MAX_STEP / longest)
    centre = np.eye(len(made)) - 1 / max(len(made), 1)
    covariance = centre @ np.linalg.inv(information) @ centre
    values = ELO_SCALE * (centre @ strengths)
    reaches = Z_95 * ELO_SCALE * np.sqrt(np.diag(covariance))
    return [
        Rating(float(value), float(value - reach), float(value + reach))
        for value, reach in zip(values, reaches, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Pairing:
    number: int
    round: int
    first: int
    second: int
    start: str
    seats: tuple[str, str]
    seed: int
    seconds: float | None = None

    def play(self, machines: Machines) -> MatchRecord:
        """Play the match. Raises InputError if a player cannot take its seat."""
        match = new_match(parse_game_id(self.start), self.seats, machines, self.seed)
        return play_to_end(match, self.seconds).record()


def matches(texts: dict[str, str]) -> Callable[[dict[str, Any]], str]:
    """Return a function that plays a pairing. `texts` has the machines by name; they are not trained."""
    store = Store.in_memory()
    for name, text in texts.items():
        store.save_machine(name, text)
    machines = Machines(lambda: store)
    return lambda told: Pairing(**told).play(machines).to_json()


@dataclass(frozen=True, slots=True)
class Standing:
    player: str
    score: float
    played: int
    rating: float
    low: float
    high: float
    best_rank: int = 1
    worst_rank: int = 1

    @property
    def rank(self) -> str:
        best, worst = self.best_rank, self.worst_rank
        return f"{best}" if best == worst else f"{best}-{worst}"


def ranked(rows: Iterable[Standing]) -> list[Standing]:
    rows = sorted(rows, key=lambda row: -row.rating)
    return [
        replace(
            row,
            best_rank=1 + sum(other.low > row.high for other in rows),
            worst_rank=len(rows) - sum(other.high < row.low for other in rows),
        )
        for row in rows
    ]


def stretch_to_separate(standings: Sequence[Standing]) -> float:
    """Return the factor by which the number of matches would have to grow to separate all ranks.

    The width of an interval is inversely proportional to the square root of the number of matches.
    """
    stretch = 1.0
    for above, row in pairwise(standings):
        gap, reach = above.rating - row.rating, above.rating - above.low + row.high - row.rating
        stretch = max(stretch, (reach / gap) ** 2 if gap else math.inf)
    return stretch


class Tournament:
    """A tournament. In each round, each pair plays twice, so that each player has each side once.

    A machine plays only the side it was built for. Each round has its own deal, unless `start` has a seed.
    If `ladder` is set, only neighbours in the list play each other. `seconds` limits a move (default: the
    player's limit). Raises InputError if a player is unknown or has no opponent, or if there are too many
    players or matches.
    """

    def __init__(
        self,
        start: GameID,
        players: Iterable[str],
        rounds: int = ROUNDS,
        seed: int = 0,
        ladder: bool = False,
        machines: Machines | None = None,
        seconds: float | None = None,
    ) -> None:
        self.start = start
        self.rounds = rounds
        self.seed = seed
        self.ladder = ladder
        self.machines = machines
        self.seconds = seconds
        self.players: list[str] = []
        self._sides: list[list[int]] = []
        for who in players:
            self._enter(who.strip())
        if len(self.players) < 2:
            raise InputError("A tournament needs at least 2 players, for example --players beginner,casual.")
        if len(self.players) > MAX_PLAYERS:
            raise InputError(f"A tournament can have up to {MAX_PLAYERS} players, not {len(self.players)}.")
        self.schedule = list(self._pairings())
        self.records: dict[int, MatchRecord] = {}

    def _enter(self, who: str) -> None:
        if who == HUMAN:
            raise InputError("A tournament accepts engines only. Remove human from the players.")
        notation, sides, refusals = "", [], []
        for seat in range(2):
            try:
                notation = check_seat(self.start.game, self.start.parameters, seat, who, self.machines)
                sides.append(seat)
            except InputError as error:
                refusals.append(error)
        if not sides:
            raise refusals[0]
        if notation in self.players:
            raise InputError(f"The player {notation} is named twice. Name each player once.")
        self.players.append(notation)
        self._sides.append(sides)

    def _pairs(self) -> list[tuple[int, int]]:
        among = range(len(self.players))
        meeting = pairwise(among) if self.ladder else combinations(among, 2)
        both = [pair for one, other in meeting for pair in ((one, other), (other, one))]
        pairs = [(one, other) for one, other in both if 0 in self._sides[one] and 1 in self._sides[other]]
        for who in among:
            if not any(who in pair for pair in pairs):
                raise InputError(
                    f"The player {self.players[who]} has no opponent: no player that it would meet "
                    "can play the other side. Add an engine. Engines can play both sides."
                )
        return pairs

    def _pairings(self) -> Iterator[Pairing]:
        pairs = self._pairs()
        if len(pairs) * self.rounds > MAX_MATCHES:
            raise InputError(
                f"{len(pairs) * self.rounds:,} matches are too many. The limit is {MAX_MATCHES:,}. "
                "Choose fewer rounds or players."
            )
        for number, (round, (first, second)) in enumerate(product(range(self.rounds), pairs)):
            seats = (self.players[first], self.players[second])
            drawn = random_seed(random.Random(f"{self.seed}/{round}/{'/'.join(seats)}"))
            yield Pairing(number, round, first, second, self._deal(round), seats, drawn, self.seconds)

    def _deal(self, round: int) -> str:
        start = self.start
        if start.game.parameters.seeded and start.seed is None and start.position is None:
            return str(replace(start, seed=random_seed(random.Random(f"{self.seed}/{round}"))))
        return str(start)

    @property
    def kind(self) -> str:
        return "ladder" if self.ladder else "round robin"

    def _described(self) -> dict[str, Any]:
        return {
            "game": str(self.start),
            "players": self.players,
            "rounds": self.rounds,
            "seed": self.seed,
            "ladder": self.ladder,
            "seconds": self.seconds,
            "machines": self._states(),
        }

    @property
    def name(self) -> str:
        """The settings as JSON. The store saves the matches under this name."""
        return json.dumps(self._described())

    @classmethod
    def latest(cls, store: Store, game: AnyGame, machines: Machines) -> Self | None:
        for name in store.tournaments():
            described = _read_name(name)
            with suppress(InputError, KeyError, TypeError, ValueError):
                start = parse_game_id(described["game"])
                if start.game is game:
                    keys = ("players", "rounds", "seed", "ladder", "seconds")
                    tournament = cls(start, machines=machines, **{key: described[key] for key in keys})
                    tournament.restore(store)
                    return tournament
        return None

    def _states(self) -> dict[str, str]:
        """Return a digest of each machine. A machine that has been trained further counts as a new player."""
        digests = {}
        for who, sides in zip(self.players, self._sides, strict=True):
            for seat in sides if is_guest(self.start.game, who) else ():
                assert self.machines is not None
                text = self.machines.seated_text(who, self.start.game, self.start.parameters, seat)
                digests[f"{who}/{seat}"] = hashlib.sha256(text.encode()).hexdigest()[:16]
        return digests

    def restore(self, store: Store) -> None:
        """Load saved matches, even if the number of rounds has changed. Raises StoreError if it cannot."""
        own = self._described() | {"rounds": 0}
        for name in store.tournaments():
            if self._by_new_names(_read_name(name)) | {"rounds": 0} == own:
                for number, record in store.tournament_matches(name).items():
                    if number < len(self.schedule) and record.result is not None:
                        self.records[number] = record

    def _by_new_names(self, described: dict[str, Any]) -> dict[str, Any]:
        game, players = self.start.game, described.get("players", ())
        with suppress(InputError, TypeError, AttributeError):
            players = [current_notation(game, who) for who in players]
        return described | {"players": players}

    @property
    def finished(self) -> bool:
        return len(self.records) == len(self.schedule)

    @property
    def progress(self) -> str:
        return f"{len(self.records):,} of {quantity(len(self.schedule), 'match', 'matches')}"

    def cross(self) -> list[list[float | None]]:
        size = len(self.players)
        table: list[list[float | None]] = [[None] * size for _ in range(size)]
        for pairing in self.schedule:
            record = self.records.get(pairing.number)
            if record is not None and record.result is not None:
                one, other, points = pairing.first, pairing.second, POINTS[record.result]
                table[one][other] = (table[one][other] or 0.0) + points
                table[other][one] = (table[other][one] or 0.0) + 1 - points
        return table

    def standings(self) -> list[Standing]:
        points = [[made or 0.0 for made in row] for row in self.cross()]
        pairings = [pairing for pairing in self.schedule if pairing.number in self.records]
        played = Counter(player for pairing in pairings for player in (pairing.first, pairing.second))
        rows = []
        for number, rating in enumerate(rate(points)):
            value, low, high = (round(each, 1) + 0.0 for each in (rating.value, rating.low, rating.high))
            rows.append(Standing(self.players[number], sum(points[number]), played[number], value, low, high))
        return ranked(rows)

    def equal_ranks(self, standings: Sequence[Standing]) -> list[str]:
        shared = [row.rank for row in standings if row.best_rank < row.worst_rank]
        if not self.records or not shared:
            return []
        equal = f"Players with overlapping 95% intervals share ranks, such as {shared[0]}."
        if not self.finished:
            return [equal]
        a_round = len(self.schedule) // self.rounds
        wanted = len(self.records) * stretch_to_separate(standings) / a_round
        if wanted * a_round > MAX_MATCHES:
            return [equal, f"Even {MAX_MATCHES:,} matches would probably not separate them all."]
        rounds = _rounded_up(wanted)
        return [
            equal,
            f"It would take about {rounds:,} rounds ({rounds * a_round:,} matches) to separate them.",
        ]

    def lines(self) -> list[str]:
        standings, cross = self.standings(), self.cross()
        order = [self.players.index(standing.player) for standing in standings]
        width = max(map(len, ("player", *self.players)))
        totals = [f"{standing.score:g}/{standing.played}" for standing in standings]
        points = max(map(len, ("points", *totals)))
        column = max(len(str(len(order))), *(len(points_text(made)) for row in cross for made in row)) + 2
        numbers = "".join(f"{number:>{column}}" for number in range(1, len(order) + 1))
        lines = [
            f"{self.start}, {self.kind}, seed {self.seed}: {self.progress}",
            "",
            f" #   rank  {'player':{width}}  rating  {'95% interval':>13}  {'points':>{points}} {numbers}",
        ]
        for number, (standing, total, row) in enumerate(zip(standings, totals, order, strict=True), 1):
            met = ("." if row == other else points_text(cross[row][other]) for other in order)
            rating, low, high = (f"{round(n):>+6}" for n in (standing.rating, standing.low, standing.high))
            line = f"{number:>2}  {standing.rank:>5}  {standing.player:{width}}"
            line += f"  {rating}  {low} {high}  {total:>{points}} "
            lines.append((line + "".join(f"{text:>{column}}" for text in met)).rstrip())
        equal = self.equal_ranks(standings)
        return [*lines, "", *equal] if equal else lines

    def play(
        self,
        control: Control,
        pool: WorkerPool | None = None,
        store: Store | None = None,
        finished: Callable[[int, MatchRecord], None] | None = None,
    ) -> None:
        """Play the remaining matches in a pool (default: in this process). Call `finished` after each match.

        Raises InputError if a player cannot take its seat or the store fails, and RuntimeError if an engine
        fails.
        """
        name, finished = self.name, finished or self.records.__setitem__
        left = [(each.number, asdict(each)) for each in self.schedule if each.number not in self.records]
        guests = any(is_guest(self.start.game, who) for who in self.players)
        texts = self.machines.store.machines() if self.machines is not None and guests else {}
        played = (pool or LocalPool(0)).work("arcade.study.tournament:matches", texts, left, control)
        with closing(played):
            for number, text in played:
                record = MatchRecord.from_json(text)
                if store is not None:
                    store.save_tournament_match(name, number, record)
                finished(number, record)


def _read_name(name: str) -> dict[str, Any]:
    with suppress(ValueError):
        described = json.loads(name)
        if isinstance(described, dict):
            return described
    return {}


def _rounded_up(number: float) -> int:
    step = max(int(10 ** (len(str(math.ceil(number))) - 2)), 1)
    return math.ceil(number / step) * step


def points_text(points: float | None) -> str:
    return "" if points is None else f"{points:g}"

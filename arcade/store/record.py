"""The record of a match: plain data, and its JSON text."""

import json
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Self

from arcade.engines.files import InputError
from arcade.engines.parsing import check_limits, convert, error_context, parse_json
from arcade.engines.registry import board_of, parse_game_id
from arcade.engines.verdict import Squares, Value

HUMAN = "human"

UNSEEN = "?"
"""Placeholder for the player of a move that was made outside the arcade."""

DAMAGED = "The saved match is damaged"

MAX_POINTS = 1_000_000

MAX_LENGTH = 1_000_000
"""Maximum length of a record in characters. The longest match so far needs about 5,000."""


class Mark(StrEnum):
    ONLY = "only move"
    GOOD = "kept the value"
    BLUNDER = "threw it away"
    INACCURACY = "lost points"
    """A move in a race that lost less than a quarter of the points that were still possible."""
    HINTED = "the program's hint"
    """A move that followed a hint. It does not count for the player's level."""

    @property
    def bad(self) -> bool:
        return self in (Mark.BLUNDER, Mark.INACCURACY)


class Coach(StrEnum):
    QUIET = "quiet"
    MISTAKES = "mistakes"
    """The coach warns after a move that gave away a win or a tie."""
    OPEN = "open"

    @property
    def summary(self) -> str:
        return {
            Coach.QUIET: "stays silent until the end",
            Coach.MISTAKES: "warns after a mistake",
            Coach.OPEN: "shows verdicts, which counts as help",
        }[self]


_COUNT = {"limits": (0, 10**15)}
_POINTS = {"limits": (-MAX_POINTS, MAX_POINTS)}
_LOSS = {"limits": (0, MAX_POINTS)}
_SEAT = {"each": "seat"}
_MOVE = {"each": "move"}
"""Metadata of a field with one value for each move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    """A match as plain data. Only a replay checks that its moves are legal.

    Fields with defaults may be missing in older records.
    """

    game: str
    start: str
    seed: int = 0
    taught: bool = False
    seats: tuple[str, ...]
    """The players: "human", an engine's notation or a machine's name for each side."""
    moves: tuple[str, ...]
    """All moves, including taken-back moves that can still be redone."""
    marks: tuple[str, ...] = field(metadata=_MOVE)
    """For each move, a value of `Mark` or ""."""
    played: int = field(metadata=_COUNT)
    hints: tuple[int, ...] = field(metadata=_SEAT | _COUNT)
    takebacks: int = field(default=0, metadata=_COUNT)
    values: int = field(default=0, metadata=_COUNT)
    coach: Coach = Coach.OPEN
    """The most helpful coach setting that was used while a human played."""
    resigned: int | None = field(metadata=_COUNT)
    result: Value | None
    """The result for the first seat, or None before the end."""
    scores: tuple[int, ...] = field(default=(), metadata=_SEAT | _POINTS)
    """The score of each seat. Empty in a duel, before the end and in older records."""
    comments: tuple[str, ...] = field(default=(), metadata=_MOVE)
    """For each move, a comment or "". The words of a comment are separated by single spaces."""
    rules: tuple[str, ...] = field(default=(), metadata=_MOVE, compare=False)
    """For each move, the ID of the rule that explains the mistake, or "". Match files omit these IDs."""
    reasons: tuple[str, ...] = field(default=(), metadata=_MOVE, compare=False)
    """For each move, the reason why it was a mistake, or "". Match files omit these reasons."""
    squares: tuple[Squares, ...] = field(default=(), metadata=_MOVE, compare=False)
    """For each move, the squares that its reason refers to. Match files omit these squares."""
    lost: tuple[int, ...] = field(default=(), metadata=_MOVE | _LOSS)
    """For each move of a race, the points that it lost, as far as known."""
    players: tuple[str, ...] = field(default=(), metadata=_MOVE)
    """For each move, the player who made it, or `UNSEEN`. Empty if every seat kept its player."""

    @property
    def person(self) -> int | None:
        """Seat of the human who plays against an engine, or None."""
        return self.seats.index(HUMAN) if len(self.seats) == 2 and self.seats.count(HUMAN) == 1 else None

    @property
    def opponent(self) -> str | None:
        return None if self.person is None else self.seats[1 - self.person]

    @property
    def unaided(self) -> bool:
        """True if a human played without hints, values, verdicts or takebacks."""
        helped = any(self.hints) or self.takebacks or self.values or self.coach is Coach.OPEN or self.players
        return HUMAN in self.seats and not helped

    @property
    def points(self) -> int | None:
        return self.scores[self.seats.index(HUMAN)] if self.scores and self.seats.count(HUMAN) == 1 else None

    @property
    def counts(self) -> bool:
        """True if the match began at the board's first position and every seat kept its player."""
        return not self.set_up and not self.players

    @property
    def set_up(self) -> bool:
        if board_of(self.start)[1] is None:
            return False
        try:
            return parse_game_id(self.start).set_up
        except Exception:
            # The game is missing, or its rules fail.
            return True

    @property
    def digest(self) -> str:
        """A hash of the match as it was played, without the data that reviews and newer versions add."""
        from hashlib import sha256  # loads OpenSSL

        played = (self.start, self.seed, self.seats, self.moves, self.played, self.resigned, self.result)
        helped = (self.hints, self.takebacks, self.values, self.coach, self.players)
        comments = self.comments if any(self.comments) else ()
        return sha256(json.dumps((played, helped, comments)).encode()).hexdigest()[:32]

    @property
    def size(self) -> str:
        return board_of(self.start)[0]

    @property
    def revealed(self) -> bool:
        """True if marks and reasons may be shown: the match is over, has no human, or its coach is open."""
        return self.result is not None or HUMAN not in self.seats or self.coach is Coach.OPEN

    def shown(self) -> Self:
        if self.revealed:
            return self
        marks = tuple(mark if mark == Mark.HINTED else "" for mark in self.marks)
        return replace(self, marks=marks, rules=(), reasons=(), squares=(), lost=())

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        with error_context(DAMAGED):
            data = parse_json(text, MAX_LENGTH)
        return cls.from_data(data)

    @classmethod
    def from_data(cls, data: Any, damaged: str = DAMAGED) -> Self:
        """Return the record in JSON data. The notations of moves and positions are not checked.

        Raises InputError with a message that begins with `damaged`.
        """
        with error_context(damaged):
            record = convert(data, cls, others=True)
            record._check()
        return record

    def _check(self) -> None:
        if self.start.partition("#")[0].partition(":")[0] != self.game:
            raise InputError("its 'start' is a position of another game.")
        if not 1 <= len(self.seats) <= 2:
            raise InputError("its 'seats' must name one or two players.")
        if not all(mark in ("", *Mark) for mark in self.marks):
            raise InputError(f"each of its 'marks' must be empty or one of {', '.join(Mark)}.")
        if any(comment != " ".join(comment.split()) for comment in self.comments):
            raise InputError("the words of its 'comments' must be separated by single spaces.")
        if any(not player.strip() or "," in player for player in self.players):
            raise InputError("each of its 'players' must be a name without a comma.")
        for saved in fields(self):
            name, value = saved.name, getattr(self, saved.name)
            if each := saved.metadata.get("each"):
                count = len(getattr(self, f"{each}s"))
                if len(value) != count and (value or saved.default is MISSING):
                    raise InputError(f"its field {name!r} must have one value for each {each}.")
            if limits := saved.metadata.get("limits"):
                numbers = {name: value}
                if isinstance(value, tuple):
                    numbers = {f"{name}[{at}]": number for at, number in enumerate(value)}
                for place, number in numbers.items():
                    if number is not None:
                        check_limits(number, limits, place)
        if self.scores and self.result is None:
            raise InputError("it has 'scores' although the match is unfinished.")
        if self.played > len(self.moves):
            raise InputError("its 'played' is greater than the number of its moves.")
        if self.resigned is not None:
            lost = Value.LOSS if self.resigned == 0 else Value.WIN
            ended = self.resigned < len(self.seats) and self.result is (
                lost if len(self.seats) == 2 else Value.TIE
            )
        else:
            ended = self.result is None or self.played == len(self.moves)
        if not ended:
            raise InputError("its 'result' does not match the last position.")

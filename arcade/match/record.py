"""The record of a match: plain data for replay, and its JSON text."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self

from arcade.engines.files import InputError
from arcade.engines.verdict import Value

HUMAN = "human"
"""The seat notation of a person."""

DAMAGED = "The saved match is damaged"
"""How messages about records begin."""

MOST_POINTS = 1_000_000
"""The limit of a score in a record, far above those of our games."""

LONGEST = 1_000_000
"""Most characters of a record; the longest match of our games has some 5,000."""


class Mark(StrEnum):
    """The quality of a move."""

    ONLY = "only move"
    KEPT = "kept the value"
    THREW = "threw it away"
    LOST = "lost points"
    """In a race: points are lost, but less than a quarter of those that were still to be had."""
    HINTED = "the program's hint"
    """In a race: the program named this move, so it says nothing of who played it."""

    @property
    def bad(self) -> bool:
        """Whether the move is a mistake."""
        return self in (Mark.THREW, Mark.LOST)


class Coach(StrEnum):
    """How much a match tells before it is over."""

    QUIET = "quiet"
    """Nothing."""
    MISTAKES = "mistakes"
    """That a move gave the win or the tie away, once it has been played."""
    OPEN = "open"
    """Every verdict and mark."""

    @property
    def summary(self) -> str:
        """What this coach does, in a few words."""
        return _COACHES[self]

    @property
    def when(self) -> str:
        """When this coach speaks, in a word or two."""
        return {Coach.QUIET: "quiet", Coach.MISTAKES: "after mistakes", Coach.OPEN: "open"}[self]

    @property
    def next(self) -> Coach:
        """The coach that a key changes to."""
        order = list(Coach)
        return order[(order.index(self) + 1) % len(order)]


_COACHES = {
    Coach.QUIET: "says nothing before the end",
    Coach.MISTAKES: "speaks up after a mistake",
    Coach.OPEN: "shows every verdict",
}


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match as plain data. Only a replay checks whether its moves are legal."""

    game: str
    """The name of the game."""
    start: str
    """The game ID of the start."""
    seed: int
    """The random seed of the engines' choices."""
    taught: bool
    """Whether the machines in the seats have already learned from the match."""
    seats: tuple[str, ...]
    """The one or two seats: "human", an engine's notation or a machine's name."""
    moves: tuple[str, ...]
    """The notations of all moves, including those taken back."""
    marks: tuple[str, ...]
    """For each move the value of its `Mark`, or "" if unknown."""
    played: int
    """The number of moves not taken back."""
    hints: tuple[int, ...]
    """The number of hints used by each seat."""
    takebacks: int
    """How often persons took a move back."""
    values: int
    """How often a person looked at the values of all moves."""
    coach: Coach
    """The coach who said most while a person played."""
    resigned: int | None
    """The seat that resigned."""
    result: Value | None
    """The result for the first seat; None while the match is going on."""
    scores: tuple[int, ...] = ()
    """The final score of each seat of a race; empty in a duel, before the end and in older records."""
    comments: tuple[str, ...] = ()
    """For each move what somebody wrote about it in words with one space between them, or ""; empty where
    nobody wrote anything."""
    lost: tuple[int, ...] = ()
    """In a race, for each move the points that it lost as far as is known; empty where none did."""

    @property
    def person(self) -> int | None:
        """The seat of the only person, who plays against an engine; None if there is no person or two."""
        return self.seats.index(HUMAN) if len(self.seats) == 2 and self.seats.count(HUMAN) == 1 else None

    @property
    def unaided(self) -> bool:
        """Whether a person played, and nobody saw a hint, the values of moves or verdicts, or took back."""
        helped = any(self.hints) or self.takebacks or self.values or self.coach is Coach.OPEN
        return HUMAN in self.seats and not helped

    @property
    def points(self) -> int | None:
        """The final score of the only person in a race; None where there is none or it is not recorded."""
        return self.scores[self.seats.index(HUMAN)] if self.scores and self.seats.count(HUMAN) == 1 else None

    @property
    def size(self) -> str:
        """The parameters of the start, as in its game ID."""
        return self.start.partition(":")[2].partition(":")[0].partition("#")[0]

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a text from `to_json` and check everything except the game's own notations.

        Raises:
            InputError: something is missing or wrong; the message names it.
        """
        if len(text) > LONGEST:
            raise InputError(f"{DAMAGED}: it has {len(text):,} characters; the limit is {LONGEST:,}.")
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise InputError(f"{DAMAGED}: it is not valid JSON.") from None
        if not isinstance(data, dict):
            raise InputError(f"{DAMAGED}: it is not a JSON object.")
        return cls.from_data(data)

    @classmethod
    def from_data(cls, data: dict[str, Any], damaged: str = DAMAGED) -> Self:
        """Check everything except the game's own notations.

        Args:
            data: the fields as JSON has them; what older records lack may be missing.
            damaged: how a message begins.

        Raises:
            InputError: something is missing or wrong; the message names it.
        """
        data = _LATER | data
        for name, (holds, expected) in _FIELDS.items():
            if name not in data or not holds(data[name]):
                raise InputError(f"{damaged}: its {name!r} is not {expected}.")
        parts: dict[str, Any] = {
            name: tuple(data[name]) if isinstance(data[name], list) else data[name] for name in _FIELDS
        }
        parts["coach"] = Coach(data["coach"])
        parts["result"] = None if data["result"] is None else Value(data["result"])
        record = cls(**parts)
        record._check(damaged)
        return record

    def _check(self, damaged: str) -> None:
        """Refuse a record that contradicts itself."""
        if self.start.partition("#")[0].partition(":")[0] != self.game:
            raise InputError(f"{damaged}: its 'start' names another game.")
        if len(self.marks) != len(self.moves):
            raise InputError(f"{damaged}: it must have one of 'marks' for each move.")
        if self.comments and len(self.comments) != len(self.moves):
            raise InputError(f"{damaged}: it must have one of 'comments' for each move, or none.")
        if self.lost and len(self.lost) != len(self.moves):
            raise InputError(f"{damaged}: it must have one of 'lost' for each move, or none.")
        if self.scores and (self.result is None or len(self.scores) != len(self.seats)):
            raise InputError(f"{damaged}: it must have one of 'scores' for each seat.")
        if len(self.hints) != len(self.seats):
            raise InputError(f"{damaged}: it must have one of 'hints' for each seat.")
        if self.played > len(self.moves):
            raise InputError(f"{damaged}: its 'played' is more than the number of its moves.")
        if self.resigned is not None:
            lost = Value.LOSS if self.resigned == 0 else Value.WIN
            ended = self.resigned < len(self.seats) and self.result is (
                lost if len(self.seats) == 2 else Value.TIE
            )
        else:
            ended = self.result is None or self.played == len(self.moves)
        if not ended:
            raise InputError(f"{damaged}: its 'result' contradicts how it ended.")


def _text(value: object) -> bool:
    # No character that could control the terminal.
    return isinstance(value, str) and value.isprintable()


def _words(value: object) -> bool:
    return _text(value) and value == " ".join(str(value).split())


def _number(value: object) -> bool:
    return type(value) is int


def _count(value: object) -> bool:
    return type(value) is int and value >= 0


def _score(value: object) -> bool:
    return type(value) is int and abs(value) <= MOST_POINTS


def _loss(value: object) -> bool:
    return _count(value) and _score(value)


def _list(holds: Callable[[object], bool], least: int = 0, most: int = LONGEST) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(holds, value))


_FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "game": (_text, "a text"),
    "start": (_text, "a text"),
    "seed": (_number, "a whole number"),
    "taught": (lambda value: isinstance(value, bool), "true or false"),
    "seats": (_list(_text, 1, 2), "a list of one or two texts"),
    "moves": (_list(_text), "a list of texts"),
    "marks": (_list(("", *Mark).__contains__), "a list of known marks"),
    "played": (_count, "a whole number of at least 0"),
    "hints": (_list(_count), "a list of whole numbers of at least 0"),
    "takebacks": (_count, "a whole number of at least 0"),
    "values": (_count, "a whole number of at least 0"),
    "coach": (list(Coach).__contains__, "the name of a coach"),
    "resigned": (lambda value: value is None or _count(value), "a seat or nothing"),
    "result": ((None, *Value).__contains__, "win, loss, tie or nothing"),
    "scores": (_list(_score), "a list of whole numbers"),
    "comments": (_list(_words), "a list of texts without needless spaces"),
    "lost": (_list(_loss), "a list of whole numbers of at least 0"),
}
"""The expected type of each field of a record."""

_LATER: dict[str, Any] = {
    "seed": 0,
    "taught": False,
    "takebacks": 0,
    "values": 0,
    "coach": Coach.OPEN,
    "scores": [],
    "comments": [],
    "lost": [],
}
"""Fields that older records lack."""

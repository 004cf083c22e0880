"""Filters for saved matches, and summaries of matches for lists."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, NamedTuple

from arcade.engines.files import InputError
from arcade.engines.parsing import convert
from arcade.engines.registry import menu_words
from arcade.engines.verdict import Value
from arcade.engines.wording import capitalize, moves, quantity
from arcade.store.record import HUMAN, MatchRecord

FACTS: dict[str, Callable[[MatchRecord], int | str | None]] = {
    "person": lambda record: record.person,
    "start": lambda record: record.start,
    "size": lambda record: record.size,
    "seats": lambda record: ",".join(record.seats),
    "opponent": lambda record: record.opponent,
    "plies": lambda record: record.played,
    "unaided": lambda record: int(record.unaided),
    "points": lambda record: record.points,
    "counts": lambda record: int(record.counts),
    "digest": lambda record: record.digest,
}


class Ending(StrEnum):
    WON = "won"
    LOST = "lost"
    TIED = "tied"
    DONE = "finished"
    """Any finished match, including matches between engines."""
    OPEN = "unfinished"


_ENDED = {
    Ending.WON: "result = CASE WHEN person = 0 THEN 'win' WHEN person IS NOT NULL THEN 'loss' END",
    Ending.LOST: "result = CASE WHEN person = 0 THEN 'loss' WHEN person IS NOT NULL THEN 'win' END",
    Ending.TIED: "person IS NOT NULL AND result = 'tie'",
    Ending.DONE: "result IS NOT NULL",
    Ending.OPEN: "result IS NULL",
}


@dataclass(frozen=True, slots=True)
class Filter:
    game: str = ""
    ended: Ending | None = None
    unaided: bool = False
    counts: bool = False
    text: str = ""
    """Words separated by spaces. Each must occur in the game's name, the board's size or the players."""
    seats: str = ""
    """The exact players of the match, separated by commas."""
    id: int | None = None
    start: str = ""
    played: bool = False
    duel: bool = False
    before: int | None = None
    """ID of a match. Only matches that were last saved before this one are wanted."""

    def where(self) -> tuple[str, list[str | int]]:
        """Return an SQL condition and the values for its question marks."""
        exactly = {"id": self.id, "game": self.game, "start": self.start, "seats": self.seats}
        given = {f"{name} = ?": value for name, value in exactly.items() if value is not None and value != ""}
        conditions, values = ["plies IS NOT NULL", *given], [*given.values()]
        if self.ended is not None:
            conditions.append(_ENDED[self.ended])
        if self.unaided:
            conditions.append("unaided = 1")
        if self.counts:
            conditions.append("counts = 1")
        if self.played:
            conditions.append(f"instr(',' || seats || ',', ',{HUMAN},')")
        if self.duel:
            conditions.append("person IS NOT NULL")
        if self.before is not None:
            conditions.append("received < (SELECT received FROM matches WHERE id = ?)")
            values.append(self.before)
        for word in self.text.split():
            conditions.append("instr(lower(game || ' ' || size || ' ' || seats), ?)")
            values.append(word.lower())
        return " AND ".join(f"({each})" for each in conditions), values


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSummary:
    id: int
    game: str
    size: str
    seats: tuple[str, ...]
    person: int | None
    result: Value | None
    plies: int
    unaided: bool
    points: int | None
    best: int | None = None
    """Best known score, or None if it is unknown."""
    updated: float
    """Time of the last change, in seconds since the epoch."""

    @property
    def seen(self) -> Value | None:
        """The result for a human against an engine. None before the end and in all other matches."""
        if self.result is None or self.person is None:
            return None
        return self.result if self.person == 0 else self.result.reversed

    @property
    def headline(self) -> str:
        name = f"{game_title(self.game)} {self.size}".rstrip()
        if self.result is None:
            return f"{name}, move {self.plies}"
        if self.seen is not None:
            return f"{name}, {ENDS[self.seen]}"
        if self.points is not None:
            return f"{name}, {quantity(self.points, 'point')}"
        return f"{name}, {'tie after ' * (self.result is Value.TIE)}{moves(self.plies)}"

    @property
    def opponents(self) -> str:
        seats = self.seats
        others = [each for each in seats if each != HUMAN] or ["two people" if len(seats) > 1 else "solo"]
        return " - ".join(map(player_name, others))

    def saved_when(self, now: float) -> str:
        day, today = time.localtime(self.updated), time.localtime(now)
        form = "%H:%M" if day[:3] == today[:3] else "%d %b" if day.tm_year == today.tm_year else "%Y-%m-%d"
        return time.strftime(form, day)

    @classmethod
    def of(cls, id: int, record: MatchRecord, updated: float) -> MatchSummary:
        alike = ("game", "size", "seats", "person", "result", "unaided", "points")
        facts = {name: getattr(record, name) for name in alike}
        return cls(id=id, plies=record.played, updated=updated, **facts)

    @classmethod
    def from_row(cls, row: tuple[Any, ...]) -> MatchSummary | None:
        """Return the summary in a database row, or None if a value is damaged."""
        values = dict(zip(SUMMARY, row, strict=True))
        try:
            read = {"seats": values["seats"].split(","), "unaided": values["unaided"] == 1}
            found = convert(values | read, cls)
        except (AttributeError, InputError, TypeError):
            # A blob has no method split, and JSON has no blobs.
            return None
        alone = found.person is None or (found.person in (0, 1) and len(found.seats) == 2)
        return found if alone and 0 <= found.updated <= LAST_SECOND else None


def damaged_sentence(count: int) -> str:
    which = quantity(count, "saved match is", "saved matches are")
    return (
        f"{which} damaged and cannot be read. {'It stays' if count == 1 else 'They stay'} in the data file."
    )


SUMMARY = tuple(field.name for field in fields(MatchSummary))

DAY_SECONDS = 86_400

LAST_SECOND = 253_402_300_799

ENDS = {Value.WIN: "won", Value.LOSS: "lost", Value.TIE: "tie"}


def game_title(name: str) -> str:
    try:
        return menu_words(name)[0]
    except InputError:
        return capitalize(name)


def player_name(seat: str) -> str:
    return " ".join(capitalize(seat).split(":"))


class Finished(NamedTuple):
    game: str
    size: str
    opponent: str | None
    person: int | None
    """Seat of the human, or None in a solo race."""
    result: str
    unaided: int
    points: int | None
    best: int | None

    @property
    def seen(self) -> Value:
        result = Value(self.result)
        return result.reversed if self.person else result

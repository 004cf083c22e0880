"""Save machines as readable text: one versioned JSON object, fully checked when read back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from arcade.engines.files import InputError
from arcade.matchbox import box as beads
from arcade.matchbox.box import Box, BoxSet, missing_box
from arcade.matchbox.machine import MOST_STEPS, AnyMachine, Machine, Options, Overflow, Stretch, check_name

FORMAT = "solver-arcade machine"
VERSION = 1
"""The format's version, raised with every change; older versions stay readable."""

LONGEST = 4_000_000
"""Most characters to read; a machine of the largest game has about half of that."""

MOST_GAMES = 10**15

_SEATS = ("first", "second")
_BEADS = "beads"
_REWARDS = ("win", "tie", "loss")
_COUNTS = ("won", "tied", "lost", "resigned")

E = TypeVar("E", bound=StrEnum)


def to_json(machine: AnyMachine) -> str:
    """The machine as JSON text with a final newline; `from_json` reads back an equal machine.

    Beads are labelled by box and move, boxes by their position; each box is one line.
    """
    options = machine.options
    head = {
        "format": FORMAT,
        "version": VERSION,
        "name": machine.name,
        "game": options.game_id,
        "moves": _SEATS[options.seat],
        "boxes": options.box_set.value,
        "distinct moves": options.distinct,
        "first beads": list(options.first_beads),
        "rewards": dict(zip(_REWARDS, options.rewards, strict=True)),
        "last box only": options.last_only,
        "overflow": options.overflow.value,
        **{key: getattr(machine, key) for key in _COUNTS},
    }
    parts = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    content = _contents(machine.boxes.boxes, machine.beads)
    parts.append(
        _block(_BEADS, "{}", (f"{json.dumps(at)}: {json.dumps(has)}" for at, has in content.items()))
    )
    steps = (json.dumps(_step_json(machine, step)) for step in machine.history)
    parts.append(_block("history", "[]", steps))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _block(key: str, brackets: str, lines: Iterable[str]) -> str:
    inside = ",\n".join(f"    {line}" for line in lines)
    middle = f"\n{inside}\n  " if inside else ""
    return f"  {json.dumps(key)}: {brackets[0]}{middle}{brackets[1]}"


def _contents(boxes: Iterable[Box[Any, Any]], words: Iterable[int]) -> dict[str, dict[str, int]]:
    return {
        box.position.text(): {str(move): count for move, count in box.counts(word).items()}
        for box, word in zip(boxes, words, strict=True)
    }


def first_json(machine: AnyMachine, words: Iterable[int]) -> dict[str, dict[str, int]]:
    """The beads of the first move's boxes, by the box's position and the move."""
    return _contents(machine.boxes.first, words)


@dataclass(frozen=True)
class Heading:
    """A saved machine without its boxes."""

    game_id: str
    """The game and its parameters, e.g. "hexapawn:3x3"."""
    seat: int
    """0: it moves first; 1: second."""
    games: int
    """Number of games it has learned from."""


def heading(text: str) -> Heading | None:
    """Read only the part of a text from `to_json` above the boxes; None if damaged."""
    head = text.partition(f'\n  "{_BEADS}": ')[0].rstrip().removesuffix(",")
    try:
        data = json.loads(head + "\n}")
        reader = _Reader(data, "the machine")
        seat = _SEATS.index(reader.word("moves", _SEATS))
        games = sum(reader.number(key, 0, MOST_GAMES) for key in ("won", "tied", "lost"))
        game = reader.text("game")
        return Heading(game, seat, games) if game.isprintable() else None
    except (ValueError, TypeError, RecursionError):
        return None


def _step_json(machine: AnyMachine, step: Stretch) -> dict[str, Any]:
    counts = {key: getattr(step, key) for key in _COUNTS}
    return {
        "games": step.games,
        "opponent": step.opponent,
        **counts,
        "first": first_json(machine, step.first),
    }


def from_json(text: str) -> AnyMachine:
    """Read a machine written by `to_json`, perhaps edited by hand.

    It must have exactly the machine's boxes with all bead counts, each from 0 to 127, and the counts of games
    must agree with each other.

    Raises:
        InputError: the text is not a machine, or is damaged; the message says where, and what was expected.
    """
    if len(text) > LONGEST:
        raise InputError(f"The machine has {len(text):,} characters; the limit is {LONGEST:,}.")
    try:
        data = json.loads(text, object_pairs_hook=_without_repeats)
    except json.JSONDecodeError as error:
        raise InputError(
            f"The machine is not valid JSON: line {error.lineno}, column {error.colno}: {error.msg}."
        ) from None
    except InputError:
        raise
    except (RecursionError, ValueError):
        raise InputError(
            "The machine's JSON cannot be read: a number is too long or it nests too deeply."
        ) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f'This is not a machine of the arcade: "format" must be "{FORMAT}".')
    if type(data.get("version")) is not int or data["version"] != VERSION:
        raise InputError(
            f"The machine's format has version {_said(data.get('version'))}; "
            f"this arcade reads version {VERSION}."
        )
    reader = _Reader(data, "the machine")
    reader.take("format")
    reader.take("version")
    name = reader.text("name")
    game, _, parameters = reader.text("game").partition(":")
    check_name(name, game)
    options = Options(
        game=game,
        parameters=parameters,
        seat=_SEATS.index(reader.word("moves", _SEATS)),
        box_set=reader.choice("boxes", BoxSet),
        distinct=reader.flag("distinct moves"),
        first_beads=tuple(reader.numbers("first beads", 1, beads.MOST)),
        rewards=_rewards(reader.inner("rewards")),
        last_only=reader.flag("last box only"),
        overflow=reader.choice("overflow", Overflow),
    )
    kept = reader.inner(_BEADS)
    # Checked before searching the whole game, which takes seconds if it is too large.
    missing = missing_box(options.game, options.parameters, options.seat, options.box_set, kept)
    if missing is not None:
        kept.take(missing)
    machine: AnyMachine = Machine(name, options)
    for key in _COUNTS:
        setattr(machine, key, reader.number(key, 0, MOST_GAMES))
    if machine.resigned > machine.lost:
        raise InputError('"resigned" of the machine must not be more than "lost".')
    words = _words(machine.boxes.boxes, kept)
    for at, word in enumerate(words):
        machine.beads[at] = word
    history = reader.items("history", MOST_STEPS)
    for number, entry in enumerate(history, 1):
        machine.history.append(_step(machine, entry, f'step {number} of "history"'))
    reader.finish()
    return machine


def _rewards(reader: _Reader) -> tuple[int, int, int]:
    win, tie, loss = (reader.number(key, -beads.MOST, beads.MOST) for key in _REWARDS)
    reader.finish()
    return win, tie, loss


def _words(boxes: Iterable[Box[Any, Any]], reader: _Reader) -> list[int]:
    words = []
    for box in boxes:
        inner = reader.inner(box.position.text())
        words.append(
            beads.pack({slot: inner.number(str(move), 0, beads.MOST) for slot, move in box.moves.items()})
        )
        inner.finish()
    reader.finish()
    return words


def _step(machine: AnyMachine, entry: Any, where: str) -> Stretch:
    if not isinstance(entry, dict):
        raise InputError(f"In the machine, {where} must be an object, not {_said(entry)}.")
    reader = _Reader(entry, where)
    games, won, tied, lost, resigned = (reader.number(key, 0, MOST_GAMES) for key in ("games", *_COUNTS))
    opponent = reader.text("opponent")
    if not re.fullmatch(r"[A-Za-z0-9_.+-]{1,40}", opponent):
        raise InputError(f'"opponent" of {where} must be the name of a player, not {_said(opponent)}.')
    first = tuple(_words(machine.boxes.first, reader.inner("first")))
    reader.finish()
    before = machine.history[-1].games if machine.history else 0
    if not (resigned <= lost and 0 < won + tied + lost <= games - before and games <= machine.games):
        raise InputError(
            f"The games of {where} do not add up: they must follow those of the step before, resigned ones "
            f"be among the lost ones, and all be among the machine's {machine.games:,}."
        )
    return Stretch(games, opponent, won, tied, lost, resigned, first)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InputError(f"The machine names {_said(key)} twice in one object.")
        found[key] = value
    return found


def _said(value: Any) -> str:
    """A JSON value for a message, shortened."""
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 40 else f"{text[:37]}..."


class _Reader:
    """A JSON object whose keys are taken one by one, so that unknown keys can be refused."""

    def __init__(self, data: Mapping[str, Any], where: str) -> None:
        self._left = dict(data)
        self._where = where

    def __contains__(self, key: object) -> bool:
        return key in self._left

    def take(self, key: str) -> Any:
        if key not in self._left:
            raise InputError(f"{_said(key)} is missing in {self._where}.")
        return self._left.pop(key)

    def _refuse(self, key: str, value: Any, expected: str) -> InputError:
        return InputError(f"{_said(key)} of {self._where} must be {expected}, not {_said(value)}.")

    def text(self, key: str) -> str:
        value = self.take(key)
        if not isinstance(value, str):
            raise self._refuse(key, value, "a text")
        return value

    def flag(self, key: str) -> bool:
        value = self.take(key)
        if not isinstance(value, bool):
            raise self._refuse(key, value, "true or false")
        return value

    def number(self, key: str, low: int, high: int) -> int:
        value = self.take(key)
        if type(value) is not int or not low <= value <= high:
            raise self._refuse(key, value, f"a whole number from {low} to {high}")
        return value

    def numbers(self, key: str, low: int, high: int) -> list[int]:
        value = self.take(key)
        if not isinstance(value, list) or any(
            type(each) is not int or not low <= each <= high for each in value
        ):
            raise self._refuse(key, value, f"a list of whole numbers from {low} to {high}")
        return value

    def items(self, key: str, most: int) -> list[Any]:
        value = self.take(key)
        if not isinstance(value, list) or len(value) > most:
            raise self._refuse(key, value, f"a list of at most {most} items")
        return value

    def word(self, key: str, words: Iterable[str]) -> str:
        value = self.take(key)
        if value not in words:
            raise self._refuse(key, value, f"one of {', '.join(words)}")
        return str(value)

    def choice(self, key: str, choices: type[E]) -> E:
        return choices(self.word(key, [each.value for each in choices]))

    def inner(self, key: str) -> _Reader:
        value = self.take(key)
        if not isinstance(value, dict):
            raise self._refuse(key, value, "an object")
        return _Reader(value, f"{_said(key)} of {self._where}")

    def finish(self) -> None:
        """Refuse unknown keys."""
        for key in self._left:
            raise InputError(f"{_said(key)} is not known in {self._where}.")

"""Convert machines to and from versioned JSON text. docs/solvers/menace.md describes the format."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from arcade.engines.files import InputError
from arcade.engines.menace import box as beads
from arcade.engines.menace.box import Box, BoxSet, missing_box
from arcade.engines.menace.machine import (
    MAX_STEPS,
    AnyMachine,
    Machine,
    Options,
    Overflow,
    TrainingInterval,
    check_name,
)
from arcade.engines.parsing import check_limits, convert, error_context, parse_json, read_json

FORMAT = "solver-arcade machine"
VERSION = 1

MAX_LENGTH = 4_000_000
"""Maximum length of a machine's text in characters, about twice the length of the longest valid text."""

MAX_GAMES = 10**15

_SEATS: tuple[Literal["first"], Literal["second"]] = ("first", "second")
_BEADS = "beads"
_COUNTS = ("won", "tied", "lost", "resigned")

Contents = dict[str, dict[str, int]]


@dataclass(frozen=True)
class _Rewards:
    win: int
    tie: int
    loss: int


@dataclass(frozen=True, kw_only=True)
class _Step:
    games: int
    opponent: str
    won: int
    tied: int
    lost: int
    resigned: int
    first: Contents


@dataclass(frozen=True, kw_only=True)
class _File:
    format: str
    version: int
    name: str
    game: str
    moves: Literal["first", "second"]
    boxes: BoxSet
    distinct_moves: bool
    first_beads: tuple[int, ...]
    rewards: _Rewards
    last_box_only: bool
    overflow: Overflow
    won: int
    tied: int
    lost: int
    resigned: int
    beads: Contents
    history: list[_Step]


def to_json(machine: AnyMachine) -> str:
    options = machine.options
    win, tie, loss = options.rewards
    head = {
        "format": FORMAT,
        "version": VERSION,
        "name": machine.name,
        "game": options.game_id,
        "moves": _SEATS[options.seat],
        "boxes": options.box_set,
        "distinct moves": options.distinct,
        "first beads": options.first_beads,
        "rewards": {"win": win, "tie": tie, "loss": loss},
        "last box only": options.last_only,
        "overflow": options.overflow,
        **{key: getattr(machine, key) for key in _COUNTS},
    }
    contents = _contents(machine.boxes.boxes, machine.beads)
    steps = (vars(step) | {"first": first_json(machine, step.first)} for step in machine.history)
    parts = [
        *(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()),
        f'  "{_BEADS}": '
        + _block("{}", [f"{json.dumps(at)}: {json.dumps(has)}" for at, has in contents.items()]),
        '  "history": ' + _block("[]", [json.dumps(step) for step in steps]),
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _block(brackets: str, lines: Sequence[str]) -> str:
    inside = ",\n".join(f"    {line}" for line in lines)
    return f"{brackets[0]}\n{inside}\n  {brackets[1]}" if lines else brackets


def _contents(boxes: Iterable[Box[Any, Any]], words: Iterable[int]) -> Contents:
    return {
        box.position.text(): {str(move): count for move, count in box.counts(word).items()}
        for box, word in zip(boxes, words, strict=True)
    }


def first_json(machine: AnyMachine, words: Iterable[int]) -> Contents:
    return _contents(machine.boxes.first, words)


@dataclass(frozen=True)
class MachineHeader:
    game_id: str
    seat: int
    games: int


@dataclass(frozen=True)
class _Header:
    game: str
    moves: Literal["first", "second"]
    won: int
    tied: int
    lost: int


def read_header(text: str) -> MachineHeader | None:
    above = text.partition(f'\n  "{_BEADS}": ')[0].rstrip().removesuffix(",")
    try:
        head = read_json(above + "\n}", _Header, others=True)
        for key in ("won", "tied", "lost"):
            check_limits(getattr(head, key), (0, MAX_GAMES), key)
    except InputError:
        return None
    return MachineHeader(head.game, _SEATS.index(head.moves), head.won + head.tied + head.lost)


def from_json(text: str) -> AnyMachine:
    """Read a machine from a text that `to_json` wrote. Raises InputError if the text is invalid."""
    with error_context("The machine cannot be read"):
        return _machine(parse_json(text, MAX_LENGTH))


def _field(name: str) -> str:
    """Convert between a key of the file, which has spaces, and a field name, which has underscores."""
    return name.translate(str.maketrans("_ ", " _"))


def _machine(data: Any) -> AnyMachine:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f'this is not a saved matchbox machine: "format" must be "{FORMAT}".')
    version = data.get("version")
    if type(version) is not int or version != VERSION:
        shown = json.dumps(version)[:40]
        raise InputError(f"its format has version {shown}; this arcade reads version {VERSION}.")
    file = convert({_field(name): value for name, value in data.items()}, _File)
    game, _, parameters = file.game.partition(":")
    check_name(file.name, game)
    for name, number in asdict(file.rewards).items():
        check_limits(number, (-beads.MAX_BEADS, beads.MAX_BEADS), f"rewards.{name}")
    options = Options(
        game=game,
        parameters=parameters,
        seat=_SEATS.index(file.moves),
        box_set=file.boxes,
        distinct=file.distinct_moves,
        first_beads=file.first_beads,
        rewards=(file.rewards.win, file.rewards.tie, file.rewards.loss),
        last_only=file.last_box_only,
        overflow=file.overflow,
    )
    missing = missing_box(game, parameters, options.seat, options.box_set, file.beads)
    if missing is not None:
        raise _missing(missing, _BEADS)
    machine: AnyMachine = Machine(file.name, options)
    for key in _COUNTS:
        check_limits(getattr(file, key), (0, MAX_GAMES), key)
        setattr(machine, key, getattr(file, key))
    if machine.resigned > machine.lost:
        raise InputError("'resigned' must not be greater than 'lost'.")
    for at, word in enumerate(_words(machine.boxes.boxes, file.beads, _BEADS)):
        machine.beads[at] = word
    for at, step in enumerate(file.history):
        machine.history.append(_interval(machine, step, f"history[{at}]"))
    del machine.history[:-MAX_STEPS]
    return machine


def _words(boxes: Iterable[Box[Any, Any]], contents: Contents, place: str) -> list[int]:
    words, others = [], dict(contents)
    for box in boxes:
        label = box.position.text()
        if label not in others:
            raise _missing(label, place)
        counts, inside = others.pop(label), f"{place}[{json.dumps(label)}]"
        slots = {str(move): slot for slot, move in box.moves.items()}
        for move in slots:
            if move not in counts:
                raise _missing(move, inside)
        for move, count in counts.items():
            if move not in slots:
                raise _unknown(move, inside)
            check_limits(count, (0, beads.MAX_BEADS), f"{inside}[{json.dumps(move)}]")
        words.append(beads.pack({slots[move]: count for move, count in counts.items()}))
    for label in others:
        raise _unknown(label, place)
    return words


def _missing(name: str, place: str) -> InputError:
    return InputError(f"{json.dumps(name)} is missing from {place}.")


def _unknown(name: str, place: str) -> InputError:
    return InputError(f"{json.dumps(name)[:40]} is not known in {place}.")


def _interval(machine: AnyMachine, step: _Step, place: str) -> TrainingInterval:
    if not re.fullmatch(r"[A-Za-z0-9_.+-]{1,40}", step.opponent):
        raise InputError(f"{place}.opponent must be the name of a player.")
    for key in ("games", *_COUNTS):
        check_limits(getattr(step, key), (0, MAX_GAMES), f"{place}.{key}")
    played = step.won + step.tied + step.lost
    before = machine.history[-1].games if machine.history else 0
    if not (step.resigned <= step.lost and 0 < played <= step.games - before and step.games <= machine.games):
        raise InputError(
            f"the games of {place} do not add up. Compare its numbers with each other, with the step before, "
            f"and the machine's total of {machine.games:,} games."
        )
    first = tuple(_words(machine.boxes.first, step.first, f"{place}.first"))
    return TrainingInterval(step.games, step.opponent, step.won, step.tied, step.lost, step.resigned, first)

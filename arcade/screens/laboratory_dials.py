"""The laboratory's dials: their values, and the set-ups that follow when one changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arcade.engines.errors import InputError
from arcade.learning.experiment import MOST_RUNS
from arcade.learning.machines import Machines
from arcade.screens.experiments import (
    EXHIBITS,
    FRESH,
    GAMES,
    MOST_GAMES,
    NOBODY,
    OPPONENTS,
    RUNS,
    Setup,
    alike,
    can_meet,
    fresh_names,
    machine_of,
    opponent_of,
    usual_games,
)
from arcade.widgets.dials import Dial

MOST_SEED = 2**63 - 1

TYPED = {
    "opponent": ("Opponent", "random, perfect or 0.8"),
    "games": ("Games", f"1 to {MOST_GAMES:,}"),
    "seed": ("Seed", "a whole number"),
    "runs": ("Runs", f"1 to {MOST_RUNS}"),
}
"""The dials whose values can be typed: a prompt and an example for each."""


def dials_of(setup: Setup, exhibit: int | None, speed: str) -> list[Dial]:
    """The dials with their present values.

    Args:
        setup: the values.
        exhibit: the ready-made experiment shown; None for a custom set-up.
        speed: the name of the speed.
    """
    title = "your own" if exhibit is None else EXHIBITS[exhibit].title
    runs = "one" if setup.runs == 1 else f"{setup.runs}, averaged"
    both = [Dial("both", "It learns", "both learn" if setup.both else "does not learn")]
    return [
        Dial("exhibit", "Show", title),
        Dial("machine", "Machine", setup.machine),
        Dial("opponent", "Opponent", setup.opponent, typed=True),
        *(both if _is_machine(setup.opponent) else ()),
        Dial("games", "Games", f"{setup.games:,}", typed=True),
        Dial("seed", "Seed", str(setup.seed), typed=True),
        Dial("runs", "Runs", runs, typed=True),
        Dial("beside", "Beside it", setup.beside),
        Dial("speed", "Speed", speed),
    ]


def turned(setup: Setup, name: str, by: int, machines: Machines) -> Setup:
    """The set-up after turning a dial by one.

    Raises:
        InputError: the saved machines cannot be read.
    """
    if name == "seed":
        return replace(setup, seed=min(max(setup.seed + by, 0), MOST_SEED))
    if name == "both":
        return replace(setup, both=not setup.both)
    if name == "games":
        return replace(setup, games=_nearest(GAMES, setup.games, by))
    if name == "runs":
        return replace(setup, runs=_nearest(RUNS, setup.runs, by))
    names = [*fresh_names(), *machines.listed()]
    if name == "machine":
        name = _next(names, setup.machine, by)
        usual = setup.games == usual_games(setup.machine, machines)
        games = usual_games(name, machines) if usual else setup.games
        return fitting(replace(setup, machine=name, games=games), machines)
    if name == "opponent":
        meet = [each for each in names if can_meet(setup.machine, each, machines)]
        return replace(setup, opponent=_next([*OPPONENTS, *meet], setup.opponent, by))
    like = [each for each in names if alike(setup.machine, each, machines)]
    return replace(setup, beside=_next([NOBODY, *like], setup.beside, by))


def fitting(setup: Setup, machines: Machines) -> Setup:
    """The set-up without parts that do not fit its machine."""
    if _is_machine(setup.opponent) and not can_meet(setup.machine, setup.opponent, machines):
        setup = replace(setup, opponent="random")
    if setup.beside != NOBODY and not alike(setup.machine, setup.beside, machines):
        setup = replace(setup, beside=NOBODY)
    return setup


def typed(setup: Setup, name: str, text: str, machines: Machines) -> Setup:
    """The set-up with a typed value.

    Raises:
        InputError: the text is not a value of this dial.
    """
    if name == "opponent":
        setup = replace(setup, opponent=text)
        opponent_of(setup, machines).check(machine_of(setup.machine, machines))
        return setup
    if name == "games":
        return replace(setup, games=_number(text, "The number of games", 1, MOST_GAMES))
    if name == "seed":
        return replace(setup, seed=_number(text, "The seed", 0, MOST_SEED))
    return replace(setup, runs=_number(text, "The number of runs", 1, MOST_RUNS))


def _is_machine(opponent: str) -> bool:
    return opponent.startswith(FRESH) or (opponent[:1].isalpha() and opponent not in OPPONENTS)


def _next(values: Sequence[str], value: str, by: int) -> str:
    """The next of some values, wrapping around."""
    at = values.index(value) if value in values else -1 if by > 0 else 0
    return values[(at + by) % len(values)]


def _nearest(values: Sequence[int], value: int, by: int) -> int:
    """The next larger or smaller of some numbers, or the value itself."""
    if by > 0:
        return next((each for each in values if each > value), value)
    return next((each for each in reversed(values) if each < value), value)


def _number(text: str, what: str, low: int, high: int) -> int:
    digits = text.replace(",", "").replace("_", "")
    if not digits.isdecimal() or len(digits) > 20 or not low <= int(digits) <= high:
        raise InputError(f"{what} must be a whole number from {low:,} to {high:,}, not {text!r}.")
    return int(digits)

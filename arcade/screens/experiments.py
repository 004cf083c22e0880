"""What the laboratory can be set to: whom to train, against whom, and experiments that show something."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arcade.engines.menace.machine import PRESETS, AnyMachine, Machine, Options, Overflow
from arcade.engines.menace.opponents import Opponent, parse_opponent
from arcade.machines import Machines

FRESH = "fresh "
"""What the name of a machine begins with that is made for an experiment and not kept."""

_BY_NAME = {preset.name: preset.options for preset in PRESETS}
_MICHIE = _BY_NAME["michie"]

KINDS: dict[str, Options] = {
    "Michie": _MICHIE,
    "Scroggs": _BY_NAME["scroggs"],
    "Halving": replace(_BY_NAME["scroggs"], overflow=Overflow.HALVE),
    "Every-cell": replace(_MICHIE, distinct=False),
    "Second": replace(_MICHIE, seat=1),
    "HER": _BY_NAME["her"],
    "HER-4x4": _BY_NAME["her4"],
}
"""The machines that experiments are made with, by name."""

OPPONENTS = ("random", "0.5", "0.8", "0.9", "perfect")
GAMES = (10, 30, 100, 300, 1_000, 3_000, 10_000, 20_000, 100_000, 1_000_000)
MOST_GAMES = 100_000_000
RUNS = (1, 10, 30, 100, 300)
NOBODY = "nobody"


@dataclass(frozen=True)
class Setup:
    """The dials of the laboratory."""

    machine: str
    opponent: str = "random"
    games: int = 1_000
    seed: int = 1
    runs: int = 1
    beside: str = NOBODY
    """Another machine that is trained the same way, to compare."""
    both: bool = False
    """Whether an opponent that is a machine learns too."""


@dataclass(frozen=True)
class Exhibit:
    """A set-up that shows something, with what to look for."""

    title: str
    setup: Setup
    words: str


EXHIBITS = (
    Exhibit(
        "Starved by perfect",
        Setup("fresh Michie", "perfect", runs=300),
        "Michie's 4, 3, 2, 1 beads against perfect play: in about three runs of four the first box is "
        "emptied, and the machine refuses to play.",
    ),
    Exhibit(
        "One such run",
        Setup("fresh Michie", "perfect"),
        "A single machine: each loss takes a bead, a tie gives one. Turn the seed to see others live or die.",
    ),
    Exhibit(
        "Schooled by random",
        Setup("fresh Michie", "random", runs=100),
        "Against random play the machine wins about three games of four after two hundred games.",
    ),
    Exhibit(
        "More first beads",
        Setup("fresh Michie", "perfect", runs=100, beside="fresh Scroggs"),
        "Scroggs' 8, 4, 2, 1 beads outlast a perfect opponent more often than Michie's 4, 3, 2, 1.",
    ),
    Exhibit(
        "Full boxes forget",
        Setup("fresh Scroggs", "random", 20_000, runs=10, beside="fresh Halving"),
        "At 127 beads a colour stops and the others catch up; halving a full box keeps the proportions.",
    ),
    Exhibit(
        "Beads for all nine",
        Setup("fresh Michie", "perfect", runs=100, beside="fresh Every-cell"),
        "With beads for all nine cells the first box holds 36 instead of 12 and is hard to empty.",
    ),
    Exhibit(
        "HER on Hexapawn",
        Setup("fresh HER", "perfect", 100, runs=30),
        "Gardner's machine takes away the last losing bead; after some fifty games it has no way to lose.",
    ),
    Exhibit(
        "Two machines",
        Setup("fresh Michie", "fresh Second", 3_000, runs=30, both=True),
        "Both learn from the same games; moving first is worth something.",
    ),
)


def fresh_names() -> list[str]:
    """The machines for experiments as the dials name them."""
    return [FRESH + name for name in KINDS]


def machine_of(name: str, machines: Machines) -> AnyMachine:
    """The machine that a dial names: a fresh one, or a copy of one that is kept.

    Raises:
        InputError: a kept one is not there or damaged.
    """
    if name.startswith(FRESH):
        kind = name.removeprefix(FRESH)
        return Machine(kind, KINDS[kind])
    return machines.copy(name)


def opponent_of(setup: Setup, machines: Machines) -> Opponent:
    """The opponent that a dial names.

    Raises:
        InputError: it is no opponent.
    """
    if setup.opponent.startswith(FRESH):
        machine = machine_of(setup.opponent, machines)
        return replace(parse_opponent(machine.name, lambda _: machine, setup.both))
    return parse_opponent(setup.opponent, machines.copy, setup.both)


def options_of(name: str, machines: Machines) -> Options | None:
    """The options of a machine on a dial, without loading a kept one; None when that is not known."""
    if name.startswith(FRESH):
        return KINDS[name.removeprefix(FRESH)]
    head = machines.listed().get(name)
    if head is None:
        return None
    game, _, parameters = head.game_id.partition(":")
    return Options(game, parameters, head.seat)


def can_meet(machine: str, other: str, machines: Machines) -> bool:
    """Whether two machines play the same game from different sides."""
    one, two = options_of(machine, machines), options_of(other, machines)
    return one is not None and two is not None and one.game_id == two.game_id and one.seat != two.seat


def alike(machine: str, other: str, machines: Machines) -> bool:
    """Whether two machines play the same game from the same side, so that they can be compared."""
    one, two = options_of(machine, machines), options_of(other, machines)
    return (
        machine != other
        and one is not None
        and two is not None
        and (one.game_id, one.seat) == (two.game_id, two.seat)
    )

"""The machines' random numbers: a generator simple enough to match exactly in Python and in a kernel.

SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014;
the constants are those of Vigna's public domain splitmix64.c. The kernel's copy is in `training`.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic, Protocol

from arcade.engines.files import InputError
from arcade.engines.position import M, Outcome, P
from arcade.engines.registry import get_game
from arcade.matchbox import box as beads
from arcade.matchbox.box import Boxes, BoxSet, Opening, find_boxes

MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15
MIX1 = 0xBF58476D1CE4E5B9
MIX2 = 0x94D049BB133111EB


class Bits(Protocol):
    """A source of random bits, such as `random.Random`."""

    def getrandbits(self, k: int, /) -> int:
        """A uniform random number from 0 to 2**k - 1."""


class SplitMix64:
    """64 random bits a call, from a seed of any size taken modulo 2**64."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK

    def getrandbits(self, k: int, /) -> int:
        """The top `k` bits, at most 64, of the generator's next output."""
        self.state = self.state + GAMMA & MASK
        mixed = self.state
        mixed = (mixed ^ mixed >> 30) * MIX1 & MASK
        mixed = (mixed ^ mixed >> 27) * MIX2 & MASK
        return (mixed ^ mixed >> 31) >> 64 - k


def below(bits: Bits, count: int) -> int:
    """A number from 0 to `count` - 1 from 32 random bits.

    Scaled, not rejected: a number's chance is off by less than `count` / 2**32, at most 3 in ten
    million for the 1,143 beads of a full box.
    """
    return bits.getrandbits(32) * count >> 32


MOST_STEPS = 400
"""A longer history is shortened by joining neighbours."""

EMPTY_BOX = "the box of this position is empty"
"""Why a machine resigns."""

MOST_STAGES = 32
"""Most stages with first beads; no small game has more."""


class Overflow(StrEnum):
    """What happens if a reward would take a colour above 127 beads."""

    STOP = "stop"
    """It stays at 127, as in the report: in time every good move has 127."""
    HALVE = "halve"
    """First halve every colour of the box, rounding up: proportions stay, old games fade."""


@dataclass(frozen=True)
class Options:
    """The options of a machine, fixed for its life."""

    game: str = "menace"
    parameters: str = ""
    """Written as in a game ID."""
    seat: int = 0
    """0: the machine moves first; 1: second."""
    box_set: BoxSet = BoxSet.CHOICE
    distinct: bool = True
    """Whether symmetric moves of a position share beads; else every move has its own."""
    first_beads: tuple[int, ...] = (4, 3, 2, 1)
    """Beads for each move in a fresh box, by stage, 1 to 127; later stages get the last number."""
    rewards: tuple[int, int, int] = (3, 1, -1)
    """Beads to add (or remove, if negative) after a win, a tie and a loss; -127 to 127."""
    last_only: bool = False
    """Whether to reward only the last opened box, as Gardner did with HER."""
    overflow: Overflow = Overflow.HALVE

    def check(self) -> None:
        """Check all numbers.

        Raises:
            InputError: which number is out of its limits.
        """
        if self.seat not in (0, 1):
            raise InputError(f"A machine must move first (0) or second (1), not {self.seat}.")
        if not 1 <= len(self.first_beads) <= MOST_STAGES:
            raise InputError(
                f"The first beads must be 1 to {MOST_STAGES} numbers, one for each stage, "
                f"not {len(self.first_beads)}."
            )
        for number in self.first_beads:
            if not 1 <= number <= beads.MOST:
                raise InputError(f"First beads must be 1 to {beads.MOST} for each move, not {number}.")
        for number in self.rewards:
            if not -beads.MOST <= number <= beads.MOST:
                raise InputError(f"A reward must be -{beads.MOST} to {beads.MOST} beads, not {number}.")

    @property
    def game_id(self) -> str:
        """The game and its parameters as a game ID, e.g. "hexapawn:3x3"."""
        return f"{self.game}:{self.parameters}" if self.parameters else self.game


FIRST_BEADS = {"michie": (4, 3, 2, 1), "scroggs": (8, 4, 2, 1), "flat": (1,)}
"""First beads by name: Michie's of 1961; those of M. Scroggs' online machine; one for each move."""


@dataclass(frozen=True)
class MachinePreset:
    """Options with a name."""

    name: str
    title: str
    options: Options


PRESETS = (
    MachinePreset("michie", "Michie's MENACE of 1961", Options()),
    MachinePreset(
        "scroggs", "Scroggs' MENACE: more beads for the first moves", Options(first_beads=(8, 4, 2, 1))
    ),
    MachinePreset(
        "her",
        "Gardner's HER for Hexapawn 3x3: one bead for each move; a loss removes the last one drawn",
        Options("hexapawn", "3x3", 1, BoxSet.ALL, first_beads=(1,), rewards=(0, 0, -1), last_only=True),
    ),
    MachinePreset(
        "her4",
        "HER on Hexapawn 4x4, rewarded like MENACE",
        Options("hexapawn", "4x4", 1, BoxSet.ALL, first_beads=(8, 4, 2)),
    ),
)


def parse_numbers(text: str, what: str) -> tuple[int, ...]:
    """Read whole numbers separated by commas, such as "4,3,2,1" or "3,1,-1".

    Raises:
        InputError: which part is not a whole number.
    """
    for part in text.split(","):
        if not re.fullmatch(r"\s*[-+]?[0-9]{1,9}\s*", part):
            raise InputError(
                f"In {what} {text!r} the part {part!r} is not a whole number; expected numbers like 4,3,2,1."
            )
    return tuple(int(part) for part in text.split(","))


def parse_first_beads(text: str) -> tuple[int, ...]:
    """Read "michie", "scroggs", "flat" or numbers such as "4,3,2,1".

    Raises:
        InputError: the text is neither one of the names nor whole numbers.
    """
    return FIRST_BEADS.get(text.strip().lower()) or parse_numbers(text, "the first beads")


def check_name(name: str, game: str) -> str:
    """Check a machine's name: at most 40 letters, digits, - and _, starting with a letter.

    Args:
        name: the name as typed.
        game: the machine's game; the names of its other players are taken.

    Raises:
        InputError: the name has another form, or belongs to another player.
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,39}", name):
        raise InputError(
            f"The machine's name {name!r} must start with a letter and have only letters, digits, - and _, "
            "at most 40 in all."
        )
    if name == "human" or any(name == kind.name for kind in get_game(game).player_kinds):
        raise InputError(f"A machine cannot be called {name!r}, since another player has that name.")
    return name


@dataclass(frozen=True)
class Stretch:
    """A stretch of a machine's history."""

    games: int
    """Games it has played up to the end of the stretch."""
    opponent: str
    won: int
    tied: int
    lost: int
    """Games of the stretch by outcome for the machine; resigned games count as lost."""
    resigned: int
    first: tuple[int, ...]
    """The beads of the first move's boxes at the end of the stretch, packed as in `beads`."""

    @property
    def played(self) -> int:
        return self.won + self.tied + self.lost

    @property
    def shares(self) -> tuple[float, float, float]:
        """Shares of won, tied and lost games in the stretch, 0 to 1."""
        return (self.won / self.played, self.tied / self.played, self.lost / self.played)


@dataclass(frozen=True)
class Draw(Generic[P, M]):
    """How the machine chose a move."""

    position: P
    """The board as played."""
    opening: Opening[P, M] | None
    """The box, its symmetry and its moves on the board; None without a box."""
    word: int
    """The beads of the box when it was opened, packed."""
    slot: int
    """The slot of the drawn bead; -1 without a box."""
    move: M
    """The move on the board."""
    count: int
    """Beads of the drawn colour, including the drawn one; 1 without a box."""
    total: int
    """Beads in the box; without a box, the number of legal moves."""

    @property
    def chance(self) -> float:
        """The chance of this bead's colour, 0 to 1."""
        return self.count / self.total if self.total else 0.0

    @property
    def counts(self) -> dict[M, int]:
        """The beads of the open box by move on the board."""
        if self.opening is None:
            return {}
        return {move: beads.count(self.word, slot) for slot, move in self.opening.moves.items()}


@dataclass(frozen=True)
class Change(Generic[P, M]):
    """The change to one box after a game."""

    draw: Draw[P, M]
    before: int
    """Beads of the drawn colour before, 0 to 127."""
    after: int
    """And after."""

    @property
    def change(self) -> int:
        """Beads added, or removed if negative; also negative if a full box was halved."""
        return self.after - self.before


class Machine(Generic[P, M]):
    """A machine: boxes with beads, and a name.

    `beads` holds one 64-bit word for each of `boxes.boxes`; training changes them in place, so a screen may
    read them while it runs.

    Raises:
        InputError: an option is out of its limits, or the game cannot be learned.
    """

    def __init__(self, name: str, options: Options | None = None) -> None:
        options = options or Options()
        options.check()
        game = get_game(options.game)
        self.name = name
        # Normalised, so that equal machines have equal options.
        self.options = replace(
            options, parameters=game.parameters_text(game.parse_parameters(options.parameters))
        )
        self.boxes: Boxes[P, M] = find_boxes(
            self.options.game, self.options.parameters, options.seat, options.box_set, options.distinct
        )
        self.beads = array("Q", self.boxes.first_beads(options.first_beads))
        self.won = self.tied = self.lost = self.resigned = 0
        self.history: list[Stretch] = []

    @property
    def games(self) -> int:
        return self.won + self.tied + self.lost

    @property
    def first(self) -> tuple[int, ...]:
        """The words of the first move's boxes, one for each of `boxes.first`."""
        return tuple(self.beads[box.index] for box in self.boxes.first)

    @property
    def refuses(self) -> bool:
        """Whether all boxes of its first move are empty, so that it refuses another game."""
        return bool(self.boxes.first) and not any(self.first)

    def draw(self, position: P, bits: Bits) -> Draw[P, M] | None:
        """Open the box of a position and draw a bead; None means it resigns, since the box is empty.

        Always takes 32 random bits, even for a single move, so that all ways of training agree. Without a
        box it draws any legal move with equal chance.
        """
        opening = self.boxes.open(position)
        if opening is None:
            moves = position.moves()
            return Draw(position, None, 0, -1, moves[below(bits, len(moves))], 1, len(moves))
        word = self.beads[opening.box.index]
        counts = beads.unpack(word)
        everything = sum(counts)
        if not everything:
            return None
        left = below(bits, everything)
        slot = 0
        while left >= counts[slot]:
            left -= counts[slot]
            slot += 1
        return Draw(position, opening, word, slot, opening.moves[slot], counts[slot], everything)

    def retrace(self, start: P, moves: Sequence[M]) -> list[Draw[P, M]]:
        """The draws that would have led the machine to play its moves in a line.

        With distinct moves, a move counts as the bead that represents it.

        Raises:
            ValueError: a move is illegal.
        """
        draws = []
        position = start
        for move in moves:
            if position.turn == self.options.seat:
                draws.append(self._retraced(position, move))
            position = position.play(move)
        return draws

    def _retraced(self, position: P, move: M) -> Draw[P, M]:
        opening = self.boxes.open(position)
        if opening is None:
            return Draw(position, None, 0, -1, move, 1, len(position.moves()))
        word, slot = self.beads[opening.box.index], opening.slots[move]
        return Draw(position, opening, word, slot, move, beads.count(word, slot), beads.total(word))

    def learn(
        self, draws: Sequence[Draw[P, M]], outcome: Outcome, resigned: bool = False
    ) -> list[Change[P, M]]:
        """Reward the boxes that were opened in a game, and count the game.

        Args:
            draws: the machine's moves in the order of play; those without a box change nothing.
            outcome: how the game ended.
            resigned: whether the machine gave up at an empty box; such games also count as lost.

        Returns:
            The change to each box, in the order of play; with `last_only` at most one.
        """
        if outcome.winner is None:
            self.tied += 1
            reward = self.options.rewards[1]
        elif outcome.winner == self.options.seat:
            self.won += 1
            reward = self.options.rewards[0]
        else:
            self.lost += 1
            self.resigned += resigned
            reward = self.options.rewards[2]
        changes = []
        opened = [draw for draw in draws if draw.opening is not None]
        for draw in opened[-1:] if self.options.last_only else opened:
            assert draw.opening is not None
            at = draw.opening.box.index
            before = self.beads[at]
            room = before
            if (
                self.options.overflow is Overflow.HALVE
                and beads.count(before, draw.slot) + reward > beads.MOST
            ):
                room = beads.halve(before)
            self.beads[at] = beads.add(room, draw.slot, reward)
            changes.append(
                Change(draw, beads.count(before, draw.slot), beads.count(self.beads[at], draw.slot))
            )
        return changes

    def record(self, step: Stretch) -> None:
        """Append a stretch of games, already counted, to the history."""
        self.history.append(step)
        if len(self.history) > MOST_STEPS:
            self.history = thinned(self.history)


def thinned(history: Sequence[Stretch]) -> list[Stretch]:
    """The history with neighbouring steps against the same opponent joined in pairs."""
    joined: list[Stretch] = []
    waiting: Stretch | None = None
    for step in history:
        if waiting is not None and waiting.opponent == step.opponent:
            joined.append(
                replace(
                    step,
                    won=waiting.won + step.won,
                    tied=waiting.tied + step.tied,
                    lost=waiting.lost + step.lost,
                    resigned=waiting.resigned + step.resigned,
                )
            )
            waiting = None
        else:
            if waiting is not None:
                joined.append(waiting)
            waiting = step
    if waiting is not None:
        joined.append(waiting)
    return joined


AnyMachine = Machine[Any, Any]

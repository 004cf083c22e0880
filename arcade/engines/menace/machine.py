"""Matchbox machines: their boxes of beads, options and history."""

from __future__ import annotations

import random
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic

from arcade.engines.files import InputError
from arcade.engines.menace import box as beads
from arcade.engines.menace.box import Boxes, BoxSet, Opening, find_boxes
from arcade.engines.position import M, Outcome, P
from arcade.engines.registry import get_game
from arcade.engines.seats import is_guest

MAX_STEPS = 400
"""Maximum number of intervals in a history. A longer history is shortened by joining neighbours."""
EMPTY_BOX = "the box of this position is empty"
MAX_STAGES = 32


class Overflow(StrEnum):
    STOP = "stop"
    """A full colour stays at 127 beads. In time, every good move has 127 beads."""
    HALVE = "halve"
    """Before a colour would exceed 127 beads, all colours in its box are halved, rounding up."""


@dataclass(frozen=True)
class Options:
    game: str = "menace"
    parameters: str = ""
    seat: int = 0
    box_set: BoxSet = BoxSet.CHOICE
    distinct: bool = True
    first_beads: tuple[int, ...] = (4, 3, 2, 1)
    """Beads (1 to 127) per move in a new box, by stage. Later stages use the last number."""
    rewards: tuple[int, int, int] = (3, 1, -1)
    """Beads (-127 to 127) to add for a win, a tie and a loss."""
    last_only: bool = False
    """True if only the last opened box is rewarded, as in Gardner's machine."""
    overflow: Overflow = Overflow.HALVE

    def check(self) -> None:
        if self.seat not in (0, 1):
            raise InputError(f"A machine must move first (0) or second (1), not {self.seat}.")
        if not 1 <= len(self.first_beads) <= MAX_STAGES:
            raise InputError(
                f"Expected 1 to {MAX_STAGES} numbers of first beads, one for each stage, "
                f"found {len(self.first_beads)}."
            )
        for number in self.first_beads:
            if not 1 <= number <= beads.MAX_BEADS:
                raise InputError(f"Each move must start with 1 to {beads.MAX_BEADS} beads, not {number}.")
        for number in self.rewards:
            if not -beads.MAX_BEADS <= number <= beads.MAX_BEADS:
                raise InputError(
                    f"A reward must be from -{beads.MAX_BEADS} to {beads.MAX_BEADS} beads, not {number}."
                )

    @property
    def game_id(self) -> str:
        return f"{self.game}:{self.parameters}" if self.parameters else self.game


FIRST_BEADS = {"michie": (4, 3, 2, 1), "scroggs": (8, 4, 2, 1), "flat": (1,)}
"""First beads by name: Michie's of 1961, those of M. Scroggs' online machine, and one bead per move."""


def parse_numbers(text: str, what: str, example: str) -> tuple[int, ...]:
    """Read whole numbers separated by commas.

    If one is invalid, raises InputError with a message that contains `what` and `example`.
    """
    for part in text.split(","):
        if not re.fullmatch(r"\s*[-+]?[0-9]{1,9}\s*", part):
            raise InputError(
                f"Expected a whole number in {what} {text!r}, found {part!r}. Write them as in {example}."
            )
    return tuple(int(part) for part in text.split(","))


def parse_first_beads(text: str) -> tuple[int, ...]:
    """Read first beads such as "4,3,2,1", or a name in `FIRST_BEADS`. Raises InputError for other texts."""
    return FIRST_BEADS.get(text.strip().lower()) or parse_numbers(text, "the first beads", "4,3,2,1")


def parse_rewards(text: str) -> tuple[int, int, int]:
    rewards = parse_numbers(text, "the rewards", "3,1,-1")
    if len(rewards) != 3:
        raise InputError(f"Expected three rewards, for a win, a tie and a loss, found {text!r}.")
    return rewards[0], rewards[1], rewards[2]


def check_name(name: str, game: str, new: bool = False) -> str:
    """Return `name` unchanged. Raises InputError if a machine for this game cannot have it.

    A name is a letter, followed by up to 39 letters, digits, - and _. It must differ from the names of the
    game's players. A `new` name must also differ from the words for opponents in training and for seats.
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,39}", name):
        which = f"The machine's name {name!r}" if name else "A machine's name"
        raise InputError(
            f"{which} must start with a letter and may have up to 40 characters. Use only A to Z, a to z, "
            "digits, - and _."
        )
    taken = {"human", *(("nobody", "random", "perfect") if new else ())}
    if name in taken or (new and name.lower() in taken) or not is_guest(get_game(game), name):
        raise InputError(f"A machine cannot be named {name!r}: the name is reserved. Choose another.")
    return name


@dataclass(frozen=True)
class TrainingInterval:
    games: int
    opponent: str
    won: int
    tied: int
    lost: int
    resigned: int
    first: tuple[int, ...]

    @property
    def played(self) -> int:
        return self.won + self.tied + self.lost

    @property
    def shares(self) -> tuple[float, float, float]:
        return self.won / self.played, self.tied / self.played, self.lost / self.played

    def joined(self, later: TrainingInterval) -> TrainingInterval:
        return replace(
            later,
            won=self.won + later.won,
            tied=self.tied + later.tied,
            lost=self.lost + later.lost,
            resigned=self.resigned + later.resigned,
        )


def below(bits: random.Random, count: int) -> int:
    """Scale 32 random bits to a number below `count`. Chances are off by less than `count` / 2**32."""
    return bits.getrandbits(32) * count >> 32


@dataclass(frozen=True)
class BeadDraw(Generic[P, M]):
    position: P
    opening: Opening[P, M] | None
    """The opened box, or None if the position has no box."""
    word: int
    """The packed beads before the draw."""
    slot: int
    """Slot of the drawn bead, or -1 if there is no box."""
    move: M

    @property
    def count(self) -> int:
        """Number of beads of the drawn colour, including the one drawn. It is 1 if there is no box."""
        return 1 if self.opening is None else beads.count(self.word, self.slot)

    @property
    def total(self) -> int:
        """Number of beads in the box. If there is no box, it is the number of legal moves."""
        return len(self.position.moves()) if self.opening is None else beads.total(self.word)


@dataclass(frozen=True)
class BoxUpdate(Generic[P, M]):
    draw: BeadDraw[P, M]
    before: int
    after: int
    halved: bool = False

    @property
    def change(self) -> int:
        """Change in the count of the drawn colour. It can be negative after halving, even for a win."""
        return self.after - self.before

    @property
    def reward(self) -> int:
        return self.after - (self.before + 1) // 2 if self.halved else self.change


class Machine(Generic[P, M]):
    """A matchbox machine, whose beads change in place.

    Raises InputError if an option is invalid or the game does not fit into boxes.
    """

    def __init__(self, name: str, options: Options | None = None) -> None:
        options = options or Options()
        options.check()
        game = get_game(options.game)
        self.name = name
        self.options = replace(
            options, parameters=game.parameters.text(game.parameters.parse(options.parameters))
        )
        self.boxes: Boxes[P, M] = find_boxes(
            self.options.game, self.options.parameters, options.seat, options.box_set, options.distinct
        )
        self.beads = array("Q", self.boxes.first_beads(options.first_beads))
        self.won = self.tied = self.lost = self.resigned = 0
        self.history: list[TrainingInterval] = []

    @property
    def games(self) -> int:
        return self.won + self.tied + self.lost

    @property
    def first(self) -> tuple[int, ...]:
        return tuple(self.beads[box.index] for box in self.boxes.first)

    @property
    def refuses(self) -> bool:
        return bool(self.boxes.first) and not any(self.first)

    def draw(self, position: P, bits: random.Random) -> BeadDraw[P, M] | None:
        """Draw a bead. If there is no box, draw any legal move. If the box is empty, return None to resign.

        Each draw takes 32 random bits, as in the training kernel, so the same bits give the same games.
        """
        opening = self.boxes.open(position)
        if opening is None:
            moves = position.moves()
            return BeadDraw(position, None, 0, -1, moves[below(bits, len(moves))])
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
        return BeadDraw(position, opening, word, slot, opening.moves[slot])

    def retrace(self, start: P, moves: Sequence[M]) -> list[BeadDraw[P, M]]:
        """Return the draws behind the machine's moves. `moves` are those of both sides from `start`.

        Raises ValueError if a move is illegal.
        """
        draws: list[BeadDraw[P, M]] = []
        position = start
        for move in moves:
            after = position.play(move)
            if position.turn == self.options.seat:
                opening = self.boxes.open(position)
                word, slot = 0, -1
                if opening is not None:
                    word, slot = self.beads[opening.box.index], opening.slots[move]
                draws.append(BeadDraw(position, opening, word, slot, move))
            position = after
        return draws

    def learn(
        self, draws: Sequence[BeadDraw[P, M]], outcome: Outcome, resigned: bool = False
    ) -> list[BoxUpdate[P, M]]:
        """Reward the opened boxes and count the game. Return the change of each rewarded box.

        `draws` are in the order of play. A resigned game also counts as lost.
        """
        win, tie, loss = self.options.rewards
        if outcome.winner is None:
            self.tied, reward = self.tied + 1, tie
        elif outcome.winner == self.options.seat:
            self.won, reward = self.won + 1, win
        else:
            self.lost, reward = self.lost + 1, loss
            self.resigned += resigned
        changes = []
        opened = [draw for draw in draws if draw.opening is not None]
        for draw in opened[-1:] if self.options.last_only else opened:
            assert draw.opening is not None
            at = draw.opening.box.index
            word = self.beads[at]
            before = beads.count(word, draw.slot)
            halved = self.options.overflow is Overflow.HALVE and before + reward > beads.MAX_BEADS
            word = beads.halve(word) if halved else word
            self.beads[at] = beads.add(word, draw.slot, reward)
            changes.append(BoxUpdate(draw, before, beads.count(self.beads[at], draw.slot), halved))
        return changes

    def record(self, interval: TrainingInterval) -> None:
        self.history.append(interval)
        if len(self.history) > MAX_STEPS:
            self.history = _thinned(self.history)[-MAX_STEPS:]


def _thinned(history: Sequence[TrainingInterval]) -> list[TrainingInterval]:
    joined: list[TrainingInterval] = []
    single = False
    for interval in history:
        single = not (single and joined[-1].opponent == interval.opponent)
        if single:
            joined.append(interval)
        else:
            joined[-1] = joined[-1].joined(interval)
    return joined


AnyMachine = Machine[Any, Any]

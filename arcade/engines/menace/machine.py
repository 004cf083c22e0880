"""A machine of matchboxes: its options, its beads, how it draws, how it learns, what it has been through."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic

from arcade.engines.game import InputError, M, Outcome, P
from arcade.engines.menace import beads
from arcade.engines.menace.matchbox import Boxes, BoxSet, Opening, find_boxes
from arcade.engines.menace.prng import Bits, below
from arcade.engines.registry import get_game

MOST_STEPS = 400
"""A history longer than this is thinned out by joining neighbours."""

MOST_STAGES = 32
"""The most numbers of first beads; no small game has more stages."""


class Overflow(StrEnum):
    """What happens when a reward would bring a colour above 127 beads."""

    STOP = "stop"
    """It stays at 127, as in the report: in time every move that is any good has 127."""
    HALVE = "halve"
    """First every colour of the box is halved, rounded up: proportions stay, old games fade."""


@dataclass(frozen=True)
class Options:
    """What a machine is; fixed for its life."""

    game: str = "menace"
    parameters: str = ""
    """As in a game ID."""
    seat: int = 0
    """0: the machine moves first; 1: second."""
    box_set: BoxSet = BoxSet.CHOICE
    distinct: bool = True
    """Beads only for moves that differ under the position's own symmetry, else for every move."""
    first_beads: tuple[int, ...] = (4, 3, 2, 1)
    """Beads for each move in a fresh box, by stage, 1 to 127; later stages get the last number."""
    rewards: tuple[int, int, int] = (3, 1, -1)
    """Beads to add, or if negative to take, after a win, a tie and a loss; -127 to 127."""
    last_only: bool = False
    """Whether only the box opened last is rewarded, as Gardner taught HER."""
    overflow: Overflow = Overflow.STOP

    def check(self) -> None:
        """Refuse numbers out of their limits.

        Raises:
            InputError: which one, and its limits.
        """
        if self.seat not in (0, 1):
            raise InputError(f"A machine moves first (0) or second (1), not {self.seat}.")
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
"""First beads by name: Michie's of 1961; those of M. Scroggs' machine on the web; one for each move."""


@dataclass(frozen=True)
class Preset:
    """Options that are known by a name."""

    name: str
    title: str
    options: Options


PRESETS = (
    Preset("michie", "Michie's MENACE of 1961", Options()),
    Preset(
        "scroggs", "Scroggs' MENACE: longer patience in the first moves", Options(first_beads=(8, 4, 2, 1))
    ),
    Preset(
        "her",
        "Gardner's HER for Hexapawn 3x3: one bead for each move, and the last one is taken after a loss",
        Options("hexapawn", "3x3", 1, BoxSet.ALL, first_beads=(1,), rewards=(0, 0, -1), last_only=True),
    ),
    Preset(
        "her4",
        "HER on Hexapawn 4x4, rewarded as MENACE is; full boxes are halved",
        Options("hexapawn", "4x4", 1, BoxSet.ALL, first_beads=(8, 4, 2), overflow=Overflow.HALVE),
    ),
)


def parse_numbers(text: str, what: str) -> tuple[int, ...]:
    """Read whole numbers with commas between them, such as "4,3,2,1" or "3,1,-1".

    Raises:
        InputError: which part is no whole number.
    """
    for part in text.split(","):
        if not re.fullmatch(r"\s*[-+]?[0-9]{1,9}\s*", part):
            raise InputError(
                f"In {what} {text!r} the part {part!r} is no whole number; expected numbers like 4,3,2,1."
            )
    return tuple(int(part) for part in text.split(","))


def parse_first_beads(text: str) -> tuple[int, ...]:
    """Read "michie", "scroggs", "flat" or own numbers such as "4,3,2,1".

    Raises:
        InputError: the text is no such name and not whole numbers.
    """
    return FIRST_BEADS.get(text.strip().lower()) or parse_numbers(text, "the first beads")


def check_name(name: str, game: str) -> str:
    """A machine's name as it is kept: letters, digits, - and _, with a letter first, at most 40.

    Args:
        name: what the person wrote.
        game: the game that the machine plays; its other players' names are taken.

    Raises:
        InputError: the name is not of this form, or stands for another player.
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,39}", name):
        raise InputError(
            f"The machine's name {name!r} must be a letter and then letters, digits, - or _, "
            "at most 40 in all."
        )
    if name == "human" or any(name == kind.name for kind in get_game(game).player_kinds):
        raise InputError(f"A machine cannot be called {name!r}, which is the name of another player.")
    return name


@dataclass(frozen=True)
class Step:
    """A stretch of a machine's history."""

    games: int
    """Games played in its life up to the end of the stretch."""
    opponent: str
    won: int
    tied: int
    lost: int
    """Games of the stretch, by outcome for the machine; resigned ones are lost too."""
    resigned: int
    first: tuple[int, ...]
    """The beads of the boxes of the first move at the end of the stretch, packed as in `beads`."""

    @property
    def played(self) -> int:
        """Games of the stretch."""
        return self.won + self.tied + self.lost

    @property
    def shares(self) -> tuple[float, float, float]:
        """Won, tied and lost as shares of the stretch's games, 0 to 1."""
        return (self.won / self.played, self.tied / self.played, self.lost / self.played)


@dataclass(frozen=True)
class Draw(Generic[P, M]):
    """How the machine chose a move: all that there is to show."""

    position: P
    """The board as it was played."""
    opening: Opening[P, M] | None
    """The box, its symmetry and its moves on the board; None where there is no box."""
    word: int
    """The beads of the box when it was opened, packed."""
    slot: int
    """The slot of the bead that was drawn; -1 where there is no box."""
    move: M
    """The move on the board."""
    count: int
    """Beads of the drawn colour, the drawn one counted; 1 where there is no box."""
    total: int
    """Beads in the box; where there is no box, the number of legal moves."""

    @property
    def chance(self) -> float:
        """The chance that this bead's colour had, 0 to 1."""
        return self.count / self.total if self.total else 0.0

    @property
    def counts(self) -> dict[M, int]:
        """The beads of the open box by their move on the board."""
        if self.opening is None:
            return {}
        return {move: beads.count(self.word, slot) for slot, move in self.opening.moves.items()}


@dataclass(frozen=True)
class Change(Generic[P, M]):
    """What one box got or lost after a game."""

    draw: Draw[P, M]
    before: int
    """Beads of the drawn colour before, 0 to 127."""
    after: int
    """And after."""

    @property
    def change(self) -> int:
        """Beads added, or if negative taken; also negative where a full box was halved."""
        return self.after - self.before


class Machine(Generic[P, M]):
    """Boxes with beads, under a name.

    `beads` holds one 64-bit word for each of `boxes.boxes`; training writes them in place, so a screen
    may look at them while it runs.

    Raises:
        InputError: an option is out of its limits, or the game cannot be learned.
    """

    def __init__(self, name: str, options: Options | None = None) -> None:
        options = options or Options()
        options.check()
        game = get_game(options.game)
        self.name = name
        # Written one way, so that equal machines have equal options.
        self.options = replace(
            options, parameters=game.parameters_text(game.parse_parameters(options.parameters))
        )
        self.boxes: Boxes[P, M] = find_boxes(
            self.options.game, self.options.parameters, options.seat, options.box_set, options.distinct
        )
        self.beads = array("Q", self.boxes.first_beads(options.first_beads))
        self.won = self.tied = self.lost = self.resigned = 0
        self.history: list[Step] = []

    @property
    def games(self) -> int:
        """Games it has learned from."""
        return self.won + self.tied + self.lost

    @property
    def first(self) -> tuple[int, ...]:
        """The words of the boxes of its first move, one for each of `boxes.first`."""
        return tuple(self.beads[box.index] for box in self.boxes.first)

    @property
    def refuses(self) -> bool:
        """Whether all boxes of its first move are empty: it does not begin another game."""
        return bool(self.boxes.first) and not any(self.first)

    def draw(self, position: P, bits: Bits) -> Draw[P, M] | None:
        """Open the box of a position and draw a bead; None to resign, as the box is empty.

        Takes 32 random bits, also where there is only one move, so that all ways of training agree. Where
        there is no box any legal move is drawn, all alike.
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
        """The machine's own draws in a line of play, as if it had drawn what was played.

        With distinct moves a move counts as the bead that speaks for it.

        Raises:
            ValueError: a move is not legal.
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
            resigned: whether the machine gave up before an empty box; counted among the lost games too.

        Returns:
            What each box got or lost, in the order of play; with `last_only` one box at most.
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

    def record(self, step: Step) -> None:
        """Put a stretch of games, already counted, at the end of the history."""
        self.history.append(step)
        if len(self.history) > MOST_STEPS:
            self.history = thinned(self.history)


def thinned(history: Sequence[Step]) -> list[Step]:
    """The history with every two neighbouring steps against one opponent joined."""
    joined: list[Step] = []
    waiting: Step | None = None
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

"""The matchbox that is open beside a match: what a machine draws from, or what it has learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arcade.engines.menace.box import Opening
from arcade.engines.menace.machine import AnyMachine, Change, Draw
from arcade.play.machines import CHALLENGE, Reward
from arcade.play.match import Match


@dataclass(frozen=True)
class OpenBox:
    machine: AnyMachine
    position: Any
    opening: Opening[Any, Any] | None
    """None if the machine has no box for the position."""
    word: int
    """The beads of the box, packed as in `arcade.engines.menace.box`."""
    draw: Draw[Any, Any] | None = None
    """The bead that was drawn; None if the machine has yet to move."""
    number: int | None = None
    """The number of the move for which it was drawn, from 0."""
    hand: Any = None
    """The move whose beads the hand is over, while it picks one."""
    truth: bool = True
    """Whether the value of each move is shown: in a match only if the player may know it."""

    @classmethod
    def now(cls, machine: AnyMachine, position: Any) -> OpenBox:
        opening = machine.boxes.open(position)
        return cls(machine, position, opening, machine.beads[opening.box.index] if opening else 0)

    @classmethod
    def drawn(cls, machine: AnyMachine, match: Match, number: int) -> OpenBox:
        """The box that the machine opened for move `number`, counted from 0."""
        draw = machine.retrace(match.before(number), [match.plies[number].move])[0]
        return cls(machine, draw.position, draw.opening, draw.word, draw, number)


@dataclass(frozen=True)
class Taught:
    machine: AnyMachine
    changes: Sequence[Change[Any, Any]]
    shown: int
    """How many of the changes are shown."""
    last: OpenBox | None = None
    """The box that the machine opened last."""
    challenge: str = ""
    """The player's progress in the challenge of beating the machine; empty if there is none."""


def open_box(
    match: Match, machines: Mapping[int, AnyMachine], rewards: Sequence[Reward], wins: int
) -> OpenBox | Taught | None:
    """The box of a match.

    Args:
        machines: the machine in each seat that has one, with its beads during the match
        rewards: what machines have learned from the finished match
        wins: how many wins the player has in the challenge
    """
    last = _last_drawn(match, machines)
    if match.result and rewards:
        # The machine of the last move; a person's only opponent.
        seat = match.plies[-1].seat if match.plies else 0
        reward = next((reward for reward in rewards if reward.seat == seat), rewards[0])
        challenge = "" if match.watched else _challenge(reward.machine, wins)
        return Taught(reward.machine, reward.changes, len(reward.changes), last, challenge)
    to_move = None if match.result else machines.get(match.turn)
    if to_move is not None and (last is None or not (match.watched and match.plies)):
        return OpenBox.now(to_move, match.position)
    return last


def _last_drawn(match: Match, machines: Mapping[int, AnyMachine]) -> OpenBox | None:
    for number in range(len(match.plies) - 1, -1, -1):
        machine = machines.get(match.plies[number].seat)
        if machine is not None and match.drawn(number):
            return OpenBox.drawn(machine, match, number)
    return None


def _challenge(machine: AnyMachine, wins: int) -> str:
    if machine.name != CHALLENGE.machine.name:
        return ""
    won = f"Your wins without help: {wins} of {CHALLENGE.wins}"
    return won if wins < CHALLENGE.wins else f"{wins} wins without help: a star"

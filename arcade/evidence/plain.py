"""A plain search of a duel over the rules alone: every position that can be reached, no symmetry, no cuts."""

from __future__ import annotations

from typing import Any

from arcade.engines.control import NODES, Control
from arcade.engines.position import Position
from arcade.engines.verdict import Value

MOST_POSITIONS = 100_000
"""Positions after which a plain search gives up; they take some five to twenty seconds."""

Result = tuple[Value, int]
"""The value for the player to move and the remoteness in plies."""


def ending(position: Position[Any]) -> Result | None:
    """The result of a game that is over, for the player to move; None while it goes on."""
    outcome = position.outcome()
    if outcome is None:
        return None
    if outcome.winner is None:
        return Value.TIE, 0
    return (Value.WIN if outcome.winner == position.turn else Value.LOSS), 0


def solve(
    start: Position[Any], control: Control, most: int = MOST_POSITIONS
) -> dict[Position[Any], Result] | None:
    """The value and remoteness of a position and of every position that can follow.

    The winner hurries, the loser delays, and both hurry to a tie.

    Args:
        start: a position of a duel; the game may be over there.
        control: stops the search; NODES counts positions.
        most: positions after which it gives up.

    Returns:
        None if stopped, if there are more than `most` positions, or if a position can come back.
    """
    known: dict[Position[Any], Result] = {}
    below: dict[Position[Any], list[Position[Any]]] = {}
    stack = [start]
    while stack:
        position = stack[-1]
        if position in known:
            stack.pop()
            continue
        after = below.get(position)
        if after is None:
            control.cells[NODES] += 1
            if control.stopped or len(known) >= most:
                return None
            over = ending(position)
            if over is not None:
                known[position] = over
                continue
            after = below[position] = [position.play(move) for move in position.moves()]
            missing = [each for each in after if each not in known]
            if any(each in below for each in missing):
                return None
            stack += missing
            if missing:
                continue
        known[position] = best_of([known[each] for each in after])
        del below[position]
    return known


def best_of(after: list[Result]) -> Result:
    """The result of a position from those after its moves, each for the player to move there."""
    mine = [(value.reversed, plies + 1) for value, plies in after]
    for value in (Value.WIN, Value.TIE):
        plies = [count for each, count in mine if each is value]
        if plies:
            return value, min(plies)
    return Value.LOSS, max(count for _, count in mine)

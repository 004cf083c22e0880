"""The boxes of a machine in words."""

from __future__ import annotations

from typing import Any

from arcade.engines.wording import counted
from arcade.learning import beads
from arcade.learning.machine import AnyMachine, Change, Draw


def draw_sentence(machine: AnyMachine, draw: Draw[Any, Any]) -> str:
    """Which box a machine has opened, and which bead it has drawn."""
    if draw.opening is None:
        return f"{machine.name} has no box here and picks any legal move."
    box, many = draw.opening.box.index + 1, len(machine.boxes.boxes)
    one = "its only bead" if draw.count == 1 else f"one of {counted(draw.count, 'bead')}"
    return (
        f"{machine.name} opens box {box} of {many}, with {counted(draw.total, 'bead')}, "
        f"and picks {one} for {draw.move}."
    )


def box_sentences(machine: AnyMachine, draw: Draw[Any, Any]) -> list[str]:
    """What is in the box of a draw, move by move."""
    told = [draw_sentence(machine, draw)]
    if draw.opening is not None:
        for move, slot in draw.opening.slots.items():
            own = draw.opening.moves.get(slot)
            count = counted(beads.count(draw.word, slot), "bead")
            told.append(f"{move}: {count}." if own == move else f"{move} counts as {own}.")
    return told


def change_sentence(change: Change[Any, Any]) -> str:
    """What a machine has learned of one box."""
    draw = change.draw
    where = f"Box {draw.opening.box.index + 1}" if draw.opening is not None else "No box"
    return f"{where}, {draw.move}: from {change.before} to {change.after} beads."

"""The matchbox that is shown open beside a match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from arcade.engines.menace import box as beads
from arcade.engines.menace.box import Opening
from arcade.engines.menace.machine import AnyMachine, BeadDraw, BoxUpdate
from arcade.engines.wording import quantity, spelled_quantity


@dataclass(frozen=True)
class OpenBox:
    machine: AnyMachine
    position: Any
    opening: Opening[Any, Any] | None
    word: int
    draw: BeadDraw[Any, Any] | None = None
    number: int | None = None
    hand: Any = None
    truth: bool = True

    @classmethod
    def now(cls, machine: AnyMachine, position: Any) -> OpenBox:
        opening = machine.boxes.open(position)
        return cls(machine, position, opening, machine.beads[opening.box.index] if opening else 0)

    @classmethod
    def drawn(cls, machine: AnyMachine, position: Any, move: Any, number: int) -> OpenBox:
        draw = machine.retrace(position, [move])[0]
        return cls(machine, draw.position, draw.opening, draw.word, draw, number)

    @property
    def index(self) -> int | None:
        return None if self.opening is None else self.opening.box.index

    def sentences(self) -> list[str]:
        if self.draw is None:
            return []
        told = [draw_sentence(self.machine, self.draw)]
        if self.draw.opening is not None:
            for move, slot in self.draw.opening.slots.items():
                own = self.draw.opening.moves.get(slot)
                count = spelled_quantity(beads.count(self.draw.word, slot), "bead")
                told.append(f"{move}: {count}." if own == move else f"{move} counts as {own}.")
        return told


def draw_sentence(machine: AnyMachine, draw: BeadDraw[Any, Any]) -> str:
    if draw.opening is None:
        return f"{machine.name} has no box here and picks any legal move."
    box, many = draw.opening.box.index + 1, len(machine.boxes.boxes)
    one = "its only bead" if draw.count == 1 else f"one of {spelled_quantity(draw.count, 'bead')}"
    first = machine.options.first_beads
    gained = draw.count - first[min(draw.opening.box.stage, len(first)) - 1]
    if gained > 0:
        why = f" It has {gained} more of them than at first, because it did well with them."
    else:
        why = f" It has {-gained} fewer of them than at first." if gained else ""
    return (
        f"{machine.name} opens box {box} of {many}, with {spelled_quantity(draw.total, 'bead')}, "
        f"and picks {one} for {draw.move}.{why}"
    )


@dataclass(frozen=True)
class Reward:
    seat: int
    machine: AnyMachine
    changes: Sequence[BoxUpdate[Any, Any]]

    def sentence(self) -> str:
        name, beads = self.machine.name, sum(change.reward for change in self.changes)
        if not beads:
            return f"{name} changes no beads."
        halved = sum(change.halved for change in self.changes)
        first = f"halves {quantity(halved, 'box', 'boxes')}, then " if halved else ""
        return f"{name} {first}{'adds' if beads > 0 else 'loses'} {quantity(abs(beads), 'bead')}."

    def box_sentences(self) -> Iterator[str]:
        for change in self.changes:
            draw = change.draw
            where = f"Box {draw.opening.box.index + 1}" if draw.opening is not None else "No box"
            yield f"{where}, {draw.move}: from {change.before} to {quantity(change.after, 'bead')}."


@dataclass(frozen=True)
class LearningSummary:
    machine: AnyMachine
    changes: Sequence[BoxUpdate[Any, Any]]
    shown: int
    last: OpenBox | None = None
    challenge: str = ""
    """A sentence about the challenge, or "" if there is none."""

    def sentence(self) -> str:
        """Describe the change that is shown. After the last change, describe all changes together."""
        if self.shown < len(self.changes):
            change = self.changes[self.shown]
            assert change.draw.opening is not None
            box = change.draw.opening.box.index + 1
            many = abs(change.change)
            moved = f"{quantity(many, 'bead')} for {change.draw.move}"
            return f"{moved} {'added to' if change.change >= 0 else 'removed from'} box {box}"
        name, total = self.machine.name, sum(change.change for change in self.changes)
        if not self.changes:
            return "No box was opened, so no beads change."
        if not total:
            return f"{name} changes no beads."
        boxes = sum(change.change != 0 for change in self.changes)
        where = f"{'to' if total > 0 else 'from'} {quantity(boxes, 'box', 'boxes')}"
        return f"{quantity(abs(total), 'bead')} {'added' if total > 0 else 'removed'} {where}"

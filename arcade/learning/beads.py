"""The beads of one box in one 64-bit integer."""

from __future__ import annotations

from collections.abc import Mapping

# Seven bits for each of nine slots; a slot stands for a move of the box's position, in tic-tac-toe for the
# cell of that number.
#
#     bit   63   | 62 .. 56 | 55 .. 49 | ... | 13 .. 7 | 6 .. 0
#     slot  none |    8     |    7     | ... |    1    |   0

SLOTS = 9
"""Most moves with beads in a box."""
SLOT_BITS = 7
MOST = (1 << SLOT_BITS) - 1
"""Most beads of one colour, 127: adding stops there, and removing stops at 0."""


def count(word: int, slot: int) -> int:
    """The beads in one slot, 0 to 127."""
    return word >> SLOT_BITS * slot & MOST


def add(word: int, slot: int, change: int) -> int:
    """The word with `change` beads added to one slot (or removed); the count stays within 0 to 127."""
    old = count(word, slot)
    new = min(max(old + change, 0), MOST)
    return word + (new - old << SLOT_BITS * slot)


def halve(word: int) -> int:
    """Half of each count, rounded up, so that no colour dies out."""
    return pack({slot: (beads + 1) // 2 for slot, beads in enumerate(unpack(word))})


def total(word: int) -> int:
    """The number of beads in a box, 0 to 1,143."""
    return sum(unpack(word))


def unpack(word: int) -> tuple[int, ...]:
    """The nine counts."""
    return tuple(count(word, slot) for slot in range(SLOTS))


def pack(counts: Mapping[int, int]) -> int:
    """The word of the given counts by slot, each 0 to 127."""
    return sum(beads << SLOT_BITS * slot for slot, beads in counts.items())

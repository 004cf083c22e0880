"""The machines' random numbers: a generator simple enough to match exactly in Python and in a kernel.

SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014;
the constants are those of Vigna's public domain splitmix64.c. The kernel's copy is in `training`.
"""

from __future__ import annotations

from typing import Protocol

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

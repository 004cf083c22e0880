"""The reference workload of every run: other times count as multiples of its time."""

from __future__ import annotations

import time

from arcade.engines.compiled import njit

NAME = "reference workload"


def _python(count: int) -> int:
    seen = {0}
    number = 1
    for _ in range(count):
        number = number * 1_103_515_245 + 12_345 & 0x7FFF_FFFF
        seen.add(number >> 12)
    return len(seen)


@njit(cache=True, nogil=True)
def _kernel(count: int) -> int:
    total, number = 0, 1
    for _ in range(count):
        number = number * 1_103_515_245 + 12_345 & 0x7FFF_FFFF
        total += number >> 12 & 1
    return total


def seconds() -> float:
    """The best of five, half interpreted Python and half a kernel."""
    _kernel(1)
    best = 1e9
    for _ in range(5):
        started = time.perf_counter()
        _python(200_000)
        _kernel(16_000_000)
        best = min(best, time.perf_counter() - started)
    return best

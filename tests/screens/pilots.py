"""What tests do with a pilot."""

from __future__ import annotations

import time
from collections.abc import Callable

from textual.pilot import Pilot


async def settled(pilot: Pilot[None], until: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait until something is so, and what follows from it is on the screen."""
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, "the screen does not get there"
        await pilot.pause(0.01)
    await pilot.pause()

"""Wait for a condition instead of sleeping."""

import time
from collections.abc import Callable


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    """Return as soon as a condition holds.

    Raises:
        AssertionError: it does not hold within the given time.
    """
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"the condition does not hold after {seconds} s"
        time.sleep(0.005)

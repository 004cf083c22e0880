"""How a caller stops and watches work that runs in another thread."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STOP = 0
"""Cell of `Control.cells`: 0 while the work may go on, else a `Stop` code."""
NODES = 1
"""Cell: positions visited so far."""
BEST = 2
"""Cell: the best value so far; what it counts is the solver's own word."""
BOUND = 3
"""Cell: the proven bound so far."""
DEPTH = 4
"""Cell: the depth, in plies, that the search works at."""

CANCELLED = 1
TIMED_OUT = 2


class Control:
    """A stop flag, a deadline and counters, shared with a kernel through one array.

    A kernel takes `cells`, an int64 array of shape (8,), reads `cells[STOP]` at least every 20 ms,
    returns early when it is not 0, and writes its counters into the other cells. The deadline sets the
    same flag from a timer thread, so a kernel needs no clock. Pure Python code calls `stopped`.

    Used as a context manager, or closed by `close`, so that no timer outlives the work.

    Args:
        seconds: time from now after which the work is told to stop; None for no deadline.
    """

    __slots__ = ("_deadline", "_lock", "_started", "_timer", "cells")

    def __init__(self, seconds: float | None = None) -> None:
        # Here and not above: the menu is painted before numpy (0.1 s) is needed.
        import numpy as np

        self.cells: NDArray[np.int64] = np.zeros(8, np.int64)
        self._started = time.monotonic()
        # Reentrant: a signal handler may cancel while its own thread looks at the clock.
        self._lock = threading.RLock()
        self._deadline: float | None = None
        self._timer: threading.Timer | None = None
        self._set_deadline(seconds)

    def _set_deadline(self, seconds: float | None) -> None:
        self.close()
        self._deadline = None
        if seconds is not None:
            self._deadline = time.monotonic() + seconds
            self._timer = threading.Timer(seconds, self._time_out)
            self._timer.daemon = True
            self._timer.start()

    def renew(self, seconds: float | None) -> None:
        """Set another deadline, from now on; work that the old one stopped may go on, cancelled work not.

        For who works in slices of time, e.g. to show what has been found between them; to be called by the
        thread that does the work.
        """
        with self._lock:
            if not self.cancelled:
                self._set_deadline(seconds)
                self.cells[STOP] = 0

    def _time_out(self) -> None:
        with self._lock:
            passed = self._deadline is not None and time.monotonic() >= self._deadline
            if passed and not self.cells[STOP]:
                self.cells[STOP] = TIMED_OUT

    def cancel(self) -> None:
        """Tell the work to stop; it does so within 200 ms. Safe from any thread."""
        with self._lock:
            self.cells[STOP] = CANCELLED

    def close(self) -> None:
        """Drop the deadline's timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def stopped(self) -> bool:
        """Whether the work must end now, by cancel or by the deadline."""
        if self._deadline is not None and time.monotonic() >= self._deadline:
            self._time_out()
        return bool(self.cells[STOP])

    @property
    def cancelled(self) -> bool:
        """Whether the caller has no more use for the answer."""
        return bool(self.cells[STOP] == CANCELLED)

    @property
    def nodes(self) -> int:
        """Positions visited so far."""
        return int(self.cells[NODES])

    @property
    def seconds(self) -> float:
        """Seconds since this control was made."""
        return time.monotonic() - self._started

    @property
    def remaining(self) -> float | None:
        """Seconds left to the deadline, at least 0; None without a deadline."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

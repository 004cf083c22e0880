"""How a caller stops and watches work that runs in another thread."""

from __future__ import annotations

import os
import threading
import time
from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STOP, NODES, BEST, BOUND, DEPTH = range(5)
"""Cells of `Control.cells`: 0 while the work may continue, else CANCELLED or TIMED_OUT; positions visited so
far; the best value so far, whose unit depends on the solver; the proven bound; the search depth in plies."""

CANCELLED, TIMED_OUT = 1, 2

MOST_THREADS = 2
"""Most threads of one search: more would take the screen's own core."""

LEAST_WAIT = 0.02
"""Seconds after which a deadline is looked at again, at least."""


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def solver_threads() -> int:
    return min(MOST_THREADS, cores())


class Preparation:
    """A clock for deadlines that stops while this process compiles or loads kernels."""

    def __init__(self) -> None:
        self.told: Callable[[], None] = lambda: None
        """Called in the working thread before something is compiled that may take seconds."""
        # Reentrant: a signal handler may ask for the time while its own thread holds the lock.
        self._lock = threading.RLock()
        self._depth = 0
        self._lost = 0.0

    def now(self) -> float:
        """Seconds, of use only for differences."""
        with self._lock:
            return -self._lost if self._depth else time.perf_counter() - self._lost

    def __enter__(self) -> None:
        with self._lock:
            self._depth += 1
            if self._depth == 1:
                self._lost -= time.perf_counter()

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._depth -= 1
            if self._depth == 0:
                self._lost += time.perf_counter()


PREPARATION = Preparation()


class Kernels(Protocol):
    """Kernels that are compiled elsewhere, so that nobody has to wait for a compiler."""

    def ready(self, game: str) -> bool: ...

    def hurry(self, game: str) -> None: ...

    def wait(self, game: str, control: Control) -> bool:
        """Wait until a game's kernels are compiled; False when cancelled first."""


class Control:
    """A stop flag, a deadline and counters, shared with a kernel through one array.

    A kernel takes `cells`, an int64 array of shape (8,), reads `cells[STOP]` at least every 20 ms,
    returns early when it is not 0, and writes its counters into the other cells. The deadline, `seconds` from
    now, sets the same flag from a timer thread, so a kernel needs no clock. Pure Python code calls `stopped`.
    No deadline counts the time in which kernels are compiled or loaded.

    Use it as a context manager, or call `close`, so that no timer outlives the work.
    """

    __slots__ = ("_cells", "_deadline", "_lock", "_started", "_timer", "kernels", "waiting")

    def __init__(self, seconds: float | None = None) -> None:
        self._cells = array("q", bytes(64))
        self.kernels: Kernels | None = None
        """Where kernels are compiled; None to compile each when it is first called."""
        self.waiting = False
        self._started = PREPARATION.now()
        # Reentrant: a signal handler may cancel while its own thread holds the lock.
        self._lock = threading.RLock()
        self._deadline: float | None = None
        self._timer: threading.Timer | None = None
        self._set_deadline(seconds)

    @property
    def cells(self) -> NDArray[np.int64]:
        # The thread that works loads numpy, so that no screen waits for it (0.1 s).
        import numpy as np

        return np.frombuffer(self._cells, np.int64)

    def _set_deadline(self, seconds: float | None) -> None:
        self.close()
        self._deadline = None if seconds is None else PREPARATION.now() + seconds
        if seconds is not None:
            self._set_timer(seconds)

    def _set_timer(self, seconds: float) -> None:
        self._timer = threading.Timer(seconds, self._time_out)
        self._timer.daemon = True
        self._timer.start()

    def renew(self, seconds: float | None) -> None:
        """Set a new deadline, in the thread that works; resumes timed-out work, never cancelled work."""
        with self._lock:
            if not self.cancelled:
                self._set_deadline(seconds)
                self._cells[STOP] = 0

    def _time_out(self) -> None:
        with self._lock:
            if self.remaining == 0:
                self._cells[STOP] = self._cells[STOP] or TIMED_OUT
            elif self._timer is not None:
                # The clock has stood still meanwhile.
                self.close()
                self._set_timer(max(self.remaining or 0.0, LEAST_WAIT))

    def cancel(self) -> None:
        """Tell the work to stop; it does so within 200 ms. Safe from any thread."""
        with self._lock:
            self._cells[STOP] = CANCELLED

    def close(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def has_kernels(self, game: str) -> bool:
        """Whether a game's kernels can be called now; if not, they are compiled before those of others."""
        if self.kernels is None or self.kernels.ready(game):
            return True
        self.kernels.hurry(game)
        return False

    def wait_for_kernels(self, game: str) -> bool:
        """Wait until a game's kernels can be called; False when cancelled first."""
        if self.kernels is None or self.kernels.ready(game):
            return True
        self.waiting = True
        try:
            return self.kernels.wait(game, self)
        finally:
            self.waiting = False

    @property
    def stopped(self) -> bool:
        if self.remaining == 0:
            self._time_out()
        return bool(self._cells[STOP])

    @property
    def cancelled(self) -> bool:
        return self._cells[STOP] == CANCELLED

    @property
    def nodes(self) -> int:
        return self._cells[NODES]

    @nodes.setter
    def nodes(self, visited: int) -> None:
        self._cells[NODES] = visited

    @property
    def seconds(self) -> float:
        """Seconds since this control was made, without those for kernels."""
        return PREPARATION.now() - self._started

    @property
    def remaining(self) -> float | None:
        """Seconds until the deadline, at least 0; None without a deadline."""
        return None if self._deadline is None else max(0.0, self._deadline - PREPARATION.now())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
